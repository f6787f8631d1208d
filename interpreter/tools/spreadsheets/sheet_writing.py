"""Write rows of texts as CSV or .xlsx, so that a spreadsheet shows exactly what was written."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from interpreter.runtime.errors import SetupError
from interpreter.tools.spreadsheets.safe_cells import contains_formula, escape_formula
from interpreter.tools.spreadsheets.workbooks import import_openpyxl

_FRACTION = re.compile(r"-?[0-9]{1,6}/[1-9][0-9]{0,4}")
_DATE_LIKE = re.compile(r"\d{1,2}[-/]\d{1,2}")
_TIME = (1980, 1, 1, 0, 0, 0)
_STAMP = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")

Rows = Sequence[Sequence[str]]


def serialize_sheet(path: Path, title: str, rows: Rows, delimiter: str = ",") -> bytes:
    """Serialize rows as .xlsx or CSV, by the extension of `path`; equal rows give equal bytes.

    `title`: the name of the sheet. Text that a spreadsheet program would execute is escaped; raises SetupError if CSV
    cannot escape it.
    """
    if path.suffix.lower() == ".xlsx":
        return _write_xlsx(title, [[escape_formula(text, is_typed=True) for text in row] for row in rows])
    return _write_csv(rows, delimiter)


def find_date_like(rows: Rows) -> list[str]:
    """Return the texts in the rows that spreadsheet programs convert to dates when they open a CSV file."""
    return list(dict.fromkeys(text for row in rows for text in row if _DATE_LIKE.fullmatch(text)))


def _write_csv(rows: Rows, delimiter: str) -> bytes:
    running = [text for row in rows for text in row if contains_formula(text)]
    if running:
        raise SetupError(
            "a spreadsheet program could execute part of the cell {text}; write a file that ends in .xlsx",
            text=repr(running[0][:40]),
        )
    into = io.StringIO()
    writer = csv.writer(into, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([escape_formula(text) for text in row] for row in rows)
    return into.getvalue().encode("utf-8-sig")


def convert_fractions_to_decimals(rows: Rows, point: str = ".") -> list[list[str]]:
    """Return the rows with short fractions as decimals, because spreadsheet programs read 1/2 as a date, but not 0.5.

    Headings in the first row stay. `point`: the decimal point.
    """

    def format_decimal(text: str) -> str:
        match = _FRACTION.fullmatch(text)
        share = Fraction(text) if match else Fraction(0)
        is_short = match and 10_000 % share.denominator == 0
        return f"{float(share):.4f}".rstrip("0").replace(".", point) if is_short else text

    return [list(row) if not number else [format_decimal(text) for text in row] for number, row in enumerate(rows)]


def write_odds_with_colons(rows: Rows, heads: int) -> list[list[str]]:
    """Return the rows with odds such as 1-2 written as `1:2`, which no spreadsheet reads as a date.

    Only in the first row and in the first `heads` columns.
    """
    odds = re.compile(r"(\d{1,3})-(\d{1,3})")

    def format_with_colon(text: str) -> str:
        return odds.sub(r"\1:\2", text) if odds.fullmatch(text) else text

    return [
        [format_with_colon(text) if not number or column < heads else text for column, text in enumerate(row)]
        for number, row in enumerate(rows)
    ]


def _write_xlsx(title: str, rows: Rows) -> bytes:
    library = import_openpyxl()
    book = library.Workbook()
    sheet = book.worksheets[0]
    sheet.title = title[:31]
    for number, row in enumerate(rows, 1):
        for column, text in enumerate(row, 1):
            if not text:
                continue
            cell = sheet.cell(number, column)
            if re.fullmatch(r"0|-?[1-9][0-9]{0,14}", text):
                cell.value = int(text)
                continue
            cell.value = text
            cell.data_type, cell.number_format, cell.quotePrefix = "s", "@", True
    sheet.freeze_panes = "B2"
    into = io.BytesIO()
    book.save(into)
    return _strip_times(into.getvalue())


def _strip_times(data: bytes) -> bytes:
    """Return the file without its creation times."""
    into = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist(), key=lambda n: (n != "[Content_Types].xml", n)):
            content = old.read(name)
            if name == "docProps/core.xml":
                content = _STAMP.sub(rb"\g<1>2000-01-01T00:00:00Z", content)
            new.writestr(zipfile.ZipInfo(name, _TIME), content, zipfile.ZIP_DEFLATED)
    return into.getvalue()
