"""Walks through the statements of checked rules. Must not judge them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from interpreter.model.core import CheckedModel, Requirement, is_core
from interpreter.source.text import Span


def iter_parts(model: CheckedModel) -> Iterator[Any]:
    """Every statement of the procedures and watchers, outer ones first, in order of the rules."""
    for procedure in model.procedures.values():
        yield from _parts(procedure.body)
    for watcher in model.watchers:
        yield from _parts(watcher.body)


def _parts(node: Any) -> Iterator[Any]:
    if isinstance(node, tuple):
        for item in node:
            yield from _parts(item)
    elif is_dataclass(node) and not is_core(node) and not isinstance(node, Span):
        yield node
        for field in fields(node):
            yield from _parts(getattr(node, field.name))


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
