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
from interpreter.tools.maps.style import list_values
from interpreter.tools.site.book_context import BookContext, Data
from interpreter.tools.site.chart_pages import render_note, render_source_mark, render_unprinted
from interpreter.tools.site.references import BookAnchors

SIZE = 15  # side of a counter in millimetres
COLUMNS, ROWS = 12, 16
_EDGE = 4  # margin for the cut marks in millimetres
_MANY = 12  # pieces of one group up to which all names are listed


def render_pieces(book: BookContext, pages: BookAnchors) -> Markup:
    """Render each class with its pieces; pieces with equal starting values share an entry."""
    found: list[Inner] = []
    handles = book.ruleset.kinds["piece"].get_handles()
    context = _create_counter_context(book)
    single = _list_single_counters(context)
    for cls in describe_pieces(book.ruleset, book.lang)["classes"]:
        title = cls["label"] or book.say.translate_name(cls["id"])
        cites = pages.cites(cls["cite"])
        found.append(build_tag("h2", title, cites, render_source_mark(cls["source"], book)))
        found += [render_note(cls["source"], cls["note"], book), render_unprinted(cls["attributes"], book)]
        cards = [_render_card(group, single[handles[group["ids"][0]]], context, book) for group in cls["groups"]]
        found.append(build_tag("div", cards, class_="counters"))
    return join_parts(found) if found else build_tag("p", book.say("no pieces"))


def render_counter_sheets(book: BookContext) -> list[Markup]:
    """Render pages of counters to cut out, each followed by the mirrored page of their backs."""
    context, found = _create_counter_context(book), []
    every = [one for _, one in sorted(_list_single_counters(context).items())]
    for start in range(0, len(every), COLUMNS * ROWS):
        page = every[start : start + COLUMNS * ROWS]
        rows = ceil(len(page) / COLUMNS)
        found.append(
            _render_sheet([draw_face(one, *_compute_spot_box(n), context) for n, one in _iter_spots(page)], rows)
        )
        backs = [_draw_back(one, n, context) for n, one in _iter_spots(page, is_mirrored=True)]
        found.append(_render_sheet(backs, rows))
    return found


def _create_counter_context(book: BookContext) -> DrawingContext:
    """Return the context for drawing counters as they are at the start of the default scenario."""
    chosen = next((s.id for s in book.ruleset.scenarios.values() if s.default), None)
    shown = book.start_positions.get(chosen or "") or next(iter(book.start_positions.values()))
    return create_context(book.ruleset, shown, book.lang, book.say)


def _list_single_counters(context: DrawingContext) -> dict[int, PlacedGroup]:
    """Return every piece by handle as a group of one, with its values at the start of the default scenario."""
    ruleset, shown = context.ruleset, context.position
    found = {
        handle: PlacedGroup(piece, handle, dict(piece.values), 1, "", (handle,))
        for handle, piece in enumerate(ruleset.kinds["piece"].things)
    }
    for together in (*shown.groups.values(), *shown.off_map_groups.values()):
        for one in together:
            for handle in one.members or (one.handle,):
                piece = ruleset.kinds["piece"].things[handle]
                found[handle] = PlacedGroup(piece, handle, one.values, 1, one.short, (handle,))
    return {handle: _with_side_name(one, context) for handle, one in found.items()}


def _with_side_name(one: PlacedGroup, context: DrawingContext) -> PlacedGroup:
    """Return the counter with its side's name as its text, so that its printed form shows the side.

    Only for interchangeable pieces without text and figures; any other is returned unchanged.
    """
    ruleset = context.ruleset
    cls = ruleset.classes[one.piece.cls or ""]
    look = ruleset.drawing.counters.get(cls.id)
    if not cls.alike or one.short or (look is not None and look.numbers):
        return one
    side = next((n for n in cls.attributes if _unwrap_maybe(ruleset, n) == t.SIDE), "")
    owner = one.values.get(side)
    label = format_label(ruleset.kinds["side"].things[owner].label, context.lang) if owner is not None else ""
    return replace(one, short=label or format_label(cls.label, context.lang) or cls.one)


def _unwrap_maybe(ruleset: Ruleset, name: str) -> t.Type:
    type = ruleset.kinds["piece"].attributes[name].type
    return type.item if isinstance(type, t.MaybeType) else type


