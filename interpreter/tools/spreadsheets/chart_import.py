"""Import of a chart from a spreadsheet, compared with the ruleset: errors by cell, and the changes it would make.

Reads CSV in its many dialects, and workbooks. Cells that the file does not contain keep their values. Writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from interpreter.diagnostics.diagnostic import Diagnostic, RulesetError, Sink
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.suggestions import suggest_words
from interpreter.documents.building.ruleset_builder import rebuild_tables
from interpreter.documents.reading.chart_text import CHARTS, ChartShape, build_cells_tree, find_chart_shape
from interpreter.documents.reading.tree import MappingEntry, MappingNode, ScalarNode
from interpreter.files.foreign_files import detect_encoding, identify_foreign_file
from interpreter.i18n.translator import ENGLISH, Translator, mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Ruleset, Table
from interpreter.runtime.errors import SetupError
from interpreter.tools.describe.ruleset_names import add_names
from interpreter.tools.diff.chart_changes import iter_chart_changes
from interpreter.tools.diff.comparison import RulesetSnapshot
from interpreter.tools.diff.difference import Difference
from interpreter.tools.spreadsheets.chart_grids import RESULT, format_cell
from interpreter.tools.spreadsheets.grids import CellGrid, Row, SheetCell, Sheets, build_grid, read_bytes
from interpreter.tools.spreadsheets.locating import Headings, LocatedChart, choose_column_lookup, find_column, locate
from interpreter.tools.spreadsheets.safe_cells import DELIMITERS, unescape_formula
from interpreter.tools.spreadsheets.typed_dates import TypedDate, parse_date, parse_odds_time

_PAIR = re.compile(r"\d{1,2}[-/.]\d{1,2}")  # what spreadsheets make dates of
_ODDS = re.compile(r"\d{1,3}:\d")  # what they make times of
_FLAGS = {
    "true": "true wahr vrai verdadero vero verdadeiro waar prawda sant sann истина pravda".split(),
    "false": "false falsch faux falso falso falso onwaar falsz fałsz falskt usann ложь nepravda".split(),
}
Index = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Result of an import: the ruleset with the new chart, and the differences in words.

    `section`: the kind of document that has the chart; `removals` are the differences that empty a cell; `skipped` the
    texts around the chart that were not read.
    """

    snapshot: RulesetSnapshot
    ruleset: Ruleset
    section: str
    name: str
    differences: tuple[Difference, ...]
    removals: tuple[Difference, ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def table(self) -> Table:
        """Return the imported chart."""
        return self.ruleset.tables[self.name]


def read_chart(
    snapshot: RulesetSnapshot, name: str, path: Path, lang: str = "", say: Translator = ENGLISH, sheet: str = ""
) -> ImportResult:
    """Read the chart `name` from a file, matched to the axes of the chart that it replaces.

    `sheet`: the title of the sheet in a workbook, '' to find it. Raises SetupError for an unknown chart or unreadable
    file, and RulesetError with every fault at its cell.
    """
    section, chart, table = find_chart(snapshot, name)
    shape = find_chart_shape(name, chart.value) if isinstance(chart.value, MappingNode) else None
    if shape is None:
        raise SetupError("the chart `{name}` has no readable axes", name=name)
    sheets = open_sheets(path)
    headings = tuple(map(Headings, table.axes))
    grid = _find_sheet(sheets, sheet, table, headings, shape)
    if not grid.rows:
        raise SetupError("{file} contains no cells", file=path)
    located = locate(grid, headings, shape, name)
    reading = _ChartReader(table, headings, shape, snapshot.ruleset, grid.has_decimal_commas)
    rows = reading.spell_as_chart(located)
    sheet_span = grid.rows[0][0].span
    cells = (
        MappingNode({}, sheet_span)
        if reading.sink.has_errors
        else build_cells_tree(rows, shape, sheet_span, reading.sink)
    )
    if reading.sink.has_errors:
        raise RulesetError(reading.sink.list_sorted())
    ruleset = _restore_missing_cells(
        _rebuild_ruleset(snapshot, section, name, cells, sheet_span), snapshot, name, reading
    )
    named = add_names(say, ruleset, lang)
    changes = tuple(
        d for d in iter_chart_changes(snapshot.ruleset, ruleset, named, lang) if d.path.startswith(f"{name}.")
    )
    removals = tuple(d for d in changes if d.was is not None and d.now is None)
    passed = tuple(next(cell.text for cell in row if cell.text) for row in located.skipped if any(c.text for c in row))
    return ImportResult(snapshot, ruleset, section, name, changes, removals, passed)


def find_chart(snapshot: RulesetSnapshot, name: str) -> tuple[str, MappingEntry, Table]:
    """Return the section, the entry and the table of a chart.

    Raises SetupError for an unknown chart, RulesetError if the chart's own entry has errors.
    """
    table = snapshot.ruleset.tables.get(name)
    if table is None:
        hint = suggest_words(name, snapshot.ruleset.tables, all_of_them=True)
        raise SetupError("unknown chart `{name}`{hint}", name=name, hint=hint)
    section = next(s for s, key in CHARTS.items() if name in snapshot.trees.kinds[s].get_mapping(key))
    chart = snapshot.trees.kinds[section].get_mapping(CHARTS[section]).entries[name]
    head = [entry for entry in chart.value if entry.key.text != "cells"] if isinstance(chart.value, MappingNode) else []
    faults = [d for d in snapshot.faults if d.severity == "error" and any(_is_within(d.span, entry) for entry in head)]
    if faults:
        raise RulesetError(tuple(faults))
    if table.unreadable or isinstance(table.type, t.NeverType):
        raise SetupError("cannot read the chart `{name}`; see `grognard check`", name=name)
    return section, chart, table


def _is_within(span: Span, entry: MappingEntry) -> bool:
    entry_span = entry.key.span
    end = max(entry_span.end, entry.value.span.end if entry.value.span.source is entry_span.source else 0)
    return span.source.name == entry_span.source.name and entry_span.start <= span.start <= end


def _find_sheet(
    sheets: Sheets, requested: str, table: Table, headings: Sequence[Headings], shape: ChartShape
) -> CellGrid:
    """Return the sheet named `requested`, else the one with the chart's name, else the first with its headings.

    Return any filled sheet if no sheet has the headings. Raises SetupError if the sheet `requested` does not exist.
    """
    titles = {title.casefold(): title for title in sheets.titles}
    if requested:
        if sheets.titles == ("",):
            raise SetupError("{file} has no sheets; --sheet needs a file that ends in .xlsx", file=sheets.file)
        if requested.casefold() not in titles:
            hint = suggest_words(requested, sheets.titles, all_of_them=True)
            raise SetupError("{file} has no sheet `{name}`{hint}", file=sheets.file, name=requested, hint=hint)
        return sheets.read(titles[requested.casefold()])
    called = [table.id, *table.label.values()]
    named = [titles[name] for word in called if (name := word.casefold()[:31]) in titles]
    grids = [sheets.read(title) for title in (named[:1] or sheets.titles)]
    filled = [grid for grid in grids if grid.rows]
    fitting = [grid for grid in filled if _has_headings(grid, headings, shape)] if len(filled) > 1 else filled
    return next(iter(fitting or filled or grids))


def _has_headings(grid: CellGrid, headings: Sequence[Headings], shape: ChartShape) -> bool:
    """Return True if a grid contains all headings along the top of the chart, anywhere."""
    across, number = choose_column_lookup(headings, shape)
    return len({name for row in grid.rows for cell in row if (name := across(cell)) is not None}) == number


def _rebuild_ruleset(
    snapshot: RulesetSnapshot, section: str, name: str, cells: MappingNode, sheet_span: Span
) -> Ruleset:
    """Return the ruleset with other cells in the chart `name`. Raises RulesetError if they are invalid.

    `section`: the kind of document that has the chart; `cells`: the new cells; `sheet_span`: the imported file's span,
    for errors located elsewhere.
    """
    sink, kinds = Sink(), snapshot.trees.kinds
    tree = kinds[section].copy_with_value((CHARTS[section], name, "cells"), cells)
    ruleset = rebuild_tables(snapshot.ruleset, replace(snapshot.trees, kinds={**kinds, section: tree}), sink)
    known = {(d.code, d.message, d.span) for d in snapshot.faults}
    faults = [d for d in sink.list_errors() if (d.code, d.message, d.span) not in known]
    if faults:
        raise RulesetError(tuple(_place_in_file(d, sheet_span) for d in faults))
    return ruleset


def _place_in_file(diagnostic: Diagnostic, sheet_span: Span) -> Diagnostic:
    """Return a diagnostic placed in the imported file, at `sheet_span` if it is located in another file."""
    is_own = diagnostic.span.source.name == sheet_span.source.name or "!" in diagnostic.span.source.name
    return diagnostic if is_own else replace(diagnostic, span=sheet_span)


def _restore_missing_cells(ruleset: Ruleset, snapshot: RulesetSnapshot, name: str, reading: _ChartReader) -> Ruleset:
    """Return the ruleset with the old value of each cell of the chart `name` that the imported file does not contain.

    `reading`: knows which cells the file contains. Raises SetupError if it contains none.
    """
    old, new = snapshot.ruleset.tables[name], ruleset.tables[name]
    if not reading.read_cells:
        raise SetupError("the file has no cell of the chart `{name}`", name=name)
    columns = list(ruleset.records[new.type.id].fields) if isinstance(new.type, t.RecordType) else []
    cells: dict[Index, Any] = (
        {index: value for index, value in old.cells.items() if not reading.has_cell(index)} if new.blanks else {}
    )
    for index, value in new.cells.items():
        if columns and index in old.cells:
            old_value = old.cells[index]
            value = tuple(
                now if (index, column) in reading.read_cells else was
                for column, was, now in zip(columns, old_value, value, strict=True)
            )
        cells[index] = value
    spans = {**old.cell_spans, **new.cell_spans}
    table = replace(new, cells=dict(sorted(cells.items())), cell_spans=spans)
    return replace(ruleset, tables={**ruleset.tables, name: table})


# --- headings and cells in the chart's spelling ------------------------------------------------


class _ChartReader:
    """A reader of a chart's cells, which spells them as the chart does.

    `sink`: the errors found; `given`: the cells that the file contains, as (row numbers, column); `old`: the texts of
    the chart's present cells.
    """

    def __init__(
        self,
        table: Table,
        headings: Sequence[Headings],
        shape: ChartShape,
        ruleset: Ruleset,
        has_decimal_commas: bool,
    ) -> None:
        self.table, self.headings, self.shape = table, headings, shape
        self.sink = Sink()
        self.read_cells: set[tuple[Index, str]] = set()  # by rows and column, '' where a cell has no columns
        self.has_decimal_commas = has_decimal_commas
        records = ruleset.records[table.type.id].fields if isinstance(table.type, t.RecordType) else {}
        self.types: dict[str, t.Type] = dict(records)
        self.old = {index: format_cell(table, index, ruleset) for index in table.cells} if not table.signs else {}
        texts = [text for row in self.old.values() for text in row]
        self.holds_pairs = any(_PAIR.fullmatch(text) for text in texts)
        self.holds_odds = any(_ODDS.fullmatch(text) for text in texts)

    def has_cell(self, index: Index) -> bool:
        """Return True if the file contains the cell at these row numbers, or one of its columns."""
        return any((index, column) in self.read_cells for column in self.types or ("",))

    def spell_as_chart(self, located: LocatedChart) -> list[list[ScalarNode]]:
        """Return the rows of the file with the chart's own names for rows and columns; report dates and formulas."""
        if located.is_sideways:
            self._report_sideways(located.rows[0])
            return []
        if self.shape.heads == 0:
            return self._spell_one_axis(located.rows)
        heads = self.shape.heads
        head, body = located.rows[0], located.rows[1:]
        names = [self._read_column_heading(cell) for cell in head[heads:]]
        if len(head) < heads + 1:
            return [[cell.scalar for cell in row] for row in located.rows]  # reported when the tree is built
        self._report_unheaded(head[heads:], [row[heads:] for row in body])
        rows = [[*(cell.scalar for cell in head[:heads]), *names]]
        above: Row = ()
        for row in body:
            above = self._fill_down(row[:heads], above)
            labels = [self._read_heading(cell, known) for cell, known in zip(above, self.headings, strict=False)]
            texts = [label.text for label in labels]
            cells = [self._read_cell(cell, texts, name.text) for cell, name in zip(row[heads:], names, strict=True)]
            rows.append([*labels, *cells])
        return rows

    def _fill_down(self, heads: Row, previous_heads: Row) -> Row:
        """Return the headings of a row with empty ones taken from `previous_heads`; an empty last one is reported."""
        filled = [cell if cell.is_filled else old for cell, old in zip(heads, previous_heads or heads, strict=True)]
        if not heads[-1].is_filled:
            text, cure = _("the cells of this row have no heading"), _("write one before them, or empty the row")
            self.sink.add_error("unknown-row", text, heads[-1].span, help=cure)
        return (*filled[:-1], heads[-1])

    def _record_cell(self, labels: Sequence[str], across: str, cell: SheetCell) -> str:
        """Record that the file contains a cell; return the text that the old chart has there, or "".

        `labels`: the labels of the cell's rows; `across`: the label of its column.
        """
        names = labels if self.shape.columns or len(labels) == len(self.table.axes) else [*labels, across]
        column = across if self.shape.columns else ""
        axes = self.table.axes
        if any(name not in axis.labels for name, axis in zip(names, axes, strict=False)) or len(names) != len(axes):
            return ""
        index = tuple(axis.labels.index(name) for name, axis in zip(names, axes, strict=True))
        if cell.is_given:
            self.read_cells.add((index, column))
        texts = self.old.get(index, [])
        number = list(self.types).index(column) if column in self.types else 0
        return texts[number] if number < len(texts) else ""

    def _read_column_heading(self, cell: SheetCell) -> ScalarNode:
        """Return a column heading as a scalar."""
        if not self.shape.columns:
            return self._read_heading(cell, self.headings[-1])
        name = find_column(cell, self.shape) or cell.text
        return ScalarNode(name, name, cell.span)

    def _read_heading(self, cell: SheetCell, known: Headings) -> ScalarNode:
        """Return the heading in a cell as the chart spells it; report one that a spreadsheet has turned into a date.

        `known`: the headings of the axis.
        """
        self._report_formula(cell)
        label = known.find_label(cell.text)
        if label is None:
            typed_date = cell.date or parse_date(cell.text)
            if typed_date is not None:
                report_date(typed_date, cell.span, self.sink)
        text = cell.text if label is None else label
        return ScalarNode(text, text, cell.span)

    def _report_unheaded(self, heads: Row, rows: Sequence[Row]) -> None:
        """Report the cells in `rows` under an empty cell of `heads`, the row of headings."""
        for n, head in enumerate(heads):
            cell = next((row[n] for row in rows if row[n].text), None)
            if cell is not None and not head.is_filled:
                text = _("the cells of this column have no heading")
                self.sink.add_error("unknown-row", text, cell.span, help=_("write one above them, or empty the column"))

    def _report_sideways(self, row: Row) -> None:
        along, down = self.table.axes[-1].name, self.table.axes[0].name
        if self.shape.columns:
            along = ", ".join(self.shape.columns[:4])
        self.sink.add_error(
            "unknown-row",
            _(
                "the chart is transposed: `{down}` is along the top, and `{along}` down the left",
                down=down,
                along=along,
            ),
            row[0].span,
            help=_("copy it in the spreadsheet and paste it transposed (Paste Special, Transpose)"),
        )

    def _spell_one_axis(self, rows: Sequence[Row]) -> list[list[ScalarNode]]:
        """Return the rows of a chart with one axis, laid out in two rows or two columns, with or without titles."""
        axis, known = self.table.axes[0], self.headings[0]
        if len(rows) == 2 and len(rows[0]) > 2:
            titled = known.find_label(rows[0][0].text) is None
            head = [self._read_heading(cell, known) for cell in rows[0][titled:]]
            cells = [self._read_cell(cell, [name.text], "") for name, cell in zip(head, rows[1][titled:], strict=True)]
            if not titled:
                return [head, cells]
            named = ScalarNode(axis.name, axis.name, rows[0][0].span)
            return [[named, *head], [rows[1][0].scalar, *cells]]
        if any(len(row) != 2 for row in rows):
            return [[cell.scalar for cell in row] for row in rows]  # reported when the tree is built
        first = rows[0]
        titled = known.find_label(first[0].text) is None and first[1].text.casefold() in (
            RESULT,
            axis.name,
            self.table.id,
        )
        titled = titled or first[0].text.casefold() == axis.name.casefold()
        labels = []
        for row in rows[titled:]:
            name = self._read_heading(row[0], known)
            labels.append([name, self._read_cell(row[1], [name.text], "")])
        return labels

    def _read_cell(self, cell: SheetCell, labels: Sequence[str], across: str) -> ScalarNode:
        """Return a cell as its type parses it: localized flags and decimals converted, other text unchanged.

        `labels`: the labels of the cell's rows; `across`: the label of its column. Reports formulas and dates.
        """
        old_text = self._record_cell(labels, across, cell)
        value_type = self._get_column_type(across)
        self._report_formula(cell)
        if (typed_date := self._find_date(cell, value_type, old_text)) is not None:
            report_date(typed_date, cell.span, self.sink)
            return ScalarNode(None, "", cell.span)
        text = cell.text
        if isinstance(value_type, t.TextType) and text:
            return ScalarNode(text, text, cell.span)
        if isinstance(value_type, t.FlagType):
            text = next((flag for flag, words in _FLAGS.items() if text.casefold() in words), text)
        if isinstance(value_type, t.NumberType) and self.has_decimal_commas and re.fullmatch(r"-?\d+,\d+", text):
            text = text.replace(",", ".")
        return replace(cell, text=text).scalar

    def _find_date(self, cell: SheetCell, value_type: t.Type, old_text: str) -> TypedDate | None:
        """Return the date or time into which a spreadsheet has turned a cell, or None if the cell is as typed.

        A text that looks like a date counts as one if the chart holds pairs of numbers. `value_type`: the type of the
        cell; `old_text`: the text that the old chart has there.
        """
        if cell.date is not None:
            return cell.date
        if not cell.text or cell.text == old_text:
            return None
        is_text = isinstance(value_type, t.TextType)
        date, odds = parse_date(cell.text), parse_odds_time(cell.text)
        if date is not None and (not is_text or self.holds_pairs):
            return date
        if odds and (not is_text or self.holds_odds):
            return TypedDate(cell.text, (odds.replace(":", "-"), odds))
        return None

    def _get_column_type(self, column: str) -> t.Type:
        kind = self.types.get(column, self.table.type)
        return kind.item if isinstance(kind, t.MaybeType) else kind

    def _report_formula(self, cell: SheetCell) -> None:
        if cell.formula:
            text = _("this cell contains a formula, not a value: {text}", text=cell.formula)
            cure = _("copy the cell, then Paste Special, Values")
            self.sink.add_error("formula-cell", text, cell.span, help=cure)


def report_date(typed_date: TypedDate, span: Span, sink: Sink) -> None:
    """Report a typed text that a spreadsheet has turned into a date or time; the original text is not guessed.

    `typed_date`: the date; `span`: the location of the cell.
    """
    if ":" in typed_date.text and len(typed_date.text) < 12:
        text = _(
            "this cell contains the time {time}; spreadsheets convert odds such as 1:3 to times", time=typed_date.text
        )
    elif len(typed_date.typed) > 1:
        text = _(
            "this cell contains the date {date}: you probably typed {one} or {other}",
            date=typed_date.text,
            one=typed_date.typed[0],
            other=typed_date.typed[1],
        )
    else:
        text = _(
            "this cell contains the date {date}: you probably typed {one}",
            date=typed_date.text,
            one=typed_date.typed[0],
        )
    cure = _("format the cell as Text, then type it again; odds can be written as `1:2`, bands as `2..5`")
    sink.add_error("date-cell", text, span, help=cure)


def list_changed_cells(old: Table, new: Table) -> Sequence[Index]:
    """Return the positions, as row numbers by axis, of the cells that differ."""
    return [index for index in sorted({*old.cells, *new.cells}) if old.cells.get(index) != new.cells.get(index)]


MAX_CELLS = 200_000  # of a CSV file, empty ones too
_SAMPLE = 100  # lines from which the delimiter is detected
_SEP = re.compile(r"(?P<mark>\ufeff?)sep=(?P<sign>.)[^\r\n]*(?:\r\n|\r|\n|$)", re.IGNORECASE)
_DECIMAL = re.compile(r"(?<=\d),(?=\d)")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def open_sheets(path: Path) -> Sheets:
    """Open a CSV file or a workbook (.xlsx). Raises SetupError for a file that cannot be read."""
    if path.suffix.lower() == ".xlsx":
        from interpreter.tools.spreadsheets.workbooks import open_book

        return open_book(path)
    return Sheets(path.name, ("",), lambda _title: _read_csv(path))


def _read_csv(path: Path) -> CellGrid:
    data = read_bytes(path)
    foreign, encoding = identify_foreign_file(data), detect_encoding(data)
    if foreign is not None:
        raise SetupError("{file} is {what}, not a CSV file", file=path, what=foreign.description)
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
    sign = stated["sign"] if stated else _detect_delimiter(text)
    return build_grid(path.name, _read_csv_rows(source, sign, begin), has_decimal_commas=sign != ",")


def _detect_delimiter(text: str) -> str:
    """Detect the delimiter: the character that occurs in most lines, the same number of times in each.

    A comma that occurs only between digits yields to an equally good candidate: it is a decimal comma.
    """
    lines = [line for line in _QUOTED.sub('""', text).splitlines()[:_SAMPLE] if line.strip(" ,;\t")]
    scores = {sign: _count_even_lines(lines, sign) for sign in DELIMITERS.values()}
    most = max(scores.values())
    best = [sign for sign, score in scores.items() if score == most and most]
    if best[:1] == [","] and len(best) > 1 and not any("," in _DECIMAL.sub("", line) for line in lines):
        return best[1]
    return best[0] if best else ","


def _count_even_lines(lines: Sequence[str], sign: str) -> int:
    """Return the number of lines in which the character `sign` occurs as often as in most lines."""
    counts = [line.count(sign) for line in lines if sign in line]
    return max((counts.count(count) for count in counts), default=0)


def _read_csv_rows(source: Source, parted: str, begin: int) -> list[list[SheetCell]]:
    """Return rows of cells with their spans from a CSV file; a quoted cell may contain line ends and doubled quotes.

    `parted`: the delimiter; `begin`: the offset of the first row.
    """
    text, offset, rows, number = source.text, begin, list[list[SheetCell]](), 0
    row: list[SheetCell] = []
    while offset <= len(text):
        quoted = _QUOTED.match(text, offset)
        end = quoted.end() if quoted else offset
        while end < len(text) and text[end] != parted and text[end] not in "\r\n":
            end += 1
        written = text[offset:end].strip()
        if quoted:
            written = quoted[0][1:-1].replace('""', '"').strip() + text[quoted.end() : end].strip()
        number += 1
        if number > MAX_CELLS:
            raise SetupError("{file} has more than {most} cells", file=source.name, most=MAX_CELLS)
        row.append(SheetCell(unescape_formula(written), Span(source, offset, max(end, offset + 1))))
        if end >= len(text) or text[end] in "\r\n":
            rows.append(row)
            row = []
            end += text[end : end + 2] == "\r\n"
        offset = end + 1
    return rows
