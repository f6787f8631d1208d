"""Coverage of a ruleset by its cases: paragraphs, table cells, options and requirements.

Reads the checked rules and the counters of an instrumented program; runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.record_walk import iter_records
from interpreter.model.checked_model import CheckedModel
from interpreter.model.expressions import SHAPES
from interpreter.model.ruleset import Provenance, Table
from interpreter.model.statements import CheckedRequirement

if TYPE_CHECKING:
    from interpreter.runtime.program import Program
    from interpreter.tools.cases.case_documents import Case


@dataclass(frozen=True, slots=True)
class CaseCoverage:
    """The parts of a ruleset that cases have covered.

    `paragraphs`: by number; `requirements`: by address, whether it was met, refused or both; `cells`: the row numbers
    of the cells read, by table.
    """

    paragraphs: frozenset[str] = frozenset()
    requirements: Mapping[str, frozenset[bool]] = field(default_factory=dict)
    cells: Mapping[str, frozenset[tuple[int, ...]]] = field(default_factory=dict)


def read_coverage(program: Program) -> CaseCoverage:
    """Return the coverage recorded by a program that was instrumented and has run cases."""
    recorded = program.coverage
    return CaseCoverage(
        frozenset(recorded.paragraphs),
        {a: frozenset(x for x in (False, True) if times[x]) for a, times in recorded.requirements.items()},
        {t: frozenset(cells) for t, cells in recorded.cells.items()},
    )


def serialize_coverage(model: CheckedModel, cases: Iterable[Case], reached: CaseCoverage) -> dict[str, Any]:
    """Return the coverage report as plain data, by "paragraphs", "tables", "options" and "requirements".

    `reached`: the coverage that running the cases recorded.
    """
    cases = list(cases)
    tables = model.ruleset.tables.items()
    return {
        "paragraphs": _describe_paragraphs(model, cases, reached),
        "tables": {name: _describe_table(table, reached.cells.get(name, frozenset())) for name, table in tables},
        "options": _describe_options(model, cases),
        "requirements": _describe_requirements(model, reached),
    }


def _describe_paragraphs(model: CheckedModel, cases: list[Case], reached: CaseCoverage) -> dict[str, Any]:
    """Return the coverage of the paragraphs as plain data.

    `uncited`: neither rules nor data cite the paragraph. `uncovered`: it is cited, but no case reaches or names it.
    `reached`: the coverage that running the cases recorded.
    """
    rulebook = model.ruleset.rulebook
    rules_of_cases = {rule for case in cases for rule in case.rules}
    citing = {*model.cited, *find_paragraphs_cited_by_data(model)}
    definitions = [p.id for p in rulebook.values() if p.definition]
    rules = [p.id for p in rulebook.values() if not p.definition]
    cited = [r for r in rules if r in citing]
    covered = [r for r in cited if r in reached.paragraphs or r in rules_of_cases]
    return {
        "cited": len(cited),
        "covered": len(covered),
        "total": len(rules),
        "uncited": [r for r in rules if r not in citing],
        "uncovered": [r for r in cited if r not in reached.paragraphs and r not in rules_of_cases],
        "definitions": definitions,
    }


def find_paragraphs_cited_by_data(model: CheckedModel) -> set[str]:
    """Return the paragraphs that the documents other than the rulebook cite: in tables, things, scenarios etc."""
    inside = iter_records(model.ruleset, skipped_fields=("rulebook",))
    return {number for origin in inside if isinstance(origin, Provenance) for number in origin.cite}


def _describe_table(table: Table, reached: frozenset[tuple[int, ...]]) -> dict[str, Any]:
    missed = [rows for rows in table.cells if rows not in reached]
    return {
        "cells": len(table.cells),
        "reached": len(table.cells) - len(missed),
        "missed": [[axis.labels[n] for axis, n in zip(table.axes, rows, strict=True)] for rows in missed],
    }


def _describe_options(model: CheckedModel, cases: list[Case]) -> dict[str, dict[str, bool]]:
    """Return for each optional rule {"on": some case plays with the rule, "off": some case plays without it}."""
    return {
        option.id: {
            "on": any(_has_option_on(case, option.id, model) for case in cases),
            "off": any(not _has_option_on(case, option.id, model) for case in cases),
        }
        for option in model.ruleset.options.values()
    }


def _has_option_on(case: Case, option: str, model: CheckedModel) -> bool:
    """Return True if a case is played with an option on, or, if it has more than two values, not at its default."""
    ruleset = model.ruleset
    default = ruleset.options[option].default
    scenario = ruleset.scenarios.get(case.scenario or "") or next(
        (s for s in ruleset.scenarios.values() if s.default), None
    )
    value = scenario.options.get(option, default) if scenario else default
    value = case.options.get(option, value)
    return value not in (False, None) if ruleset.options[option].type != "choice" else value != default


def _describe_requirements(model: CheckedModel, reached: CaseCoverage) -> dict[str, Any]:
    """Return the coverage of the requirements: their number, how many are covered, and the uncovered addresses.

    A requirement is covered if it is met at least once and refused at least once. `reached`: the recorded coverage.
    """
    addresses = list_requirement_addresses(model)
    both = frozenset((True, False))
    results = {a: reached.requirements.get(a, frozenset()) for a in addresses}
    return {
        "total": len(addresses),
        "covered": sum(both <= r for r in results.values()),
        "never_refused": [a for a, r in results.items() if r == {True}],
        "never_met": [a for a, r in results.items() if r == {False}],
        "unreached": [a for a, r in results.items() if not r],
    }


def iter_parts(model: CheckedModel) -> Iterator[Any]:
    """Yield every statement in procedures and watchers, and every part of a statement.

    They come in the order of the rules, outer before inner.
    """
    bodies = [*(p.body for p in model.procedures.values()), *(watcher.body for watcher in model.watchers)]
    return iter_records(bodies, closed=SHAPES)


def list_requirement_addresses(model: CheckedModel) -> list[str]:
    """Return the addresses of all requirements in order of the rules: options, rules, drafts."""
    addresses: dict[str, None] = {}
    for part in iter_parts(model):
        if isinstance(part, CheckedRequirement):
            addresses[part.address] = None
    for rule in model.rules.values():
        addresses.update(dict.fromkeys(r.address for r in rule.requires))
    for draft in model.drafts.values():
        addresses.update(dict.fromkeys(r.address for step in draft.steps for r in step.requires))
        addresses.update(dict.fromkeys(r.address for r in draft.finish))
    return list(addresses)
