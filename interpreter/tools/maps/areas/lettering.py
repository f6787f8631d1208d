"""Write text with outlines of letters, straight or along a curve, so that a picture looks alike on every machine.

The outlines are those of Old Standard TT (SIL Open Font License, see `letters-OFL.txt`). A character without an outline
is written as text, alone at its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin
from zlib import crc32

from interpreter.diagnostics.svg_markup import build_element, escape, format_coordinate, sanitize_text
from interpreter.diagnostics.terminal_text import has_wide, measure_cells
from interpreter.model.area_drawing import Lettering, Point
from interpreter.tools.maps.areas.planes import sample_quadratic_curve
from interpreter.tools.maps.areas.tones import Pair, format_tone
from interpreter.tools.maps.shapes import format_transform

ROMAN, ITALIC, BOLD = "r", "i", "b"
_EM = 500  # units of the outlines per font size
_UNKNOWN = 0.6  # width of a narrow character without an outline, in font sizes
_STEPS = 60  # points of a curve
_NEAR = 3  # points on each side from which the direction of a curve is taken
_SERIF = "Old Standard TT, Noto Serif, Noto Serif CJK JP, Noto Sans CJK JP, Noto Sans JP, Georgia, serif"

_USES = re.compile(r'"#am-([rib])([0-9]+)"')


@cache
def _load_letters() -> dict[str, dict[str, tuple[int, str]]]:
    text = files("interpreter.tools.maps.areas").joinpath("letters.json").read_text(encoding="utf-8")
    return {
        font: {c: (width, path) for c, (width, path) in letters.items()} for font, letters in json.loads(text).items()
    }


def _measure_char(char: str, font: str) -> float:
    """Return the width of a character in a font of size 1."""
    known = _load_letters()[font].get(char)
    if known is not None:
        return known[0] / _EM
    return 0.3 if char == " " else 1.0 if measure_cells(char) > 1 else _UNKNOWN


def measure_width(text: str, size: float, font: str = ROMAN, spacing: float = 0.0) -> float:
    """Return the width of a line of text in pixels; `spacing`: pixels added between letters."""
    return sum(_measure_char(c, font) for c in text) * size + spacing * max(0, len(text) - 1)


def compute_fitting_size(text: str, widest: float, size: float, font: str = ROMAN) -> float:
    """Return the largest size, at most `size`, at which a text is no wider than `widest` pixels."""
    return min(size, widest / max(0.1, measure_width(text, 1.0, font)))


def define_letters(markup: str) -> str:
    """Return the outlines of all letters that the markup of a picture refers to, for its SVG definitions."""
    used = sorted({(font, int(code)) for font, code in _USES.findall(markup)})
    return "".join(
        build_element("path", id=f"am-{font}{code}", d=_load_letters()[font][chr(code)][1]) for font, code in used
    )


@dataclass(frozen=True, slots=True)
class TextLook:
    """Look of a line of text. `halo`: the width of a light rim; `spacing`: the space added between letters (pixels)."""

    size: float
    fill: str | Pair
    font: str = ROMAN
    halo: float = 0.0
    spacing: float = 0.0


def draw_line_of_text(text: str, point: Point, look: TextLook, anchor: str = "middle", **attributes: object) -> str:
    """Draw a straight line of text as outlines.

    `point`: the point of the base line at which the text begins, ends or has its middle, as `anchor` says ("start",
    "end", "middle").
    """
    text, size, font = sanitize_text(text), look.size, look.font
    x = -measure_width(text, size, font, look.spacing) * {"middle": 0.5, "start": 0.0, "end": 1.0}[anchor]
    scale, letters = size / _EM, []
    for char in text:
        if char != " ":
            letters.append(_draw_letter(char, font, x=round(x / scale)))
        x += _measure_char(char, font) * size + look.spacing
    place = f"{format_transform(*point)} scale({scale:.4f})"
    return _draw_halo(build_element("g", letters, transform=place), text, scale, look.fill, look.halo, attributes)


def draw_plain_text(text: str, point: Point, look: TextLook) -> str:
    """Draw a centred line of text in a font of the reader's computer, stretched to the width of drawn letters.

    `point`: the middle of its base line. A browser shows a thousand such lines in the time that a hundred with outlines
    take.
    """
    text, size, font = sanitize_text(text), look.size, look.font
    style, weight = _choose_slant(text, font), "bold" if font == BOLD else None
    rim = {"stroke_width": look.halo, "stroke_linejoin": "round", "stroke_opacity": "0.75", "paint_order": "stroke"}
    return build_element(
        "text",
        escape(text),
        x=float(point[0]),
        y=float(point[1]),
        font_size=float(size),
        textLength=measure_width(text, size, font),
        lengthAdjust="spacingAndGlyphs",
        text_anchor="middle",
        font_style=style,
        font_weight=weight,
        font_family=_SERIF,
        **format_tone(look.fill, "halo"),
        **(rim if look.halo else {}),
    )


def draw_curved_text(text: str, lettering: Lettering, fill: str | Pair, font: str = ROMAN, halo: float = 0.0) -> str:
    """Draw a text with its letters spread evenly along the curve of `lettering`.

    The letters become smaller than its size if the curve is too short. `halo`: the width of a light rim in pixels.
    """
    text = sanitize_text(text)
    size, places = _spread_letters(text, lettering, font)
    scale = size / _EM
    letters = []
    for char, point, angle in places:
        if char != " ":
            turn = f" rotate({angle:.1f})" if abs(angle) >= 0.05 else ""
            letters.append(_draw_letter(char, font, transform=f"{format_transform(*point)}{turn} scale({scale:.4f})"))
    return _draw_halo("".join(letters), text, scale, fill, halo, {})


def compute_letter_spots(text: str, lettering: Lettering, font: str = ROMAN) -> list[tuple[float, float, float]]:
    """Return for each letter that `draw_curved_text` draws a circle (x, y, radius) that covers most of it."""
    text = sanitize_text(text)
    size, places = _spread_letters(text, lettering, font)
    half_height = 0.33 * size  # half the height of a capital
    spots = []
    for char, (x, y), turn in places:
        if char != " ":
            half_width, angle = _measure_char(char, font) * size / 2, radians(turn)
            spots.append(
                (
                    x + cos(angle) * half_width + sin(angle) * half_height,
                    y + sin(angle) * half_width - cos(angle) * half_height,
                    half_height,
                )
            )
    return spots


def _spread_letters(text: str, lettering: Lettering, font: str) -> tuple[float, list[tuple[str, Point, float]]]:
    """Spread letters evenly along the curve of `lettering`.

    Return their size, at most that of `lettering`, and for each its left end on the curve and its turn in degrees.
    """
    line = _compute_curve(lettering.start, lettering.end, lettering.bend)
    distances = [0.0]
    for a, b in pairwise(line):
        distances.append(distances[-1] + hypot(b[0] - a[0], b[1] - a[1]))
    size = compute_fitting_size(text, distances[-1], lettering.size, font)
    gap = (distances[-1] - measure_width(text, size, font)) / max(1, len(text) - 1) if len(text) > 1 else 0.0
    places, offset = [], 0.0
    if len(text) == 1:
        offset = (distances[-1] - _measure_char(text, font) * size) / 2
    for char in text:
        width = _measure_char(char, font) * size
        (x, y), angle = _find_spot(line, distances, offset + width / 2)
        places.append((char, (x - cos(angle) * width / 2, y - sin(angle) * width / 2), degrees(angle)))
        offset += width + gap
    return size, places


def _compute_curve(start: Point, end: Point, bend: float) -> list[Point]:
    """Return points of a curve from `start` to `end`; the middle of the curve rises by `bend` pixels."""
    distance = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    control = (
        (start[0] + end[0]) / 2 + (end[1] - start[1]) / distance * bend * 2,
        (start[1] + end[1]) / 2 - (end[0] - start[0]) / distance * bend * 2,
    )
    return sample_quadratic_curve(start, control, end, _STEPS)


def _find_spot(line: Sequence[Point], distances: Sequence[float], distance: float) -> tuple[Point, float]:
    """Return the point at the distance `distance` along a line, and the line's direction there in radians.

    `distances`: the distance of each point of the line from its start, in pixels.
    """
    distance = min(max(distance, 0.0), distances[-1])
    n = min(max(k for k, length in enumerate(distances) if length <= distance), len(line) - 2)
    share = (distance - distances[n]) / ((distances[n + 1] - distances[n]) or 1.0)
    (ax, ay), (bx, by) = line[n], line[n + 1]
    (px, py), (qx, qy) = line[max(0, n - _NEAR)], line[min(len(line) - 1, n + 1 + _NEAR)]
    return (ax + (bx - ax) * share, ay + (by - ay) * share), atan2(qy - py, qx - px)


def _draw_halo(
    letters: str, text: str, scale: float, fill: str | Pair, halo: float, attributes: dict[str, object]
) -> str:
    """Draw letters in the colour `fill` on top of a light rim of `halo` pixels; both refer to one definition.

    `letters`: their markup; `text`: the text for screen readers; `scale`: pixels per unit of the font.
    """
    group_attributes = {"role": "group", "aria_label": text, **attributes}
    if not halo:
        return build_element("g", letters, **format_tone(fill), **group_attributes)
    name = f"am-t{crc32(letters.encode()):08x}"
    use = build_element("use", href=f"#{name}")
    rim = {"stroke_width": format_coordinate(halo / scale), "stroke_linejoin": "round", "opacity": "0.75"}
    coats = build_element("g", use, **format_tone("none", "halo"), **rim) + build_element("g", use, **format_tone(fill))
    return build_element("g", build_element("defs", build_element("g", letters, id=name)) + coats, **group_attributes)


def _choose_slant(text: str, font: str) -> str | None:
    """Return "italic" for text of the italic font; None for double-width characters, which are only written upright."""
    return "italic" if font == ITALIC and not has_wide(text) else None


def _draw_letter(char: str, font: str, **place: object) -> str:
    """Draw a letter as an outline, or as text if it has none; `place`: the attributes that place it."""
    if char in _load_letters()[font]:
        return build_element("use", href=f"#am-{font}{ord(char)}", **place)
    style, weight = _choose_slant(char, font), "bold" if font == BOLD else None
    look = {"font_size": _EM, "font_style": style, "font_weight": weight, "font_family": _SERIF}
    return build_element("text", escape(char), **place, **look)
