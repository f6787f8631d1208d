"""Layouts of area maps: a frame per area, placed as near to its true position as space allows, and links.

Off-map boxes form rows below the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from interpreter.tools.maps.text.grid_cells import Cell, list_line_cells
from interpreter.ui.tui.map.map_layout import MapLayout, PlaceCells, index_cells

_SIZES = ((9, 2), (13, 3), (18, 5), (26, 8))  # by zoom: cells and rows of a frame; 2 rows: no lower border
AREA_ZOOMS = len(_SIZES)
_FINEST, _COARSEST = 0.02, 0.6  # range of scales, in cells per drawing unit
_GAP = (1, 0)
_MAX_BOX_WIDTH = 34  # limit in cells of an off-map box


def layout_areas(middles: Mapping[str, tuple[float, float]], links: Iterable[tuple[str, str]], zoom: int) -> MapLayout:
    """Lay areas out by their centres in the drawing (`middles`), at a zoom from 0 to AREA_ZOOMS - 1.

    `links`: the pairs of areas to connect by lines.
    """
    wide, high = _SIZES[zoom]
    scale = _compute_least_scale(list(middles.values()), wide + _GAP[0], high + _GAP[1])
    left = min((x for x, _ in middles.values()), default=0.0)
    top = min((y for _, y in middles.values()), default=0.0)
    corners = {name: (round((x - left) * scale), round((y - top) * scale / 2)) for name, (x, y) in middles.items()}
    return _layout_frames(corners, links, (wide, high))


def add_boxes(plan: MapLayout, names: Sequence[str], zoom: int, longest: int = 12) -> MapLayout:
    """Return a layout with further places, named by id, in rows below it; `longest`: their longest name in cells."""
    if not names:
        return plan
    wide, high = _SIZES[zoom]
    wide = max(wide, min(longest + 4, _MAX_BOX_WIDTH))
    room = max(1, max(plan.width, 76) // (wide + 1))
    top = plan.height + 1
    corners = {n: (k % room * (wide + 1), top + k // room * high) for k, n in enumerate(names)}
    return _join_layouts(plan, _layout_frames(corners, (), (wide, high)))


def add_column(plan: MapLayout, names: Sequence[str], zoom: int) -> MapLayout:
    """Return a layout with the places `names`, which are on the map but not in its grid, in a column at its right."""
    if not names:
        return plan
    wide, high = _SIZES[zoom]
    corners = {n: (plan.width + 1, k * (high + 1)) for k, n in enumerate(names)}
    return _join_layouts(plan, _layout_frames(corners, (), (wide, high)))


def _join_layouts(plan: MapLayout, more: MapLayout) -> MapLayout:
    """Return a layout with the places and borders of both, as large as the larger one."""
    spots = {**plan.spots, **more.spots}
    return replace(
        plan,
        width=max(plan.width, more.width),
        height=max(plan.height, more.height),
        spots=spots,
        borders={**plan.borders, **more.borders},
        under=index_cells(spots),
    )


def _layout_frames(corners: Mapping[str, Cell], links: Iterable[tuple[str, str]], size: tuple[int, int]) -> MapLayout:
    """Return a layout of boxes with these upper left corners, and a line for each link.

    `size`: the width and height of a box; one of two rows has only its upper edge.
    """
    wide, high = size
    spots: dict[str, PlaceCells] = {}
    borders: dict[Cell, str] = {}
    for name, (x, y) in corners.items():
        is_open = high == 2
        rows = tuple((x + 1, y + n, wide - 2) for n in range(high if is_open else high - 1))
        spots[name] = PlaceCells(rows, is_box=True)
        if is_open:
            borders |= dict.fromkeys([(x + n, y) for n in range(wide)], "-")
            continue
        for n in range(wide):
            borders[x + n, y] = borders[x + n, y + high - 1] = "-"
        for n in range(1, high - 1):
            borders[x, y + n] = borders[x + wide - 1, y + n] = "|"
        for dx, dy in ((0, 0), (wide - 1, 0), (0, high - 1), (wide - 1, high - 1)):
            borders[x + dx, y + dy] = "+"
    lines = {}
    for a, b in links:
        if a in corners and b in corners:
            (ax, ay), (bx, by) = spots[a].middle, spots[b].middle
            between = list_line_cells((round(ax), round(ay)), (round(bx), round(by)), 2)
            lines[a, b] = tuple(
                cell for cell in between if not any(_is_in_frame(cell, c, size) for c in corners.values())
            )
    width = max((x for x, _ in borders), default=0) + 1
    height = max((y + high for _, y in corners.values()), default=0)
    return MapLayout(width, height, spots, borders, index_cells(spots), lines=lines)


def _compute_least_scale(middles: Sequence[tuple[float, float]], wide: int, high: int) -> float:
    """Return the smallest scale, in cells per unit, at which no frames of `wide` by `high` cells overlap.

    `middles`: the centres of the frames. A row is two cells high.
    """
    scale = _FINEST
    pairs = [(abs(a[0] - b[0]), abs(a[1] - b[1])) for n, a in enumerate(middles) for b in middles[:n]]
    while scale < _COARSEST and any(dx * scale < wide and dy * scale / 2 < high for dx, dy in pairs):
        scale *= 1.04
    return scale


def _is_in_frame(cell: Cell, corner: Cell, size: tuple[int, int]) -> bool:
    return corner[0] <= cell[0] < corner[0] + size[0] and corner[1] <= cell[1] < corner[1] + size[1]
