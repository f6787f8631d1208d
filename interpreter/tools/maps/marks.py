"""Draw marks: signs and texts side by side in a space where a condition holds. The caller decides which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.model.drawing import Mark
from interpreter.tools.maps.counter_signs import HIGH, WIDE, draw_sign_box
from interpreter.tools.maps.geometry import AREA, SIDE, SQUARE, Point
from interpreter.tools.maps.shapes import (
    INK,
    draw_haloed_text,
    draw_sign,
    draw_text,
    estimate_text_width,
    format_path,
    truncate_text,
)

_HIGH = 12.0
_GAP = 3.0
_WIDEST = 8  # characters of a mark before it is truncated
_ROOM = {"flat": SIDE * 1.35, "pointed": SIDE * 1.45, "square": SQUARE * 0.92}
_BOXED = ("half", "wheel", "bust", "tricorne", "anchor", "flag")  # signs that are drawn as on counters
_PLAIN = "square"  # sign of a mark that states neither sign nor text


def draw_marks(marked: Mapping[int, str], looks: Sequence[Mark], at: Point, down: float, form: str | None) -> str:
    """Draw the marks of a place in order, in a row that shrinks to fit.

    `marked`: the text of each mark by its index in `looks`. The row is centred `down` below the middle `at` in a space
    of a grid, and left-aligned in an area (`form` None).
    """
    shown = [(n, truncate_text(text, _WIDEST)) for n, text in sorted(marked.items()) if text or not looks[n].text]
    if not shown:
        return ""
    wide = [estimate_text_width(text, _HIGH) if text else _HIGH for _, text in shown]
    whole = sum(wide) + _GAP * (len(wide) - 1)
    size = min(1.0, (AREA[0] / 2 if form is None else _ROOM[form]) / whole)
    left, middle = at[0] - (AREA[0] / 2 - 8 if form is None else whole * size / 2), at[1] + down
    parts = []
    for (n, text), each in zip(shown, wide, strict=True):
        drawn = _draw_mark(looks[n], text, left, middle, each * size, _HIGH * size)
        parts.append(build_element("g", drawn, class_="mark", data_mark=n))
        left += (each + _GAP) * size
    return "".join(parts)


def draw_symbol(mark: Mark, sample: str) -> str:
    """Draw a mark for the legend; `sample` replaces its text."""
    if mark.text:
        return draw_text(sample, 18.0, 4.0, 11, fill=mark.colour or INK)
    return _draw_sign(mark, 10, -8, 16, 16)


def _draw_mark(mark: Mark, text: str, x: float, middle: float, wide: float, high: float) -> str:
    colour = mark.colour or INK
    if mark.text:
        return draw_haloed_text(text, x + wide / 2, middle + high * 0.36, high, fill=colour, font_weight="bold")
    return _draw_sign(mark, x, middle - high / 2, wide, high)


def _draw_sign(mark: Mark, x: float, y: float, wide: float, high: float) -> str:
    """Draw the sign of a mark with its upper left corner at (x, y), `wide` and `high` pixels large."""
    if mark.sign == "breach":
        return _draw_rubble(x, y, wide, high)
    if mark.sign in _BOXED:
        zoom = min(wide / (2 * WIDE), high / (2 * HIGH))
        at = f"translate({format_coordinate(x + wide / 2)} {format_coordinate(y + high / 2)}) scale({zoom:.2f})"
        return build_element("g", draw_sign_box(mark.sign), transform=at)
    return draw_sign(mark.sign or _PLAIN, x, y, wide, high, mark.colour or INK)


def _draw_rubble(x: float, y: float, wide: float, high: float) -> str:
    """Draw a heap of stones that fills a box."""
    stones = ((0.0, 0.9, 0.3), (0.3, 1.0, 0.34), (0.62, 0.92, 0.36), (0.16, 0.6, 0.3), (0.5, 0.55, 0.32))
    heaps = [((u, v), (u + size / 2, v - 0.42), (u + size, v)) for u, v, size in stones]
    outline = "".join(format_path([(x + wide * u, y + high * v) for u, v in stone], True) for stone in heaps)
    return build_element("path", d=outline, class_="c-rubble")
