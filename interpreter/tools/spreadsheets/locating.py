"""Search for a chart in a sheet of cells: its line of headings, its rows, and the text around it.

People write titles above a chart and notes below it, and leave columns empty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from interpreter.diagnostics.plain_signs import to_keyboard_characters
from interpreter.diagnostics.suggestions import find_close_words
from interpreter.documents.reading.chart_text import ChartShape
from interpreter.documents.values.axes import guess_row_index
from interpreter.model.ruleset import Axis
from interpreter.tools.spreadsheets.chart_grids import RESULT
from interpreter.tools.spreadsheets.grids import CellGrid, Row, SheetCell
from interpreter.tools.spreadsheets.typed_dates import parse_odds_time

_LOOKED_AT = 60  # rows in which the headings are looked for
HeadingLookup = Callable[[SheetCell], str | None]  # the name of a heading; None for what is none


@dataclass(frozen=True, slots=True)
class LocatedChart:
    """Rows of a chart, headings first, and the rows around it that were skipped.

    `is_sideways`: the headings run down the left side, and the rows along the top.
    """

    rows: tuple[Row, ...]
    skipped: tuple[Row, ...] = ()
    is_sideways: bool = False


class Headings:
    """The headings of an axis, matched in every form in which charts print them; each text is parsed once."""

    def __init__(self, axis: Axis) -> None:
        self.axis = axis
        self._known: dict[str, str | None] = {"": None}
        folded = [_fold_heading(label) for label in axis.labels]
        self._folded = {
            folded_label: label
            for folded_label, label in zip(folded, axis.labels, strict=True)
            if folded.count(folded_label) == 1
        }
        self._printed = {
            text: label for label, words in zip(axis.labels, axis.headings, strict=False) for text in words.values()
        }

    def find_label(self, text: str) -> str | None:
        """Return the label of the row that a text denotes, or None."""
        if text not in self._known:
            self._known[text] = self._resolve_heading(text)
        return self._known[text]

    def _resolve_heading(self, text: str) -> str | None:
        printed = self._printed.get(text) or self._printed.get(to_keyboard_characters(text))
        if printed is not None:
            return printed
        row_index = guess_row_index(self.axis, text)
        if row_index is None and self.axis.sort == "ratio" and (odds := parse_odds_time(text)):
            row_index = guess_row_index(self.axis, odds)
        return self._folded.get(_fold_heading(text)) if row_index is None else self.axis.labels[row_index]


def _fold_heading(text: str) -> str:
    """Return a heading in lower case with plain punctuation and single spaces."""
    return to_keyboard_characters(text).strip().casefold().replace("_", " ")


def find_column(cell: SheetCell, shape: ChartShape) -> str | None:
    """Return the name of the column that a heading denotes, or None for other cells."""
    folded = _fold_heading(cell.text)
    return next((name for name in shape.columns if folded and _fold_heading(name) == folded), None)


def locate(grid: CellGrid, headings: Sequence[Headings], shape: ChartShape, name: str) -> LocatedChart:
    """Return the position of a chart in a grid of cells: the whole grid if its headings are not found.

    `headings`: the headings of each axis; `name`: the name of the chart, which may be its title.
    """
    if shape.heads == 0:
        return _locate_line(grid.rows, headings[0], name)
    across, number = choose_column_lookup(headings, shape)
    down = headings[0]
    head = _find_head(grid.rows, across, number)
    if head is None or any(_is_data(row, down) for row in grid.rows[:head]):
        return LocatedChart(_drop_empty_columns(grid.rows), is_sideways=_is_sideways(grid, down, across, number))
    rows = grid.rows[head:]
    first = _find_first_heading(rows[0]) + 1
    end = _end_of_rows(rows, lambda row: any(down.find_label(cell.text) for cell in row[:first]), down.axis.labels)
    return LocatedChart(_drop_empty_columns(rows[:end]), (*grid.rows[:head], *rows[end:]))


def _is_data(row: Row, down: Headings) -> bool:
    """Return True if a row begins with a heading of the axis `down` and contains further cells."""
    texts = [cell.text for cell in row if cell.text]
    return len(texts) > 1 and down.find_label(texts[0]) is not None


def choose_column_lookup(headings: Sequence[Headings], shape: ChartShape) -> tuple[HeadingLookup, int]:
    """Return a function that maps a cell to the heading it denotes along the top of a chart, and their number.

    The function returns None for any other cell.
    """
    if shape.columns:
        return lambda cell: find_column(cell, shape), len(shape.columns)
    last = headings[-1]
    return lambda cell: last.find_label(cell.text), len(last.axis.labels)


def _find_head(rows: Sequence[Row], across: HeadingLookup, number: int) -> int | None:
    """Return the index of the first row that contains at least half of the headings, or None.

    `across`: maps a cell to the heading it denotes; `number`: how many headings there are.
    """
    needed = max(min(2, number), (number + 1) // 2)
    for n, row in enumerate(rows[:_LOOKED_AT]):
        if len({name for cell in row if (name := across(cell)) is not None}) >= needed:
            return n
    return None


def _find_first_heading(row: Row) -> int:
    """Return the index of the first heading that is not empty, but at least 1, since column 0 holds the row labels."""
    first = next((n for n, cell in enumerate(row) if cell.text), 0)
    return max(first, 1)


def _end_of_rows(rows: Sequence[Row], is_row: Callable[[Row], bool], labels: Sequence[str]) -> int:
    """Return the index of the first row of notes below a chart, or the number of rows without notes.

    Notes are rows with a single text that resembles no label. `is_row`: predicate for chart rows; `labels`: the labels
    of the rows.
    """
    end = len(rows)
    while end > 2 and not is_row(rows[end - 1]) and _is_note(rows[end - 1], labels):
        end -= 1
    return end


def _is_note(row: Row, labels: Sequence[str]) -> bool:
    texts = {cell.text for cell in row if cell.text}
    is_text = not any(cell.date or cell.formula for cell in row)
    return is_text and len(texts) == 1 and not find_close_words(next(iter(texts)), labels)


def _drop_empty_columns(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows without the columns that are empty in all of them."""
    width = max((len(row) for row in rows), default=0)
    filled_columns = [n for n in range(width) if any(row[n].is_filled for row in rows)]
    return tuple(tuple(row[n] for n in filled_columns) for row in rows)


