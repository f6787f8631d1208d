"""Compute the lines of links: along a shared side, from middle to middle, or as a mark across it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import hypot
from typing import Any

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.model import types as t
from interpreter.model.area_drawing import Point
from interpreter.model.drawing import LineStyle
from interpreter.model.ruleset import Thing
from interpreter.tools.maps.areas.planes import BoxIndex, sample_quadratic_curve
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.geometry import AREA, MapGeometry
from interpreter.tools.maps.shapes import INK, format_dash_array
from interpreter.tools.maps.style import LineLook, find_written_value, get_inner_type

_AROUND = 3.0  # distance that a line keeps from areas it does not join
_HALF_W, _HALF_H = AREA[0] / 2 + _AROUND, AREA[1] / 2 + _AROUND
# offsets of the curve, nearest first
_BENDS = (0.0, *(way for far in range(15, 300, 15) for way in (float(far), float(-far))))
_STEPS = 40  # pieces of a line whose ends are checked
_PLAIN_LINE = LineStyle(colour="#8a8676", width=2, stroke="solid")  # of a link without a look
_RIM = 4  # pixels by which the rim of a mark across a side is wider than the mark
_SET_BACK = 0.09  # distance of a line from its side, as a share of the distance to the middle of the space


def index_areas(layout: MapGeometry) -> BoxIndex:
    """Return an index of the areas of a layout, widened by the distance that lines keep from them."""
    areas = {n: middle for n, middle in layout.middles.items() if n not in layout.on_grid}
    return BoxIndex({n: (x - _HALF_W, y - _HALF_H, x + _HALF_W, y + _HALF_H) for n, (x, y) in areas.items()})


def is_covered(point: Point, areas: BoxIndex, exempt: tuple[int, int]) -> bool:
    """Return True if a point lies in or close to an area other than the two in `exempt`."""
    x, y = point
    near = [areas.boxes[n] for n in areas.find_containing(x, y) if n not in exempt]
    return any(left < x < right and top < y < bottom for left, top, right, bottom in near)


def draw_lines_by_course(context: DrawingContext, on_grid: Sequence[LineLook] | None = None) -> dict[str, list[str]]:
    """Return the markup of the lines of all links, by course ("along", "through", "over") and in drawing order.

    `on_grid`: the looks of lines that are drawn between spaces of a grid; None for all.
    """
    ruleset, layout, looks = context.ruleset, context.geometry, context.style
    numbered_lines: dict[str, list[tuple[int, str]]] = {"along": [], "through": [], "over": []}
    areas = index_areas(layout)
    order = {(look.attribute, look.value): n for n, look in enumerate(looks.lines)}
    for handle, edge in enumerate(ruleset.kinds["edge"].things):
        if edge.ends is None or not all(end in layout.middles for end in edge.ends):
            continue
        values = context.position.links[handle]
        shown_looks = looks.list_lines(ruleset, values)
        is_free = not all(end in layout.on_grid for end in edge.ends)
        if not shown_looks and is_free:
            bend = _find_bend(edge.ends, layout, areas)
            markup = _draw_line(_find_middles(edge.ends, layout), _PLAIN_LINE, "link", edge, bend=bend)
            numbered_lines["through"].append((-1, markup))
        for look in shown_looks if is_free or on_grid is None else [look for look in shown_looks if look in on_grid]:
            course = look.line.course if look.line.course == "over" or not is_free else "through"
            line = _draw_link(edge, values, look, course, context, areas)
            numbered_lines[course].append((order[look.attribute, look.value], line))
    return {course: [line for _, line in sorted(lines, key=lambda x: x[0])] for course, lines in numbered_lines.items()}


def _draw_link(
    edge: Thing, values: Mapping[str, Any], style: LineLook, course: str, context: DrawingContext, areas: BoxIndex
) -> str:
    assert edge.ends is not None
    line, layout = style.line, context.geometry
    side = layout.find_shared_side(*edge.ends)
    if course == "along" and side is not None:
        ends = _compute_side_within(side, edge, values, style, context)
    elif course == "over":
        ends = _compute_crossing_line(edge.ends, layout)
    else:
        ends = _find_middles(edge.ends, layout)
    bend = _find_bend(edge.ends, layout, areas) if course == "through" else None
    markup = _draw_line(ends, line, style.attribute, edge, course, bend)
    if course != "over":
        return markup
    rim = replace(line, colour=INK, width=line.width + _RIM)
    return _draw_line(ends, rim, "rim", edge, course) + markup


def _draw_line(
    ends: tuple[Point, Point], line: LineStyle, attribute: str, edge: Thing, course: str = "", bend: Point | None = None
) -> str:
    """Draw one line of a link between two points, or as a curve with the control point `bend`.

    `attribute`: what the line shows: an attribute of the link `edge`, "link" for the link itself, or "rim".
    """
    (a, b) = ends
    look = {
        "stroke": line.colour,
        "stroke_width": line.width,
        "stroke_linecap": "butt" if course == "over" else "round",
        "stroke_dasharray": format_dash_array(line.stroke, line.width),
        "class_": "link",
        "data_link": edge.id,
        "data_attribute": attribute,
    }
    if bend is None:
        return build_element("line", x1=a[0], y1=a[1], x2=b[0], y2=b[1], **look)
    points = " ".join(format_coordinate(n) for n in (*bend, *b))
    return build_element(
        "path", d=f"M{format_coordinate(a[0])} {format_coordinate(a[1])}Q{points}", fill="none", **look
    )


def _find_bend(ends: tuple[int, int], layout: MapGeometry, areas: BoxIndex) -> Point | None:
    """Return the control point of a curve that avoids all areas but the two it links, or None for a straight line.

    A link to a space of a grid is always straight. `ends`: the handles of the two areas.
    """
    if any(end in layout.on_grid for end in ends):
        return None
    (ax, ay), (bx, by) = layout.middles[ends[0]], layout.middles[ends[1]]
    distance = hypot(bx - ax, by - ay) or 1.0
    for aside in _BENDS:
        control = ((ax + bx) / 2 - (by - ay) / distance * 2 * aside, (ay + by) / 2 + (bx - ax) / distance * 2 * aside)
        if not any(
            is_covered(p, areas, ends) for p in sample_quadratic_curve((ax, ay), control, (bx, by), _STEPS)[1:-1]
        ):
            return control if aside else None
    return None


def _find_middles(ends: tuple[int, int], layout: MapGeometry) -> tuple[Point, Point]:
    return layout.middles[ends[0]], layout.middles[ends[1]]


def _compute_crossing_line(ends: tuple[int, int], layout: MapGeometry) -> tuple[Point, Point]:
    """Return a short piece of the line between two middles, where it crosses the border.

    `ends`: the handles of the two places.
    """
    (ax, ay), (bx, by) = _find_middles(ends, layout)
    mx, my, distance = (ax + bx) / 2, (ay + by) / 2, hypot(bx - ax, by - ay) or 1.0
    ux, uy = (bx - ax) / distance * 15, (by - ay) / distance * 15
    return (mx - ux, my - uy), (mx + ux, my + uy)


def _compute_side_within(
    side: tuple[Point, Point], edge: Thing, values: Mapping[str, Any], style: LineLook, context: DrawingContext
) -> tuple[Point, Point]:
    """Return the side that two spaces share as the ends of the line to draw.

    The line moves into one of the two spaces if its value is that space.
    `side`: the shared side; `edge`: the link of the spaces; `values`: the link's present values; `style`: the line.
    """
    ruleset = context.ruleset
    attribute = ruleset.kinds["edge"].attributes.get(style.attribute)
    written = find_written_value(ruleset, "edge", style.attribute, values)
    places = ruleset.kinds["place"].things
    owner = next((end for end in edge.ends or () if places[end].id == written), None)
    if owner is None or attribute is not None and get_inner_type(attribute.type) != t.PLACE:
        return side
    ox, oy = context.geometry.middles[owner]
    first, last = ((x + (ox - x) * _SET_BACK, y + (oy - y) * _SET_BACK) for x, y in side)
    return first, last
