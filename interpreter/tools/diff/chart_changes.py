"""What differs between the cells of charts, told as they are printed: by headings, in the chart's own notation.

Must not compare what a chart says of itself: that is a value like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.source_text import NOWHERE, Span
from interpreter.documents.reading.tree import EMPTY, MappingNode
from interpreter.i18n.translator import Message, mark as _
from interpreter.model.ruleset import Axis, Ruleset, Table
from interpreter.model.types import ThingType
from interpreter.tools.describe.chart_sheets import cell_words
from interpreter.tools.describe.locale_format import LocaleFormatter
from interpreter.tools.describe.value_format import label_words, value_data
from interpreter.tools.diff.difference import Difference

_Cells = dict[tuple[str, ...], tuple[Any, Span]]  # by the rows they lie in: the data of each, and where it stands


def chart_changes(
    before: Ruleset,
    now: Ruleset,
    tongue: LocaleFormatter,
    lang: str = "",
    written: Mapping[str, MappingNode] | None = None,
) -> Iterator[Difference]:
    """The cells that differ of every chart that both have, by chart and in the order of its rows.

    `written` are the documents of `now`: a column of a cell is told where it stands there.
    """
    for name, table in now.tables.items():
        if (old := before.tables.get(name)) is not None:
            rows = _Rows(now, tongue, lang, written or {})
            yield from _in_chart(_cells(old, before), _cells(table, now), table, rows)


def _cells(table: Table, ruleset: Ruleset) -> _Cells:
    return {
        tuple(axis.labels[n] for axis, n in zip(table.axes, at, strict=True)): (
            value_data(value, table.type, ruleset),
            table.cell_spans.get(at, table.origin.span),
        )
        for at, value in sorted(table.cells.items())
    }


@dataclass(frozen=True, slots=True)
class _Rows:
    """What rows are called in a language, and where their columns are written."""

    ruleset: Ruleset
    tongue: LocaleFormatter
    lang: str
    written: Mapping[str, MappingNode]

    def column_span(self, table: Table, at: tuple[str, ...], column: str) -> Span | None:
        """Where a column of a cell is written with its own key."""
        for section, held in (("tables", "tables"), ("activation", "orders")):
            node = self.written.get(section, EMPTY).at((held, table.id, "cells", *at))
            if isinstance(node, MappingNode) and (entry := node.entries.get(column)) is not None:
                return entry.key.span
        return None

    def called(self, axis: Axis, row: str) -> str:
        """A row by its heading or the name of what it stands for; a bare number or band needs the name of its axis."""
        number = axis.labels.index(row) if row in axis.labels else -1
        heading = label_words(axis.headings[number], self.lang) if 0 <= number < len(axis.headings) else ""
        if not heading and isinstance(axis.type, ThingType) and number >= 0:
            heading = label_words(self.ruleset.kinds[axis.type.kind].things[axis.keys[number]].label, self.lang)
        if heading or axis.sort in ("keys", "ratio"):
            return heading or self.tongue.called(row, "word", "text")
        return f"{self.tongue.called(axis.name, 'axis')} {row}"


def _in_chart(before: _Cells, now: _Cells, table: Table, rows: _Rows) -> Iterator[Difference]:
    title, tongue = label_words(table.label, rows.lang) or table.id, rows.tongue
    for at in dict.fromkeys([*now, *before]):
        old, new = before.get(at), now.get(at)
        if old is not None and new is not None and old[0] == new[0]:
            continue
        where = tongue.listed(rows.called(axis, row) for axis, row in zip(table.axes, at, strict=False))
        for column, was, is_ in _parts(old, new):
            told = _told(f"{title} {where}" + (f": {tongue.called(column)}" if column else ""), was, is_, table, tongue)
            path = ".".join((table.id, *at, *((column,) if column else ())))
            span = new[1] if new else old[1] if old else NOWHERE
            span = (rows.column_span(table, at, column) if column else None) or span
            yield Difference(
                "charts", "new" if old is None else "gone" if new is None else "changed", path, told, span, was, is_
            )


def _parts(old: tuple[Any, Span] | None, new: tuple[Any, Span] | None) -> Iterator[tuple[str, Any, Any]]:
    """The cell, or of a cell with columns those that differ."""
    was, is_ = old[0] if old else None, new[0] if new else None
    if isinstance(was, dict) and isinstance(is_, dict) and list(was) == list(is_):
        yield from ((column, was[column], is_[column]) for column in was if was[column] != is_[column])
    else:
        yield "", was, is_


def _told(where: str, was: Any, now: Any, table: Table, tongue: LocaleFormatter) -> Message:
    old, new = cell_words(was, table.signs, tongue), cell_words(now, table.signs, tongue)
    if was is None:
        return _("{where}: `{now}` is new", where=where, now=new)
    if now is None:
        return _("{where}: `{was}` is taken away", where=where, was=old)
    return _("{where}: `{was}` becomes `{now}`", where=where, was=old, now=new)
