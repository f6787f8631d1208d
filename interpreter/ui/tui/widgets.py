"""Widgets for text: a row, a scrolling view, and a list of options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.color import Color
from rich.segment import Segment, Segments
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBarRender
from textual.strip import Strip
from textual.widgets import Static

from interpreter.diagnostics.terminal_text import break_line, count_fitting, escape_lines, escape_text

PLAIN = Style()  # Textual's colour filters require a style on every segment
_HEADING = Style(bold=True, underline=True)
_SELECTED = Style(reverse=True, bold=True)
_MAX_LINES = 2000  # limit of lines in the view
_TRACK, _THUMB = Color.parse("#555555"), Color.parse("bright_magenta")  # Textual's; the style sheet sets others


class EndMarks(ScrollBarRender):
    """A scroll bar of one cell across, whose ends show `^` `v` `<` `>` where more can be scrolled to.

    It uses ASCII characters only and needs no colour.
    """

    VERTICAL_BARS = HORIZONTAL_BARS = [" "]

    @classmethod
    def render_bar(
        cls,
        size: int = 25,
        virtual_size: float = 50,
        window_size: float = 20,
        position: float = 0,
        thickness: int = 1,
        vertical: bool = True,
        back_color: Color = _TRACK,
        bar_color: Color = _THUMB,
    ) -> Segments:
        """Render the bar as Textual does, and write the marks over its first and last cell."""
        bar = super().render_bar(size, virtual_size, window_size, position, thickness, vertical, back_color, bar_color)
        before, after = "^v" if vertical else "<>"
        cells = [
            (0, before, position > 0),
            (int(size) - 1, after, position + window_size < virtual_size),
        ]
        for index, mark, is_more in cells:
            if is_more and size > 1 and index < len(bar.segments):
                bar.segments[index] = Segment(mark, bar.segments[index].style)
        return bar


def fit_text(text: str, width: int, rows: int, more: str = "...") -> list[str]:
    """Break a text into at most `rows` lines of `width` cells; `more` at the end shows that it was cut.

    >>> fit_text("one two three four", 9, 1), fit_text("one two three four", 9, 2)
    (['one...'], ['one two', 'three...'])
    """
    lines = break_line(text, width, "")
    if len(lines) <= rows:
        return lines
    rest = " ".join(lines[rows - 1 :])
    room = count_fitting(rest, max(0, width - len(more)))
    cut = rest[:room].rpartition(" ")[0] if rest[:room].rstrip() != rest[: room + 1].rstrip() else rest[:room]
    return [*lines[: rows - 1], (cut or rest[:room]).rstrip(" ;,") + more]


class TextRow(Static):
    """A text in a fixed number of rows, so that a new text moves nothing else; `more` marks a text that is cut.

    With `fits`, one row that is as wide as its text.
    """

    def __init__(self, text: str = "", *, id: str, markup: bool = False, fits: bool = False, more: str = "...") -> None:
        super().__init__(text, id=id, markup=markup)
        self._whole_text, self._fits, self._more = text, fits or markup, more

    @property
    def text(self) -> str:
        """Return the whole text, including the part that is cut off on the screen."""
        return self._whole_text

    def set_text(self, text: str) -> None:
        """Show a text."""
        if text != self._whole_text:
            self._whole_text = text
            self._show()

    def on_resize(self) -> None:
        """Fit the text into the new size."""
        if not self._fits:
            self._show()

    def _show(self) -> None:
        width, rows = self.size
        if self._fits:
            self.update(self._whole_text)
        elif width:
            lines = fit_text(escape_text(self._whole_text), width, rows, self._more)
            self.update("\n".join(lines), layout=False)


class TextView(ScrollView, can_focus=False):
    """Scrolling lines of text, wrapped to the width.

    With `follows` it stays at the end; of an answer that does not fit, it shows the beginning of the last paragraph.
    """

    def __init__(self, id: str, follows: bool = False) -> None:
        super().__init__(id=id, classes="lines")
        self.follows = follows
        self._lines: list[str] = []
        self._shown: list[str] = []
        self._answer = 0  # number of the first line of the last answer

    def begin_answer(self) -> None:
        """Let the lines that follow be an answer of their own."""
        self._answer = len(self._lines)

    def set_lines(self, lines: Sequence[str]) -> None:
        """Replace the lines and scroll to the top."""
        self._lines, self._answer = list(lines), 0
        self._layout_text()
        self.scroll_to(0, 0, animate=False, force=True)

    def add_lines(self, lines: Sequence[str]) -> None:
        """Append lines."""
        all_lines = [*self._lines, *lines]
        self._lines = all_lines[-_MAX_LINES:]
        self._answer = max(0, self._answer - len(all_lines) + len(self._lines))
        self._layout_text()

    @property
    def lines(self) -> Sequence[str]:
        """Return the lines, unwrapped."""
        return self._lines

    @property
    def has_more(self) -> bool:
        """Return whether more lines follow below the visible ones."""
        return self.scroll_offset.y < self.max_scroll_y

    def on_resize(self) -> None:
        """Wrap the lines to the new width."""
        self._layout_text()

    def render_line(self, y: int) -> Strip:
        """Render one row of the viewport."""
        row = y + self.scroll_offset.y
        text = self._shown[row] if row < len(self._shown) else ""
        return Strip([Segment(text, PLAIN)]).adjust_cell_length(self.size.width, PLAIN)

    def _layout_text(self) -> None:
        width = self.scrollable_content_region.width
        if not width:  # hidden
            return
        broken = [break_line(escape_lines(line), width) for line in self._lines]
        self._shown = [part for parts in broken for part in parts]
        self.virtual_size = Size(width, len(self._shown))
        self.refresh()
        if self.follows:
            answer = self._lines[self._answer :]
            begin = max((self._answer + n + 1 for n, line in enumerate(answer[:-1]) if not line), default=self._answer)
            first = sum(map(len, broken[:begin]))
            last_page = max(0, len(self._shown) - self.scrollable_content_region.height)
            self.scroll_to(0, min(first, last_page), animate=False, force=True)


class OptionList(ScrollView, can_focus=False):
    """A list of headings and selectable rows; one row may be selected."""

    @dataclass
    class Chosen(Message):
        """Message that `OptionList` posts when a row is clicked; `number`: its index among the selectable rows."""

        number: int

    def __init__(self, id: str) -> None:
        super().__init__(id=id, classes="lines")
        self._rows: list[tuple[str, int]] = []  # text and number; -1 for a heading
        self._shown: list[tuple[str, int]] = []  # the rows wrapped to the width
        self._at = -1

    def set_rows(self, rows: Sequence[tuple[str, int]], selected: int) -> None:
        """Show rows of (text, number), with -1 for headings; `selected` is the selected number, -1 for none."""
        self._rows, self._at = list(rows), selected
        self._layout_options()

    @property
    def texts(self) -> list[str]:
        """Return the texts of the rows."""
        return [text for text, _ in self._rows]

    def on_resize(self) -> None:
        """Wrap the rows to the new width."""
        self._layout_options()

    def _layout_options(self) -> None:
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
        selected_rows = [n for n, (_, number) in enumerate(self._shown) if number == self._at] if self._at >= 0 else []
        if not selected_rows or selected_rows[-1] + 1 < self.scrollable_content_region.height:  # all above fits too
            self.scroll_to(0, 0, animate=False, force=True)
        else:
            self.scroll_to_region(
                Region(0, selected_rows[0], 1, len(selected_rows)).grow((1, 0, 1, 0)), animate=False, force=True
            )

    def render_line(self, y: int) -> Strip:
        """Render one row of the viewport."""
        width, row = self.size.width, y + self.scroll_offset.y
        if row >= len(self._shown):
            return Strip.blank(width, PLAIN)
        text, number = self._shown[row]
        is_at = number >= 0 and number == self._at
        is_first = not row or self._shown[row - 1][1] != number
        style = _HEADING if number < 0 else _SELECTED if is_at else PLAIN
        return Strip([Segment(">" + text[1:] if is_at and is_first else text, style)]).adjust_cell_length(width, PLAIN)

    def on_click(self, event: events.Click) -> None:
        """Post which row was clicked."""
        where = event.get_content_offset(self)
        if where is not None and (line := where.y + self.scroll_offset.y) < len(self._shown):
            number = self._shown[line][1]
            if number >= 0:
                self.post_message(self.Chosen(number))
