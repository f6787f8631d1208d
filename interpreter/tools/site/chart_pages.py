"""Render charts as HTML tables in their printed shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from interpreter.diagnostics.html_markup import Inner, Markup, build_tag, join_parts, join_with
from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.tools.describe.chart_lines import SOURCES, describe_source, format_axis_notes
from interpreter.tools.describe.chart_view import AxisView, ChartView, build_ruleset_chart
from interpreter.tools.describe.descriptions import describe_ladders, describe_tables
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.site.book_context import BookContext, Data
from interpreter.tools.site.references import BookAnchors, format_anchor

_WIDE, _LONG = 12, 90  # rows, and characters in all, up to which a chart with one axis is horizontal


def render_charts(book: BookContext, pages: BookAnchors) -> Markup:
    """Render every chart, then the single values and the scales."""
    say, ruleset = book.say, book.ruleset
    names = [
        (
            t,
            build_tag(
                "a",
                format_label(t.label, book.lang) or book.say.translate_name(t.id),
                href=f"#{format_anchor('t', t.id)}",
            ),
        )
        for t in ruleset.tables.values()
    ]
    parts: list[Inner] = []
    if names:
        parts.append(build_tag("nav", join_with(" · ", [link for _t, link in names]), class_="chapters"))
    parts += [render_chart(book, pages, t.id) for t, _link in names]
    values = describe_tables(ruleset, book.lang)["values"]
    if values:
        rows = [_render_value(book, pages, value) for value in values]
        parts += [
            build_tag("h2", say("single values")),
            build_tag("div", build_tag("table", build_tag("tbody", rows)), class_="wide"),
        ]
    if ruleset.ladders:
        parts += [build_tag("h2", say("scales")), *_render_ladders(book, pages)]
    return join_parts(parts) if parts else build_tag("p", say("no charts"))


def render_chart(book: BookContext, pages: BookAnchors, name: str) -> Markup:
    """Render the chart `name` with its title, the note on its source, its cells and its notation."""
    view = _build_view(book, name)
    head = build_tag("h3", view.label or view.id, pages.render_cites(view.cites), render_source_mark(view.source, book))
    tables = [build_tag("div", sheet.markup, class_="sheet") for sheet in _lay_out_sheets(view, book)]
    note = render_note(view.source, view.note, book)
    inner: list[Inner] = [head, note, build_tag("div", tables, class_="wide"), _render_notation(view)]
    notes = [line.strip() for axis in view.axes for line in format_axis_notes(axis, book.say)]
    if notes:
        inner.append(build_tag("p", join_with("; ", notes), class_="notation"))
    return build_tag("section", inner, class_="chart", id=format_anchor("t", name))


def _build_view(book: BookContext, name: str) -> ChartView:
    return build_ruleset_chart(book.ruleset.tables[name], book.ruleset, book.lang, book.say)


@dataclass(frozen=True, slots=True)
class ChartPage:
    """A part of a chart that can be placed alone, with its estimated size in characters across and lines down."""

    markup: Markup
    letters: float
    lines: float


def list_brief_sheets(book: BookContext, name: str) -> list[ChartPage]:
    """Return each sheet of the chart `name` with its title for use during play, without notes on source and axes."""
    view, sheets = _build_view(book, name), list[ChartPage]()
    title = view.label or view.id
    for sheet in _lay_out_sheets(view, book):
        notation = None if sheets else _render_notation(view)
        head = build_tag("h3", title, render_source_mark(view.source, book, True))
        inner = build_tag("section", head, sheet.markup, notation, class_="chart")
        letters = max(sheet.letters, min(measure_cells(title) * 1.15, 40))
        sheets.append(
            ChartPage(inner, letters, sheet.lines + 1.3 + (_estimate_notation_lines(view, letters) if notation else 0))
        )
    return sheets


def _render_notation(view: ChartView) -> Inner:
    """Render the meanings of a chart's signs; None without signs."""
    meanings = [join_parts(build_tag("b", sign), " ", words) for sign, words in view.signs]
    return build_tag("p", join_with("; ", meanings), class_="notation") if meanings else None


def _estimate_notation_lines(view: ChartView, letters: float) -> float:
    cells = sum(measure_cells(sign) + measure_cells(words) + 3 for sign, words in view.signs)
    return ceil(cells / max(letters, 8.0))


def render_note(source: str, note: str, book: BookContext) -> Inner:
    """Render the note on a datum: its source if it was not printed, and the author's remark; None without either."""
    text = describe_source(source, note, book.say)
    return build_tag("p", text, class_=f"note {source}" if source in SOURCES else "note") if text else None


