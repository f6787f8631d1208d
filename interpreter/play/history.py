"""History of a game: log, choices, edits, and the state before each choice.

Stored states share unchanged data with the states after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

from interpreter.runtime.dice import DiceSource, SeededDice
from interpreter.runtime.log_entries import Log, LogEntry
from interpreter.runtime.program import Program
from interpreter.runtime.state import State, restore_snapshot
from interpreter.runtime.type_aliases import Snapshot

Before = tuple[State, int, str]


def _is_unrolled(dice: DiceSource, twin: DiceSource) -> bool:
    """Return whether seeded dice have rolled nothing since `twin` was cloned from them; False for other dice."""
    return isinstance(dice, SeededDice) and isinstance(twin, SeededDice) and dice.counter == twin.counter


class History(Sequence[Before]):
    """Undo history: for each choice the state and the log length before it, and its key ('' for a step of a draft).

    States are rebuilt on access. Only copies of them may be played further.
    """

    __slots__ = ("_program", "_kept", "_dice", "_twin", "log", "keys", "edits", "undone")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._kept: list[tuple[State | Snapshot, int, str]] = []  # a state or its snapshot
        self._dice: DiceSource | None = None  # dice of the last snapshot
        self._twin: DiceSource | None = None  # a clone of those dice at that time
        self.log = Log(True)
        self.keys: list[str] = []  # keys of the choices made
        self.edits: list[tuple[int, dict[str, Any]]] = []  # (choices made before, edit)
        # of each undone choice: the states before and after it, its key, its log entries
        self.undone: list[tuple[State, State, str, list[LogEntry]]] = []

    def keep(self, state: State) -> Snapshot:
        """Return the snapshot of a state at a decision; snapshots share a copy of seeded dice until the next roll."""
        dice = state.dice
        twin = self._twin
        if twin is None or dice is not self._dice or not _is_unrolled(dice, twin):
            self._dice, self._twin = dice, (twin := dice.clone())
        return state.program.snapshot_values(state, twin)

    def push(self, state: State | Snapshot, length: int, key: str) -> None:
        """Append the state before a choice, or its snapshot.

        `length`: the length of the log at that moment; `key`: the choice's key, '' for a step of a draft.
        """
        self._kept.append((state, length, key))
        if key:
            self.keys.append(key)

    def pop(self) -> Before:
        """Remove and return the last entry."""
        last = self[-1]
        self._kept.pop()
        return last

    def copy(self) -> History:
        """Return an independent copy."""
        new = History(self._program)
        new._kept, new.keys, new.edits = list(self._kept), list(self.keys), list(self.edits)
        new.log.extend(self.log)
        return new

    def iter_marks(self) -> Iterator[tuple[int, str]]:
        """Yield (log length, key) of each entry, last first, without rebuilding states."""
        return ((length, key) for _state, length, key in reversed(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    @overload
    def __getitem__(self, at: int) -> Before: ...
    @overload
    def __getitem__(self, at: slice) -> list[Before]: ...
    def __getitem__(self, at: int | slice) -> Before | list[Before]:
        if isinstance(at, slice):
            return [self[n] for n in range(*at.indices(len(self._kept)))]
        state, length, key = self._kept[at]
        if not isinstance(state, State):
            state = restore_snapshot(self._program, state)
            self._kept[at] = state, length, key
        return state, length, key
