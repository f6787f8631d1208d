"""The briefing of a seat before its first choice: six lines, seven in a variant. Must not tell the position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.play.session import Game
from interpreter.players.belonging import seat_sides
from interpreter.players.overview.aims import Told, aim_of, counting_of, ending_of, in_force
from interpreter.players.telling.vocabulary import Words


@dataclass(frozen=True, slots=True)
class Briefing:
    """What a player has to know first.

    `variant`: what is played otherwise, empty for a game as it is; `about`: scenario and situation; `first`: what to
    type, or to do, first.
    """

    variant: str
    about: str
    who: str
    aim: Told
    counting: Told
    length: Told
    options: Told
    first: str


def briefing_of(game: Game, seat: str, words: Words, players: Mapping[str, str], first: str) -> Briefing:
    """The briefing of a seat; `players`: who plays each seat as journals name them; `first` is the face's own."""
    data = game.program.data
    return Briefing(
        words.label(data["about"]) if data["extends"] else "",
        _situation(game, words),
        _who(game, seat, words, players),
        aim_of(game, seat, words),
        counting_of(game, words),
        ending_of(game, words),
        in_force(game, words),
        first,
    )


def briefing_lines(briefing: Briefing, words: Words, cites_all: bool = False) -> list[str]:
    """Six lines, one more in a variant, one for optional rules in force, none for what is unknown.

    `cites_all`: with all the paragraphs of a text, and not only the first of many.
    """
    say = words.say

    def line(told: Told) -> str:
        return told.whole_line if cites_all else told.line

    parts = (
        (say("the variant"), briefing.variant),
        (say("the situation"), briefing.about),
        (say("you"), briefing.who),
        (say("your aim"), line(briefing.aim)),
        (say("points"), line(briefing.counting)),
        (say("length"), line(briefing.length)),
        (say("optional rules"), line(briefing.options)),
        (say("first"), briefing.first),
    )
    return [words.about(what, told) for what, told in parts if told]


def _situation(game: Game, words: Words) -> str:
    """The scenario by its title, and what is said about it; else what is said about the game."""
    data = game.program.data
    scenario = next((x for x in data["scenarios"] if x["id"] == game.scenario), None)
    about = words.label(scenario["about"]) if scenario else ""
    told = about or ("" if data["extends"] else words.label(data["about"]))
    title = words.label(scenario["title"], scenario["id"]) if scenario else ""
    return words.about(title, told) if title else told


def _who(game: Game, seat: str, words: Words, players: Mapping[str, str]) -> str:
    """ "Red player: Reds; against Blue player (greedy): Blues"."""
    seats = list(dict.fromkeys(game.program.ids["seat"][s] for s in game.state.seat_of))

    def told(one: str, player: str) -> str:
        sides = words.listed(words.thing("side", s) for s in seat_sides(game, one))
        return words.about(words.aside(words.thing("seat", one), player), sides)

    others = [told(one, words.player(players.get(one, ""))) for one in seats if one != seat]
    own = told(seat, "")
    return words.say("{you}; against {others}", you=own, others=words.parted(others)) if others else own
