"""Draw a map as an SVG picture: ground, links, names, numbers, the set-up's counters and a legend.

Spaces of a grid get their tints, ids, figures, words, marks and the lines between them here too. Deterministic: equal
rulesets give equal text. Looks and positions are decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.i18n.translator import ENGLISH, Translator
from interpreter.model.area_drawing import Point
from interpreter.model.ruleset import Ruleset, Scenario, Thing
from interpreter.tools.maps.areas.painter import compute_area_boxes, draw_area_layers
from interpreter.tools.maps.areas.plan import AreaPlan
from interpreter.tools.maps.areas.tones import format_tone, render_dark_css
from interpreter.tools.maps.boxes import Box
from interpreter.tools.maps.counter_faces import choose_ink, render_counter_css
from interpreter.tools.maps.counters import ON_PILES, draw_counters
from interpreter.tools.maps.drawing_context import DrawingContext, create_context
from interpreter.tools.maps.geometry import AREA, MARGIN, SIDE, SQUARE, MapGeometry
from interpreter.tools.maps.ground_plan import collect_tones, is_fixed_line, is_tint, plan_ground, render_tone_css
from interpreter.tools.maps.legend import WIDTH, draw_legend
from interpreter.tools.maps.link_paths import draw_lines_by_course
from interpreter.tools.maps.marks import draw_marks
from interpreter.tools.maps.painting.cell_mesh import CellMesh, build_corner_key
from interpreter.tools.maps.painting.ground import PaintedGround, define_symbols, paint_ground
from interpreter.tools.maps.painting.palette import (
    AUTO,
    DARK,
    LIGHT,
    build_stylesheet,
    derive_dark_ground,
    render_ground_css,
)
from interpreter.tools.maps.painting.place_labels import PlacedName, draw_names
from interpreter.tools.maps.piece_groups import ShownPosition, build_initial_position, list_turns
from interpreter.tools.maps.scans import draw_background
from interpreter.tools.maps.shapes import (
    FONT,
    draw_pattern,
    draw_text,
    estimate_text_width,
    fit_font_size,
    format_path,
    format_point,
    format_transform,
    truncate_text,
)
from interpreter.tools.maps.side_boxes import draw_boxes, draw_turn_track
from interpreter.tools.maps.spaces import (
    MARKS_LINE,
    SpaceText,
    compute_counter_box,
    draw_name,
    draw_space_text,
    read_space_text,
)
from interpreter.tools.maps.style import PLAIN, MapStyle, ValueLook, list_spaces

_BETWEEN = 16.0
PAPER = "#fbfaf5"  # beneath maps of areas

Traces = tuple[str, str]


def render_map(
    ruleset: Ruleset,
    scenario: Scenario | None = None,
    lang: str = "",
    position: ShownPosition | None = None,
    say: Translator = ENGLISH,
    traces: Traces = ("", ""),
    palette: str = LIGHT,
    layout: MapGeometry | None = None,
) -> str:
    """Return the picture of a ruleset's map with the shown pieces, or with the pieces that the documents place.

    `traces` is markup drawn beneath and above the counters; `palette` is "light", "dark", or "auto" for the one that
    the reader's screen prefers; `layout` is computed unless it is given.
    """
    position = position or build_initial_position(ruleset, scenario)
    context = create_context(ruleset, position, lang, say, layout)
    beside, legend_height = draw_legend(context, any(traces))
    map_width, map_height = context.geometry.size
    gap = MARGIN / 2 if context.geometry.plan is not None else 0.0
    width = map_width + gap + WIDTH + MARGIN
    below, above, height = _place_below(context, (map_width, map_height), width, legend_height + 2 * MARGIN)
    layers = draw_layers(context).list_parts(traces)
    parts = [
        *_draw_sheet(context, palette, width, height),
        _render_area_css("".join([*layers, beside]), palette),
        build_element("g", layers, class_="map"),
        build_element(
            "g",
            beside,
            transform=format_transform(map_width + gap, MARGIN),
            class_="legend",
        ),
        build_element("g", below, transform=format_transform(MARGIN, above), class_="below") if below else "",
    ]
    body = _wrap_svg("\n".join(parts), width, height)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + body.replace("<g", "\n<g") + "\n"


def render_map_css(style: MapStyle, palette: str) -> str:
    """Return the stylesheet of a map in a palette."""
    return (
        build_stylesheet(palette, render_ground_css() + render_tone_css(style), collect_tones(style))
        + render_counter_css()
    )


def _render_area_css(markup: str, palette: str) -> str:
    """Return the style element with the dark colours of areas; "" for the light palette, whose colours are attributes.

    `markup`: the markup of the map, which names the colours used.
    """
    rules = render_dark_css(markup) if palette in (AUTO, DARK) else ""
    if not rules:
        return ""
    return build_element("style", f"@media(prefers-color-scheme:dark){{{rules}}}" if palette == AUTO else rules)


def _draw_sheet(context: DrawingContext, palette: str, width: float, height: float) -> list[str]:
    """Return the first elements of a picture: its stylesheet, definitions, and a background rectangle.

    `palette`: "light", "dark" or "auto"; `width` and `height`: the size of the picture in pixels.
    """
    symbols = define_symbols() if context.geometry.on_grid else ""
    return [
        build_element("style", render_map_css(context.style, palette)),
        build_element("defs", [*_draw_patterns(context), symbols]),
        build_element("rect", class_="g-page", x=0, y=0, width=width, height=height),
    ]


def _draw_patterns(context: DrawingContext) -> list[str]:
    """Draw the tiles of the patterns that the map uses."""
    return [draw_pattern(name) for name in dict.fromkeys(f.look.pattern for f in context.style.fills if f.look.pattern)]


def _render_sheet(context: DrawingContext, palette: str, parts: Sequence[str], width: float, height: float) -> str:
    """Return a picture of the given size in a palette; `parts`: its markup from bottom to top."""
    areas = _render_area_css("".join(parts), palette)
    return _wrap_svg([*_draw_sheet(context, palette, width, height), areas, *parts], width, height)


def _wrap_svg(inner: str | Sequence[str], width: float, height: float) -> str:
    return build_element(
        "svg",
        inner,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {format_coordinate(width)} {format_coordinate(height)}",
        font_family=FONT,
    )


def _place_below(
    context: DrawingContext, map_size: Point, width: float, legend_height: float
) -> tuple[str, float, float]:
    """Draw what lies below the map: beside a long legend if that makes the sheet no higher, else below both.

    `width`: the width of the sheet; `legend_height`: the height of the legend with its margins. Return the markup, the
    height at which it begins, and the height of the sheet.
    """
    map_width, map_height = map_size
    narrow, more = _draw_below(context, map_width - MARGIN)
    above = max(map_height, legend_height)
    wide, less = _draw_below(context, width - 2 * MARGIN)
    beside = max(map_height + more, legend_height)
    if beside <= above + less:
        return narrow, map_height, beside
    return wide, above, above + less


def _draw_below(context: DrawingContext, width: float) -> tuple[str, float]:
    """Draw the turn track and below it the boxes of places off the map; return the markup and its height.

    Returns "" and 0 for neither. `width`: the width in pixels within which fields and boxes are wrapped into rows.
    """
    position = context.position
    track, high = draw_turn_track(list_turns(position.scenario), position.turn, position.titles, width, context.say)
    waiting, deep = draw_boxes(context, width)
    if not high + deep:
        return "", 0.0
    down = high + _BETWEEN if high else 0.0
    return track + build_element(
        "g", waiting, transform=f"translate(0 {format_coordinate(down)})"
    ), down + deep + _BETWEEN


def render_painting(context: DrawingContext, palette: str = AUTO) -> str:
    """Draw what never changes of a map: the painted ground of its grid and the frame; "" for a map of areas.

    Has neither the names, which avoid counters, nor the lines between spaces and their ids: a page draws these parts
    itself.
    """
    if not context.geometry.on_grid:
        return ""
    return _render_sheet(context, palette, [_paint(context, with_names=False)], *context.geometry.size)


def list_ground_names(context: DrawingContext) -> Sequence[PlacedName]:
    """Return the names on the painted ground of a grid with their spots; () for a map of areas or a scan."""
    if not context.geometry.on_grid or context.ruleset.drawing.background is not None:
        return ()
    return _paint_ground(context).names


def render_page_css() -> str:
    """Return the stylesheet of what a page draws itself: counters, and names on a painted ground."""
    rules = [rule + "}" for rule in render_ground_css().split("}") if rule.startswith((".g-text", ".g-label"))]
    return render_counter_css() + build_stylesheet(AUTO, "".join(rules))


def render_ground(context: DrawingContext, palette: str = LIGHT, with_painting: bool = True) -> str:
    """Draw the map without counters, heading and legend; its view box covers the layout.

    `with_painting` False draws on a grid only what may change in play beneath the counters, without a background; "" if
    nothing does.
    """
    size = context.geometry.size
    bare = context if context.geometry.on_grid else context.copy_without_counters()
    layers = draw_layers(bare, with_painting, with_ids=with_painting)
    if with_painting or not context.geometry.on_grid:
        return _render_sheet(context, palette, layers.list_parts(), *size)
    markup = [*(part for level in layers.grounds for part in level), *layers.texts]
    if not any(markup):
        return ""
    areas = _render_area_css("".join(markup), palette)
    start = [
        build_element("style", render_map_css(context.style, palette)),
        areas,
        build_element("defs", _draw_patterns(context)),
    ]
    return _wrap_svg([*start, *markup], *size)


def render_cover(context: DrawingContext) -> str:
    """Draw the map with its counters, without heading, legend and ids of spaces."""
    return _render_sheet(context, AUTO, draw_layers(context, with_ids=False).list_parts(), *context.geometry.size)


def render_marks(context: DrawingContext) -> str:
    """Draw the figures and marks of a grid that lie above counters; return "" if nothing is drawn."""
    markup = [draw_figures_and_marks(n, context) for n, _ in _list_spaces(context) if n in context.geometry.on_grid]
    if not any(markup):
        return ""
    return _wrap_svg([build_element("style", render_map_css(context.style, AUTO)), *markup], *context.geometry.size)


def render_legend(context: DrawingContext) -> str:
    """Draw the legend alone as a picture."""
    legend, height = draw_legend(context)
    inner = build_element("g", legend, transform=format_transform(_BETWEEN, _BETWEEN))
    return _render_sheet(context, AUTO, [inner], WIDTH + 2 * _BETWEEN, height + 2 * _BETWEEN)


def compute_boxes(context: DrawingContext) -> dict[int, Box]:
    """Return the box for counters (left, top, right, bottom from the middle) by place handle."""
    layout, marked = context.geometry, context.position.marked
    if layout.plan is not None:
        return compute_area_boxes(context, layout.plan)
    return {
        n: ON_PILES if n in layout.on_grid else compute_counter_box(read_space_text(n, context), bool(marked.get(n)))
        for n, _ in _list_spaces(context)
    }


def _list_spaces(context: DrawingContext) -> list[tuple[int, Thing]]:
    """Return the places that are drawn, with their handles."""
    return [(n, place) for n, place in list_spaces(context.ruleset) if n in context.geometry.middles]


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers of a map from bottom to top; each element is markup.

    `grounds`: grounds and lines, by level; `texts`: texts beneath counters; `names`: figures and marks above counters.
    """

    grounds: Sequence[Sequence[str]]
    texts: Sequence[str]
    counters: Sequence[str]
    names: Sequence[str]

    def list_parts(self, traces: Traces = ("", "")) -> list[str]:
        """Return all markup in drawing order.

        `traces`: markup to draw beneath the counters, and markup to draw above everything.
        """
        ground = [part for level in self.grounds for part in level]
        return [*ground, *self.texts, traces[0], *self.counters, *self.names, traces[1]]