def _render_card(group: Data, one: PlacedGroup, context: DrawingContext, book: BookContext) -> Markup:
    say, ids = book.say, group["ids"]
    names = [label or say.translate_name(i) for label, i in zip(group["labels"], ids, strict=True)]
    shown = [*names[:_MANY], *([f"(+{len(names) - _MANY})"] if len(names) > _MANY else [])]
    drawn = draw_face(replace(one, count=len(ids)), (LARGEST / 2, LARGEST / 2), LARGEST - 2, context)
    svg = build_element("svg", drawn, viewBox=f"0 0 {LARGEST:.0f} {LARGEST:.0f}", font_family=FONT, aria_hidden="true")
    facts = [
        f"{say.translate_name(n)} {say.format_value(v)}".replace("_", " ")
        for n, v in group["attributes"].items()
        if v not in (None, False, "", [])
    ]
    if group["at"]:
        facts.insert(0, book.say("at") + " " + say.translate_name(group["at"]))
    words = [
        build_tag("b", ", ".join(dict.fromkeys(shown))),
        render_source_mark(group["source"], book, brief=True),
        build_tag("br"),
        ", ".join(facts),
    ]
    return build_tag("figure", Markup(svg), build_tag("figcaption", words))


def _iter_spots(page: list[PlacedGroup], is_mirrored: bool = False) -> Iterator[tuple[int, PlacedGroup]]:
    for n, one in enumerate(page):
        row, column = divmod(n, COLUMNS)
        yield (row * COLUMNS + (COLUMNS - 1 - column if is_mirrored else column)), one


def _compute_spot_box(spot: int) -> tuple[tuple[float, float], float]:
    row, column = divmod(spot, COLUMNS)
    return ((column + 0.5) * LARGEST, (row + 0.5) * LARGEST), LARGEST


def _draw_back(one: PlacedGroup, spot: int, context: DrawingContext) -> str:
    """Draw the back of a counter: its other state if the look has two, else its name and other step on hatched colour.

    `spot`: the index of its position on the sheet.
    """
    other = _find_other_state(one, context)
    (x, y), size = _compute_spot_box(spot)
    if other is not None:
        return draw_face(other, (x, y), size, context)
    colour = get_colour(one, context.style) or NOBODY
    cls = context.ruleset.classes[one.piece.cls or ""]
    name = one.short if cls.alike else get_name(one, context.lang)
    if step := _format_other_step(one, context):
        name = f"{name} {step}"
    edges = {"x": x - size / 2, "y": y - size / 2, "width": size, "height": size}
    ground = build_element("rect", **edges, fill=colour, stroke="#1c1c1c", stroke_width=0.8)
    hatched = build_element("rect", **edges, fill="url(#pattern-lines)", fill_opacity="0.35")
    return ground + hatched + draw_lines(name, x, y, (size * 0.9, size * 0.6), size * 0.2, fill=choose_ink(colour))


def _find_other_state(one: PlacedGroup, context: DrawingContext) -> PlacedGroup | None:
    """Return the piece in its other state, or None.

    A piece has one if its band or sign shows an attribute of two values that changes in play permanently.
    """
    ruleset, look = context.ruleset, context.get_style(one)
    for name in (look.band_by, look.sign_by):
        attribute = ruleset.kinds["piece"].attributes.get(name)
        if attribute is None or not _is_permanent(attribute):
            continue
        known: list[Any] = [False, True] if isinstance(attribute.type, t.FlagType) else []
        known = known or [value for value, _id, _words in list_values(attribute.type, ruleset)]
        if len(known) == 2:
            other = known[1] if one.values.get(name) == known[0] else known[0]
            values: Mapping[str, Any] = {**one.values, name: other}
            return replace(one, values=values)
    return None


def _format_other_step(one: PlacedGroup, context: DrawingContext) -> str:
    """Return the text of a piece's other step, if it has two; "" for a piece with one step."""
    ruleset = context.ruleset
    for name in ruleset.classes[one.piece.cls or ""].attributes:
        attribute = ruleset.kinds["piece"].attributes[name]
        if _is_permanent(attribute) and isinstance(attribute.type, t.RungType):
            rungs = list_values(attribute.type, ruleset, context.lang)
            if len(rungs) == 2 and (now := one.values.get(name)) in (0, 1):
                return str(rungs[1 - now][2])
    return ""


def _is_permanent(attribute: Attribute) -> bool:
    """Return True for an attribute that changes in play permanently; temporary marks are not printed on a back."""
    return attribute.changes and attribute.lasts in (None, "game")


def _render_sheet(drawn: list[str], rows: int) -> Markup:
    """Render a sheet of `rows` rows of counters to scale, with cut marks; `drawn`: the markup of its counters."""
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
        [build_element("defs", draw_pattern("lines")), *cuts, *drawn],
        viewBox=f"{-edge:.1f} {-edge:.1f} {wide + 2 * edge:.1f} {high + 2 * edge:.1f}",
        style=f"width:{COLUMNS * SIZE + 2 * _EDGE}mm;height:{rows * SIZE + 2 * _EDGE}mm",
        font_family=FONT,
    )
    return Markup(svg)


def _draw_cut_mark(x1: float, y1: float, x2: float, y2: float) -> str:
    return build_element(
        "line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), stroke="#444444", stroke_width=0.6
    )
