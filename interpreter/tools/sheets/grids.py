"""Reading CSV files and spreadsheets: rows of cells, each with the place that a fault in it is told at.

Must not know what the cells mean.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from interpreter.documents.reading.tree import Scalar
from interpreter.documents.reading.yaml_reading import plain_value
from interpreter.files.installing import install_command
from interpreter.files.system_words import said_by_system
from interpreter.files.unknown_files import NotOrdinary, TooLarge, read_ordinary
from interpreter.runtime.faults import SetupError
from interpreter.source.diagnostic import Sink
from interpreter.source.text import Source, Span
from interpreter.words.speech import mark as _

MAX_BYTES = 4 * 1024 * 1024
MAX_ROWS, MAX_COLUMNS = 2_000, 500
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = re.compile(
    rf"\d{{1,2}}[-. ]{_MONTH}(?:[-. ]\d{{2,4}})?|{_MONTH}[- ]\d{{1,4}}|\d{{1,2}}月\d{{1,2}}日"
    r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a file that are not empty, as wide as the widest; `name` is what the file is called."""

    name: str
    rows: tuple[tuple[Scalar, ...], ...]


def is_date(text: str) -> bool:
    """Whether a text is how spreadsheets write a date."""
    return _DATE.fullmatch(text.strip()) is not None


def read_grid(path: Path, sink: Sink) -> Grid:
    """The first sheet of a .xlsx file, or a CSV file parted by commas, semicolons or tabs.

    Formulas and dates are reported to `sink`. SetupError for a file that cannot be read.
    """
    if path.suffix.lower() == ".xlsx":
        return _read_xlsx(path, sink)
    return _read_csv(path)


def _read_csv(path: Path) -> Grid:
    try:
        data = read_ordinary(path, MAX_BYTES)
    except (OSError, NotOrdinary, TooLarge) as fault:
        raise SetupError("{file} cannot be read: {problem}", file=path, problem=_problem(fault)) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SetupError("{file} is no text in UTF-8; save it as `CSV UTF-8`, or as .xlsx", file=path) from None
    if "\0" in text:
        raise SetupError("{file} is no text; a spreadsheet must have a name that ends in .xlsx", file=path)
    source = Source(path.name, text)
    parted = _delimiter(text)
    rows = [row for row in _csv_rows(source, parted) if any(cell.text for cell in row)]
    return _grid(path, rows)


def _problem(fault: Exception) -> Any:
    if isinstance(fault, TooLarge):
        return _("it is larger than {most} bytes", most=MAX_BYTES)
    return said_by_system(fault) if isinstance(fault, OSError) else _("it is no ordinary file")


def _delimiter(text: str) -> str:
    try:
        return csv.Sniffer().sniff(text[:8000], delimiters=",;\t").delimiter
    except csv.Error:
        return ","  # one column


def _csv_rows(source: Source, parted: str) -> list[list[Scalar]]:
    """Cells with their spans; a quoted one may hold line ends and doubled quotes."""
    text, at, rows = source.text, 0, list[list[Scalar]]()
    row: list[Scalar] = []
    while at <= len(text):
        quoted = _QUOTED.match(text, at)
        end = quoted.end() if quoted else at
        while end < len(text) and text[end] != parted and text[end] not in "\r\n":
            end += 1
        written = text[at:end].strip()
        if quoted:
            written = quoted[0][1:-1].replace('""', '"').strip() + text[quoted.end() : end].strip()
        row.append(_cell(_with_point(written, parted), Span(source, at, max(end, at + 1))))
        if end >= len(text) or text[end] in "\r\n":
            rows.append(row)
            row = []
            end += text[end : end + 2] == "\r\n"
        at = end + 1
    return rows


def _with_point(text: str, parted: str) -> str:
    """Where semicolons part the cells, a comma stands before the decimals."""
    return text.replace(",", ".") if parted == ";" and re.fullmatch(r"-?\d+,\d+", text) else text


def _cell(text: str, span: Span) -> Scalar:
    return Scalar(plain_value(text) if text else None, text, span)


