"""What commands write: results on one stream, everything else on the other.

Text from files is made safe for a terminal here. Must not know what is written.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from interpreter.source.printing import cell_width, printable_lines
from interpreter.words.speech import ENGLISH, Say


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
    """The result as JSON, in ASCII only: safe wherever it is shown or sent; a fraction as the text "1/2"."""
    print(json.dumps(data, indent=2, ensure_ascii=True, default=_fraction))


def _fraction(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no JSON data")


def tell(text: str) -> None:
    """A message to whoever runs the command."""
    print(printable_lines(text), file=sys.stderr)


def tell_prepared(text: str) -> None:
    """A message that is safe already and may hold our own colours."""
    print(text, file=sys.stderr)


@dataclass(slots=True)
class Progress:
    """One line that counts, on a terminal only; `finish` takes it away.

    `sentence` has the holes `done` and `total`.
    """

    sentence: str
    say: Say = ENGLISH
    shown: int = 0

    def __call__(self, done: int, total: int) -> None:
        """Show how far it is."""
        if not sys.stderr.isatty():
            return
        text = self.say(self.sentence, done=done, total=total)
        width = cell_width(text)
        sys.stderr.write("\r" + text + " " * (self.shown - width))
        sys.stderr.flush()
        self.shown = width

    def finish(self) -> None:
        """Leave the line empty for what follows."""
        if self.shown:
            sys.stderr.write("\r" + " " * self.shown + "\r")
            sys.stderr.flush()
            self.shown = 0
