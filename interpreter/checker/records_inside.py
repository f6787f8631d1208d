"""Every record of checked rules that lies inside others, for findings that look through the whole. Must not judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.model.core import CheckedModel
from interpreter.model.nodes import children, is_core
from interpreter.source.text import Span

_NO_PARTS = ("span", "type")


def records_of(model: CheckedModel, but_for: tuple[str, ...] = ("ruleset",)) -> Iterator[Any]:
    """Every record of the rules, in no order that means anything; of the model's fields those named are left out."""
    return records_inside([getattr(model, name) for name in model.__dataclass_fields__ if name not in but_for])


def records_inside(whole: Any) -> Iterator[Any]:
    """Every record inside a mapping, a tuple, a list or a record, itself among them; of expressions all parts."""
    stack = [whole]
    while stack:
        one = stack.pop()
        if is_core(one):
            yield one
            stack.extend(children(one))
        elif isinstance(one, dict):
            stack.extend(one.values())
        elif isinstance(one, tuple | list):
            stack.extend(one)
        elif hasattr(one, "__dataclass_fields__") and not isinstance(one, Span):
            yield one
            stack.extend(getattr(one, name) for name in one.__dataclass_fields__ if name not in _NO_PARTS)
