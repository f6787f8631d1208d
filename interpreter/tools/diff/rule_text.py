"""Rules as they are written: the same shape however they are laid out, and their text in one line.

Must not compare.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

from interpreter.diagnostics.source_text import Span

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|#[^\n]*|\s+')
_LONGEST = 240  # letters of a rule that are told


def shape_of(node: Any) -> Any:
    """What a node says without where it stands: equal for what is written alike but for layout and comments."""
    if isinstance(node, Span):
        return None
    if isinstance(node, tuple):
        return tuple(shape_of(item) for item in node)
    if is_dataclass(node):
        return (type(node).__name__, *(shape_of(getattr(node, field.name)) for field in fields(node)))
    return node


def text_of(node: Any) -> str:
    """What is written, in one line, without comments; shortened where it is long."""
    if isinstance(node, tuple):
        return " ".join(text_of(item) for item in node)
    if isinstance(node, str):
        return f'"{node}"'
    span: Span = node.span
    written = span.source.text[span.start : span.end]
    told = " ".join(_TOKEN.sub(lambda m: m[0] if m[0].startswith('"') else " ", written).split(" ")).strip()
    told = re.sub(r" +", " ", told)
    return told if len(told) <= _LONGEST else told[: _LONGEST - 3] + "..."
