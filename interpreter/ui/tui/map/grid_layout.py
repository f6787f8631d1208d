"""Layouts of grid maps: hexes and squares of characters at several zooms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.tools.maps.text.grid_cells import Cell, SpaceCells, compute_space_cells
from interpreter.ui.tui.map.map_layout import MapLayout, PlaceCells, index_cells

_FLAT = ((0, 3), (1, 5), (2, 6), (3, 8))  # by zoom: half height, cells of the top side; 0: no borders
_UPRIGHT = ((0, 4), (2, 6), (3, 10), (4, 14))  # by zoom: rows of a cell, cells between neighbours
GRID_ZOOMS = len(_FLAT)
_BARE_HIGH = 2


@dataclass(frozen=True, slots=True)
class Lattice:
    """A grid: its form ("flat", "pointed" or "square"), and whether even or odd columns or rows are shifted.

    `cells` holds column and row by place; `neighbours` maps each place's directions to neighbours; `widest` is the
    length of the longest id in cells.
    """

    form: str
    shifted: int
    cells: Mapping[str, tuple[int, int]]
    neighbours: Mapping[str, Mapping[str, str]]
    widest: int


def layout_grid(lattice: Lattice, zoom: int) -> MapLayout:
    """Lay a grid out at a zoom from 0 to GRID_ZOOMS - 1."""
    left = min((c for c, _ in lattice.cells.values()), default=0)
    top = min((r for _, r in lattice.cells.values()), default=0)
    borders: dict[Cell, str] = {}
    spots: dict[str, PlaceCells] = {}
    for name, (column, row) in sorted(lattice.cells.items(), key=lambda item: (item[1][1], item[1][0])):
        drawn = _compute_space_cells(lattice, column - left, row - top, column if lattice.form == "flat" else row, zoom)
        drawn.draw_border(borders)
        near = lattice.neighbours.get(name, {})
        spots[name] = PlaceCells(drawn.rows, {near[d]: cells for d, cells in drawn.sides.items() if d in near})
    width = max((x + n for s in spots.values() for x, _, n in s.rows), default=0) + 1
    height = max((y for s in spots.values() for _, y, _ in s.rows), default=0) + 1
    height = max(height, max((y for _, y in borders), default=0) + 1)
    return MapLayout(width, height, spots, borders, index_cells(spots), zoom == 0)


def _compute_space_cells(lattice: Lattice, column: int, row: int, line: int, zoom: int) -> SpaceCells:
    """Return the cells of the space in a column and a row at a zoom; without a border at the smallest.

    `line`: the number of its column (flat) or row, whose parity decides whether the space is shifted.
    """
    is_shifted, is_flat = line % 2 == lattice.shifted, lattice.form == "flat"
    half, wide = _FLAT[zoom] if is_flat else _UPRIGHT[zoom]
    if zoom == 0:
        x = column * wide + (wide // 2 if lattice.form == "pointed" and is_shifted else 0)
        y = row * _BARE_HIGH + (is_flat and is_shifted)
        return SpaceCells(tuple((x, y + n, wide) for n in range(_BARE_HIGH)), {}, {})
    if is_flat:
        return compute_space_cells("flat", column, row, is_shifted, (half, max(wide, lattice.widest + 1)))
    step = max(wide, lattice.widest + 2)
    return compute_space_cells(lattice.form, column, row, is_shifted, (half, step + step % 2))
