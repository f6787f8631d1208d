"""Draw the legend of a map: every look with its meaning, counter signs, and notes on reconstructed data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.i18n.direction_names import format_direction
from interpreter.i18n.translator import ENGLISH, Translator
from interpreter.model import types as t
from interpreter.model.drawing import FillStyle
from interpreter.model.ruleset import Attribute, Ruleset, Scenario
from interpreter.tools.describe.value_format import format_label, translate_name
from interpreter.tools.maps.areas import emblems
from interpreter.tools.maps.areas.ground import POLITICAL, compute_border_width, draw_border
from interpreter.tools.maps.areas.plan import WATER
from interpreter.tools.maps.areas.tones import choose_line_tone, choose_shades, format_tone
from interpreter.tools.maps.counter_faces import FACE, draw_front
from interpreter.tools.maps.counter_signs import draw_marker_sample, draw_sign_box
from interpreter.tools.maps.counters import build_face, describe_condition, draw_arrow, get_sign, list_shown_figures
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.ground_plan import is_fixed_line, is_tint
from interpreter.tools.maps.marks import draw_symbol
from interpreter.tools.maps.painting.cell_mesh import CellMesh
from interpreter.tools.maps.painting.samples import draw_ground_sample, draw_line_sample
from interpreter.tools.maps.painting.scene import Terrain
from interpreter.tools.maps.piece_groups import PlacedGroup
from interpreter.tools.maps.provenance_notes import ProvenanceNotes, list_reconstructed
from interpreter.tools.maps.shapes import (
    GONE,
    INK,
    draw_text,
    format_dash_array,
    format_path,
    format_transform,
    truncate_text,
)
from interpreter.tools.maps.sheet_ornaments import draw_cartouche, draw_compass, draw_scale_bar
from interpreter.tools.maps.style import (
    LineLook,
    find_written_value,
    format_attribute,
    format_fill_name,
    format_mark_name,
    format_number_name,
    list_type_values,
    list_values_with_text,
)

WIDTH = 300.0
_STEP = 24.0
_CELLS = 36  # characters per line
_NOTE = 46  # characters per line in small print
_SAMPLE = 66.0  # size of the counter that shows how to read one


def draw_legend(context: DrawingContext, with_traces: bool = False) -> tuple[str, float]:
    """Draw the title, the legend and the scale with their upper left corner at (0, 0); return markup and height.

    `with_traces` adds the marks of the changes since the previous picture.
    """
    cartouche, height = draw_cartouche(*split_title(context), WIDTH - 4)
    parts = [cartouche]
    y = height + 34.0
    traces = [_Section(context.say("since the previous picture"), _trace_rows(context.say))] if with_traces else []
    for section in [*_iter_sections(context), *traces]:
        if section.rows or section.sample:
            title = truncate_text(section.title, _CELLS)
            look = {"text_anchor": "start", "font_weight": "bold", "class_": "g-text", "fill": None}
            parts.append(draw_text(title[:1].upper() + title[1:], 0.0, y, 15, **look))
            if section.sample:
                parts.append(build_element("g", section.sample, transform=f"translate(0 {format_coordinate(y + 12)})"))
                y += _SAMPLE + 18
            for swatch, text in section.rows:
                y += _STEP
                parts.append(build_element("g", swatch, transform=f"translate(0 {y - 5:.1f})"))
                parts.append(draw_text(truncate_text(text, _CELLS - 6), 46.0, y, 12.5, **{**look, "font_weight": None}))
            y += _STEP * 1.6
    if context.geometry.on_grid:
        letter = format_direction("n", context.lang)[:1].upper()
        parts.append(draw_compass(WIDTH - 60, y + 46, float(context.ruleset.drawing.north), letter))
        if context.ruleset.drawing.scale is not None:
            across = CellMesh(context.geometry).across
            parts.append(draw_scale_bar(context.ruleset.drawing.scale, across, context.lang, 0.0, y + 104))
        y += 146
    for line in _list_notes(context):
        look = {"text_anchor": "start", "font_style": "italic", "class_": "g-text g-soft-text note", "fill": None}
        parts.append(draw_text(line, 0.0, y, 11, **look))
        y += 15
    return "".join(parts), y + 10


_Rows = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Section:
    """A titled part of the legend: rows of (drawing, meaning), and a sample counter."""

    title: str
    rows: _Rows
    sample: str = ""


def _iter_sections(context: DrawingContext) -> Iterable[_Section]:
    """Yield the sections of the legend: fills, links, texts and marks, and of a map with counters sides and classes."""
    ruleset, looks, lang, say = context.ruleset, context.style, context.lang, context.say
    attributes, standing = ruleset.kinds["place"].attributes, context.position.groups
    swatches = [(_draw_ground_swatch(context, n), f.words) for n, f in enumerate(looks.fills)]
    yield _Section(format_fill_name(ruleset, looks.fill, lang), swatches)
    lines = [(n, look) for n, look in enumerate(looks.lines) if _is_drawn(look, context)]
    yield _Section(say("links"), [(_draw_line(look, n, context), look.words) for n, look in lines])
    badges = ruleset.drawing.area_map.badges if context.geometry.plan else {}
    written = []
    for n, name in enumerate(ruleset.drawing.numbers):
        symbol = _draw_badge(badges.get(name, "")) or _draw_value_sample(n, attributes.get(name), context)
        written.append((symbol, format_number_name(ruleset, name, attributes, lang)))
    written += [
        (draw_symbol(mark, say("abc")), format_mark_name(ruleset, mark, lang)) for mark in ruleset.drawing.marks
    ]
    yield _Section(say("written on the map"), written)
    if not standing:
        return
    sides = ruleset.kinds["side"]
    present = {looks.find_side(s.piece.cls, s.values) for groups in standing.values() for s in groups}
    yield _Section(
        translate_name(ruleset, sides.many, lang),
        [
            (_draw_side_swatch(looks.sides[n][0], n), format_label(side.label, lang))
            for n, side in enumerate(sides.things)
            if n in present
        ],
    )
    used = {group.piece.cls for groups in standing.values() for group in groups}
    for cls in ruleset.classes.values():
        if cls.id in used:
            group = _find_sample(cls.id, context)
            sample = _draw_sample(group, context) if group is not None else ""
            yield _Section(_format_classes(ruleset, cls.id, lang), _list_class_rows(context, cls.id, group), sample)


def _find_sample(cls: str, context: DrawingContext) -> PlacedGroup | None:
    """Return the counter of a class on the map that shows the most figures, or None if none shows any.

    `cls`: the id of the class.
    """
    groups = [group for placed in context.position.groups.values() for group in placed if group.piece.cls == cls]
    ranked = [
        (len(list_shown_figures(group, context)), bool(get_sign(group, context)), -group.count, -group.handle)
        for group in groups
    ]
    best = max(zip(ranked, groups, strict=True), key=lambda pair: pair[0])
    return best[1] if best[0][0] else None


def _draw_sample(group: PlacedGroup, context: DrawingContext) -> str:
    """Draw a sample of a counter with its figures and their names beside it, in the order of the counter."""
    figures, middle = list_shown_figures(group, context), _SAMPLE / 2 + 10
    front = draw_front(replace(build_face(group, context), conditions=(), count=1))
    counter = front + draw_arrow(group, (0.0, 0.0), FACE, context)
    parts = [build_element("g", counter, transform=format_transform(middle, middle, _SAMPLE / FACE))]
    look = {"text_anchor": "start", "class_": "g-text", "fill": None, "font_style": "italic"}
    step = min(17.0, (_SAMPLE + 8) / len(figures))
    first = middle - (len(figures) - 1) * step / 2 + 4
    for n, figure in enumerate(figures):
        y = first + n * step
        parts.append(draw_text(truncate_text(figure.text, 8), _SAMPLE + 38, y, 12.5, **{**look, "font_weight": "bold"}))
        parts.append(draw_text(truncate_text(figure.name, 26), _SAMPLE + 62, y, 12.5, **look))
    return "".join(parts)


def _list_class_rows(context: DrawingContext, cls: str, sample: PlacedGroup | None) -> _Rows:
    """Return the rows (drawing, meaning) of a class: signs, bands, figures that its sample lacks, and markers.

    `sample`: the counter that the legend shows for the class, or None.
    """
    ruleset, lang, value_texts, look = (
        context.ruleset,
        context.lang,
        context.position.look_values,
        context.style.counters[cls],
    )
    rows: _Rows = []
    if look.sign and not look.sign_by and look.form != "medal":
        rows.append((_draw_sign(look.sign), _format_classes(ruleset, cls, lang)))
    if look.sign_by:
        for value, words in list_values_with_text(ruleset, "piece", look.sign_by, look.signs, lang, value_texts):
            rows.append((_draw_sign(look.signs[value]), _format_value(context, cls, look.sign_by, words)))
    marked = {(group.by, value) for group in look.markers or () for value in group.looks}
    if look.band_by:
        for value, words in list_values_with_text(ruleset, "piece", look.band_by, look.bands, lang, value_texts):
            if (look.band_by, value) in marked:  # its marker, listed below, is on the same counters
                continue
            rows.append((_draw_swatch(look.bands[value], 8.0), _format_value(context, cls, look.band_by, words)))
    attributes = ruleset.kinds["piece"].attributes
    known = {figure.name for figure in list_shown_figures(sample, context)} if sample is not None else set()
    for n, key in enumerate(look.numbers):
        name = format_label(look.names.get(key, {}), lang) or format_number_name(ruleset, key, attributes, lang)
        if name not in known:
            rows.append((draw_text(f"{n + 1}.", 18, 5, 12, class_="g-text", fill=None, font_weight="bold"), name))
    for group in look.markers or ():
        for value, _ in list_values_with_text(ruleset, "piece", group.by, group.looks, lang, value_texts):
            style = group.looks[value]
            meaning = describe_condition(ruleset, group.by, value, format_label(style.name, lang), lang)
            sample_marker = draw_marker_sample(style, (style.letter or meaning[:1]).upper())
            rows.append((build_element("g", sample_marker, transform="translate(18 0) scale(.85)"), meaning))
    return rows


def _draw_sign(name: str) -> str:
    return build_element("g", draw_sign_box(name), transform="translate(18 0) scale(.78)")


def _draw_ground_swatch(context: DrawingContext, number: int) -> str:
    """Draw a piece of painted ground, or its colour on a map of areas or for a tint.

    `number`: the index of the look among the looks of the ground.
    """
    fill = context.style.fills[number]
    if context.geometry.plan is not None:
        return _draw_area_swatch(fill.look, POLITICAL[:3] if fill.is_uncoloured_default else (fill.look.colour,))
    if not context.geometry.on_grid or is_tint(context.ruleset, context.style):
        return _draw_swatch(fill.look.colour, 18.0, fill.look.pattern)
    terrain = Terrain(fill.look.style, f"t{number}" if fill.is_own_colour else "")
    sample = draw_ground_sample(terrain, fill.look.pattern, f"s{number}-")
    rim = build_element("rect", class_="g-frame", x=0.0, y=-10.0, width=36.0, height=20.0)
    return sample + rim


def _draw_area_swatch(look: FillStyle, colours: Sequence[str]) -> str:
    """Draw a piece of a map of areas: water, or ground with the edge of its colour, in the tones of both palettes.

    `colours`: the colours of the ground, drawn side by side; several for a value whose areas are tinted to differ.
    """
    box = {"x": 0.5, "y": -9.0, "width": 35.0, "height": 18.0, "stroke_width": 1}
    if look.pattern == WATER:
        waves = "M5-2q4-3 8 0t8 0t8 0M9 4q4-3 8 0t8 0"
        wave_lines = build_element("path", d=waves, stroke_width=1, **format_tone("none", "wave"))
        return build_element("rect", **box, **format_tone("sea", "ink")) + wave_lines
    width = 35.0 / len(colours)
    filled = ""
    for n, (ground, edge) in enumerate(map(choose_shades, colours)):
        part = {"x": 0.5 + n * width, "y": -9.0, "width": width, "height": 18.0}
        rim = {"x": 2.5 + n * width, "y": -7.0, "width": width - 4, "height": 14.0, "stroke_width": 3, "opacity": "0.5"}
        filled += build_element("rect", **part, **format_tone(ground)) + build_element(
            "rect", **rim, **format_tone("none", edge)
        )
    filled += build_element("rect", **box, **format_tone("none", "ink"))
    if look.pattern:
        filled += build_element("rect", **box, fill=f"url(#pattern-{look.pattern})", opacity="0.55")
    return filled


def _draw_side_swatch(colour: str, side: int) -> str:
    cut, rounded = (
        "M4-10H32L36-6V6L32 10H4L0 6V-6Z",
        "M4-10H32A4 4 0 0 1 36-6V6A4 4 0 0 1 32 10H4A4 4 0 0 1 0 6V-6A4 4 0 0 1 4-10Z",
    )
    return build_element("path", class_="c-body", d=cut if side % 2 else rounded, fill=colour)


def _trace_rows(say: Translator) -> _Rows:
    path = build_element("path", d="M0 4Q13 -8 26 0", fill="none", stroke=INK, stroke_width=4, stroke_linecap="round")
    head = build_element("path", d=format_path([(36, 6), (22, 4), (30, -6)], True), fill=INK)
    bars = format_path([(12, -6), (24, 6)]) + format_path([(12, 6), (24, -6)])
    cross = build_element("path", d=bars, fill="none", stroke=GONE, stroke_width=3.5, stroke_linecap="round")
    return [(path + head, say("paths of moved pieces")), (cross, say("pieces left the map here"))]


def _format_value(context: DrawingContext, cls: str, key: str, words: str) -> str:
    """Format a value with the name of its attribute if the value alone is unclear: "Ready: yes".

    `cls`: the id of the counter's class; `key`: the key of the value; `words`: the value as text.
    """
    ruleset, lang = context.ruleset, context.lang
    stated = format_label(context.style.counters[cls].names.get(key, {}), lang)
    attributes = ruleset.kinds["piece"].attributes
    if not stated and key in attributes and list_type_values(attributes[key].type, ruleset):
        return words
    return context.say(
        "{what}: {values}", what=stated or format_number_name(ruleset, key, attributes, lang), values=words
    )


def _format_classes(ruleset: Ruleset, cls: str, lang: str) -> str:
    known = ruleset.classes[cls]
    return known.label.get(lang) or translate_name(ruleset, known.one, lang)


def _draw_swatch(colour: str, height: float, pattern: str = "") -> str:
    box = {"x": 0.0, "y": -height / 2, "width": 36.0, "height": height, "stroke": "#6b6b6b"}
    filled = build_element("rect", **box, fill=colour)
    return filled + (
        build_element("rect", **{**box, "stroke": None}, fill=f"url(#pattern-{pattern})") if pattern else ""
    )


def _is_drawn(style: LineLook, context: DrawingContext) -> bool:
    """Return True if the map shows a line of this style.

    On a map of areas, a line along borders is not drawn if all its links are coasts.
    """
    plan, ruleset = context.geometry.plan, context.ruleset
    if plan is None or style.line.course != "along":
        return True
    for handle, edge in enumerate(ruleset.kinds["edge"].things):
        if edge.ends is None or not all(end in plan.outlines for end in edge.ends):
            continue
        if not style.is_shown(find_written_value(ruleset, "edge", style.attribute, context.position.links[handle])):
            continue
        is_strait = handle in ruleset.drawing.area_map.straits or not plan.are_adjacent(*edge.ends)
        if is_strait or plan.common.get(frozenset(edge.ends)):
            return True
    return False


def _draw_badge(form: str) -> str:
    """Draw the sign of an attribute on a map of areas: the sign of a city, a shield or a wreath; "" for other forms."""
    look = {"font_weight": "bold", "class_": "g-text", "fill": None}
    match form:
        case "city":
            return emblems.draw_star((18.0, 0.0), 9)
        case "shield":
            return emblems.draw_shield((18.0, -1.0), "") + draw_text("1", 18.0, 3.0, 11, **look)
        case "wreath":
            return emblems.draw_wreath((18.0, 0.0), "") + draw_text("1", 18.0, 4.0, 11, **look)
    return ""


def _draw_line(style: LineLook, number: int, context: DrawingContext) -> str:
    """Draw a piece of a line for the legend: painted on a grid, else a plain stroke.

    `number`: the index of the style among the looks of lines.
    """
    line = style.line
    if context.geometry.on_grid and is_fixed_line(context.ruleset, style):
        tone = f"l{number}" if style.is_own_colour or line.style == "line" else ""
        return draw_line_sample(line.style, float(line.width), tone, line.stroke)
    if context.geometry.plan is not None and line.course == "along":
        return draw_border(
            [((0.0, 0.0), (36.0, 0.0))], choose_line_tone(line.colour), compute_border_width(line), line.stroke
        )
    is_across = line.course == "over"
    x1, y1, x2, y2 = (18, -9, 18, 9) if is_across else (0, 0, 36, 0)
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    colour = (
        format_tone(None, choose_line_tone(line.colour))
        if context.geometry.plan is not None
        else {"stroke": line.colour}
    )
    dashes = format_dash_array(line.stroke, line.width)
    markup = build_element(
        "line", **ends, **colour, stroke_width=line.width, stroke_linecap="round", stroke_dasharray=dashes
    )
    return (build_element("line", **ends, stroke=INK, stroke_width=line.width + 4) if is_across else "") + markup


def _draw_value_sample(number: int, attribute: Attribute | None, context: DrawingContext) -> str:
    """Draw a sample of a value that is written on places; `number`: its index in the drawing's list."""
    if attribute is None or isinstance(attribute.type, t.IntType | t.NumberType):
        is_area_map = context.geometry.plan is not None
        return emblems.draw_disc((18.0, 0.0), "1") if is_area_map else draw_number(18.0, 0.0, "1", number)
    return draw_text(context.say("abc"), 18.0, 4.0, 11, class_="g-text", fill=None)


