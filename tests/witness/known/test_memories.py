"""Test that values cached by one form of a program do not mislead another form that takes its state over."""

from __future__ import annotations

from pathlib import Path

from interpreter.api.rules import Rules
from interpreter.play.state_transfer import transfer_state
from tests.tiny import build, started
from tests.witness.forms import programs_of

TABLES = {
    "tables.yaml": """\
    kind: tables
    format: 1
    tables:
      toll:
        axes: {number: {range: 0..2}}
        gives: int
        cells: {0: 1, 1: 1, 2: 1}
"""
}
SEARCHES = """
    define round_about(p: place) = distance from a to p through q where toll[q.height] > 0 and not q.held else 99
    define straight(p: place) = distance from a to p through q where not q.held or q == b else 99
    procedure hold(p: place):
        set p.held = true
"""
CROWD = """
    define crowd(p: place) = count(u in units where u.at == p and
                                   any v in units where v.at == p and v.army == u.army and toll[u.at.height] > 0)
    procedure leave(u: unit):
        move u to pile
"""


def program_of(rules: Rules, form: str) -> object:
    assert rules.model is not None
    return programs_of(rules.model)[form]


def test_searches_of_another_form(tmp_path: Path) -> None:
    rules = build(tmp_path, SEARCHES, TABLES)
    game = started(rules, record=False)
    game.call("hold", p="b")
    assert game.program.namespace["d_round_about"](game.state, 3) == 99
    other = programs_of(rules.model)["covered"]  # type: ignore[arg-type]
    state = transfer_state(other, game.state)
    assert other.namespace["d_straight"](state, 3) == 3


def test_memos_are_not_shared_between_forms(tmp_path: Path) -> None:
    rules = build(tmp_path, CROWD, TABLES)
    game = started(rules, record=False)
    game.state.at[0] = 0
    programs = programs_of(rules.model)  # type: ignore[arg-type]
    state = transfer_state(programs["play"], game.state)
    before = programs["play"].namespace["d_crowd"](state, 0)
    elsewhere = transfer_state(programs["covered"], state)
    programs["covered"].namespace["p_leave"](elsewhere, 0)
    back = transfer_state(programs["play"], elsewhere)
    assert programs["play"].namespace["d_crowd"](back, 0) == before - 1
