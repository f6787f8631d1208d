"""Output of commands: results go to standard output, everything else to standard error.

Escapes text from files so that it is safe for a terminal.
"""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from time import monotonic

from interpreter.diagnostics.terminal_text import escape_lines, measure_cells
from interpreter.i18n.translator import ENGLISH, Translator
from interpreter.play.lines import TextLine, format_terminal_line


def prepare_streams() -> None:
    """Configure the streams so that unprintable characters never raise, and write files in UTF-8 on any code page."""
    for stream, errors in ((sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace"), (sys.stdin, "replace")):
        if isinstance(stream, io.TextIOWrapper):
            is_file_out = stream is not sys.stdin and _is_file(stream)
            stream.reconfigure(encoding="utf-8" if is_file_out else None, errors=errors)


def _is_file(stream: io.TextIOWrapper) -> bool:
    """Return whether the shell has redirected a stream to a file."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:
        return False


def write_document(text: str) -> None:
    """Print a document meant to be parsed: as UTF-8 bytes, or as escaped text if a terminal shows it."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.flush()
        sys.stdout.buffer.write((text.rstrip("\n") + "\n").encode("utf-8"))
        sys.stdout.buffer.flush()
    else:
        print_line(text.rstrip("\n"))


def print_line(text: str = "") -> None:
    """Print one or more lines of a result."""
    print(escape_lines(text))


def print_message(text: str) -> None:
    """Print a message among the results, starting with a capital letter."""
    print_line(format_terminal_line(text))


def print_lines(lines: Iterable[TextLine]) -> None:
    """Print several lines of a result."""
    for line in lines:
        print_line(str(line))


def print_json(data: object) -> None:
    """Print a result as ASCII-only JSON, safe for any terminal; a fraction becomes a text like "1/2"."""
    print(json.dumps(data, indent=2, ensure_ascii=True, default=_encode_fraction))


def print_result(form: str, data: object, lines: Callable[[], Iterable[TextLine]]) -> None:
    """Print a result: as JSON if `form` is "json", else as the lines that `lines` returns."""
    if form == "json":
        print_json(data)
    else:
        print_lines(lines())


def _encode_fraction(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no JSON data")


def log(text: str) -> None:
    """Print a message to standard error, starting with a capital letter."""
    print(escape_lines(format_terminal_line(text)), file=sys.stderr)


def log_error(text: str, *, is_apart: bool = False) -> None:
    """Print an error to standard error, after the name of the program; `is_apart`: leave an empty line before it."""
    print(escape_lines(("\n" if is_apart else "") + f"grognard: {text}"), file=sys.stderr)


@dataclass(slots=True)
class StatusLine:
    """A status line on a terminal that is overwritten in place; `close` clears it."""

    width: int = 0

    def show(self, text: str) -> None:
        """Replace the text shown."""
        width = measure_cells(text)
        sys.stderr.write("\r" + text + " " * (self.width - width))
        sys.stderr.flush()
        self.width = width

    def close(self) -> None:
        """Clear the line."""
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
            self.width = 0


@dataclass(slots=True)
class Progress:
    """A progress display in a status line, on a terminal only; `sentence` has the placeholders `done` and `total`."""

    sentence: str
    say: Translator = ENGLISH
    line: StatusLine = field(default_factory=StatusLine)

    def __call__(self, done: int, total: int) -> None:
        """Show the progress."""
        if sys.stderr.isatty():
            self.line.show(self.say(self.sentence, done=done, total=total))

    def close(self) -> None:
        """Clear the status line."""
        self.line.close()


_LOG_SECONDS = 30.0  # between two lines if the output is not a terminal
_SHOW_SECONDS = 0.25


@dataclass(slots=True)
class EstimatedProgress:
    """A progress display: the number of games played of `total`, an interim result, the estimated time left."""

    say: Translator
    total: int
    line: StatusLine = field(default_factory=StatusLine)
    started_at: float = field(default_factory=monotonic)
    reported_at: float = field(default_factory=monotonic)

    def __call__(self, done: int, format_results: Callable[[], str]) -> None:
        """Report `done` finished games; `format_results` renders the interim result, and is called only to show it."""
        now = monotonic()
        is_shown = sys.stderr.isatty()
        if now - self.reported_at < (_SHOW_SECONDS if is_shown else _LOG_SECONDS) or done >= self.total:
            return
        self.reported_at = now
        remaining_seconds = (now - self.started_at) / max(1, done) * (self.total - done)
        line = self.say(
            "{done} of {total} games; {known}; about {time} left if all are played",
            done=done,
            total=self.total,
            known=format_results(),
            time=format_duration(remaining_seconds, self.say),
        )
        if is_shown:
            self.line.show(line)
        else:
            log(line)

    def close(self) -> None:
        """Clear the status line."""
        self.line.close()


def format_duration(seconds: float, say: Translator) -> str:
    """Format a duration: "40 s", "12 min", "3.5 h", "9 days"."""
    if seconds < 90:
        return say("{number} s", number=f"{seconds:.0f}")
    if seconds < 5400:
        return say("{number} min", number=f"{seconds / 60:.0f}")
    if seconds < 48 * 3600:
        return say("{number} h", number=f"{seconds / 3600:.1f}")
    return say("{number} (day|days)", number=f"{seconds / 86400:.0f}")
