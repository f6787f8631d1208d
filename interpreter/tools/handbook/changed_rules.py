"""The change statements of a variant as they are written, each with its place. Must not carry them out."""

from __future__ import annotations

from typing import Any

from interpreter.documents.trees import Trees
from interpreter.language import syntax as s
from interpreter.language.parsing import parse_module
from interpreter.source.diagnostic import Sink

Data = dict[str, Any]


def changed_rules(trees: Trees) -> list[Data]:
    """What the variants on the way, the innermost first, replace, take away, add or bring: each with file and line."""
    found = []
    for source in trees.changes:
        module = parse_module(source, Sink())
        for item in module.items if module else ():
            if isinstance(item, s.Change):
                what, path = _change(item)
            else:
                what, path = "new", getattr(item, "name", getattr(item, "event", ""))
            found.append({"what": what, "path": path, "file": item.span.file, "line": item.span.line})
    return found


def _change(item: s.Change) -> tuple[str, str]:
    """What a statement does, as it is written, and to what."""
    added = getattr(item.content[0], "name", "") if item.content else ""
    match item.sort.split():
        case ["add", where] if where in ("before", "after"):
            return f"add phase {added} {where}", item.path[-1]
        case ["move", where]:
            return f"move phase {item.path[0]} {where}", item.path[-1]
    return item.sort, ".".join(item.path)
