"""Few words for those who listen: a screen without brackets, and without the numbers of paragraphs. Must not choose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from interpreter.faces.terminal.screen import Screen
from interpreter.players.overview.deeds import without_brackets

_CITED = re.compile(r" \[([^\[\]]*)\]")
_DRAWN = ("\\", "|", "____")  # signs of lines that draw


class BriefSpeech:
    """Shows on another screen; `paragraphs` are the numbers that are left out where they stand in brackets."""

    __slots__ = ("screen", "_paragraphs")

    def __init__(self, screen: Screen, paragraphs: Iterable[str]) -> None:
        self.screen = screen
        self._paragraphs = frozenset((*paragraphs, "..."))

    def write(self, lines: Iterable[str]) -> None:
        """Show lines; of empty ones none."""
        self.screen.write([told for line in lines if (told := self._told(line)).strip()])

    def _told(self, line: str) -> str:
        line = _CITED.sub(lambda m: "" if all(p in self._paragraphs for p in m[1].split(", ")) else m[0], line)
        return line if any(sign in line for sign in _DRAWN) else without_brackets(line)

    def clear(self) -> None:
        """Take away what is shown."""
        self.screen.clear()

    def width(self) -> int:
        """The cells of a line."""
        return self.screen.width()

    def read(self, prompt: str) -> str | None:
        """The next line typed."""
        return self.screen.read(prompt)

    def offer(self, words: Sequence[str]) -> None:
        """What may be completed."""
        self.screen.offer(words)

    def meanwhile(self, text: str) -> AbstractContextManager[None]:
        """Where somebody waits."""
        return self.screen.meanwhile(text)
