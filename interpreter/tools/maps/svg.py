"""Draw a map as an SVG picture: spaces, links, names, numbers, the set-up's counters and a legend.

Deterministic: equal rulesets give equal text. Looks and positions are decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpreter.i18n.translator import ENGLISH, Translate
from interpreter.model.ruleset import Ruleset, Scenario, Thing
from interpreter.tools.describe.locale_format import locale_formatter
from interpreter.tools.maps.areas.painter import area_boxes, area_layers
from interpreter.tools.maps.areas.tones import dark_rules
from interpreter.tools.maps.counters import draw_counters
from interpreter.tools.maps.drawing_context import DrawingContext, create_context
from interpreter.tools.maps.geometry import AREA, MARGIN, MapGeometry
from interpreter.tools.maps.legend import WIDTH, draw_heading, draw_legend
from interpreter.tools.maps.link_paths import lines_by_course
from interpreter.tools.maps.marks import draw_marks
from interpreter.tools.maps.piece_groups import ShownPosition, initial_position, turns_of
from interpreter.tools.maps.scans import scan_layer
from interpreter.tools.maps.shapes import FONT, draw_pattern, element, format_coordinate, path_data
from interpreter.tools.maps.side_boxes import draw_boxes, draw_turn_track
from interpreter.tools.maps.spaces import draw_space_text, id_text, name_of, name_text, read_space_text, rows_of
from interpreter.tools.maps.style import PLAIN, MapStyle, ValueLook, spaces_of, written_value

_HEAD = 30.0  # height of the heading above the map, in pixels
_BETWEEN = 16.0
PAPER = "#fbfaf5"

Traces = tuple[str, str]


def render_map(
    ruleset: Ruleset,
    scenario: Scenario | None = None,
    lang: str = "",
    shown: ShownPosition | None = None,
    say: Translate = ENGLISH,
    traces: Traces = ("", ""),
) -> str:
    """Return the picture of a ruleset's map with the shown pieces, or those that the documents place.

    `traces` is markup drawn beneath and above the counters.
    """
    shown = shown or initial_position(ruleset, scenario)
    motif = create_context(ruleset, shown, lang, say)
    beside, legend_height = draw_legend(motif, any(traces))
    map_width, map_height = motif.layout.size
    width = map_width + WIDTH + MARGIN
    above = max(map_height, legend_height + MARGIN) + _HEAD
    below, more = _below(motif, width - 2 * MARGIN)
    height = above + more
    parts = [
        *_sheet(motif.looks, width, height),
        draw_heading(motif, MARGIN),
        element(
            "g", draw_layers(motif).parts(traces), transform=f"translate(0 {format_coordinate(_HEAD)})", class_="map"
        ),
        element(
            "g",
            beside,
            transform=f"translate({format_coordinate(map_width)} {format_coordinate(_HEAD + MARGIN)})",
            class_="legend",
        ),
        element(
            "g", below, transform=f"translate({format_coordinate(MARGIN)} {format_coordinate(above)})", class_="below"
        )
        if below
        else "",
    ]
    body = _picture("\n".join(parts), width, height)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + body.replace("<g", "\n<g") + "\n"


def _sheet(looks: MapStyle, width: float, height: float) -> list[str]:
    """Return the start of a picture: the patterns of its looks, and its background."""
    used = dict.fromkeys(f.look.pattern for f in looks.fills if f.look.pattern)
    return [
        element("defs", [draw_pattern(name) for name in used]),
        element("rect", x=0, y=0, width=width, height=height, fill=PAPER),
    ]


def _picture(inner: str | Sequence[str], width: float, height: float) -> str:
    return element(
        "svg",
        inner,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {format_coordinate(width)} {format_coordinate(height)}",
        font_family=FONT,
    )


def _below(motif: DrawingContext, width: float) -> tuple[str, float]:
    """Draw the turn track and the boxes below the map; return markup and height."""
    shown = motif.shown
    track, high = draw_turn_track(turns_of(shown.scenario), shown.turn, shown.titles, width, motif.say)
    waiting, deep = draw_boxes(motif, width)
    if not high + deep:
        return "", 0.0
    down = high + _BETWEEN if high else 0.0
    return track + element("g", waiting, transform=f"translate(0 {format_coordinate(down)})"), down + deep + _BETWEEN


def render_ground(motif: DrawingContext) -> str:
    """Draw the map alone, without counters, heading and legend; its view box is that of the layout."""
    layers, size = draw_layers(motif.without_counters()), motif.layout.size
    drawn = "".join([*_sheet(motif.looks, *size), *layers.parts()])
    return _picture(drawn + _dark_palette(drawn), *size)


def _dark_palette(markup: str) -> str:
    """Return the style of a picture for readers who prefer dark colours; "" if it has one palette only."""
    rules = dark_rules(markup)
    return element("style", f"@media (prefers-color-scheme:dark){{{rules}}}") if rules else ""


def render_legend(motif: DrawingContext) -> str:
    """Draw the legend alone as a picture."""
    drawn, height = draw_legend(motif)
    inner = element("g", drawn, transform=f"translate({format_coordinate(_BETWEEN)} {format_coordinate(_BETWEEN)})")
    wide, high = WIDTH + 2 * _BETWEEN, height + 2 * _BETWEEN
    return _picture([*_sheet(motif.looks, wide, high), inner], wide, high)


def boxes_of(motif: DrawingContext) -> dict[int, tuple[float, float, float, float]]:
    """Return the box for counters (left, top, right, bottom from the middle) by place handle."""
    layout, shown, found = motif.layout, motif.shown, {}
    if layout.plan is not None:
        return area_boxes(motif, layout.plan)
    tongue = locale_formatter(motif.ruleset, motif.lang, motif.say)
    for n, place in _spaces(motif):
        is_area = _is_area(n, layout)
        written = read_space_text(n, motif, tongue)
        has_name = bool(name_of(place, is_area, motif.lang))
        found[n] = rows_of(layout, is_area, written, bool(shown.marked.get(n)), True, has_name).box
    return found


def _spaces(motif: DrawingContext) -> list[tuple[int, Thing]]:
    """Return the places that are drawn, with their handles."""
    return [(n, place) for n, place in spaces_of(motif.ruleset) if n in motif.layout.middles]


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers of a map from bottom to top: grounds and lines by level, texts of spaces, counters, names."""

    grounds: Sequence[Sequence[str]]
    texts: Sequence[str]
    counters: Sequence[str]
    names: Sequence[str]

    def parts(self, traces: Traces = ("", "")) -> list[str]:
        """Return all markup in order, with traces beneath and above the counters."""
        ground = [part for level in self.grounds for part in level]
        return [*ground, *self.texts, traces[0], *self.counters, *self.names, traces[1]]


