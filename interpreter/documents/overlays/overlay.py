"""Overlay of one tree on another: mappings merge by key, other values replace, null removes.

Every value keeps the span of the file it was written in.

Rows of charts have canonical names, `1-2` for `1:2` and `1-02`, so that a variant changes the row that its base
writes differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean, find_close_words
from interpreter.documents.reading.chart_text import CHARTS
from interpreter.documents.reading.entry_mappings import Path, count_chart_keys, is_container, is_whole
from interpreter.documents.reading.tree import EMPTY, MappingEntry, MappingNode, Node, ScalarNode, SequenceNode, is_null
from interpreter.documents.reading.typo_heuristics import is_cut_by_comma, report_cut_by_comma
from interpreter.documents.values.axes import find_row_index, read_numbered_axis
from interpreter.i18n.translator import Message, mark as _
from interpreter.model.ruleset import Axis

_NEW = "new "
Headings = Callable[[Path], tuple[str, ...]]  # path of a chart's row -> headings of its last axis
Suggest = Callable[[Path, str], Message]  # path and unknown name -> help message, '' without a suggestion
_Axes = tuple[Axis | None, ...]  # None for an axis whose rows are written in one way only


@dataclass(frozen=True, slots=True)
class BaseWords:
    """Names of the base that messages use beyond its keys: headings of charts, and suggestions for unknown names."""

    headings: Headings = lambda _path: ()
    suggestions: Suggest = lambda _path, _name: Message("")


_NONE = BaseWords()


def apply_overlay(
    kind: str, base: MappingNode, change: MappingNode, sink: Sink, path: Path = (), words: BaseWords = _NONE
) -> MappingNode:
    """Return `base` changed by `change`. A name that `base` lacks must be written `new NAME`.

    `kind` and `path`: the kind of the document, and the path of `base` in it; `words`: names of the base for messages.
    Cells of a chart need no `new`, because the axes declare the headings; building the chart reports a wrong one.
    """
    entries = dict(base.entries)
    for entry in change:
        if entry.key.text.startswith(_NEW):
            _add_entry(entries, entry, sink)
        elif is_null(entry.value) and not (base is EMPTY and not is_container(kind, path)):
            _remove_entry(entries, entry, path, sink)
        else:
            _apply_change(kind, entries, entry, path, sink, words)
    return MappingNode(entries, base.span if base is not EMPTY else change.span)


def _add_entry(entries: dict[str, MappingEntry], entry: MappingEntry, sink: Sink) -> None:
    """Add the entry that a key `new NAME` marks to `entries`; report a name that they have already."""
    name = entry.key.text[len(_NEW) :].strip()
    if len(name) > 2 and name[0] == name[-1] and name[0] in "\"'":  # new "0102", for "new 0102"
        name = name[1:-1]
    old = entries.get(name)
    if old is not None:
        message = _("`{name}` is marked as new, but it is already in the base", name=name)
        cure = _("remove `new` to change it, or choose another name")
        sink.add_error(
            "already-in-base", message, entry.key.span, help=cure, related=(Related(_("defined here"), old.key.span),)
        )
        return
    key_span = entry.key.span
    start = key_span.start + entry.key.text.index(name) + (1 if entry.key.style else 0)
    key = ScalarNode(name, name, Span(key_span.source, start, start + len(name)), entry.key.style)
    entries[name] = MappingEntry(key, entry.value)


def _remove_entry(entries: dict[str, MappingEntry], entry: MappingEntry, path: Path, sink: Sink) -> None:
    """Remove the entry that a null marks from `entries`; report a name that they lack."""
    name = entry.key.text
    if name in entries:
        del entries[name]
        return
    if is_cut_by_comma(entry):
        report_cut_by_comma(entry, sink)
        return
    message = _(
        "`{name}` is marked for removal, but the base has no such key{inside}", name=name, inside=_format_location(path)
    )
    sink.add_error(
        "nothing-to-delete", message, entry.key.span, help=did_you_mean(name, entries) or _("remove this line")
    )


def _apply_change(
    kind: str, entries: dict[str, MappingEntry], entry: MappingEntry, path: Path, sink: Sink, words: BaseWords
) -> None:
    """Put a changed entry into `entries`, merged with the old one; report a name that the base lacks."""
    name, below = entry.key.text, (*path, entry.key.text)
    old = entries.get(name)
    if old is None and is_container(kind, path) and count_chart_keys(kind, path) is None:
        sink.add_error(
            "unknown-in-base",
            _("the base has no `{name}`{inside}", name=name, inside=_format_location(path)),
            entry.key.span,
            help=_("write `new` in small letters: `{right}`", right=name.lower())
            if name.lower().startswith(_NEW)
            else words.suggestions(path, name) or _add_help(name, entries),
        )
        return
    entries[name] = MappingEntry(
        old.key if old and isinstance(entry.value, MappingNode) else entry.key,
        _merge_values(kind, old.value if old else None, entry.value, below, sink, words),
    )


def _merge_values(kind: str, old: Node | None, new: Node, path: Path, sink: Sink, words: BaseWords) -> Node:
    """Return the value that a variant gives to a key: merged with the old one if both are mappings."""
    if not isinstance(new, MappingNode) or is_whole(kind, path):
        return new
    if isinstance(old, SequenceNode) and count_chart_keys(kind, path) is not None:
        old = _convert_row_list(old, words.headings(path)) or old
    if isinstance(old, MappingNode):
        return apply_overlay(kind, old, new, sink, path, words)
    # Below a key the base lacks only the containers among the fields can hold unknown names.
    return apply_overlay(kind, EMPTY, new, sink, path, words) if old is None else new


def _convert_row_list(row: SequenceNode, headings: tuple[str, ...]) -> MappingNode | None:
    """Convert a row written as a list to a mapping, or None if it does not fit these headings."""
    if len(row.items) != len(headings):
        return None
    return MappingNode(
        {h: MappingEntry(ScalarNode(h, h, item.span), item) for h, item in zip(headings, row.items, strict=True)},
        row.span,
    )


def _add_help(name: str, candidates: Iterable[str]) -> Message:
    """Return how to add an entry that the base lacks, or the similar name that was probably meant."""
    close = find_close_words(name, candidates)
    if not close:
        return _("to add it, write `new {name}`", name=name)
    return _("did you mean `{word}`? To add a new one, write `new {name}`", word=close[0], name=name)


def _format_location(path: Path) -> str:
    return _(" in `{path}`", path=".".join(path)) if path else ""


def label_chart_rows(kind: str, root: MappingNode, base: MappingNode = EMPTY) -> MappingNode:
    """Return a document with the rows of odds and bands under the names that their axes give them.

    `base`: the corresponding part of the base, for a variant that does not repeat the axes.
    """
    section = CHARTS.get(kind, "")
    charts = root.get_mapping(section)
    entries = {
        name: _convert_chart(entry, base.get_mapping(section).get_mapping(name))
        for name, entry in charts.entries.items()
    }
    if all(entries[name] is entry for name, entry in charts.entries.items()):
        return root
    return root.copy_with_value([section], MappingNode(entries, charts.span))


def _convert_chart(entry: MappingEntry, base: MappingNode) -> MappingEntry:
    """Return the entry of a chart with its rows under the names that its axes give them."""
    tree = entry.value
    if not isinstance(tree, MappingNode) or "cells" not in tree:
        return entry
    axes = tuple(
        read_numbered_axis(axis) for axis in (tree.get_mapping("axes") if "axes" in tree else base.get_mapping("axes"))
    )
    cells = tree.entries["cells"]
    renamed_cells = _rename_cells(cells.value, axes)
    if renamed_cells is cells.value:
        return entry
    return MappingEntry(
        entry.key, MappingNode({**tree.entries, "cells": MappingEntry(cells.key, renamed_cells)}, tree.span)
    )


def _rename_cells(node: Node, axes: _Axes) -> Node:
    """Return the cells below `node` with rows under the names that their axes give them.

    `axes`: the remaining axes, None for an axis whose rows are written in one way only.
    """
    if not isinstance(node, MappingNode) or not any(axes):
        return node
    entries: dict[str, MappingEntry] = {}
    for entry in node:
        inner = _rename_cells(entry.value, axes[1:])
        label = _find_row_name(axes[0], entry.key.text)
        if label is not None and label not in node and label not in entries:
            entries[label] = MappingEntry(replace(entry.key, text=label, value=label), inner)
        else:
            entries[entry.key.text] = entry if inner is entry.value else MappingEntry(entry.key, inner)
    return node if list(entries.values()) == list(node) else MappingNode(entries, node.span)


def _find_row_name(axis: Axis | None, text: str) -> str | None:
    """Return the name that an axis gives to the row `text`; None if `text` is that name or not a row."""
    row = None if axis is None or text in axis.labels else find_row_index(axis, text)
    return None if axis is None or row is None else axis.labels[row]