def _is_sideways(grid: CellGrid, down: Headings, across: HeadingLookup, number: int) -> bool:
    """Return True if the column headings are in one column of the grid, and the row headings in one row.

    `down`: the headings of rows; `across`: maps a cell to the column heading it denotes; `number`: how many there are.
    """
    turned = list(zip(*grid.rows, strict=True))
    is_along = _find_head(grid.rows, lambda cell: down.find_label(cell.text), len(down.axis.labels)) is not None
    return is_along and _find_head(turned, across, number) is not None


# --- charts of one axis ------------------------------------------------------------------------


def _locate_line(rows: tuple[Row, ...], down: Headings, name: str) -> LocatedChart:
    """Return the position of a chart of one axis in two rows or two columns; skip a title above it and notes below.

    `down`: the headings of the axis; `name`: the name of the chart, which may be its title.
    """

    def is_row(row: Row) -> bool:
        return down.find_label(next((cell.text for cell in row if cell.text), "")) is not None

    known = [sum(down.find_label(cell.text) is not None for cell in row) for row in rows]
    across = max(known, default=0)
    if not across:
        return LocatedChart(_drop_empty_columns(rows))
    if across > max(sum(map(is_row, rows)), 1) or (across > 1 and len(rows) == 2):
        head = known.index(across)
        if not all(_is_note(row, ()) for row in rows[head + 2 :]):
            return LocatedChart(_drop_empty_columns(rows))
        return LocatedChart(_drop_empty_columns(rows[head : head + 2]), (*rows[:head], *rows[head + 2 :]))
    begin = next((n for n, row in enumerate(rows) if is_row(row)), 0)
    if begin and _is_title(rows[begin - 1], (down.axis.name, RESULT, name)):
        begin -= 1
    end = _end_of_rows(rows, is_row, down.axis.labels)
    return LocatedChart(_drop_empty_columns(rows[begin:end]), (*rows[:begin], *rows[end:]))


def _is_title(row: Row, names: Sequence[str]) -> bool:
    """Return True if a row holds two texts of which one is in `names`: titles, rather than a row of the chart."""
    texts = [_fold_heading(cell.text) for cell in row if cell.text]
    return len(texts) == 2 and any(_fold_heading(name) in texts for name in names)
