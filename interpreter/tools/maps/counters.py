"""Draw counters: the pieces of a place side by side, in their side's colour with sign, numbers and arrow.

Positions of places and pieces are the caller's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, cos, radians, sin
from xml.sax.saxutils import escape

from interpreter.model.ruleset import Ruleset
from interpreter.tools.describe.locale_format import ENGLISH_IDS
from interpreter.tools.describe.value_format import label_words, value_data
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.geometry import Point
from interpreter.tools.maps.piece_groups import PlacedGroup
from interpreter.tools.maps.scans import scan_of, scanned_face
from interpreter.tools.maps.shapes import (
    draw_lines,
    draw_sign,
    draw_text,
    element,
    fit_font_size,
    path_data,
    sanitize_text,
)
from interpreter.tools.maps.style import MapStyle, number_words, written_value

LARGEST = 44.0
MOST = 9  # counters drawn in one place; the rest becomes a number
_PILE = 0.05  # offset between the counters of a pile, as a share of a side
NOBODY = "#8a8a8a"  # colour of unowned pieces


def draw_counters(
    standing: Sequence[PlacedGroup],
    middle: Point,
    box: tuple[float, float, float, float],
    motif: DrawingContext,
) -> str:
    """Draw all counters of a place in a box around its middle (left, top, right, bottom); "+N" beyond the ninth."""
    spots, parts = place_boxes(standing, middle, box, motif.looks), []
    for one, spot in zip(standing, spots, strict=False):
        parts.append(draw_counter(one, spot.at, spot.size, motif))
    return "".join([*parts, draw_remainder(standing, spots)])


@dataclass(frozen=True, slots=True)
class CounterBox:
    """The square of a counter: its middle and the length of its sides."""

    at: Point
    size: float


def place_boxes(
    standing: Sequence[PlacedGroup], middle: Point, box: tuple[float, float, float, float], looks: MapStyle
) -> list[CounterBox]:
    """Return boxes for the first counters of a place, row by row in a box (left, top, right, bottom)."""
    shown = standing[:MOST]
    left, top, right, bottom = box
    columns, size = _columns(len(shown), (right - left, bottom - top))
    rows = ceil(len(shown) / columns)
    aside = min(max(0.0, left + columns * size / 2), right - columns * size / 2)
    x0, y0 = middle[0] + aside - columns * size / 2, middle[1] + (top + bottom - rows * size) / 2
    # leave room for the arrows of adjacent counters
    has_arrows = len(shown) > 1 and any(looks.counters[one.piece.cls or ""].arrow for one in shown)
    filled = size * (0.84 if has_arrows else 0.92)
    spots = []
    for n in range(len(shown)):
        in_row = columns if n < (rows - 1) * columns else len(shown) - (rows - 1) * columns
        x = x0 + (n % columns) * size + (columns - in_row) * size / 2
        spots.append(CounterBox((x + size / 2, y0 + (n // columns + 0.5) * size), filled))
    return spots


def draw_remainder(standing: Sequence[PlacedGroup], spots: Sequence[CounterBox]) -> str:
    """Draw the number of counters without a box as "+N"; "" if there are none."""
    if len(standing) <= MOST:
        return ""
    x, y = max(s.at[0] + s.size / 2 for s in spots), max(s.at[1] + s.size / 2 for s in spots)
    return draw_text(f"+{len(standing) - MOST}", x + 8, y, 11, font_weight="bold")


def _columns(count: int, room: Point) -> tuple[int, float]:
    """Return the number of columns that makes the counters largest, and their size."""
    sizes = [
        (min(room[0] / columns, room[1] / ceil(count / columns), LARGEST / 0.92), -columns)
        for columns in range(1, count + 1)
    ]
    size, columns = max(sizes)
    return -columns, size


def draw_counter(one: PlacedGroup, at: Point, size: float, motif: DrawingContext) -> str:
    """Draw a counter around a point; a group of like pieces as a pile with its number."""
    parts = [
        element("title", _title(one, motif)),
        draw_arrow(one, at, size, motif),
        draw_face(one, at, size, motif),
    ]
    return element("g", parts, class_="counter", data_piece=one.piece.id, data_count=one.count)


def name_on(one: PlacedGroup, lang: str) -> str:
    """Return the name of a counter."""
    return label_words(one.piece.label, lang) or one.piece.id


def colour_of(one: PlacedGroup, looks: MapStyle) -> str:
    """Return the colour of a counter's side."""
    side = looks.side_of(one.piece.cls, one.values)
    return looks.sides[side][0] if side is not None else NOBODY


def letter_of(one: PlacedGroup, motif: DrawingContext) -> str:
    """Return the letter of a counter's side, or "" for unowned pieces.

    Uses the first letters of the translated names if they are all different, for other scripts.
    """
    side = motif.looks.side_of(one.piece.cls, one.values)
    if side is None:
        return ""
    own = [label_words(thing.label, motif.lang)[:1] for thing in motif.ruleset.kinds["side"].things]
    is_apart = len(set(own)) == len(own) and not any(letter.isascii() for letter in own)
    return own[side] if is_apart else motif.looks.sides[side][1]


