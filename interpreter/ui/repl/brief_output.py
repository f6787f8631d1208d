"""Terse screen for players who listen: output without brackets and paragraph numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from interpreter.play.lines import TextLine, remove_brackets
from interpreter.ui.repl.terminal import Screen


class BriefOutput:
    """Wrap another screen and shorten what is written to it."""

    __slots__ = ("screen",)

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def write(self, lines: Iterable[TextLine]) -> None:
        """Write shortened lines and skip those that are empty."""
        self.screen.write([told for line in lines if (told := _shorten(line)).strip()])

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


def _shorten(line: TextLine) -> str:
    """Return the text alone, without mark, citations and brackets; drawings keep every character."""
    if isinstance(line, str):
        return remove_brackets(line)
    return str(line) if line.kind == "drawing" else remove_brackets(line.text)
