"""Draw the legend of a map: every look with its meaning, counter signs, and notes on reconstructed data."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from interpreter.diagnostics.terminal_text import cell_width
from interpreter.i18n.translator import ENGLISH, Translate
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Ruleset, Scenario
from interpreter.tools.describe.value_format import label_words, name_words
from interpreter.tools.maps.drawing_context import DrawingContext
from interpreter.tools.maps.marks import draw_symbol
from interpreter.tools.maps.provenance_notes import ProvenanceNotes, reconstructed_lines
from interpreter.tools.maps.shapes import (
    GONE,
    INK,
    dash_array,
    draw_haloed_text,
    draw_sign,
    draw_text,
    element,
    path_data,
    truncate_text,
)
from interpreter.tools.maps.style import (
    LineLook,
    attribute_words,
    fill_words,
    looked_values,
    mark_words,
    number_words,
    values_of,
)

WIDTH = 300.0
_STEP = 24.0
_CELLS = 36  # characters per line
_NOTE = 46  # characters per line in small print


def draw_legend(motif: DrawingContext, with_traces: bool = False) -> tuple[str, float]:
    """Draw the legend with its upper left corner at (0, 0); return it and its height.

    `with_traces` adds the marks of the changes since the previous picture.
    """
    parts: list[str] = []
    y = 20.0
    traces = [(motif.say("since the previous picture"), _trace_rows(motif.say))] if with_traces else []
    for title, rows in [*_sections(motif), *traces]:
        if rows:
            parts.append(draw_text(truncate_text(title, _CELLS), 0.0, y, 14, text_anchor="start", font_weight="bold"))
            for symbol, text in rows:
                y += _STEP
                parts.append(element("g", symbol, transform=f"translate(0 {y - 5:.1f})"))
                parts.append(draw_text(truncate_text(text, _CELLS - 6), 46.0, y, 12, text_anchor="start"))
            y += _STEP * 1.6
    for line in _notes(motif):
        parts.append(draw_text(line, 0.0, y, 11, text_anchor="start", font_style="italic", class_="note"))
        y += 15
    return "".join(parts), y + 10


_Rows = list[tuple[str, str]]


def _sections(motif: DrawingContext) -> Iterable[tuple[str, _Rows]]:
    ruleset, looks, lang, say = motif.ruleset, motif.looks, motif.lang, motif.say
    attributes, standing = ruleset.kinds["place"].attributes, motif.shown.standing
    swatches = [(_swatch(f.look.colour, f.look.pattern), f.words) for f in looks.fills]
    yield fill_words(ruleset, looks.fill, lang), swatches
    yield say("links"), [(_stroke(look), look.words) for look in looks.lines]
    yield (
        say("written on the map"),
        [
            (_written(n, attributes.get(name), say), number_words(ruleset, name, attributes, lang))
            for n, name in enumerate(ruleset.drawing.numbers)
        ]
        + [(draw_symbol(mark, say("abc")), mark_words(ruleset, mark, lang)) for mark in ruleset.drawing.marks],
    )
    if not standing:
        return
    sides = ruleset.kinds["side"]
    present = {looks.side_of(s.piece.cls, s.values) for here in standing.values() for s in here}
    yield (
        name_words(ruleset, sides.many, lang),
        [
            (_swatch(looks.sides[n][0], ""), label_words(side.label, lang))
            for n, side in enumerate(sides.things)
            if n in present
        ],
    )
    used = {s.piece.cls for here in standing.values() for s in here}
    for cls in ruleset.classes.values():
        if cls.id in used:
            yield _class_words(ruleset, cls.id, lang), _class_rows(motif, cls.id)


def _class_rows(motif: DrawingContext, cls: str) -> _Rows:
    ruleset, lang, told, look = motif.ruleset, motif.lang, motif.shown.told, motif.looks.counters[cls]
    attributes = ruleset.kinds["piece"].attributes
    rows: _Rows = []
    if look.sign and not look.sign_by:
        rows.append((draw_sign(look.sign, 6, -8, 24, 16), _class_words(ruleset, cls, lang)))
    if look.sign_by:
        for value, said in looked_values(ruleset, "piece", look.sign_by, look.signs, lang, told):
            rows.append((draw_sign(look.signs[value], 6, -8, 24, 16), _format_value(motif, cls, look.sign_by, said)))
    if look.band_by:
        for value, said in looked_values(ruleset, "piece", look.band_by, look.bands, lang, told):
            rows.append((_swatch(look.bands[value], "", 6.0), _format_value(motif, cls, look.band_by, said)))
    for n, name in enumerate(look.numbers):
        rows.append(
            (draw_text(f"{n + 1}.", 18, 5, 12, font_weight="bold"), number_words(ruleset, name, attributes, lang))
        )
    return rows


def _trace_rows(say: Translate) -> _Rows:
    way = element("path", d="M0 4Q13 -8 26 0", fill="none", stroke=INK, stroke_width=4, stroke_linecap="round")
    head = element("path", d=path_data([(36, 6), (22, 4), (30, -6)], True), fill=INK)
    bars = path_data([(12, -6), (24, 6)]) + path_data([(12, 6), (24, -6)])
    cross = element("path", d=bars, fill="none", stroke=GONE, stroke_width=3.5, stroke_linecap="round")
    return [
        (way + head, say("paths of moved pieces")),
        (cross, say("pieces left the map here")),
    ]


def _format_value(motif: DrawingContext, cls: str, by: str, said: str) -> str:
    """Format a value with the name of its attribute if the value alone is unclear: "Ready: yes"."""
    ruleset, lang = motif.ruleset, motif.lang
    stated = label_words(motif.looks.counters[cls].names.get(by, {}), lang)
    attributes = ruleset.kinds["piece"].attributes
    if not stated and by in attributes and values_of(attributes[by].type, ruleset):
        return said
    return motif.say("{what}: {values}", what=stated or number_words(ruleset, by, attributes, lang), values=said)


def _class_words(ruleset: Ruleset, cls: str, lang: str) -> str:
    known = ruleset.classes[cls]
    return known.label.get(lang) or name_words(ruleset, known.one, lang)


def _swatch(colour: str, pattern: str, high: float = 18.0) -> str:
    box = {"x": 0.0, "y": -high / 2, "width": 36.0, "height": high, "stroke": "#6b6b6b"}
    filled = element("rect", **box, fill=colour)
    return filled + (element("rect", **{**box, "stroke": None}, fill=f"url(#pattern-{pattern})") if pattern else "")


def _stroke(look: LineLook) -> str:
    line = look.line
    ends = (
        {"x1": 0.0, "y1": 0.0, "x2": 36.0, "y2": 0.0}
        if line.course != "over"
        else {"x1": 18.0, "y1": -9.0, "x2": 18.0, "y2": 9.0}
    )
    shown = element(
        "line",
        **ends,
        stroke=line.colour,
        stroke_width=line.width,
        stroke_linecap="round",
        stroke_dasharray=dash_array(line.stroke, line.width),
    )
    rim = element("line", **ends, stroke=INK, stroke_width=line.width + 4) if line.course == "over" else ""
    return rim + shown


def _written(number: int, attribute: Attribute | None, say: Translate) -> str:
    if attribute is None or isinstance(attribute.type, t.IntType | t.NumberType):
        return draw_number(18.0, 0.0, "1", number)
    return draw_text(say("abc"), 18.0, 4.0, 11)


def draw_number(x: float, y: float, text: str, number: int) -> str:
    """Draw a number of the map: in a disc for the first attribute that is written, in a box for all others."""
    if number == 0:
        ground = element("circle", cx=x, cy=y, r=9, fill="#fffbe0", stroke="#6b5500")
    else:
        ground = element(
            "rect",
            x=x - 9,
            y=y - 8,
            width=18,
            height=16,
            fill="#ffffff",
            stroke="#44506b",
            stroke_dasharray="3 1" if number > 1 else None,
        )
    return ground + draw_text(truncate_text(text, 3), x, y + 4, 11, font_weight="bold")


def format_title(
    ruleset: Ruleset, scenario: Scenario | None, lang: str, when: str = "", say: Translate = ENGLISH
) -> str:
    """Format the heading of a sheet: the game, the scenario and the time shown."""
    title = label_words(ruleset.title, lang) or ruleset.id
    if scenario is not None:
        title = say("{what}: {values}", what=title, values=label_words(scenario.title, lang) or scenario.id)
    return say("{title} ({when})", title=title, when=say(when)) if when else title


def collect_notes(ruleset: Ruleset, scenario: Scenario | None, lang: str) -> ProvenanceNotes:
    """Return notes on the reconstructed parts of the map and of a scenario's set-up."""
    names, some = {}, {}
    for kind in ("place", "edge"):
        attributes = ruleset.kinds[kind].attributes.values()
        names[kind] = [attribute_words(a, lang) for a in attributes if _is_ours(a.origin.source)]
        some[kind] = sum(_is_ours(thing.origin.source) for thing in ruleset.kinds[kind].things)
    pieces = sum(_is_ours(p.origin.source) for p in ruleset.kinds["piece"].things)
    set_up = scenario is not None and _is_ours(scenario.origin.source)
    return ProvenanceNotes(names["place"], names["edge"], some["place"], some["edge"], pieces, set_up)


def _notes(motif: DrawingContext) -> list[str]:
    ours = collect_notes(motif.ruleset, motif.shown.scenario, motif.lang)
    lines = reconstructed_lines(ours, bool(motif.shown.standing), motif.say)
    return [part for line in lines for part in _wrap_note(line)]


def _wrap_note(line: str) -> list[str]:
    """Wrap a line to the width of the legend: at blanks, or anywhere in scripts without them."""
    if cell_width(line) == len(line):
        return wrap(line, _NOTE, subsequent_indent="  ")
    parts, part = [], ""
    for character in line:
        if cell_width(part + character) > _NOTE:
            parts.append(part)
            part = "  "
        part += character
    return [*parts, part]


def _is_ours(source: str) -> bool:
    return source in ("reconstructed", "inferred")


def draw_heading(motif: DrawingContext, x: float) -> str:
    """Draw the heading above the map."""
    title = format_title(motif.ruleset, motif.shown.scenario, motif.lang, motif.shown.when, motif.say)
    return draw_haloed_text(title, x, 26.0, 20, text_anchor="start", font_weight="bold", class_="title")
