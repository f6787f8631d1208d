"""Terse screen for players who listen: output without brackets and paragraph numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from interpreter.players.summaries.turn_recap import remove_brackets
from interpreter.ui.repl.terminal import Screen

_CITED = re.compile(r" \[([^\[\]]*)\]")
_DRAWN = ("\\", "|", "____")  # characters that mark a line as part of a drawing


class BriefOutput:
    """Wrap another screen and shorten what is written to it.

    `paragraphs` are the rulebook numbers to omit where a bracket holds nothing else.
    """

    __slots__ = ("screen", "_paragraphs")

    def __init__(self, screen: Screen, paragraphs: Iterable[str]) -> None:
        self.screen = screen
        self._paragraphs = frozenset((*paragraphs, "..."))

    def write(self, lines: Iterable[str]) -> None:
        """Write shortened lines and skip those that are empty."""
        self.screen.write([told for line in lines if (told := self._shorten(line)).strip()])

    def _shorten(self, line: str) -> str:
        line = _CITED.sub(lambda m: "" if all(p in self._paragraphs for p in m[1].split(", ")) else m[0], line)
        return line if any(sign in line for sign in _DRAWN) else remove_brackets(line)

    def clear(self) -> None:
        """Take away what is shown."""
        self.screen.clear()

    def width(self) -> int:
        """Return the number of cells of a line."""
        return self.screen.width()

    def read(self, prompt: str) -> str | None:
        """Return the next line typed, or None when no more will come."""
        return self.screen.read(prompt)

    def offer(self, words: Sequence[str]) -> None:
        """Set the words that can be completed."""
        self.screen.offer(words)

    def meanwhile(self, text: str) -> AbstractContextManager[None]:
        """Return a context manager that shows a text while a long computation runs."""
        return self.screen.meanwhile(text)
