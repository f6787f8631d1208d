"""Incremental luck analysis of a running game: each choice is analyzed once, in small steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from interpreter.api.rules import Rules
from interpreter.play.game import Game
from interpreter.players.luck.luck_analysis import (
    ENDS,
    DecidedLookup,
    LuckAnalyzer,
    LuckRecord,
    ReplayedChoice,
    SideRoll,
    find_answer,
)
from interpreter.players.luck.roll_attribution import PausableWork
from interpreter.runtime.log_entries import LogEntry, LoggedChoice, LoggedRoll
from interpreter.runtime.program import Program
from interpreter.runtime.state import clone_state
from interpreter.saves.entries import RollEntry
from interpreter.saves.recorder import build_header


@dataclass(frozen=True, slots=True)
class _AnalyzedChoice:
    """The luck of a choice already analyzed.

    `before` and `key` identify the choice: the state before it and the key of the option. `is_end`: the replay diverged
    from the game here, so later choices are not analyzed.
    """

    before: Any
    key: str
    side_rolls: Sequence[SideRoll] = ()
    lookups: Sequence[DecidedLookup] = ()
    is_end: bool = False  # the replay diverged from the game here: later choices are not analyzed


class IncrementalLuck:
    """The luck of one running game, analyzed step by step.

    `instrumented` returns the instrumented program to replay choices on, which this object uses exclusively.
    """

    def __init__(self, rules: Rules, game: Game, instrumented: Callable[[], Program]) -> None:
        self._rules, self._game, self._instrumented = rules, game, instrumented
        self._analyzer: LuckAnalyzer | None = None
        self._at_start: Sequence[SideRoll] | None = None
        self._counted: list[_AnalyzedChoice] = []
        self._begun: tuple[Any, PausableWork[tuple[list[SideRoll], list[DecidedLookup]]]] | None = None

    def iter_steps(self) -> Iterator[None]:
        """Analyze the remaining choices, yielding after each step so that the caller can pause and resume."""
        past = self._game.get_history()
        self._drop_undone(past)
        if self._at_start is None:
            self._at_start = self._list_rolls_at_start(past)
        while len(self._counted) < len(past) and not (self._counted and self._counted[-1].is_end):
            before, _, key = past[len(self._counted)]
            rolls = self._list_rolls(len(self._counted))
            if not key or not rolls:
                self._counted.append(_AnalyzedChoice(before, key))
                continue
            try:
                if self._begun is None or self._begun[0] is not before:
                    self._begun = before, self._analyze_choice(len(self._counted), rolls)
                next(self._begun[1])
            except StopIteration as end:
                self._counted.append(_AnalyzedChoice(before, key, *end.value))
            except ENDS:
                self._counted.append(_AnalyzedChoice(before, key, is_end=True))
            yield

    def get_record(self) -> LuckRecord:
        """Return all rolls so far and the look-ups they decided."""
        for _ in self.iter_steps():
            pass
        record = LuckRecord([*(self._at_start or ())], [])
        for counted in self._counted:
            record.side_rolls += counted.side_rolls
            record.lookups += counted.lookups
            if counted.is_end:
                record.stopped = self._get_journal_number(self._counted.index(counted))
        return record

    def _drop_undone(self, past: Sequence[tuple[Any, int, str]]) -> None:
        for n, counted in enumerate(self._counted):
            if n >= len(past) or counted.before is not past[n][0] or counted.key != past[n][2]:
                del self._counted[n:]
                return

    def _list_rolls_at_start(self, past: Sequence[tuple[Any, int, str]]) -> Sequence[SideRoll]:
        rolls = _list_log_rolls(self._game.get_raw_log()[: past[0][1] if past else None])
        return self._get_analyzer().begin(self._rules, build_header(self._game), rolls)[1] if rolls else ()

    def _analyze_choice(
        self, at: int, rolls: list[RollEntry]
    ) -> PausableWork[tuple[list[SideRoll], list[DecidedLookup]]]:
        """Return the analysis of the choice at index `at` of the history, which led to `rolls`, as a job in steps."""
        past, log = self._game.get_history(), self._game.get_raw_log()
        state, length, key = past[at]
        after = past[at + 1][0] if at + 1 < len(past) else self._game.state
        before = clone_state(state)
        before.draft = ()  # the key is that of the whole draft
        return self._get_analyzer().analyze(
            ReplayedChoice(
                before, after, find_answer(before, key), self._get_journal_number(at), _get_side(log[length]), rolls
            )
        )

    def _get_analyzer(self) -> LuckAnalyzer:
        if self._analyzer is None:
            self._analyzer = LuckAnalyzer(self._instrumented())
        return self._analyzer

    def _list_rolls(self, at: int) -> list[RollEntry]:
        past = self._game.get_history()
        return _list_log_rolls(self._game.get_raw_log()[past[at][1] : past[at + 1][1] if at + 1 < len(past) else None])

    def _get_journal_number(self, at: int) -> int:
        """Return the number in journals of the choice at index `at` of the game's history; draft steps do not count."""
        return sum(
            1
            for _, key in islice(
                self._game.get_history().iter_marks(), max(0, len(self._game.get_history()) - at - 1), None
            )
            if key
        )


def _get_side(entry: LogEntry) -> str:
    """Return the side that made a logged choice."""
    assert isinstance(entry, LoggedChoice)
    return entry.side


def _list_log_rolls(log: Sequence[LogEntry]) -> list[RollEntry]:
    return [RollEntry(x.name, x.subject_id, x.faces) for x in log if isinstance(x, LoggedRoll) and x.faces]
