"""Grids of cells with their source positions, and limits on their size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics.source_text import Span
from interpreter.documents.reading.tree import ScalarNode
from interpreter.documents.reading.yaml_reader import parse_plain_value
from interpreter.files.os_errors import format_os_error
from interpreter.files.safe_read import FileTooLargeError, NotRegularFileError, read_regular_file
from interpreter.i18n.translator import mark as _
from interpreter.runtime.errors import SetupError
from interpreter.tools.spreadsheets.typed_dates import TypedDate

MAX_BYTES = 4 * 1024 * 1024
MAX_ROWS, MAX_COLUMNS = 2_000, 500
MAX_CELL = 5_000  # characters


@dataclass(frozen=True, slots=True)
class SheetCell:
    """Cell of a sheet: its text, its position, and metadata from a workbook.

    `is_given` is false beyond the end of a row. `date` and `formula` come from a workbook's own cells.
    """

    text: str
    span: Span
    is_given: bool = True
    date: TypedDate | None = None
    formula: str = ""

    @property
    def is_filled(self) -> bool:
        """Return True if the cell contains anything, readable or not."""
        return bool(self.text or self.date or self.formula)

    @property
    def scalar(self) -> ScalarNode:
        """Return the cell as a scalar node, as documents hold values."""
        return ScalarNode(parse_plain_value(self.text) if self.text else None, self.text, self.span)


Row = tuple[SheetCell, ...]


@dataclass(frozen=True, slots=True)
class CellGrid:
    """The non-empty rows of a sheet, padded to the widest.

    `name`: the name of the file or sheet; `has_decimal_commas`: numbers are written `1,5`.
    """

    name: str
    rows: tuple[Row, ...]
    has_decimal_commas: bool = False


@dataclass(frozen=True, slots=True)
class Sheets:
    """The sheets of a file by title, each read on request; a CSV file is one sheet without a title."""

    file: str
    titles: tuple[str, ...]
    read: Callable[[str], CellGrid]


def read_bytes(path: Path) -> bytes:
    """Return the content of a file. Raises SetupError if the file is too large or not a regular one."""
    try:
        return read_regular_file(path, MAX_BYTES)
    except (OSError, NotRegularFileError, FileTooLargeError) as fault:
        raise SetupError("cannot read {file}: {problem}", file=path, problem=_describe_problem(fault)) from None


def _describe_problem(fault: Exception) -> object:
    if isinstance(fault, FileTooLargeError):
        return _("it is larger than {most} bytes", most=MAX_BYTES)
    return format_os_error(fault) if isinstance(fault, OSError) else _("it is not a regular file")


def build_grid(name: str, rows: Sequence[list[SheetCell]], has_decimal_commas: bool = False) -> CellGrid:
    """Return the grid of a file: rows padded to one width, without empty rows and empty columns at the end.

    `name`: the name of the file; `has_decimal_commas`: numbers are written `1,5`. Raises SetupError if the rows,
    columns or characters of a cell are too many.
    """
    filled_rows = [row for row in rows if any(cell.is_filled for cell in row)]
    width = max((n + 1 for row in filled_rows for n, c in enumerate(row) if c.is_filled), default=0)
    if len(filled_rows) > MAX_ROWS or width > MAX_COLUMNS:
        raise SetupError(
            "{file} has more than {rows} rows or {columns} columns", file=name, rows=MAX_ROWS, columns=MAX_COLUMNS
        )
    for row in filled_rows:
        for cell in row:
            if len(cell.text) > MAX_CELL:
                raise SetupError(
                    "{place}: a cell has {number} characters; the limit is {most}",
                    place=str(cell.span) if cell.span.source.text else cell.span.file,
                    number=len(cell.text),
                    most=MAX_CELL,
                )
    return CellGrid(
        name, tuple(tuple((row + [_build_end_cell(row)] * width)[:width]) for row in filled_rows), has_decimal_commas
    )


def _build_end_cell(row: list[SheetCell]) -> SheetCell:
    """Return the empty cell at the end of a row."""
    span = row[-1].span
    return SheetCell("", Span(span.source, span.end, span.end), is_given=False)
