"""History of a game: log, choices, edits, and the state before each choice.

Stored states share unchanged data with the states after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from interpreter.runtime.dice import DiceSource, SeededDice
from interpreter.runtime.log_entries import Log, LogEntry
from interpreter.runtime.program import Program
from interpreter.runtime.state import State, restore_snapshot
from interpreter.runtime.type_aliases import Snapshot
from interpreter.saves.entries import PositionEdit


class HistoryEntry(NamedTuple):
    """A choice that can be undone: the state and the length of the log before it, and its key ('' for a step)."""

    state: State
    log_length: int
    key: str


class UndoneChoice(NamedTuple):
    """A choice that can be redone: the states before and after it, its key, and its log entries."""

    before: State
    after: State
    key: str
    log: list[LogEntry]


def _is_unrolled(dice: DiceSource, earlier: DiceSource) -> bool:
    """Return whether seeded dice have rolled nothing since `earlier` was cloned from them; False for other dice."""
    return isinstance(dice, SeededDice) and isinstance(earlier, SeededDice) and dice.counter == earlier.counter


class History(Sequence[HistoryEntry]):
    """Undo history: an entry for each choice, also for each step of a draft.

    States are rebuilt on access. Only copies of them may be played further.
    """

    __slots__ = ("_program", "_stored", "_dice", "_dice_copy", "log", "keys", "edits", "undone")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._stored: list[tuple[State | Snapshot, int, str]] = []  # a state or its snapshot
        self._dice: DiceSource | None = None  # dice at the last snapshot
        self._dice_copy: DiceSource | None = None  # a copy of those dice, made at that time
        self.log = Log(True)
        self.keys: list[str] = []  # keys of the choices made
        self.edits: list[PositionEdit] = []
        self.undone: list[UndoneChoice] = []

    def take_snapshot(self, state: State) -> Snapshot:
        """Return the snapshot of a state at a decision; snapshots share a copy of seeded dice until the next roll."""
        dice = state.dice
        earlier = self._dice_copy
        if earlier is None or dice is not self._dice or not _is_unrolled(dice, earlier):
            self._dice, self._dice_copy = dice, (earlier := dice.clone())
        return state.program.snapshot_values(state, earlier)

    def push(self, state: State | Snapshot, length: int, key: str) -> None:
        """Append the state before a choice, or its snapshot.

        `length`: the length of the log at that moment; `key`: the choice's key, '' for a step of a draft.
        """
        self._stored.append((state, length, key))
        if key:
            self.keys.append(key)

    def pop(self) -> HistoryEntry:
        """Remove and return the last entry."""
        last = self[-1]
        self._stored.pop()
        return last

    def copy(self) -> History:
        """Return an independent copy, without the undone choices."""
        new = History(self._program)
        new._stored, new.keys, new.edits = list(self._stored), list(self.keys), list(self.edits)
        new.log.extend(self.log)
        return new

    def iter_marks(self) -> Iterator[tuple[int, str]]:
        """Yield (log length, key) of each entry, last first, without rebuilding states."""
        return ((length, key) for _state, length, key in reversed(self._stored))

    def __len__(self) -> int:
        return len(self._stored)

    @overload
    def __getitem__(self, index: int) -> HistoryEntry: ...
    @overload
    def __getitem__(self, index: slice) -> list[HistoryEntry]: ...
    def __getitem__(self, index: int | slice) -> HistoryEntry | list[HistoryEntry]:
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(len(self._stored)))]
        state, length, key = self._stored[index]
        if not isinstance(state, State):
            state = restore_snapshot(self._program, state)
            self._stored[index] = state, length, key
        return HistoryEntry(state, length, key)
