"""Lints for cells that break the order of their chart.

Finds a cell that breaks a row or column otherwise monotonic, and a cell that combines a result with others although
the result is alone everywhere else. Each part of a result is examined separately; its value is unknown here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.i18n.translator import mark as _
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Table

_MIN_LINE_LENGTH = 4  # minimum length of a line to have an order
_MIN_LONE_CELLS = 3  # cells in which a result occurs alone before a combination with it can be a slip
_MIN_ORDERED_LINES = 3  # minimum number of ordered lines to judge others by
_MIN_LINES_PER_BROKEN = 4  # at most 1 line in 4 may break the order
_ORDERED = ("range", "ratio", "bands", "die")
Index = tuple[int, ...]
Line = list[tuple[Index, int]]


def report_cells_out_of_order(model: CheckedModel, sink: Sink) -> None:
    """Report each cell that alone breaks the monotonic order of its chart."""
    for table in model.ruleset.tables.values():
        ordered = [n for n, axis in enumerate(table.axes) if axis.sort in _ORDERED]
        odd: dict[Index, str] = {}
        strays = _find_strays(table)
        for index, part in sorted(strays.items()):
            _report_stray(table, index, part, sink)
        cells = {index: value for index, value in table.cells.items() if index not in strays}
        for part in _list_parts(table) if ordered else ():
            values = {
                index: _measure(value, part) for index, value in cells.items() if _is_comparable(cells, value, part)
            }
            for number in ordered:
                for lines in _iter_line_groups(table, values, number, ordered):
                    for index in _iter_outliers(lines):
                        odd.setdefault(index, table.axes[number].name)
        for index, name in sorted(odd.items()):
            if index in table.cell_spans:
                sink.add_warning(
                    "cell-out-of-order",
                    _(
                        "this cell of `{table}` breaks the order of the other cells along `{axis}`",
                        table=table.id,
                        axis=name,
                    ),
                    table.cell_spans[index],
                    help=_("compare it with the printed chart; if it is right, allow it here and give a reason"),
                )


def _find_strays(table: Table) -> dict[Index, str]:
    """Return the cells that combine a result part with others although it is alone in all other cells.

    The result maps the index of the cell to the part.
    """
    cells = {index: _list_pairs(value) for index, value in table.cells.items() if isinstance(value, tuple)}
    strays: dict[Index, str] = {}
    for part in sorted({name for pairs in cells.values() for name, _n in pairs}):
        having = {index: len(pairs) for index, pairs in cells.items() if part in dict(pairs)}
        combined = [index for index, size in having.items() if size > 1]
        if len(combined) == 1 and len(having) > _MIN_LONE_CELLS:
            strays[combined[0]] = part
    return strays


def _report_stray(table: Table, index: Index, part: str, sink: Sink) -> None:
    """Report the cell that alone combines the result `part` with another one."""
    other_results = (
        ", ".join(f"`{name}`" for name, _n in _list_pairs(table.cells[index]) if name != part) or f"`{part}`"
    )
    message = _(
        "this cell of `{table}` is the only one that combines `{part}` with a different result, {others}",
        table=table.id,
        part=part,
        others=other_results,
    )
    if index in table.cell_spans:
        cure = _("compare it with the printed chart; if it is right, allow it here and give a reason")
        sink.add_warning("cell-out-of-order", message, table.cell_spans[index], help=cure)


def _is_comparable(cells: Mapping[Index, Any], value: object, part: str) -> bool:
    """Return whether the cell `value` may be compared with other cells by the number of their result part `part`.

    A cell is a tuple of (part, number). `cells`: all cells of the chart. If `part` is '', every cell is comparable.
    Otherwise a cell of another form is not, nor is a cell whose only part never occurs together with others in this
    chart, such as "all lost".
    """
    if not part or not isinstance(value, tuple):
        return not part
    alone = [name for name, _n in _list_pairs(value) if name != part]
    return (
        len(_list_pairs(value)) != 1
        or not alone
        or any(
            len(_list_pairs(cell)) > 1 and alone[0] in dict(_list_pairs(cell))
            for cell in cells.values()
            if isinstance(cell, tuple)
        )
    )


def _list_parts(table: Table) -> list[str]:
    """Return the names of the result parts, [''] for a chart of numbers, or [] for one of words."""
    names = {part for value in table.cells.values() if isinstance(value, tuple) for part, _n in _list_pairs(value)}
    if names:
        return sorted(names)
    numbers = all(isinstance(v, int) and not isinstance(v, bool) for v in table.cells.values())
    return [""] if numbers and str(table.type) in ("int", "number") else []


def _list_pairs(value: tuple[Any, ...]) -> list[tuple[str, int]]:
    return [p for p in value if isinstance(p, tuple) and len(p) == 2 and isinstance(p[0], str)]


def _measure(value: object, part: str) -> int:
    """Return the number in a cell of numbers (`part` is ''), or the sum of the numbers of `part` in a notation."""
    if isinstance(value, int):
        return value
    return sum(max(int(n or 0), 1) for name, n in _list_pairs(value) if name == part) if isinstance(value, tuple) else 0


def _iter_outliers(lines: Sequence[Line]) -> Iterator[Index]:
    """Yield the cells without which their line would be monotonic like nearly all lines of the group."""
    steps = [b - a for line in lines for (_i, a), (_j, b) in pairwise(line)]
    direction = 1 if sum(s > 0 for s in steps) > sum(s < 0 for s in steps) else -1
    rows = [(line, [value * direction for _index, value in line]) for line in lines if len(line) >= _MIN_LINE_LENGTH]
    rising = [row for _line, row in rows if _is_rising(row) and row[0] != row[-1]]
    broken = [(line, row) for line, row in rows if not _is_rising(row)]
    if len(rising) < _MIN_ORDERED_LINES or len(broken) * _MIN_LINES_PER_BROKEN > len(rows):
        return
    for line, row in broken:
        ends = [n for n in range(len(row)) if _is_rising(row[:n] + row[n + 1 :])]
        if ends:
            yield line[_find_farthest_from_neighbours(row, ends)][0]


def _find_farthest_from_neighbours(row: Sequence[int], ends: Sequence[int]) -> int:
    """Return the index, among the candidates `ends`, of the number in `row` that differs most from its neighbours."""

    def measure_distance(n: int) -> int:
        beside = [row[m] for m in (n - 1, n + 1) if 0 <= m < len(row)]
        return sum(abs(row[n] - b) for b in beside) * 2 // len(beside)

    return max(ends, key=lambda n: (measure_distance(n), -n))


def _is_rising(row: Sequence[int]) -> bool:
    return all(a <= b for a, b in pairwise(row))


def _iter_line_groups(
    table: Table, values: Mapping[Index, int], axis: int, ordered: Sequence[int]
) -> Iterator[list[Line]]:
    """Yield groups of lines of cells along an axis; the lines of a group differ in ordered axes only.

    A line is a list of (index of the cell, value). `axis` is the number of the axis, `ordered` the numbers of the
    ordered axes, `values` the cells that have a value.
    """
    groups: dict[Index, list[Line]] = {}
    sizes = [range(len(a.keys)) if n != axis else range(1) for n, a in enumerate(table.axes)]
    for base in product(*sizes):
        line = [(*base[:axis], n, *base[axis + 1 :]) for n in range(len(table.axes[axis].keys))]
        key = tuple(x for n, x in enumerate(base) if n not in ordered)
        groups.setdefault(key, []).append([(index, values[index]) for index in line if index in values])
    yield from groups.values()
