"""Marks: signs and words that stand side by side in a space of which something holds.

Must not know when a mark is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.model.drawing import Mark
from interpreter.source.printing import cell_width
from interpreter.tools.maps.geometry import AREA, SIDE, SQUARE, Layout
from interpreter.tools.maps.shapes import INK, element, haloed, shortened, sign, words

_HIGH = 12.0
_GAP = 2.0
_WIDEST = 8  # letters of a mark; what is longer is cut
_PLAIN = "square"  # the sign of a mark that states neither sign nor words


def marks(place: int, marked: Mapping[int, str], looks: Sequence[Mark], layout: Layout) -> str:
    """The marks of one place, by number with their words, in order: above the middle, or low in an area."""
    shown = [(n, shortened(text, _WIDEST)) for n, text in sorted(marked.items()) if text or not _is_text(looks[n])]
    if not shown:
        return ""
    wide = [_width(text) for _, text in shown]
    whole = sum(wide) + _GAP * (len(wide) - 1)
    is_area = place not in layout.on_grid
    size = min(1.0, (AREA[0] / 2 if is_area else _room(layout)) / whole)
    x, y = layout.middles[place]
    if is_area:
        left, middle = x - AREA[0] / 2 + 8, y + AREA[1] / 2 - 12
    else:
        left, middle = x - whole * size / 2, y - _above(layout)
    parts = []
    for (n, text), each in zip(shown, wide, strict=True):
        drawn = _drawn(looks[n], text, left, middle, each * size, _HIGH * size)
        parts.append(element("g", drawn, class_="mark", data_mark=n))
        left += (each + _GAP) * size
    return "".join(parts)


def symbol(look: Mark, sample: str) -> str:
    """The mark as the legend shows it; `sample` stands for words."""
    if _is_text(look):
        return words(sample, 18.0, 4.0, 11, fill=look.colour or INK)
    return sign(look.sign or _PLAIN, 10, -8, 16, 16, look.colour or INK)


def _is_text(look: Mark) -> bool:
    return bool(look.text)


def _width(text: str) -> float:
    return 0.7 * _HIGH * cell_width(text) if text else _HIGH


def _drawn(look: Mark, text: str, x: float, middle: float, wide: float, high: float) -> str:
    colour = look.colour or INK
    if _is_text(look):
        return haloed(text, x + wide / 2, middle + high * 0.36, high, fill=colour, font_weight="bold")
    return sign(look.sign or _PLAIN, x, middle - high / 2, wide, high, colour)


def _above(layout: Layout) -> float:
    """How far above its middle the marks of a space stand: below its id."""
    return {"flat": SIDE * 0.5, "pointed": SIDE * 0.44, "square": SQUARE * 0.27}[layout.form]


def _room(layout: Layout) -> float:
    return {"flat": SIDE * 1.35, "pointed": SIDE * 1.5, "square": SQUARE * 0.92}[layout.form]
