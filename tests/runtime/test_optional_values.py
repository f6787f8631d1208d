"""Test optional values, opponents, words as types, rays and chained steps, and the member that an `or` finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules, check
from interpreter.runtime.errors import RuleFault
from tests.recordings import assert_recorded
from tests.runtime.test_graph import HEXES, SQUARES
from tests.tiny import build, called, closely, notes, option_keys, started, write
from tests.witness.budgets import budget

RULES = """
    define own(a: army) = {u in units where u.army == a}
    define far_end(p: place) -> maybe place = first(q in neighbours(p) where q.height > 1)
    define word_of(n: int) -> {one_of: [few, many]} = if n > 2 then many else few
    define is_many(w: {one_of: [few, many]}) = w == many

    record heap: size: {one_of: [few, many]}, numbers: list of int

    procedure run(a: army, n: int):
        if n > 5: report note(6)
        else if some u in own(a) where u.at == b:
            report note(1)
            if some p = far_end(u.at): move u to p
        else if n == 1: report note(2)
        else if some p = far_end(a.home):
            report note(3)
        else:
            report note(4)
        if some p = far_end(a.home): report note(5)
        if some v in own(a):
            ask(a) -> m
            move v to b
            report note(m * 10)

    procedure run_together(a: army):
        together:
            if some u in own(a) where u.condition == fresh: set u.condition = worn
            else: set game.total = 5
            set game.total = 1

    procedure run_match(a: army, n: int):
        let h = heap(word_of(n), [1, 2, 3])
        match h.size:
            few: report note(1)
            many: report note(h.numbers[n] else 0)

    procedure run_witness(a: army, n: int):
        choose pick by a:
            option take(m in 1..3):
                require room: n > 5 or m == 2 or no u in own(a) where u.at == a.home  "{u} declared in {u.at}"
            otherwise: report note(0)
"""


def test_first_branch_that_finds_something(rules: Rules) -> None:
    game = called(rules, "run", a="reds", n=9)
    closely(game, ["say(2)"])
    assert notes(game) == [6, 20]
    # a red unit is now at b: it is found, and continues to c, the high neighbour of b
    game.call("run", a="reds", n=0)
    assert notes(game)[2:] == [1]
    assert rules.ask(game, "count(units at c)") == 1
    game = called(rules, "run", a="reds", n=1)
    assert notes(game) == [2]
    game = called(rules, "run", a="reds", n=0)
    assert notes(game) == [4], "no neighbour of a is high"
    game = called(rules, "run", a="blues", n=0)
    assert notes(game) == [3, 5], "c lies next to d"


def test_optional_value_is_bound_inside_together(rules: Rules) -> None:
    game = called(rules, "run_together", a="reds")
    assert game.view()["game"]["total"] == 1
    assert rules.ask(game, "count(u in units where u.condition == worn)") == 1


def test_word_type_is_matched_and_returned(rules: Rules) -> None:
    assert notes(called(rules, "run_match", a="reds", n=1)) == [1]
    assert notes(called(rules, "run_match", a="reds", n=3)) == [3]
    assert notes(called(rules, "run_match", a="reds", n=4)) == [0]
    game = started(rules)
    assert rules.ask(game, "is_many(word_of(3))") is True
    assert rules.ask(game, "word_of(0)") == "few"


def test_last_part_of_or_lends_its_member(rules: Rules) -> None:
    game = called(rules, "run_witness", a="reds", n=1)
    assert option_keys(game) == ["take(2)"]
    assert [r.text for r in game.why_not("take", m=1)] == ["unit (reds) declared in a"]
    assert option_keys(called(rules, "run_witness", a="reds", n=6)) == ["take(1)", "take(2)", "take(3)"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("reds.opponent", "blues"),
        ("reds.opponent.home", "d"),
        ("red_seat.opponent", "blue_seat"),
        ("reds.seat.opponent.opponent", "red_seat"),
        ("{s.opponent for s in armies}", ("reds", "blues")),
        ("armies[2] else reds", "blues"),
        ("armies[3] else reds", "reds"),
        ("armies[1 - 1] else blues", "blues"),
        ("([1, 2] + [7])[3] else 0", 7),
        ("{4, 3}[1] else 0", 3),
        ("(1..4)[2 + 1] else 0", 3),
        ("{u.at for u in units}[2] else b", "d"),
    ],
)
def test_other_and_nth_give_optional_values(rules: Rules, text: str, wanted: Any) -> None:
    assert rules.ask(started(rules), text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('step(step(place("0101"), s), se) else a', "0202"),
        ('step(step(place("0101"), n), se) else a', "a"),
        ('step(step(place("0101"), s), n) else a', "0101"),
        ('step(place("0202"), direction_to(place("0202"), place("0101"))) else a', "a"),
        ('ray(place("0101"), s)', ("0102", "0103")),
        ('ray(place("0101"), se)', ("0201", "0302", "0402")),
        ('ray(place("0101"), nw)', ()),
        ('ray(place("0403"), nw)', ("0303", "0202", "0102")),
    ],
)
def test_steps_and_rays_on_hexes(tmp_path: Path, text: str, wanted: Any) -> None:
    rules = build(tmp_path, "", {"map.yaml": HEXES})
    assert rules.ask(started(rules), text) == wanted


def test_rays_on_squares_and_pointed_hexes(tmp_path: Path) -> None:
    squares = build(tmp_path / "squares", "", {"map.yaml": SQUARES})
    assert squares.ask(started(squares), 'ray(place("0102"), e)') == ("0202", "0302", "0402")
    pointed = build(tmp_path / "pointed", "", {"map.yaml": HEXES.replace("flat", "pointed")})
    assert pointed.ask(started(pointed), 'ray(place("0101"), se)') == ("0102", "0203")
    assert pointed.ask(started(pointed), 'line_between(place("0101"), place("0203"))') == ("0102",)


def test_endless_repetition_that_takes_itself_is_stopped(tmp_path: Path) -> None:
    with budget(100_000):
        rules = build(
            tmp_path,
            """
            procedure run(a: army):
                choose onwards by a alone repeat until done:
                    option step_on: set game.total = 1
                    finish require game.total > 1  "never"
                    otherwise: nothing
            """,
        )
        with pytest.raises(RuleFault, match="without end|reports of this one choice"):
            called(rules, "run", a="reds")


def test_automatic_draft_is_logged(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        draft walk(a: army) starting here = a.home, steps = 0:
            option go(p in neighbours(here)) now here = p, steps = steps + 1 then stop "on to {p}"
            finish require steps == 1  "one step"
        procedure run(a: army):
            walk(a) by a "whither?" alone -> way
            move units at a.home to way.here
        """,
    )
    game = called(rules, "run", a="reds")
    assert game.decision is None and rules.ask(game, "count(units at b)") == 3
    taken = next(e for e in game.log if e.sort == "taken")
    assert (taken.name, taken.args) == ("walk", {"option": "walk"})
    assert "the only option" in taken.text()


def test_opponent_needs_exactly_two(tmp_path: Path) -> None:
    folder = write(tmp_path, "define enemy(a: army) = a.opponent")
    text = (folder / "ruleset.yaml").read_text()
    text = text.replace("    blues: {home: d}\n", "    blues: {home: d}\n    greens: {home: c}\n")
    (folder / "ruleset.yaml").write_text(text.replace("sides: [blues]", "sides: [blues, greens]"))
    found = [d for d in check(folder) if d.severity == "error"]
    assert [d.code for d in found] == ["unknown-attribute"]
    assert_recorded(found[0].message)
