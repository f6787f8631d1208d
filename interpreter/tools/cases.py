"""Runs a ruleset's own cases and reports: which hold, which do not and why, what they cover.

Must not print.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter.game import Rules, load
from interpreter.model.core import CheckedModel
from interpreter.source.diagnostic import RulesetError, Sink
from interpreter.speech import ENGLISH, Say
from interpreter.speech import mark as _
from interpreter.tools.case_expectations import check_outcome
from interpreter.tools.case_names import check_names
from interpreter.tools.case_reading import Case, collect_cases
from interpreter.tools.case_running import Fault, run_steps
from interpreter.tools.coverage import coverage_data, reached_by

Progress = Callable[[int, int], None]  # cases done, cases in all


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How one case went: no faults, it holds. `file` and `line` say where it stands."""

    id: str
    title: str
    rules: tuple[str, ...]
    faults: tuple[Fault, ...]
    file: str
    line: int
    uses: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything was as the case says."""
        return not self.faults

    @property
    def message(self) -> str:
        """The faults with their places, one a line; '' when there are none."""
        return "\n".join(f"{f.span.file}:{f.span.line}: {f.message}" for f in self.faults)


@dataclass(frozen=True, slots=True)
class CaseReport:
    """The results in order of the files; `coverage` is plain data, or None when it was not asked for."""

    results: tuple[CaseResult, ...]
    coverage: Mapping[str, Any] | None = field(default=None)

    @property
    def passed(self) -> int:
        """How many cases hold."""
        return sum(r.ok for r in self.results)

    @property
    def failed(self) -> int:
        """How many cases do not."""
        return len(self.results) - self.passed


def run_cases(target: str, pattern: str | None = None, coverage: bool = False,
              progress: Progress | None = None) -> CaseReport:
    """Run the cases of a target whose id begins with `pattern` (all without one).

    RulesetError when the ruleset cannot be loaded, and when a case file is at fault: then nothing is run.
    """
    rules = load(target, checked=True, instrument=coverage)
    model = _model(rules)
    sink = Sink()
    cases = [c for c in collect_cases(target, sink) if _is_meant(c, pattern)]
    check_names(cases, model, sink)
    if sink.has_errors:
        raise RulesetError(tuple(d for d in sink.sorted() if d.severity == "error"))
    results = []
    for number, case in enumerate(cases, 1):
        results.append(run_case(case, rules, model))
        if progress:
            progress(number, len(cases))
    passed = [case for case, result in zip(cases, results, strict=True) if result.ok]
    found = coverage_data(model, passed, reached_by(rules.program)) if coverage else None
    return CaseReport(tuple(results), found)


def run_case(case: Case, rules: Rules, model: CheckedModel) -> CaseResult:
    """Run one case and compare."""
    course = run_steps(case, rules, model)
    if isinstance(course, Fault):
        faults = [course]
    else:
        faults = course.faults or check_outcome(case, course, model)
    return CaseResult(case.id, case.title, case.rules, tuple(faults), case.span.file, case.span.line,
                      case.uses)


def _model(rules: Rules) -> CheckedModel:
    model: CheckedModel | None = rules.model
    if model is None:
        raise RulesetError(())
    return model


def _is_meant(case: Case, pattern: str | None) -> bool:
    return not pattern or case.id.lower().startswith(pattern.lower())


def report_data(report: CaseReport) -> dict[str, Any]:
    """The report as plain data."""
    data: dict[str, Any] = {
        "passed": report.passed,
        "failed": report.failed,
        "cases": [{"id": r.id, "ok": r.ok, "rules": list(r.rules), "message": r.message, "title": r.title,
                   "file": r.file, "line": r.line} for r in report.results],
    }
    if report.coverage is not None:
        data["coverage"] = report.coverage
    return data


def report_text(report: CaseReport, say: Say = ENGLISH) -> str:
    """The report for people: the failing cases, then the totals, then the coverage."""
    lines: list[str] = []
    for result in report.results:
        if not result.ok:
            lines.append(say("FAILED {case}  {title}", case=result.id, title=result.title))
            lines += [f"    {line}" for line in result.message.splitlines()]
            if result.uses:
                lines.append("    " + say("(its figures rest on {names})", names=say(", ").join(result.uses)))
    told = say("{passed} of 1 case passed", passed=report.passed) if len(report.results) == 1 else say(
        "{passed} of {number} cases passed", passed=report.passed, number=len(report.results))
    lines.append(told + (say(", {number} failed", number=report.failed) if report.failed else ""))
    if report.coverage is not None:
        lines += coverage_lines(report.coverage, say)
    return "\n".join(lines)


def coverage_lines(data: Mapping[str, Any], say: Say = ENGLISH) -> list[str]:
    """Coverage in words: what is covered, and by name what is not."""
    paragraphs, requirements, listed = data["paragraphs"], data["requirements"], say(", ").join
    lines = [say("paragraphs: {covered} of {total} covered, {cited} cited by rules or data, {definitions} definitions "
                 "need no case", covered=paragraphs["covered"], total=paragraphs["total"], cited=paragraphs["cited"],
                 definitions=len(paragraphs["definitions"]))]
    for name, told in (("uncited", _("nothing cites: {names}")), ("uncovered", _("no case reaches: {names}"))):
        lines += ["  " + say(told, names=listed(paragraphs[name]))] if paragraphs[name] else []
    for name, table in data["tables"].items():
        lines.append(say("table {name}: {reached} of {cells} cells", name=name, reached=table["reached"],
                         cells=table["cells"]))
        if table["missed"]:
            lines.append("  " + say("not reached: {names}",
                                    names="; ".join(" ".join(map(str, at)) for at in table["missed"])))
    for name, option in data["options"].items():
        never = [word for word in ("on", "off") if not option[word]]
        if never:
            lines.append(say("option {name}: no case has it {values}", name=name, values=say(" or ").join(never)))
    lines.append(say("requirements: {covered} of {total} both met and refused", covered=requirements["covered"],
                     total=requirements["total"]))
    for name, told in (("never_refused", _("never refused: {names}")), ("never_met", _("never met: {names}")),
                       ("unreached", _("unreached: {names}"))):
        if requirements[name]:
            lines.append("  " + say(told, names=listed(requirements[name])))
    return lines