def _grid(path: Path, rows: list[list[Scalar]]) -> Grid:
    """Rows of one width; what is empty at the right of all is left out."""
    width = max((n + 1 for row in rows for n, cell in enumerate(row) if cell.text), default=0)
    if len(rows) > MAX_ROWS or width > MAX_COLUMNS:
        raise SetupError(
            "{file} has more than {rows} rows or {columns} columns", file=path, rows=MAX_ROWS, columns=MAX_COLUMNS
        )
    return Grid(path.name, tuple(tuple((row + [_behind(row)] * width)[:width]) for row in rows))


def _behind(row: list[Scalar]) -> Scalar:
    """What stands behind the last cell of a row: nothing, at its end."""
    span = row[-1].span
    return Scalar(None, "", Span(span.source, span.end, span.end))


# --- spreadsheets ------------------------------------------------------------------------------


def openpyxl() -> Any:
    """The library for spreadsheets; SetupError where the extra is not installed."""
    try:
        return import_module("openpyxl")
    except ImportError:
        raise SetupError(
            "spreadsheets need the extra `sheets`: {command}; or use a file in .csv",
            command=install_command("sheets"),
        ) from None


def _read_xlsx(path: Path, sink: Sink) -> Grid:
    library = openpyxl()
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SetupError("{file} cannot be read: {problem}", file=path, problem=_problem(TooLarge(0)))
        book = library.load_workbook(path, data_only=False, keep_links=False)
    except SetupError:
        raise
    except Exception as fault:  # the library raises many kinds for files that are none
        problem = said_by_system(fault) if isinstance(fault, OSError) else _("it is no .xlsx file")
        raise SetupError("{file} cannot be read: {problem}", file=path, problem=problem) from None
    sheet = book.worksheets[0] if book.worksheets else None
    if sheet is None:
        raise SetupError("{file} has no sheet with cells", file=path)
    merged = _merged(sheet)
    rows = []
    for cells in sheet.iter_rows(
        max_row=min(sheet.max_row, MAX_ROWS + 1), max_col=min(sheet.max_column, MAX_COLUMNS + 1)
    ):
        row = [
            _sheet_cell(merged.get(cell.coordinate, cell), cell, f"{path.name}, {sheet.title}", sink) for cell in cells
        ]
        if any(cell.text for cell in row):
            rows.append(row)
    return _grid(path, rows)


def _merged(sheet: Any) -> dict[str, Any]:
    """Of cells that are joined each has what the first one has."""
    found: dict[str, Any] = {}
    for area in sheet.merged_cells.ranges:
        first = sheet.cell(area.min_row, area.min_col)
        for row in sheet.iter_rows(area.min_row, area.max_row, area.min_col, area.max_col):
            found |= {cell.coordinate: first for cell in row}
    return found


def _sheet_cell(cell: Any, place: Any, file: str, sink: Sink) -> Scalar:
    span = Span(Source(f"{file}!{place.coordinate}", ""), 0, 0)
    value = cell.value
    if cell.data_type == "f":
        told = _("this cell holds a formula, not a value: {text}", text=str(value)[:60])
        sink.error("formula-cell", told, span, help=_("copy it and paste the values alone over it"))
        return Scalar(None, "", span)
    if getattr(cell, "is_date", False) and value is not None and not isinstance(value, str):
        report_date(str(value), span, sink, getattr(value, "month", 0), getattr(value, "day", 0))
        return Scalar(None, "", span)
    return _cell(_number_text(value, str(cell.number_format or "")), span)


def _number_text(value: Any, form: str) -> str:
    """A value as it is typed: whole numbers without decimals, fractions where the cell shows such."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer():
            return str(int(value))
        case float() if "?/" in form or "#/" in form:
            from fractions import Fraction

            return str(Fraction(value).limit_denominator(100))
    return str(value).strip()


def report_date(text: str, span: Span, sink: Sink, month: int = 0, day: int = 0) -> None:
    """A spreadsheet has read odds as a date; which odds cannot be told, so none are guessed."""
    told = _("this cell holds the date {date}, which spreadsheets make of odds such as 1-2", date=text)
    if month and day:
        told = _(
            "this cell holds the date {date}; typed was {one} or {other}",
            date=text,
            one=f"{month}-{day}",
            other=f"{day}-{month}",
        )
    cure = _("give the cell the format Text and type it again, or write `1:2` for `1-2`")
    sink.error("date-cell", told, span, help=cure)
