"""Compute which character cells a space of a grid takes, and the characters of its border."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass

Cell = tuple[int, int]  # column and row on the screen or page


@dataclass(frozen=True, slots=True)
class SpaceCells:
    """The character cells of one space of a grid.

    `rows`: (column, row, length) of its interior from the top; `sides`: the cells of each side by direction, which the
    neighbour there has too; `border`: the character of each cell of the border that has one.
    """

    rows: tuple[tuple[int, int, int], ...]
    sides: Mapping[str, tuple[Cell, ...]]
    border: Mapping[Cell, str]

    def draw_border(self, sheet: MutableMapping[Cell, str]) -> None:
        """Write the border into a sheet; an underscore never overwrites text of the hex above."""
        for cell, mark in self.border.items():
            if mark != "_" or sheet.get(cell, "_") == "_":
                sheet[cell] = mark


def compute_space_cells(form: str, column: int, row: int, is_shifted: bool, size: tuple[int, int]) -> SpaceCells:
    """Return the cells of the space in a column and a row of a grid.

    `form`: "flat", "pointed" or "square"; `is_shifted`: its column (flat) or row (pointed) is shifted by half a hex.
    `size`: for "flat" half the height and the length of the top side, else the rows of the interior and the distance of
    neighbours in a row, an even number for "pointed".
    """
    if form == "flat":
        return _compute_flat_hex(column, row, is_shifted, *size)
    high, step = size
    x, y = column * step + (step // 2 if form == "pointed" and is_shifted else 0), row * (high + 1)
    rows = tuple((x + 1, y + 1 + n, step - 1) for n in range(high))
    west, east = (tuple((line, y + 1 + n) for n in range(high)) for line in (x, x + step))
    border = dict.fromkeys((*west, *east), "|")
    below = y + high + 1
    if form == "square":
        upper, lower = (tuple((x + 1 + n, line) for n in range(step - 1)) for line in (y, below))
        border |= dict.fromkeys((*upper, *lower), "-") | {
            (x + dx, line): "+" for dx in (0, step) for line in (y, below)
        }
        return SpaceCells(rows, {"n": upper, "s": lower, "w": west, "e": east}, border)
    half = step // 2
    sides = {"w": west, "e": east}
    for direction, left, line, mark in (
        ("nw", x, y, "/"),
        ("ne", x + half, y, "\\"),
        ("sw", x, below, "\\"),
        ("se", x + half, below, "/"),
    ):
        sides[direction] = tuple((left + 1 + n, line) for n in range(half - 1))
        border[left + half // 2, line] = mark
    return SpaceCells(rows, sides, border)


def _compute_flat_hex(column: int, row: int, is_shifted: bool, half: int, wide: int) -> SpaceCells:
    x, y = column * (wide + half), row * 2 * half + (half if is_shifted else 0)
    rows: list[tuple[int, int, int]] = []
    sides: dict[str, list[Cell]] = {"n": [], "s": [], "nw": [], "ne": [], "sw": [], "se": []}
    for n in range(2 * half):
        out = n if n < half else 2 * half - 1 - n
        start, length = x + half - 1 - out, wide + 2 * out
        rows.append((start + 1, y + 1 + n, length))
        sides["nw" if n < half else "sw"].append((start, y + 1 + n))
        sides["ne" if n < half else "se"].append((start + length + 1, y + 1 + n))
    sides["n"] = [(x + half + n, y) for n in range(wide)]
    sides["s"] = [(x + half + n, y + 2 * half) for n in range(wide)]
    marks = {"n": "_", "s": "_", "nw": "/", "se": "/", "ne": "\\", "sw": "\\"}
    border = {cell: marks[direction] for direction, cells in sides.items() for cell in cells}
    return SpaceCells(tuple(rows), {direction: tuple(cells) for direction, cells in sides.items()}, border)


def list_line_cells(a: Cell, b: Cell, gap: int) -> list[Cell]:
    """Return cells on the straight line between two cells, without its ends; level ones are about `gap` apart."""
    steps = max(abs(a[0] - b[0]) // gap, abs(a[1] - b[1]), 1)
    return [(round(a[0] + (b[0] - a[0]) * n / steps), round(a[1] + (b[1] - a[1]) * n / steps)) for n in range(1, steps)]
