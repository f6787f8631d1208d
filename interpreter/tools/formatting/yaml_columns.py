"""Align the columns of charts and values, and normalize the spaces in brackets.

Brackets get one space after each comma and colon, and none inside the brackets. Changes only spaces, never line
breaks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.documents.reading.tree import MappingEntry, MappingNode, Node, SequenceNode
from interpreter.tools.formatting.yaml_document import MAX_CELLS, Edit, YamlDocument

_CHART = "cells"


def align_columns(page: YamlDocument) -> list[Edit]:
    """Return edits that align the cells of charts, and sibling values at the column where most of them begin."""
    edits: list[Edit] = []
    _align_node(page, page.root, False, edits)
    return edits


def _align_node(page: YamlDocument, node: Node, in_chart: bool, edits: list[Edit]) -> None:
    if page.is_flow(node):
        return
    if isinstance(node, MappingNode):
        rows = [e.value for e in node]
        if in_chart and len(rows) > 1 and all(page.is_flow(v) and page.is_one_line(v) for v in rows):
            _align_chart(page, list(node), edits)
            return
        _align_values(page, list(node), edits)
        for entry in node:
            _align_node(page, entry.value, in_chart or entry.key.text == _CHART, edits)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            _align_node(page, item, in_chart, edits)


def _align_chart(page: YamlDocument, rows: Sequence[MappingEntry], edits: list[Edit]) -> None:
    """Add to `edits` the edits that align the heads and cells of a chart whose rows are one line each.

    A comment above that heads the columns is aligned with them. A chart that would become too wide stays as it is.
    """
    if any(page.find_line(r.key.span.start) != page.find_line(r.value.span.start) for r in rows):
        return
    column = max(page.find_column(r.key.span.end) for r in rows) + 2
    cells = [_list_row_cells(page, r.value) for r in rows]
    widths = _compute_widths(cells)
    chart_edits: list[Edit] = []
    for row, row_cells in zip(rows, cells, strict=True):
        chart_edits.append(
            (row.key.span.end, row.value.span.start, ":".ljust(column - page.find_column(row.key.span.end)))
        )
        for n, ((_, end, text), (start, _end, _text)) in enumerate(pairwise(row_cells)):
            pad = widths[n] - measure_cells(text) if n < len(widths) else 0
            chart_edits.append((end, start, ", " + " " * pad))
    if column + 2 + sum(w + 2 for w in widths) <= MAX_CELLS:
        edits += [e for e in chart_edits if page.text[e[0] : e[1]] != e[2]]
        _align_headings(page, rows[0], column, widths, edits)


def _list_row_cells(page: YamlDocument, node: Node) -> list[tuple[int, int, str]]:
    """Return (start, end, text) for each cell of a row."""
    return [(start, end, page.text[start:end]) for start, end in page.list_part_spans(node)]


def _compute_widths(rows: Sequence[Sequence[tuple[int, int, str]]]) -> list[int]:
    """Return the width of each leading column whose cells have the same key in all rows: the width of its widest cell.

    `rows`: (start, end, text) of each cell by row.
    """
    longest = max(rows, key=len)
    widths: list[int] = []
    for n, (_, _, text) in enumerate(longest):
        head = _get_cell_key(text)
        column = [row[n][2] for row in rows if len(row) > n]
        if any(_get_cell_key(cell) != head for cell in column):
            break
        widths.append(max(measure_cells(cell) for cell in column))
    return widths


def _get_cell_key(cell: str) -> str:
    """Return the key of a cell, or '' for a list item."""
    head, parted, _ = cell.partition(": ")
    return head if parted and '"' not in head else ""


def _align_headings(
    page: YamlDocument, entry: MappingEntry, column: int, widths: Sequence[int], edits: list[Edit]
) -> None:
    """Add to `edits` an edit that aligns a comment above the first row with the columns.

    The comment must have one word for each column. `column`: where the rows' values begin; `widths`: the widths of the
    columns in cells.
    """
    line = page.find_line(entry.key.span.start) - 1
    text = page.split_lines()[line] if line >= 0 else ""
    words = text.strip().lstrip("#").split()
    if not text.strip().startswith("#") or len(words) != len(widths) or len(words) < 2:
        return
    aligned = " " * (len(text) - len(text.lstrip())) + "#"
    at = column + 1
    for word, width in zip(words, widths, strict=True):
        aligned = aligned.ljust(at) if len(aligned) < at else aligned + " "
        aligned += word
        at += width + 2
    if aligned != text:
        edits.append((page.start_of(line), page.start_of(line) + len(text), aligned))


def _align_values(page: YamlDocument, entries: Sequence[MappingEntry], edits: list[Edit]) -> None:
    """Add to `edits` the edits that align the values of consecutive lines if the author has aligned some of them.

    In all other lines one blank follows the colon.
    """
    spaced_entries = [e for e in entries if _get_gap_after_key(page, e) is not None]
    everywhere = _choose_column(page, spaced_entries)
    for run in _split_runs(page, spaced_entries):
        alone = _choose_column(page, run)
        column = alone if alone and alone[1] > 1 else everywhere
        aligned_here, everyone = (
            sum(page.find_column(e.value.span.start) == column[0] for e in group) if column else 0
            for group in (run, spaced_entries)
        )
        is_aligned = aligned_here > 0 and everyone > 1
        for entry in run:
            room = column[0] - page.find_column(entry.key.span.end) if column and is_aligned else 0
            gap, new = _get_gap_after_key(page, entry), ":".ljust(room) if room > 1 else ": "
            if gap != new and not (len(run) == 1 and _is_aligned_with_comments(page, entry, entries)):
                edits.append((entry.key.span.end, entry.value.span.start, new))


def _choose_column(page: YamlDocument, entries: Sequence[MappingEntry]) -> tuple[int, int] | None:
    """Return (column, number of values) for the column at which most values padded with blanks begin, or None."""
    wide = Counter(page.find_column(e.value.span.start) for e in entries if len(_get_gap_after_key(page, e) or "") > 2)
    most = max(wide.values(), default=0)
    return (min(c for c, number in wide.items() if number == most), most) if wide else None


def _split_runs(page: YamlDocument, entries: Sequence[MappingEntry]) -> list[list[MappingEntry]]:
    """Return the entries in runs: entries on consecutive lines; comments between them do not end a run."""
    lines = page.split_lines()
    runs: list[list[MappingEntry]] = []
    for entry in entries:
        line = page.find_line(entry.key.span.start)
        while line and lines[line - 1].lstrip().startswith("#"):
            line -= 1
        previous = runs[-1][-1] if runs else None
        if previous is not None and page.find_line(previous.key.span.start) == line - 1:
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return runs


def _is_aligned_with_comments(page: YamlDocument, entry: MappingEntry, entries: Sequence[MappingEntry]) -> bool:
    """Return True if the value of `entry` begins at the column of a comment behind a sibling's key."""
    column = page.find_column(entry.value.span.start)
    lines = page.split_lines()
    return any(
        "#" in lines[line] and lines[line].index("#") == column
        for line in (page.find_line(e.key.span.start) for e in entries if e is not entry)
    )


