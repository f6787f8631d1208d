"""Charts as lines of text in their printed layout.

Returns lines; the caller prints them.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.diagnostics.terminal_text import escape_text, measure_cells
from interpreter.i18n.translator import ENGLISH, Translator, mark as _
from interpreter.play.lines import Line, TextLine
from interpreter.tools.describe.chart_view import AxisView, ChartSheet, ChartView

_MAX_WIDTH = 100  # width in cells up to which a chart is laid out across
SOURCES = {"reconstructed": _("reconstructed"), "inferred": _("inferred")}
_ROUNDED = {"for_defender": _("for the defender"), "down": _("down"), "up": _("up"), "near": _("to the nearest")}


def format_chart(view: ChartView, say: Translator = ENGLISH) -> list[TextLine]:
    """Format a chart with its title, source and notes; `say` translates the interface's words.

    Marked cells are in brackets, and so are the names of their rows and columns.
    """
    title = view.label if view.label and view.label != view.id else ""
    head = say("{id}: {title}", id=view.id, title=title) if title else view.id
    lines: list[TextLine] = [Line(head, view.cites)]
    lines += format_source(view.source, view.note, say)
    lines += _lay_out_chart(view, say)
    lines += [f"  {sign}: {words}" for sign, words in view.signs]
    for axis in view.axes:
        lines += format_axis_notes(axis, say)
    return lines


def describe_source(source: str, note: str, say: Translator) -> str:
    """Return a sentence on the source of a datum that was not printed, or on its note; '' if there is neither.

    `source`: "reconstructed" or "inferred", anything else counts as printed; `note`: the author's remark, or ''.
    """
    if source not in SOURCES:
        return say("note: {note}", note=note) if note else ""
    text = say(SOURCES[source])
    if note:
        return say("{source}: {note}", source=text, note=note)
    return say("{source} by the authors of this ruleset; the printed game may differ", source=text)


def format_source(source: str, note: str, say: Translator) -> list[str]:
    """Return one indented line on the source or note of a datum; [] if it was printed and has no note."""
    text = describe_source(source, note, say)
    return ["  " + text] if text else []


def align_rows(rows: Sequence[Sequence[str]], right_from: int = 1) -> list[str]:
    """Pad the cells of each row with blanks so that columns are aligned; return one line for each row.

    `right_from`: the index of the first column that is right-aligned.
    """
    safe = [[escape_text(cell) for cell in row] for row in rows]
    widths = [max(measure_cells(row[n]) for row in safe) for n in range(len(safe[0]))] if safe else []
    lines = []
    for row in safe:
        cells = [
            (" " * (w - measure_cells(c)) + c) if n >= right_from else (c + " " * (w - measure_cells(c)))
            for n, (c, w) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _lay_out_chart(view: ChartView, say: Translator) -> list[TextLine]:
    """Lay out a chart with its last axis across if its lines stay short, else with one line for each cell.

    Across, each combination of rows of the leading axes gets a sheet, which shows the last two axes.
    """
    if view.columns:
        return _indent(_lay_out_down(view, view.columns, 0))
    lines: list[TextLine] = []
    for sheet in view.iter_sheets():
        across = _lay_out_across(view, sheet, say)
        if sheet.row_numbers:
            lines.append(Line(", ".join(view.list_row_titles(sheet.row_numbers)), kind="section", level=1))
        lines += _indent(across, 2 if sheet.row_numbers else 1)
    if max((measure_cells(str(line)) for line in lines), default=0) <= _MAX_WIDTH + 2:
        return lines
    return _indent(_lay_out_down(view, [say("result")], 1))


def _indent(rows: Sequence[str], level: int = 1) -> list[TextLine]:
    return [Line(row, kind="row", level=level) for row in rows]


def _mark_text(text: str, is_lit: bool) -> str:
    return f"[{text}]" if is_lit else text


def _lay_out_across(view: ChartView, sheet: ChartSheet, say: Translator) -> list[str]:
    """Lay out a sheet as a grid: rows of the last axis across, rows of the axis before it, if any, downwards.

    Marked cells are in brackets, and so are the names of their rows and columns unless all of them are marked.
    """
    down, last = view.down, view.across
    lit = [(r, c) for r, c in sheet.lit if sheet.cells[r][c] is not None]
    rows_lit, columns_lit = ({spot[n] for spot in lit} for n in (0, 1))
    if down is not None and len(rows_lit) == len(down.rows):
        rows_lit = set()
    if len(columns_lit) == len(last.rows):
        columns_lit = set()
    across = [_mark_text(row, n in columns_lit) for n, row in enumerate(last.rows)]
    rows = [[last.name if down is None else down.name, *across]]
    for r, cells in enumerate(sheet.cells):
        name = "" if down is None else _mark_text(down.rows[r], r in rows_lit)
        rows.append(
            [name, *("-" if x is None else _mark_text(x.text, (r, c) in sheet.lit) for c, x in enumerate(cells))]
        )
    lines = align_rows(rows)
    return lines if down is None else [say("across: {axis}", axis=last.name), *lines]


def _lay_out_down(view: ChartView, columns: Sequence[str], left: int) -> list[str]:
    """Lay out one line for each filled cell: the titles of its rows, then its values under the headings `columns`.

    The columns of the axes and the first `left` of the values are left-aligned, the remaining ones right-aligned.
    """
    rows = [[*(a.name for a in view.axes), *columns]]
    for place, cell in view.iter_filled_cells():
        parts = cell.columns or (cell.text,)
        rows.append([*view.list_row_titles(place), *(_mark_text(part, place in view.lit) for part in parts)])
    return align_rows(rows, len(view.axes) + left)


def format_axis_notes(axis: AxisView, say: Translator) -> list[str]:
    """Format the effects beyond the ends of an axis and the rounding of ratios, as indented lines."""
    lines = []
    for end, where in (
        (axis.below, say("{axis} below the rows", axis=axis.name)),
        (axis.above, say("{axis} above the rows", axis=axis.name)),
    ):
        if end.is_clamped:
            lines.append("  " + say("{where}: the nearest row is used", where=where))
        elif end.result is not None:
            lines.append("  " + say("{where}: {result}", where=where, result=end.result))
    if axis.rounding:
        text = say("{axis}: ratios are rounded {how}", axis=axis.name, how=say(_ROUNDED[axis.rounding]))
        lines.append("  " + text)
    return lines
