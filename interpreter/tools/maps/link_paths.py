"""Compute the lines of links: along a shared side, from middle to middle, or as a mark across it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from interpreter.diagnostics.svg_markup import element, format_coordinate
from interpreter.model import types as t
from interpreter.model.ruleset import Thing
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.geometry import AREA, MapGeometry, Point
from interpreter.tools.maps.shapes import INK, dash_array
from interpreter.tools.maps.style import LineLook, inner_type, written_value

_AROUND = 3.0  # distance that a line keeps from areas it does not join
_HALF_WIDTH, _HALF_HEIGHT = AREA[0] / 2 + _AROUND, AREA[1] / 2 + _AROUND
# offsets of the curve, nearest first
_BENDS = (0.0, *(way for far in range(15, 300, 15) for way in (float(far), float(-far))))
_STEPS = 40  # points sampled per line


@dataclass(frozen=True, slots=True)
class AreaIndex:
    """A uniform grid over the map that lists, for each cell, the areas that reach into it.

    A point is compared only with the few areas of its own cell, so drawing takes time linear in the number of links.
    """

    cells: Mapping[tuple[int, int], Sequence[tuple[int, Point]]]

    @classmethod
    def of(cls, layout: MapGeometry) -> AreaIndex:
        """Return an index of the areas of a layout, widened by the distance that lines keep from them."""
        cells: dict[tuple[int, int], list[tuple[int, Point]]] = {}
        for n, (x, y) in layout.middles.items():
            if n not in layout.on_grid:
                left, top = _cell((x - _HALF_WIDTH, y - _HALF_HEIGHT))
                right, bottom = _cell((x + _HALF_WIDTH, y + _HALF_HEIGHT))
                for column in range(left, right + 1):
                    for row in range(top, bottom + 1):
                        cells.setdefault((column, row), []).append((n, (x, y)))
        return cls(cells)

    def covers(self, point: Point, but: tuple[int, int]) -> bool:
        """Return True if a point lies in or close to an area other than the two in `but`."""
        px, py = point
        return any(
            n not in but and abs(px - x) < _HALF_WIDTH and abs(py - y) < _HALF_HEIGHT
            for n, (x, y) in self.cells.get(_cell(point), ())
        )


def _cell(point: Point) -> tuple[int, int]:
    """Return the column and the row of the index cell that holds a point."""
    return int(point[0] // (2 * _HALF_WIDTH)), int(point[1] // (2 * _HALF_HEIGHT))


def lines_by_course(context: DrawingContext, on_grid: Sequence[LineLook] | None = None) -> dict[str, list[str]]:
    """Return the markup of the lines of all links, by course ("along", "through", "over") and in drawing order.

    `on_grid`: the looks of lines that are drawn between spaces of a grid; None for all.
    """
    ruleset, layout, looks = context.ruleset, context.layout, context.looks
    found: dict[str, list[tuple[int, str]]] = {"along": [], "through": [], "over": []}
    areas = AreaIndex.of(layout)
    order = {(look.attribute, look.value): n for n, look in enumerate(looks.lines)}
    for handle, edge in enumerate(ruleset.kinds["edge"].things):
        if edge.ends is None or not all(end in layout.middles for end in edge.ends):
            continue
        values = context.position.links[handle]
        drawn = looks.lines_of(ruleset, values)
        is_free = not all(end in layout.on_grid for end in edge.ends)
        if not drawn and is_free:
            ends = _through(edge.ends, layout)
            bend = _bend(edge.ends, layout, areas)
            plain = _line(*ends, "#8a8676", 2, "solid", "link", edge.id, bend=bend)
            found["through"].append((-1, plain))
        for look in drawn if is_free or on_grid is None else [look for look in drawn if look in on_grid]:
            course = look.line.course if look.line.course == "over" or not is_free else "through"
            line = _link(edge, values, look, course, context, areas)
            found[course].append((order[look.attribute, look.value], line))
    return {course: [line for _, line in sorted(lines, key=lambda x: x[0])] for course, lines in found.items()}


def _link(
    edge: Thing, values: Mapping[str, Any], style: LineLook, course: str, context: DrawingContext, areas: AreaIndex
) -> str:
    assert edge.ends is not None
    line, layout = style.line, context.layout
    side = layout.shared_side(*edge.ends)
    if course == "along" and side is not None:
        ends = _side_within(side, edge, values, style, context)
    elif course == "over":
        ends = _crossing_line(edge.ends, layout)
    else:
        ends = _through(edge.ends, layout)
    rim = ""
    if course == "through":
        bend = _bend(edge.ends, layout, areas)
        return _line(*ends, line.colour, line.width, line.stroke, style.attribute, edge.id, course, bend)
    if course == "over":
        rim = _line(*ends, INK, line.width + 4, line.stroke, "rim", edge.id, course)
    return rim + _line(*ends, line.colour, line.width, line.stroke, style.attribute, edge.id, course)


def _line(
    a: Point,
    b: Point,
    colour: str,
    width: float,
    stroke: str,
    what: str,
    edge: str,
    course: str = "",
    bend: Point | None = None,
) -> str:
    look = {
        "stroke": colour,
        "stroke_width": width,
        "stroke_linecap": "butt" if course == "over" else "round",
        "stroke_dasharray": dash_array(stroke, width),
        "class_": "link",
        "data_link": edge,
        "data_attribute": what,
    }
    if bend is None:
        return element("line", x1=a[0], y1=a[1], x2=b[0], y2=b[1], **look)
    points = " ".join(format_coordinate(n) for n in (*bend, *b))
    return element("path", d=f"M{format_coordinate(a[0])} {format_coordinate(a[1])}Q{points}", fill="none", **look)


def _bend(ends: tuple[int, int], layout: MapGeometry, areas: AreaIndex) -> Point | None:
    """Return the control point of a curve that avoids all areas but the two it links, or None for a straight line.

    A link to a space of a grid is always straight. `ends`: the handles of the two areas.
    """
    if any(end in layout.on_grid for end in ends):
        return None
    (ax, ay), (bx, by) = layout.middles[ends[0]], layout.middles[ends[1]]
    far = hypot(bx - ax, by - ay) or 1.0
    for aside in _BENDS:
        way = ((ax + bx) / 2 - (by - ay) / far * 2 * aside, (ay + by) / 2 + (bx - ax) / far * 2 * aside)
        if not any(areas.covers(p, ends) for p in _curve((ax, ay), way, (bx, by))):
            return way if aside else None
    return None


def _curve(a: Point, way: Point, b: Point) -> Iterable[Point]:
    for n in range(1, _STEPS):
        u = n / _STEPS
        v = 1 - u
        yield (
            v * v * a[0] + 2 * u * v * way[0] + u * u * b[0],
            v * v * a[1] + 2 * u * v * way[1] + u * u * b[1],
        )


def _through(ends: tuple[int, int], layout: MapGeometry) -> tuple[Point, Point]:
    return layout.middles[ends[0]], layout.middles[ends[1]]


def _crossing_line(ends: tuple[int, int], layout: MapGeometry) -> tuple[Point, Point]:
    """Return a short piece of the line between two middles, where it crosses the border.

    `ends`: the handles of the two places.
    """
    (ax, ay), (bx, by) = _through(ends, layout)
    mx, my, far = (ax + bx) / 2, (ay + by) / 2, hypot(bx - ax, by - ay) or 1.0
    ux, uy = (bx - ax) / far * 15, (by - ay) / far * 15
    return (mx - ux, my - uy), (mx + ux, my + uy)


def _side_within(
    side: tuple[Point, Point], edge: Thing, values: Mapping[str, Any], style: LineLook, context: DrawingContext
) -> tuple[Point, Point]:
    """Return the side that two spaces share, moved into one of them if the value of the line names that space.

    `edge`: the link; `values`: its present values.
    """
    ruleset = context.ruleset
    attribute = ruleset.kinds["edge"].attributes.get(style.attribute)
    written = written_value(ruleset, "edge", style.attribute, values)
    places = ruleset.kinds["place"].things
    owner = next((end for end in edge.ends or () if places[end].id == written), None)
    if owner is None or attribute is not None and inner_type(attribute.type) != t.PLACE:
        return side
    ox, oy = context.layout.middles[owner]
    set_back = 0.09
    (ax, ay), (bx, by) = side
    return (ax + (ox - ax) * set_back, ay + (oy - ay) * set_back), (
        bx + (ox - bx) * set_back,
        by + (oy - by) * set_back,
    )
