"""A case with an answer too many is told what became of the decision it answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter.api.loading import load
from interpreter.api.rules import Rules
from interpreter.tools.cases import case_runs
from interpreter.tools.cases.case_documents import Case, CaseFault
from interpreter.tools.cases.suite import run_cases
from tests.recordings import assert_recorded
from tests.tiny import write

RULES = """
    procedure retreat(a: army, most: int):
        choose way by a "which way?" alone:
            option back(n in {x in 1..3 where x <= most}):
                set game.total = n
            otherwise: set game.total = 9
        if most > 4:
            choose after by a "and then?":
                option stay
                option go
"""
CASE = """
    kind: cases
    format: 1
    cases:
      A:
        title: an answer too many
        rules: ["1.1"]
        given: {{position: empty}}
        when:
          - call: retreat
            args: {{a: reds, most: {most}}}
            choices: [{choices}]
        then: {{game: {{total: {total}}}}}
"""


def failure(folder: Path, most: int, choices: str, total: int = 1) -> str:
    """Run a case in which so many answers are legal. Return what it is told."""
    case = CASE.format(most=most, choices=choices, total=total)
    target = str(write(folder, RULES, {"tests/retreats.yaml": case}))
    (report,) = run_cases(target).results
    return " / ".join(str(fault.message) for fault in report.faults)


ANSWER = "the answer `way: back` was not needed: "


@pytest.mark.parametrize(
    ("most", "choices"), [(1, "{way: back}"), (0, "{way: back}"), (2, "{way: {n: 1}}, {way: back}")]
)
def test_unneeded_answer_explains_its_decision(tmp_path: Path, most: int, choices: str) -> None:
    assert_recorded(failure(tmp_path, most, choices))


def test_unneeded_answer_names_open_decision(tmp_path: Path) -> None:
    told = failure(tmp_path, 5, "{way: {n: 1}}, {way: back}, {after: go}")
    assert_recorded(told)


def test_answer_to_unreached_decision_is_reported(tmp_path: Path) -> None:
    told = failure(tmp_path, 1, "{after: go}")
    assert told == "the answer `after: go` was not needed: play did not reach `after`; no decision is open"


def test_case_without_answer_holds(tmp_path: Path) -> None:
    assert failure(tmp_path, 1, "") == ""
    assert failure(tmp_path / "other", 0, "", total=9) == ""


def test_explanation_leaves_shared_program_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_steps, programs = case_runs.run_steps, []

    def record_program(case: Case, rules: Rules, *args: Any, **options: Any) -> case_runs.CaseRun | CaseFault:
        programs.append(rules.program)
        return run_steps(case, rules, *args, **options)

    monkeypatch.setattr(case_runs, "run_steps", record_program)
    failure(tmp_path, 0, "{way: back}")
    [program] = programs  # the run that finds out why a decision was skipped
    assert program is not load(str(tmp_path / "tiny")).program
