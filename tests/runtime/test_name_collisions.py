"""Test that names and cache keys never collide: memos of every form, equal numbers, authors' and generated names."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from interpreter.api.game import load
from interpreter.api.rules import Rules
from interpreter.play.game import Game
from interpreter.play.state_transfer import transfer_state
from interpreter.runtime.intrinsics import NAMESPACE
from interpreter.runtime.program import Program
from tests.tiny import RULESET, build, called, notes, option_keys, started
from tests.witness.forms import programs_of

TABLES = {
    "tables.yaml": """\
    kind: tables
    format: 1
    tables:
      hits: {axes: {number: {range: 1..2}}, gives: int, cells: {1: 10, 2: 20}}
      hits_cells: {axes: {army: army}, gives: int, cells: {reds: 1, blues: 2}}
      prices: {axes: {number: {range: 0..2}}, gives: int, cells: {0: 33, 1: 33, 2: 33}}
"""
}
KINDS = """\
kinds:
  piece_unit: {many: piece_units, members: {one: {}, two: {}}}
"""
SEARCHES = """
    define dear(p: place, q: place) = distance from p to q through x cost prices[x.height] else 0
    define cheap(p: place, q: place) = distance from p to q through x cost 1 else 0
    procedure run(a: army):
        report note(dear(a.home, place("d")))
        ask(a) -> answer
        report note(cheap(a.home, place("d")))
"""


def form(rules: Rules, sort: str) -> Program:
    assert rules.model is not None
    return programs_of(rules.model, [sort])[sort]


def test_memos_do_not_collide_in_other_forms(tmp_path: Path) -> None:
    rules = build(tmp_path, SEARCHES, TABLES)
    game = called(rules, "run", a="reds")
    assert notes(game) == [99]
    for sort in ("covered", "asked", "ledger", "odds"):
        program = form(rules, sort)
        other = Game(program, transfer_state(program, game.state), game.scenario, game.seed, True)
        other.pick(0)
        assert notes(other)[-1] == 3, sort


def test_instrumented_rules_have_same_forms(tmp_path: Path) -> None:
    target = build(tmp_path, SEARCHES, TABLES).target
    for _ in ("made", "kept"):
        plain, noting = load(target), load(target, instrument=True)
        for sort in ("odds", "ledger"):
            assert plain.form(sort).data == noting.form(sort).data
            assert plain.form(sort).namespace.keys() == noting.form(sort).namespace.keys()
        game = called(noting, "run", a="reds")
        other = Game(
            noting.form("odds"), transfer_state(noting.form("odds"), game.state), game.scenario, game.seed, True
        )
        other.pick(0)
        assert notes(other)[-1] == 3


def test_form_does_not_share_uninvalidated_memo(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        define near(a: army) = count(p in places where any u in units at p where u.army == a and prices[1] > 0)
        procedure run(a: army):
            report note(near(a))
        procedure scatter(a: army):
            for u in {v in units where v.army == a}: move u to place("b")
            move unit("red-1") to place("c")
        """,
        TABLES,
    )
    game = called(rules, "run", a="reds")
    program = form(rules, "covered")
    there = Game(program, transfer_state(program, game.state), game.scenario, game.seed, True)
    there.call("scatter", a="reds")
    back = Game(rules.program, transfer_state(rules.program, there.state), game.scenario, game.seed, True)
    back.call("run", a="reds")
    assert (notes(game)[-1], notes(back)[-1]) == (1, 2)


def test_fraction_that_comes_out_even_is_whole_number(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        define worth(k: number) = sum(p.height + k for p in places)
        tally total(k: number) -> number:
            + k "one"
            + k "two"
        procedure run(half: number, whole: number):
            set game.share = half + half
            report note(round_down(worth(half + half)))
            let same = half + half - whole + whole
            set game.sums = [half + half, 3 * half - half, total(half), sum([half, half]), same]
            let far = distance from place("a") to place("c") through p cost half else 0
            set game.sums = game.sums + [sum(half for p in places), far]
        """,
        game={"share": "{type: number, default: 0, changes: true}", "sums": "{type: {list_of: number}, default: []}"},
    )
    halves = called(rules, "run", half=Fraction(1, 2), whole=1)
    plain = called(rules, "run", half=Fraction(1, 2), whole=1)
    held = [value for game in (halves, plain) for value in (game.state.g1, *game.state.g2)]
    assert [type(value) for value in held] == [int] * 16
    assert halves.hash() == plain.hash()


def test_read_only_clone_changes_nothing(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        define worth(k: number) = count(p in places where any q in places where q.height + k > p.height) + k
        procedure look(half: number):
            report note(round_down(worth(half + half)))
        procedure run(whole: number):
            set game.share = worth(whole)
        """,
        game={"share": "{type: number, default: 0, changes: true}"},
    )
    alone = called(rules, "run", whole=1)
    game = started(rules)
    game.call("run", whole=2)
    game.clone().call("look", half=Fraction(1, 2))
    game.call("run", whole=1)
    assert game.hash() == alone.hash()


def test_authors_names_cannot_meet_ours(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        draft way(a: army) starting so_far = 0:
            option go(p in places) now so_far = so_far + 1:
                require few: so_far < 2 and (first(u in units) else unit("red-1")).army == reds  "no"
            finish require some: so_far > 0  "no"
        procedure call(a: army):
            report note(hits[2] + hits_cells[a])
            report note(count(units) * 10 + count(piece_units))
            way(a) by a -> found
        """,
        {**TABLES, "ruleset.yaml": RULESET.format(side="", game="") + KINDS},
    )
    game = called(rules, "call", a="blues")
    assert notes(game) == [22, 62]
    assert option_keys(game) == ["go(a)", "go(a) > go(a)"]


def test_no_name_of_function_is_given_to_anything_else() -> None:
    for ruleset in ("denain-1712", "napoleon"):
        for function in load(ruleset).program.namespace.values():
            code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
            if code is not None and not code.co_filename.endswith(".py"):
                assert not set(code.co_varnames) & set(NAMESPACE), function