def draw_layers(context: DrawingContext, with_painting: bool = True, with_ids: bool = True) -> Layers:
    """Draw the map as separate layers of markup.

    `with_painting`: also paint the ground of a grid, its frame and its grid lines. `with_ids`: also write the ids of
    the spaces of a grid, unless the map is a scan. Neither has an effect on a map of areas.
    """
    ruleset, layout, looks, position = context.ruleset, context.geometry, context.style, context.position
    if layout.plan is not None:
        return _draw_plan_layers(context, layout.plan)
    with_ids = with_ids and ruleset.drawing.background is None  # a scan has them printed on it
    spaces = _list_spaces(context)
    fills = {n: looks.find_fill(ruleset, position.places[n]) for n, _ in spaces}
    texts: list[str] = []
    counters: list[str] = []
    names: list[str] = []
    for n, place in spaces:
        middle, groups = layout.middles[n], position.groups.get(n)
        if n in layout.on_grid:
            texts.append(draw_tint_and_id(n, context, with_ids, fills[n]))
            names.append(draw_figures_and_marks(n, context))
            if groups:
                counters.append(draw_counters(groups, middle, ON_PILES, context))
            continue
        written, marked = read_space_text(n, context), position.marked.get(n, {})
        if groups:
            counters.append(draw_counters(groups, middle, compute_counter_box(written, bool(marked)), context))
        texts.append(draw_space_text(written, middle))
        if marks := draw_marks(marked, ruleset.drawing.marks, middle, MARKS_LINE, None):
            texts.append(build_element("g", marks, class_="marks", data_place=place.id))
        texts.append(draw_name(place, middle, context.lang))
    return Layers(_draw_grounds(context, fills, with_painting), texts, counters, [name for name in names if name])


