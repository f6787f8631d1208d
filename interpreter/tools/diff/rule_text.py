"""The structure of rules independent of their layout, and their text in one line.

Compares nothing.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass

from interpreter.diagnostics.source_text import Span

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|#[^\n]*|\s+')
_LONGEST = 240  # characters of a rule shown in a message


def shape_of(node: object) -> object:
    """Return the structure of a node without spans: equal for texts that differ only in layout and comments."""
    if isinstance(node, Span):
        return None
    if isinstance(node, tuple):
        return tuple(shape_of(item) for item in node)
    if is_dataclass(node):
        return (type(node).__name__, *(shape_of(getattr(node, field.name)) for field in fields(node)))
    return node


def text_of(node: object) -> str:
    """Return the source text of a node in one line without comments, truncated if it is long."""
    if isinstance(node, tuple):
        return " ".join(text_of(item) for item in node)
    if isinstance(node, str):
        return f'"{node}"'
    span: Span = getattr(node, "span")  # noqa: B009 - every other part is a node
    written = span.source.text[span.start : span.end]
    told = " ".join(_TOKEN.sub(lambda m: m[0] if m[0].startswith('"') else " ", written).split(" ")).strip()
    told = re.sub(r" +", " ", told)
    return told if len(told) <= _LONGEST else told[: _LONGEST - 3] + "..."