def render_unprinted(attributes: list[Data], book: BookContext) -> Inner:
    """Render a list of the attributes that were not printed, each with the reason; return None without any."""
    items = []
    for attribute in attributes:
        if attribute["source"] in SOURCES:
            name = attribute["label"] or book.say.translate_name(attribute["id"]).replace("_", " ")
            items.append(
                build_tag(
                    "li",
                    build_tag("b", name),
                    " ",
                    render_source_mark(attribute["source"], book),
                    " ",
                    attribute["note"],
                )
            )
    return build_tag("ul", items, class_="ours") if items else None


def render_source_mark(source: str, book: BookContext, brief: bool = False) -> Inner:
    """Render a mark for data whose `source` is "reconstructed" or "inferred"; None for printed data.

    `brief`: use the short form of the mark.
    """
    if source not in SOURCES:
        return None
    word = book.say(SOURCES[source])
    inner = "°" if brief else word
    return join_parts(" ", build_tag("span", inner, class_=f"mark {source}", title=word))


def _lay_out_sheets(view: ChartView, book: BookContext) -> list[ChartPage]:
    if view.columns:
        return [_lay_out_rows(view)]
    if view.down is None:
        return [_lay_out_one_axis(view, book)]
    sheets = []
    for sheet in view.iter_sheets():
        rows = [[x.text if x is not None else "-" for x in line] for line in sheet.cells]
        sheets.append(_lay_out_across(view.down, view.across, rows, ", ".join(view.list_row_titles(sheet.row_numbers))))
    return sheets


def _lay_out_one_axis(view: ChartView, book: BookContext) -> ChartPage:
    """Lay out a chart with one axis: horizontally if it is short enough, else vertically."""
    axis, result = view.across, book.say("result")
    texts = [x.text if x is not None else "-" for sheet in view.iter_sheets() for x in sheet.cells[0]]
    rows = list(zip(axis.rows, texts, strict=True))
    if len(rows) <= _WIDE and sum(max(measure_cells(row), measure_cells(text)) for row, text in rows) <= _LONG:
        return _render_sheet([[axis.name, *axis.rows]], [[result, *texts]], 1)
    return _render_sheet([[axis.name, result]], [list(row) for row in rows], 1)


def _lay_out_across(down: AxisView, last: AxisView, rows: Sequence[Sequence[str]], caption: str) -> ChartPage:
    body = [[title, *row] for title, row in zip(down.rows, rows, strict=True)]
    over = build_tag(
        "tr", build_tag("td"), build_tag("th", last.name, colspan=len(last.rows), scope="colgroup", class_="axis")
    )
    return _render_sheet([[down.name, *last.rows]], body, 1, caption, over)


def _lay_out_rows(view: ChartView) -> ChartPage:
    """Lay out a chart with one row for each cell of several values."""
    body = [[*view.list_row_titles(at), *cell.columns] for at, cell in view.iter_filled_cells()]
    return _render_sheet([[*(a.name for a in view.axes), *view.columns]], body, len(view.axes))


def _render_sheet(
    head: list[list[str]], body: list[list[str]], label_count: int, caption: str = "", markup_above: Inner = None
) -> ChartPage:
    """Render rows as a table with its estimated size.

    `head`: the rows of column headings; `body`: the rows below, whose first `label_count` cells are headings;
    `markup_above`: markup above the column headings.
    """
    rows = [build_tag("tr", [build_tag("th", cell, scope="col") for cell in row]) for row in head]
    lines = [
        build_tag(
            "tr",
            [build_tag("th", c, scope="row") for c in row[:label_count]],
            [build_tag("td", c) for c in row[label_count:]],
        )
        for row in body
    ]
    table = build_tag(
        "table",
        build_tag("caption", caption) if caption else None,
        build_tag("thead", markup_above, rows),
        build_tag("tbody", lines),
    )
    widths = [max(measure_cells(cell) for cell in column) for column in zip(*head, *body, strict=True)]
    high = len(head) + len(body) + (markup_above is not None) + bool(caption)
    return ChartPage(table, sum(widths) + 1.3 * len(widths), high)


def _render_value(book: BookContext, pages: BookAnchors, value: Data) -> Markup:
    """Render the table row of a single value, a chart without axes; `value`: its description."""
    name = value["label"] or book.say.translate_name(value["id"]).replace("_", " ")
    return build_tag(
        "tr",
        build_tag(
            "th", name, pages.render_cites(value["cite"]), render_source_mark(value["source"], book), scope="row"
        ),
        build_tag("td", book.say.format_value(value["value"])),
        id=format_anchor("v", value["id"]),
    )


def _render_ladders(book: BookContext, pages: BookAnchors) -> list[Markup]:
    ladders = []
    for ladder in describe_ladders(book.ruleset, book.lang)["ladders"]:
        rungs = join_with(" < ", [r["label"] or book.say.translate_name(r["id"]) for r in ladder["rungs"]])
        name = build_tag("b", ladder["label"] or book.say.translate_name(ladder["id"]))
        cites = pages.render_cites(ladder["cite"])
        ladders.append(build_tag("p", name, cites, render_source_mark(ladder["source"], book), ": ", rungs))
    return ladders