def _draw_plan_layers(context: DrawingContext, plan: AreaPlan) -> Layers:
    """Draw the layers of a map of areas; a scan replaces all that lies beneath the counters."""
    grounds, counters = draw_area_layers(context, plan)
    scanned = _draw_scan(context)
    return Layers([[scanned]] if scanned else grounds, (), counters, ())


def _draw_scan(context: DrawingContext) -> str:
    background = context.ruleset.drawing.background
    return "" if background is None else draw_background(context, background)


def _draw_grounds(
    context: DrawingContext, fills: Mapping[int, ValueLook | None], with_painting: bool
) -> list[list[str]]:
    """Draw grounds and link lines as lists of elements, from the bottom level to the top.

    `fills`: the look of each place by handle, None for no colour. `with_painting`: include the painted ground of a
    grid.
    """
    layout, looks = context.geometry, context.style
    areas = [_draw_area_box(n, p, layout, fills[n]) for n, p in _list_spaces(context) if n not in layout.on_grid]
    changing = [look for look in looks.lines if not is_fixed_line(context.ruleset, look)]
    lines = draw_lines_by_course(context, changing)
    background = context.ruleset.drawing.background
    path = build_grid_path(CellMesh(layout)) if with_painting and background is None else ""
    painted = (
        [_paint(context) + (build_element("path", class_="g-grid", d=path) if path else "")] if with_painting else []
    )
    # lines along sides lie beneath lines that cross them
    return [painted, lines["along"], lines["through"], areas, lines["over"]]


