"""Lowering of small rules: what the intermediate representation says of each construct."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.diagnostics.source_text import NOWHERE
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.printer import format_program
from interpreter.ir.traversal import iter_expressions, list_targets, map_expressions, map_labels
from interpreter.ir.verifier import MalformedError, verify
from interpreter.lowering.model_lowering import lower_model
from interpreter.model import types as t
from tests.witness.small import model_of

Lowered = Callable[[str], ir.LoweredProgram]


@pytest.fixture
def lowered(tmp_path: Path) -> Lowered:
    """Lower rules over the documents of the witness's field."""
    return lambda rules: lower_model(model_of(tmp_path, rules))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("define d(u: unit) = u.strength", "read piece.strength[u]"),
        ("define d(u: unit) = u.pace", "piece_pace[u]"),
        ("define d(u: unit) -> number = u.strength", "widen(read piece.strength[u])"),
        ("define d(a: army) = count(u in units where u.army == a)", "== a))"),
        ("define d(n: int) = round_down(n / 3)", "floor_div(widen(n), 3)"),
        ("define d(p: place) = step(p, n)", "step[p, index of n among {n, ne, se, s, sw, nw}]"),
        ("define d(p: place, q: place) = linked(p, q)", "linked[p, q]"),
        ("define d(u: unit) = u.friend.strength else 1", "if present"),
        ("define d(u: unit) = u in units at u.at", "(u in unit at read piece.at[u])"),
        ("define d(n: int) = n in 1..3", "((number >= 1) and (number <= 3))"),
    ],
)
def test_lowering_of_expression_gives_expected_text(rule: str, expected: str, lowered: Lowered) -> None:
    assert expected in format_program(lowered(rule), "define_d")


def test_lowering_names_every_read_of_position(lowered: Lowered) -> None:
    from interpreter.ir import expression_records as e
    from interpreter.ir.effect_analysis import EffectAnalysis

    program = lowered("define d(u: unit) = count(v in units at u.at where v.moved) + game.total + turn")
    reads = EffectAnalysis(program).get_function_effects("define_d").reads
    assert reads == {e.AT, e.Slot("piece", "moved"), e.Slot("game", "total"), e.TURN}


def test_lowering_evaluates_decider_and_its_options_in_blocks(lowered: Lowered) -> None:
    text = format_program(
        lowered("""
        turn:
            phase first:
                choose order by reds repeat until done:
                    option go(u in units):
                        require own: u.army == reds  "not yours"
                        move u to pile
                    finish require some: game.total > 0  "no"
        """),
        "turn",
    )
    assert "ask decision 0, then" in text
    assert "phase first: blocks 1 to" in text
    assert "move u to " in text


def test_lowering_widens_variable_that_takes_fraction(lowered: Lowered) -> None:
    program = lowered("""
        turn:
            phase first:
                let n = 1
                set n = n / 2
                set game.share = n
    """)
    assert str(program.procedures["turn"].locals["n"]) == "number"


def test_lowering_reads_charts_by_functions_of_their_axes(lowered: Lowered) -> None:
    program = lowered("define d(a: int, b: int) = odds[a / b]")
    verify(program)
    assert {"look_odds_nn", "row_odds_0"} <= set(program.functions)


def test_verifier_rejects_unbound_variable(lowered: Lowered) -> None:
    program = lowered("define d(u: unit) = u.strength")
    broken = replace(program.functions["define_d"], params=())
    with pytest.raises(MalformedError, match="read and not bound"):
        verify(replace(program, functions={**program.functions, "define_d": broken}))


@pytest.mark.parametrize("stmt", [s.Roll("lost", (1, 2), None, NOWHERE), s.KeepPhase("lost", NOWHERE)])
def test_verifier_rejects_undeclared_variable(lowered: Lowered, stmt: s.Stmt) -> None:
    program = lowered("procedure run(a: army):\n    set game.total = 1")
    broken = replace(program.procedures["run"], body=(stmt,))
    with pytest.raises(MalformedError, match="assigned and not declared"):
        verify(replace(program, procedures={**program.procedures, "run": broken}))


def test_traversal_finds_expressions_at_any_depth() -> None:
    two = e.Const(2, t.INT, NOWHERE)
    roll = s.Roll("n", (1, 2), None, NOWHERE, s.Chance("fire", "die", None, two, ()))
    body = (s.If(two, (s.Repeat(two, (roll,), NOWHERE),), (), NOWHERE),)
    assert len([*iter_expressions(body)]) == 2
    assert len([*iter_expressions(body, explained=True)]) == 3
    (changed,) = map_expressions(body, lambda expr: e.Const(3, t.INT, NOWHERE))
    assert [expr.value for expr in iter_expressions(changed) if isinstance(expr, e.Const)] == [3, 3]


def test_traversal_renumbers_every_jump_of_terminator() -> None:
    moved = map_labels(s.Answer(0, (4, 5), 6), lambda block: block * 10)
    assert list_targets(moved) == (40, 50, 60)
    assert list_targets(map_labels(s.Leave(), lambda block: block)) == ()
