"""Run a ruleset's cases and report which pass, which fail and why, and what they cover.

Prints nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.api.game import Rules, load
from interpreter.api.loading import disable_gc
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.record_walk import select_fields
from interpreter.i18n.translator import ENGLISH, Translator, mark as _
from interpreter.tools.cases.case_checks import check_cases
from interpreter.tools.cases.case_documents import Case, CaseFault, RetiredCase, read_case_book
from interpreter.tools.cases.case_runs import require_model, run_steps
from interpreter.tools.cases.coverage import read_coverage, serialize_coverage
from interpreter.tools.cases.expectations import check_outcome

if TYPE_CHECKING:
    from interpreter.tools.cases.transcripts import Transcript

Progress = Callable[[int, int], None]  # cases done, total number of cases


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of one case; the case passes if it has no faults."""

    case: Case
    faults: tuple[CaseFault, ...]

    @property
    def ok(self) -> bool:
        """Return True if every expectation was met."""
        return not self.faults

    @property
    def message(self) -> str:
        """Return the faults with their locations, one per line; or '' without faults."""
        return "\n".join(f"{f.span.file}:{f.span.line}: {f.message}" for f in self.faults)


@dataclass(frozen=True, slots=True)
class DependentCase:
    """A case that fails only because of data that the owner of the printed game has replaced.

    `entries`: the replaced entries of which any single one makes the case pass again when it is restored, or all
    replaced entries if no single one does.
    """

    id: str
    title: str
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseReport:
    """The results in file order; `coverage` is plain data, or None if it was not requested.

    `retired` are the cases of a variant's base that it replaces or retires. `dependent` are failed cases that depend
    on data which the owner of the printed game has replaced; they count neither as passed nor as failed.
    """

    results: tuple[CaseResult, ...]
    coverage: Mapping[str, Any] | None = None
    retired: tuple[RetiredCase, ...] = ()
    dependent: tuple[DependentCase, ...] = ()

    @property
    def passed(self) -> int:
        """Return the number of cases that passed."""
        return sum(r.ok for r in self.results)

    @property
    def failed(self) -> int:
        """Return the number of cases that failed."""
        return len(self.results) - self.passed - len(self.dependent)


def run_cases(
    target: str, pattern: str | None = None, coverage: bool = False, progress: Progress | None = None
) -> CaseReport:
    """Run the cases of a target whose ids begin with `pattern`, or all cases if it is None.

    `coverage`: also measure what the passed cases cover; `progress`: called with the number of cases run and of all.
    Raises RulesetError if the ruleset cannot be loaded or a case file has an error; then nothing is run.
    """
    rules = load(target, checked=True, instrument=coverage)
    model, sink = require_model(rules), Sink()
    with disable_gc():
        book = read_case_book(target, sink)
        cases = [c for c in book.cases if _is_selected(c.id, pattern)]
        check_cases(cases, model, sink)
    sink.raise_errors()
    results = []
    for number, case in enumerate(cases, 1):
        results.append(run_case(case, rules))
        if progress:
            progress(number, len(cases))
    passed = [case for case, result in zip(cases, results, strict=True) if result.ok]
    coverage_data = serialize_coverage(model, passed, read_coverage(rules.program)) if coverage else None
    return CaseReport(tuple(results), coverage_data, tuple(x for x in book.set_aside if _is_selected(x.id, pattern)))


def run_case(case: Case, rules: Rules) -> CaseResult:
    """Run one case and compare its results with its expectations; `rules` were loaded with their checked model."""
    run = run_steps(case, rules)
    if isinstance(run, CaseFault):
        return CaseResult(case, (run,))
    return CaseResult(case, tuple(run.faults or check_outcome(run)))


def show_cases(target: str, case_id: str, lang: str = "") -> list[Transcript]:
    """Return transcripts of the case with the id `case_id`, or else of the cases whose ids begin with `case_id`.

    Raises RulesetError as `run_cases` does.
    """
    from interpreter.tools.cases.transcripts import record_transcript

    rules = load(target, checked=True)
    sink = Sink()
    book = read_case_book(target, sink).cases
    cases = [c for c in book if c.id == case_id] or [c for c in book if _is_selected(c.id, case_id)]
    check_cases(cases, require_model(rules), sink)
    sink.raise_errors()
    return [record_transcript(case, rules, lang) for case in cases]


def _is_selected(case: str, pattern: str | None) -> bool:
    return not pattern or case.lower().startswith(pattern.lower())


