"""Content of grid spaces above their ground: tints, ids, figures, words and marks.

Tints and ids are below the counters; figures and marks are above them, at the rim of their space, so that none is
hidden.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics.svg_markup import element, format_coordinate
from interpreter.tools.maps.counter_faces import ink_on
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.geometry import SIDE, SQUARE, Point
from interpreter.tools.maps.ground_plan import is_tint
from interpreter.tools.maps.marks import draw_marks
from interpreter.tools.maps.shapes import (
    draw_text,
    fit_font_size,
    format_transform,
    path_data,
    text_width,
    truncate_text,
)
from interpreter.tools.maps.spaces import SpaceText, read_space_text
from interpreter.tools.maps.style import written_value

_ID_SIZE = 7.4
_ID = {"flat": -SIDE * 0.866 + 8.8, "pointed": -SIDE * 0.66, "square": -SQUARE / 2 + 9.6}
_ROW = {"flat": SIDE * 0.866 - 9, "pointed": SIDE * 0.62, "square": SQUARE / 2 - 9}  # the middle of the marks
_FLAG = 11.0  # height of a standard's cloth
_ROOM = 60.0  # width for words across a space


def draw_tint_and_id(place: int, context: DrawingContext, with_id: bool, pale: bool = False) -> str:
    """Draw the tint of a space whose colour changes in play, and its id; "" for neither."""
    ruleset, layout, looks = context.ruleset, context.layout, context.looks
    (x, y), thing = layout.middles[place], ruleset.kinds["place"].things[place]
    shapes = []
    if is_tint(ruleset, looks):
        fill = looks.fill_of(written_value(ruleset, "place", looks.fill, context.position.places[place]))
        if fill is not None and fill.is_own_colour:
            outline = path_data([(x + a, y + b) for a, b in layout.corners], close=True)
            shapes.append(element("path", d=outline, fill=fill.look.colour, fill_opacity="0.4"))
            if fill.look.pattern:
                shapes.append(element("path", d=outline, fill=f"url(#pattern-{fill.look.pattern})"))
    if with_id:
        look = f"g-text g-number{' g-number-pale' if pale else ''} id"
        shapes.append(draw_text(thing.id, x, y + _ID[layout.form], _ID_SIZE, class_=look, fill=None, text_anchor=None))
    return element("g", shapes, class_="place", data_place=thing.id) if shapes else ""


def draw_figures_and_marks(place: int, context: DrawingContext) -> str:
    """Draw the figures, words and marks of a space; "" if it has none."""
    ruleset, layout = context.ruleset, context.layout
    middle, written = layout.middles[place], read_space_text(place, context, context.formatter)
    parts = [*_draw_standards(written, middle, _holder_colour(place, context))]
    if written.words:
        text = truncate_text(written.words, 24)
        size = fit_font_size(text, _ROOM, 9.5)
        y = middle[1] + _ROW[layout.form] + 3
        parts.append(draw_text(text, middle[0], y, size, class_="g-text g-label g-label-minor value", fill=None))
    if drawn := draw_marks(
        context.position.marked.get(place, {}), ruleset.drawing.marks, middle, _ROW[layout.form], layout.form
    ):
        parts.append(element("g", drawn, class_="marks", data_place=ruleset.kinds["place"].things[place].id))
    return "".join(parts)


def _holder_colour(place: int, context: DrawingContext) -> tuple[str, int] | None:
    """Return the colour and the number of the side that holds a place, or None."""
    holder = context.ruleset.drawing.holder
    side: int | None = context.position.places[place].get(holder) if holder else None
    return (context.looks.sides[side][0], side) if side is not None and side in context.looks.sides else None


def _draw_standards(written: SpaceText, middle: Point, holder: tuple[str, int] | None) -> Iterable[str]:
    """Draw each figure on a small standard at the left corner, the later ones below."""
    for row, (number_of, text) in enumerate(written.figures):
        wide = max(13.0, text_width(text, 9.2) * 0.9 + 5)
        x, y = middle[0] - 34 - wide, middle[1] + 6 + row * 15 - 7 * (len(written.figures) - 1)
        end, notch = format_coordinate(wide + 2), format_coordinate(wide - 1.2)
        cut = f"M0-13H{end}L{notch}-7.5 {end}-2H0Z"
        cloth = cut if holder and holder[1] % 2 else f"M0-13H{format_coordinate(wide)}V-2H0Z"
        look = (
            {"fill": holder[0], "stroke": "#fff"}
            if holder and number_of == 0
            else {"fill": "#fffbe8", "stroke": "#3a2c1c"}
        )
        from_holder = holder is not None and number_of == 0
        tone = "c-light" if from_holder and holder is not None and _is_dark(holder[0]) else "c-dark"
        parts = [
            element("path", class_="c-pole", d="M0 7V-14"),
            element("path", d=cloth, stroke_width="1.2", **look),
            element("text", text, class_=f"c-text {tone}", x=format_coordinate(wide / 2), y="-4.2", font_size=9.2),
        ]
        yield element("g", parts, transform=format_transform(x, y), class_="figure")


def _is_dark(colour: str) -> bool:
    return ink_on(colour) == "#ffffff"
