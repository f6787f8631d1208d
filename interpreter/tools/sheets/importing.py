"""A chart read from a spreadsheet and held against a ruleset: every fault at its cell, and what would change.

Must not write anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from interpreter.documents.building.ruleset_builder import with_other_cells
from interpreter.documents.reading.chart_text import CHARTS, ChartShape, rows_as_tree, shape_of_chart
from interpreter.documents.reading.tree import Branch, Scalar
from interpreter.documents.values.axes import row_index
from interpreter.model import types as t
from interpreter.model.ruleset import Axis, Ruleset, Table
from interpreter.runtime.faults import SetupError
from interpreter.source.diagnostic import Diagnostic, RulesetError, Sink
from interpreter.source.plain_signs import narrow
from interpreter.source.suggestion import guess
from interpreter.source.text import Span
from interpreter.tools.comparing.chart_changes import chart_changes
from interpreter.tools.comparing.differing import Difference
from interpreter.tools.comparing.held import Held
from interpreter.tools.handbook.tongues import tongue_of
from interpreter.tools.sheets.chart_grids import RESULT
from interpreter.tools.sheets.grids import Grid, is_date, read_grid, report_date
from interpreter.words.speech import ENGLISH, Say


@dataclass(frozen=True, slots=True)
class Read:
    """A chart as a file gives it: the ruleset with it, and the differences to the one before, in words."""

    before: Held
    ruleset: Ruleset
    section: str
    name: str
    differences: tuple[Difference, ...]

    @property
    def table(self) -> Table:
        """The chart as the file gives it."""
        return self.ruleset.tables[self.name]


def read_chart(held: Held, name: str, path: Path, lang: str = "", say: Say = ENGLISH) -> Read:
    """The chart in a file, fitted to the axes of the one it is to replace.

    SetupError for an unknown chart or a file that cannot be read; RulesetError with every fault at its cell.
    """
    table = held.ruleset.tables.get(name)
    if table is None:
        hint = guess(name, held.ruleset.tables, all_of_them=True)
        raise SetupError("there is no chart `{name}`{hint}", name=name, hint=hint)
    sink = Sink()
    section = next(s for s, key in CHARTS.items() if name in held.trees.kinds[s].branch(key))
    chart = held.trees.kinds[section].branch(CHARTS[section]).entries[name]
    shape = shape_of_chart(name, chart.value) if isinstance(chart.value, Branch) else None
    if shape is None:
        raise SetupError("the chart `{name}` has no axes that could be read", name=name)
    grid = read_grid(path, sink)
    if not grid.rows:
        raise SetupError("{file} holds no cells", file=path)
    rows = _fitted(grid, table, shape, sink)
    whole = rows[0][0].span
    cells = Branch({}, whole) if sink.has_errors else rows_as_tree(rows, shape, whole, sink)
    if sink.has_errors:
        raise RulesetError(sink.sorted())
    ruleset = _rebuilt(held, section, name, cells, whole)
    tongue = tongue_of(ruleset, lang, say)
    found = tuple(d for d in chart_changes(held.ruleset, ruleset, tongue, lang) if d.path.startswith(f"{name}."))
    return Read(held, ruleset, section, name, found)


def _rebuilt(held: Held, section: str, name: str, cells: Branch, whole: Span) -> Ruleset:
    """The ruleset with other cells; RulesetError when something is wrong with them."""
    sink, kinds = Sink(), held.trees.kinds
    tree = kinds[section].with_value((CHARTS[section], name, "cells"), cells)
    ruleset = with_other_cells(held.ruleset, replace(held.trees, kinds={**kinds, section: tree}), sink)
    known = {(d.code, d.message, d.span) for d in held.faults}
    faults = [d for d in sink.errors() if (d.code, d.message, d.span) not in known]
    if faults:
        raise RulesetError(tuple(_at_cell(d, whole) for d in faults))
    return ruleset


def _at_cell(found: Diagnostic, whole: Span) -> Diagnostic:
    """A fault told in the file that was read, wherever the builder saw it."""
    own = found.span.source.name == whole.source.name or "!" in found.span.source.name
    return found if own else replace(found, span=whole)


# --- headings and cells as the chart knows them ------------------------------------------------


def _fitted(grid: Grid, table: Table, shape: ChartShape, sink: Sink) -> list[list[Scalar]]:
    """The rows with the chart's own names for rows and columns; dates are reported."""
    rows = [list(row) for row in grid.rows]
    if shape.heads == 0:
        return _one_axis(rows, table, sink)
    across = None if shape.columns else table.axes[-1]
    fitted = [[*rows[0][: shape.heads], *(_heading(cell, across, sink) for cell in rows[0][shape.heads :])]]
    for row in rows[1:]:
        heads = [_heading(c, a, sink) for c, a in zip(row[: shape.heads], table.axes, strict=False)]
        fitted.append([*heads, *(_cell(cell, table, sink) for cell in row[shape.heads :])])
    return fitted


def _one_axis(rows: list[list[Scalar]], table: Table, sink: Sink) -> list[list[Scalar]]:
    """A chart of one axis, laid across in two rows or down in two columns, with or without titles."""
    axis = table.axes[0]
    if len(rows) == 2 and len(rows[0]) > 2:
        titled = row_index(axis, rows[0][0].text) is None
        head = [*rows[0][:1]] * titled + [_heading(cell, axis, sink) for cell in rows[0][titled:]]
        rows = [head, [*rows[1][:titled], *(_cell(cell, table, sink) for cell in rows[1][titled:])]]
        named = Scalar(axis.name, axis.name, rows[0][0].span)
        return [[named, *rows[0][1:]], rows[1]] if titled else rows
    if any(len(row) != 2 for row in rows):
        return rows  # told by whoever makes a tree of it
    titled = row_index(axis, rows[0][0].text) is None and rows[0][1].text.casefold() in (RESULT, axis.name, table.id)
    titled = titled or rows[0][0].text.casefold() == axis.name.casefold()
    return [[_heading(row[0], axis, sink), _cell(row[1], table, sink)] for row in rows[titled:]]


def _heading(cell: Scalar, axis: Axis | None, sink: Sink) -> Scalar:
    """A heading as the chart writes it: by itself, as it is printed, or with a colon for odds."""
    text = narrow(cell.text)
    if axis is None:
        return replace(cell, text=text)
    for candidate in (cell.text, text, text.replace(":", "-"), text.replace(" : ", "-")):
        if (row := row_index(axis, candidate)) is not None:
            return Scalar(axis.labels[row], axis.labels[row], cell.span)
    for label, heading in zip(axis.labels, axis.headings, strict=False):
        if cell.text and cell.text in heading.values():
            return Scalar(label, label, cell.span)
    if is_date(cell.text):
        report_date(cell.text, cell.span, sink)
    return Scalar(cell.text, cell.text, cell.span)


def _cell(cell: Scalar, table: Table, sink: Sink) -> Scalar:
    if is_date(cell.text) and not isinstance(table.type, t.Text):
        report_date(cell.text, cell.span, sink)
    kept = table.type.item if isinstance(table.type, t.Maybe) else table.type
    return replace(cell, value=cell.text) if isinstance(kept, t.Text) and cell.text else cell


def changed_cells(before: Table, now: Table) -> Sequence[tuple[int, ...]]:
    """The places whose cells differ, by the numbers of their rows."""
    return [at for at in sorted({*before.cells, *now.cells}) if before.cells.get(at) != now.cells.get(at)]
