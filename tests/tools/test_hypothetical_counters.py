"""Cases of Denain 1712 for values that no counter of its data has, on a variant that has such counters."""

from __future__ import annotations

from pathlib import Path

from interpreter.tools.cases.suite import format_report, run_cases

VARIANT = """
kind: variant
format: 1
id: other_counters
title: Other counters
extends: denain-1712
pieces:
  pieces:
    french_artillery-1: {guns: 3}
    fechenbech-1: {morale: 1}
"""
CASES = """
kind: cases
format: 1
about: A battery of 3, and a unit of morale 1.
cases:
  other-guns:
    title: an artillery value of 3 turns a 4 into a 1, which disorders
    rules: [10.3-b, 10.3-f]
    given: {position: empty, each: {french_artillery-1: {at: "1610", facing: se}, douglas: {at: "1612", facing: nw}}}
    when:
      - ask: bombardment(unit("french_artillery-1"), unit("douglas"), 4)
      - call: bombard
        args: {u: french_artillery-1, v: douglas}
        dice: {artillery_fire: [4]}
    then:
      value: 1
      each: {douglas: {strength: 3, condition: disordered}}
  other-morale:
    title: "morale 1 and a 2 in a zone of control: a step is lost and order too"
    rules: [11.7-d, A-60]
    given:
      position: empty
      each:
        fechenbech-1: {at: "2708", facing: nw}
        royal: {at: "2706", facing: se}
        navarre: {at: "2709", condition: routed}
        champagne: {at: "2808", condition: routed}
        lyonnais: {at: "2809", condition: routed}
        picardie: {at: "2609", condition: routed}
        piemont: {at: "2608", condition: routed}
    when:
      - call: retreat
        args: {u: fechenbech-1, number: 1, foes: [navarre], chain: [fechenbech-1]}
        dice: {retreat_check: [2]}
    then: {each: {fechenbech-1: {at: "2707", strength: 2, condition: disordered}}}
"""


def test_counters_that_data_lack(tmp_path: Path) -> None:
    (tmp_path / "other_counters.yaml").write_text(VARIANT, encoding="utf-8")
    (tmp_path / "other_counters-tests").mkdir()
    (tmp_path / "other_counters-tests" / "own.yaml").write_text(CASES, encoding="utf-8")
    report = run_cases(str(tmp_path / "other_counters.yaml"), "other")
    assert format_report(report) == "2 of 2 cases passed"
