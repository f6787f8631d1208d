"""Background of the map as signs and colours: terrain, marks, rivers, roads and fortifications.

Every colour is paired with a sign, so the map can be read without colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.play.game import Game
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.maps.counters import describe_condition
from interpreter.tools.maps.geometry import get_grid_form, get_shifted_parity
from interpreter.tools.maps.piece_groups import ShownPosition, build_current_position
from interpreter.tools.maps.style import MapStyle, format_mark_name, resolve_style
from interpreter.ui.tui.map.area_layout import add_boxes, add_column, layout_areas
from interpreter.ui.tui.map.grid_layout import Lattice, layout_grid
from interpreter.ui.tui.map.map_layout import MapLayout
from interpreter.view_model.view_context import ViewContext

_ALONG = "~=#+%&"  # signs of lines along sides
_ACROSS = ":;^!$"  # signs of lines across sides
_BETWEEN = "-=:*~+"  # signs of lines between areas


@dataclass(frozen=True, slots=True)
class BackgroundFill:
    """A place's background: terrain sign, colour ("#rrggbb" or ''), description, and signs of its marks."""

    sign: str
    colour: str
    words: str
    marks: str


@dataclass(frozen=True, slots=True)
class BackgroundLine:
    """A line between two places: its sign and colour, and whether it runs along their common side."""

    ends: tuple[str, str]
    sign: str
    colour: str
    is_along: bool


@dataclass(frozen=True, slots=True)
class BackgroundLayer:
    """The background by place, all lines, and the legend of (sign, description) pairs.

    `last_scene` holds the values it was built from, to detect changes.
    """

    places: Mapping[str, BackgroundFill]
    lines: tuple[BackgroundLine, ...]
    legend: tuple[tuple[str, str], ...]
    last_scene: object = None


def build_background(context: ViewContext, game: Game, before: BackgroundLayer | None = None) -> BackgroundLayer:
    """Return the background of the current position, reusing `before` if nothing has changed."""
    ruleset = context.ruleset
    position = build_current_position(ruleset, ruleset.scenarios.get(game.scenario or ""), game, "", context.lang)
    visible = (position.places, position.links, position.marked)
    if before is not None and before.last_scene == visible:
        return before
    looks = resolve_style(ruleset, context.lang, position.look_values)
    ids = context.rules.program.ids["place"]
    places, marks = {}, position.mark_characters(ruleset.drawing)
    for handle, name in enumerate(ids):
        fill = looks.find_fill(ruleset, position.places[handle])
        sign, colour = (fill.look.mark, fill.look.colour) if fill else ("", "")
        places[name] = BackgroundFill(sign, colour, fill.words if fill else "", marks.get(handle, ""))
    signs = _choose_line_signs(looks, is_grid=ruleset.grid is not None)
    legend = [(f.look.mark, f.words) for f in looks.fills if f.look.mark]
    legend += [(signs[look.attribute, look.value], look.words) for look in looks.lines]
    legend += [
        (mark.mark, format_mark_name(ruleset, mark, context.lang)) for mark in ruleset.drawing.marks if mark.mark
    ]
    legend += _list_condition_letters(context, looks)
    lines = tuple(_build_lines(context, position, looks, signs))
    return BackgroundLayer(places, lines, tuple(dict.fromkeys(legend)), visible)


def _list_condition_letters(context: ViewContext, looks: MapStyle) -> list[tuple[str, str]]:
    """Return (letter, meaning) for the letters shown after counters for their conditions."""
    letters = []
    for look in looks.counters.values():
        for group in look.markers or ():
            for value, style in group.looks.items():
                stated = format_label(style.name, context.lang)
                condition = describe_condition(context.ruleset, group.by, value, stated, context.lang)
                letters.append(((style.letter or condition[:1]).upper(), condition))
    return letters


def build_layout(context: ViewContext, zoom: int) -> MapLayout:
    """Return the layout of a ruleset's map at a zoom."""
    ids, layout, grid = context.rules.program.ids["place"], context.layout, context.ruleset.grid
    middles = {ids[n]: middle for n, middle in layout.middles.items()}
    boxes = [ids[n] for n in range(len(ids)) if n not in layout.middles]
    longest = max((measure_cells(context.localizer.get_thing_name("place", name)) for name in boxes), default=0)
    if grid is None:
        links = [
            (ids[edge.ends[0]], ids[edge.ends[1]])
            for edge in context.ruleset.kinds["edge"].things
            if edge.ends is not None
        ]
        return add_boxes(layout_areas(middles, links, zoom), boxes, zoom, longest)
    cells = {ids[n]: where for n in layout.on_grid if (where := grid.column_row[n]) is not None}
    directions = context.rules.program.links.directions
    neighbours = {
        ids[n]: {directions[d]: ids[other] for d, other in enumerate(row) if other is not None and other >= 0}
        for n, row in enumerate(context.rules.program.links.by_direction)
    }
    lattice = Lattice(
        get_grid_form(grid), get_shifted_parity(grid), cells, neighbours, max((len(name) for name in cells), default=1)
    )
    outside = [name for name in middles if name not in cells]
    return add_boxes(add_column(layout_grid(lattice, zoom), outside, zoom), boxes, zoom, longest)


def _choose_line_signs(style: MapStyle, is_grid: bool) -> dict[tuple[str, str | None], str]:
    """Return the sign of each line style, by attribute and value; "?" for styles beyond the number of signs.

    `is_grid`: lines run along or across sides of a grid.
    """
    along, across, between = iter(_ALONG), iter(_ACROSS), iter(_BETWEEN)
    signs = {}
    for look in style.lines:
        source = (along if look.line.course == "along" else across) if is_grid else between
        signs[look.attribute, look.value] = next(source, "?")
    return signs


def _build_lines(
    context: ViewContext, position: ShownPosition, style: MapStyle, signs: Mapping[tuple[str, str | None], str]
) -> list[BackgroundLine]:
    """Return the lines drawn between places in a position, each with its sign by (attribute, value)."""
    ruleset, ids = context.ruleset, context.rules.program.ids["place"]
    lines = []
    for handle, edge in enumerate(ruleset.kinds["edge"].things):
        if edge.ends is None:
            continue
        for look in style.list_lines(ruleset, position.links[handle]):
            sign = signs[look.attribute, look.value]
            is_along = look.line.course == "along"
            lines.append(BackgroundLine((ids[edge.ends[0]], ids[edge.ends[1]]), sign, look.line.colour, is_along))
    return lines
