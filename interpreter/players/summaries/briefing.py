"""Briefing of a seat before its first choice: six lines, seven in a variant. The position itself is not included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.play.game import Game
from interpreter.play.lines import TextLine, begin_sentence
from interpreter.players.ownership import seat_sides
from interpreter.players.summaries.objectives import (
    ObjectiveText,
    aim_text,
    ending_text,
    optional_rules_text,
    scoring_text,
)
from interpreter.runtime.localizer import Localizer


@dataclass(frozen=True, slots=True)
class Briefing:
    """The facts a player needs before the first choice.

    `variant`: how the variant differs, empty for a base game; `about`: scenario and situation; `counting`: how points
    are counted; `length`: when the game ends; `options`: the optional rules in use; `first`: what to type or do first.
    """

    variant: str
    about: str
    own_seat: str
    aim: ObjectiveText
    counting: ObjectiveText
    length: ObjectiveText
    options: ObjectiveText
    first: str


def briefing_of(game: Game, seat: str, words: Localizer, players: Mapping[str, str], first: str) -> Briefing:
    """Return the briefing of a seat.

    `players` gives the player of each seat in journal notation; `first` says what to type or do first, which depends
    on the user interface.
    """
    data = game.program.data
    return Briefing(
        words.label(data["about"]) if data["extends"] else "",
        _situation(game, words),
        _seat_players_text(game, seat, words, players),
        aim_text(game, seat, words),
        scoring_text(game, words),
        ending_text(game, words),
        optional_rules_text(game, words),
        first,
    )


def briefing_lines(briefing: Briefing, words: Localizer, cites_all: bool = False) -> list[TextLine]:
    """Return the briefing: a line for each fact that is known.

    `cites_all`: with all the paragraphs of a text, and not only the first of many.
    """
    say = words.say
    parts = (
        (say("the variant"), ObjectiveText(briefing.variant)),
        (say("the situation"), ObjectiveText(briefing.about)),
        (say("you"), ObjectiveText(briefing.own_seat)),
        (say("your aim"), briefing.aim),
        (say("points"), briefing.counting),
        (say("length"), briefing.length),
        (say("optional rules"), briefing.options),
        (say("first"), ObjectiveText(briefing.first)),
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
    seats = list(dict.fromkeys(game.program.ids["seat"][s] for s in game.state.seat_of))

    def seat_text(one: str, player: str) -> str:
        name, sides = words.thing("seat", one), [words.thing("side", s) for s in seat_sides(game, one)]
        known = len(sides) == 1 and name.casefold().startswith(sides[0].casefold())
        return words.with_detail(name, words.parted(filter(None, ("" if known else words.join_list(sides), player))))

    others = [seat_text(one, words.player(players.get(one, ""))) for one in seats if one != seat]
    own = seat_text(seat, "")
    return words.say("{you}, against {others}", you=own, others=words.join_list(others)) if others else own