def draw_number(x: float, y: float, text: str, number: int) -> str:
    """Draw a number of the map around (x, y), in a disc for the drawing's first attribute, in a box for others.

    `number`: the index of the attribute in the drawing's list; `text`: the label.
    """
    if number == 0:
        ground = build_element("circle", cx=x, cy=y, r=9, fill="#fffbe0", stroke="#6b5500")
    else:
        look = {"fill": "#ffffff", "stroke": "#44506b", "stroke_dasharray": "3 1" if number > 1 else None}
        ground = build_element("rect", x=x - 9, y=y - 8, width=18, height=16, **look)
    return ground + draw_text(truncate_text(text, 3), x, y + 4, 11, font_weight="bold")


def split_title(context: DrawingContext) -> tuple[str, list[str]]:
    """Return the title of a sheet, and the lines below it: the game if a scenario is the title, and the time shown."""
    ruleset, scenario, lang = context.ruleset, context.position.scenario, context.lang
    game = format_label(ruleset.title, lang) or ruleset.id
    when = context.say(context.position.when) if context.position.when else ""
    if scenario is None:
        return game, [when]
    return format_label(scenario.title, lang) or scenario.id, [game, when]


def format_title(
    ruleset: Ruleset, scenario: Scenario | None, lang: str, when: str = "", say: Translator = ENGLISH
) -> str:
    """Format the heading of a sheet: the game, the scenario if there is one, and the time `when` it shows."""
    title = format_label(ruleset.title, lang) or ruleset.id
    if scenario is not None:
        title = say("{what}: {values}", what=title, values=format_label(scenario.title, lang) or scenario.id)
    return say("{title} ({when})", title=title, when=say(when)) if when else title


