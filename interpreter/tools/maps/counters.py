"""Draw the counters of a place: as piles in a space of a grid, side by side in an area; leaders ride on their pile.

What a counter shows is decided by the drawing of its class; how it is drawn, by `counter_faces`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from unicodedata import normalize

from interpreter.diagnostics.svg_markup import build_element, escape, sanitize_text
from interpreter.model import types as t
from interpreter.model.area_drawing import Point
from interpreter.model.ruleset import Attribute, Ruleset
from interpreter.tools.describe.value_format import format_label, to_plain_value
from interpreter.tools.maps.boxes import Box
from interpreter.tools.maps.counter_faces import (
    FACE,
    Condition,
    Face,
    Figure,
    choose_ink,
    draw_count,
    draw_edge,
    draw_facing,
    draw_front,
    draw_markers,
)
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.piece_groups import PlacedGroup
from interpreter.tools.maps.scans import draw_scan, find_scan
from interpreter.tools.maps.shapes import draw_text, format_transform
from interpreter.tools.maps.style import (
    MapStyle,
    find_written_value,
    format_number_name,
    list_type_values,
    translate_word,
)

__all__ = ["NOBODY", "CounterBox", "choose_ink"]

LARGEST = 44.0  # side of a counter in an area
ON_GRID = 63.0  # side of a counter in a space of a grid
_SMALL = 0.65  # size, as a share of the largest, below which counters rather reach beyond their box
_BEYOND = 1.6  # width that they may take then, in widths of the box
MAX_COUNTERS = 9  # counters side by side in one area; the rest becomes a number
NOBODY = "#8a8a8a"  # colour of unowned pieces
_STEP = 5.5  # distance of the counters of a pile in units of a face
_OFFSET = _STEP / FACE  # that distance as a share of their side
_DEEPEST = 3  # counters beneath the top of a pile that are offset; deeper ones lie on the last of them
_ALIKE_DEPTH = 2  # edges shown beneath a counter that represents several equal pieces
_RIDER = 0.62  # size of a leader on a pile, as a share of a counter's
_PILE_SIZES = {1: 1.0, 2: 0.68, 3: 0.68 * 0.66}  # size of counters in piles by the number of columns
ON_PILES: Box = (0.0, 0.0, 0.0, 0.0)  # the box of a space of a grid, whose counters lie in piles around its middle


@dataclass(frozen=True, slots=True)
class CounterBox:
    """Square of a counter: its centre and the length of its sides.

    `depth`: how many counters of its pile are above it; `stack`: the size of the pile, for its top counter (else 0).
    `is_rider`: a leader on the edge of a pile, drawn small.
    """

    middle: Point
    size: float
    depth: int = 0
    stack: int = 0
    is_rider: bool = False


def draw_counters(
    groups: Sequence[PlacedGroup], middle: Point, box: Box, context: DrawingContext, scale: float = 1.0
) -> str:
    """Draw all counters of a place around its middle, the lowest of each pile first.

    `box`: the room for counters relative to the middle, or `ON_PILES` in a space of a grid; `scale`: the largest size
    of a counter in an area, relative to the usual one.
    """
    spots = compute_place_boxes(groups, middle, box, context.style, scale)
    parts = [
        draw_counter(group, spot.middle, spot.size, context, spot) for group, spot in order_by_depth(groups, spots)
    ]
    return "".join([*parts, draw_remainder(groups, spots) if box != ON_PILES else ""])


def order_by_depth(groups: Sequence[PlacedGroup], spots: Sequence[CounterBox]) -> list[tuple[PlacedGroup, CounterBox]]:
    """Return counters with their boxes in drawing order: counters beneath others first, riders last."""
    pairs = list(zip(groups, spots, strict=True))
    return sorted(pairs, key=lambda pair: (pair[1].is_rider, -pair[1].depth))


def compute_place_boxes(
    groups: Sequence[PlacedGroup], middle: Point, box: Box, style: MapStyle, scale: float = 1.0
) -> list[CounterBox]:
    """Return the box for each counter of a place: in rows inside `box`, or in piles by side if it is `ON_PILES`.

    `box`: left, top, right and bottom relative to `middle`; `scale`: the largest size of a counter in an area, relative
    to the usual one.
    """
    if box == ON_PILES:
        return _place_in_piles(groups, middle, style)
    return compute_row_boxes(len(groups), middle, box, LARGEST * scale)


def compute_row_boxes(count: int, middle: Point, box: Box, largest: float) -> list[CounterBox]:
    """Return the boxes of `count` counters, at least one, in rows inside a box relative to `middle`.

    `largest`: the largest side of a counter in pixels.
    """
    left, top, right, bottom = box
    shown_count = min(count, MAX_COUNTERS)
    columns, size = _compute_columns(shown_count, (right - left, bottom - top), largest)
    rows = ceil(shown_count / columns)
    half = columns * size / 2
    aside = min(max(0.0, left + half), right - half) if 2 * half <= right - left else (left + right) / 2
    x0, y0 = middle[0] + aside - columns * size / 2, middle[1] + (top + bottom - rows * size) / 2
    spots = []
    for n in range(shown_count):
        in_row = columns if n < (rows - 1) * columns else shown_count - (rows - 1) * columns
        x = x0 + (n % columns) * size + (columns - in_row) * size / 2
        spots.append(CounterBox((x + size / 2, y0 + (n // columns + 0.5) * size), size * 0.92))
    last = spots[-1]
    return spots + [CounterBox(last.middle, last.size, n + 1) for n in range(count - shown_count)]


def _compute_columns(count: int, room: Point, largest: float) -> tuple[int, float]:
    """Return the number of columns that makes `count` counters largest in a room (width, height), and their size.

    Small counters may reach beyond the room at the left and the right. `largest`: the side of a counter that none
    exceeds, in pixels.
    """

    def fit_columns(width: float, largest_size: float) -> tuple[float, int]:
        size, columns = max(
            (min(width / columns, room[1] / ceil(count / columns), largest_size), -columns)
            for columns in range(1, count + 1)
        )
        return size, -columns

    size, columns = fit_columns(room[0], largest / 0.92)
    if size < _SMALL * largest:
        size, columns = fit_columns(room[0] * _BEYOND, _SMALL * largest)
    return columns, size


def _place_in_piles(groups: Sequence[PlacedGroup], middle: Point, style: MapStyle) -> list[CounterBox]:
    """Return the box for each counter, in one pile for each side around `middle`.

    Leaders ride on the pile of their side, or form a pile alone.
    """
    sides = [style.find_side(group.piece.cls, group.values) for group in groups]
    forms = [style.counters[group.piece.cls or ""].form for group in groups]
    mounted = {side for side, form in zip(sides, forms, strict=True) if form != "medal"}
    piles: dict[int | None, list[int]] = {}
    riders: dict[int | None, list[int]] = {}
    for n, (side, form) in enumerate(zip(sides, forms, strict=True)):
        (riders if form == "medal" and side in mounted else piles).setdefault(side, []).append(n)
    columns = 1 if len(piles) <= 1 else 2 if len(piles) <= 4 else 3
    size, rows = ON_GRID * _PILE_SIZES[columns], ceil(len(piles) / columns)
    boxes: dict[int, CounterBox] = {}
    for place, (side, pile) in enumerate(piles.items()):
        row, column = divmod(place, columns)
        in_row = min(columns, len(piles) - row * columns)
        x = middle[0] + (column - (in_row - 1) / 2) * size * 1.04
        y = middle[1] + (row - (rows - 1) / 2) * size * 1.04
        shift = _OFFSET * size * min(len(pile) - 1, _DEEPEST)
        for depth, n in enumerate(pile):
            aside = _OFFSET * size * min(depth, _DEEPEST)
            point = (x - shift / 2 + aside, y + shift / 2 - aside)
            boxes[n] = CounterBox(point, size, depth, len(pile) if depth == 0 and len(pile) > 1 else 0)
        for order, n in enumerate(riders.get(side, ())):
            point = (x - shift / 2 - size / 2, y + shift / 2 + size * (-0.1 + 0.32 * order))
            boxes[n] = CounterBox(point, size * _RIDER, 0, 0, True)
    return [boxes[n] for n in range(len(groups))]


def draw_remainder(groups: Sequence[PlacedGroup], spots: Sequence[CounterBox]) -> str:
    """Draw the number of counters of an area beyond the ninth as "+N"; return "" if it has nine or fewer.

    `spots`: the boxes of the counters that are drawn.
    """
    if len(groups) <= MAX_COUNTERS:
        return ""
    x, y = max(s.middle[0] + s.size / 2 for s in spots), max(s.middle[1] + s.size / 2 for s in spots)
    return draw_text(f"+{len(groups) - MAX_COUNTERS}", x + 8, y, 11, font_weight="bold", class_="g-text")


def draw_counter(
    group: PlacedGroup, middle: Point, size: float, context: DrawingContext, spot: CounterBox | None = None
) -> str:
    """Draw a counter with its tooltip around a point; `spot` is its box in a pile, or None outside one.

    `size`: the length of its sides in pixels.
    """
    return build_element(
        "g",
        [build_element("title", _format_title(group, context)), draw_inner_counter(group, context, spot)],
        class_="counter",
        data_piece=group.piece.id,
        data_count=group.count,
        transform=_format_transform(middle, size),
    )


def draw_inner_counter(group: PlacedGroup, context: DrawingContext, spot: CounterBox | None = None) -> str:
    """Draw a counter around (0, 0) in units of its face; `spot` is its box in a pile, or None outside one.

    A counter beneath others shows only its edge, a leader on a pile is marked as one (class `c-rider`), and the top
    counter shows the number of counters in the pile.
    """
    face = build_face(group, context)
    beneath = _draw_edges(face)
    if spot is not None and spot.depth:
        return beneath + draw_edge(face)
    markup = draw_facing(face) + beneath + _draw_front(group, face, context)
    if spot is not None and spot.is_rider:
        markup = build_element("g", markup, class_="c-rider")
    return markup + (draw_count(spot.stack) if spot is not None and spot.stack else "")


def _draw_edges(face: Face) -> str:
    """Draw the edges of the counters of a pile beneath its top counter, the lowest first."""
    return "".join(
        build_element("g", draw_edge(face), transform=format_transform(_STEP * n, -_STEP * n))
        for n in range(min(face.count - 1, _ALIKE_DEPTH), 0, -1)
    )


def _format_transform(middle: Point, size: float) -> str:
    return format_transform(*middle, size / FACE)


def draw_face(group: PlacedGroup, middle: Point, size: float, context: DrawingContext) -> str:
    """Draw a counter around a point without its facing mark; interchangeable pieces as a pile with their number.

    `size`: the length of the sides, or of the pile, in pixels.
    """
    face = build_face(group, context)
    pile = min(group.count - 1, _ALIKE_DEPTH)
    zoom = size / (FACE + _STEP * pile)
    aside = _STEP * pile / 2 * zoom
    return build_element(
        "g",
        _draw_edges(face) + _draw_front(group, face, context),
        transform=_format_transform((middle[0] - aside, middle[1] + aside), FACE * zoom),
    )


def _draw_front(group: PlacedGroup, face: Face, context: DrawingContext) -> str:
    """Draw the front of a counter: its scan with its markers if there is one, else the face `face`."""
    scan = find_scan(group, context)
    if scan is None:
        return draw_front(face)
    return draw_scan(scan, group.count, context.is_linked) + "".join(draw_markers(face))


def draw_arrow(group: PlacedGroup, middle: Point, size: float, context: DrawingContext) -> str:
    """Draw the facing mark of a counter whose sides are `size` pixels long; "" without a facing."""
    arrow = draw_facing(build_face(group, context))
    return build_element("g", arrow, transform=_format_transform(middle, size)) if arrow else ""


def build_face(group: PlacedGroup, context: DrawingContext) -> Face:
    """Return the content of a counter's face."""
    ruleset, look = context.ruleset, context.get_style(group)
    is_alike = ruleset.classes[group.piece.cls or ""].alike
    side = context.style.find_side(group.piece.cls, group.values)
    figures = list_shown_figures(group, context)
    if not figures and group.short and (not look.sign or len(group.short) < _MAX_SHORT_FORM_LENGTH):
        figures = (Figure("", group.short),)
    if is_alike and group.count == 1 and not figures:
        figures = (Figure("", "×1"),)
    angle = compute_arrow_angle(group, context)
    return Face(
        "" if is_alike else get_name(group, context.lang),
        get_colour(group, context.style),
        side is not None and side % 2 == 1,
        get_letter(group, context) if is_alike else "",
        look.bands.get(find_written_value(ruleset, "piece", look.band_by, group.values) or "", ""),
        get_sign(group, context),
        figures,
        list_conditions(group, context),
        group.count,
        _get_steps(group, context),
        angle,
        angle is not None and _is_to_side(angle, context.geometry.form),
        look.form,
    )


