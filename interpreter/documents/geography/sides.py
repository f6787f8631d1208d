"""What a map says of the sides between the spaces of its grid, each side under one key whichever way it is written.

Must not know the grid.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.documents.reading.tree import Branch, Entry
from interpreter.source.diagnostic import Sink
from interpreter.source.pairs import turned_round
from interpreter.words.speech import mark as _

_NEW = "new "


def with_one_order(map_: Branch, sink: Sink) -> Branch:
    """The map with the smaller number first in every key of `grid.edges`; what is said of a side twice adds up."""
    edges = map_.branch("grid").branch("edges")
    if not edges.entries:
        return map_
    entries: dict[str, Entry] = {}
    for entry in edges:
        name = _ordered(entry.key.text)
        old = entries.get(name)
        if old is None:
            key = entry.key if name == entry.key.text else replace(entry.key, text=name, value=name)
            entries[name] = Entry(key, entry.value)
        elif isinstance(old.value, Branch) and isinstance(entry.value, Branch):
            entries[name] = Entry(old.key, added_up(old.value, entry.value, name, sink))
        else:
            _twice(_("`{name}` is defined a second time", name=name), entry, old, sink)
    return map_.with_value(("grid", "edges"), Branch(entries, edges.span))


def _ordered(key: str) -> str:
    name = key.removeprefix(_NEW)
    ordered = min(name, turned_round(name))
    return key[: len(key) - len(name)] + ordered


def added_up(first: Branch, second: Branch, whose: str, sink: Sink) -> Branch:
    """Two mappings as one; a key of both is reported."""
    entries = dict(first.entries)
    for name, entry in second.entries.items():
        if name in entries:
            told = _("`{name}` of `{whose}` is defined a second time", name=name, whose=whose)
            _twice(told, entry, entries[name], sink)
        else:
            entries[name] = entry
    return Branch(entries, first.span)


def _twice(told: str, entry: Entry, old: Entry, sink: Sink) -> None:
    sink.twice(told, entry.key.span, old.key.span, _("keep one of the two"))
