"""Test the functions that compiled rules call, one by one, with numbers computed by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules
from interpreter.runtime import intrinsics as f
from interpreter.runtime.builtins import values as v
from interpreter.runtime.errors import RuleFault, RuntimeFault, SetupError
from tests.tiny import build, notes, started

HALF = Fraction(1, 2)


# --- numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [(6, 3, 2), (1, 2, HALF), (-7, 2, Fraction(-7, 2)), (0, 5, 0), (HALF, HALF, 1), (HALF, 2, Fraction(1, 4))],
)
def test_quotient_is_exact(a: Any, b: Any, wanted: Any) -> None:
    assert v.quotient(a, b) == wanted
    assert type(v.quotient(a, b)) is type(wanted)


def test_division_by_zero_is_fault() -> None:
    with pytest.raises(RuntimeFault, match="division by zero"):
        v.quotient(1, 0)


@pytest.mark.parametrize(
    ("x", "wanted"),
    [
        (HALF, 1),
        (Fraction(3, 2), 2),
        (Fraction(-1, 2), 0),
        (Fraction(4, 3), 1),
        (Fraction(5, 3), 2),
        (7, 7),
        (Fraction(-5, 2), -2),
    ],
)
def test_halves_are_rounded_up(x: Any, wanted: int) -> None:
    assert v.round_near(x) == wanted


@pytest.mark.parametrize(
    ("value", "low", "high", "wanted"),
    [(5, 0, 3, 3), (-1, 0, 3, 0), (2, 0, 3, 2), (9, 0, None, 9), (-9, None, 3, -9), (0, 0, 0, 0)],
)
def test_clamp_limits_value_to_bounds(value: int, low: int | None, high: int | None, wanted: int) -> None:
    assert f.clamp(value, low, high, "x") == wanted


def test_within_raises_outside_bounds() -> None:
    assert (f.require_bounds(0, 0, 3, "x"), f.require_bounds(3, 0, 3, "x"), f.require_bounds(9, 0, None, "x")) == (
        0,
        3,
        9,
    )
    for value in (-1, 4):
        with pytest.raises(RuntimeFault, match=f"`x` would become {value}, but it must stay between 0 and 3"):
            f.require_bounds(value, 0, 3, "x")


# --- sets and lists -----------------------------------------------------------------------------


def test_sets_keep_order_of_data() -> None:
    assert v.as_set([3, 1, 3, 2]) == (1, 2, 3)
    assert v.union((1, 5), (3, 1)) == (1, 3, 5)
    assert (v.union((), (3, 1)), v.union((2,), ())) == ((3, 1), (2,))
    assert v.minus((5, 1, 3), (1, 9)) == (5, 3)
    assert v.both((5, 1, 3), (3, 5)) == (5, 3)


def test_ends_and_places_of_list() -> None:
    assert (v.first((7, 8)), v.last((7, 8)), v.first(()), v.last(())) == (7, 8, None, None)
    assert (v.take(2, (7, 8, 9)), v.take(0, (7,)), v.take(-1, (7, 8)), v.take(5, (7,))) == ((7, 8), (), (), (7,))
    assert [v.item((7, 8), n) for n in (0, 1, 2, 3, -1)] == [None, 7, 8, None, None]


def test_with_fields_and_defaults_replace_values() -> None:
    assert v.with_fields((1, 2, 3), ((0, 9), (2, 8))) == (9, 2, 8)
    assert (v.or_value(None, 3), v.or_value(0, 3), v.or_call(None, lambda: 4), v.or_call(False, lambda: 4)) == (
        3,
        0,
        4,
        False,
    )


def test_preferences_keep_extreme_or_fitting_members() -> None:
    pairs = [(2, "a"), (1, "b"), (1, "c"), (3, "d")]
    assert (v.least(pairs), v.most(pairs), v.least([]), v.most([])) == (("b", "c"), ("d",), (), ())
    some = [(1,), (2,), (3,)]
    assert f.prefer_test(some, lambda x: x > 1) == [(2,), (3,)]
    assert f.prefer_test(some, lambda x: x > 9) == some
    assert f.prefer_least(some, lambda x: abs(x - 2)) == [(2,)]
    assert f.prefer_most(some, lambda x: abs(x - 2)) == [(1,), (3,)]
    assert f.prefer_least([], lambda x: x) == []


# --- in a ruleset ---------------------------------------------------------------------------------

RULES = """
    define units_of(a: army) = {u in units where u.army == a}
    procedure bad_bound(n: int):
        set reds.strength = n
    procedure climb(a: army):
        advance a.spirit
    procedure climb_softly(a: army):
        advance a.spirit if possible
        advance a.rank if possible
    procedure raise_both(n: int):
        raise reds.strength by n
        raise reds.courage by n
    procedure move_all(n: int):
        move {u in units where u.army == reds} to b
        move take(n, units at b) to c
        report note(count(units at a) * 100 + count(units at b) * 10 + count(units at c))
    procedure throw(n: int):
        roll several: n of die for reds -> thrown
        report note(count(thrown))
        roll one: coin -> side_up
        report note(side_up)
