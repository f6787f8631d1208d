"""The merged documents value by value, each with its file and line, reconstructed ones marked.

Must not build the typed ruleset: it is shown even where the data has faults.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.documents.listing import Leaf

Data = dict[str, Any]


def origins_data(listing: Mapping[str, tuple[Leaf, ...]], prefix: str = "") -> list[Data]:
    """The values whose path begins with `prefix` (all for ''), in order."""
    leaves = [leaf for section in listing.values() for leaf in section]
    sources = sources_of(leaves)
    return [
        {
            "path": leaf.path,
            "value": leaf.value,
            "file": leaf.file,
            "line": leaf.line,
            "source": source_of(leaf.path, sources)[1],
        }
        for leaf in leaves
        if _is_below(leaf.path, prefix)
    ]


def origins_lines(data: list[Data], with_place: bool) -> list[str]:
    """One line for each value; with file and line where asked for."""
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


def sources_of(leaves: Iterable[Leaf]) -> dict[str, str]:
    """What entries say of their source, by the path of the entry."""
    return {leaf.path.removesuffix(".source"): str(leaf.value) for leaf in leaves if leaf.path.endswith(".source")}


def source_of(path: str, sources: Mapping[str, str]) -> tuple[str, str]:
    """The nearest entry around a value that states its source, else the attribute it is a value of; and that source."""
    inner = path
    while inner:
        if inner in sources:
            return inner, sources[inner]
        inner = inner.rpartition(".")[0]
    kind, parted, rest = path.partition(".members.")
    attribute = f"{kind}.attributes.{rest.rpartition('.')[2].partition('[')[0]}"
    return (attribute, sources.get(attribute, "")) if parted else ("", "")
