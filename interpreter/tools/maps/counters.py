"""Counters: the pieces of one place side by side, each in its side's colour with sign, numbers and arrow.

Must not know where places lie, nor which pieces stand where.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, cos, radians, sin
from typing import Any
from xml.sax.saxutils import escape

from interpreter.model.drawing import CounterLook
from interpreter.model.ruleset import Ruleset
from interpreter.tools.handbook.value_words import data_text, label_words, value_data
from interpreter.tools.maps.geometry import Layout, Point
from interpreter.tools.maps.looks import Looks, number_words, written_value
from interpreter.tools.maps.shapes import element, fitted, path, safe, shortened, sign, words
from interpreter.tools.maps.standing import Standing

LARGEST = 44.0
MOST = 9  # counters in one place; more are told as a number
NOBODY = "#8a8a8a"  # the colour of pieces without a side


def counters(
    standing: Sequence[Standing],
    middle: Point,
    box: tuple[float, float, float, float],
    layout: Layout,
    looks: Looks,
    ruleset: Ruleset,
    lang: str,
) -> str:
    """All counters of one place in a box around its middle (left, top, right, bottom); beyond the ninth a number."""
    shown = standing[:MOST]
    left, top, right, bottom = box
    columns, size = _columns(len(shown), (right - left, bottom - top))
    rows = ceil(len(shown) / columns)
    aside = min(max(0.0, left + columns * size / 2), right - columns * size / 2)
    x0, y0 = middle[0] + aside - columns * size / 2, middle[1] + (top + bottom - rows * size) / 2
    # arrows of counters that stand close together need room
    has_arrows = len(shown) > 1 and any(looks.counters[one.piece.cls or ""].arrow for one in shown)
    filled = 0.84 if has_arrows else 0.92
    parts = []
    for n, one in enumerate(shown):
        in_row = columns if n < (rows - 1) * columns else len(shown) - (rows - 1) * columns
        x = x0 + (n % columns) * size + (columns - in_row) * size / 2
        at = (x + size / 2, y0 + (n // columns + 0.5) * size)
        parts.append(counter(one, at, size * filled, layout, looks, ruleset, lang))
    if len(standing) > MOST:
        more = f"+{len(standing) - MOST}"
        parts.append(words(more, x0 + columns * size + 8, y0 + rows * size, 11, font_weight="bold"))
    return "".join(parts)


def _columns(count: int, room: Point) -> tuple[int, float]:
    """How many columns let the counters be largest, and that size."""
    sizes = [
        (min(room[0] / columns, room[1] / ceil(count / columns), LARGEST / 0.92), -columns)
        for columns in range(1, count + 1)
    ]
    size, columns = max(sizes)
    return -columns, size


def counter(one: Standing, at: Point, size: float, layout: Layout, looks: Looks, ruleset: Ruleset, lang: str) -> str:
    """One counter around a point."""
    look = looks.counters[one.piece.cls or ""]
    side = looks.side_of(one.piece.cls, one.values)
    colour = looks.sides[side][0] if side is not None else NOBODY
    x, y = at[0] - size / 2, at[1] - size / 2
    ink = ink_on(colour)
    name = label_words(one.piece.label, lang) or one.piece.id
    parts = [
        element("title", _title(one, look, ruleset, name)),
        _arrow(one, look, at, size, colour, layout, ruleset),
        element(
            "rect",
            x=x,
            y=y,
            width=size,
            height=size,
            rx=size * 0.08,
            fill=colour,
            stroke="#1c1c1c",
            stroke_width=0.8,
        ),
        _band(one, look, x, y, size, ruleset),
        words(shortened(name, 11), at[0], y + size * 0.27, size * 0.15, fill=ink),
        _sign(one, look, at[0], y, size, ruleset),
        _numbers(one, look, at[0], y, size, ink, ruleset),
    ]
    return element("g", parts, class_="counter", data_piece=one.piece.id, data_count=one.count)


def ink_on(colour: str) -> str:
    """Black or white, whichever is read more easily on a colour."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return "#ffffff" if 0.299 * red + 0.587 * green + 0.114 * blue < 150 else "#1c1c1c"


