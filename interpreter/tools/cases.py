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


def report_text(report: CaseReport) -> str:
    """The report for people: the failing cases, then the totals, then the coverage."""
    lines: list[str] = []
    for result in report.results:
        if not result.ok:
            lines.append(f"FAILED {result.id}  {result.title}")
            lines += [f"    {line}" for line in result.message.splitlines()]
            if result.uses:
                lines.append(f"    (its figures rest on {', '.join(result.uses)})")
    cases = "case" if len(report.results) == 1 else "cases"
    lines.append(f"{report.passed} of {len(report.results)} {cases} passed"
                 + (f", {report.failed} failed" if report.failed else ""))
    if report.coverage is not None:
        lines += coverage_lines(report.coverage)
    return "\n".join(lines)


def coverage_lines(data: Mapping[str, Any]) -> list[str]:
    """Coverage in words: what is covered, and by name what is not."""
    paragraphs, requirements = data["paragraphs"], data["requirements"]
    lines = [f"paragraphs: {paragraphs['covered']} of {paragraphs['total']} covered, "
             f"{paragraphs['cited']} cited by rules or data, "
             f"{len(paragraphs['definitions'])} definitions need no case"]
    lines += [f"  nothing cites: {', '.join(paragraphs['uncited'])}"] if paragraphs["uncited"] else []
    lines += [f"  no case reaches: {', '.join(paragraphs['uncovered'])}"] if paragraphs["uncovered"] else []
    for name, table in data["tables"].items():
        lines.append(f"table {name}: {table['reached']} of {table['cells']} cells")
        if table["missed"]:
            lines.append("  not reached: " + "; ".join(" ".join(map(str, at)) for at in table["missed"]))
    for name, option in data["options"].items():
        never = [word for word in ("on", "off") if not option[word]]
        lines += [f"option {name}: no case has it {' or '.join(never)}"] if never else []
    lines.append(f"requirements: {requirements['covered']} of {requirements['total']} both met and refused")
    for word in ("never_refused", "never_met", "unreached"):
        if requirements[word]:
            lines.append(f"  {word.replace('_', ' ')}: {', '.join(requirements[word])}")
    return lines
