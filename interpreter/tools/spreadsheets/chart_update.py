"""Write changed cells of a chart into its file: edit by spans, verify, and roll back on failure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interpreter.diagnostics.diagnostic import RulesetError, Sink
from interpreter.diagnostics.source_text import Replacement, Source, apply_edits
from interpreter.documents.reading.chart_text import CHARTS, read_charts
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode
from interpreter.documents.reading.yaml_reader import parse_plain_value, quote_text, read_yaml
from interpreter.documents.target import find_target
from interpreter.documents.values.axes import find_row_index
from interpreter.files.assets import list_shipped_rulesets
from interpreter.files.file_names import iter_documents
from interpreter.files.safe_read import write_atomically
from interpreter.model import types as t
from interpreter.model.ruleset import Axis
from interpreter.runtime.errors import SetupError
from interpreter.tools.diff.comparison import compare, read_snapshot
from interpreter.tools.spreadsheets.chart_grids import format_cell
from interpreter.tools.spreadsheets.chart_import import ImportResult, list_changed_cells

# Replace or insert values in YAML text by position; comments, layout and everything else stay unchanged.
_SAFE = re.compile(r"[A-Za-z0-9*+/.][A-Za-z0-9*+/._-]*")


def format_value(text: str, as_text: bool = False) -> str:
    """Format a value or key for YAML, in quotes if necessary.

    `as_text`: also put a text in quotes that YAML would read as a number or flag.
    """
    value = parse_plain_value(text)
    if value is not None and not isinstance(value, str):
        return f'"{text}"' if as_text else text
    if text == "null" or (isinstance(value, str) and _SAFE.fullmatch(text)):
        return text
    return quote_text(text)


def format_word(text: str) -> str:
    """Format a value as a word in a chart that is written as text."""
    if not text or text == "null":
        return text or "."
    plain = re.fullmatch(r"[^\s|#\"'][^\s|]*", text) and text not in (".", "~")
    return text if plain else '"' + text.replace('"', '\\"') + '"'


def replace_value(node: Node, text: str) -> Replacement:
    """Return the edit that replaces a value in a list or mapping.

    In aligned columns the edit also consumes or adds blanks, so that the next column keeps its position.
    """
    source, start, end = node.span.source.text, node.span.start, node.span.end
    following = source[end : end + 3]
    is_aligned = following[:1] in (" ", ",") and following.strip(" ,") == "" or following[:2] == "  "
    if not is_aligned:
        return Replacement(start, end, text)
    comma = "," if source[end : end + 1] == "," else ""
    next_start = end + len(comma)
    blanks = len(source[next_start:]) - len(source[next_start:].lstrip(" "))
    gap_width = max(1, blanks - len(text) + (end - start))
    return Replacement(start, next_start + blanks, text + comma + " " * gap_width)


def insert_value(branch: MappingNode, path: Sequence[str], text: str) -> Replacement:
    """Return the edit that adds a value at a path of keys, which do not exist yet, below a mapping."""
    source = branch.span.source.text
    *above, last = path
    if source[branch.span.start : branch.span.start + 1] == "{":
        entry_text = f"{format_value(last)}: {text}"
        for key in reversed(above):
            entry_text = f"{format_value(key)}: {{{entry_text}}}"
        offset = branch.span.end - 1
        while offset > branch.span.start + 1 and source[offset - 1] in " \n":
            offset -= 1
        return Replacement(offset, offset, f", {entry_text}" if branch.entries else entry_text)
    indent = next(iter(branch)).key.span.column - 1
    end = source.find("\n", _find_end_of_node(branch))
    offset = len(source) if end < 0 else end
    lines = [f"{' ' * (indent + 2 * n)}{format_value(key)}:" for n, key in enumerate(above[:-1])]
    deep = " " * (indent + 2 * len(above[:-1]))
    entry = f"{format_value(last)}: {text}"
    lines.append(f"{deep}{format_value(above[-1])}: {{{entry}}}" if above else f"{deep}{entry}")
    return Replacement(offset, offset, "\n" + "\n".join(lines))


def _find_end_of_node(node: Node) -> int:
    """Return the offset at which the last value inside a node ends, without a trailing line break."""
    if isinstance(node, MappingNode) and node.entries:
        return max(_find_end_of_node(entry.value) for entry in node)
    end = node.span.end
    if isinstance(node, ScalarNode | SequenceNode | MappingNode):
        while end > node.span.start and node.span.source.text[end - 1] in "\r\n":
            end -= 1
    return end


_Change = tuple[tuple[int, ...], str, str]  # row numbers, the column or "", the new text


def write_chart(target: str, read: ImportResult) -> Path:
    """Write the differences to the file, verify that nothing else changed, and return the path.

    Raises SetupError if the target cannot be written; then everything is as before.
    """
    if target in list_shipped_rulesets():
        raise SetupError(
            "`{target}` is the installed copy; copy its folder and use that, or write a variant", target=target
        )
    path, way = _find_file(target, read)
    data = path.read_bytes()
    text = data.decode("utf-8")
    new = _apply_changes(text, way, read)
    write_atomically(path, new.encode("utf-8"))
    try:
        updated = read_snapshot(target)
        stray = [
            d for d in compare(read.snapshot, updated) if d.part != "charts" or not d.path.startswith(f"{read.name}.")
        ]
        is_good = not stray and not list_changed_cells(updated.ruleset.tables[read.name], read.table)
    except RulesetError:
        is_good = False
    if not is_good:
        write_atomically(path, data)
        raise SetupError("cannot change {file} cell by cell; it is unchanged", file=path)
    return path


def _find_file(target: str, read: ImportResult) -> tuple[Path, tuple[str, ...]]:
    """Return the file that contains the cells of the chart, and the keys that lead to them.

    Raises SetupError for a scenario, or if the file is not found.
    """
    inner = (CHARTS[read.section], read.name, "cells")
    resolved = find_target(target, Sink())
    assert resolved is not None  # read_chart has read it already
    if resolved.scenario is not None:
        raise SetupError("a scenario has no charts; give the folder of its ruleset, or a variant")
    if resolved.variants:
        return resolved.variants[-1].file.path, (read.section, *inner)
    name = (
        read.snapshot.trees.kinds[read.section]
        .get_mapping(inner[0])
        .get_mapping(read.name)
        .entries["cells"]
        .key.span.file
    )
    for file in iter_documents(resolved.root):
        if f"{resolved.root.resolve().name}/{file.relative_to(resolved.root).as_posix()}" == name:
            return file, inner
    raise SetupError("the file with the chart `{name}` was not found", name=read.name)


def _apply_changes(text: str, chart_path: tuple[str, ...], read: ImportResult) -> str:
    """Return the text with all changed cells: replaced ones first, then added ones, one at a time.

    `chart_path`: the keys that lead to the chart's cells.
    """
    changes = _list_changes(read)
    root = _parse_tree(text, read)
    edits = [(change, _replace_cell(root, chart_path, change, read)) for change in changes]
    text = apply_edits(text, [edit for _change, edit in edits if edit is not None])
    for change in (change for change, edit in edits if edit is None):
        root = _parse_tree(text, read)
        edit = _replace_cell(root, chart_path, change, read) or _insert_cell(root, chart_path, change, read)
        text = apply_edits(text, [edit])
    return text


def _list_changes(read: ImportResult) -> list[_Change]:
    old, new = read.snapshot.ruleset.tables[read.name], read.table
    changes: list[_Change] = []
    for index in list_changed_cells(old, new):
        if isinstance(new.type, t.RecordType) and index in new.cells:
            columns = list(read.ruleset.records[new.type.id].fields)
            old_values = old.cells.get(index, (None,) * len(columns))
            texts = format_cell(new, index, read.ruleset)
            changes += [(index, c, texts[n]) for n, c in enumerate(columns) if old_values[n] != new.cells[index][n]]
        else:
            changes.append((index, "", format_cell(new, index, read.ruleset)[0] if index in new.cells else ""))
    return changes


def _parse_tree(text: str, read: ImportResult) -> MappingNode:
    sink = Sink()
    root = read_yaml(Source("", text), sink)
    if not isinstance(root, MappingNode):
        raise SetupError("the file is no longer valid YAML")
    kinds = read.snapshot.trees.kinds
    if root.get_text("kind") == "variant" and read.section in root:
        part = root.get_mapping(read.section)
        return root.copy_with_value([read.section], read_charts(read.section, part, sink, kinds[read.section]))
    return read_charts(read.section, root, sink)


def _find_cell(
    root: MappingNode, chart_path: tuple[str, ...], change: _Change, read: ImportResult
) -> tuple[Node, list[str]]:
    """Return the deepest existing node on the path to a cell, and the keys of the path below it.

    `chart_path`: the keys that lead to the chart's cells; `change`: the cell that changes.
    """
    rows, column = change[:2]
    steps: list[tuple[str, Axis | None]] = [(key, None) for key in chart_path]
    steps += [(axis.labels[n], axis) for axis, n in zip(read.table.axes, rows, strict=True)]
    steps += [(column, None)] if column else []
    node: Node = root
    for number, (key, axis) in enumerate(steps):
        inner = _find_child(node, key, axis)
        if inner is None:
            return node, [key for key, _axis in steps[number:]]
        node = inner
    return node, []


def _find_child(node: Node, key: str, axis: Axis | None) -> Node | None:
    """Return the node below a key, or None; below a list, and for any spelling of the key, if it is a row of `axis`."""
    if axis is not None and isinstance(node, SequenceNode):
        return node.items[axis.labels.index(key)]
    if axis is not None and isinstance(node, MappingNode):
        row = axis.labels.index(key)
        return next((e.value for e in node if find_row_index(axis, e.key.text) == row), None)
    return node.get(key) if isinstance(node, MappingNode) else None


def _replace_cell(
    root: MappingNode, chart_path: tuple[str, ...], change: _Change, read: ImportResult
) -> Replacement | None:
    node, missing_path = _find_cell(root, chart_path, change, read)
    if missing_path:
        return None
    if _is_in_block(node):
        return replace_value(node, format_word(change[2]))
    return replace_value(node, _format_cell(change[2], read))


def _insert_cell(root: MappingNode, chart_path: tuple[str, ...], change: _Change, read: ImportResult) -> Replacement:
    node, missing_path = _find_cell(root, chart_path, change, read)
    if not isinstance(node, MappingNode) or _is_in_block(node):
        raise SetupError(
            "the chart has no place for the cell {where}; first write `.` there", where=", ".join(missing_path)
        )
    return insert_value(node, missing_path, _format_cell(change[2], read))


def _is_in_block(node: Node) -> bool:
    """Return True if a node lies in a chart written as text, below a key that opens a `|` block."""
    text, start = node.span.source.text, node.span.start
    line = text.rfind("\n", 0, start) + 1
    indent = len(text[line:]) - len(text[line:].lstrip(" "))
    while line > 0:
        line_start = text.rfind("\n", 0, line - 1) + 1
        above = text[line_start : line - 1]
        own_indent = len(above) - len(above.lstrip(" "))
        if above.strip() and own_indent < indent:
            return above.rstrip().endswith("|")
        line = line_start
    return False


def _format_cell(text: str, read: ImportResult) -> str:
    """Format a cell as YAML: a list in brackets, text in quotes if necessary, null for a blank cell."""
    if not text:
        return "null"
    value_type: Any = read.table.type.item if isinstance(read.table.type, t.MaybeType) else read.table.type
    if isinstance(value_type, t.SetType | t.ListType) and not read.table.signs:
        return "[" + ", ".join(format_value(part) for part in text.strip("[]").split(",") if part) + "]"
    return format_value(text, as_text=isinstance(value_type, t.TextType))
