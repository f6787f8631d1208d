"""Map widget: renders a canvas with the cursor over it and reports clicks as places."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from interpreter.ui.tui.map.canvas import INK, CellCanvas, CellStyle
from interpreter.ui.tui.map.map_layout import MapLayout, PlaceCells
from interpreter.ui.tui.widgets import PLAIN

_CURSOR = Style(color="#ffffff", bgcolor="#1d3f8f", bold=True)
_MARGIN = 4  # cells kept visible around the cursor


class MapView(ScrollView, can_focus=False):
    """Scrollable view of a map; `cursor` is the id of the place under the cursor, '' for none."""

    @dataclass
    class Pointed(Message):
        """Message that `MapView` posts when a place is clicked; `place` is its id."""

        place: str

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._plan: MapLayout | None = None
        self._canvas: CellCanvas | None = None
        self._strips: dict[int, Strip] = {}
        self._styles: dict[CellStyle, Style] = {}
        self._framed: frozenset[str] = frozenset()
        self.cursor = ""

    def show(self, plan: MapLayout, canvas: CellCanvas, framed: frozenset[str] = frozenset()) -> None:
        """Show `canvas`, a drawing of the map laid out by `plan`.

        The cursor keeps its place, and is scrolled into view if the layout is another one. `framed`: the places of
        which as many as fit are shown with the cursor wherever the map is scrolled.
        """
        is_other = plan is not self._plan
        self._plan, self._canvas, self._strips, self._framed = plan, canvas, {}, framed
        self.virtual_size = Size(plan.width, plan.height)
        self.refresh()
        if is_other:
            self.call_after_refresh(self.bring_into_sight, True)

    def point_at(self, place: str) -> None:
        """Move the cursor to a place and scroll it into view."""
        before, self.cursor = self.cursor, place
        for name in (before, place):
            spot = self._find_spot(name)
            if spot is not None:
                self.refresh(self._compute_region(spot).translate(-self.scroll_offset))
        self.bring_into_sight()

    def bring_into_sight(self, must_scroll: bool = False) -> None:
        """Scroll the cursor into view, together with the framed places if it is out of view or if `must_scroll`."""
        spot = self._find_spot(self.cursor)
        if spot is not None and self.size.width:
            region, room = self._compute_region(spot), self.size
            if room.height > region.height + 2 and room.width > region.width + 2 * _MARGIN:
                region = region.grow((1, _MARGIN, 1, _MARGIN))
            elif room.height < region.height:
                region = Region(region.x, region.y, region.width, 1)
            is_far = not Region(*self.scroll_offset, *room).contains_region(region)
            if is_far or must_scroll:
                self.scroll_to(*self._frame(region), animate=False, force=True)
            self.scroll_to_region(region, animate=False, force=True)

    def _frame(self, cursor: Region) -> tuple[int, int]:
        """Return the scroll offset at which the region `cursor` and most of the framed places are in view.

        In each direction the framed places are centred if all fit; otherwise the cursor is centred, but nothing beyond
        the framed places is shown.
        """
        regions = [
            cursor,
            *(self._compute_region(spot) for spot in map(self._find_spot, self._framed) if spot is not None),
        ]
        spans = (
            (cursor.x, cursor.right, min(r.x for r in regions), max(r.right for r in regions), self.size.width),
            (cursor.y, cursor.bottom, min(r.y for r in regions), max(r.bottom for r in regions), self.size.height),
        )
        x, y = (
            (first + last - room) // 2
            if last - first <= room
            else max(first, min((start + end - room) // 2, last - room))
            for start, end, first, last, room in spans
        )
        return max(0, x), max(0, y)

    def render_line(self, y: int) -> Strip:
        """Render one row of the viewport."""
        left, top = self.scroll_offset
        return self._render_row(y + top).crop_extend(left, left + self.size.width, PLAIN)

    def on_click(self, event: events.Click) -> None:
        """Post a `Pointed` message for the place that was clicked, if any."""
        where = event.get_content_offset(self)
        if where is None or self._plan is None:
            return
        left, top = self.scroll_offset
        x, y = where.x + left, where.y + top
        place = self._plan.under.get((x, y)) or self._plan.under.get((x - 1, y)) or self._plan.under.get((x + 1, y))
        if place is not None:
            self.post_message(self.Pointed(place))

    def on_resize(self) -> None:
        """Keep the cursor in view once the new size has propagated."""
        self.call_after_refresh(self.bring_into_sight)

    def _render_row(self, y: int) -> Strip:
        """Render row `y` of the map, with the cursor; memoized without it."""
        strip = self._strips.get(y)
        if strip is None:
            if self._canvas is None or not 0 <= y < self._canvas.height:
                return Strip.blank(self.size.width, PLAIN)
            segments = [Segment(text, self._get_rich_style(look)) for text, look in self._canvas.list_runs(y)]
            strip = self._strips[y] = Strip(segments, self._canvas.width)
        return self._with_cursor(strip, y)

    def _with_cursor(self, strip: Strip, y: int) -> Strip:
        """Return row `y` with the cells of the cursor's place reversed, in brackets if there is room beside them."""
        spot = self._find_spot(self.cursor)
        row = next((r for r in spot.rows if r[1] == y), None) if spot is not None else None
        if row is None or spot is None:
            return strip
        x, _, length = row
        reversed_cells = Strip([Segment(s.text, _CURSOR) for s in strip.crop(x, x + length)])
        parts = [strip.crop(0, x), reversed_cells, strip.crop(x + length)]
        if x and self._plan is not None and not self._plan.is_bare:
            parts = [
                strip.crop(0, x - 1),
                Strip([Segment("[", _CURSOR)]),
                reversed_cells,
                Strip([Segment("]", _CURSOR)]),
                strip.crop(x + length + 1),
            ]
        return Strip.join(parts)

    def _get_rich_style(self, look: CellStyle) -> Style:
        """Return Rich's style for a cell's style, memoized."""
        style = self._styles.get(look)
        if style is None:
            style = self._styles[look] = Style(
                color=look.ink or INK if look.paper else look.ink or None,
                bgcolor=look.paper or None,
                bold=look.bold,
                underline=look.underlined,
            )
        return style

    def _find_spot(self, name: str) -> PlaceCells | None:
        return self._plan.spots.get(name) if self._plan is not None else None

    @staticmethod
    def _compute_region(spot: PlaceCells) -> Region:
        left = min(x for x, _, _ in spot.rows) - 1
        right = max(x + n for x, _, n in spot.rows) + 1
        top, bottom = spot.rows[0][1], spot.rows[-1][1]
        return Region(max(0, left), top, right - max(0, left), bottom - top + 1)