def draw_layers(motif: DrawingContext) -> Layers:
    """Draw the layers of a map; a place listed in `standing`, even an empty one, keeps room for counters."""
    ruleset, layout, looks, shown = motif.ruleset, motif.layout, motif.looks, motif.shown
    if ruleset.drawing.background is not None and (scanned := scan_layer(motif, ruleset.drawing.background)):
        return Layers([[scanned]], _scan_texts(motif), _all_counters(motif), ())
    if layout.plan is not None:
        drawn_areas = area_layers(motif, layout.plan)
        return Layers(drawn_areas.grounds, drawn_areas.texts, drawn_areas.counters, ())
    spaces = _spaces(motif)
    fills = {n: looks.fill_of(written_value(ruleset, "place", looks.fill, shown.places[n])) for n, _ in spaces}
    tongue = locale_formatter(ruleset, motif.lang, motif.say)
    crossed = _find_crossed_places(motif) | {n for n, look in fills.items() if look and look.look.pattern}
    texts: list[str] = []
    standing: list[str] = []
    names: list[str] = []
    for n, place in spaces:
        is_area, middle, here = _is_area(n, layout), layout.middles[n], shown.standing.get(n)
        written = read_space_text(n, motif, tongue)
        marked, name = shown.marked.get(n, {}), name_of(place, is_area, motif.lang)
        rows = rows_of(layout, is_area, written, bool(marked), here is not None, bool(name))
        if not is_area:
            texts.append(id_text(place, middle, rows, n in crossed))
        if here:
            standing.append(draw_counters(here, middle, rows.box, motif))
        texts.append(draw_space_text(written, middle, rows, is_area, layout))
        if drawn := draw_marks(marked, ruleset.drawing.marks, middle, rows.marks, None if is_area else layout.form):
            texts.append(element("g", drawn, class_="marks", data_place=place.id))
        names.append(name_text(name, middle, rows, is_area, layout))
    return Layers(_grounds(motif, fills), texts, standing, names)


