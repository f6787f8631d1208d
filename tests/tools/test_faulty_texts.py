"""Words of rules that are at fault: play goes on with them, and cases tell the author."""

from __future__ import annotations

from pathlib import Path

from interpreter.tools.cases.suite import run_cases
from tests.tiny import write


def test_case_does_not_let_words_at_fault_pass(tmp_path: Path) -> None:
    rules = """
        procedure run(a: army):
            choose one by a "which?":
                option take "{1 / game.total}": nothing
                option leave: nothing
    """
    cases = """
        kind: cases
        format: 1
        cases:
          taken: {title: taken, when: [{call: run, args: {a: reds}, choices: [{one: take}]}], then: {decision: null}}
          left: {title: left, when: [{call: run, args: {a: reds}, choices: [{one: leave}]}], then: {decision: null}}
    """
    report = run_cases(str(write(tmp_path, rules, {"tests/all.yaml": cases})))
    told = {result.case.id: [str(fault.message) for fault in result.faults] for result in report.results}
    assert told == {"taken": ["tiny/own.rules:4: division by zero"], "left": []}
