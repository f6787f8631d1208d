"""Charts written as a text block in printed form, converted to the same tree as rows and mappings.

Every word keeps its own span.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source, Span
from interpreter.documents.reading.tree import EMPTY, MappingEntry, MappingNode, Node, ScalarNode, SequenceNode
from interpreter.documents.reading.yaml_reader import parse_plain_value
from interpreter.i18n.translator import mark as _

CHARTS = {"tables": "tables", "activation": "orders"}  # the key that holds the charts, by kind of document
BLANK = (".", "~")
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|[^\s|]+')
_RULE = re.compile(r"[\s|+:=-]*(?:---|===)[\s|+:=-]*")
_ONE_VALUE = ("one_of", "maybe", "parts")  # a mapping under `gives` that does not name columns


@dataclass(frozen=True, slots=True)
class ChartShape:
    """The shape a chart declares: its axes, the columns of a cell, whether a cell is a list."""

    name: str
    axes: tuple[str, ...]
    columns: tuple[str, ...]
    is_list: bool

    @property
    def heads(self) -> int:
        """Return the number of heading words that precede the cells of a row."""
        return len(self.axes) - (0 if self.columns else 1)


Row = Sequence[ScalarNode]


def read_charts(kind: str, root: MappingNode, sink: Sink, base: MappingNode = EMPTY) -> MappingNode:
    """Return `root` with the cells of all charts written as text converted; report unreadable ones.

    `base`: the corresponding part of the base, if `root` is a variant that does not repeat the axes.
    """
    key = CHARTS.get(kind, "")
    charts = root.get_mapping(key)
    read = {name: _read_chart(entry, base.get_mapping(key), sink) for name, entry in charts.entries.items()}
    if all(read[name] is entry for name, entry in charts.entries.items()):
        return root
    entries = {**root.entries, key: MappingEntry(root.entries[key].key, MappingNode(read, charts.span))}
    return MappingNode(entries, root.span)


def _read_chart(entry: MappingEntry, base: MappingNode, sink: Sink) -> MappingEntry:
    """Return the entry of a chart with its cells read from text; unchanged if they are written as a mapping."""
    tree = entry.value
    cells = tree.entries.get("cells") if isinstance(tree, MappingNode) else None
    shape = (
        find_chart_shape(entry.key.text, tree, base.get_mapping(entry.key.text))
        if isinstance(tree, MappingNode) and cells
        else None
    )
    if shape is None or cells is None or not isinstance(tree, MappingNode):
        return entry
    faults = sink.number_reported
    read = _read_part(cells.value, shape, sink)
    if read is cells.value:
        return entry
    own = {
        **tree.entries,
        "cells": MappingEntry(cells.key, MappingNode({}, cells.value.span) if read is None else read),
    }
    if sink.number_reported > faults:  # unreadable cells have been reported and do not count as missing
        own["blanks"] = MappingEntry(cells.key, ScalarNode(True, "true", cells.key.span))
    return MappingEntry(entry.key, MappingNode(own, tree.span))


def _read_part(node: Node, shape: ChartShape, sink: Sink) -> Node | None:
    """Return cells as mappings, converting the ones written as text; None if they are unreadable (reported).

    `node`: the cells of a chart or of one of its rows; `shape`: the shape of the chart from there on.
    """
    if isinstance(node, MappingNode) and len(shape.axes) > 1:
        inner = replace(shape, axes=shape.axes[1:])
        read = {name: (entry, _read_part(entry.value, inner, sink)) for name, entry in node.entries.items()}
        if all(tree is entry.value for entry, tree in read.values()):
            return node
        trees = {name: MappingEntry(entry.key, tree) for name, (entry, tree) in read.items() if tree is not None}
        return MappingNode(trees, node.span)
    if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
        return node
    if node.style != "|" and "\n" not in node.span.source.text[node.span.start : node.span.end].rstrip():
        return node
    if node.style != "|":
        message = _("write the cells of a chart in a block of text that begins with `|`")
        sink.add_error(
            "wrong-type", message, node.span, help=_("write `|` after the colon, and the lines of the chart below it")
        )
        return None
    return _parse_block(node, shape, sink)


def find_chart_shape(name: str, tree: MappingNode, base: MappingNode = EMPTY) -> ChartShape | None:
    """Return the shape that the chart `tree` declares, or the chart `base` that it changes; None without axes.

    `name`: the name of the chart.
    """
    axes = tree.get_mapping("axes") if "axes" in tree else base.get_mapping("axes")
    gives = tree.get("gives") if "gives" in tree else base.get("gives")
    columns: tuple[str, ...] = ()
    is_list = gives is None  # an order of activation
    if isinstance(gives, MappingNode):
        is_list = "list_of" in gives or "set_of" in gives
        columns = () if is_list or any(key in gives for key in _ONE_VALUE) else tuple(gives.entries)
    return ChartShape(name, tuple(axes.entries), columns, is_list) if axes.entries else None


def split_into_words(source: Source, start: int, end: int) -> list[list[ScalarNode]]:
    """Return the words of a range of text by line, without comments, ruled lines and empty lines."""
    lines, offset = [], start
    for line in source.text[start:end].splitlines(keepends=True):
        words = []
        for match in _WORD.finditer(line):
            if match[0].startswith("#"):
                break
            words.append(_build_word(match[0], Span(source, offset + match.start(), offset + match.end())))
        if words and not _RULE.fullmatch(line):
            lines.append(words)
        offset += len(line)
    return lines


def _build_word(text: str, span: Span) -> ScalarNode:
    """Return a word of a chart as a scalar; quotes are removed, and a blank sign becomes null."""
    if text[0] in "\"'" and text[-1] == text[0] and len(text) > 1:
        inner = text[1:-1].replace('\\"', '"') if text[0] == '"' else text[1:-1]
        return ScalarNode(inner, inner, span, text[0])
    return ScalarNode(None, "", span) if text in BLANK else ScalarNode(parse_plain_value(text), text, span)


def _parse_block(cells: ScalarNode, shape: ChartShape, sink: Sink) -> MappingNode:
    """Return the cells of a chart written as a block of text."""
    source, start, end = cells.span.source, cells.span.start, cells.span.end
    first = source.text.find("\n", start)  # after the `|`
    rows = split_into_words(source, first + 1 if 0 <= first < end else end, end)
    if len(rows) > 1 and (sign := _find_separator(rows[:2], shape)):
        message = _("the cells of a chart are separated by spaces, not by `{sign}`", sign=sign)
        cure = _("write spaces between the cells, and `.` for an empty one; `grognard table import` reads CSV files")
        return _reject_line(message, cure, rows[0], cells.span, sink)
    return build_cells_tree(rows, shape, cells.span, sink)


def build_cells_tree(rows: list[list[ScalarNode]], shape: ChartShape, span: Span, sink: Sink) -> MappingNode:
    """Convert rows of words, headings first, to the cells of a chart; report and skip rows that do not fit."""
    if len(rows) < 2:
        message = _("the chart needs a line of headings and at least one row below it")
        sink.add_error(
            "wrong-row-count", message, rows[0][0].span if rows else span, help=_("write the chart as it is printed")
        )
        return MappingNode({}, span)
    if shape.heads == 0:
        return _read_single_axis(rows, shape, span, sink)
    widths = [length - shape.heads for length, _count in Counter(len(row) for row in rows[1:]).most_common()]
    width = next((w for w in widths if w > 0 and len(rows[0]) in (w, w + 1, w + shape.heads)), 0)
    is_named = [word.text for word in rows[0][: shape.heads]] == list(shape.axes[: shape.heads])
    if width and is_named and len(rows[0]) - shape.heads < width:
        message = _(
            "there (is|are) {number} (heading|headings) for {found} cells in each row",
            number=len(rows[0]) - shape.heads,
            found=width,
        )
        cure = _("add the heading that is missing, or remove the cells that have none")
        return _reject_line(message, cure, rows[0], span, sink)
    if not width:
        message = _(
            "the headings have {found} words and the first row has {number}; {heads} come before its cells",
            found=len(rows[0]),
            number=len(rows[1]),
            heads=shape.heads,
        )
        cure = _(
            "each row begins with its {axes} and has a cell for each heading; put quotes around text that "
            "contains blanks, and write `.` for an empty cell",
            axes=", ".join(shape.axes[: shape.heads]),
        )
        return _reject_line(message, cure, rows[0], span, sink)
    headings = rows[0][len(rows[0]) - width :]
    filled = [(row[: shape.heads], _fit_row(row, headings, shape, sink)) for row in rows[1:]]
    filled = [(heads, cells) for heads, cells in filled if cells]
    return _nest_rows([(heads, _build_cells(headings, cells, shape, sink)) for heads, cells in filled], span, sink)


def _reject_line(message: str, cure: str, words: Row, span: Span, sink: Sink) -> MappingNode:
    """Report a line of a chart and return the chart without cells; `words`: the line; `span`: the chart."""
    sink.add_error("wrong-row-count", message, words[0].span.to(words[-1].span), help=cure)
    return MappingNode({}, span)


def _fit_row(row: Row, headings: Row, shape: ChartShape, sink: Sink) -> Row:
    """Return the cells of a row, one for each heading; () if it has none (reported).

    A wrong number of cells is reported, and the row is padded or cut. `row`: the words of the line, first the row's
    names on the other axes.
    """
    cells, count = row[shape.heads :], len(headings)
    if len(cells) == count:
        return cells
    name = " ".join(word.text for word in row[: shape.heads])
    message = _(
        "the row `{row}` has {number} (cell|cells), expected {wanted}", row=name, number=len(cells), wanted=count
    )
    where = cells[count].span.to(cells[-1].span) if len(cells) > count else row[0].span.to(row[-1].span)
    listed = ", ".join(f"`{word.text}`" for word in headings[:12])
    cure = _("in this order: {listed}; an empty cell is written `.`", listed=listed)
    if (sign := _find_separator([row], shape)) and len(cells) < count:
        cure = _("separate the cells with spaces, not `{sign}`; write `.` for an empty cell", sign=sign)
    elif len(cells) < count and "#" in row[-1].span.source.get_line(row[-1].span.line)[row[-1].span.column - 1 :]:
        cure = _("`#` begins a comment, so the rest of the line is not read; an empty cell is written `.`")
    sink.add_error("wrong-row-count", message, where, help=cure)
    return [*cells, *[cells[-1]] * count][:count] if cells else ()


def _find_separator(rows: Sequence[Row], shape: ChartShape) -> str:
    """Return the comma or semicolon between the words of every row, as in rows of CSV files; '' if there is none."""
    signs = "" if shape.is_list else ",;"
    return next((sign for sign in signs if all(_is_separated(row, sign) for row in rows)), "")


def _is_separated(row: Row, sign: str) -> bool:
    """Return whether the words of a row end with the separator `sign`, such as a comma."""
    plain = [word.text for word in row if not word.style]
    return any(sign in text for text in plain) and all(word.text.endswith(sign) for word in row[:-1])


def _read_single_axis(rows: list[list[ScalarNode]], shape: ChartShape, span: Span, sink: Sink) -> MappingNode:
    """Return the cells of a chart of one axis: its rows side by side above the cells, or one per line.

    `rows`: the words of each line; `span`: the text of the chart. The result is empty after an error.
    """
    axis = shape.axes[0]
    has_heads = rows[0][0].text == axis
    if len(rows) == 2 and (has_heads or len(rows[0]) > 2):
        headings, cells = rows[0][has_heads:], rows[1][has_heads:]  # the first column names the cells
        if len(headings) == len(cells):
            return _build_cells(headings, cells, shape, sink)
    elif all(len(row) == 2 for row in rows):
        rows = rows[1:] if has_heads else rows
        return _build_cells([row[0] for row in rows], [row[1] for row in rows], shape, sink)
    else:
        wrong = next((row for row in rows if len(row) != 2), rows[-1])
        message = _(
            "a chart with one axis has two lines (headings and cells), or one line for each heading and its cell"
        )
        return _reject_line(message, "", wrong, span, sink)
    message = _(
        "found {number} cells, expected {wanted}: one for each {name}",
        number=len(cells),
        wanted=len(headings),
        name=axis,
    )
    return _reject_line(message, "", cells, span, sink)


def _build_cells(headings: Row, cells: Row, shape: ChartShape, sink: Sink) -> MappingNode:
    entries: dict[str, MappingEntry] = {}
    for heading, cell in zip(headings, cells, strict=True):
        _add_entry(entries, heading, _split_list(cell) if shape.is_list else cell, sink)
    return MappingNode(entries, cells[0].span.to(cells[-1].span))


def _split_list(cell: ScalarNode) -> Node:
    """Convert a cell to a list: members separated by commas without spaces, `[]` for none."""
    if cell.value is None:
        return cell
    text, offset, items = cell.text.strip("[]"), cell.span.start + (1 if cell.style or cell.text[:1] == "[" else 0), []
    for part in text.split(",") if text else ():
        items.append(_build_word(part.strip() or '""', Span(cell.span.source, offset, offset + len(part))))
        offset += len(part) + 1
    return SequenceNode(tuple(items), cell.span)


def _nest_rows(rows: list[tuple[Row, MappingNode]], span: Span, sink: Sink) -> MappingNode:
    """Return rows as nested mappings: grouped by their first words, and within these by the next ones.

    `rows`: pairs of a row's names on the axes and its cells.
    """
    entries: dict[str, MappingEntry] = {}
    groups: dict[str, list[tuple[Row, MappingNode]]] = {}
    for heads, cells in rows:
        groups.setdefault(heads[0].text, []).append((heads, cells))
    for group in groups.values():
        first = group[0][0][0]
        if len(group[0][0]) > 1:
            inner = _nest_rows([(heads[1:], cells) for heads, cells in group], first.span, sink)
            entries[first.text] = MappingEntry(first, inner)
        else:
            for heads, cells in group:
                _add_entry(entries, heads[0], cells, sink)
    return MappingNode(entries, span)


def _add_entry(entries: dict[str, MappingEntry], key: ScalarNode, value: Node, sink: Sink) -> None:
    if key.text in entries:
        message = _("the row or heading `{key}` occurs twice in this chart", key=key.text)
        sink.add_error("duplicate-key", message, key.span, help=_("keep one of the two"))
    else:
        entries[key.text] = MappingEntry(key, value)