"""
SIDE = {
    "strength": "{type: int, default: 2, low: 0, high: 5, changes: true}",
    "courage": "{type: int, default: 2, low: 0, high: 5, clamp: true, changes: true}",
    "rank": "{type: spirit, default: broken, changes: true, top: best}",
    "best": "{type: spirit, default: steady}",
}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return build(tmp_path_factory.mktemp("functions"), RULES, side=SIDE)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("7 / 2", Fraction(7, 2)),
        ("round_down(7 / 2)", 3),
        ("round_up(7 / 2)", 4),
        ("round_near(7 / 2)", 4),
        ("round_down(-7 / 2)", -4),
        ("round_up(-7 / 2)", -3),
        ("round_down(7 / 2 / (1 / 2))", 7),
        ("abs(3 - 9)", 6),
        ("remainder(7, 3)", 1),
        ("min(3, 1, 2)", 1),
        ("max(1 / 2, 1 / 3)", HALF),
        ("1 - 2 - 3", -4),
        ("2 + 3 * 4", 14),
        ("-2 * -3", 6),
        ("1 / 3 + 1 / 6", HALF),
        ("count(units)", 6),
        ("count(u in units where u.army == reds)", 3),
        ("sum(n in 1..4)", 10),
        ("sum(n * n for n in 1..4 where n != 2)", 26),
        ("sum([1, 2] + [2])", 5),
        ("min(n in 5..9 where n > 6) else 0", 7),
        ("max(p.height for p in places) else 0", 2),
        ("min(n in 1..0) else 42", 42),
        ("{3, 1, 3}", (1, 3)),
        ("[3, 1, 3]", (3, 1, 3)),
        ("{1, 2} + {3, 2}", (1, 2, 3)),
        ("{1, 2, 3} - {2}", (1, 3)),
        ("both({1, 2, 3}, {3, 4, 1})", (1, 3)),
        ("take(2, [9, 8, 7])", (9, 8)),
        ("first([9, 8]) else 0", 9),
        ("last([9, 8]) else 0", 8),
        ("first(n in 1..9 where n > 4) else 0", 5),
        ("[9, 8][2] else 0", 8),
        ("[9, 8][3] else 0", 0),
        ("3 in 1..3", True),
        ("4 in 1..3", False),
        ("0 not in 1..3", True),
        ("2 in {1, 2}", True),
        ("any n in 1..3 where n == 2", True),
        ("no n in 1..3 where n == 2", False),
        ("any n in 1..0", False),
        ("every n in 1..3 satisfies n < 4", True),
        ("every n in 1..9 where n < 3 satisfies n < 3", True),
        ("every n in 1..0 satisfies false", True),
        ("{p in places having most p.height}", ("c",)),
        ("{p in places where p != c having most p.height}", ("a",)),
        ("{p in places having least p.height}", ("b", "d")),
        ("{p.height for p in places}", (0, 1, 2)),
        ("[p.height for p in places]", (1, 0, 2, 0)),
        ("reds.spirit below proud", True),
        ("steady above steady", False),
        ("can advance reds.spirit", True),
        ("can advance reds.rank", True),
        ("playing fog", False),
        ("playing length == short", True),
        ("units at a == units_of(reds)", True),
        ("(units_of(blues)) at d == units at d", True),
        ('unit("red-1") on map', True),
        ("box(reds)", "box.reds"),
        ("distance from a to d else 9", 3),
        ("path from a to d else []", ("a", "b", "c", "d")),
        ("reach from b within 1", ("a", "b", "c")),
        ("distance from a to d through p where p.height == 0 else 9", 9),
        ("turn", 1),
        ("reds.seat", "red_seat"),
        ('count(alike(unit("red-1"), units))', 3),
        ("true and not false or false", True),
        ("not true or true", True),
        ("if 1 < 2 then 3 else 4", 3),
        ('highest_level(reds.seat) else level("small")', "small"),
        ('closure of {unit("red-1")} over u, v where u.at == v.at', ("red-1", "red-2", "red-3")),
        ('edge(b, c) else edge(a, b) else edge("a-b")', "b-c"),
    ],
)
def test_expression_has_value(rules: Rules, text: str, wanted: Any) -> None:
    assert rules.ask(started(rules), text) == wanted


def test_value_of_place_that_is_not_there(rules: Rules) -> None:
    with pytest.raises(SetupError, match="unknown name `nowhere`"):
        rules.ask(started(rules), "count(units at nowhere)")


def test_attribute_beyond_bound_raises_fault(rules: Rules) -> None:
    game = started(rules)
    game.call("bad_bound", n=5)
    with pytest.raises(RuleFault, match="`strength` would become 6, but it must stay between 0 and 5") as caught:
        game.call("bad_bound", n=6)
    assert caught.value.line == 4
    game.edit(sides={"reds": {"strength": 1}})
    game.call("raise_both", n=4)
    assert {k: game.view()["sides"]["reds"][k] for k in ("strength", "courage")} == {"strength": 5, "courage": 5}


def test_climbing_past_end_of_ladder_is_a_fault(rules: Rules) -> None:
    game = started(rules)
    game.call("climb_softly", a="reds")
    game.call("climb_softly", a="reds")
    reds = game.view()["sides"]["reds"]
    assert (reds["spirit"], reds["rank"]) == ("proud", "steady"), "the rank ends at the army's own best"
    with pytest.raises(RuleFault, match="the ladder ends here"):
        game.call("climb", a="reds")


def test_move_keeps_piece_in_one_place(rules: Rules) -> None:
    game = started(rules)
    game.call("move_all", n=2)
    assert notes(game) == [12]
    assert sorted(p for here in game.state.occ for p in here) == list(range(6))
    assert all(p in game.state.occ[place] for p, place in enumerate(game.state.at))


def test_dice_by_name_and_subject(rules: Rules) -> None:
    game = started(rules, dice={"several": {"reds": [6, 5]}, "one": [1]})
    game.call("throw", n=2)
    assert notes(game) == [2, 1]
    game = started(rules, dice=[0])
    game.call("throw", n=0)
    assert notes(game) == [0, 0]
    with pytest.raises(RuleFault, match="asks for -1 dice"):
        started(rules).call("throw", n=-1)


def test_call_arguments_are_checked(rules: Rules) -> None:
    game = started(rules)
    for arguments, words in (({}, "takes n"), ({"m": 1}, "takes n"), ({"n": "a"}, "a")):
        with pytest.raises(SetupError, match=words):
            game.call("bad_bound", **arguments)
    with pytest.raises(SetupError, match="did you mean `climb`"):
        game.call("climbb", a="reds")
    with pytest.raises(SetupError, match="unknown army `greens`"):
        game.call("climb", a="greens")


def test_values_of_fresh_position(tmp_path: Path) -> None:
    game = started(build(tmp_path, ""))
    view = game.view()
    assert view["pieces"]["red-1"] == {"at": "a", "condition": "fresh"}
    assert view["game"] == {"total": 0}
    assert view["options"] == {"fog": False, "length": "short"}
