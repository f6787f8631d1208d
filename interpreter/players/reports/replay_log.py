"""A replayed game that can be looked at after each of its decisions, forwards and backwards.

Must not print, nor put more into words than a choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.play.events import LogEvent, event_of
from interpreter.players.narration.localizer import Localizer
from interpreter.saves.entries import DecisionEntry

if TYPE_CHECKING:
    from interpreter.api.resume import Replay
    from interpreter.play.game import Game


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """Where the game stood after a decision: how much had been logged, the turn and the phase."""

    logged: int
    turn: int
    phase: str | None


class ReplayLog:
    """A game and its moments; `at` is the number of decisions after which it stands now.

    `moments[0]` is the start, `moments[n]` what stood after decision n. The game is undone and redone
    to get anywhere: it must not be played on.
    """

    def __init__(self, game: Game, moments: Sequence[ReplayStep]) -> None:
        self.game = game
        self.moments = tuple(moments)
        self._log: list[Any] = list(game.raw_log())

    @property
    def at(self) -> int:
        """Decisions that have been made."""
        return len(self.game.keys)

    @property
    def last(self) -> int:
        """Number of the last decision."""
        return len(self.moments) - 1

    def go_to(self, decision: int) -> None:
        """Stand after this decision; before the first and after the last there is nowhere to stand."""
        goal = min(max(decision, 0), self.last)
        while self.at > goal:
            self.game.undo()
        while self.at < goal:
            self.game.redo()

    def events(self, after: int, upto: int) -> list[LogEvent]:
        """What happened after one decision up to another, with all that the last set going."""
        start, end = self.moments[after].logged, self.moments[upto].logged
        return [event_of(self.game.program, raw) for raw in self._log[start:end]]

    def raw_events(self, after: int, upto: int) -> list[Any]:
        """The same as logged."""
        return self._log[self.moments[after].logged : self.moments[upto].logged]

    def opening(self) -> list[LogEvent]:
        """What happened before the first decision."""
        return [event_of(self.game.program, raw) for raw in self._log[: self.moments[0].logged]]

    def taken(self, decision: int) -> Any:
        """The log's entry of a decision, from 1."""
        return self._log[self.moments[decision - 1].logged]

    def next_change(self, by_turn: bool) -> int:
        """The next decision after which another phase (turn) is reached; the last one when there is none."""
        here = self._mark(self.at, by_turn)
        return next((n for n in range(self.at + 1, self.last + 1) if self._mark(n, by_turn) != here), self.last)

    def change_before(self, by_turn: bool) -> int:
        """Where the phase (turn) that now stands began, or the one before if it begins here; 0 at the earliest."""
        if self.at == 0:
            return 0
        before = self.at - 1
        while before > 0 and self._mark(before - 1, by_turn) == self._mark(before, by_turn):
            before -= 1
        return before

    def _mark(self, decision: int, by_turn: bool) -> tuple[int, str | None]:
        moment = self.moments[decision]
        return (moment.turn, None) if by_turn else (moment.turn, moment.phase)


def told_story(replay: Replay) -> ReplayLog:
    """Carry a replay out, as far as it goes, and keep every moment of it."""
    moments = [_moment(replay.game)]
    for entry in replay:
        if isinstance(entry, DecisionEntry) and len(replay.game.keys) == len(moments):
            moments.append(_moment(replay.game))
    return ReplayLog(replay.game, moments)


def choice_words(taken: Any, words: Localizer) -> str:
    """What was chosen, from the log's entry of a decision."""
    label = taken[6]
    return label if isinstance(label, str) else str(words.program.naming(words.lang).told(label))


def _moment(game: Game) -> ReplayStep:
    return ReplayStep(len(game.raw_log()), game.turn, game.phase)
