"""Requirements and conditions are read in the order written: a guard keeps from fault what follows, and hides none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.api.rules import Rules
from interpreter.backends.python.program_printer import compile_program
from interpreter.ir.program_records import ProgramForm
from interpreter.lowering.model_lowering import lower_model
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.program import Program
from tests.tiny import build, called, notes, option_keys

TABLES = {
    "tables.yaml": """\
    kind: tables
    format: 1
    tables:
      owner:
        axes: {number: {range: 1..2}}
        gives: army
        cells: {1: reds, 2: blues}
      odds:
        axes: {ratio: {ratio: ["1-2", "1-1", "2-1"], round: down, below: clamp, above: clamp}}
        gives: int
        blanks: true
        cells: {1-2: 1, 1-1: 2}
"""
}


def both_forms(rules: Rules) -> list[Rules]:
    """Return the program as it is played, and the form that records coverage."""
    assert rules.model is not None
    noting = compile_program(lower_model(rules.model, explained=True, form=ProgramForm.COVERED), rules.model)
    plain = Program(noting.codes, json.loads(json.dumps(noting.data)))
    return [rules, Rules(plain, rules.model, rules.target, rules.source)]


def test_guard_precedes_lookup_in_filter(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        procedure run(a: army):
            for n in 0..3:
                report note(count({u in units where n in 1..2 and u.army == owner[n]}))
                for u in {x in units where n in 1..2 and x.army == owner[n]}: report note(9)
        """,
        TABLES,
    )
    for form in both_forms(rules):
        assert notes(called(form, "run", a="reds")) == [0, 3, 9, 9, 9, 3, 9, 9, 9, 0]


def test_guard_precedes_ratio_of_chart_with_blanks(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        procedure run(a: army):
            choose attack by a:
                option go(n in 0..2, p in places):
                    require some: n > p.height  "nobody is there"
                    require good: (odds[2 / n] else 0) != 1  "the odds are bad"
        """,
        TABLES,
    )
    for form in both_forms(rules):
        assert option_keys(called(form, "run", a="reds")) == [
            "go(1, b)", "go(1, d)", "go(2, a)", "go(2, b)", "go(2, d)",
        ]  # fmt: skip


def test_guard_precedes_parameter_domain(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        procedure run(a: army):
            choose target by a:
                option go(n in 0..2, p in places):
                    require some: n > p.height  "nobody is there"
                    require meant: p in {q in places where q.height < 2 / n}  "another place is meant"
        """,
    )
    for form in both_forms(rules):
        assert option_keys(called(form, "run", a="reds")) == ["go(1, b)", "go(1, d)", "go(2, b)", "go(2, d)"]


@pytest.mark.parametrize(
    "requirements",
    [
        ["2 / n + p.height > 0", "p in nowhere(a)"],
        ["2 / n + p.height > 0", "n > 5"],
        ["2 / n + p.height > 0", "linked(p, a.home) and n > 5"],
    ],
)
def test_later_code_does_not_hide_fault(tmp_path: Path, requirements: list[str]) -> None:
    lines = "\n".join(f'                    require r{i}: {text}  "no"' for i, text in enumerate(requirements))
    rules = build(
        tmp_path,
        f"""
        define nowhere(p: place) -> set of place = if p.held then {{p}} else {{}}
        procedure run(a: army):
            choose where_to by a:
                option go(n in 0..1, p in places):
{lines.replace("(a)", "(a.home)")}
                otherwise: nothing
        """,
    )
    for form in both_forms(rules):
        with pytest.raises(RuleFault, match="division by zero"):
            called(form, "run", a="reds")


def test_empty_domain_skips_faulting_test(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        define nobody(n: int) -> set of place = {p in places where n > 5}
        procedure run(a: army):
            choose where_to by a:
                option go(n in 0..1, p in nobody(n)):
                    require even: 2 / n > 0  "no"
                otherwise: report note(1)
        """,
    )
    for form in both_forms(rules):
        assert notes(called(form, "run", a="reds")) == [1]


def test_test_of_set_is_made_of_every_member_before_any_is_used(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        procedure run(a: army):
            report note(if any n in {k in {2, 1, 0} where 2 / k > 0} then 1 else 0)
        """,
    )
    for form in both_forms(rules):
        with pytest.raises(RuleFault, match="division by zero"):
            called(form, "run", a="reds")


def test_unused_define_argument_is_evaluated(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        rule apart(k: number, n: int):
            require some: n > 0  "none"
            require much: k > 0  "nothing"
        draft way(n: int) starting left = 2:
            option go(p in places) now left = left - 1:
                require apart(2 / n, n)
            finish require gone: left < 2  "nothing is done"
        procedure run(n: int):
            report note(if possible way(n) then 1 else 0)
        """,
    )
    for form in both_forms(rules):
        assert notes(called(form, "run", n=1)) == [1]
        with pytest.raises(RuleFault, match="division by zero"):
            called(form, "run", n=0)


def test_first_fault_in_reading_order_is_reported(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        procedure run(n: int):
            if owner[n] == first(armies) and count(u in units where u.army == owner[n + 7]) > 0: report note(1)
            let k = remainder(3, n) + count(u in units where u.army == owner[n + 7])
        """,
        TABLES,
    )
    for form in both_forms(rules):
        with pytest.raises(RuleFault, match="no row for 0"):
            called(form, "run", n=0)
