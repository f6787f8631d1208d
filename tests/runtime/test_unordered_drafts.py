"""Unordered drafts: each combination that some order allows is offered once, and may be named in any order."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from interpreter import load, resume
from interpreter.api.game import Rules
from interpreter.runtime import drafts
from interpreter.runtime.errors import IllegalAction
from tests.tiny import build, called, notes, option_keys, reborn, write

RULES = """
    draft price(a: army, due: int) unordered starting lost = {}:
        option give(n in {5, 3, 1}) now lost = lost + {n}:
            require enough: sum(x for x in lost) < due  "enough is given up"
            require fresh: n not in lost  "given already"
        finish require paid: sum(x for x in lost) >= due  "{due} points are due"

    draft shots(a: army) unordered starting fired = []:
        option fire(n in 1..3) now fired = fired + [n]:
            require count(fired) < 2  "two shots"

    draft volley(a: army) unordered starting fired = []:
        option fire(n in 1..3) now fired = fired + [n]
        finish require two: count(fired) == 2  "two shots"

    draft summed(a: army) unordered starting total = 0, last_one = 0:
        option add(n in 1..3) now total = total + n, last_one = n:
            require n != last_one  "not the same again"
            require total < 6  "six at most"
        finish require total == 6  "six are due"
        offer distinct by total

    draft guarded(a: army) unordered starting taken = {}:
        option key now taken = taken + {1}
        option door now taken = taken + {2} then stop if 1 in taken:
            require 1 in taken  "the door is locked"

    procedure run(a: army, due: int):
        price(a, due) by a -> result
        for n in result.lost: report note(n)
    procedure run_shots(a: army):
        shots(a) by a -> result
        for n in result.fired: report note(n)
    procedure run_summed(a: army):
        summed(a) by a -> result
        report note(result.total)
    procedure run_guarded(a: army):
        guarded(a) by a -> result
        report note(count(result.taken))
    turn:
        phase only_phase:
            volley(reds) by reds -> result
            for n in result.fired: report note(n)
            ask(reds) -> m
"""


def combinations_by_hand(due: int) -> set[frozenset[int]]:
    """Return the combinations that pass every requirement in some order."""
    found = set()
    for size in range(4):
        for order in permutations((1, 3, 5), size):
            if sum(order) >= due and all(sum(order[:n]) < due for n in range(size)):
                found.add(frozenset(order))
    return found


@pytest.mark.parametrize("due", range(1, 10))
def test_combinations_are_complete_and_unique(rules: Rules, due: int) -> None:
    game = called(rules, "run", a="reds", due=due)
    assert game.decision is not None
    ends = [frozenset(int(n) for n in o.args["lost"]) for o in game.decision.options]
    assert len(ends) == len(set(ends)) and set(ends) == combinations_by_hand(due)
    for option in game.decision.options:
        twin = reborn(game)
        twin.choose(option.key)  # the order it is offered in is legal


def test_any_step_order_is_accepted_and_normalized(rules: Rules) -> None:
    for key in ("give(5) > give(3)", "give(3) > give(5)"):
        game = called(rules, "run", a="reds", due=4)
        game.choose(key)
        assert game.keys == ["give(3) > give(5)"] and notes(game) == [3, 5]
    game = called(rules, "run", a="reds", due=4)
    with pytest.raises(IllegalAction, match="enough is given up"):
        game.choose("give(3) > give(5) > give(1)")


def test_steps_that_are_taken_twice(rules: Rules) -> None:
    game = called(rules, "run_shots", a="reds")
    assert option_keys(game) == [
        "finish",
        "fire(1)",
        "fire(2)",
        "fire(3)",
        "fire(1) > fire(1)",
        "fire(1) > fire(2)",
        "fire(1) > fire(3)",
        "fire(2) > fire(2)",
        "fire(2) > fire(3)",
        "fire(3) > fire(3)",
    ]
    game.choose("fire(3) > fire(1)")
    assert notes(game) == [1, 3], "one combination has one outcome"


def test_draft_built_in_any_order_is_same_combination(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check endless shots that are asked step by step from a low limit of examined states on."""
    monkeypatch.setattr(drafts, "LIMIT", 500)
    folder = write(tmp_path, RULES)
    game = load(folder).start(seed=1)
    game.choose("fire(3)")
    game.choose("fire(1)")
    game.choose("finish")
    assert game.keys == ["fire(1) > fire(3)"] and notes(game) == [1, 3]
    game.save(tmp_path / "game.journal")
    assert resume(tmp_path / "game.journal", folder).hash() == game.hash()


def test_requirement_that_looks_at_last_step(rules: Rules) -> None:
    """Check that of 1, 2, 3 and 2, 1, 2, 1, which both total six, neither is lost because 3 cannot follow 3."""
    assert option_keys(called(rules, "run_summed", a="reds")) == ["add(1) > add(2) > add(3)"]


def test_step_that_opens_another_and_one_that_stops(rules: Rules) -> None:
    game = called(rules, "run_guarded", a="reds")
    assert option_keys(game) == ["finish", "key", "key > door"]
    game.choose("door > key")
    assert game.keys == ["key > door"] and notes(game) == [2]


def test_lists_of_steps_do_not_grow_with_their_orders(tmp_path: Path) -> None:
    """Seven steps have 13,700 orders and 128 combinations."""
    rules = build(
        tmp_path,
        """
        draft named(a: army) unordered starting order = []:
            option add(n in 1..7) now order = order + [n]:
                require n not in order  "named already"
        procedure run(a: army):
            named(a) by a -> result
            report note(count(result.order))
        """,
    )
    assert drafts.LIMIT > 13_700
    game = called(rules, "run", a="reds")
    assert game.count() == 128
