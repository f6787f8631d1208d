"""What a game has been through: log, choices, edits, and the state before each choice.

What is kept of a state shares whatever has not changed since with those after it. Must not change a state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

from interpreter.play.events import Log
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.program import Program
from interpreter.runtime.state import kept, whole

Before = tuple[Any, int, str]


class History(Sequence[Before]):
    """The state before each choice, the length of the log then, and the key of the choice ('' for a step).

    These states are made when they are asked for. They are never played on, but copies of them.
    """

    __slots__ = ("_program", "_kept", "_dice", "_twin", "log", "keys", "edits", "taken_back")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._kept: list[tuple[Any, int, str]] = []  # the state itself, or what makes it up
        self._dice: Any = None  # of the state that was kept last
        self._twin: Any = None  # as they stood then
        self.log = Log(True)
        self.keys: list[str] = []  # of the choices made
        self.edits: list[tuple[int, dict[str, Any]]] = []  # after so many choices
        self.taken_back: list[tuple[Any, Any, str, list[Any]]] = []  # the states before and after, the key, its log

    def keep(self, state: Any) -> tuple[Any, ...]:
        """What to push of a state where something is being decided; seeded dice are shared as long as none fall."""
        dice = state.dice
        if dice is not self._dice or dice.__class__ is not SeededDice or dice.counter != self._twin.counter:
            self._dice, self._twin = dice, dice.clone()
        return kept(state, self._twin)

    def push(self, state: Any, length: int, key: str) -> None:
        """Add the state that a choice was made from, or what was kept of it."""
        self._kept.append((state, length, key))
        if key:
            self.keys.append(key)

    def pop(self) -> Before:
        """Take the last one away."""
        last = self[-1]
        self._kept.pop()
        return last

    def copy(self) -> History:
        """The same, to which others can be added."""
        new = History(self._program)
        new._kept, new.keys, new.edits = list(self._kept), list(self.keys), list(self.edits)
        new.log.extend(self.log)
        return new

    def marks(self) -> Iterator[tuple[int, str]]:
        """Length of the log and key of each, from the last back to the first; no state is made whole."""
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
        if state.__class__ is tuple:
            state = whole(self._program, state)
            self._kept[at] = state, length, key
        return state, length, key
