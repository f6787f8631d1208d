"""Arrange the content of a space: from the top id, marks, counters, words and name; figures at its side.

Grounds and links are drawn elsewhere, and counters by `counters`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Thing
from interpreter.tools.describe.locale_format import LocaleFormatter
from interpreter.tools.describe.value_format import label_words, value_data
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.geometry import AREA, SIDE, SQUARE, MapGeometry, Point
from interpreter.tools.maps.legend import draw_number
from interpreter.tools.maps.shapes import draw_haloed_text, draw_text, fit_font_size, truncate_text
from interpreter.tools.maps.style import attribute_words

_FIGURES = 3  # longest text that fits into a disc, in characters
_ROW = 10.0  # height of a text row in pixels
_ID = {"flat": -SIDE * 0.66, "pointed": -SIDE * 0.64, "square": -SQUARE * 0.38}
_LOW = {"flat": SIDE * 0.8, "pointed": SIDE * 0.72, "square": SQUARE * 0.45}
_WIDE = {"flat": SIDE * 1.9, "pointed": SIDE * 1.64, "square": SQUARE * 0.95}
_NARROW = {"flat": SIDE * 1.5, "pointed": SIDE * 1.4, "square": SQUARE * 0.95}  # width of a low row in pixels
_BETWEEN = " · "  # separator between texts in one row


@dataclass(frozen=True, slots=True)
class SpaceText:
    """The text written on a space: words in one row, and figures with their index in the drawing's list."""

    words: str = ""
    figures: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SpaceRows:
    """The vertical positions of a space's rows, relative to its middle.

    Base lines of texts, the middle of the marks, and the box (left, top, right, bottom) for counters.
    """

    id: float
    marks: float
    box: tuple[float, float, float, float]
    words: float
    name: float


def rows_of(
    layout: MapGeometry, is_area: bool, written: SpaceText, has_marks: bool, has_counters: bool, has_name: bool
) -> SpaceRows:
    """Compute the rows of a space with this content, so that none overlaps another."""
    if is_area:
        low = AREA[1] / 2 - (21 if has_marks or written.figures else 8)
        top = -AREA[1] / 2 + (35 if written.words else 22)
        return SpaceRows(0.0, AREA[1] / 2 - 12, (-AREA[0] * 0.47, top, AREA[0] * 0.47, low), -18.0, -AREA[1] / 2 + 16)
    id, low = _ID[layout.form], _LOW[layout.form]
    marks = id + 8.5
    right = SQUARE * 0.45 if layout.form == "square" else SIDE * 0.75
    left = -SIDE * 0.46 if written.figures else -right
    name = low if has_counters else low * 0.55
    beneath = [bool(written.words), has_name].count(True)
    bottom = 30.0 if not beneath else low + 1 - _ROW * beneath
    line = (name - _ROW if has_name else low) if has_counters else 4.0
    return SpaceRows(id, marks, (left, marks + 6.5 if has_marks else -24.0, right, bottom), line, name)


def id_text(place: Thing, middle: Point, rows: SpaceRows, is_crossed: bool) -> str:
    """Draw the id of a space of a grid; with a halo if a line runs beneath it."""
    write = draw_haloed_text if is_crossed else draw_text
    return write(place.id, middle[0], middle[1] + rows.id, 10, class_="id", fill="#55503f")


def name_of(place: Thing, is_area: bool, lang: str) -> str:
    """Return the name written on a space: an area's name, or what a grid space is called besides its id."""
    name = label_words(place.label, lang)
    if is_area:
        return truncate_text(name or place.id, 30)
    name = name.replace(place.id, "").strip()
    return "" if not name or name.replace(" ", "_") == place.id else truncate_text(name, 18)


def name_text(name: str, middle: Point, rows: SpaceRows, is_area: bool, layout: MapGeometry) -> str:
    """Draw the name of a space; "" for none."""
    if not name:
        return ""
    size = fit_font_size(name, AREA[0] * 0.94, 13) if is_area else fit_font_size(name, _WIDE[layout.form], 11)
    return draw_haloed_text(name, middle[0], middle[1] + rows.name, size, font_weight="bold", class_="name")


@dataclass(frozen=True, slots=True)
class SpaceValue:
    """One value written on a space: its index in the drawing's list, its key there, its text, and its form."""

    number: int
    name: str
    text: str
    is_figure: bool


def values_on(place: int, motif: DrawingContext, tongue: LocaleFormatter) -> list[SpaceValue]:
    """Return what the drawing writes on the space with this handle; empty values are left out."""
    ruleset, shown = motif.ruleset, motif.shown
    attributes = ruleset.kinds["place"].attributes
    values = {**shown.places[place], **shown.written.get(place, {})}
    found = []
    for n, name in enumerate(ruleset.drawing.numbers):
        attribute, value = attributes.get(name), values.get(name)
        if _is_nothing(value, attribute):
            continue
        if attribute is None:
            text = str(value)
        elif value is True:
            text = attribute_words(attribute, motif.lang)
        else:
            text = tongue.value(value_data(value, attribute.type, ruleset))
        is_figure = isinstance(attribute.type, t.IntType | t.NumberType) if attribute else len(text) <= _FIGURES
        found.append(SpaceValue(n, name, text, is_figure))
    return found


def read_space_text(place: int, motif: DrawingContext, tongue: LocaleFormatter) -> SpaceText:
    """Return the words and figures that the drawing writes on the space with this handle."""
    values = values_on(place, motif, tongue)
    told = [value.text for value in values if not value.is_figure]
    return SpaceText(truncate_text(_BETWEEN.join(told), 24), tuple((v.number, v.text) for v in values if v.is_figure))


def _is_nothing(value: Any, attribute: Attribute | None) -> bool:
    if attribute is not None and not isinstance(attribute.type, t.IntType | t.NumberType):
        # 0 is not empty: it is the handle of the first thing
        return value is None or value is False or value == "" or value == ()
    return value in (None, "", 0, "0")


def draw_space_text(written: SpaceText, middle: Point, rows: SpaceRows, is_area: bool, layout: MapGeometry) -> str:
    """Draw the words and figures of a space: figures at the bottom of an area, else left of the middle."""
    x, y = middle
    parts = []
    if written.words:
        widest = AREA[0] if is_area else _WIDE[layout.form] if rows.words < _ROW else _NARROW[layout.form]
        size = fit_font_size(written.words, widest, 11)
        parts.append(draw_haloed_text(written.words, x, y + rows.words, size, class_="value"))
    first = -9.5 * (len(written.figures) - 1)
    for count, (n, text) in enumerate(written.figures):
        if is_area:
            at = (x + AREA[0] / 2 - 14 - 22 * count, y + AREA[1] / 2 - 12)
        else:
            down = first + 19 * count
            at = (x - SIDE * 0.68 + (6 if layout.form == "flat" and abs(down) > SIDE / 4 else 0), y + down)
        parts.append(draw_number(*at, text, n))
    return "".join(parts)
