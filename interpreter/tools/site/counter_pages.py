"""Render counters: a list of all pieces with their pictures, and sheets to cut out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil
from typing import Any

from interpreter.diagnostics.html_markup import Inner, Markup, build_tag, join_parts
from interpreter.diagnostics.svg_markup import build_element
from interpreter.model import types as t
from interpreter.model.ruleset import Attribute, Ruleset
from interpreter.tools.describe.descriptions import describe_pieces
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.maps.counters import LARGEST, NOBODY, choose_ink, draw_face, get_colour, get_name
from interpreter.tools.maps.drawing_context import DrawingContext, create_context
from interpreter.tools.maps.piece_groups import PlacedGroup
from interpreter.tools.maps.shapes import FONT, draw_lines, draw_pattern
from interpreter.tools.maps.style import NamedValue, list_type_values
from interpreter.tools.site.book_context import BookContext, Data
from interpreter.tools.site.chart_pages import render_note, render_source_mark, render_unprinted
from interpreter.tools.site.references import BookAnchors

SIZE = 15  # side of a counter in millimetres
COLUMNS, ROWS = 12, 16
_EDGE = 4  # margin for the cut marks in millimetres
_MAX_LISTED_NAMES = 12  # pieces of one group up to which all names are listed


def render_pieces(book: BookContext, pages: BookAnchors) -> Markup:
    """Render each class with its pieces; pieces with equal starting values share an entry."""
    parts: list[Inner] = []
    handles = book.ruleset.kinds["piece"].get_handles()
    context = _create_counter_context(book)
    single = _list_single_counters(context)
    for cls in describe_pieces(book.ruleset, book.lang)["classes"]:
        title = cls["label"] or book.say.translate_name(cls["id"])
        cites = pages.render_cites(cls["cite"])
        parts.append(build_tag("h2", title, cites, render_source_mark(cls["source"], book)))
        parts += [render_note(cls["source"], cls["note"], book), render_unprinted(cls["attributes"], book)]
        cards = [_render_card(group, single[handles[group["ids"][0]]], context, book) for group in cls["groups"]]
        parts.append(build_tag("div", cards, class_="counters"))
    return join_parts(parts) if parts else build_tag("p", book.say("no pieces"))


def render_counter_sheets(book: BookContext) -> list[Markup]:
    """Render pages of counters to cut out, each followed by the mirrored page of their backs."""
    context, sheets = _create_counter_context(book), []
    counters = [counter for _, counter in sorted(_list_single_counters(context).items())]
    for start in range(0, len(counters), COLUMNS * ROWS):
        page = counters[start : start + COLUMNS * ROWS]
        rows = ceil(len(page) / COLUMNS)
        sheets.append(
            _render_sheet([draw_face(counter, *_locate_spot(n), context) for n, counter in _iter_spots(page)], rows)
        )
        backs = [_draw_back(counter, n, context) for n, counter in _iter_spots(page, is_mirrored=True)]
        sheets.append(_render_sheet(backs, rows))
    return sheets


def _create_counter_context(book: BookContext) -> DrawingContext:
    """Return the context for drawing counters as they are at the start of the default scenario."""
    chosen = next((s.id for s in book.ruleset.scenarios.values() if s.default), None)
    position = book.start_positions.get(chosen or "") or next(iter(book.start_positions.values()))
    return create_context(book.ruleset, position, book.lang, book.say)


def _list_single_counters(context: DrawingContext) -> dict[int, PlacedGroup]:
    """Return every piece by handle as a group of one, with its values at the start of the default scenario."""
    ruleset, position = context.ruleset, context.position
    counters = {
        handle: PlacedGroup(piece, handle, dict(piece.values), 1, "", (handle,))
        for handle, piece in enumerate(ruleset.kinds["piece"].things)
    }
    for groups in (*position.groups.values(), *position.off_map_groups.values()):
        for group in groups:
            for handle in group.members or (group.handle,):
                piece = ruleset.kinds["piece"].things[handle]
                counters[handle] = PlacedGroup(piece, handle, group.values, 1, group.short, (handle,))
    return {handle: _add_side_name(group, context) for handle, group in counters.items()}


def _add_side_name(counter: PlacedGroup, context: DrawingContext) -> PlacedGroup:
    """Return the counter with its side's name as its text, so that its printed form shows the side.

    Only for interchangeable pieces without text and figures; any other is returned unchanged.
    """
    ruleset = context.ruleset
    cls = ruleset.classes[counter.piece.cls or ""]
    look = ruleset.drawing.counters.get(cls.id)
    if not cls.alike or counter.short or (look is not None and look.numbers):
        return counter
    side = next((n for n in cls.attributes if _unwrap_maybe(ruleset, n) == t.SIDE), "")
    owner = counter.values.get(side)
    label = format_label(ruleset.kinds["side"].things[owner].label, context.lang) if owner is not None else ""
    return replace(counter, short=label or format_label(cls.label, context.lang) or cls.one)


def _unwrap_maybe(ruleset: Ruleset, name: str) -> t.Type:
    type = ruleset.kinds["piece"].attributes[name].type
    return type.item if isinstance(type, t.MaybeType) else type


def _render_card(group: Data, counter: PlacedGroup, context: DrawingContext, book: BookContext) -> Markup:
    """Render a group of alike pieces: one counter, and the names, source and facts of the pieces."""
    say, ids = book.say, group["ids"]
    names = [label or say.translate_name(i) for label, i in zip(group["labels"], ids, strict=True)]
    listed = [
        *names[:_MAX_LISTED_NAMES],
        *([f"(+{len(names) - _MAX_LISTED_NAMES})"] if len(names) > _MAX_LISTED_NAMES else []),
    ]
    face_markup = draw_face(replace(counter, count=len(ids)), (LARGEST / 2, LARGEST / 2), LARGEST - 2, context)
    svg = build_element(
        "svg", face_markup, viewBox=f"0 0 {LARGEST:.0f} {LARGEST:.0f}", font_family=FONT, aria_hidden="true"
    )
    facts = [
        f"{say.translate_name(n)} {say.format_value(v)}".replace("_", " ")
        for n, v in group["attributes"].items()
        if v not in (None, False, "", [])
    ]
    if group["at"]:
        facts.insert(0, book.say("at") + " " + say.translate_name(group["at"]))
    words = [
        build_tag("b", ", ".join(dict.fromkeys(listed))),
        render_source_mark(group["source"], book, brief=True),
        build_tag("br"),
        ", ".join(facts),
    ]
    return build_tag("figure", Markup(svg), build_tag("figcaption", words))


def _iter_spots(page: list[PlacedGroup], is_mirrored: bool = False) -> Iterator[tuple[int, PlacedGroup]]:
    for number, counter in enumerate(page):
        row, column = divmod(number, COLUMNS)
        yield (row * COLUMNS + (COLUMNS - 1 - column if is_mirrored else column)), counter


def _locate_spot(spot: int) -> tuple[tuple[float, float], float]:
    """Return the middle of a position on a sheet, and the length of its sides; `spot`: its index."""
    row, column = divmod(spot, COLUMNS)
    return ((column + 0.5) * LARGEST, (row + 0.5) * LARGEST), LARGEST


def _draw_back(counter: PlacedGroup, spot: int, context: DrawingContext) -> str:
    """Draw the back of a counter: its other state if the look has two, else its name and other step on hatched colour.

    `spot`: the index of its position on the sheet.
    """
    other_state = _find_other_state(counter, context)
    (x, y), size = _locate_spot(spot)
    if other_state is not None:
        return draw_face(other_state, (x, y), size, context)
    colour = get_colour(counter, context.style) or NOBODY
    cls = context.ruleset.classes[counter.piece.cls or ""]
    name = counter.short if cls.alike else get_name(counter, context.lang)
    if step := _format_other_step(counter, context):
        name = f"{name} {step}"
    edges = {"x": x - size / 2, "y": y - size / 2, "width": size, "height": size}
    ground = build_element("rect", **edges, fill=colour, stroke="#1c1c1c", stroke_width=0.8)
    hatched = build_element("rect", **edges, fill="url(#pattern-lines)", fill_opacity="0.35")
    return ground + hatched + draw_lines(name, x, y, (size * 0.9, size * 0.6), size * 0.2, fill=choose_ink(colour))


def _find_other_state(counter: PlacedGroup, context: DrawingContext) -> PlacedGroup | None:
    """Return the piece in its other state, or None.

    A piece has one if its band or sign shows an attribute of two values that changes in play permanently.
    """
    ruleset, look = context.ruleset, context.get_style(counter)
    for name in (look.band_by, look.sign_by):
        attribute = ruleset.kinds["piece"].attributes.get(name)
        if attribute is None or not _is_permanent(attribute):
            continue
        states: list[Any] = [False, True] if isinstance(attribute.type, t.FlagType) else []
        states = states or [named.value for named in list_type_values(attribute.type, ruleset)]
        if len(states) == 2:
            other = states[1] if counter.values.get(name) == states[0] else states[0]
            values: Mapping[str, Any] = {**counter.values, name: other}
            return replace(counter, values=values)
    return None


def _format_other_step(counter: PlacedGroup, context: DrawingContext) -> str:
    """Return the text of a piece's other step, if it has two; "" for a piece with one step."""
    ruleset = context.ruleset
    for name in ruleset.classes[counter.piece.cls or ""].attributes:
        attribute = ruleset.kinds["piece"].attributes[name]
        if _is_permanent(attribute) and isinstance(attribute.type, t.RungType):
            rungs = list_type_values(attribute.type, ruleset, context.lang)
            if len(rungs) == 2 and (now := counter.values.get(name)) in (0, 1):
                other_rung: NamedValue = rungs[1 - now]
                return other_rung.text
    return ""


