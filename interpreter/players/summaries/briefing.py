"""Briefing of a seat before its first choice: six lines, and one for each variant; without the position."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.play.game import Game
from interpreter.play.lines import TextLine, begin_sentence
from interpreter.players.ownership import list_seat_sides, list_seats
from interpreter.players.summaries.objectives import (
    ObjectiveText,
    build_aim_text,
    build_ending_text,
    build_optional_rules_text,
    build_scoring_text,
)
from interpreter.runtime.localizer import Localizer


def render_briefing_lines(
    game: Game, seat: str, localizer: Localizer, players: Mapping[str, str], first: str, cites_all: bool = False
) -> list[TextLine]:
    """Return the briefing of a seat: a line for each fact that is known.

    `players`: the player of each seat in journal notation; `first`: what to type or do first, which depends on the user
    interface; `cites_all`: with all the paragraphs of a text, and not only the first of many.
    """
    say = localizer.say
    parts = (
        *((say("the variant"), ObjectiveText(text)) for text in _describe_variants(game, localizer)),
        (say("the situation"), ObjectiveText(_describe_situation(game, localizer))),
        (say("you"), ObjectiveText(_describe_seat_players(game, seat, localizer, players))),
        (say("your aim"), build_aim_text(game, seat, localizer)),
        (say("points"), build_scoring_text(game, localizer)),
        (say("length"), build_ending_text(game, localizer)),
        (say("optional rules"), build_optional_rules_text(game, localizer)),
        (say("first"), ObjectiveText(first)),
    )
    return [text.format_line(begin_sentence(label), localizer, cites_all) for label, text in parts if text.text]


def _describe_variants(game: Game, localizer: Localizer) -> tuple[str, ...]:
    """Render what each variant changes, in the order in which they are laid over the game; () for a game itself."""
    texts = []
    for variant in game.program.data["variants"]:
        title = localizer.translate_label(variant["title"])
        unknown = localizer.say(
            "{title}, which does not describe what it changes; `grognard diff` lists it", title=title
        )
        texts.append(localizer.translate_label(variant["about"]) or unknown)
    return tuple(texts)


def _describe_situation(game: Game, localizer: Localizer) -> str:
    """Render the scenario's title and description, or else the description of the game."""
    data = game.program.data
    scenario = next((x for x in data["scenarios"] if x["id"] == game.scenario), None)
    about = localizer.translate_label(scenario["about"]) if scenario else ""
    situation = about or ("" if data["extends"] else localizer.translate_label(data["about"]))
    title = localizer.translate_label(scenario["title"], scenario["id"]) if scenario else ""
    return localizer.prefix_topic(title, situation) if title else situation


def _describe_seat_players(game: Game, seat: str, localizer: Localizer, players: Mapping[str, str]) -> str:
    """Render the seats: "Blue player, against Second player (Reds, Greens; human)".

    The sides are left out if a seat's name begins with that of its only side.
    """

    def format_seat(seat_id: str, player: str) -> str:
        name, sides = (
            localizer.get_thing_name("seat", seat_id),
            [localizer.get_thing_name("side", s) for s in list_seat_sides(game, seat_id)],
        )
        is_redundant = len(sides) == 1 and name.casefold().startswith(sides[0].casefold())
        return localizer.with_detail(
            name, localizer.join_texts(filter(None, ("" if is_redundant else localizer.join_list(sides), player)))
        )

    opponents = [
        format_seat(other_seat, localizer.format_player(players.get(other_seat, "")))
        for other_seat in list_seats(game)
        if other_seat != seat
    ]
    own_text = format_seat(seat, "")
    if not opponents:
        return own_text
    return localizer.say("{you}, against {others}", you=own_text, others=localizer.join_list(opponents))
