"""Replay log: a replayed game that can be visited after each of its decisions, forwards and backwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.api.resume import Replay
from interpreter.play.events import LogEvent, build_event
from interpreter.play.game import Game
from interpreter.runtime.log_entries import LogEntry, LoggedChoice
from interpreter.saves.entries import DecisionEntry


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """The game after a decision: the number of log entries, the turn and the phase."""

    logged: int
    turn: int
    phase: str | None


class ReplayLog:
    """A game and its replay steps; `at` is the number of decisions at the current step.

    `moments[0]` is the start, `moments[n]` the step after decision n. Navigation undoes and redoes the game, so it
    must not be played further.
    """

    def __init__(self, game: Game, moments: Sequence[ReplayStep]) -> None:
        self.game = game
        self.moments = tuple(moments)
        self._log: list[LogEntry] = list(game.get_raw_log())

    @property
    def at(self) -> int:
        """Return the number of decisions made at the current step."""
        return len(self.game.keys)

    @property
    def last(self) -> int:
        """Return the number of the last decision."""
        return len(self.moments) - 1

    def go_to(self, decision: int) -> None:
        """Navigate to the step after this decision, clamped to the start and the end."""
        goal = min(max(decision, 0), self.last)
        while self.at > goal:
            self.game.undo()
        while self.at < goal:
            self.game.redo()

    def list_events(self, after: int, upto: int) -> list[LogEvent]:
        """Return the events caused by the decisions after number `after`, up to number `upto`, with their results."""
        return [build_event(self.game.program, raw) for raw in self.list_raw_events(after, upto)]

    def list_raw_events(self, after: int, upto: int) -> list[LogEntry]:
        """Return the log entries of the decisions after number `after`, up to number `upto`, with their results."""
        return self._log[self.moments[after].logged : self.moments[upto].logged]

    def list_opening_events(self) -> list[LogEvent]:
        """Return the events before the first decision."""
        return [build_event(self.game.program, raw) for raw in self._log[: self.moments[0].logged]]

    def get_decision_entry(self, decision: int) -> LoggedChoice:
        """Return the log entry of a decision, from 1."""
        entry = self._log[self.moments[decision - 1].logged]
        assert isinstance(entry, LoggedChoice)
        return entry

    def find_next_change(self, by_turn: bool) -> int:
        """Return the next decision that reaches another phase (another turn with `by_turn`), or the last decision."""
        mark = self._get_phase_key(self.at, by_turn)
        return next(
            (n for n in range(self.at + 1, self.last + 1) if self._get_phase_key(n, by_turn) != mark), self.last
        )

    def find_change_before(self, by_turn: bool) -> int:
        """Return the step at which the current phase began, or the previous phase if the current one begins here.

        With `by_turn`, turns count instead of phases. The earliest step is 0.
        """
        if self.at == 0:
            return 0
        before = self.at - 1
        while before > 0 and self._get_phase_key(before - 1, by_turn) == self._get_phase_key(before, by_turn):
            before -= 1
        return before

    def _get_phase_key(self, decision: int, by_turn: bool) -> tuple[int, str | None]:
        moment = self.moments[decision]
        return (moment.turn, None) if by_turn else (moment.turn, moment.phase)


def record_replay(replay: Replay) -> ReplayLog:
    """Run a replay as far as possible and record every step of it."""
    moments = [_build_step(replay.game)]
    for entry in replay:
        if isinstance(entry, DecisionEntry) and len(replay.game.keys) == len(moments):
            moments.append(_build_step(replay.game))
    return ReplayLog(replay.game, moments)


def _build_step(game: Game) -> ReplayStep:
    return ReplayStep(len(game.get_raw_log()), game.turn, game.phase)
