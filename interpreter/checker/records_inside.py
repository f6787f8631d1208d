"""Every record of checked rules that lies inside others, for findings that look through the whole. Must not judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.model.core import CheckedModel, parts_of
from interpreter.source.record_parts import records_within


def records_of(model: CheckedModel, but_for: tuple[str, ...] = ("ruleset",)) -> Iterator[Any]:
    """Every record of the rules, in no order that means anything; of the model's fields those named are left out."""
    return records_inside(parts_of(model, but_for))


def records_inside(whole: Any) -> Iterator[Any]:
    """Every record inside a part of the rules, types apart."""
    return records_within(whole, but_for=("span", "type"))
