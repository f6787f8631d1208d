"""A map as an SVG picture: spaces, links, names, numbers, the set-up's counters and a legend.

The same ruleset gives the same text every time. Must not decide looks or positions.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from typing import Any

from interpreter.model import types as t
from interpreter.model.ruleset import Ruleset, Scenario, Thing
from interpreter.tools.handbook.tongues import tongue_of
from interpreter.tools.maps.counters import counters
from interpreter.tools.maps.geometry import AREA, MARGIN, Layout, Point, layout_of
from interpreter.tools.maps.legend import WIDTH, heading, legend
from interpreter.tools.maps.looks import PLAIN, LineLook, Looks, ValueLook, looks_of, spaces_of, written_value
from interpreter.tools.maps.marks import marks
from interpreter.tools.maps.shapes import FONT, INK, dashes, element, number, path, pattern
from interpreter.tools.maps.spaces import id_text, name_of, name_text, rows_of, written_on, written_texts
from interpreter.tools.maps.standing import Shown, shown_of
from interpreter.words.speech import ENGLISH, Say

_HEAD = 24.0  # room for the heading above the map
_PAPER = "#fbfaf5"


def svg_map(
    ruleset: Ruleset, scenario: Scenario | None = None, lang: str = "", shown: Shown | None = None, say: Say = ENGLISH
) -> str:
    """The picture of the ruleset's map with the pieces that are shown, or those that the documents place."""
    shown = shown or shown_of(ruleset, scenario)
    layout, looks = layout_of(ruleset), looks_of(ruleset, lang, shown.told)
    beside, legend_height = legend(ruleset, looks, layout, shown, lang, say)
    width = layout.size[0] + WIDTH + MARGIN
    height = max(layout.size[1], legend_height + MARGIN) + _HEAD
    used = dict.fromkeys(f.look.pattern for f in looks.fills if f.look.pattern)
    parts = [
        element("defs", [pattern(name) for name in used]),
        element("rect", x=0, y=0, width=width, height=height, fill=_PAPER),
        heading(ruleset, shown, lang, MARGIN, say),
        element(
            "g",
            _map(ruleset, layout, looks, shown, lang, say),
            transform=f"translate(0 {number(_HEAD)})",
            class_="map",
        ),
        element(
            "g",
            beside,
            transform=f"translate({number(layout.size[0])} {number(_HEAD + MARGIN)})",
            class_="legend",
        ),
    ]
    body = element(
        "svg",
        "\n".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
        font_family=FONT,
    )
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + body.replace("<g", "\n<g") + "\n"


def _map(ruleset: Ruleset, layout: Layout, looks: Looks, shown: Shown, lang: str, say: Say) -> list[str]:
    spaces = [(n, p) for n, p in spaces_of(ruleset) if n in layout.middles]
    lines = _lines(ruleset, layout, looks, shown)
    fills = {n: looks.fill_of(written_value(ruleset, "place", looks.fill, shown.places[n])) for n, _ in spaces}
    grounds = [_ground(n, p, layout, fills[n]) for n, p in spaces]
    if layout.form == "areas":
        parts = [*lines["through"], *grounds, *lines["over"]]
    else:
        # what runs along a side lies beneath what crosses it
        on_grid = [g for (n, _), g in zip(spaces, grounds, strict=True) if n in layout.on_grid]
        beside = [g for (n, _), g in zip(spaces, grounds, strict=True) if n not in layout.on_grid]
        parts = [*on_grid, *lines["along"], *lines["through"], *beside, *lines["over"]]
    tongue = tongue_of(ruleset, lang, say)
    crossed = _crossed(ruleset, looks, shown) | {n for n, look in fills.items() if look and look.look.pattern}
    above: list[str] = []
    for n, place in spaces:
        is_area, middle, here = _is_area(n, layout), layout.middles[n], shown.standing.get(n, [])
        written = written_on({**shown.places[n], **shown.written.get(n, {})}, ruleset, tongue, lang)
        marked, name = shown.marked.get(n, {}), name_of(place, is_area, lang)
        rows = rows_of(layout, is_area, written, bool(marked), bool(here), bool(name))
        if not is_area:
            parts.append(id_text(place, middle, rows, n in crossed))
        if here:
            parts.append(counters(here, middle, rows.box, layout, looks, ruleset, lang))
        parts.append(written_texts(written, middle, rows, is_area, layout))
        if drawn := marks(marked, ruleset.drawing.marks, middle, rows.marks, None if is_area else layout.form):
            parts.append(element("g", drawn, class_="marks", data_place=place.id))
        above.append(name_text(name, middle, rows, is_area, layout))
    return [*parts, *above]


def _crossed(ruleset: Ruleset, looks: Looks, shown: Shown) -> set[int]:
    """The places into which some line runs."""
    hung = dict.fromkeys(look.attribute for look in looks.lines if look.line.course != "along")
    return {
        end
        for edge, values in zip(ruleset.kinds["edge"].things, shown.links, strict=True)
        if any(written_value(ruleset, "edge", name, values) not in (None, "false", "") for name in hung)
        for end in edge.ends or ()
    }