def serialize_report(report: CaseReport) -> dict[str, Any]:
    """Return the report as plain data: the numbers of cases, then each case, the skipped cases and the coverage."""
    data: dict[str, Any] = {
        "passed": report.passed,
        "failed": report.failed,
        "cases": [
            {
                "id": r.case.id,
                "ok": r.ok,
                "rules": list(r.case.rules),
                "message": r.message,
                "title": r.case.title,
                "file": r.case.span.file,
                "line": r.case.span.line,
            }
            for r in report.results
        ],
    }
    for word, is_replaced in (("replaced", True), ("retired", False)):
        if retired := [x for x in report.retired if x.is_replaced == is_replaced]:
            data[word] = [select_fields(x, "id", "title", "because", "file", "line") for x in retired]
    if report.dependent:
        data["resting"] = [{"id": x.id, "title": x.title, "entries": list(x.entries)} for x in report.dependent]
    if report.coverage is not None:
        data["coverage"] = report.coverage
    return data


def format_report(report: CaseReport, say: Translator = ENGLISH) -> str:
    """Format the report as text: the failed cases, the totals, then the coverage."""
    lines: list[str] = []
    dependent_ids = {case_entry.id for case_entry in report.dependent}
    for result in report.results:
        case = result.case
        if not result.ok and case.id not in dependent_ids:
            lines.append(say("FAILED {case}  {title}", case=case.id, title=case.title))
            text = "\n".join(f"{f.span.file}:{f.span.line}: {say(f.message)}" for f in result.faults)
            lines += [f"    {line}" for line in text.splitlines()]
            if case.uses:
                lines.append("    " + say("(its values are based on {names})", names=say(", ").join(case.uses)))
    text = (
        say("{passed} of 1 case passed", passed=report.passed)
        if len(report.results) == 1
        else say("{passed} of {number} (case|cases) passed", passed=report.passed, number=len(report.results))
    )
    lines.append(text + (say(", {number} failed", number=report.failed) if report.failed else ""))
    lines += [*_format_resting(report.dependent, say), *_format_set_aside(report.retired, say)]
    if report.coverage is not None:
        lines += format_coverage(report.coverage, say)
    return "\n".join(lines)


def _format_resting(resting: tuple[DependentCase, ...], say: Translator) -> list[str]:
    """Return lines that list the cases based on replaced data, grouped by the replaced entries; [] for none."""
    if not resting:
        return []
    text = _("skipped: {number}, based on reconstructed data that have been replaced (they pass with the old data)")
    by_data: dict[tuple[str, ...], list[str]] = {}
    for case in resting:
        by_data.setdefault(case.entries, []).append(case.id)
    listed = say(", ").join
    return [say(text, number=len(resting))] + [
        "  " + say("{what}: {values}", what=listed(entries), values=listed(ids)) for entries, ids in by_data.items()
    ]


def _format_set_aside(set_aside: tuple[RetiredCase, ...], say: Translator) -> list[str]:
    """Return lines with the number of cases that a variant replaces and retires, and the reasons."""
    lines = []
    sorts = ((_("replaced in this variant: {number}"), True), (_("retired in this variant: {number}"), False))
    for text, is_replaced in sorts:
        by_reason: dict[str, list[str]] = {}
        for aside in set_aside:
            if aside.is_replaced == is_replaced:
                by_reason.setdefault(aside.because, []).append(aside.id)
        if by_reason:
            lines.append(say(text, number=sum(map(len, by_reason.values()))))
            lines += [
                "  " + say("{what}: {values}", what=say(", ").join(ids), values=why) for why, ids in by_reason.items()
            ]
    return lines


def format_coverage(data: Mapping[str, Any], say: Translator = ENGLISH) -> list[str]:
    """Format the coverage report `data` as lines: totals, and the names of uncovered items."""
    paragraphs, requirements, listed = data["paragraphs"], data["requirements"], say(", ").join
    lines = [
        say(
            "paragraphs: {covered} of {total} covered, {cited} cited by rules or data, {definitions} "
            "definitions without need for a case",
            covered=paragraphs["covered"],
            total=paragraphs["total"],
            cited=paragraphs["cited"],
            definitions=len(paragraphs["definitions"]),
        )
    ]
    for name, text in (("uncited", _("not cited: {names}")), ("uncovered", _("not covered by a case: {names}"))):
        lines += ["  " + say(text, names=listed(paragraphs[name]))] if paragraphs[name] else []
    for name, table in data["tables"].items():
        reached, cells = table["reached"], table["cells"]
        lines.append(say("table {name}: {reached} of {cells} cells", name=name, reached=reached, cells=cells))
        if table["missed"]:
            missed = "; ".join(" ".join(map(str, rows)) for rows in table["missed"])
            lines.append("  " + say("not reached: {names}", names=missed))
    for name, option in data["options"].items():
        never = [word for word in ("on", "off") if not option[word]]
        if never:
            lines.append(say("option {name}: no case uses {values}", name=name, values=say(" or ").join(never)))
    covered, total = requirements["covered"], requirements["total"]
    lines.append(say("requirements: {covered} of {total} both passed and failed", covered=covered, total=total))
    for name, text in (
        ("never_refused", _("never failed: {names}")),
        ("never_met", _("never passed: {names}")),
        ("unreached", _("unreached: {names}")),
    ):
        if requirements[name]:
            lines.append("  " + say(text, names=listed(requirements[name])))
    return lines
