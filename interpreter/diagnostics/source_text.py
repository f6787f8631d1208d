"""Source files and spans into them.

A `Span` is a pair of character offsets into a `Source`; lines and columns are computed lazily. Reads no files: callers
provide the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A text as it was read, with its display name.

    `name` is the path shown in messages (relative to the ruleset's parent if possible); `text` is the decoded content.
    """

    name: str
    text: str
    _starts: list[int] = field(default_factory=list, repr=False)

    def get_line_starts(self) -> list[int]:
        """Return the offsets of the line starts; memoized."""
        if not self._starts:
            starts = [0]
            find = self.text.find
            line_end = find("\n")
            while line_end >= 0:
                starts.append(line_end + 1)
                line_end = find("\n", line_end + 1)
            self._starts.extend(starts)
        return self._starts

    def get_position(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both counted from 1."""
        starts = self.get_line_starts()
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def get_line(self, number: int) -> str:
        """Return the text of a line (counted from 1), without its line end."""
        starts = self.get_line_starts()
        if not 1 <= number <= len(starts):
            return ""
        start = starts[number - 1]
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n").replace("\n", " ")


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a source in characters: `start` inclusive, `end` exclusive."""

    source: Source
    start: int
    end: int

    @property
    def file(self) -> str:
        """Return the name of the file."""
        return self.source.name

    @property
    def line(self) -> int:
        """Return the line of the start, counted from 1."""
        return self.source.get_position(self.start)[0]

    @property
    def last_line(self) -> int:
        """Return the line of the last character, counted from 1."""
        return self.source.get_position(max(self.start, self.end - 1))[0]

    @property
    def column(self) -> int:
        """Return the column of the start, counted from 1."""
        return self.source.get_position(self.start)[1]

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of `other`."""
        return Span(self.source, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def map_span(text: str, span: Span) -> Span | None:
    r"""Map a span of an extracted part of a file to the file's whole text, or return None if they do not match.

    The part has its lines at the same line numbers, with less indentation.

    >>> part = Source("x", "\n\nif a:")
    >>> str(map_span("a:\n  b: |\n    if a:", Span(part, 5, 6)))
    'x:3:8'
    """
    if span.source.text == text:
        return span
    source = Source(span.source.name, text)
    line, column = span.source.get_position(span.start)
    own, real = span.source.get_line(line), source.get_line(line)
    indent = real.find(own.strip()) if own.strip() else -1
    if indent < 0:
        return None
    start = source.get_line_starts()[line - 1] + indent + column - 1 - (len(own) - len(own.lstrip()))
    return Span(source, start, start + span.end - span.start)


NOWHERE = Span(Source("<built in>", ""), 0, 0)


class Replacement(NamedTuple):
    """A replacement of the text from `start` to `end` by `text`."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[Replacement]) -> str:
    """Return the text with all edits applied. The edits must not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text
