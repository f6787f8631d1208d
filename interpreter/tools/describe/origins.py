"""The origin of every value of the merged documents, and of every change statement of a variant.

Each entry has its file and line; reconstructed values are marked. Works on the untyped trees and applies no change
statements, so that it is available even if the data has errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.record_walk import select_fields
from interpreter.documents.listing import Leaf
from interpreter.documents.pipeline import MergedDocuments
from interpreter.language import syntax as s
from interpreter.language.parsing import parse_module

Data = dict[str, Any]


def describe_origins(listing: Mapping[str, tuple[Leaf, ...]], prefix: str = "") -> list[Data]:
    """Return path, value, file, line and source of each value whose path begins with `prefix`, in order.

    `listing`: all values of the merged documents by section.
    """
    leaves = [leaf for section in listing.values() for leaf in section]
    sources = collect_sources(leaves)
    return [
        {**select_fields(leaf, "path", "value", "file", "line"), "source": find_source(leaf.path, sources)[1]}
        for leaf in leaves
        if _is_below(leaf.path, prefix)
    ]


def format_origins(data: list[Data], with_place: bool) -> list[str]:
    """Format one line per value, with its file and line in front if `with_place`."""
    lines = []
    for entry in data:
        value = "null" if entry["value"] is None else entry["value"]
        value = str(value).lower() if isinstance(value, bool) else " ".join(str(value).split("\n"))
        mark = f"  ({entry['source']})" if entry["source"] in ("reconstructed", "inferred") else ""
        place = f"{entry['file']}:{entry['line']}: " if with_place else ""
        lines.append(f"{place}{entry['path']} = {value}{mark}")
    return lines


def _is_below(path: str, prefix: str) -> bool:
    return not prefix or path == prefix or path.startswith((prefix + ".", prefix + "["))


def collect_sources(leaves: Iterable[Leaf]) -> dict[str, str]:
    """Return the stated sources ("printed", "reconstructed" ...) by the path of the entry that states them."""
    return {leaf.path.removesuffix(".source"): str(leaf.value) for leaf in leaves if leaf.path.endswith(".source")}


def find_source(path: str, sources: Mapping[str, str]) -> tuple[str, str]:
    """Return (path, source) of the nearest enclosing entry that states a source.

    Without one, a value of a member takes the source of its attribute; ("", "") if the value is not one of a member.
    `sources`: the stated sources by path.
    """
    inner = path
    while inner:
        if inner in sources:
            return inner, sources[inner]
        inner = inner.rpartition(".")[0]
    kind, parted, member_path = path.partition(".members.")
    attribute = f"{kind}.attributes.{member_path.rpartition('.')[2].partition('[')[0]}"
    return (attribute, sources.get(attribute, "")) if parted else ("", "")


def describe_rule_changes(trees: MergedDocuments) -> list[Data]:
    """Return the changes that the variants make to the rules, innermost variant first.

    Each replaced, removed or added item has "what", "path", "file" and "line".
    """
    changes = []
    for source in trees.changes:
        module = parse_module(source, Sink())
        for item in module.items if module else ():
            if isinstance(item, s.VariantChange):
                what, path = _describe_change(item)
            else:
                what, path = "new", getattr(item, "name", getattr(item, "event", ""))
            changes.append({"what": what, "path": path, "file": item.span.file, "line": item.span.line})
    return changes


def _describe_change(item: s.VariantChange) -> tuple[str, str]:
    """Return the words of a change statement that say what it does, and the path of the item that it changes."""
    added = getattr(item.content[0], "name", "") if item.content else ""
    match item.sort.split():
        case ["add", where] if where in ("before", "after"):
            return f"add phase {added} {where}", item.path[-1]
        case ["move", where]:
            return f"move phase {item.path[0]} {where}", item.path[-1]
    return item.sort, ".".join(item.path)
