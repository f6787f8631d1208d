"""Workbooks (.xlsx), measured before a library opens them: a small file may unpack to a very large one."""

from __future__ import annotations

import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.parsers import expat

from interpreter.diagnostics.source_text import Source, Span
from interpreter.files.installing import get_install_command
from interpreter.runtime.errors import SetupError
from interpreter.tools.spreadsheets.grids import (
    MAX_COLUMNS,
    MAX_ROWS,
    CellGrid,
    SheetCell,
    Sheets,
    build_grid,
    read_bytes,
)
from interpreter.tools.spreadsheets.safe_cells import unescape_formula
from interpreter.tools.spreadsheets.typed_dates import build_typed_date, format_time

MAX_UNPACKED = 16 * 1024 * 1024  # bytes of all parts together
MAX_PARTS = 1_000
MAX_CELLS = 200_000  # of all sheets, including formatted blank cells
_DECIMALS = 12  # beyond them are artefacts of binary numbers: decimal ones
_OLD_BOOK = b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_AREAS = ("mergeCell", "hyperlink")  # what the library takes up cell by cell
_VALUES = ("v", "f", "is")  # what a cell has that is not blank
_CELLS = "spreadsheetml"  # in the name of the vocabulary that cells are written in


@dataclass(slots=True)
class _Extent:
    """Counters of a sheet while it is read.

    `rows` and `columns`: the extent of the non-empty cells; `cells`: their number; `row` and `column`: the last
    position.
    """

    rows: int = 0
    columns: int = 0
    cells: int = 0
    row: int = 0
    column: int = 0

    def begin(self, tag: str, place: str, area: str) -> None:
        """Count an XML element of a sheet that begins: a row, a cell, a value or a merged area.

        `tag`: its name; `place`: its row number or cell reference, or ""; `area`: its range such as A1:B2, or "".
        Raises _TooManyCellsError beyond the limit.
        """
        if tag == "row":
            self.row, self.column = int(place[:9]) if place.isdigit() else self.row + 1, 0
        elif tag == "c":
            self.cells += 1
            self.column = _parse_column(place) or self.column + 1
        elif tag in _VALUES:
            self.rows, self.columns = max(self.rows, self.row), max(self.columns, self.column)
        elif tag in _AREAS:
            self.cells += _count_area_cells(area)
        if self.cells > MAX_CELLS:
            raise _TooManyCellsError


class _TooManyCellsError(Exception):
    """The sheet has more cells than are read."""


def import_openpyxl() -> ModuleType:
    """Import the spreadsheet library. Raises SetupError if the extra is not installed."""
    try:
        return import_module("openpyxl")
    except ImportError:
        raise SetupError(
            "spreadsheets need the extra `sheets`: {command}; or use a .csv file",
            command=get_install_command("sheets"),
        ) from None


def open_book(path: Path) -> Sheets:
    """Open a workbook. Raises SetupError for a file that is not a workbook, is protected or unpacks to too much."""
    data = read_bytes(path)
    library = import_openpyxl()
    if data.startswith(_OLD_BOOK):
        if _ENCRYPTED in data:
            raise SetupError("{file} has a password; save it without one", file=path)
        raise SetupError("{file} has an old spreadsheet format (.xls); save it as .xlsx", file=path)
    extent = _measure_book(path, data)
    try:
        book = library.load_workbook(BytesIO(data), data_only=False, keep_links=False)
    except Exception:  # the library raises many kinds of exceptions for other files
        raise SetupError("{file} is not an .xlsx file, or it is damaged", file=path) from None
    if not book.worksheets:
        raise SetupError("{file} has no worksheet (chart sheets have no cells)", file=path)
    sheets = {str(sheet.title): sheet for sheet in book.worksheets}
    return Sheets(path.name, tuple(sheets), lambda title: _read_sheet(path, sheets[title], extent))


def _measure_book(path: Path, data: bytes) -> _Extent:
    """Return the extent and number of cells of a workbook's sheets.

    Raises SetupError if there are too many cells, or if they lie too far out.
    """
    extent = _Extent()
    try:
        with zipfile.ZipFile(BytesIO(data)) as book:
            parts = book.infolist()
            if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED:
                raise _TooManyCellsError
            for part in parts:
                _count_cells(book.read(part), extent)
    except _TooManyCellsError:
        raise SetupError(
            "{file} is too large when unpacked (the limit is {cells} cells, {bytes} bytes); save only the "
            "chart in a new workbook",
            file=path,
            cells=MAX_CELLS,
            bytes=MAX_UNPACKED,
        ) from None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, EOFError, zlib.error):
        raise SetupError("{file} is not an .xlsx file, or it is damaged", file=path) from None
    if extent.rows > MAX_ROWS or extent.columns > MAX_COLUMNS or extent.rows * extent.columns > MAX_CELLS:
        raise SetupError(
            "{file} has more than {rows} rows or {columns} columns", file=path, rows=MAX_ROWS, columns=MAX_COLUMNS
        )
    return extent


