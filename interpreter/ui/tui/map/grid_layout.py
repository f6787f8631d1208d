"""Layouts of grid maps: hexes and squares of characters at several zooms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpreter.ui.tui.map.map_layout import Cell, MapLayout, PlaceCells, index_cells

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
    is_bare = zoom == 0
    for name, (column, row) in sorted(lattice.cells.items(), key=lambda item: (item[1][1], item[1][0])):
        c, r = column - left, row - top
        if lattice.form == "flat":
            drawn = _layout_flat_hex(c, r, column % 2 == lattice.shifted, zoom, lattice.widest)
        else:
            drawn = _layout_upright_cell(
                c, r, lattice.form == "pointed", row % 2 == lattice.shifted, zoom, lattice.widest
            )
        rows, sides, own = drawn
        for cell, mark in own:
            if mark != "_" or borders.get(cell, "_") == "_":
                borders[cell] = mark
        near = lattice.neighbours.get(name, {})
        spots[name] = PlaceCells(rows, {other: sides[d] for d, other in near.items() if d in sides})
    width = max((x + n for s in spots.values() for x, _, n in s.rows), default=0) + 1
    height = max((y for s in spots.values() for _, y, _ in s.rows), default=0) + 1
    if not is_bare:
        height = max(height, max((y for _, y in borders), default=0) + 1)
    return MapLayout(width, height, spots, {} if is_bare else borders, index_cells(spots), is_bare)


_Drawn = tuple[tuple[tuple[int, int, int], ...], dict[str, tuple[Cell, ...]], Sequence[tuple[Cell, str]]]


def _layout_flat_hex(c: int, r: int, is_lower: bool, zoom: int, widest: int) -> _Drawn:
    half, wide = _FLAT[zoom]
    if half == 0:
        top = r * _BARE_HIGH + is_lower
        return tuple((c * wide, top + n, wide) for n in range(_BARE_HIGH)), {}, ()
    wide = max(wide, widest + 1)
    x, y = c * (wide + half), r * 2 * half + (half if is_lower else 0)
    rows: list[tuple[int, int, int]] = []
    nw: list[Cell] = []
    ne: list[Cell] = []
    sw: list[Cell] = []
    se: list[Cell] = []
    for n in range(2 * half):
        is_upper = n < half
        out = n if is_upper else 2 * half - 1 - n
        start, length = x + half - 1 - out, wide + 2 * out
        rows.append((start + 1, y + 1 + n, length))
        (nw if is_upper else sw).append((start, y + 1 + n))
        (ne if is_upper else se).append((start + length + 1, y + 1 + n))
    upper = [(x + half + n, y) for n in range(wide)]
    lower = [(x + half + n, y + 2 * half) for n in range(wide)]
    sides = {"n": upper, "s": lower, "nw": nw, "ne": ne, "sw": sw, "se": se}
    marks = {"n": "_", "s": "_", "nw": "/", "se": "/", "ne": "\\", "sw": "\\"}
    own = [(cell, marks[d]) for d, cells in sides.items() for cell in cells]
    return tuple(rows), {d: tuple(cells) for d, cells in sides.items()}, own


def _layout_upright_cell(c: int, r: int, is_hex: bool, is_shifted: bool, zoom: int, widest: int) -> _Drawn:
    """Lay out the pointed hex, or else the square, in column `c` and row `r`.

    Return its rows, its sides by direction, and its border characters. `is_shifted`: its row is shifted by half a hex;
    `widest`: the length of the longest id in cells.
    """
    high, step = _UPRIGHT[zoom]
    if zoom == 0:
        x = c * step + (step // 2 if is_hex and is_shifted else 0)
        return tuple((x, r * _BARE_HIGH + n, step) for n in range(_BARE_HIGH)), {}, ()
    step = max(step, widest + 2)
    step += step % 2
    x, y = c * step + (step // 2 if is_hex and is_shifted else 0), r * (high + 1)
    rows = tuple((x + 1, y + 1 + n, step - 1) for n in range(high))
    west = [(x, y + 1 + n) for n in range(high)]
    east = [(x + step, y + 1 + n) for n in range(high)]
    below = y + high + 1
    if not is_hex:
        upper, lower = ([(x + 1 + n, at) for n in range(step - 1)] for at in (y, below))
        corners = [((x + dx, at), "+") for dx in (0, step) for at in (y, below)]
        own = [*((cell, "-") for cell in (*upper, *lower)), *((cell, "|") for cell in (*west, *east)), *corners]
        return rows, {"n": tuple(upper), "s": tuple(lower), "w": tuple(west), "e": tuple(east)}, own
    half = step // 2
    sides = {
        "w": west,
        "e": east,
        "nw": [(x + 1 + n, y) for n in range(half - 1)],
        "ne": [(x + half + 1 + n, y) for n in range(half - 1)],
        "sw": [(x + 1 + n, below) for n in range(half - 1)],
        "se": [(x + half + 1 + n, below) for n in range(half - 1)],
    }
    own = [(cell, "|") for cell in (*west, *east)]
    for d, mark in (("nw", "/"), ("ne", "\\"), ("sw", "\\"), ("se", "/")):
        cells = sides[d]
        own.append((cells[len(cells) // 2], mark))
    return rows, {d: tuple(cells) for d, cells in sides.items()}, own
