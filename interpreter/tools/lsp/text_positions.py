"""Convert between offsets and an editor's positions: lines, and columns in the editor's unit.

Independent of the contents of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"


@dataclass(slots=True)
class LineIndex:
    """A text with a table of its line starts, computed once."""

    text: str
    starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        at, self.starts = 0, [0]
        text = self.text
        while at < len(text):
            if text[at] == "\n" or (text[at] == "\r" and text[at + 1 : at + 2] != "\n"):
                self.starts.append(at + 1)
            at += 1

    def position(self, offset: int, unit: str) -> tuple[int, int]:
        """Return the line and column of an offset, both from 0.

        >>> LineIndex("a\\r\\n東京!").position(5, "utf-16"), LineIndex("a\\r\\n東京!").position(5, "utf-8")
        ((1, 2), (1, 6))
        """
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return line, width(self.text[self.starts[line] : offset], unit)

    def offset(self, line: int, column: int, unit: str) -> int:
        """Return the offset of a line and column; a column beyond the line means its end."""
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[max(line, 0)]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        at = start
        while at < end and column > 0:
            column -= width(self.text[at], unit)
            at += 1
        return at


def width(text: str, unit: str) -> int:
    """Return the number of units that a text occupies in a line."""
    if unit == UTF32 or text.isascii():
        return len(text)
    return len(text.encode("utf-8")) if unit == UTF8 else len(text.encode("utf-16-le")) // 2
