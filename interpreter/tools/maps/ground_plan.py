"""Plan of a grid map's painted ground: the static part, and the part drawn above it.

The ground holds terrain, lines and names that documents fix. Colours that change in play are tints over it, and lines
that change are drawn link by link.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.model import types as t
from interpreter.model.ruleset import Ruleset
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.painting.courses import LineKind, LinkStrand
from interpreter.tools.maps.painting.ground import GroundPlan
from interpreter.tools.maps.painting.palette import derive_dark_ground, derive_dark_line
from interpreter.tools.maps.painting.scene import Terrain
from interpreter.tools.maps.piece_groups import group_starting_pieces
from interpreter.tools.maps.style import LineLook, MapStyle, find_written_value, get_inner_type, is_side

_PLAIN, _BARE = Terrain("fields"), Terrain("bare")


def plan_ground(context: DrawingContext) -> GroundPlan:
    """Return the painted layer under a grid map: terrain and pattern of each space, kinds of lines, names."""
    looks, layout, position = context.style, context.geometry, context.position
    tones = {fill.value: f"t{n}" for n, fill in enumerate(looks.fills) if fill.is_own_colour}
    is_painted = not is_tint(context.ruleset, looks)
    terrain, patterns = dict[int, Terrain](), dict[str, set[int]]()
    for n in sorted(layout.on_grid):
        fill = looks.find_fill(context.ruleset, position.places[n]) if is_painted else None
        plain = _PLAIN if looks.fill else _BARE
        terrain[n] = Terrain(fill.look.style, tones.get(fill.value, "")) if fill is not None else plain
        if fill is not None and fill.look.pattern:
            patterns.setdefault(fill.look.pattern, set()).add(n)
    return GroundPlan(
        layout,
        terrain,
        [kind for n, look in enumerate(looks.lines) if (kind := _find_line_kind(n, look, context)) is not None],
        _collect_names(context),
        {name: frozenset(cells) for name, cells in patterns.items()},
        _find_occupied(context),
    )


def _find_occupied(context: DrawingContext) -> frozenset[int]:
    """Return the spaces of the grid on which counters begin in any scenario.

    All scenarios count, because the ground is the same in all.
    """
    ruleset = context.ruleset
    starts = [group_starting_pieces(ruleset, scenario) for scenario in ruleset.scenarios.values()]
    return frozenset(n for standing in starts for n in standing if n in context.geometry.on_grid)


def is_tint(ruleset: Ruleset, style: MapStyle) -> bool:
    """Return whether the colour of spaces changes in play or shows an owner, so that it is a tint over the ground."""
    attribute = ruleset.kinds["place"].attributes.get(style.fill)
    return attribute is not None and (attribute.changes or is_side(attribute))


def is_fixed_line(ruleset: Ruleset, style: LineLook) -> bool:
    """Return True if a line depends on an attribute of links that never changes."""
    attribute = ruleset.kinds["edge"].attributes.get(style.attribute)
    return attribute is not None and not attribute.changes


def collect_tones(style: MapStyle) -> Mapping[str, tuple[str, str]]:
    """Return (light, dark) of each colour that the ruleset states, by the name of its custom property."""
    tones = {}
    for n, fill in enumerate(style.fills):
        if fill.is_own_colour:
            tones[f"t{n}"] = (fill.look.colour, fill.look.dark or derive_dark_ground(fill.look.colour))
    for n, line in enumerate(style.lines):
        if line.is_own_colour or line.line.style == "line":
            tones[f"l{n}"] = (line.line.colour, line.line.dark or derive_dark_line(line.line.colour))
    return tones


def render_tone_css(style: MapStyle) -> str:
    """Return the CSS rules of the classes for a ruleset's own colours."""
    parts = []
    for n, fill in enumerate(style.fills):
        if fill.is_own_colour:
            parts.append(f".t{n}{{fill:var(--map-t{n})}}")
    for n, line in enumerate(style.lines):
        if line.is_own_colour or line.line.style == "line":
            paints = "fill" if line.line.style == "river" else "stroke"
            parts.append(f".l{n}{{{paints}:var(--map-l{n})}}")
    return "".join(parts)


def _find_line_kind(number: int, style: LineLook, context: DrawingContext) -> LineKind | None:
    """Return a kind of line with its links on the grid, or None if it has none or changes in play.

    `number`: the index of `style` among the looks of lines, which names the class of its own colour.
    """
    ruleset = context.ruleset
    if not is_fixed_line(ruleset, style):
        return None
    attribute = ruleset.kinds["edge"].attributes[style.attribute]
    is_place = get_inner_type(attribute.type) == t.PLACE
    strands = []
    for edge in ruleset.kinds["edge"].things:
        if edge.ends is None or not all(end in context.geometry.on_grid for end in edge.ends):
            continue
        if not style.is_shown(find_written_value(ruleset, "edge", style.attribute, edge.values)):
            continue
        owner = edge.values.get(style.attribute) if is_place else None
        strands.append(LinkStrand(edge.ends, owner if owner in edge.ends else None))
    if not strands:
        return None
    line = style.line
    tone = f"l{number}" if style.is_own_colour or line.style == "line" else ""
    flows = context.geometry.compute_bearing(line.flows) if line.flows else None
    widths = (float(line.source or line.width), float(line.width))
    key = style.attribute if style.value is None else f"{style.attribute}.{style.value}"
    course = "along" if line.style == "wall" and line.course != "through" else line.course
    return LineKind(key, line.style, course, widths, tuple(strands), line.stroke, flows, tone, style.inscription)


def _collect_names(context: DrawingContext) -> dict[int, str]:
    """Return the names of grid spaces by handle; a space whose name is only its id is left out."""
    places = context.ruleset.kinds["place"].things
    names = {}
    for n in sorted(context.geometry.on_grid):
        name = format_label(places[n].label, context.lang).replace(places[n].id, "").strip()
        if name and name.replace(" ", "_") != places[n].id:
            names[n] = name
    return names
