"""The numbers of requirements: those of rules, then of drafts, then of decisions, in the order of the rules."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.checker.suspension import walk
from interpreter.model import statements as c


def iter_requirements(model: c.CheckedModel) -> Iterator[c.CheckedRequirement]:
    """Iterate over every requirement in the order of its number."""
    for rule in model.rules.values():
        yield from rule.requires
    for draft in model.drafts.values():
        for step in draft.steps:
            yield from step.requires
        yield from draft.finish
    for procedure in model.procedures.values():
        for stmt in walk(procedure.body):
            if isinstance(stmt, c.Decide):
                for choice in stmt.choices:
                    yield from choice.requires
                if stmt.until_done:
                    yield from stmt.finish


def number_requirements(model: c.CheckedModel) -> dict[int, int]:
    """Return the number of each requirement by the identity of its record."""
    return {id(requirement): number for number, requirement in enumerate(iter_requirements(model))}