def _is_permanent(attribute: Attribute) -> bool:
    """Return True for an attribute that changes in play permanently; temporary marks are not printed on a back."""
    return attribute.changes and attribute.lasts in (None, "game")


def _render_sheet(counters: list[str], rows: int) -> Markup:
    """Render a sheet of `rows` rows of counters to scale, with cut marks; `counters`: the markup of its counters."""
    unit = LARGEST / SIZE  # drawing units per millimetre
    wide, high, edge = COLUMNS * LARGEST, rows * LARGEST, _EDGE * unit
    cuts = [
        *(
            _draw_cut_mark(n * LARGEST, y, n * LARGEST, y + edge * s)
            for n in range(COLUMNS + 1)
            for y, s in ((0, -1), (high, 1))
        ),
        *(
            _draw_cut_mark(x, n * LARGEST, x + edge * s, n * LARGEST)
            for n in range(rows + 1)
            for x, s in ((0, -1), (wide, 1))
        ),
    ]
    svg = build_element(
        "svg",
        [build_element("defs", draw_pattern("lines")), *cuts, *counters],
        viewBox=f"{-edge:.1f} {-edge:.1f} {wide + 2 * edge:.1f} {high + 2 * edge:.1f}",
        style=f"width:{COLUMNS * SIZE + 2 * _EDGE}mm;height:{rows * SIZE + 2 * _EDGE}mm",
        font_family=FONT,
    )
    return Markup(svg)


def _draw_cut_mark(x1: float, y1: float, x2: float, y2: float) -> str:
    return build_element(
        "line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), stroke="#444444", stroke_width=0.6
    )