def arrow_angle(value: Any, look: CounterLook, layout: Layout, ruleset: Ruleset) -> float | None:
    """Degrees clockwise from the top for a value of the arrow's attribute; None when it has no direction."""
    written = written_value(ruleset, "piece", look.arrow, {look.arrow: value})
    if written is None:
        return None
    return float(look.angles[written]) if written in look.angles else layout.toward(written)


def _title(one: Standing, look: CounterLook, ruleset: Ruleset, name: str) -> str:
    attributes = ruleset.kinds["piece"].attributes
    told = [
        f"{number_words(ruleset, n, {})} {_value(one, n, ruleset)}".strip()
        if n not in attributes
        else f"{n} {_value(one, n, ruleset)}"
        for n in dict.fromkeys((look.owner, look.arrow, look.sign_by, look.band_by, *look.numbers))
        if n in attributes or n and n != look.owner
    ]
    count = f" x{one.count}" if one.count > 1 else ""
    return escape(safe(f"{name} {one.short}".rstrip() + f" ({one.piece.id}){count}: {', '.join(told)}"))


def _arrow(
    one: Standing, look: CounterLook, at: Point, size: float, colour: str, layout: Layout, ruleset: Ruleset
) -> str:
    angle = arrow_angle(one.values.get(look.arrow), look, layout, ruleset)
    if angle is None:
        return ""
    ux, uy = sin(radians(angle)), -cos(radians(angle))
    edge = size / 2 / max(abs(ux), abs(uy))  # where the ray leaves the square
    near, far, wide = edge - size * 0.06, edge + size * 0.2, size * 0.24
    points = [
        (at[0] + ux * far, at[1] + uy * far),
        (at[0] + ux * near - uy * wide, at[1] + uy * near + ux * wide),
        (at[0] + ux * near + uy * wide, at[1] + uy * near - ux * wide),
    ]
    return element("path", d=path(points, True), fill=colour, stroke="#ffffff", stroke_width=1.0, class_="arrow")


def _band(one: Standing, look: CounterLook, x: float, y: float, size: float, ruleset: Ruleset) -> str:
    colour = look.bands.get(written_value(ruleset, "piece", look.band_by, one.values) or "")
    if not colour:
        return ""
    inset = size * 0.04
    return element("rect", x=x + inset, y=y + inset, width=size - 2 * inset, height=size * 0.1, fill=colour)


def sign_of(one: Standing, look: CounterLook, ruleset: Ruleset) -> str:
    """The name of the counter's sign, '' for none."""
    return look.signs.get(written_value(ruleset, "piece", look.sign_by, one.values) or "", look.sign)


def _sign(one: Standing, look: CounterLook, x: float, y: float, size: float, ruleset: Ruleset) -> str:
    name = sign_of(one, look, ruleset)
    if not name:
        return ""
    wide, high = size * 0.42, size * 0.28
    return sign(name, x - wide / 2, y + size * 0.35, wide, high)


def _value(one: Standing, name: str, ruleset: Ruleset) -> str:
    """An attribute in words, or words that the drawing writes; '' where these have nothing to tell."""
    attribute = ruleset.kinds["piece"].attributes.get(name)
    value = one.values.get(name)
    return (value or "") if attribute is None else data_text(value_data(value, attribute.type, ruleset))


def _numbers(one: Standing, look: CounterLook, x: float, y: float, size: float, ink: str, ruleset: Ruleset) -> str:
    told = [text for n in look.numbers if (text := _value(one, n, ruleset))]
    text = " ".join("–" if w == "-" else w for w in told) if told else one.short
    if one.count > 1:
        text = f"×{one.count} {text}".strip()
    if not text:
        return ""
    high = fitted(text, size * 0.94, size * 0.27)
    low = y + size * (0.93 if sign_of(one, look, ruleset) else 0.75)
    return words(text, x, low, high, fill=ink, font_weight="bold")
