"""Find the cases of one ruleset that fail with another, by running them with both."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.api.game import Rules, load
from interpreter.diagnostics.diagnostic import Sink
from interpreter.i18n.translator import mark as _
from interpreter.tools.cases.case_checks import check_cases
from interpreter.tools.cases.case_documents import Case, CaseBook, CaseFault, read_case_book
from interpreter.tools.cases.case_runs import require_model
from interpreter.tools.cases.suite import Progress, run_case
from interpreter.tools.diff.difference import Difference


def iter_case_changes(before: str, now: str, progress: Progress | None = None) -> Iterator[Difference]:
    """Yield the cases that pass only with `before`, then the ones that pass only with `now`, then the ones set aside.

    `before` and `now`: the two targets; `progress`: called with the number of cases done and of all. A case that `now`
    redefines is run in its new form. Raises RulesetError if a target cannot be loaded.
    """
    old, new = load(before, checked=True), load(now, checked=True)
    old_book, new_book = read_case_book(before, Sink()), read_case_book(now, Sink())
    new_cases = {case.id: case for case in new_book.cases}
    retired = {case.id: case for case in new_book.set_aside}
    for number, case in enumerate(old_book.cases, 1):
        if case.id in retired:
            text = _("case {case} is skipped: {because}", case=case.id, because=retired[case.id].because)
            yield Difference("cases", "gone", case.id, text, case.span)
        else:
            yield from _run_both(case, new_cases.get(case.id, case), old, new)
        if progress:
            progress(number, len(old_book.cases))
    yield from _iter_only_new(old_book, new_book)


def _iter_only_new(old: CaseBook, new: CaseBook) -> Iterator[Difference]:
    known = {case.id for case in old.cases}
    for case in new.cases:
        if case.id not in known:
            yield Difference(
                "cases", "new", case.id, _("case {case} is new", case=case.id), case.span, None, case.title
            )


def _run_both(old_case: Case, new_case: Case, old: Rules, new: Rules) -> Iterator[Difference]:
    old_fault, new_fault = _find_fault(old_case, old), _find_fault(new_case, new)
    if old_fault is None and new_fault is not None:
        holes = {"case": old_case.id, "title": old_case.title, "fault": new_fault.message}
        text = _("case {case} no longer passes ({title}): {fault}", **holes)
        yield Difference("cases", "changed", old_case.id, text, new_fault.span, "passes", str(new_fault.message))
    elif old_fault is not None and new_fault is None:
        text = _("case {case} passes now ({title})", case=old_case.id, title=old_case.title)
        yield Difference("cases", "changed", old_case.id, text, new_case.span, str(old_fault.message), "passes")


def _find_fault(case: Case, rules: Rules) -> CaseFault | None:
    """Return the first fault of a case, or None if it passes."""
    sink = Sink()
    check_cases([case], require_model(rules), sink)
    if errors := sink.list_errors():
        return CaseFault(errors[0].message, errors[0].span)
    faults = run_case(case, rules).faults
    return faults[0] if faults else None
