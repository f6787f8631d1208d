"""Draw a map of areas in layers: the ground, borders and lines, lettering and figures, the panel, the counters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from interpreter.diagnostics.svg_markup import build_element
from interpreter.model.area_drawing import AreaStyle, Landscape, Lettering, Line
from interpreter.model.ruleset import Thing
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.maps.areas import emblems, furniture, ground
from interpreter.tools.maps.areas.label_placement import LabelSpot, trim_box
from interpreter.tools.maps.areas.lettering import (
    BOLD,
    ITALIC,
    ROMAN,
    TextLook,
    compute_fitting_size,
    define_letters,
    draw_curved_text,
    draw_line_of_text,
    draw_plain_text,
)
from interpreter.tools.maps.areas.plan import AreaPlan, LabelPlan
from interpreter.tools.maps.areas.planes import find_point_along
from interpreter.tools.maps.areas.tones import Pair, choose_line_tone, choose_shades, format_tone
from interpreter.tools.maps.areas.town_labels import (
    CITY,
    TOWN,
    compute_figure_offsets,
    compute_letter_circles,
    format_area_name,
    get_lettering_text,
    get_style,
    is_city,
    iter_letter_boxes,
    plan_labels,
)
from interpreter.tools.maps.boxes import Box
from interpreter.tools.maps.counters import draw_counters
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.marks import draw_marks
from interpreter.tools.maps.painting.curves import PointIndex
from interpreter.tools.maps.shapes import break_lines, format_path, format_point
from interpreter.tools.maps.spaces import SpaceValue, format_values, list_space_values
from interpreter.tools.maps.style import LineLook, format_number_name

_NAME = 16.0  # largest name of an area without stated lettering, in pixels
_NAME_HIGH = 34.0  # height of a name in two lines
_LINE = 1.08
_WORDS = 12.0
_FIGURES = 22.0  # height of the row of figures
_SIGN = 6.5  # radius of a hill or tree that no letter may cover, in pixels
_DOTTED = {"stroke_width": 2.6, "stroke_dasharray": "1.5 5", "stroke_linecap": "round"}
_THIN, _THICK = 1.4, 4.0
_MIN_COUNTER_SHARE = 0.6  # share of the width or height of a box for counters that letters leave at least
_OWN_CENTRE = 75.0  # half the width that `marks` takes for that of an area


@dataclass(frozen=True, slots=True)
class _Rows:
    """Layout of an area's content: the lines of its name with their font size, and heights on the sheet in pixels.

    `name_line` and `words_line`: the base lines of the name's first line and of the values in words; `figures_line`:
    the middle of the figures; `box`: left, top, right and bottom of the room for counters.
    """

    name: tuple[str, ...]
    size: float
    name_line: float
    words_line: float
    box: Box
    figures_line: float


def draw_area_layers(context: DrawingContext, plan: AreaPlan) -> tuple[list[list[str]], list[str]]:
    """Draw a map of areas as layers of markup, from bottom to top; `plan` is its geometry.

    Return (grounds, counters): everything beneath the counters by level, from the sea to the names and the panel, where
    elements of one level do not overlap; and the counters of each area.
    """
    landscape = context.ruleset.drawing.area_map.landscape
    places = context.ruleset.kinds["place"].things
    ids = {n: places[n].id for n in plan.outlines}
    seas = {n: ground.SEAS[k % len(ground.SEAS)] for k, n in enumerate(sorted(plan.waters))}
    styles = context.ruleset.drawing.area_map.areas
    colours: dict[int, Pair | str] = {
        n: choose_shades(styles[n].colour)[0] if n in styles and styles[n].colour else seas[n] for n in seas
    }
    grounds = {n: _build_ground(context, plan, n, ids[n]) for n in plan.outlines if n not in plan.waters}
    areas = [
        ground.draw_water_area(plan, n, ids[n]) if n in plan.waters else ground.draw_area(plan, n, grounds[n])
        for n in plan.outlines
    ]
    lines, straits = _draw_links(context, plan)
    values = _collect_values(context, plan)
    boxes = _compute_counter_boxes(context, plan, values)
    labels = plan_labels(context, plan, values, boxes)
    written_here = [_draw_content(context, plan, n, values[n], labels) for n in plan.outlines]
    over = [*_draw_landscape_names(context, labels), *written_here]
    furnished = _draw_furniture(context, plan)
    defined = define_letters("".join([*over, furnished]))
    country = ground.draw_landscape(_remove_covered_signs(context, plan, labels))
    sea = ground.draw_sea(plan, landscape, colours) + ground.draw_land_out_of_play(plan)
    levels = [
        [build_element("defs", ground.define_ground(plan, grounds) + defined)],
        [build_element("g", sea, clip_path="url(#am-sheet)")],
        areas,
        [ground.draw_common_edges(plan), ground.draw_paper(plan), country, ground.draw_coasts(plan)],
        lines,
        straits,
        over,
        [furnished],
    ]
    counters = [
        draw_counters(groups, context.geometry.middles[n], boxes[n], context, plan.get_scale(n))
        for n in plan.outlines
        if (groups := context.position.groups.get(n))
    ]
    return levels, counters


def compute_area_boxes(context: DrawingContext, plan: AreaPlan) -> dict[int, Box]:
    """Return the box for counters of each area (left, top, right, bottom from its middle)."""
    return _compute_counter_boxes(context, plan, _collect_values(context, plan))


def _compute_counter_boxes(
    context: DrawingContext, plan: AreaPlan, values: Mapping[int, Sequence[SpaceValue]]
) -> dict[int, Box]:
    """Return the box for counters of each area relative to its middle, without the letters of names along curves.

    Where letters reach into a box, it is cut back. `values`: the values that the drawing writes on each area.
    """
    letters, boxes = tuple(iter_letter_boxes(context, plan)), {}
    for n, written in values.items():
        box = _lay_out_rows(context, plan, n, written).box
        least = (_MIN_COUNTER_SHARE * (box[2] - box[0]), _MIN_COUNTER_SHARE * (box[3] - box[1]))
        left, top, right, bottom = trim_box(box, letters, least) if letters else box
        x, y = context.geometry.middles[n]
        boxes[n] = left - x, top - y, right - x, bottom - y
    return boxes


def _collect_values(context: DrawingContext, plan: AreaPlan) -> dict[int, list[SpaceValue]]:
    return {n: list_space_values(n, context) for n in plan.outlines}


def _build_ground(context: DrawingContext, plan: AreaPlan, place: int, id: str) -> ground.AreaGround:
    looks = context.style
    fill = looks.find_fill(context.ruleset, context.position.places[place])
    stated_colour = fill.look.colour if fill and len(looks.fills) > 1 and not fill.is_uncoloured_default else ""
    colour = get_style(context, place).colour or stated_colour or ground.POLITICAL[plan.tints[place]]
    return ground.AreaGround(id, colour, fill.look.pattern if fill else "")


# --- lettering --------------------------------------------------------------------------------------


def _lay_out_rows(context: DrawingContext, plan: AreaPlan, place: int, values: Sequence[SpaceValue]) -> _Rows:
    """Lay out an area's content in its box: name and words above the counters, figures and marks below.

    `place`: the handle of the area; `values`: the values that the drawing writes on it.
    """
    style = get_style(context, place)
    left, top, right, bottom = plan.contents[place]
    if place in plan.counters:
        return _Rows((), 0.0, top, top, plan.counters[place], bottom + 12)
    wide, high = right - left, bottom - top
    share, grown = min(1.0, wide / (2 * _OWN_CENTRE)), plan.get_scale(place)
    lines: tuple[str, ...] = ()
    size, down = 0.0, top
    if not style.lettering:
        name = format_area_name(context, context.ruleset.kinds["place"].things[place])
        broken, size = break_lines(
            name, (wide * 0.98, min(_NAME_HIGH * grown, high * 0.36)), max(8.0, _NAME * share * grown), True
        )
        lines = tuple(broken)
        down = top + size * (0.3 + _LINE * len(lines))
    has_words = any(not v.is_figure for v in values) and style.site is None
    words_line = down + _WORDS * share * 0.85
    down = words_line + 3 if has_words else down + 2
    has_low_row = bool(context.position.marked.get(place)) or (style.site is None and any(v.is_figure for v in values))
    low = bottom - (_FIGURES * share if has_low_row else 2)
    low = max(low, down + 10)
    return _Rows(lines, size, top + size * 0.86, words_line, (left, down, right, low), bottom - _FIGURES * share / 2)


def _draw_content(
    context: DrawingContext, plan: AreaPlan, place: int, values: Sequence[SpaceValue], labels: LabelPlan
) -> str:
    """Draw the name, town, figures and marks of an area.

    `place`: the handle of the area; `values`: the values that the drawing writes on it; `labels`: the spots of towns.
    """
    thing, style = context.ruleset.kinds["place"].things[place], get_style(context, place)
    rows = _lay_out_rows(context, plan, place, values)
    left, _top, right, _bottom = plan.contents[place]
    middle, is_water = (left + right) / 2, place in plan.waters
    parts = [
        _draw_lettering(lettering, get_lettering_text(lettering, context) or format_area_name(context, thing), is_water)
        for lettering in style.lettering
    ]
    for n, line in enumerate(rows.name):
        point = (middle, rows.name_line + n * rows.size * _LINE)
        fill, font = ("sea_name", ITALIC) if is_water else ("name", BOLD)
        write = draw_plain_text if plan.is_large else draw_line_of_text
        parts.append(
            write(
                line, point, TextLook(compute_fitting_size(line, right - left, rows.size, font), fill, font, halo=3.4)
            )
        )
    name_markup = build_element("g", [p for p in parts if p], class_="name", data_place=thing.id) if any(parts) else ""
    if style.site is not None:
        value_markup = _draw_site(context, style, values, labels.sites.get(place))
    else:
        value_markup = _draw_values(context, values, rows, (left, right))
    marked = context.position.marked.get(place, {})
    low = draw_marks(marked, context.ruleset.drawing.marks, (left + _OWN_CENTRE, rows.figures_line), 0.0, None)
    mark_markup = build_element("g", low, class_="marks", data_place=thing.id) if low else ""
    return name_markup + value_markup + mark_markup


def _remove_covered_signs(context: DrawingContext, plan: AreaPlan, labels: LabelPlan) -> Landscape:
    """Return the landscape without the hills, trees and marshes that a letter of a name would cover."""
    landscape = context.ruleset.drawing.area_map.landscape
    names = [spot.box for spot in (*labels.towns, *labels.sites.values())]
    circles = [
        *compute_letter_circles(context, plan),
        *(circle for box in names for circle in _compute_letter_circles(box)),
    ]
    index = PointIndex(max((r for *_, r in circles), default=1.0))
    for x, y, r in circles:
        index.add((x, y), r)
    return replace(
        landscape,
        hills=tuple(
            hill for hill in landscape.hills if not index.is_near((hill.x, hill.y - 2), _SIGN * hill.size / 100)
        ),
        woods=tuple(sign for sign in landscape.woods if not index.is_near(sign, _SIGN)),
        marshes=tuple(sign for sign in landscape.marshes if not index.is_near(sign, _SIGN)),
    )


def _compute_letter_circles(box: Box) -> list[tuple[float, float, float]]:
    """Return circles (x, y, radius) in a row that cover the letters of a line of text with this box."""
    left, top, right, bottom = box
    high = bottom - top
    count = max(1, round((right - left) / high * 1.5))
    return [(left + (right - left) * (n + 0.5) / count, (top + bottom) / 2, high * 0.43) for n in range(count)]


def _draw_lettering(lettering: Lettering, text: str, is_water: bool) -> str:
    if not text.strip():
        return ""
    if is_water or lettering.is_water:
        return draw_curved_text(text, lettering, "sea_name", ITALIC)
    halo = max(2.0, min(3.4, lettering.size / 8))
    return draw_curved_text(text.upper(), lettering, "name", ROMAN, halo)


def _draw_values(context: DrawingContext, values: Sequence[SpaceValue], rows: _Rows, ends: tuple[float, float]) -> str:
    """Draw an area's values: texts in one row below its name, figures right-aligned below its counters.

    `ends`: the left and right end of the row in pixels.
    """
    left, right = ends
    words = format_values(values)
    parts = []
    if words:
        size = compute_fitting_size(words, right - left, _WORDS, ITALIC)
        parts.append(
            draw_line_of_text(words, ((left + right) / 2, rows.words_line), TextLook(size, "soft", ITALIC, halo=2.2))
        )
    figures = [v for v in values if v.is_figure]
    for n, value in enumerate(figures):
        parts.append(_draw_figure(context, value, (right - 12 - 22 * n, rows.figures_line)))
    return "".join(parts)


def _draw_figure(context: DrawingContext, value: SpaceValue, middle: tuple[float, float]) -> str:
    form = context.ruleset.drawing.area_map.badges.get(value.name, "")
    if form == "shield":
        return emblems.draw_shield(middle, value.text)
    if form == "wreath":
        return emblems.draw_wreath(middle, value.text)
    return emblems.draw_disc(middle, value.text)


def _draw_site(context: DrawingContext, style: AreaStyle, values: Sequence[SpaceValue], spot: LabelSpot | None) -> str:
    """Draw the town of an area: its sign, its figures in a row, and its name at the chosen spot, if it has one."""
    assert style.site is not None
    x, y = style.site
    has_star = is_city(context, values)
    parts = [emblems.draw_star((x, y))] if has_star else []
    figures = [value for value in values if value.is_figure]
    for value, offset in zip(figures, compute_figure_offsets(style.side, len(figures), has_star), strict=True):
        parts.append(_draw_figure(context, value, (x + offset, y - (2 if has_star else 0))))
    if spot is not None:
        parts.append(
            draw_line_of_text(format_values(values), spot.point, TextLook(CITY, "ink", BOLD, halo=3), spot.anchor)
        )
    return "".join(parts)


def _draw_landscape_names(context: DrawingContext, labels: LabelPlan) -> list[str]:
    landscape = context.ruleset.drawing.area_map.landscape
    parts = [_draw_lettering(item, get_lettering_text(item, context), False) for item in landscape.names]
    for item, spot in zip(landscape.towns, labels.towns, strict=True):
        name = format_label(item.name, context.lang)
        label = draw_line_of_text(
            name, spot.point, TextLook(TOWN, "ink", ITALIC, halo=2.2), spot.anchor, opacity="0.85"
        )
        parts.append(emblems.draw_town(item.at) + label)
    return [*parts, *(emblems.draw_ship(*ship) for ship in landscape.ships)]


# --- links ------------------------------------------------------------------------------------------


def _draw_links(context: DrawingContext, plan: AreaPlan) -> tuple[list[str], list[str]]:
    """Return (lines, straits): the markup of borders and roads, and of links between areas that do not touch.

    Straits are drawn as dotted lines.
    """
    ruleset, looks = context.ruleset, context.style
    borders, roads, straits = [], [], []
    linked = set()
    for handle, edge in enumerate(ruleset.kinds["edge"].things):
        if edge.ends is None or not all(end in plan.outlines for end in edge.ends):
            continue
        link_lines = looks.list_lines(ruleset, context.position.links[handle])
        pair = frozenset(edge.ends)
        linked.add(pair)
        border_line = next((look for look in link_lines if look.line.course == "along"), None)
        stated = ruleset.drawing.area_map.straits.get(handle)
        is_adjacent = plan.are_adjacent(*edge.ends)
        if stated or not is_adjacent:
            straits.append(_draw_strait(edge, stated or plan.compute_crossing(*edge.ends), border_line))
        if is_adjacent and (lines := plan.common.get(pair)):
            borders.append(_draw_border(edge, lines, border_line))
        roads += [_draw_road(edge, look, plan, context) for look in link_lines if look.line.course != "along"]
    closed = [line for pair, lines in plan.common.items() if pair not in linked for line in lines]
    if closed:
        borders.append(ground.draw_border(closed, "ink", 3.0, "solid"))
    return [*borders, *roads], straits


def _draw_border(edge: Thing, lines: Sequence[Line], look: LineLook | None) -> str:
    if look is None:
        markup = ground.draw_border(lines, "border", 2.0, "border")
    else:
        markup = ground.draw_border(
            lines, choose_line_tone(look.line.colour), ground.compute_border_width(look.line), look.line.stroke
        )
    return build_element("g", markup, **_build_link_data(edge, look))


def _draw_strait(edge: Thing, line: Sequence[tuple[float, float]], look: LineLook | None) -> str:
    colour: str | Pair = "sea_name" if look is None else choose_line_tone(look.line.colour)
    markup = build_element("path", d=ground.format_lines_path([tuple(line)]), **format_tone("none", colour), **_DOTTED)
    return build_element("g", markup, **_build_link_data(edge, look))


def _draw_road(edge: Thing, style: LineLook, plan: AreaPlan, context: DrawingContext) -> str:
    """Draw a link as a line between the middles of two areas across their border, or as a bar over the border."""
    assert edge.ends is not None
    (ax, ay), (bx, by) = context.geometry.middles[edge.ends[0]], context.geometry.middles[edge.ends[1]]
    common = plan.common.get(frozenset(edge.ends), ())
    longest = max(common, key=len, default=())
    mx, my = find_point_along(longest, 0.5) if longest else ((ax + bx) / 2, (ay + by) / 2)
    width = max(_THIN, min(2 * _THICK, style.line.width * 0.7))
    if style.line.course == "over":
        distance = max(1.0, ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5)
        ux, uy = (bx - ax) / distance * 11, (by - ay) / distance * 11
        path = format_path([(mx - ux, my - uy), (mx + ux, my + uy)])
    else:
        m = format_point((mx, my))
        path = f"M{format_point((ax, ay))}C{m} {m} {format_point((bx, by))}"
    dashes = {"dashed": "7 5", "dotted": "0.5 5", "border": "9 4 2 4"}.get(style.line.stroke)
    cap = "butt" if style.line.course == "over" else "round"
    rim = build_element(
        "path", d=path, stroke_width=width + 2.4, stroke_linecap=cap, opacity="0.7", **format_tone("none", "halo")
    )
    look = {
        "stroke_dasharray": dashes,
        "stroke_linecap": cap,
        **format_tone("none", choose_line_tone(style.line.colour)),
    }
    return build_element(
        "g", rim + build_element("path", d=path, stroke_width=width, **look), **_build_link_data(edge, style)
    )


def _build_link_data(edge: Thing, look: LineLook | None) -> dict[str, Any]:
    return {"class_": "link", "data_link": edge.id, "data_attribute": look.attribute if look else "link"}


# --- furniture --------------------------------------------------------------------------------------


def _draw_furniture(context: DrawingContext, plan: AreaPlan) -> str:
    ruleset, sheet = context.ruleset, context.ruleset.drawing.area_map.sheet
    parts = [furniture.draw_frame(plan.size, plan.frame, sheet)]
    if sheet.compass is not None:
        parts.append(emblems.draw_compass(sheet.compass.at, sheet.compass.size, sheet.compass.turned))
    if sheet.cartouche is not None:
        title = format_label(sheet.title, context.lang) or format_label(ruleset.title, context.lang) or ruleset.id
        scale = (sheet.scale, format_label(sheet.scale.unit, context.lang)) if sheet.scale is not None else None
        subtitle = format_label(sheet.subtitle, context.lang)
        parts.append(furniture.draw_panel(sheet.cartouche, title, subtitle, _list_key_entries(context, plan), scale))
    return "".join(parts)


def _list_key_entries(context: DrawingContext, plan: AreaPlan) -> list[furniture.KeyEntry]:
    """Return the entries of the panel's key: badges, borders, land out of play and crossings."""
    ruleset, drawing = context.ruleset, context.ruleset.drawing
    attributes = ruleset.kinds["place"].attributes
    signs: Mapping[str, str] = {
        "city": emblems.draw_star((0, 0), 8),
        "shield": emblems.draw_shield((0, -1), "3"),
        "wreath": emblems.draw_wreath((0, 0), "1"),
    }
    entries = [
        furniture.KeyEntry(
            signs[drawing.area_map.badges[name]], format_number_name(ruleset, name, attributes, context.lang)
        )
        for name in sorted(drawing.numbers, key=lambda name: drawing.area_map.badges.get(name) != "city")
        if name in drawing.area_map.badges
    ]
    line: tuple[Line, ...] = (((-13.0, 0.0), (13.0, 0.0)),)
    if plan.common:
        entries.append(furniture.KeyEntry(ground.draw_border(line, "border", 2.0, "border"), context.say("border")))
    if plan.lands:
        swatch = build_element(
            "rect", x=-11, y=-6.5, width=22, height=13, stroke_width=0.8, **format_tone("land", "soft")
        )
        entries.append(furniture.KeyEntry(swatch, context.say("not in play")))
    if drawing.area_map.straits:
        dots = build_element("path", d="M-13 0h26", **format_tone("none", "sea_name"), **_DOTTED)
        entries.append(furniture.KeyEntry(dots, context.say("crossing")))
    return entries
