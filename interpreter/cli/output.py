"""What commands write: results on one stream, everything else on the other.

Text from files is made safe for a terminal here. Must not know what is written.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from interpreter.source.printing import printable_lines


def prepare_streams() -> None:
    """Let no character that a terminal cannot show or send stop a command."""
    for stream, errors in (
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
        (sys.stdin, "replace"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def say(text: str = "") -> None:
    """One or more lines of a result."""
    print(printable_lines(text))


def say_lines(lines: Iterable[str]) -> None:
    """Several lines of a result."""
    for line in lines:
        say(line)


def say_prepared(text: str) -> None:
    """Text that is safe already and may hold our own colours."""
    print(text)


def say_json(data: Any) -> None:
    """The result as JSON, in ASCII only: safe wherever it is shown or sent."""
    print(json.dumps(data, indent=2, ensure_ascii=True))


def tell(text: str) -> None:
    """A message to whoever runs the command."""
    print(printable_lines(text), file=sys.stderr)


def tell_prepared(text: str) -> None:
    """A message that is safe already and may hold our own colours."""
    print(text, file=sys.stderr)


@dataclass(slots=True)
class Progress:
    """One line that counts, on a terminal only; `finish` takes it away."""

    what: str
    shown: int = 0

    def __call__(self, done: int, total: int) -> None:
        """Show "`done` of `total` `what`"."""
        if not sys.stderr.isatty():
            return
        text = f"{done} of {total} {self.what}"
        sys.stderr.write("\r" + text.ljust(self.shown))
        sys.stderr.flush()
        self.shown = len(text)

    def finish(self) -> None:
        """Leave the line empty for what follows."""
        if self.shown:
            sys.stderr.write("\r" + " " * self.shown + "\r")
            sys.stderr.flush()
            self.shown = 0
