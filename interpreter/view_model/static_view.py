"""The part of a view that never changes: the map's places with shapes and names, charts, paragraphs, sides."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from interpreter.i18n.direction_names import format_direction
from interpreter.tools.maps.areas.ground import format_rings_path
from interpreter.tools.maps.areas.planes import compute_line_bounds
from interpreter.tools.maps.geometry import AREA, MapGeometry
from interpreter.tools.maps.style import MapStyle, resolve_style
from interpreter.view_model.records import ShownPlace, ShownSide, StaticView
from interpreter.view_model.view_context import ViewContext

_ROW = 40.0  # places with centres at most this far apart vertically form one row


def build_static_view(context: ViewContext) -> StaticView:
    """Build the static view of a ruleset in one language."""
    localizer, data, layout = context.localizer, context.localizer.data, context.layout
    looks = resolve_style(context.ruleset, context.lang)
    sides = [
        ShownSide(thing["id"], localizer.get_thing_name("side", thing["id"]), *looks.sides[n])
        for n, thing in enumerate(localizer.get_kind("side")["things"])
    ]
    return StaticView(
        context.rules.id,
        localizer.translate_label(data["title"], context.rules.id),
        localizer.translate_label(data["about"]),
        context.lang,
        tuple(context.rules.program.languages),
        layout.size,
        _build_places(context, looks),
        tuple(sides),
        tuple(
            (name, localizer.translate_label(chart.label, name).replace("_", " "))
            for name, chart in localizer.program.charts.items()
        ),
        tuple(
            (number, localizer.translate_label(paragraph["title"])) for number, paragraph in data["rulebook"].items()
        ),
        tuple(_list_reconstructed(context)),
    )


def _build_places(context: ViewContext, style: MapStyle) -> tuple[ShownPlace, ...]:
    """Return all places, on the map and off it."""
    layout, localizer = context.layout, context.localizer
    plan = layout.plan
    order = _compute_reading_order(layout.middles, plan.waters if plan else frozenset())
    lines = _collect_permanent_map_lines(context, style)
    places = []
    for handle, thing in enumerate(localizer.get_kind("place")["things"]):
        is_drawn = handle in layout.middles
        kind = "box" if not is_drawn else "space" if handle in layout.on_grid else "area"
        shape = () if not is_drawn else layout.corners if kind == "space" else _compute_area_box(handle, layout)
        places.append(
            ShownPlace(
                thing["id"],
                localizer.get_thing_name("place", thing["id"]),
                kind,
                layout.middles.get(handle, (0.0, 0.0)),
                tuple(shape),
                _describe_neighbours(handle, context),
                order.get(handle, len(order) + handle),
                _describe_ground(handle, context, style, lines.get(handle, {})) if is_drawn else "",
                format_rings_path(plan.get_visible_outline(handle)) if plan and is_drawn else "",
            )
        )
    return tuple(places)


def _describe_ground(handle: int, context: ViewContext, style: MapStyle, lines: Mapping[str, Sequence[str]]) -> str:
    """Return the permanent features of a place and its links in words: "moss; brook: north, south".

    `lines`: for each line drawn at the place, in words, the directions or places it leads to.
    """
    localizer, kind = context.localizer, context.ruleset.kinds["place"]
    attribute = kind.attributes.get(style.fill)
    is_fixed = attribute is not None and not attribute.changes
    fill = style.find_fill(context.ruleset, kind.things[handle].values)
    features = [fill.words] if is_fixed and fill is not None else []
    return localizer.join_texts(
        [*features, *(localizer.prefix_topic(what, localizer.join_list(goals)) for what, goals in lines.items())]
    )


def _collect_permanent_map_lines(context: ViewContext, style: MapStyle) -> dict[int, dict[str, list[str]]]:
    """Return the permanent lines drawn at each place, by place handle and line in words.

    The values are the directions, or the places, that a line leads to.
    """
    localizer, ruleset, links = context.localizer, context.ruleset, context.rules.program.links
    attributes = ruleset.kinds["edge"].attributes
    fixed = {name for name, attribute in attributes.items() if not attribute.changes}
    lines: dict[int, dict[str, list[str]]] = {}
    for edge in ruleset.kinds["edge"].things:
        for look in style.list_lines(ruleset, edge.values):
            if look.attribute not in fixed:
                continue
            for start, goal in (edge.ends, edge.ends[::-1]) if edge.ends is not None else ():
                row = links.by_direction[start] if start < len(links.by_direction) else ()
                direction = format_direction(links.directions[row.index(goal)], localizer.lang) if goal in row else ""
                goal_text = direction or localizer.get_thing_name("place", ruleset.kinds["place"].things[goal].id)
                lines.setdefault(start, {}).setdefault(look.words, []).append(goal_text)
    return lines


def _describe_neighbours(handle: int, context: ViewContext) -> dict[str, str]:
    """Return the neighbours of a place by direction on a grid, else by their ids."""
    links, ids = context.rules.program.links, context.rules.program.ids["place"]
    row = links.by_direction[handle] if handle < len(links.by_direction) else ()
    by_direction = {links.directions[d]: ids[n] for d, n in enumerate(row) if n is not None and n >= 0}
    without_direction = {ids[n]: ids[n] for n in links.neighbours[handle] if n not in row}
    return {**by_direction, **without_direction}


def _compute_area_box(handle: int, layout: MapGeometry) -> tuple[tuple[float, float], ...]:
    """Return the corners of the box around an area, relative to its middle."""
    if layout.plan is None:
        left, top, right, bottom = -AREA[0] / 2, -AREA[1] / 2, AREA[0] / 2, AREA[1] / 2
    else:
        (x, y), around = layout.middles[handle], compute_line_bounds(layout.plan.outlines[handle])
        left, top, right, bottom = around[0] - x, around[1] - y, around[2] - x, around[3] - y
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _compute_reading_order(middles: Mapping[int, tuple[float, float]], first: Collection[int]) -> dict[int, int]:
    """Return the number (from 0) of each place in reading order: row by row from left to right.

    `middles`: the middle of each place by handle; the places in `first` come before all others.
    """
    ordered = sorted(
        middles, key=lambda place: (place not in first, round(middles[place][1] / _ROW), middles[place][0])
    )
    return {handle: number for number, handle in enumerate(ordered)}


def _list_reconstructed(context: ViewContext) -> list[str]:
    """Return texts that name the game's reconstructed data."""
    localizer = context.localizer
    return [localizer.say("parts of this game's data are reconstructed")] if localizer.data.get("reconstructed") else []
