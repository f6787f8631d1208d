"""Bots that think with another evaluation than the game's, and notes of what each weight of an evaluation adds where a
game stands. Must not learn anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from interpreter.facade.rules import Rules, load
from interpreter.play.session import Game
from interpreter.play.takeover import check_values_alone, under_other_values
from interpreter.players.bots.roster import Bot, make_bots
from interpreter.runtime.program import Program

_EVERY = 20  # decisions between two positions that are looked at, and one where a turn begins


@cache
def _program(path: str, content: str) -> Program:
    """The program of a variant with other weights; `content` tells one that was written anew."""
    return load(path).program


class OtherMind:
    """A bot that sees the game under the values of another program, which weighs otherwise and allows the same."""

    __slots__ = ("_bot", "_program", "_known")

    def __init__(self, bot: Bot, program: Program) -> None:
        self._bot = bot
        self._program = program
        self._known: Program | None = None

    def choose(self, game: Game) -> int:
        """As the bot; ValueError where the other program differs in more than single values."""
        if self._known is not game.program:
            check_values_alone(self._program, game.program)
            self._known = game.program
        seen = under_other_values(self._program, game.state)
        return self._bot.choose(Game(self._program, seen, game.scenario, None, False))


@dataclass(frozen=True, slots=True)
class Minds:
    """Makes the bots of a game, of which one seat thinks with the evaluation of another file."""

    path: str
    content: str
    seat: str

    def __call__(self, seats: Mapping[str, str], seed: int) -> Mapping[str, Bot]:
        """The bots by seat."""
        bots: dict[str, Bot] = dict(make_bots(seats, seed))
        bots[self.seat] = OtherMind(bots[self.seat], _program(self.path, self.content))
        return bots


@dataclass(frozen=True, slots=True)
class Notes:
    """Makes the watcher of a game: `steps` are a file for each weight, in which it is greater by the number there."""

    steps: tuple[tuple[str, float], ...]
    content: str

    def __call__(self, rules: Rules, game: Game) -> Noting:
        """The watcher of one game."""
        return Noting(game, [(_program(path, self.content), more) for path, more in self.steps])


class Noting:
    """Notes for every seat, now and then, the worth of the position and what each weight adds to it."""

    __slots__ = ("_others", "_seats", "_count", "_turn", "_rows")

    def __init__(self, game: Game, others: list[tuple[Program, float]]) -> None:
        for program, _ in others:
            check_values_alone(program, game.program)
        self._others = others
        self._seats = list(dict.fromkeys(game.program.ids["seat"][s] for s in game.state.seat_of))
        self._count = 0
        self._turn = 0
        self._rows: list[list[Any]] = []

    def chosen(self, game: Game, _number: int) -> None:
        """An option is about to be chosen."""
        self._count += 1
        if game.turn == self._turn and self._count % _EVERY:
            return
        self._turn = game.turn
        seen = [
            (Game(p, under_other_values(p, game.state), game.scenario, None, False), more) for p, more in self._others
        ]
        for seat in self._seats:
            worth = game.evaluation(seat) or 0.0
            gains = [((other.evaluation(seat) or 0.0) - worth) / more for other, more in seen]
            self._rows.append([seat, worth, *gains])

    def ended(self, _game: Game) -> dict[str, Any]:
        """Rows of a seat, the worth and the gains."""
        return {"rows": self._rows}
