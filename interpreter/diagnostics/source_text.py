"""Source files and spans into them.

A `Span` is a pair of character offsets into a `Source`; lines and columns are
worked out only when somebody asks. Must not read files: callers bring the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One text as it was read: the name people know it by, and its content.

    `name` is the path shown in messages (relative to the ruleset's parent
    where possible); `text` is the decoded content.
    """

    name: str
    text: str
    _starts: list[int] = field(default_factory=list, repr=False)

    def line_starts(self) -> list[int]:
        """Offsets at which the lines begin; computed once."""
        if not self._starts:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._starts.extend(starts)
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        starts = self.line_starts()
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (counted from 1), without its end."""
        starts = self.line_starts()
        if not 1 <= number <= len(starts):
            return ""
        start = starts[number - 1]
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n").replace("\n", " ")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source, `start` inclusive and `end` exclusive, in characters."""

    source: Source
    start: int
    end: int

    @property
    def file(self) -> str:
        """Name of the file."""
        return self.source.name

    @property
    def line(self) -> int:
        """Line of the start, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the start, from 1."""
        return self.source.position(self.start)[1]

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other`."""
        return Span(self.source, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def span_in(text: str, span: Span) -> Span | None:
    """The stretch of a file's whole text that a span means, where the span points into a part that was taken out of
    the file: its lines stand in the same place, less far in. None where the text has another line there.

    >>> taken = Source("x", "\\n\\nif a:")
    >>> str(span_in("a:\\n  b: |\\n    if a:", Span(taken, 5, 6)))
    'x:3:8'
    """
    if span.source.text == text:
        return span
    whole = Source(span.source.name, text)
    line, column = span.source.position(span.start)
    own, real = span.source.line(line), whole.line(line)
    at = real.find(own.strip()) if own.strip() else -1
    if at < 0:
        return None
    start = whole.line_starts()[line - 1] + at + column - 1 - (len(own) - len(own.lstrip()))
    return Span(whole, start, start + span.end - span.start)


NOWHERE = Span(Source("<built in>", ""), 0, 0)


class Replacement(NamedTuple):
    """The text from `start` to `end` gives way to `text`."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """The text with all edits made; they must not overlap."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
