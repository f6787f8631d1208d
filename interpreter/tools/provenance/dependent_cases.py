"""Which failing cases rest on what was reconstructed: those that hold as soon as the shipped figures are put back.

Nothing is told by hand: a case that fails for any other reason fails with the shipped figures too, and stays failed.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.api.rules import Rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.tools.cases.case_documents import Case, collect_cases
from interpreter.tools.cases.suite import CaseResult, DependentCase, run_case
from interpreter.tools.provenance.replaced_data import TypedOver, restored, typed_over

_MOST_APART = 24  # entries that are put back one by one


def resting_cases(target: str, failed: Iterable[CaseResult]) -> list[DependentCase]:
    """Those of the failed cases of a copy of a shipped ruleset that rest on what its owner has typed over."""
    ids = [result.case.id for result in failed]
    found = typed_over(target) if ids else None
    if found is None:
        return []
    whole = restored(found, found.groups)
    cases = {case.id: case for case in collect_cases(target, Sink())}
    resting = [cases[id] for id in ids if whole is not None and id in cases and _holds(cases[id], whole)]
    names = _named(found, resting) if len(found.groups) > 1 else {case.id: tuple(found.groups) for case in resting}
    return [DependentCase(case.id, case.title, names.get(case.id) or tuple(found.groups)) for case in resting]


def _named(found: TypedOver, cases: list[Case]) -> dict[str, tuple[str, ...]]:
    """For each case the entries each of which alone brings it back."""
    names: dict[str, tuple[str, ...]] = {}
    for entry in list(found.groups)[:_MOST_APART] if cases else ():
        rules = restored(found, [entry])
        for case in cases:
            if rules is not None and _holds(case, rules):
                names[case.id] = (*names.get(case.id, ()), entry)
    return names


def _holds(case: Case, rules: Rules) -> bool:
    return rules.model is not None and run_case(case, rules, rules.model).ok
