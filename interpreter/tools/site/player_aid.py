"""Render a player's aid on one page: the sequence of a turn and the charts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from interpreter.diagnostics.html_markup import Markup, build_tag, join_parts
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.model import statements as c
from interpreter.model.templates import format_template_source
from interpreter.tools.site.book_context import BookContext
from interpreter.tools.site.chart_pages import ChartPage, list_brief_sheets
from interpreter.tools.site.references import BookAnchors

_HOLE = re.compile(r"\{[^{}]*\}")
_SIZES = (9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5, 5.0, 4.5, 4.0, 3.5, 3.0)  # font sizes in points
_POINT = 0.3528  # millimetres per point
_PAGE = (281.0, 178.0)  # millimetres of a landscape A4 sheet, without its title
_LETTER, _LINE, _GAP = 0.62, 1.42, 1.3  # relative to the font size: character width, line height, gap between parts


def render_aid(book: BookContext, pages: BookAnchors) -> Markup:
    """Render the page of charts and the sequence of a turn; tall charts come first.

    The font is the largest with which everything fits on the page.
    """
    parts = [sheet for name in book.ruleset.tables for sheet in list_brief_sheets(book, name)]
    parts.append(ChartPage(render_sequence(book, pages, brief=True), *_estimate_sequence_size(book)))
    parts.sort(key=lambda part: -part.lines)
    size = next((points for points in _SIZES if _compute_needed_height(parts, points) <= _PAGE[1]), _SIZES[-1])
    head = build_tag("h1", book.say("{title}: player aid", title=book.title))
    reconstructed = [t for t in book.ruleset.tables.values() if t.origin.source in ("reconstructed", "inferred")]
    note = book.say("° not as printed: reconstructed or inferred") if reconstructed else ""
    shelves = build_tag("div", [part.markup for part in parts], class_="shelves")
    return build_tag(
        "div", head, shelves, build_tag("p", note, class_="note"), class_="aid", style=f"font-size:{size}pt"
    )


def _compute_needed_height(parts: list[ChartPage], points: float) -> float:
    """Return the height in millimetres of the parts, set in rows across the page at a font size of `points` points."""
    unit, x, row_height, total = points * _POINT, 0.0, 0.0, 0.0
    for part in parts:
        width = min((part.letters * _LETTER + _GAP) * unit, _PAGE[0])
        if x and x + width > _PAGE[0]:
            x, total, row_height = 0.0, total + row_height, 0.0
        x += width
        row_height = max(row_height, (part.lines * _LINE + _GAP) * unit)
    return total + row_height


def _estimate_sequence_size(book: BookContext) -> tuple[float, float]:
    phases = list(_iter_phase_titles(book))
    widest = max((measure_cells(title) + 3 * depth for depth, title, _cites in phases), default=0)
    return max(widest, measure_cells(book.say("sequence of a turn")) * 1.2), len(phases) + 1


def render_sequence(book: BookContext, pages: BookAnchors, brief: bool = False) -> Markup:
    """Render the phases of a turn as a list; `brief` leaves out the citations."""
    items = [
        build_tag("li", title, None if brief else pages.render_cites(cites), class_=f"deep-{min(depth, 3)}")
        for depth, title, cites in _iter_phase_titles(book)
    ]
    if not items:
        return join_parts()
    return build_tag(
        "section", build_tag("h3", book.say("sequence of a turn")), build_tag("ol", items), class_="sequence"
    )


def _iter_phase_titles(book: BookContext) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield each phase of a turn with its nesting depth, title and citations."""
    turn = book.model.procedures.get("turn")
    for depth, phase in _iter_phases(turn.body if turn else (), 0):
        yield depth, _get_phase_title(phase, book), phase.cites


def _get_phase_title(phase: c.PhaseBlock, book: BookContext) -> str:
    if phase.title is None:
        return book.say.translate_name(phase.name).replace("_", " ")
    locale = book.ruleset.locales.get(book.lang)
    text = format_template_source(phase.title)
    translated = locale.texts[text].text if locale is not None and text in locale.texts else text
    return _HOLE.sub("…", translated)  # the value is not known before the phase begins


def _iter_phases(node: object, depth: int) -> Iterator[tuple[int, c.PhaseBlock]]:
    match node:
        case c.PhaseBlock():
            yield depth, node
            yield from _iter_phases(node.body, depth + 1)
        case tuple():
            for part in node:
                yield from _iter_phases(part, depth)
        case Span() | c.TextTemplate():
            return
        case _ if is_dataclass(node) and not c.is_core(node):
            for field in fields(node):
                yield from _iter_phases(getattr(node, field.name), depth)
