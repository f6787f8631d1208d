"""Test each optimization pass on small rules, before and after."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.ir import program_records as ir
from interpreter.ir.printer import format_program
from interpreter.ir.verifier import verify
from interpreter.lowering.model_lowering import lower_model
from interpreter.passes.pipeline import PASSES, PYTHON_PASSES, run_passes
from tests.witness.small import model_of

After = Callable[..., str]


@pytest.fixture
def after(tmp_path: Path) -> After:
    """Return the text of an item after some passes alone."""

    def made(rules: str, name: str, *passes: str) -> str:
        program: ir.LoweredProgram = lower_model(model_of(tmp_path, rules))
        left_out = (PASSES | PYTHON_PASSES).keys() - set(passes)
        program = run_passes(program, without=left_out, check=lambda p, _: verify(p), for_python=True)
        return format_program(program, name)

    return made


CHOICE = """
    turn:
        phase first:
            choose go by reds:
                option go(u in units, p in places):
                    {requirements}
                    move u to p
                otherwise: nothing
"""


def choice(*requirements: str) -> str:
    lines = "\n                    ".join(f"require {test}" for test in requirements)
    return CHOICE.format(requirements=lines)


def test_predicate_pushdown_tests_parameter_before_next_is_bound(after: After) -> None:
    rules = choice('near: linked(u.at, p) "far"', 'own: u.army == reds "not yours"')
    before, pushed = after(rules, "go"), after(rules, "go", "predicate_pushdown")
    assert before.index("for p.") < before.index("piece_army")
    assert pushed.index("piece_army") < pushed.index("for p.")


def test_predicate_pushdown_leaves_no_test_behind_that_may_fault(after: After) -> None:
    rules = choice('risky: 1 / p.mark > 0 "no"', 'own: u.army == reds "not yours"')
    pushed = after(rules, "go", "predicate_pushdown")
    assert pushed.index("for p.") < pushed.index("piece_army")


def test_parameter_narrowing_iterates_over_implied_set(after: After) -> None:
    rules = choice('near: linked(u.at, p) "far"')
    narrowed = after(rules, "go", "predicate_pushdown", "parameter_narrowing")
    assert "in neighbours[read piece.at[" in narrowed
    assert "narrowed from" in narrowed


def test_inlining_writes_small_define_out(after: After) -> None:
    rules = "define ours(a: army) = {u in units where u.army == a}\ndefine d(a: army) = count(ours(a))"
    assert "define_ours(a)" in after(rules, "define_d")
    assert "define_ours" not in after(rules, "define_d", "inlining")


def test_early_exit_stops_count_at_first_member(after: After) -> None:
    rules = "define d(a: army) = count(u in units where u.army == a) > 0"
    assert "count(" in after(rules, "define_d")
    assert "any(" in after(rules, "define_d", "early_exit")


def test_early_exit_names_unread_member_alike_in_each_compilation(after: After) -> None:
    rules = "define busy(p: place) = count(pieces at p) > 0"
    first = after(rules, "busy", "early_exit")
    assert "any@" in first
    assert after(rules, "busy", "early_exit") == first


def test_early_exit_keeps_count_whose_members_may_fault(after: After) -> None:
    rules = "define d(a: army) = count(u in units where 1 / u.strength > 0) > 0"
    assert "count(" in after(rules, "define_d", "early_exit")


def test_memo_insertion_memoizes_loop_inside_loop(after: After) -> None:
    rules = """
        define zone(p: place) = any q in neighbours(p) where any u in units at q where u.army == reds
        define d(p: place) = count(q in neighbours(p) where zone(q))
    """
    assert "memoized" not in after(rules, "define_zone")
    assert "memoized" in after(rules, "define_zone", "memo_insertion")


def test_memo_insertion_skips_values_used_once(after: After) -> None:
    rules = """
        define zone(p: place) = any q in neighbours(p) where any u in units at q where u.army == reds
        turn:
            phase first:
                if zone(pile): set game.total = 1
    """
    assert "memoized" not in after(rules, "define_zone", "memo_insertion")


def test_parameter_narrowing_ignores_fault_before_loop(after: After) -> None:
    rules = choice('risky: 1 / u.strength > 0 "no"', 'near: linked(u.at, p) "far"')
    assert "narrowed from" in after(rules, "go", "predicate_pushdown", "parameter_narrowing")


def test_bound_checks_removes_check_of_number_from_range(after: After) -> None:
    rules = "define d(u: unit) = any n in 1..2 where u.at == arrives(n)"
    assert "within" in after(rules, "define_d")
    assert "within" not in after(rules, "define_d", "bound_checks")


def test_bound_checks_keeps_check_of_wider_range(after: After) -> None:
    rules = "define d(u: unit) = any n in 1..3 where u.at == arrives(n)"
    assert "within" in after(rules, "define_d", "bound_checks")


def test_static_tables_computes_expression_of_constants_once(after: After) -> None:
    rules = "define d(u: unit) = u.strength > 2 and u.pace * 1/2 + 1/3 > 1"
    made = after(rules, "define_d", "static_tables")
    assert "static.0(u)" in made and "piece_pace" not in made
    assert "piece.strength" in made


def test_static_tables_shares_equal_expressions(after: After) -> None:
    rules = """
        define d(u: unit) = u.pace * 1/2 + 1/3
        define other(v: unit) = v.pace * 1/2 + 1/3 > u_limit(v)
        define u_limit(v: unit) = v.strength
    """
    assert "static.0(v)" in after(rules, "define_other", "static_tables")


def test_static_tables_keeps_faulting_expression(after: After) -> None:
    rules = "define d(u: unit, v: unit) = u.moved and 1/2 / v.pace > u.pace"
    assert "static" not in after(rules, "define_d", "static_tables")
