"""Convert a chart to rows of texts, headings first, as exported and as accepted by `cells` in a document."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from interpreter.i18n.translator import ENGLISH
from interpreter.model import types as t
from interpreter.model.ruleset import Ruleset, Table
from interpreter.tools.describe.chart_view import format_cell_data
from interpreter.tools.describe.value_format import to_plain_value

RESULT = "result"


def build_chart_rows(table: Table, ruleset: Ruleset) -> list[list[str]]:
    """Return the chart as rows of texts, headings first, with each cell as documents write it, "" for a blank one.

    A chart of one axis has a row for each cell.
    """
    if isinstance(table.type, t.RecordType):
        columns = list(ruleset.records[table.type.id].fields)
        rows = [[*(a.name for a in table.axes), *columns]]
        for index in _list_row_numbers(table):
            data = _get_cell_data(table, index, ruleset)
            cells = [_format_data(data[c], table) if isinstance(data, dict) else "" for c in columns]
            rows += [[*_list_row_labels(table, index), *cells]] if any(cells) or not table.blanks else []
        return rows
    if len(table.axes) == 1:
        return [[table.axes[0].name, RESULT]] + [
            [*_list_row_labels(table, index), _format_data(_get_cell_data(table, index, ruleset), table)]
            for index in _list_row_numbers(table)
        ]
    *down, across = table.axes
    rows = [[*(a.name for a in down), *across.labels]]
    for index in _list_row_numbers(table, len(down)):
        cells = [_format_data(_get_cell_data(table, (*index, n), ruleset), table) for n in range(len(across.labels))]
        rows.append([*_list_row_labels(table, index), *cells])
    return rows


def _list_row_numbers(table: Table, number: int | None = None) -> list[tuple[int, ...]]:
    return list(product(*(range(len(axis.labels)) for axis in table.axes[:number])))


def _list_row_labels(table: Table, index: tuple[int, ...]) -> list[str]:
    return [axis.labels[n] for axis, n in zip(table.axes, index, strict=False)]


def format_cell(table: Table, index: tuple[int, ...], ruleset: Ruleset) -> list[str]:
    """Return the texts of one cell as documents write it: one for each column, or a single text.

    `index`: the numbers of the cell's rows by axis.
    """
    data = _get_cell_data(table, index, ruleset)
    return [_format_data(part, table) for part in (data.values() if isinstance(data, dict) else [data])]


_BLANK = object()


def _get_cell_data(table: Table, index: tuple[int, ...], ruleset: Ruleset) -> object:
    return to_plain_value(table.cells[index], table.type, ruleset) if index in table.cells else _BLANK


def _format_data(data: object, table: Table) -> str:
    """Format the data of one cell, or of one of its columns, as a document writes them."""
    if data is _BLANK:
        return ""
    if table.signs and isinstance(data, list):
        return format_cell_data(data, table.signs, ENGLISH)
    match data:
        case None:
            return "null"
        case bool():
            return "true" if data else "false"
        case list():
            return ",".join(_format_data(item, table) for item in data) or "[]"
        case Fraction():
            return str(data)
    return str(data)


def may_hold_fractions(table: Table, ruleset: Ruleset) -> bool:
    """Return whether the cells of a chart, or one of their columns, have a type that allows fractions."""
    types = [table.type]
    if isinstance(table.type, t.RecordType):
        types = list(ruleset.records[table.type.id].fields.values())
    return any(isinstance(kind.item if isinstance(kind, t.MaybeType) else kind, t.NumberType) for kind in types)
