"""Map overlay of the changes between two positions: arrows for moved pieces, crosses for removed ones.

Draws only the overlay; the map itself comes from `tools.maps`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from interpreter.diagnostics.svg_markup import element, format_coordinate
from interpreter.tools.maps.counters import colour_of
from interpreter.tools.maps.geometry import AREA, MapGeometry, Point
from interpreter.tools.maps.piece_groups import ShownPosition
from interpreter.tools.maps.shapes import GONE, draw_haloed_text, path_data
from interpreter.tools.maps.style import MapStyle

_RIM = "#ffffff"
_END = 25.0  # distance of an arrow's ends from the middles of its places
_HEAD = 13.0
_BEND, _MOST_BENT = 0.14, 60.0  # bend of an arrow as a share of its length, and its maximum


@dataclass(frozen=True, slots=True)
class ChangeOverlay:
    """The pieces that changed place, by handle.

    `moved` holds (piece, from, to), `removed` holds (piece, place) of removed pieces, `added` (piece, place) of added
    ones.
    """

    moved: tuple[tuple[int, int, int], ...] = ()
    removed: tuple[tuple[int, int], ...] = ()
    added: tuple[tuple[int, int], ...] = ()

    @property
    def places(self) -> frozenset[int]:
        """Return every place where a piece moved, was removed or was added."""
        ends = {place for _, *both in self.moved for place in both}
        return frozenset(ends | {place for _, place in (*self.removed, *self.added)})


def compare_positions(before: Sequence[int], now: Sequence[int], layout: MapGeometry) -> ChangeOverlay:
    """Return the pieces that moved, were removed or were added between two positions.

    `before` and `now`: the place of every piece, by its handle.
    """
    moved, gone, come = [], [], []
    for piece, (a, b) in enumerate(zip(before, now, strict=True)):
        if a == b:
            continue
        if a in layout.middles and b in layout.middles:
            moved.append((piece, a, b))
        elif a in layout.middles:
            gone.append((piece, a))
        elif b in layout.middles:
            come.append((piece, b))
    return ChangeOverlay(tuple(moved), tuple(gone), tuple(come))


def colours_by_piece(position: ShownPosition, style: MapStyle) -> dict[int, str]:
    """Return the colour of each piece's side, by the handle of the piece; only pieces on the map."""
    return {
        member: colour_of(one, style) for here in position.groups.values() for one in here for member in one.members
    }


def render_arrows(change: ChangeOverlay, layout: MapGeometry, colours: Mapping[int, str]) -> str:
    """Render one movement arrow for each distinct (origin, destination, colour).

    `colours`: the colour of each piece's side, by the handle of the piece.
    """
    taken = dict.fromkeys((a, b, colours.get(piece, GONE)) for piece, a, b in change.moved)
    return "".join(_render_arrow(layout.middles[a], layout.middles[b], colour) for a, b, colour in taken)


def render_crosses(change: ChangeOverlay, layout: MapGeometry) -> str:
    """Render a cross beside each place that lost pieces, with their number if it is more than one."""
    counts: dict[int, int] = {}
    for _, place in change.removed:
        counts[place] = counts.get(place, 0) + 1
    parts = []
    for place, count in counts.items():
        (x, y), is_area = layout.middles[place], place not in layout.on_grid
        parts.append(
            _render_cross((x - AREA[0] / 2 + 14, y + AREA[1] / 2 - 14) if is_area else (x + 31, y + 20), count)
        )
    return "".join(parts)


def render_changes(
    before: tuple[ShownPosition, Sequence[int]],
    now: tuple[ShownPosition, Sequence[int]],
    layout: MapGeometry,
    style: MapStyle,
) -> tuple[str, str]:
    """Render the changes between two positions as (markup below the counters, markup above them).

    `before` and `now`: each position with the place of every piece, by its handle.
    """
    change = compare_positions(before[1], now[1], layout)
    colours = {**colours_by_piece(before[0], style), **colours_by_piece(now[0], style)}
    return render_arrows(change, layout, colours), render_crosses(change, layout)


def _render_arrow(a: Point, b: Point, colour: str) -> str:
    """Render an arrow from `a` to `b` that bends to its left, so that opposite or collinear moves do not overlap."""
    far = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    ux, uy = (b[0] - a[0]) / far, (b[1] - a[1]) / far
    bend = min(_BEND * far, _MOST_BENT)
    over = ((a[0] + b[0]) / 2 + uy * 2 * bend, (a[1] + b[1]) / 2 - ux * 2 * bend)
    end = min(_END, far / 3)
    start, tip = _point_toward(a, over, end), _point_toward(b, over, end)
    neck = _point_toward(tip, over, _HEAD)
    nx, ny = (tip[0] - neck[0]) / _HEAD, (tip[1] - neck[1]) / _HEAD
    wing = _HEAD * 0.62
    head = path_data(
        [tip, (neck[0] - ny * wing, neck[1] + nx * wing), (neck[0] + ny * wing, neck[1] - nx * wing)], True
    )
    places = [format_coordinate(n) for point in (start, over, neck) for n in point]
    line = {"d": "M{} {}Q{} {} {} {}".format(*places), "fill": "none", "stroke_linecap": "round"}
    return element(
        "g",
        [
            element("path", **line, stroke=_RIM, stroke_width=8),
            element("path", d=head, fill=_RIM, stroke=_RIM, stroke_width=4, stroke_linejoin="round"),
            element("path", **line, stroke=colour, stroke_width=4),
            element("path", d=head, fill=colour),
        ],
        class_="way",
    )


def _point_toward(start: Point, end: Point, length: float) -> Point:
    """Return the point at a distance `length` from `start` in the direction of `end`."""
    far = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    return start[0] + (end[0] - start[0]) / far * length, start[1] + (end[1] - start[1]) / far * length


def _render_cross(at: Point, count: int) -> str:
    (x, y), r = at, 6.5
    bars = path_data([(x - r, y - r), (x + r, y + r)]) + path_data([(x - r, y + r), (x + r, y - r)])
    look = {"d": bars, "fill": "none", "stroke_linecap": "round"}
    parts = [
        element("path", **look, stroke=_RIM, stroke_width=7.5),
        element("path", **look, stroke=GONE, stroke_width=3.5),
    ]
    if count > 1:
        parts.append(draw_haloed_text(str(count), x + 14, y + 5, 13, fill=GONE, font_weight="bold"))
    return element("g", parts, class_="gone")
