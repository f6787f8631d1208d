"""Draw marks: signs and texts side by side in a space where a condition holds. The caller decides which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.model.area_drawing import Point
from interpreter.model.drawing import Mark
from interpreter.tools.maps.counter_signs import HIGH, WIDE, draw_sign_box
from interpreter.tools.maps.geometry import AREA, SIDE, SQUARE
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
_MAX_MARK_LENGTH = 8  # characters of a mark before it is truncated
_ROOM = {"flat": SIDE * 1.35, "pointed": SIDE * 1.45, "square": SQUARE * 0.92}
_BOXED = ("half", "wheel", "bust", "tricorne", "anchor", "flag")  # signs that are drawn as on counters
_PLAIN = "square"  # sign of a mark that states neither sign nor text


def draw_marks(marked: Mapping[int, str], looks: Sequence[Mark], middle: Point, down: float, form: str | None) -> str:
    """Draw the marks of a place in order, in a row that shrinks to fit.

    `marked`: the text of each mark by its index in `looks`. The row is centred `down` below the middle `middle` in a
    space of a grid, and left-aligned in an area (`form` None).
    """
    labels = [
        (n, truncate_text(text, _MAX_MARK_LENGTH)) for n, text in sorted(marked.items()) if text or not looks[n].text
    ]
    if not labels:
        return ""
    widths = [estimate_text_width(text, _HIGH) if text else _HIGH for _, text in labels]
    total = sum(widths) + _GAP * (len(widths) - 1)
    size = min(1.0, (AREA[0] / 2 if form is None else _ROOM[form]) / total)
    left, y = middle[0] - (AREA[0] / 2 - 8 if form is None else total * size / 2), middle[1] + down
    parts = []
    for (n, text), width in zip(labels, widths, strict=True):
        markup = _draw_mark(looks[n], text, left, y, width * size, _HIGH * size)
        parts.append(build_element("g", markup, class_="mark", data_mark=n))
        left += (width + _GAP) * size
    return "".join(parts)


def draw_symbol(mark: Mark, sample: str) -> str:
    """Draw a mark for the legend; `sample` replaces its text."""
    if mark.text:
        return draw_text(sample, 18.0, 4.0, 11, fill=mark.colour or INK)
    return _draw_sign(mark, 10, -8, 16, 16)


def _draw_mark(mark: Mark, text: str, x: float, middle: float, width: float, height: float) -> str:
    """Draw a mark with its left end at `x`, centred vertically on `middle`."""
    colour = mark.colour or INK
    if mark.text:
        return draw_haloed_text(text, x + width / 2, middle + height * 0.36, height, fill=colour, font_weight="bold")
    return _draw_sign(mark, x, middle - height / 2, width, height)


def _draw_sign(mark: Mark, x: float, y: float, width: float, height: float) -> str:
    """Draw the sign of a mark with its upper left corner at (x, y), `width` and `height` pixels large."""
    if mark.sign == "breach":
        return _draw_rubble(x, y, width, height)
    if mark.sign in _BOXED:
        zoom = min(width / (2 * WIDE), height / (2 * HIGH))
        transform = (
            f"translate({format_coordinate(x + width / 2)} {format_coordinate(y + height / 2)}) scale({zoom:.2f})"
        )
        return build_element("g", draw_sign_box(mark.sign), transform=transform)
    return draw_sign(mark.sign or _PLAIN, x, y, width, height, mark.colour or INK)


def _draw_rubble(x: float, y: float, width: float, height: float) -> str:
    """Draw a heap of stones that fills a box."""
    stones = ((0.0, 0.9, 0.3), (0.3, 1.0, 0.34), (0.62, 0.92, 0.36), (0.16, 0.6, 0.3), (0.5, 0.55, 0.32))
    heaps = [((u, v), (u + size / 2, v - 0.42), (u + size, v)) for u, v, size in stones]
    outline = "".join(format_path([(x + width * u, y + height * v) for u, v in stone], True) for stone in heaps)
    return build_element("path", d=outline, class_="c-rubble")
