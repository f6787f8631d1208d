"""Changed cells of a chart put into the file they belong to: by spans, checked afterwards, taken back if it went wrong.

Must not judge what the cells say.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interpreter.documents.reading.chart_text import CHARTS, with_charts_read
from interpreter.documents.reading.tree import Branch, Listing, Node
from interpreter.documents.reading.yaml_reading import read_yaml
from interpreter.documents.target import find_target
from interpreter.documents.values.axes import row_index
from interpreter.files.assets import shipped_rulesets
from interpreter.files.file_names import iter_documents
from interpreter.files.unknown_files import write_whole
from interpreter.model import types as t
from interpreter.model.ruleset import Axis
from interpreter.runtime.faults import SetupError
from interpreter.source.diagnostic import RulesetError, Sink
from interpreter.source.text import Edit, Source, edited
from interpreter.tools.comparing.comparison import compare
from interpreter.tools.comparing.held import read_held
from interpreter.tools.sheets.chart_grids import cell_text
from interpreter.tools.sheets.importing import Read, changed_cells
from interpreter.tools.sheets.yaml_edits import inserting, replacing, word, written

_Change = tuple[tuple[int, ...], str, str]  # the rows it lies in, the column or '', the new text


def write_chart(target: str, read: Read) -> Path:
    """Put what differs into the file, and see that nothing else has changed; the file that was written.

    SetupError when the target cannot be written to; then everything is as it was.
    """
    if target in shipped_rulesets():
        raise SetupError(
            "`{target}` is the copy that is installed; copy its folder and name that, or write a variant", target=target
        )
    path, way = _file_of(target, read)
    data = path.read_bytes()
    text = data.decode("utf-8")
    new = _edited(text, way, read)
    write_whole(path, new.encode("utf-8"))
    try:
        after = read_held(target)
        stray = [d for d in compare(read.before, after) if d.part != "charts" or not d.path.startswith(f"{read.name}.")]
        is_good = not stray and not changed_cells(after.ruleset.tables[read.name], read.table)
    except RulesetError:
        is_good = False
    if not is_good:
        write_whole(path, data)
        raise SetupError("{file} could not be changed cell by cell; it is as it was", file=path)
    return path


def _file_of(target: str, read: Read) -> tuple[Path, tuple[str, ...]]:
    """The file that the cells go into, and the keys that lead to them in it."""
    inner = (CHARTS[read.section], read.name, "cells")
    found = find_target(target, Sink())
    assert found is not None  # it has been read
    if found.scenario is not None:
        raise SetupError("a scenario holds no charts; name the folder of its ruleset, or a variant")
    if found.variants:
        return found.variants[-1].file.path, (read.section, *inner)
    name = read.before.trees.kinds[read.section].branch(inner[0]).branch(read.name).entries["cells"].key.span.file
    for file in iter_documents(found.root):
        if f"{found.root.resolve().name}/{file.relative_to(found.root).as_posix()}" == name:
            return file, inner
    raise SetupError("the file that holds the chart `{name}` was not found", name=read.name)


def _edited(text: str, way: tuple[str, ...], read: Read) -> str:
    """The text with every changed cell: those that stand there first, then those that are added one by one."""
    changes = _changes(read)
    root = _tree(text, read)
    edits = [edit for change in changes if (edit := _replaced(root, way, change, read)) is not None]
    added = [change for change in changes if _replaced(root, way, change, read) is None]
    text = edited(text, edits)
    for change in added:
        root = _tree(text, read)
        edit = _replaced(root, way, change, read) or _inserted(root, way, change, read)
        text = edited(text, [edit])
    return text


def _changes(read: Read) -> list[_Change]:
    before, now = read.before.ruleset.tables[read.name], read.table
    found: list[_Change] = []
    for at in changed_cells(before, now):
        if isinstance(now.type, t.RecordOf) and at in now.cells:
            columns = list(read.ruleset.records[now.type.id].fields)
            old = before.cells.get(at, (None,) * len(columns))
            texts = cell_text(now, at, read.ruleset)
            found += [(at, c, texts[n]) for n, c in enumerate(columns) if old[n] != now.cells[at][n]]
        else:
            found.append((at, "", cell_text(now, at, read.ruleset)[0] if at in now.cells else ""))
    return found


def _tree(text: str, read: Read) -> Branch:
    sink = Sink()
    root = read_yaml(Source("", text), sink)
    if not isinstance(root, Branch):
        raise SetupError("the file cannot be read as YAML any more")
    kinds = read.before.trees.kinds
    if root.text("kind") == "variant" and read.section in root:
        part = root.branch(read.section)
        return root.with_value([read.section], with_charts_read(read.section, part, sink, kinds[read.section]))
    return with_charts_read(read.section, root, sink)


def _axes(read: Read, change: _Change) -> list[tuple[Axis, str]]:
    return [(axis, axis.labels[n]) for axis, n in zip(read.table.axes, change[0], strict=True)]


def _walk(root: Branch, way: tuple[str, ...], change: _Change, read: Read) -> tuple[Node, list[str]]:
    """The deepest node on the way to a cell, and the keys that are left."""
    node: Node = root
    for number, key in enumerate(way):
        inner = node.get(key) if isinstance(node, Branch) else None
        if inner is None:
            return node, [
                *way[number:],
                *(label for _axis, label in _axes(read, change)),
                *([change[1]] if change[1] else []),
            ]
        node = inner
    left = _axes(read, change)
    for number, (axis, label) in enumerate(left):
        found = _below(node, axis, label)
        if found is None:
            return node, [*(label for _axis, label in left[number:]), *([change[1]] if change[1] else [])]
        node = found
    if change[1]:
        inner = node.get(change[1]) if isinstance(node, Branch) else None
        return (node, [change[1]]) if inner is None else (inner, [])
    return node, []


def _below(node: Node, axis: Axis, label: str) -> Node | None:
    if isinstance(node, Listing):
        return node.items[axis.labels.index(label)]
    if isinstance(node, Branch):
        row = axis.labels.index(label)
        return next((e.value for e in node if row_index(axis, e.key.text) == row), None)
    return None


def _replaced(root: Branch, way: tuple[str, ...], change: _Change, read: Read) -> Edit | None:
    node, left = _walk(root, way, change, read)
    if left:
        return None
    if _is_in_block(node):
        return replacing(node, word(change[2]))
    return replacing(node, _yaml(change[2], read))


def _inserted(root: Branch, way: tuple[str, ...], change: _Change, read: Read) -> Edit:
    node, left = _walk(root, way, change, read)
    if not isinstance(node, Branch) or _is_in_block(node):
        raise SetupError(
            "the chart has no place for the cell {where}; write it there first, as `.`", where=", ".join(left)
        )
    return inserting(node, left, _yaml(change[2], read))


def _is_in_block(node: Node) -> bool:
    """Whether a node comes from a chart written as text: then its source holds a `|` that opens a block above it."""
    text, start = node.span.source.text, node.span.start
    line = text.rfind("\n", 0, start) + 1
    indent = len(text[line:]) - len(text[line:].lstrip(" "))
    while line > 0:
        before = text.rfind("\n", 0, line - 1) + 1
        above = text[before : line - 1]
        own = len(above) - len(above.lstrip(" "))
        if above.strip() and own < indent:
            return above.rstrip().endswith("|")
        line = before
    return False


def _yaml(text: str, read: Read) -> str:
    """The text of a cell as YAML: a list in brackets, text in quotes where it needs them, null for a blank one."""
    if not text:
        return "null"
    kept: Any = read.table.type.item if isinstance(read.table.type, t.Maybe) else read.table.type
    if isinstance(kept, t.SetOf | t.ListOf) and not read.table.signs:
        return "[" + ", ".join(written(part) for part in text.strip("[]").split(",") if part) + "]"
    return written(text, as_text=isinstance(kept, t.Text))