def collect_notes(ruleset: Ruleset, scenario: Scenario | None, lang: str) -> ProvenanceNotes:
    """Return notes on the reconstructed parts of the map and of a scenario's set-up."""
    names, some = {}, {}
    for kind in ("place", "edge"):
        attributes = ruleset.kinds[kind].attributes.values()
        names[kind] = [format_attribute(a, lang) for a in attributes if _is_reconstructed(a.origin.source)]
        some[kind] = sum(_is_reconstructed(thing.origin.source) for thing in ruleset.kinds[kind].things)
    pieces = sum(_is_reconstructed(p.origin.source) for p in ruleset.kinds["piece"].things)
    set_up = scenario is not None and _is_reconstructed(scenario.origin.source)
    return ProvenanceNotes(names["place"], names["edge"], some["place"], some["edge"], pieces, set_up)


def _list_notes(context: DrawingContext) -> list[str]:
    ours = collect_notes(context.ruleset, context.position.scenario, context.lang)
    lines = list_reconstructed(ours, bool(context.position.groups), context.say)
    return [part for line in lines for part in _wrap_note(line)]


def _wrap_note(line: str) -> list[str]:
    """Wrap a line to the width of the legend: at blanks, or anywhere in scripts without them."""
    if measure_cells(line) == len(line):
        return wrap(line, _NOTE, subsequent_indent="  ")
    parts, current = [], ""
    for character in line:
        if measure_cells(current + character) > _NOTE:
            parts.append(current)
            current = "  "
        current += character
    return [*parts, current]


def _is_reconstructed(source: str) -> bool:
    return source in ("reconstructed", "inferred")
