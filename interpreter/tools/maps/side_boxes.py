"""Draw the area below a map: the turn track, and boxes for the places beside the map.

The turn track is a row of fields, the current turn framed. Each box has its place's name and the counters in it; an
empty place has no box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.diagnostics.svg_markup import build_element
from interpreter.i18n.translator import Translator
from interpreter.model.ruleset import Thing
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.maps.counters import draw_counter
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.piece_groups import PlacedGroup
from interpreter.tools.maps.shapes import draw_lines, draw_text, estimate_text_width, format_path, truncate_text

_CELL = 44.0  # size of a counter's cell in pixels
_COUNTER = 36.0
_COLUMNS = 12
_HEAD = 22.0
_EDGE = 6.0
_GAP = 12.0
_LETTERS = 40
_SIZE = 11.0
_HEADING = {"text_anchor": "start", "font_weight": "bold"}


def draw_boxes(context: DrawingContext, width: float) -> tuple[str, float]:
    """Draw the boxes of the places off the map that hold pieces, in rows within a width, from (0, 0).

    Return the markup and its height in pixels.
    """
    places = context.ruleset.kinds["place"].things
    groups = context.position.off_map_groups
    boxes, lowest = _place_boxes(
        [_compute_size(places[n], members, context.lang) for n, members in groups.items()], width
    )
    markup = [
        _draw_box(places[n], members, box, context) for (n, members), box in zip(groups.items(), boxes, strict=True)
    ]
    return "".join(markup), lowest


_Rectangle = tuple[float, float, float, float]  # left, top, width and height


def _place_boxes(sizes: Sequence[tuple[float, float]], width: float) -> tuple[list[_Rectangle], float]:
    """Place boxes in as few rows as a width allows, all about equally long; return them and their total height."""
    boxes, lowest = _wrap_boxes(sizes, width)
    for count in range(1, len(sizes)):
        row = sum(wide + _GAP for wide, _ in sizes[:count]) - _GAP
        shorter, deep = _wrap_boxes(sizes, row)
        if row <= width and deep <= lowest:
            return shorter, deep
    return boxes, lowest


def _wrap_boxes(sizes: Sequence[tuple[float, float]], width: float) -> tuple[list[_Rectangle], float]:
    """Place boxes in rows within a width; return them and their total height."""
    x = y = lowest = 0.0
    boxes = []
    for wide, high in sizes:
        if x and x + wide > width + 0.01:
            x, y = 0.0, lowest + _GAP
        boxes.append((x, y, wide, high))
        lowest = max(lowest, y + high)
        x += wide + _GAP
    return boxes, lowest


def _get_title(place: Thing, lang: str) -> str:
    return truncate_text(format_label(place.label, lang) or place.id, _LETTERS)


def _compute_size(place: Thing, groups: Sequence[PlacedGroup], lang: str) -> tuple[float, float]:
    rows = -(-len(groups) // _COLUMNS)
    wide = max(min(len(groups), _COLUMNS) * _CELL, estimate_text_width(_get_title(place, lang), _SIZE)) + 2 * _EDGE
    return wide, _HEAD + rows * _CELL + _EDGE


def _draw_box(place: Thing, groups: Sequence[PlacedGroup], box: _Rectangle, context: DrawingContext) -> str:
    (x, y, wide, high), title = box, _get_title(place, context.lang)
    parts = [
        build_element("rect", x=x, y=y, width=wide, height=high, rx=6, class_="g-box"),
        draw_text(title, x + _EDGE, y + 15, _SIZE, **_HEADING, class_="g-text box-name", fill=None),
    ]
    for n, group in enumerate(groups):
        middle = (x + _EDGE + (n % _COLUMNS + 0.5) * _CELL, y + _HEAD + (n // _COLUMNS + 0.5) * _CELL)
        parts.append(draw_counter(group, middle, _COUNTER, context))
    return build_element("g", parts, class_="box", data_place=place.id)


_FIELD = (74.0, 42.0)
_POINTER = 9.0
_ROW = _FIELD[1] + _POINTER  # height of a row of fields
_MAX_TURNS = 60  # turns; a longer track is not drawn


def draw_turn_track(
    turns: range, now: int, titles: Mapping[int, str], width: float, say: Translator
) -> tuple[str, float]:
    """Draw a field for each turn in rows within a width, from (0, 0); return the markup and its height in pixels.

    `now`: the present turn; `titles`: the names of turns by number. Returns "" and 0 if the game has no turns or too
    many.
    """
    if not turns or len(turns) > _MAX_TURNS:
        return "", 0.0
    columns = max(1, int(width // _FIELD[0]))
    rows = -(-len(turns) // columns)
    columns = -(-len(turns) // rows)  # rows of about the same length
    fields = []
    for n, turn in enumerate(turns):
        x, y, name = (n % columns) * _FIELD[0], (n // columns) * _ROW, say("turn {number}", number=turn)
        fields.append((turn == now, _draw_field(turn, name, turn == now, titles.get(turn, ""), x, y)))
    # the current one is drawn last, because its frame overlaps its neighbours
    fields.sort(key=lambda field: field[0])
    return build_element("g", [markup for _, markup in fields], class_="turns"), rows * _ROW


def _draw_field(turn: int, name: str, is_now: bool, title: str, x: float, y: float) -> str:
    """Draw one field of the turn track with its upper left corner at (x, y); a pointer marks the present turn."""
    wide, high = _FIELD
    top, middle = y + _POINTER, x + wide / 2
    parts = [
        build_element("rect", x=x, y=top, width=wide, height=high, class_="g-box g-box-now" if is_now else "g-box"),
        draw_text(name, middle, top + (14.0 if title else 26.0), 11.5, font_weight="bold", class_="g-text", fill=None),
    ]
    if title:
        parts.append(draw_lines(title, middle, top + 29, (wide - 6, 22.0), 9.5, class_="g-text", fill=None))
    if is_now:
        points = [(middle - 7, y), (middle + 7, y), (middle, y + _POINTER)]
        parts.append(build_element("path", d=format_path(points, True), class_="g-ink-full"))
    return build_element("g", parts, class_="turn", data_turn=turn, data_now="yes" if is_now else None)
