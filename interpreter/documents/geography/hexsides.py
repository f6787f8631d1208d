"""Sides between grid spaces, normalized to one key whichever order the two numbers are written in."""

from __future__ import annotations

from dataclasses import replace

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.edge_names import reverse_edge_name
from interpreter.documents.reading.tree import MappingEntry, MappingNode
from interpreter.i18n.translator import mark as _

_NEW = "new "


def normalize_edge_keys(map_: MappingNode, sink: Sink) -> MappingNode:
    """Normalize every key of `grid.edges` to the smaller number first; merge two entries for one side."""
    edges = map_.branch("grid").branch("edges")
    if not edges.entries:
        return map_
    entries: dict[str, MappingEntry] = {}
    for entry in edges:
        name = _order_key(entry.key.text)
        old = entries.get(name)
        if old is None:
            key = entry.key if name == entry.key.text else replace(entry.key, text=name, value=name)
            entries[name] = MappingEntry(key, entry.value)
        elif isinstance(old.value, MappingNode) and isinstance(entry.value, MappingNode):
            entries[name] = MappingEntry(old.key, merge_mappings(old.value, entry.value, name, sink))
        else:
            _report_twice(_("`{name}` is defined twice", name=name), entry, old, sink)
    return map_.with_value(("grid", "edges"), MappingNode(entries, edges.span))


def _order_key(key: str) -> str:
    name = key.removeprefix(_NEW)
    ordered = min(name, reverse_edge_name(name))
    return key[: len(key) - len(name)] + ordered


def merge_mappings(first: MappingNode, second: MappingNode, owner: str, sink: Sink) -> MappingNode:
    """Return two mappings merged; report keys that both have. `owner` names the mapping in messages."""
    entries = dict(first.entries)
    for name, entry in second.entries.items():
        if name in entries:
            message = _("`{name}` of `{whose}` is defined twice", name=name, whose=owner)
            _report_twice(message, entry, entries[name], sink)
        else:
            entries[name] = entry
    return MappingNode(entries, first.span)


def _report_twice(text: str, entry: MappingEntry, old: MappingEntry, sink: Sink) -> None:
    sink.report_duplicate(text, entry.key.span, old.key.span, _("keep one of the two"))