def _paint(context: DrawingContext, with_names: bool = True) -> str:
    """Return the ground of a grid: the scan if the drawing has one, else the painted ground, its frame and the names.

    Names are placed where the counters of the position do not cover them; `with_names` False leaves them out.
    """
    if scanned := _draw_scan(context):
        return scanned
    painted = _paint_ground(context)
    names = draw_names(painted.names, context.position.groups.keys(), "g") if with_names else ""
    parts = [painted.picture, draw_frame(CellMesh(context.geometry)), names]
    return build_element("defs", painted.definitions) + build_element("g", parts, class_="ground")


def _paint_ground(context: DrawingContext) -> PaintedGround:
    """Return the painted ground of a grid; the latest few are memoized."""
    plan = replace(plan_ground(context), marked=_find_figured_spaces(context))
    key = (context.ruleset.content_hash, context.lang, plan.layout.size, tuple(plan.terrain.items()))
    if key not in _PAINTED:
        painted = paint_ground(plan)
        while len(_PAINTED) >= _MAX_CACHED_PAINTINGS:
            _PAINTED.pop(next(iter(_PAINTED)), None)
        _PAINTED[key] = painted
    return _PAINTED[key]


def _find_figured_spaces(context: DrawingContext) -> frozenset[int]:
    """Return the spaces of the grid that have figures at the start.

    The start counts, because the ground is the same for all positions.
    """
    start = replace(context, position=build_initial_position(context.ruleset, None))
    return frozenset(n for n in context.geometry.on_grid if read_space_text(n, start).figures)


_PAINTED: dict[object, PaintedGround] = {}
_MAX_CACHED_PAINTINGS = 4