def _get_gap_after_key(page: YamlDocument, entry: MappingEntry) -> str | None:
    """Return the text from a key's end to its value if both are in one line, else None."""
    value = entry.value
    gap = page.text[entry.key.span.end : value.span.start]
    is_inline = re.fullmatch(r":[^\S\n]+", gap) and page.is_one_line(value) and value.span.end > value.span.start
    return gap if is_inline else None


_COLON = re.compile(r" *: +")
_STUCK_COLON = re.compile(r" *: *")  # YAML needs no space after a colon that follows a quote
_COMMA = re.compile(r" *, *")
_END_OF_ITEM = re.compile(r" *,? *")
_BLANKS = re.compile(r" *")


def space_brackets(page: YamlDocument) -> list[Edit]:
    """Return edits that normalize the spaces inside brackets and before colons."""
    edits: list[Edit] = []
    _space_node(page, page.root, False, edits)
    return edits


def _space_node(page: YamlDocument, node: Node, inside: bool, edits: list[Edit]) -> None:
    is_flow = page.is_flow(node)
    if isinstance(node, MappingNode):
        for entry in node:
            _space_colon(page, entry.key.span.end, entry.value.span.start, inside or is_flow, edits)
            _space_node(page, entry.value, inside or is_flow, edits)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            _space_node(page, item, inside or is_flow, edits)
    part_spans = page.list_part_spans(node)
    if is_flow and part_spans:
        _replace_gap(page, node.span.start + 1, part_spans[0][0], _BLANKS, "", edits)
        _replace_gap(page, part_spans[-1][1], node.span.end - 1, _END_OF_ITEM, "", edits)
        for (_, end), (start, _end) in pairwise(part_spans):
            _replace_gap(page, end, start, _COMMA, ", ", edits)


def _space_colon(page: YamlDocument, end: int, start: int, inside: bool, edits: list[Edit]) -> None:
    gap = page.text[end:start]
    if inside:
        _replace_gap(page, end, start, _STUCK_COLON if page.text[end - 1] in "\"'" else _COLON, ": ", edits)
    elif gap.startswith(" ") and ":" in gap and not gap[: gap.index(":")].strip():
        edits.append((end, end + gap.index(":"), ""))


def _replace_gap(page: YamlDocument, start: int, end: int, shape: re.Pattern[str], new: str, edits: list[Edit]) -> None:
    """Add an edit that replaces the text from `start` to `end` by `new` if the text has this shape."""
    gap = page.text[start:end]
    if start <= end and gap != new and shape.fullmatch(gap):
        edits.append((start, end, new))
