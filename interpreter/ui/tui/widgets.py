"""Widgets for text: a row, a scrolling view, and a list of options."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from interpreter.diagnostics.terminal_text import break_line, escape_lines

PLAIN = Style()  # Textual's colour filters require a style on every segment
_HEADING = Style(bold=True, underline=True)
_AT = Style(reverse=True, bold=True)
_MOST = 2000  # limit of lines in the view


class TextRow(Static):
    """One row of text.

    Its width is fixed by the layout, so a new text moves nothing else; with `fits` it is as wide as its text.
    """

    def __init__(self, text: str = "", *, id: str, markup: bool = False, fits: bool = False) -> None:
        super().__init__(text, id=id, markup=markup)
        self._told, self._fits = text, fits

    def tell(self, text: str) -> None:
        """Show a text."""
        if text != self._told:
            self._told = text
            self.update(text, layout=self._fits)


class TextView(ScrollView, can_focus=False):
    """Scrolling lines of text, wrapped to the width; with `follows` it stays at the end."""

    def __init__(self, id: str, follows: bool = False) -> None:
        super().__init__(id=id, classes="lines")
        self.follows = follows
        self._lines: list[str] = []
        self._shown: list[str] = []

    def set_lines(self, lines: Sequence[str]) -> None:
        """Replace the lines and scroll to the top."""
        self._lines = list(lines)
        self._lay_out()
        self.scroll_to(0, 0, animate=False, force=True)

    def add_lines(self, lines: Sequence[str]) -> None:
        """Append lines."""
        self._lines = [*self._lines, *lines][-_MOST:]
        self._lay_out()

    @property
    def lines(self) -> Sequence[str]:
        """Return the lines, unwrapped."""
        return self._lines

    def on_resize(self) -> None:
        """Wrap the lines to the new width."""
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        """Render one row of the viewport."""
        at = y + self.scroll_offset.y
        text = self._shown[at] if at < len(self._shown) else ""
        return Strip([Segment(text, PLAIN)]).adjust_cell_length(self.size.width, PLAIN)

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if not width:  # hidden
            return
        self._shown = [part for line in self._lines for part in break_line(escape_lines(line), width)]
        self.virtual_size = Size(width, len(self._shown))
        self.refresh()
        if self.follows:
            self.scroll_end(animate=False, force=True)


class OptionList(ScrollView, can_focus=False):
    """A list of headings and selectable rows; one row may be selected."""

    class Chosen(Message):
        """Message that `OptionList` posts when a row is clicked; `number`: its index among the selectable rows."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, id: str) -> None:
        super().__init__(id=id, classes="lines")
        self._rows: list[tuple[str, int]] = []  # text and number; -1 for a heading
        self._shown: list[tuple[str, int]] = []  # the rows wrapped to the width
        self._at = -1

    def set_rows(self, rows: Sequence[tuple[str, int]], at: int) -> None:
        """Show rows of (text, number), with -1 for headings; `at` is the selected number, -1 for none."""
        self._rows, self._at = list(rows), at
        self._lay_out()

    @property
    def texts(self) -> list[str]:
        """Return the texts of the rows."""
        return [text for text, _ in self._rows]

    def on_resize(self) -> None:
        """Wrap the rows to the new width."""
        self._lay_out()

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if not width:  # hidden
            return
        self._shown = [
            (part, number)
            for text, number in self._rows
            for part in break_line(escape_lines(text if number < 0 else "  " + text), width)
        ]
        self.virtual_size = Size(width, len(self._shown))
        self.refresh()
        at = [n for n, (_, number) in enumerate(self._shown) if number == self._at] if self._at >= 0 else []
        where = Region(0, at[0], 1, len(at)).grow((1, 0, 1, 0)) if at else Region(0, 0, 1, 1)
        self.scroll_to_region(where, animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        """Render one row of the viewport."""
        width, at = self.size.width, y + self.scroll_offset.y
        if at >= len(self._shown):
            return Strip.blank(width, PLAIN)
        text, number = self._shown[at]
        is_at = number >= 0 and number == self._at
        is_first = not at or self._shown[at - 1][1] != number
        style = _HEADING if number < 0 else _AT if is_at else PLAIN
        return Strip([Segment(">" + text[1:] if is_at and is_first else text, style)]).adjust_cell_length(width, PLAIN)

    def on_click(self, event: events.Click) -> None:
        """Post which row was clicked."""
        where = event.get_content_offset(self)
        if where is not None and (line := where.y + self.scroll_offset.y) < len(self._shown):
            number = self._shown[line][1]
            if number >= 0:
                self.post_message(self.Chosen(number))