_MAX_SHORT_FORM_LENGTH = 12  # characters of a short form that fits below a sign


def _get_steps(group: PlacedGroup, context: DrawingContext) -> tuple[int, int] | None:
    look = context.get_style(group)
    remaining, total = group.values.get(look.steps), group.values.get(look.full_steps)
    return (int(remaining), int(total)) if look.steps and remaining is not None and total else None


def _is_to_side(angle: float, form: str) -> bool:
    """Return True if a direction points at a side of a space, not at a corner.

    `angle`: degrees clockwise from the top; `form`: the form of the grid, "flat", "pointed", "square" or "areas".
    """
    step, first = {"flat": (60, 0), "pointed": (60, 30), "square": (90, 0)}.get(form, (360, 0))
    return form == "areas" or abs((angle - first + step / 2) % step - step / 2) < step / 4


def get_name(group: PlacedGroup, lang: str) -> str:
    """Return the name of a counter."""
    return format_label(group.piece.label, lang) or group.piece.id


def get_colour(group: PlacedGroup, style: MapStyle) -> str:
    """Return the colour of a counter's side."""
    side = style.find_side(group.piece.cls, group.values)
    return style.sides[side][0] if side is not None else NOBODY


def get_letter(group: PlacedGroup, context: DrawingContext) -> str:
    """Return the letter of a counter's side, or "" for unowned pieces.

    Uses the first letters of the translated names if they are all different, for other scripts. Two letters are used
    where the first ones differ only by a diacritic, because these look alike on a counter.
    """
    side = context.style.find_side(group.piece.cls, group.values)
    if side is None:
        return ""
    names = [format_label(thing.label, context.lang) for thing in context.ruleset.kinds["side"].things]
    initials = Counter(normalize("NFD", name)[:1] for name in names)
    letters = [name[: 2 if initials[normalize("NFD", name)[:1]] > 1 else 1] for name in names]
    is_apart = len(set(letters)) == len(letters) and not any(abbreviation.isascii() for abbreviation in letters)
    return letters[side] if is_apart else context.style.sides[side][1]


