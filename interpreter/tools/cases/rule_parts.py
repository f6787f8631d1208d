"""Walks through the statements of checked rules. Must not judge them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.model.core import CheckedModel, Requirement
from interpreter.model.nodes import SHAPES
from interpreter.source.record_parts import records_within


def iter_parts(model: CheckedModel) -> Iterator[Any]:
    """Every statement of the procedures and watchers, outer ones first, in order of the rules."""
    bodies = [*(p.body for p in model.procedures.values()), *(watcher.body for watcher in model.watchers)]
    return records_within(bodies, closed=SHAPES)


def requirement_addresses(model: CheckedModel) -> list[str]:
    """The addresses of all requirements, in order of the rules: options, rules, drafts."""
    found: dict[str, None] = {}
    for part in iter_parts(model):
        if isinstance(part, Requirement):
            found[part.address] = None
    for rule in model.rules.values():
        found.update(dict.fromkeys(r.address for r in rule.requires))
    for draft in model.drafts.values():
        found.update(dict.fromkeys(r.address for step in draft.steps for r in step.requires))
        found.update(dict.fromkeys(r.address for r in draft.finish))
    return list(found)
