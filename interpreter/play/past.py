"""What a game has been through: log, choices, edits, and the state before each choice.

A state kept shares whatever has not changed since with those after it. Must not change a state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

from interpreter.play.events import Log
from interpreter.runtime.state import whole

Before = tuple[Any, int, str]


class Past(Sequence[Before]):
    """The state before each choice, the length of the log then, and the key of the choice ('' for a step).

    These states are never played on, but copies of them.
    """

    __slots__ = ("_kept", "log", "keys", "edits", "taken_back")

    def __init__(self) -> None:
        self._kept: list[tuple[Any, int, str]] = []
        self.log = Log(True)
        self.keys: list[str] = []  # of the choices made
        self.edits: list[tuple[int, dict[str, Any]]] = []  # after so many choices
        self.taken_back: list[tuple[Any, Any, str, list[Any]]] = []  # the states before and after, the key, its log

    def push(self, state: Any, length: int, key: str) -> None:
        """Add the state that a choice was made from."""
        self._kept.append((state, length, key))

    def pop(self) -> Before:
        """Take the last one away."""
        last = self[-1]
        self._kept.pop()
        return last

    def copy(self) -> Past:
        """The same, to which others can be added."""
        new = Past()
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
        found = self._kept[at]
        whole(found[0])
        return found