def compute_arrow_angle(group: PlacedGroup, context: DrawingContext) -> float | None:
    """Return a counter's facing in degrees clockwise from the top, or None without a facing."""
    look = context.get_style(group)
    written = find_written_value(context.ruleset, "piece", look.arrow, group.values)
    if written is None:
        return None
    return float(look.angles[written]) if written in look.angles else context.geometry.compute_bearing(written)


def get_sign(group: PlacedGroup, context: DrawingContext) -> str:
    """Return the name of the counter's sign, or "" for none."""
    look = context.get_style(group)
    return look.signs.get(find_written_value(context.ruleset, "piece", look.sign_by, group.values) or "", look.sign)


def list_shown_figures(group: PlacedGroup, context: DrawingContext) -> tuple[Figure, ...]:
    """Return the figures of a counter in the order of its drawing; a whole number that is its default 0 is left out."""
    look, ruleset = context.get_style(group), context.ruleset
    attributes = ruleset.kinds["piece"].attributes
    figures = []
    for key in look.numbers:
        attribute, value = attributes.get(key), group.values.get(key)
        if attribute is not None and _is_unused(attribute, value):
            continue
        if text := _format_value(group, key, context):
            name = format_label(look.names.get(key, {}), context.lang)
            name = name or format_number_name(ruleset, key, attributes, context.lang)
            figures.append(Figure(name, text, look.frames.get(key, "")))
    return tuple(figures)