def draw_face(one: PlacedGroup, at: Point, size: float, motif: DrawingContext) -> str:
    """Draw a counter around a point without its arrow: stripe, name, sign and figures, each in its own row."""
    scan = scan_of(one, motif)
    if scan is not None:
        return scanned_face(scan, one.count, at, size, motif.is_linked)
    colour = colour_of(one, motif.looks)
    pile = min(one.count - 1, 2)
    aside, size = size * _PILE * pile / 2, size * (1 - _PILE * pile)
    at = (at[0] - aside, at[1] + aside)
    x, y, ink = at[0] - size / 2, at[1] - size / 2, ink_on(colour)
    edges = {"width": size, "height": size, "rx": size * 0.08, "fill": colour, "stroke": "#1c1c1c", "stroke_width": 0.8}
    beneath = [element("rect", x=x + n * size * _PILE, y=y - n * size * _PILE, **edges) for n in range(pile, 0, -1)]
    is_alike = motif.ruleset.classes[one.piece.cls or ""].alike
    text, sign_name = _figures(one, motif), sign_of(one, motif)
    text = text or ("×1" if is_alike else "")
    letter = letter_of(one, motif) if is_alike else ""  # accessibility: colour is not the only sign of a side
    name = name_on(one, motif.lang) if not is_alike else "" if sign_name else letter
    band = _band(one, x, y, size, motif)
    top, end = (0.16 if band else 0.05), (0.45 if sign_name else 0.56 if text else 0.95)
    rows = [*beneath, element("rect", x=x, y=y, **edges), band]
    if name:
        box = (size * 0.92, size * (end - top))
        rows.append(
            draw_lines(name, at[0], y + size * (top + end) / 2, box, size * (0.15 if sign_name else 0.2), fill=ink)
        )
    if sign_name:
        if letter:
            rows.append(draw_text(letter, x + size * 0.13, y + size * 0.22, size * 0.2, fill=ink))
        high = size * (0.24 if name else 0.36)
        wide = high * 1.5
        rows.append(draw_sign(sign_name, at[0] - wide / 2, y + size * (0.46 if name else 0.17), wide, high))
    if text:
        high = fit_font_size(text, size * 0.94, size * (0.26 if name else 0.36))
        low = 0.94 if sign_name else 0.85 if name else 0.64
        rows.append(draw_text(text, at[0], y + size * low, high, fill=ink, font_weight="bold"))
    return "".join(rows)


def ink_on(colour: str) -> str:
    """Return black or white, whichever contrasts better with a colour."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return "#ffffff" if 0.299 * red + 0.587 * green + 0.114 * blue < 150 else "#1c1c1c"


def arrow_angle(one: PlacedGroup, motif: DrawingContext) -> float | None:
    """Return a counter's facing in degrees clockwise from the top, or None without a facing."""
    look = motif.look_of(one)
    written = written_value(motif.ruleset, "piece", look.arrow, one.values)
    if written is None:
        return None
    return float(look.angles[written]) if written in look.angles else motif.layout.toward(written)


def _title(one: PlacedGroup, motif: DrawingContext) -> str:
    ruleset, look = motif.ruleset, motif.look_of(one)
    attributes = ruleset.kinds["piece"].attributes
    told = [
        f"{number_words(ruleset, n, {})} {_value(one, n, ruleset)}".strip()
        if n not in attributes
        else f"{n} {_value(one, n, ruleset)}"
        for n in dict.fromkeys((look.owner, look.arrow, look.sign_by, look.band_by, *look.numbers))
        if n in attributes or n and n != look.owner
    ]
    count = f" x{one.count}" if one.count > 1 else ""
    return escape(
        sanitize_text(
            f"{name_on(one, motif.lang)} {one.short}".rstrip() + f" ({one.piece.id}){count}: {', '.join(told)}"
        )
    )


def draw_arrow(one: PlacedGroup, at: Point, size: float, motif: DrawingContext) -> str:
    """Draw the facing arrow of a counter around a point; "" without a facing."""
    angle = arrow_angle(one, motif)
    if angle is None:
        return ""
    ux, uy = sin(radians(angle)), -cos(radians(angle))
    edge = size / 2 / max(abs(ux), abs(uy))  # distance at which the ray leaves the square
    near, far, wide = edge - size * 0.06, edge + size * 0.2, size * 0.24
    points = [
        (at[0] + ux * far, at[1] + uy * far),
        (at[0] + ux * near - uy * wide, at[1] + uy * near + ux * wide),
        (at[0] + ux * near + uy * wide, at[1] + uy * near - ux * wide),
    ]
    edges = {"stroke": "#ffffff", "stroke_width": 1.0, "class_": "arrow"}
    return element("path", d=path_data(points, True), fill=colour_of(one, motif.looks), **edges)


def _band(one: PlacedGroup, x: float, y: float, size: float, motif: DrawingContext) -> str:
    look = motif.look_of(one)
    colour = look.bands.get(written_value(motif.ruleset, "piece", look.band_by, one.values) or "")
    if not colour:
        return ""
    inset = size * 0.04
    return element("rect", x=x + inset, y=y + inset, width=size - 2 * inset, height=size * 0.1, fill=colour)


def sign_of(one: PlacedGroup, motif: DrawingContext) -> str:
    """Return the name of the counter's sign, or "" for none."""
    look = motif.look_of(one)
    return look.signs.get(written_value(motif.ruleset, "piece", look.sign_by, one.values) or "", look.sign)


def _value(one: PlacedGroup, name: str, ruleset: Ruleset) -> str:
    """Format an attribute, or return a text written by the drawing; "" if there is nothing to show."""
    attribute = ruleset.kinds["piece"].attributes.get(name)
    value = one.values.get(name)
    return (value or "") if attribute is None else ENGLISH_IDS.value(value_data(value, attribute.type, ruleset))


def _figures(one: PlacedGroup, motif: DrawingContext) -> str:
    """Return the bottom line of a counter: the count, then the numbers of the drawing or else the short form."""
    told = [text for n in motif.look_of(one).numbers if (text := _value(one, n, motif.ruleset))]
    text = " ".join("–" if w == "-" else w for w in told) if told else one.short
    return f"×{one.count} {text}".strip() if one.count > 1 else text
