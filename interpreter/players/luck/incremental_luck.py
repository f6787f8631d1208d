"""Incremental luck analysis of a running game: each choice is analyzed once, in small steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from interpreter.api.rules import Rules
from interpreter.play.game import Game
from interpreter.play.history import History
from interpreter.players.luck.luck_analysis import (
    REPLAY_ERRORS,
    ChoiceLuck,
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
from interpreter.runtime.state import State, clone_state
from interpreter.saves.entries import RollEntry
from interpreter.saves.recorder import build_header


@dataclass(frozen=True, slots=True)
class _AnalyzedChoice:
    """The luck of a choice already analyzed.

    `before` and `key` identify the choice: the state before it and the key of the option. `is_end`: the replay diverged
    from the game here, so later choices are not analyzed.
    """

    before: State
    key: str
    side_rolls: Sequence[SideRoll] = ()
    lookups: Sequence[DecidedLookup] = ()
    is_end: bool = False


class IncrementalLuck:
    """The luck of one running game, analyzed step by step.

    `instrumented` returns the instrumented program to replay choices on, which this object uses exclusively.
    """

    def __init__(self, rules: Rules, game: Game, instrumented: Callable[[], Program]) -> None:
        self._rules, self._game, self._instrumented = rules, game, instrumented
        self._analyzer: LuckAnalyzer | None = None
        self._setup_rolls: Sequence[SideRoll] | None = None
        self._choices: list[_AnalyzedChoice] = []
        self._job: tuple[State, PausableWork[ChoiceLuck]] | None = None  # the choice at work, by the state before it

    def iter_steps(self) -> Iterator[None]:
        """Analyze the remaining choices, yielding after each step so that the caller can pause and resume."""
        past = self._game.get_history()
        self._drop_undone_choices(past)
        if self._setup_rolls is None:
            self._setup_rolls = self._list_setup_rolls(past)
        while len(self._choices) < len(past) and not (self._choices and self._choices[-1].is_end):
            before, _, key = past[len(self._choices)]
            rolls = self._list_rolls(len(self._choices))
            if not key or not rolls:
                self._choices.append(_AnalyzedChoice(before, key))
                continue
            try:
                if self._job is None or self._job[0] is not before:
                    self._job = before, self._analyze_choice(len(self._choices), rolls)
                next(self._job[1])
            except StopIteration as end:
                self._choices.append(_AnalyzedChoice(before, key, *end.value))
            except REPLAY_ERRORS:
                self._choices.append(_AnalyzedChoice(before, key, is_end=True))
            yield

    def get_record(self) -> LuckRecord:
        """Return all rolls so far and the look-ups they decided."""
        for _ in self.iter_steps():
            pass
        record = LuckRecord([*(self._setup_rolls or ())], [])
        for choice in self._choices:
            record.side_rolls += choice.side_rolls
            record.lookups += choice.lookups
            if choice.is_end:
                record.stopped = self._get_journal_number(self._choices.index(choice))
        return record

    def _drop_undone_choices(self, past: History) -> None:
        for n, choice in enumerate(self._choices):
            if n >= len(past) or choice.before is not past[n][0] or choice.key != past[n][2]:
                del self._choices[n:]
                return

    def _list_setup_rolls(self, past: History) -> Sequence[SideRoll]:
        rolls = _list_log_rolls(self._game.get_raw_log()[: past[0][1] if past else None])
        return self._get_analyzer().begin(self._rules, build_header(self._game), rolls)[1] if rolls else ()

    def _analyze_choice(self, index: int, rolls: list[RollEntry]) -> PausableWork[ChoiceLuck]:
        """Return a job in steps that analyzes the choice at this index of the history, which led to `rolls`."""
        past, log = self._game.get_history(), self._game.get_raw_log()
        state, length, key = past[index]
        after = past[index + 1][0] if index + 1 < len(past) else self._game.state
        before = clone_state(state)
        before.draft = ()  # the key is that of the whole draft
        return self._get_analyzer().analyze(
            ReplayedChoice(
                before, after, find_answer(before, key), self._get_journal_number(index), _get_side(log[length]), rolls
            )
        )

    def _get_analyzer(self) -> LuckAnalyzer:
        if self._analyzer is None:
            self._analyzer = LuckAnalyzer(self._instrumented())
        return self._analyzer

    def _list_rolls(self, index: int) -> list[RollEntry]:
        past = self._game.get_history()
        return _list_log_rolls(
            self._game.get_raw_log()[past[index][1] : past[index + 1][1] if index + 1 < len(past) else None]
        )

    def _get_journal_number(self, index: int) -> int:
        """Return the number in journals of the choice at this index of the game's history; draft steps do not count."""
        return sum(
            1
            for _, key in islice(
                self._game.get_history().iter_marks(), max(0, len(self._game.get_history()) - index - 1), None
            )
            if key
        )


def _get_side(entry: LogEntry) -> str:
    """Return the side that made a logged choice."""
    assert isinstance(entry, LoggedChoice)
    return entry.side


def _list_log_rolls(log: Sequence[LogEntry]) -> list[RollEntry]:
    return [RollEntry(x.name, x.subject_id, x.faces) for x in log if isinstance(x, LoggedRoll) and x.faces]