def _is_unused(attribute: Attribute, value: object) -> bool:
    return value == 0 and attribute.default == 0 and isinstance(attribute.type, t.IntType | t.NumberType)


def list_conditions(group: PlacedGroup, context: DrawingContext) -> tuple[Condition, ...]:
    """Return the conditions for which a counter has markers, in the order of its drawing."""
    conditions, ruleset = [], context.ruleset
    for marker_group in context.get_style(group).markers or ():
        value = find_written_value(ruleset, "piece", marker_group.by, group.values)
        style = marker_group.looks.get(value or "")
        if style is not None and value is not None:
            meaning = describe_condition(
                ruleset, marker_group.by, value, format_label(style.name, context.lang), context.lang
            )
            conditions.append(Condition(style, meaning, (style.letter or meaning[:1]).upper()))
    return tuple(conditions)


def describe_condition(ruleset: Ruleset, key: str, value: str, stated: str, lang: str) -> str:
    """Return the meaning of a marker: the stated words, the name of a flag, or the words of a value.

    `key`: the key whose value the marker shows; `value`: this value as written; `stated`: the author's words or "".
    """
    attributes = ruleset.kinds["piece"].attributes
    if stated:
        return stated
    if value == "true" or key not in attributes:
        return format_number_name(ruleset, key, attributes, lang)
    known = {named.id: named.text for named in list_type_values(attributes[key].type, ruleset, lang)}
    return known.get(value) or translate_word(ruleset, value, lang)


