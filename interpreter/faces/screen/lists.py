"""Widgets for lines: what was said, sheets to read, orders to choose from. Must not know where lines come from."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from interpreter.source.printing import cell_width, printable_lines

_HEADING = Style(bold=True, underline=True)
_AT = Style(reverse=True, bold=True)
_MOST = 2000  # lines of talk that are kept


class Lines(ScrollView, can_focus=False):
    """Lines of text, broken at the width; `follows`: it stays at the end."""

    def __init__(self, id: str, follows: bool = False) -> None:
        super().__init__(id=id, classes="lines")
        self.follows = follows
        self._lines: list[str] = []
        self._shown: list[str] = []

    def set_lines(self, lines: Sequence[str]) -> None:
        """Show these lines from the beginning."""
        self._lines = list(lines)
        self._lay_out()
        self.scroll_to(0, 0, animate=False, force=True)

    def add_lines(self, lines: Sequence[str]) -> None:
        """Show these below the others."""
        self._lines = [*self._lines, *lines][-_MOST:]
        self._lay_out()

    @property
    def lines(self) -> Sequence[str]:
        """What is shown, unbroken."""
        return self._lines

    def on_resize(self) -> None:
        """Break the lines anew."""
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        """A row of what is in sight."""
        at = y + self.scroll_offset.y
        text = self._shown[at] if at < len(self._shown) else ""
        return Strip([Segment(text)]).adjust_cell_length(self.size.width)

    def _lay_out(self) -> None:
        width = max(8, self.scrollable_content_region.width)
        self._shown = [part for line in self._lines for part in broken(printable_lines(line), width)]
        self.virtual_size = Size(width, len(self._shown))
        self.refresh()
        if self.follows:
            self.scroll_end(animate=False, force=True)


class Choices(ScrollView, can_focus=False):
    """A list to choose from: headings and rows; one row may be pointed at."""

    class Chosen(Message):
        """A row was clicked; `number` counts rows that can be chosen."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, id: str) -> None:
        super().__init__(id=id, classes="lines")
        self._rows: list[tuple[str, int]] = []  # text and number; -1 for a heading
        self._at = -1

    def set_rows(self, rows: Sequence[tuple[str, int]], at: int) -> None:
        """Show these rows: text and number, -1 for what cannot be chosen; `at`: the number pointed at, -1 for none."""
        self._rows, self._at = list(rows), at
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._rows))
        self.refresh()
        line = next((n for n, (_, number) in enumerate(rows) if number == at), 0) if at >= 0 else 0
        self.scroll_to_region(Region(0, line, 1, 1).grow((1, 0, 1, 0)), animate=False, force=True)

    @property
    def texts(self) -> list[str]:
        """What stands in the rows."""
        return [text for text, _ in self._rows]

    def render_line(self, y: int) -> Strip:
        """A row of what is in sight."""
        width, at = self.size.width, y + self.scroll_offset.y
        if at >= len(self._rows):
            return Strip.blank(width)
        text, number = self._rows[at]
        is_at = number >= 0 and number == self._at
        style = _HEADING if number < 0 else _AT if is_at else Style()
        told = text if number < 0 else ("> " if is_at else "  ") + text
        return Strip([Segment(printable_lines(told), style)]).adjust_cell_length(width)

    def on_click(self, event: events.Click) -> None:
        """Tell which row was clicked."""
        where = event.get_content_offset(self)
        if where is not None and (line := where.y + self.scroll_offset.y) < len(self._rows):
            number = self._rows[line][1]
            if number >= 0:
                self.post_message(self.Chosen(number))


def broken(line: str, width: int) -> list[str]:
    """A line in parts of at most so many cells, at blanks where there are some; later parts stand farther in.

    >>> broken("one two three", 8)
    ['one two', '  three']
    """
    parts = []
    while cell_width(line) > width:
        end = used = 0
        while used + cell_width(line[end]) <= width:
            used += cell_width(line[end])
            end += 1
        begun = len(line) - len(line.lstrip())
        at = line.rfind(" ", begun + 1, end + 1)
        cut = at if at > 0 else end
        parts.append(line[:cut].rstrip())
        line = "  " + line[cut:].lstrip()
    return [*parts, line]
