"""Briefing of a seat before its first choice: six lines, seven in a variant. The position itself is not included."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.play.game import Game
from interpreter.play.lines import TextLine, begin_sentence
from interpreter.players.ownership import seat_sides, seats_of
from interpreter.players.summaries.objectives import (
    ObjectiveText,
    aim_text,
    ending_text,
    optional_rules_text,
    scoring_text,
)
from interpreter.runtime.localizer import Localizer


def briefing_lines(
    game: Game, seat: str, words: Localizer, players: Mapping[str, str], first: str, cites_all: bool = False
) -> list[TextLine]:
    """Return the briefing of a seat: a line for each fact that is known.

    `players`: the player of each seat in journal notation; `first`: what to type or do first, which depends on the user
    interface; `cites_all`: with all the paragraphs of a text, and not only the first of many.
    """
    say, data = words.say, game.program.data
    variant = words.label(data["about"]) if data["extends"] else ""
    parts = (
        (say("the variant"), ObjectiveText(variant)),
        (say("the situation"), ObjectiveText(_situation(game, words))),
        (say("you"), ObjectiveText(_seat_players_text(game, seat, words, players))),
        (say("your aim"), aim_text(game, seat, words)),
        (say("points"), scoring_text(game, words)),
        (say("length"), ending_text(game, words)),
        (say("optional rules"), optional_rules_text(game, words)),
        (say("first"), ObjectiveText(first)),
    )
    return [text.line(begin_sentence(label), words, cites_all) for label, text in parts if text.text]


def _situation(game: Game, words: Localizer) -> str:
    """Render the scenario's title and description, or else the description of the game."""
    data = game.program.data
    scenario = next((x for x in data["scenarios"] if x["id"] == game.scenario), None)
    about = words.label(scenario["about"]) if scenario else ""
    situation = about or ("" if data["extends"] else words.label(data["about"]))
    title = words.label(scenario["title"], scenario["id"]) if scenario else ""
    return words.about(title, situation) if title else situation


def _seat_players_text(game: Game, seat: str, words: Localizer, players: Mapping[str, str]) -> str:
    """Render the seats: "Blue player, against Second player (Reds, Greens; human)".

    The sides are left out if a seat's name begins with that of its only side.
    """

    def seat_text(one: str, player: str) -> str:
        name, sides = words.thing("seat", one), [words.thing("side", s) for s in seat_sides(game, one)]
        known = len(sides) == 1 and name.casefold().startswith(sides[0].casefold())
        return words.with_detail(name, words.parted(filter(None, ("" if known else words.join_list(sides), player))))

    others = [seat_text(one, words.player(players.get(one, ""))) for one in seats_of(game) if one != seat]
    own = seat_text(seat, "")
    return words.say("{you}, against {others}", you=own, others=words.join_list(others)) if others else own
