"""Draw a map of areas as text: names and forces at the areas' positions, dotted lines for links.

A sketch is plain data, so that it can be cached without reading the ruleset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.i18n.translator import ENGLISH, Translator
from interpreter.tools.maps.text.grid_cells import list_line_cells
from interpreter.tools.maps.text.page import Standing, TextGroup, TextLegend, format_side_letters

_HIGH = 22  # lines of a sketch
_NARROWEST = 60  # minimum width in cells
_WIDE = 80
_Sheet = list[list[str]]


@dataclass(frozen=True, slots=True)
class SketchArea:
    """An area of a sketch: its place handle, its middle as shares of the width and height of the map, and its name."""

    handle: int
    x: float
    y: float
    name: str


@dataclass(frozen=True, slots=True)
class AreaSketch:
    """The areas of a map in one language, as data that can be cached.

    `content_hash`: the hash of the ruleset; `links`: (place handle, place handle) of each link.
    """

    content_hash: str
    legend: TextLegend
    areas: Sequence[SketchArea]
    links: Sequence[tuple[int, int]]


def render_sketch(sketch: AreaSketch, standing: Standing, width: int = 0, say: Translator = ENGLISH) -> list[str]:
    """Render the sketch as lines: each area with its name, and the letters and numbers of pieces of the sides there.

    `standing`: the pieces by place handle; `width`: of the sheet in cells, 0 for the default.
    """
    sheet_width = max(_NARROWEST, (width or _WIDE) - 1)
    blocks = {area.handle: _build_block(area.name, standing.get(area.handle, ()), sketch) for area in sketch.areas}
    middles = {
        area.handle: (
            _clamp_middle(area.x * sheet_width, _measure_block(blocks[area.handle]), sheet_width),
            min(_HIGH - 2, max(0, round(area.y * (_HIGH - 1)))),
        )
        for area in sketch.areas
    }
    placed = _separate_blocks(middles, blocks)
    sheet: _Sheet = [[" "] * sheet_width for _ in range(_HIGH + 4)]
    for a, b in sketch.links:
        if a in placed and b in placed:
            for x, y in list_line_cells(placed[a], placed[b], 3):
                sheet[y][x] = "."
    for handle, (x, y) in placed.items():
        for n, text in enumerate(blocks[handle]):
            _write(sheet, x - measure_cells(text) // 2, y + n, text)
    lines = ["".join(row).rstrip() for row in sheet]
    first = next((n for n, line in enumerate(lines) if line), 0)
    lines = "\n".join(lines[first:]).rstrip().split("\n")
    named = [f"{letter} {words}" for letter, words in sketch.legend.sides]
    return [*lines, "", say(", ").join(named)]


def _build_block(name: str, groups: Sequence[TextGroup], sketch: AreaSketch) -> list[str]:
    forces = format_side_letters(groups, sketch.legend.sides, always=True)
    return [name, forces] if forces else [name]


def _measure_block(block: Sequence[str]) -> int:
    return max(measure_cells(text) for text in block)


def _clamp_middle(x: float, width: int, sheet_width: int) -> int:
    """Return the middle `x` of a block `width` cells wide, moved so that the block stays on the sheet."""
    half = width // 2 + 1
    return int(min(max(round(x), half), sheet_width - half - 1))


def _separate_blocks(
    middles: Mapping[int, tuple[int, int]], blocks: Mapping[int, Sequence[str]]
) -> dict[int, tuple[int, int]]:
    """Return the middles (column, row) of blocks of text, by place, with overlapping blocks moved down.

    `blocks`: the lines of each block.
    """
    placed: dict[int, tuple[int, int]] = {}
    for handle in sorted(middles, key=lambda h: (middles[h][1], middles[h][0])):
        x, y = middles[handle]
        while any(_is_touching((x, y), blocks[handle], placed[o], blocks[o]) for o in placed) and y < _HIGH + 1:
            y += 1
        placed[handle] = (x, y)
    return placed


def _is_touching(a: tuple[int, int], block: Sequence[str], b: tuple[int, int], other: Sequence[str]) -> bool:
    is_beside = abs(a[0] - b[0]) * 2 > _measure_block(block) + _measure_block(other) + 2
    return not is_beside and a[1] <= b[1] + len(other) and b[1] <= a[1] + len(block)


def _write(sheet: _Sheet, x: int, y: int, text: str) -> None:
    """Write a text with a blank on both sides into row `y` of the sheet, from column `x`.

    A double-width character takes two cells.
    """
    column = max(0, x - 1)
    for character in f" {text} ":
        cells = measure_cells(character)
        if column + cells > len(sheet[y]):
            return
        sheet[y][column : column + cells] = [character] + [""] * (cells - 1)
        column += cells
