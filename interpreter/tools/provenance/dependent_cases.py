"""Find failing cases that depend on reconstructed data: they hold again with the shipped values.

Found by trial, not by annotation: a case that fails for any other reason fails with the shipped values too.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.api.rules import Rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.tools.cases.case_documents import Case, collect_cases
from interpreter.tools.cases.suite import CaseResult, DependentCase, run_case
from interpreter.tools.provenance.replaced_data import TypedOver, find_replaced_data, restore_data

_MOST_APART = 24  # entries restored one by one


def find_dependent_cases(target: str, failed: Iterable[CaseResult]) -> list[DependentCase]:
    """Return the failed cases of a copied ruleset that depend on data its owner has replaced."""
    ids = [result.case.id for result in failed]
    found = find_replaced_data(target) if ids else None
    if found is None:
        return []
    whole = restore_data(found, found.groups)
    cases = {case.id: case for case in collect_cases(target, Sink())}
    resting = [cases[id] for id in ids if whole is not None and id in cases and _holds(cases[id], whole)]
    names = (
        _find_entries(found, resting) if len(found.groups) > 1 else {case.id: tuple(found.groups) for case in resting}
    )
    return [DependentCase(case.id, case.title, names.get(case.id) or tuple(found.groups)) for case in resting]


def _find_entries(found: TypedOver, cases: list[Case]) -> dict[str, tuple[str, ...]]:
    """Map each case to the entries whose restoration alone makes the case pass again."""
    names: dict[str, tuple[str, ...]] = {}
    for entry in list(found.groups)[:_MOST_APART] if cases else ():
        rules = restore_data(found, [entry])
        for case in cases:
            if rules is not None and _holds(case, rules):
                names[case.id] = (*names.get(case.id, ()), entry)
    return names


def _holds(case: Case, rules: Rules) -> bool:
    return rules.model is not None and run_case(case, rules, rules.model).ok