def _is_area(place: int, layout: Layout) -> bool:
    return place not in layout.on_grid


def _ground(handle: int, place: Thing, layout: Layout, found: ValueLook | None) -> str:
    x, y = layout.middles[handle]
    colour = found.look.colour if found else PLAIN
    shapes = [_shape(handle, x, y, layout, fill=colour, stroke="#8a8676", stroke_width=0.8)]
    if found and found.look.pattern:
        shapes.append(_shape(handle, x, y, layout, fill=f"url(#pattern-{found.look.pattern})"))
    return element("g", shapes, class_="place", data_place=place.id)


def _shape(handle: int, x: float, y: float, layout: Layout, **look: object) -> str:
    if _is_area(handle, layout):
        wide, high = AREA
        return element("rect", x=x - wide / 2, y=y - high / 2, width=wide, height=high, rx=14, **look)
    return element("path", d=path([(x + a, y + b) for a, b in layout.corners], close=True), **look)


def _lines(ruleset: Ruleset, layout: Layout, looks: Looks, shown: Shown) -> dict[str, list[str]]:
    """The links' lines by course, in the order in which the sorts of lines are listed."""
    found: dict[str, list[tuple[int, str]]] = {"along": [], "through": [], "over": []}
    order = {(look.attribute, look.value): n for n, look in enumerate(looks.lines)}
    hung = dict.fromkeys(look.attribute for look in looks.lines)
    for handle, edge in enumerate(ruleset.kinds["edge"].things):
        if edge.ends is None or not all(end in layout.middles for end in edge.ends):
            continue
        values = shown.links[handle]
        drawn = looks.lines_of({name: written_value(ruleset, "edge", name, values) for name in hung})
        is_free = not all(end in layout.on_grid for end in edge.ends)
        if not drawn and is_free:
            plain = _line(*_through(edge.ends, layout), "#8a8676", 2, "solid", "link", edge.id)
            found["through"].append((-1, plain))
        for look in drawn:
            course = look.line.course if look.line.course == "over" or not is_free else "through"
            line = _link(edge, values, look, course, layout, ruleset)
            found[course].append((order[look.attribute, look.value], line))
    return {course: [line for _, line in sorted(lines, key=lambda x: x[0])] for course, lines in found.items()}


def _link(edge: Thing, values: Mapping[str, Any], look: LineLook, course: str, layout: Layout, ruleset: Ruleset) -> str:
    assert edge.ends is not None
    line = look.line
    side = layout.shared_side(*edge.ends)
    if course == "along" and side is not None:
        ends = _nearer(side, edge, values, look, layout, ruleset)
    elif course == "over":
        ends = _over(edge.ends, layout)
    else:
        ends = _through(edge.ends, layout)
    rim = ""
    if course == "over":
        rim = _line(*ends, INK, line.width + 4, line.stroke, "rim", edge.id, course)
    return rim + _line(*ends, line.colour, line.width, line.stroke, look.attribute, edge.id, course)


def _line(a: Point, b: Point, colour: str, width: float, stroke: str, what: str, edge: str, course: str = "") -> str:
    return element(
        "line",
        x1=a[0],
        y1=a[1],
        x2=b[0],
        y2=b[1],
        stroke=colour,
        stroke_width=width,
        stroke_linecap="butt" if course == "over" else "round",
        stroke_dasharray=dashes(stroke, width),
        class_="link",
        data_link=edge,
        data_attribute=what,
    )


def _through(ends: tuple[int, int], layout: Layout) -> tuple[Point, Point]:
    return layout.middles[ends[0]], layout.middles[ends[1]]


def _over(ends: tuple[int, int], layout: Layout) -> tuple[Point, Point]:
    """A short piece of the way from middle to middle, across what parts the two."""
    (ax, ay), (bx, by) = _through(ends, layout)
    mx, my, far = (ax + bx) / 2, (ay + by) / 2, hypot(bx - ax, by - ay) or 1.0
    ux, uy = (bx - ax) / far * 15, (by - ay) / far * 15
    return (mx - ux, my - uy), (mx + ux, my + uy)


def _nearer(
    side: tuple[Point, Point],
    edge: Thing,
    values: Mapping[str, Any],
    look: LineLook,
    layout: Layout,
    ruleset: Ruleset,
) -> tuple[Point, Point]:
    """The shared side, set back into the space to which it belongs when what the line hangs on names that space."""
    attribute = ruleset.kinds["edge"].attributes.get(look.attribute)
    type = attribute.type.item if attribute and isinstance(attribute.type, t.Maybe) else attribute and attribute.type
    written = written_value(ruleset, "edge", look.attribute, values)
    places = ruleset.kinds["place"].things
    owner = next((end for end in edge.ends or () if places[end].id == written), None)
    if owner is None or type not in (None, t.PLACE):
        return side
    ox, oy = layout.middles[owner]
    set_back = 0.09
    (ax, ay), (bx, by) = side
    return (ax + (ox - ax) * set_back, ay + (oy - ay) * set_back), (
        bx + (ox - bx) * set_back,
        by + (oy - by) * set_back,
    )
