"""Cut the map into sheets of paper, to scale, to be put together."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, hypot

from interpreter.diagnostics.html_markup import Markup
from interpreter.diagnostics.svg_markup import element, format_coordinate
from interpreter.tools.maps.counters import LARGEST
from interpreter.tools.maps.drawing_context import create_context
from interpreter.tools.maps.geometry import MapGeometry
from interpreter.tools.maps.shapes import FONT
from interpreter.tools.maps.svg import render_ground
from interpreter.tools.site.book_context import BookContext
from interpreter.tools.site.counter_pages import SIZE

TILE = (190.0, 262.0)  # printable size of a sheet in millimetres
_SPACE = 20.0  # width of a grid space in millimetres: a counter and a margin


@dataclass(frozen=True, slots=True)
class Tile:
    """One sheet: its row and column, counted from 1, and its picture."""

    row: int
    column: int
    picture: Markup


@dataclass(frozen=True, slots=True)
class MapTiling:
    """The map as a shared SVG group, the numbers of rows and columns of sheets, and each sheet."""

    markup: Markup
    rows: int
    columns: int
    tiles: tuple[Tile, ...]


def cut_map(book: BookContext) -> MapTiling:
    """Cut the map into as few sheets as possible, landscape or portrait."""
    context = create_context(book.ruleset, next(iter(book.start_positions.values())), book.lang, book.say)
    drawn, layout = render_ground(context), context.layout
    inside = drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")]
    whole = element(
        "svg",
        element("defs", element("g", inside, id="whole")),
        width=0,
        height=0,
        style="position:absolute",
        aria_hidden="true",
        font_family=FONT,
    )
    unit = pixels_per_millimetre(layout)
    wide, high = TILE[0] * unit, TILE[1] * unit
    columns, rows = ceil(layout.size[0] / wide), ceil(layout.size[1] / high)
    tiles = tuple(
        Tile(row + 1, column + 1, _tile(column * wide, row * high, wide, high))
        for row in range(rows)
        for column in range(columns)
    )
    return MapTiling(Markup(whole), rows, columns, tiles)


def pixels_per_millimetre(layout: MapGeometry) -> float:
    """Return the pixels of a map per printed millimetre, so that its spaces hold the printed counters."""
    if not layout.corners:
        return LARGEST / SIZE
    across = min(hypot(a[0] + b[0], a[1] + b[1]) for a, b in zip(layout.corners, layout.corners[1:], strict=False))
    return across / _SPACE


def _tile(x: float, y: float, wide: float, high: float) -> Markup:
    return Markup(
        element(
            "svg",
            element("use", href="#whole"),
            viewBox=" ".join(format_coordinate(n) for n in (x, y, wide, high)),
            style=f"width:{TILE[0]:.0f}mm;height:{TILE[1]:.0f}mm",
            class_="tile",
            font_family=FONT,
        )
    )
