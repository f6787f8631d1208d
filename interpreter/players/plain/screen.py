"""Where lines are read from and written to. Must not know what they say."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Protocol

from interpreter.source.printing import printable_lines


class Screen(Protocol):
    """What the runner needs of a terminal."""

    def write(self, lines: Iterable[str]) -> None:
        """Show lines."""
        ...

    def read(self, prompt: str) -> str | None:
        """The next line typed, without its end; None when no more will come."""
        ...


class Terminal:
    """The terminal the program was started in; lines typed come from whatever feeds it."""

    __slots__ = ()

    def write(self, lines: Iterable[str]) -> None:
        """Print lines, made safe."""
        for line in lines:
            print(printable_lines(line))

    def read(self, prompt: str) -> str | None:
        """Ask for a line; None at the end of the input."""
        print(printable_lines(prompt), end="", flush=True)
        if sys.stdin is None:  # closed before we were started
            return None
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            print()  # what is fed to us is not echoed: keep the account readable
        if not line:
            return None
        return line.rstrip("\r\n")
