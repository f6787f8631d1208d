"""Chart cells to mark for predicted look-ups, and a text that explains the marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from typing import TYPE_CHECKING

from interpreter.i18n.translator import get_translator, mark as _
from interpreter.play.ledger_lines import format_shift
from interpreter.tools.odds.readings import AxisReadings, Rows, TableReading, find_common_lookups, get_unshifted_rows

if TYPE_CHECKING:
    from interpreter.i18n.translator import Translator
    from interpreter.tools.describe.chart_view import ChartView

_LINES = 8  # different readings that are listed
_WAYS = 3  # paths listed for each reading


@dataclass(frozen=True, slots=True)
class ReadingMarks:
    """Cells to mark, as row numbers by axis, and text lines that explain them."""

    cells: frozenset[tuple[int, ...]]
    lines: tuple[str, ...]


def mark_readings(view: ChartView, readings: Sequence[TableReading], lang: str, say: Translator) -> ReadingMarks:
    """Return the cells of a chart to mark, and lines that explain which options would read them.

    Cells are marked if all readings agree on them; the lines list what each reading looks up where they differ.
    """
    options_by_looks: dict[tuple[AxisReadings, ...], list[str]] = {}
    for reading in readings:
        text = reduce(
            lambda first, second: say("{what}: {values}", what=first, values=second),
            (option.text(lang) for option in reading.way),
        )
        if text not in options_by_looks.setdefault(reading.looks, []):
            options_by_looks[reading.looks].append(text)
    common = find_common_lookups(readings)
    cells = _list_cells(view, [get_unshifted_rows(look) for look in common])
    if len(options_by_looks) == 1:
        ways = _join_ways(next(iter(options_by_looks.values())), say)
        where = _describe_rows(view, common, lang, say)
        line = _("no brackets: the cells that {ways} would read are not known yet: {where}")
        if cells:
            line = _("in brackets: cells that {ways} would read: {where}")
        return ReadingMarks(cells, (say(line, ways=ways, where=where),))
    lines = [
        say("in brackets: cells that all of these would read; they differ elsewhere:")
        if cells
        else say("no brackets: these would read different cells:")
    ]
    for looks, listed in list(options_by_looks.items())[:_LINES]:
        lines.append(
            "  " + say("{what} ({more})", what=_describe_rows(view, looks, lang, say), more=_join_ways(listed, say))
        )
    if len(options_by_looks) > _LINES:
        lines.append("  " + say("and {number} more", number=len(options_by_looks) - _LINES))
    return ReadingMarks(cells, tuple(lines))


def describe_common_rows(view: ChartView, looks: Sequence[AxisReadings], lang: str) -> list[str]:
    """Return "axis row" for each axis of several rows on which all look-ups agree, in the order of the chart's axes."""
    descriptions = []
    for number, axis in enumerate(view.axes):
        rows = {look[number] for look in looks}
        if len(rows) == 1 and len(axis.rows) > 1 and (row := rows.pop())[0] is not None:
            descriptions.append(axis.format_row_title(format_row(axis.rows, row, lang)))
    return descriptions


def describe_settled_rows(view: ChartView, readings: Sequence[TableReading], lang: str, say: Translator) -> str:
    """Describe the rows on which all readings agree, axis by axis; return "" if they agree on none."""
    common = find_common_lookups(readings)
    if not any(row is not None for look in common for row, _shift in look):
        return ""
    # the title of the chart, which comes before these words, need not be repeated as the name of an axis
    axes = (
        replace(a, has_plain_rows=a.has_plain_rows or a.name.casefold() == view.title.casefold()) for a in view.axes
    )
    return _describe_rows(replace(view, axes=tuple(axes)), common, lang, say)


def _list_cells(view: ChartView, lookups: Sequence[Rows]) -> frozenset[tuple[int, ...]]:
    """Return the cells in the known rows of each look-up.

    A look-up whose known rows would mark a whole chart, or a whole sheet of it, is left out.
    """
    sizes = [range(len(axis.rows)) for axis in view.axes]
    lines = [rows for rows in lookups if rows.count(None) < min(2, len(rows))]
    return frozenset(
        cell
        for rows in lines
        for cell in product(*(size if row is None else (row,) for row, size in zip(rows, sizes, strict=True)))
    )


def _describe_rows(view: ChartView, lookups: Sequence[AxisReadings], lang: str, say: Translator) -> str:
    """Describe the rows of some look-ups, axis by axis; "not yet known" for an axis with an unknown row."""
    words: list[str] = []
    for number, axis in enumerate(view.axes):
        rows = list(dict.fromkeys(look[number] for look in lookups))
        if any(row is None for row, _shift in rows):
            words.append(say("{axis} not yet known", axis=axis.name))
        else:
            rows_text = say(" or ").join(dict.fromkeys(format_row(axis.rows, row, lang) for row in rows))
            words.append(axis.format_row_title(rows_text))
    return say(", ").join(words)


Row = tuple[int | None, tuple[int, int] | None]  # the row, and where it was shifted from and by how much


def format_row(rows: Sequence[str], reading: Row, lang: str) -> str:
    """Format a row as its title "1-1", or with its shift: "3-1, shifted 2 to the left: 1-1".

    `rows`: the titles of all rows; `reading`: the number of the row read, and its shift or None.
    """
    row, shift = reading
    assert row is not None
    return str(rows[row]) if shift is None else format_shift(get_translator(lang), rows[shift[0]], shift[1], rows[row])


def _join_ways(option_texts: Sequence[str], say: Translator) -> str:
    joined = "; ".join(option_texts[:_WAYS])
    left_out = len(option_texts) - _WAYS
    return say("{some}; and {number} more", some=joined, number=left_out) if left_out > 0 else joined
