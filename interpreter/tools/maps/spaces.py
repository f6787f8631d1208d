"""Arrange the content of an area: from the top name, words, counters, marks and figures.

Grounds and links are drawn elsewhere, counters by `counters`, and the content of grid spaces by `svg`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.model import types as t
from interpreter.model.area_drawing import Point
from interpreter.model.ruleset import Attribute, Thing
from interpreter.tools.describe.value_format import format_label, to_plain_value
from interpreter.tools.maps.boxes import Box
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.geometry import AREA
from interpreter.tools.maps.legend import draw_number
from interpreter.tools.maps.shapes import draw_haloed_text, draw_text, fit_font_size, truncate_text
from interpreter.tools.maps.style import format_attribute

_FIGURES = 3  # longest text that counts as a figure, in characters
# base lines of the name and of the row of words, and the middle of the row of marks, below the middle of an area
_NAME_LINE, _WORDS_LINE, MARKS_LINE = -AREA[1] / 2 + 16, -18.0, AREA[1] / 2 - 12


@dataclass(frozen=True, slots=True)
class SpaceText:
    """The text written on a space.

    `words`: texts in one row; `figures`: (index in the drawing's list, text) of each figure.
    """

    words: str = ""
    figures: tuple[tuple[int, str], ...] = ()


def compute_counter_box(written: SpaceText, has_marks: bool) -> Box:
    """Return the room for counters in an area, relative to its middle, below the texts and above marks and figures.

    `written`: the texts on the area; `has_marks`: whether it has marks.
    """
    low = AREA[1] / 2 - (21 if has_marks or written.figures else 8)
    return -AREA[0] * 0.47, -AREA[1] / 2 + (35 if written.words else 22), AREA[0] * 0.47, low


def draw_name(place: Thing, middle: Point, lang: str) -> str:
    """Draw the name of an area at its top."""
    name = truncate_text(format_label(place.label, lang) or place.id, 30)
    size = fit_font_size(name, AREA[0] * 0.94, 13)
    look = "g-text g-label g-label-town name"
    return draw_text(name, middle[0], middle[1] + _NAME_LINE, size, class_=look, fill=None, text_anchor=None)


@dataclass(frozen=True, slots=True)
class SpaceValue:
    """A value written on a space.

    `number`: its index in the drawing's list; `name`: its key there; `is_figure`: written as a figure, not as words.
    """

    number: int
    name: str
    text: str
    is_figure: bool


def list_space_values(place: int, context: DrawingContext) -> list[SpaceValue]:
    """Return the values that the drawing writes on the space with the handle `place`, without empty ones."""
    ruleset, position = context.ruleset, context.position
    attributes = ruleset.kinds["place"].attributes
    values = {**position.places[place], **position.texts.get(place, {})}
    space_values = []
    for n, name in enumerate(ruleset.drawing.numbers):
        attribute, value = attributes.get(name), values.get(name)
        if _is_nothing(value, attribute):
            continue
        if attribute is None:
            text = str(value)
        elif value is True:
            text = format_attribute(attribute, context.lang)
        else:
            text = context.say.format_value(to_plain_value(value, attribute.type, ruleset))
        is_figure = isinstance(attribute.type, t.IntType | t.NumberType) if attribute else len(text) <= _FIGURES
        space_values.append(SpaceValue(n, name, text, is_figure))
    return space_values


def format_values(values: Sequence[SpaceValue]) -> str:
    """Return the values of a place that are written as words, as one text."""
    return " · ".join(value.text for value in values if not value.is_figure)


def read_space_text(place: int, context: DrawingContext) -> SpaceText:
    """Return the words and figures that the drawing writes on the space with this handle."""
    values = list_space_values(place, context)
    figures = tuple((value.number, value.text) for value in values if value.is_figure)
    return SpaceText(truncate_text(format_values(values), 24), figures)


def _is_nothing(value: object, attribute: Attribute | None) -> bool:
    if attribute is not None and not isinstance(attribute.type, t.IntType | t.NumberType):
        # 0 is not empty: it is the handle of the first thing
        return value is None or value is False or value == "" or value == ()
    return value in (None, "", 0, "0")


def draw_space_text(written: SpaceText, middle: Point) -> str:
    """Draw the words and figures of an area: below its name, and at its bottom."""
    x, y = middle
    parts = []
    if written.words:
        size = fit_font_size(written.words, AREA[0], 11)
        parts.append(draw_haloed_text(written.words, x, y + _WORDS_LINE, size, class_="value"))
    for count, (n, text) in enumerate(written.figures):
        parts.append(draw_number(x + AREA[0] / 2 - 14 - 22 * count, y + MARKS_LINE, text, n))
    return "".join(parts)
