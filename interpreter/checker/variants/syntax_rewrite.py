"""Rewrite syntax trees generically: unchanged parts are shared, changed ones rebuilt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from interpreter.diagnostics.record_walk import iter_records
from interpreter.diagnostics.source_text import Span

_Part = TypeVar("_Part")


def rebuild(node: object, visit: Callable[[Any], object]) -> object:
    """Rebuild a node with every part replaced by `visit(part)`; return the node itself if nothing changed."""
    if isinstance(node, tuple):
        new = tuple(visit(x) if not isinstance(x, tuple) else rebuild(x, visit) for x in node)
        return node if all(a is b for a, b in zip(node, new, strict=True)) else new
    if not is_dataclass(node) or isinstance(node, Span | type):
        return node
    changed: dict[str, object] = {}
    for f in fields(node):
        old = getattr(node, f.name)
        if f.name == "span" or isinstance(old, str | int | bool | Span) or old is None:
            continue
        part = rebuild(old, visit) if isinstance(old, tuple) else visit(old)
        if part is not old:
            changed[f.name] = part
    return replace(node, **changed) if changed else node


def find_parts(node: object, part_type: type[_Part]) -> list[_Part]:
    """Return every record of the class `part_type` in a syntax tree, including the node itself."""
    return [part for part in iter_records(node) if isinstance(part, part_type)]
