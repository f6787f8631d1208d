"""`none`: set, compared, handed on; and the `else` arm of `match`, whole and cut by decisions."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import Rules
from interpreter.play.game import Game
from tests.tiny import build, closely, notes, started

RULES = """
    procedure take_over(p: place):
        set p.owner = reds
        if p.owner == none: report note(1)
        if p.owner != none: report note(2)
        set p.owner = none
        if p.owner == none: report note(3)
        if none != p.owner: report note(4)
        report note(count({q in places where q.owner == none}))
    define nobody -> maybe army = none
    define owner_or_none(p: place) -> maybe army = if p.held then p.owner else none
    define is_free(a: maybe army) = a == none
    procedure handed_on(p: place):
        set p.owner = blues
        set p.owner = nobody
        if is_free(p.owner): report note(1)
        if is_free(none): report note(2)
        if owner_or_none(p) == nobody: report note(3)
        if (first(u in units at p where u.army == blues) == none): report note(4)
    procedure scored(p: place):
        report note((p.owner else blues).score)
        if p.owner.score == none: report note(9)
    procedure by_word(a: army):
        match a.mood:
            calm: report note(1)
            else: report note(2)
    procedure by_rung(a: army):
        match a.spirit:
            proud: nothing
            else:
                report note(5)
    procedure by_part(n: int):
        for part in results[n]:
            match part:
                loss(k): report note(k)
                else: report note(0)
    procedure asked(a: army):
        let before_it = 1
        match a.mood:
            calm:
                ask(a) -> n
                set before_it = before_it + n
            else:
                ask(a) -> n
                ask(a) -> m
                set before_it = before_it + 10 * n + m
        ask(a) -> last_one
        report note(before_it)
        report note(last_one)
    procedure returned(a: army):
        value_of(a) -> n
        report note(n)
    procedure value_of(a: army) -> int:
        match a.mood:
            calm: return 1
            else: return 2
"""
TABLES = """
    kind: tables
    format: 1
    tables:
      results:
        axes: {n: {range: 1..2}}
        gives: {parts: {"n": {loss: int}, R: rout, E: end_of_all}}
        cells: ["3", "R"]
"""
RULES_WITH_MOOD = {"mood": "{type: {one_of: [calm, angry, wild]}, default: calm, changes: true}"}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return build(
        tmp_path_factory.mktemp("missing"),
        RULES,
        {"tables.yaml": TABLES},
        side=RULES_WITH_MOOD,
        place={"owner": "{type: {maybe: army}, default: null, changes: true}"},
    )


def called(rules: Rules, procedure: str, mood: str = "calm", **arguments: object) -> Game:
    game = started(rules)
    game.edit(sides={"reds": {"mood": mood}})
    game.call(procedure, **arguments)
    return game


def test_value_is_taken_away_again(rules: Rules) -> None:
    game = called(rules, "take_over", p="b")
    assert notes(game) == [2, 3, 4]
    assert rules.ask(game, 'place("b").owner == none') is True


def test_missing_value_propagates(rules: Rules) -> None:
    assert notes(called(rules, "handed_on", p="b")) == [1, 2, 3, 4]


def test_attribute_of_missing_owner_is_missing(rules: Rules) -> None:
    assert notes(called(rules, "scored", p="b")) == [0, 9]


def test_none_can_be_ruleset_word(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure run(a: army):
            if a.supply == none: report note(1)
            set a.supply = full
            if none == a.supply: report note(2)
            if a.supply != none: report note(3)
            match a.supply:
                none: nothing
                full: set a.supply = none
            if a.supply == none: report note(4)
    """,
            side={"supply": "{type: {one_of: [none, full]}, default: none, changes: true}"},
        )
    )
    game.call("run", a="reds")
    assert notes(game) == [1, 3, 4]


def test_missing_value_and_word_are_not_mixed_up(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="ambiguous-name"):
        build(
            tmp_path,
            "define unpaid(a: army) = a.supply == none",
            side={"supply": "{type: {maybe: {one_of: [none, full]}}, default: null, changes: true}"},
        )


@pytest.mark.parametrize(("mood", "said"), [("calm", 1), ("angry", 2), ("wild", 2)])
def test_last_arm_matches_word(rules: Rules, mood: str, said: int) -> None:
    assert notes(called(rules, "by_word", mood, a="reds")) == [said]
    assert notes(called(rules, "returned", mood, a="reds")) == [said]


def test_last_arm_matches_rung(rules: Rules) -> None:
    assert notes(called(rules, "by_rung", a="reds")) == [5]


@pytest.mark.parametrize(("n", "said"), [(1, 3), (2, 0)])
def test_last_arm_for_parts_of_result(rules: Rules, n: int, said: int) -> None:
    assert notes(called(rules, "by_part", n=n)) == [said]


@pytest.mark.parametrize(
    ("mood", "keys", "said"),
    [("calm", ["say(2)", "say(3)"], [3, 3]), ("wild", ["say(2)", "say(1)", "say(0)"], [22, 0])],
)
def test_decision_in_arm_resumes(rules: Rules, mood: str, keys: list[str], said: list[int]) -> None:
    game = called(rules, "asked", mood, a="reds")
    closely(game, keys)
    assert notes(game) == said
