"""Compare the cells of charts and describe the differences by headings, in the chart's own notation.

The attributes of a chart itself are compared by `iter_value_changes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.source_text import NOWHERE, Span
from interpreter.documents.reading.tree import EMPTY, MappingNode
from interpreter.i18n.translator import Message, Translator, mark as _
from interpreter.model.ruleset import Axis, Ruleset, Table
from interpreter.model.types import ThingType
from interpreter.tools.describe.chart_view import format_cell_data
from interpreter.tools.describe.value_format import format_label, to_plain_value
from interpreter.tools.diff.difference import Change, Difference

_Cells = dict[tuple[str, ...], tuple[Any, Span]]  # (data, span) of each cell by its rows


def iter_chart_changes(
    before: Ruleset,
    now: Ruleset,
    say: Translator,
    lang: str = "",
    written: Mapping[str, MappingNode] | None = None,
) -> Iterator[Difference]:
    """Yield the cells that differ in the charts both rulesets have, by chart and in order of the rows.

    `written`: the documents of `now` by kind, to locate the column of a cell, or None.
    """
    rows = _RowNames(now, say, lang, written or {})
    for name, table in now.tables.items():
        if (old := before.tables.get(name)) is not None:
            yield from _iter_cell_changes(_index_cells(old, before), _index_cells(table, now), table, rows)


def _index_cells(table: Table, ruleset: Ruleset) -> _Cells:
    return {
        tuple(axis.labels[n] for axis, n in zip(table.axes, rows, strict=True)): (
            to_plain_value(value, table.type, ruleset),
            table.cell_spans.get(rows, table.origin.span),
        )
        for rows, value in sorted(table.cells.items())
    }


@dataclass(frozen=True, slots=True)
class _RowNames:
    """The names of chart rows in a language, and the spans of columns in the documents `nodes`, by kind."""

    ruleset: Ruleset
    say: Translator
    lang: str
    nodes: Mapping[str, MappingNode]

    def find_column_span(self, table: Table, rows: tuple[str, ...], column: str) -> Span | None:
        """Return the span of the key under which a column of a cell is written, or None if it has no separate key.

        `rows`: the labels of the cell's rows, by axis.
        """
        for section, key in (("tables", "tables"), ("activation", "orders")):
            node = self.nodes.get(section, EMPTY).find_node((key, table.id, "cells", *rows))
            if isinstance(node, MappingNode) and (entry := node.entries.get(column)) is not None:
                return entry.key.span
        return None

    def get_heading(self, axis: Axis, row: str) -> str:
        """Return the heading of a row, or the name of the value that the row has.

        `row`: the row's label. A bare number or band is prefixed with the name of its axis.
        """
        number = axis.labels.index(row) if row in axis.labels else -1
        heading = format_label(axis.headings[number], self.lang) if 0 <= number < len(axis.headings) else ""
        if not heading and isinstance(axis.type, ThingType) and number >= 0:
            heading = format_label(self.ruleset.kinds[axis.type.kind].things[axis.keys[number]].label, self.lang)
        if heading or axis.sort in ("keys", "ratio"):
            return heading or self.say.translate_name(row, "word", "text")
        return f"{self.say.translate_name(axis.name, 'axis')} {row}"


def _iter_cell_changes(before: _Cells, now: _Cells, table: Table, rows: _RowNames) -> Iterator[Difference]:
    title, say = format_label(table.label, rows.lang) or table.id, rows.say
    for row_labels in dict.fromkeys([*now, *before]):
        old, new = before.get(row_labels), now.get(row_labels)
        if old is not None and new is not None and old[0] == new[0]:
            continue
        heading = say.join_list(rows.get_heading(axis, row) for axis, row in zip(table.axes, row_labels, strict=False))
        for column, was, current in _iter_column_changes(old, new):
            subject = f"{title} {heading}" + (f": {say.translate_name(column)}" if column else "")
            message = _describe_change(subject, was, current, table, say)
            path = ".".join((table.id, *row_labels, *((column,) if column else ())))
            span = new[1] if new else old[1] if old else NOWHERE
            span = (rows.find_column_span(table, row_labels, column) if column else None) or span
            change: Change = "new" if old is None else "gone" if new is None else "changed"
            yield Difference("charts", change, path, message, span, was, current)


def _iter_column_changes(old: tuple[Any, Span] | None, new: tuple[Any, Span] | None) -> Iterator[tuple[str, Any, Any]]:
    """Yield (column, old value, new value) for the columns of a cell that differ.

    Yield ("", old, new) once unless both cells have the same columns. `old` and `new`: (value, span) of the cell, None
    for a blank one.
    """
    was, now = old[0] if old else None, new[0] if new else None
    if isinstance(was, dict) and isinstance(now, dict) and list(was) == list(now):
        yield from ((column, was[column], now[column]) for column in was if was[column] != now[column])
    else:
        yield "", was, now


def _describe_change(subject: str, was: object, now: object, table: Table, say: Translator) -> Message:
    old, new = format_cell_data(was, table.signs, say), format_cell_data(now, table.signs, say)
    if was is None:
        return _("{where}: `{now}` is new", where=subject, now=new)
    if now is None:
        return _("{where}: `{was}` is removed", where=subject, was=old)
    return _("{where}: `{was}` changes to `{now}`", where=subject, was=old, now=new)