def _draw_area_box(handle: int, place: Thing, layout: MapGeometry, fill: ValueLook | None) -> str:
    """Draw the box of an area beside a grid: water with its shore, else its colour in a frame of ink.

    `fill`: the look of the area, or None for no colour.
    """
    x, y = layout.middles[handle]
    wide, high = AREA
    box = {"x": x - wide / 2, "y": y - high / 2, "width": wide, "height": high, "rx": 14}
    if fill is not None and fill.look.style == "water" and not fill.is_own_colour:
        shapes = [build_element("rect", class_="g-water", **box)]
        for inset, look in ((3.5, "g-coast-echo"), (0.0, "g-coast")):
            rim = {"x": x - wide / 2 + inset, "y": y - high / 2 + inset, "rx": 14 - inset}
            shapes.append(build_element("rect", class_=look, width=wide - 2 * inset, height=high - 2 * inset, **rim))
        return build_element("g", shapes, class_="place", data_place=place.id)
    colour = fill.look.colour if fill else PLAIN
    shapes = [build_element("rect", **format_tone((colour, derive_dark_ground(colour))), **box)]
    if fill and fill.look.pattern:
        shapes.append(build_element("rect", fill=f"url(#pattern-{fill.look.pattern})", **box))
    shapes.append(build_element("rect", class_="g-frame", **box))
    return build_element("g", shapes, class_="place", data_place=place.id)


_ID_SIZE = 7.4
_ID = {"flat": -SIDE * 0.866 + 8.8, "pointed": -SIDE * 0.66, "square": -SQUARE / 2 + 9.6}
_ROW = {"flat": SIDE * 0.866 - 9, "pointed": SIDE * 0.62, "square": SQUARE / 2 - 9}  # the middle of the marks
_ROOM = 60.0  # width for words across a space


def draw_tint_and_id(place: int, context: DrawingContext, with_id: bool, fill: ValueLook | None) -> str:
    """Draw the tint of a space whose colour changes in play, and its id; "" for neither.

    `with_id`: write the id; `fill`: the look of the space, or None for no colour.
    """
    ruleset, layout = context.ruleset, context.geometry
    (x, y), thing = layout.middles[place], ruleset.kinds["place"].things[place]
    shapes = []
    if fill is not None and fill.is_own_colour and is_tint(ruleset, context.style):
        outline = format_path([(x + a, y + b) for a, b in layout.corners], close=True)
        shapes.append(build_element("path", d=outline, fill=fill.look.colour, fill_opacity="0.4"))
        if fill.look.pattern:
            shapes.append(build_element("path", d=outline, fill=f"url(#pattern-{fill.look.pattern})"))
    if with_id:
        is_pale = fill is not None and fill.look.style == "woods"
        look = f"g-text g-number{' g-number-pale' if is_pale else ''} id"
        shapes.append(draw_text(thing.id, x, y + _ID[layout.form], _ID_SIZE, class_=look, fill=None, text_anchor=None))
    return build_element("g", shapes, class_="place", data_place=thing.id) if shapes else ""


def draw_figures_and_marks(place: int, context: DrawingContext) -> str:
    """Draw the figures, words and marks of a space; "" if it has none."""
    ruleset, layout = context.ruleset, context.geometry
    middle, written = layout.middles[place], read_space_text(place, context)
    parts = [*_draw_standards(written, middle, _find_holder_colour(place, context))]
    if written.words:
        text = truncate_text(written.words, 24)
        size = fit_font_size(text, _ROOM, 9.5)
        y = middle[1] + _ROW[layout.form] + 3
        parts.append(draw_text(text, middle[0], y, size, class_="g-text g-label g-label-minor value", fill=None))
    if marks := draw_marks(
        context.position.marked.get(place, {}), ruleset.drawing.marks, middle, _ROW[layout.form], layout.form
    ):
        parts.append(build_element("g", marks, class_="marks", data_place=ruleset.kinds["place"].things[place].id))
    return "".join(parts)


def _find_holder_colour(place: int, context: DrawingContext) -> tuple[str, int] | None:
    """Return (colour, handle) of the side that holds a place.

    Return None if no side holds it, or if the drawing names no attribute that holds the side.
    """
    holder = context.ruleset.drawing.holder
    side: int | None = context.position.places[place].get(holder) if holder else None
    return (context.style.sides[side][0], side) if side is not None and side in context.style.sides else None


