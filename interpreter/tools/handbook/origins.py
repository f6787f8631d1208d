"""The merged documents value by value, each with its file and line, reconstructed ones marked.

Must not build the typed ruleset: it is shown even where the data has faults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.documents.listing import Leaf

Data = dict[str, Any]


def origins_data(listing: Mapping[str, tuple[Leaf, ...]], prefix: str = "") -> list[Data]:
    """The values whose path begins with `prefix` (all for ''), in order."""
    leaves = [leaf for section in listing.values() for leaf in section]
    sources = {leaf.path.removesuffix(".source"): str(leaf.value) for leaf in leaves if leaf.path.endswith(".source")}
    return [
        {
            "path": leaf.path,
            "value": leaf.value,
            "file": leaf.file,
            "line": leaf.line,
            "source": _source_of(leaf.path, sources),
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


def _source_of(path: str, sources: Mapping[str, str]) -> str:
    """The `source` of the nearest entry around a value, else that of the attribute it is a value of."""
    inner = path
    while inner:
        if inner in sources:
            return sources[inner]
        inner = inner.rpartition(".")[0]
    kind, parted, rest = path.partition(".members.")
    attribute = rest.rpartition(".")[2].partition("[")[0]
    return sources.get(f"{kind}.attributes.{attribute}", "") if parted else ""