def _format_title(group: PlacedGroup, context: DrawingContext) -> str:
    """Return the tooltip of a counter: name, id, figures with their names, conditions, and values of its look."""
    facts = [f"{figure.name} {figure.text}".strip() for figure in list_shown_figures(group, context)]
    facts += [condition.words for condition in list_conditions(group, context)]
    ruleset, look = context.ruleset, context.get_style(group)
    attributes = ruleset.kinds["piece"].attributes
    for name in dict.fromkeys((look.owner, look.arrow, look.sign_by, look.band_by)):
        if name in attributes and (text := _format_value(group, name, context)):
            facts.append(f"{format_number_name(ruleset, name, attributes, context.lang)} {text}")
    count = f" x{group.count}" if group.count > 1 else ""
    name = f"{get_name(group, context.lang)} ({group.piece.id}){count}"
    return escape(sanitize_text(f"{name}: {', '.join(facts)}" if facts else name))


def _format_value(group: PlacedGroup, name: str, context: DrawingContext) -> str:
    """Return the value of the attribute or expression `name` as text; "" if there is nothing to show."""
    attribute = context.ruleset.kinds["piece"].attributes.get(name)
    value = group.values.get(name)
    if attribute is None:
        return str(value or "")
    if value is None:
        return ""
    return context.say.format_value(to_plain_value(value, attribute.type, context.ruleset))