def _draw_standards(written: SpaceText, middle: Point, holder: tuple[str, int] | None) -> Iterable[str]:
    """Draw each figure of a space on a small flag at the left of `middle`, later figures below earlier ones.

    `holder`: (colour, handle) of the side that holds the space, which colours the first figure's flag, or None.
    """
    for row, (number, text) in enumerate(written.figures):
        wide = max(13.0, estimate_text_width(text, 9.2) * 0.9 + 5)
        x, y = middle[0] - 34 - wide, middle[1] + 6 + row * 15 - 7 * (len(written.figures) - 1)
        end, notch = format_coordinate(wide + 2), format_coordinate(wide - 1.2)
        cut = f"M0-13H{end}L{notch}-7.5 {end}-2H0Z"
        cloth = cut if holder and holder[1] % 2 else f"M0-13H{format_coordinate(wide)}V-2H0Z"
        fill, rim = (holder[0], "#fff") if holder and number == 0 else ("#fffbe8", "#3a2c1c")
        tone = "c-light" if choose_ink(fill) == "#ffffff" else "c-dark"
        parts = [
            build_element("path", class_="c-pole", d="M0 7V-14"),
            build_element("path", d=cloth, stroke_width="1.2", fill=fill, stroke=rim),
            build_element(
                "text", text, class_=f"c-text {tone}", x=format_coordinate(wide / 2), y="-4.2", font_size=9.2
            ),
        ]
        yield build_element("g", parts, transform=format_transform(x, y), class_="figure")


BORDER = 13.0  # width of the checked border
_CHECK = 60.0  # length of a check
_THICK = 5.0


def build_grid_path(mesh: CellMesh) -> str:
    """Return the path of all sides of spaces, each side once."""
    seen, parts = set[frozenset[tuple[int, int]]](), []
    for cell in mesh.cells:
        corners, is_running = mesh.compute_corners(cell), False
        for n, corner in enumerate(corners):
            following = corners[(n + 1) % len(corners)]
            side = frozenset((build_corner_key(corner), build_corner_key(following)))
            if side in seen:
                is_running = False
                continue
            seen.add(side)
            parts.append(("" if is_running else f"M{format_point(corner)}") + f"L{format_point(following)}")
            is_running = True
    return "".join(parts)


def draw_frame(mesh: CellMesh) -> str:
    """Return the frame around a grid: a checked border between two lines, and a thick line outside."""
    left, top, right, bottom = mesh.box
    border, parts = BORDER, list[str]()
    outer = _format_rectangle(left - border, top - border, right + border, bottom + border)
    parts.append(_draw_path("checks-gap", outer + _format_rectangle(left, top, right, bottom), fill_rule="evenodd"))
    checks = []
    count = 2 * max(2, round((right - left) / _CHECK / 2)) + 1
    step, inset = (right - left) / count, (border - _THICK) / 2
    for n in range(0, count, 2):
        for y in (top - border + inset, bottom + inset):
            checks.append(_format_rectangle(left + n * step, y, left + (n + 1) * step, y + _THICK))
    count = 2 * max(2, round((bottom - top) / _CHECK / 2)) + 1
    step = (bottom - top) / count
    for n in range(0, count, 2):
        for x in (left - border + inset, right + inset):
            checks.append(_format_rectangle(x, top + n * step, x + _THICK, top + (n + 1) * step))
    parts.append(_draw_path("checks", "".join(checks)))
    parts.append(_draw_path("frame", _format_rectangle(left, top, right, bottom) + outer))
    distance = border + 6
    parts.append(
        _draw_path(
            "frame-thick", _format_rectangle(left - distance, top - distance, right + distance, bottom + distance)
        )
    )
    return build_element("g", parts, class_="g-border-frame")


def _format_rectangle(left: float, top: float, right: float, low: float) -> str:
    x, y = format_coordinate(left), format_coordinate(top)
    return f"M{x} {y}H{format_coordinate(right)}V{format_coordinate(low)}H{x}Z"


def _draw_path(look: str, outline: str, **attributes: str) -> str:
    return build_element("path", class_=f"g-{look}", d=outline, **attributes)
