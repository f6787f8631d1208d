"""Order the keys in documents: what identifies a thing precedes what it contains. Leaves brackets unchanged."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.documents.reading.tree import MappingNode, Node
from interpreter.tools.formatting.yaml_document import Edit, YamlDocument

_HEAD = ("kind", "format", "id", "language", "title")
_CHART = ("name", "cite", "source", "note", "axes", "gives", "blanks", "cells")
_CASE = ("title", "rules", "uses", "note", "given", "when", "then")
_KIND = ("one", "many", "short", "name", "cite", "source", "note", "alike", "counters", "attributes", "members")
ORDERS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("tables", "tables"): _CHART,
    ("cases", "cases"): _CASE,
    ("pieces", "classes"): _KIND,
    ("ruleset", "kinds"): _KIND,
}


def get_key_order(kind: str, path: Sequence[str]) -> tuple[str, ...]:
    """Return the fixed key order of a mapping in a document, or () if the author chooses it."""
    if not path:
        return _HEAD
    return ORDERS.get((kind, *path[:-1]), ()) if len(path) == 2 else ()


def order_keys(page: YamlDocument) -> list[Edit]:
    """Return edits that sort the keys of mappings; comments move with the key below them."""
    edits: list[Edit] = []
    _order_node(page, page.root, (), edits)
    return edits


def _order_node(page: YamlDocument, node: Node, path: tuple[str, ...], edits: list[Edit]) -> None:
    if not isinstance(node, MappingNode) or page.is_flow(node) or len(path) > 2:
        return
    order = get_key_order(page.kind, path)
    ordered_keys = _sort_keys(list(node.entries), order) if order else []
    if order and ordered_keys != list(node.entries):
        edit = _build_reorder_edit(page, node, ordered_keys)
        if edit is not None:
            edits.append(edit)
            return
    for key, entry in node.entries.items():
        _order_node(page, entry.value, (*path, key), edits)


def _sort_keys(keys: Sequence[str], order: Sequence[str]) -> list[str]:
    """Return the keys in the given order; keys that it does not list follow in their present order."""
    return sorted(keys, key=lambda key: order.index(key) if key in order else len(order))


def _build_reorder_edit(page: YamlDocument, node: MappingNode, ordered_keys: Sequence[str]) -> Edit | None:
    """Return one edit that puts the entries of a mapping in the order `ordered_keys`, with the comments above them.

    Return None if an entry begins in a line with other text.
    """
    lines = page.split_lines()
    entries = list(node)
    firsts = [page.find_line(e.key.span.start) for e in entries]
    if any(lines[n][: page.find_column(e.key.span.start)].strip() for n, e in zip(firsts, entries, strict=True)):
        return None
    heads = [firsts[0]]
    for entry, first in zip(entries, firsts[1:], strict=False):
        head, least = first, max(page.find_last_line(entry.value), page.find_line(entry.key.span.start)) + 1
        while head > least and lines[head - 1].lstrip().startswith("#"):
            head -= 1
        heads.append(head)
    while firsts[0] and heads[0] and lines[heads[0] - 1].lstrip().startswith("#") and page.find_column(node.span.start):
        heads[0] -= 1
    last = max(page.find_last_line(entries[-1].value), firsts[-1]) + 1
    ends = [*heads[1:], last]
    blocks = {k: lines[a:b] for k, a, b in zip(node.entries, heads, ends, strict=True)}
    text = "\n".join(line for key in ordered_keys for line in blocks[key])
    start, end = page.start_of(heads[0]), page.start_of(last)
    return start, end, text + ("\n" if page.text[start:end].endswith("\n") else "")
