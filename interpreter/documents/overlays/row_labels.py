"""Canonical row names of charts: `1:2`, `1-02` and `1-2` are the row `1-2`.

A variant that writes `1-2` thus changes the row that its base writes `1:2`.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.documents.reading.chart_text import CHARTS
from interpreter.documents.reading.tree import EMPTY, MappingEntry, MappingNode, Node
from interpreter.documents.values.axes import read_numbered_axis, row_index
from interpreter.model.ruleset import Axis

_Axes = tuple[Axis | None, ...]  # None for an axis whose rows are written in one way only


def with_row_labels(kind: str, root: MappingNode, base: MappingNode = EMPTY) -> MappingNode:
    """Return a document with the rows of odds and bands under the names that their axes give them.

    `base`: the same part of the base, where the document is a variant's and does not repeat the axes.
    """
    section = CHARTS.get(kind, "")
    charts = root.branch(section)
    entries = {name: _chart(entry, base.branch(section).branch(name)) for name, entry in charts.entries.items()}
    if all(entries[name] is entry for name, entry in charts.entries.items()):
        return root
    return root.with_value([section], MappingNode(entries, charts.span))


def _chart(entry: MappingEntry, base: MappingNode) -> MappingEntry:
    tree = entry.value
    if not isinstance(tree, MappingNode) or "cells" not in tree:
        return entry
    axes = tuple(read_numbered_axis(axis) for axis in (tree.branch("axes") if "axes" in tree else base.branch("axes")))
    cells = tree.entries["cells"]
    named = _rename_cells(cells.value, axes)
    if named is cells.value:
        return entry
    return MappingEntry(entry.key, MappingNode({**tree.entries, "cells": MappingEntry(cells.key, named)}, tree.span))


def _rename_cells(node: Node, axes: _Axes) -> Node:
    """Return the cells below `node` with rows under the names that their axes give them.

    `axes`: the remaining axes, None for an axis whose rows are written in one way only.
    """
    if not isinstance(node, MappingNode) or not any(axes):
        return node
    entries: dict[str, MappingEntry] = {}
    for entry in node:
        inner = _rename_cells(entry.value, axes[1:])
        label = _label(axes[0], entry.key.text)
        if label is not None and label not in node and label not in entries:
            entries[label] = MappingEntry(replace(entry.key, text=label, value=label), inner)
        else:
            entries[entry.key.text] = entry if inner is entry.value else MappingEntry(entry.key, inner)
    return node if list(entries.values()) == list(node) else MappingNode(entries, node.span)


def _label(axis: Axis | None, text: str) -> str | None:
    """Return the name that an axis gives to the row `text`; None if `text` is that name or not a row."""
    row = None if axis is None or text in axis.labels else row_index(axis, text)
    return None if axis is None or row is None else axis.labels[row]
