"""Reading of spreadsheet files: CSV in its many dialects, and workbooks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from interpreter.diagnostics.source_text import Source, Span
from interpreter.files.foreign_files import encoding_of, recognise
from interpreter.runtime.errors import SetupError
from interpreter.tools.spreadsheets.grids import CellGrid, SheetCell, Sheets, checked_grid, read_bytes
from interpreter.tools.spreadsheets.safe_cells import DELIMITERS, unprotected

MAX_CELLS = 200_000  # of a CSV file, empty ones too
_SAMPLE = 100  # lines by which it is told what parts the cells
_SEP = re.compile(r"(?P<mark>\ufeff?)sep=(?P<sign>.)[^\r\n]*(?:\r\n|\r|\n|$)", re.IGNORECASE)
_DECIMAL = re.compile(r"(?<=\d),(?=\d)")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def open_sheets(path: Path) -> Sheets:
    """Open a CSV file or a book of sheets (.xlsx). SetupError for a file that cannot be read."""
    if path.suffix.lower() == ".xlsx":
        from interpreter.tools.spreadsheets.workbooks import open_book

        return open_book(path)
    return Sheets(path.name, ("",), lambda _title: _read_csv(path))


def _read_csv(path: Path) -> CellGrid:
    data = read_bytes(path)
    foreign, encoding = recognise(data), encoding_of(data)
    if foreign is not None:
        raise SetupError("{file} is {what}, not a CSV file", file=path, what=foreign.what)
    if encoding:
        raise SetupError("{file} is {encoding} text; save it as `CSV UTF-8`, or as .xlsx", file=path, encoding=encoding)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SetupError("{file} is not UTF-8 text; save it as `CSV UTF-8`, or as .xlsx", file=path) from None
    if "\0" in text:
        raise SetupError("{file} is not a text file; the name of a spreadsheet must end in .xlsx", file=path)
    source = Source(path.name, text)
    stated = _SEP.match(text)
    begin = stated.end() if stated else 0
    sign = stated["sign"] if stated else _delimiter(text)
    return checked_grid(path.name, _csv_rows(source, sign, begin), has_decimal_commas=sign != ",")


def _delimiter(text: str) -> str:
    """Detect the delimiter: the character that occurs in most lines, the same number of times in each.

    A comma that occurs only between digits yields to an equally good candidate: it is a decimal comma.
    """
    lines = [line for line in _QUOTED.sub('""', text).splitlines()[:_SAMPLE] if line.strip(" ,;\t")]
    scores = {sign: _evenness(lines, sign) for sign in DELIMITERS.values()}
    most = max(scores.values())
    best = [sign for sign, score in scores.items() if score == most and most]
    if best[:1] == [","] and len(best) > 1 and not any("," in _DECIMAL.sub("", line) for line in lines):
        return best[1]
    return best[0] if best else ","


def _evenness(lines: Sequence[str], sign: str) -> int:
    """Return the number of lines in which a character occurs as often as in most."""
    counts = [line.count(sign) for line in lines if sign in line]
    return max((counts.count(count) for count in counts), default=0)


def _csv_rows(source: Source, parted: str, begin: int) -> list[list[SheetCell]]:
    """Yield rows of cells with their spans; a quoted cell may contain line ends and doubled quotes."""
    text, at, rows, number = source.text, begin, list[list[SheetCell]](), 0
    row: list[SheetCell] = []
    while at <= len(text):
        quoted = _QUOTED.match(text, at)
        end = quoted.end() if quoted else at
        while end < len(text) and text[end] != parted and text[end] not in "\r\n":
            end += 1
        written = text[at:end].strip()
        if quoted:
            written = quoted[0][1:-1].replace('""', '"').strip() + text[quoted.end() : end].strip()
        number += 1
        if number > MAX_CELLS:
            raise SetupError("{file} has more than {most} cells", file=source.name, most=MAX_CELLS)
        row.append(SheetCell(unprotected(written), Span(source, at, max(end, at + 1))))
        if end >= len(text) or text[end] in "\r\n":
            rows.append(row)
            row = []
            end += text[end : end + 2] == "\r\n"
        at = end + 1
    return rows