def _count_cells(content: bytes, extent: _Extent) -> None:
    """Add the cells of one part of a workbook to `extent`; a part that is not well-formed XML is left to the library.

    The parser recognizes XML in every encoding that the library reads, such as UTF-16.
    """
    parser = expat.ParserCreate(namespace_separator=" ")

    def begin(name: str, attributes: dict[str, str]) -> None:
        space, _blank, tag = name.rpartition(" ")
        if _CELLS in space:
            extent.begin(tag, attributes.get("r", ""), attributes.get("ref", ""))

    def refuse(*_declared: object) -> None:
        raise ValueError("a book declares no entities")

    parser.StartElementHandler = begin
    parser.EntityDeclHandler = refuse
    extent.row = extent.column = 0
    with suppress(expat.ExpatError):
        parser.Parse(content, True)


def _count_area_cells(area: str) -> int:
    """Return the number of cells in an area such as A1:B2; a whole row or column counts as full."""
    first, _colon, last = area.replace("$", "").partition(":")
    rows = [int(place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")[:9] or 0) for place in (first, last or first)]
    columns = [_parse_column(place) for place in (first, last or first)]
    high = abs(rows[1] - rows[0]) + 1 if all(rows) else MAX_CELLS
    return high * (abs(columns[1] - columns[0]) + 1 if all(columns) else MAX_CELLS)


def _parse_column(place: str) -> int:
    """Return the number of the column in a reference such as AB12; 0 without letters."""
    column = 0
    for letter in place.rstrip("0123456789")[:4].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return column


def _read_sheet(path: Path, sheet: Any, extent: _Extent) -> CellGrid:  # noqa: ANN401 - openpyxl is untyped
    named = f"{path.name}, {sheet.title}"
    rows, columns = min(sheet.max_row, extent.rows), min(sheet.max_column, extent.columns)
    merged = _read_merged_cells(sheet, rows, columns)
    cell_rows = []
    for cells in sheet.iter_rows(max_row=rows, max_col=columns) if rows and columns else ():
        cell_rows.append([_read_cell(merged.get(c.coordinate, c), f"{named}!{c.coordinate}") for c in cells])
    return build_grid(named, cell_rows)


def _read_merged_cells(sheet: Any, rows: int, columns: int) -> dict[str, Any]:  # noqa: ANN401 - openpyxl is untyped
    """Return for each cell of a merged area, by its reference, the first cell of the area.

    `rows` and `columns`: the extent beyond which cells are left out.
    """
    cells: dict[str, Any] = {}
    for area in sheet.merged_cells.ranges:
        last_row, last_column = min(area.max_row, rows), min(area.max_col, columns)
        if area.min_row > last_row or area.min_col > last_column:
            continue
        first = sheet.cell(area.min_row, area.min_col)
        for row in sheet.iter_rows(area.min_row, last_row, area.min_col, last_column):
            cells |= {cell.coordinate: first for cell in row}
    return cells


def _read_cell(cell: Any, place: str) -> SheetCell:  # noqa: ANN401 - openpyxl is untyped
    span = Span(Source(place, ""), 0, 0)
    value = cell.value
    if cell.data_type == "f":
        return SheetCell("", span, formula=str(getattr(value, "text", value))[:60])
    if (time_text := format_time(value)) or value is None:
        return SheetCell(time_text, span)
    if hasattr(value, "month"):
        return SheetCell("", span, date=build_typed_date(value))
    return SheetCell(unescape_formula(_format_number(value, str(cell.number_format or ""))), span)


def _format_number(value: object, form: str) -> str:
    """Return a value as typed: integers without decimals, fractions if the cell is formatted as one.

    `form`: the number format of the cell.
    """
    match value:
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer():
            return str(int(value))
        case float() if "?/" in form or "#/" in form:
            return str(Fraction(value).limit_denominator(100))
        case float():
            return repr(round(value, _DECIMALS))
    return str(value).strip()