def _all_counters(motif: DrawingContext) -> list[str]:
    """Draw the counters of a map whose ground is a scan."""
    boxes, middles = boxes_of(motif), motif.layout.middles
    return [draw_counters(here, middles[n], boxes[n], motif) for n, here in motif.shown.standing.items() if here]


def _scan_texts(motif: DrawingContext) -> list[str]:
    """Draw the marks of a map whose ground is a scan; names and figures are printed on it."""
    found, looks = [], motif.ruleset.drawing.marks
    for n, place in _spaces(motif):
        x, y = motif.layout.middles[n]
        form = None if _is_area(n, motif.layout) else motif.layout.form
        if drawn := draw_marks(motif.shown.marked.get(n, {}), looks, (x, y), -20.0, form):
            found.append(element("g", drawn, class_="marks", data_place=place.id))
    return found


def _grounds(motif: DrawingContext, fills: Mapping[int, ValueLook | None]) -> list[list[str]]:
    """Draw places and link lines as levels from bottom to top; nothing overlaps within a level."""
    spaces, lines, layout = _spaces(motif), lines_by_course(motif), motif.layout
    grounds = [_ground(n, p, layout, fills[n]) for n, p in spaces]
    # lines along sides lie beneath lines that cross them
    on_grid = [g for (n, _), g in zip(spaces, grounds, strict=True) if n in layout.on_grid]
    beside = [g for (n, _), g in zip(spaces, grounds, strict=True) if n not in layout.on_grid]
    return [on_grid, lines["along"], lines["through"], beside, lines["over"]]


def _find_crossed_places(motif: DrawingContext) -> set[int]:
    """Return the places that a line runs into."""
    ruleset = motif.ruleset
    hung = dict.fromkeys(look.attribute for look in motif.looks.lines if look.line.course != "along")
    return {
        end
        for edge, values in zip(ruleset.kinds["edge"].things, motif.shown.links, strict=True)
        if any(written_value(ruleset, "edge", name, values) not in (None, "false", "") for name in hung)
        for end in edge.ends or ()
    }


def _is_area(place: int, layout: MapGeometry) -> bool:
    return place not in layout.on_grid


def _ground(handle: int, place: Thing, layout: MapGeometry, found: ValueLook | None) -> str:
    x, y = layout.middles[handle]
    colour = found.look.colour if found else PLAIN
    shapes = [_shape(handle, x, y, layout, fill=colour, stroke="#8a8676", stroke_width=0.8)]
    if found and found.look.pattern:
        shapes.append(_shape(handle, x, y, layout, fill=f"url(#pattern-{found.look.pattern})"))
    return element("g", shapes, class_="place", data_place=place.id)


def _shape(handle: int, x: float, y: float, layout: MapGeometry, **look: object) -> str:
    if _is_area(handle, layout):
        wide, high = AREA
        return element("rect", x=x - wide / 2, y=y - high / 2, width=wide, height=high, rx=14, **look)
    return element("path", d=path_data([(x + a, y + b) for a, b in layout.corners], close=True), **look)
