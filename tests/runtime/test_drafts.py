"""Drafts: what is offered, what is refused and why, step-by-step play, and small drafts counted by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.api.game import Rules
from interpreter.i18n.translator import get_error_message, get_translator
from interpreter.runtime.errors import IllegalAction, SetupError
from tests.recordings import assert_recorded
from tests.tiny import build, called, closely, notes, option_keys, reborn, started

RULES = """
    draft walk(u: unit, most_steps: int) starting here = u.at, steps = 0, wet = false [1.1]:
        option go(p in neighbours(here)) now here = p, steps = steps + 1, wet = wet or crosses(here, p) "to {p}" [1.2]:
            require far: steps < most_steps  "{p} is too far" [1.2]
            require back: p != u.at  "nobody goes back to {p}" [1.1]
        finish require moved: steps > 0  "stand still and you get nowhere" [1.1]
        finish require high: here.height < 2 or steps == most_steps  "{here} is for those who march on" [1.2]
        offer distinct by here, wet
    define crosses(p: place, q: place) -> flag = (edge(p, q) else edge("a-b")).river

    draft gather(a: army, due: int) unordered starting given = {}:
        option give(u in {v in units where v.army == a} - given) now given = given + {u}:
            require fresh: u.condition == fresh  "{u} is worn"
        finish require due: count(given) == due  "{due} are due, {count(given)} are given"
        offer distinct by size = count(given)

    draft stopping(a: army) starting sum_so_far = 0:
        option add(n in 1..3) now sum_so_far = sum_so_far + n then stop if sum_so_far + n > 3
        option enough now sum_so_far = 10 then stop

    draft chosen(a: army) starting sum_so_far = 0, steps = 0:
        option add(n in 1..3) now sum_so_far = sum_so_far + n, steps = steps + 1:
            require steps < 2  "two steps"
        finish require sum_so_far >= 3  "three are needed"
        offer prefer least steps
        offer prefer sum_so_far == 5

    draft stepwise(a: army) starting at_now = a.home, steps = 0:
        option go(p in neighbours(at_now)) now at_now = p, steps = steps + 1:
            require steps < 2  "far"
            prefer most p.height

    procedure run(a: army, n: int):
        walk(first(units at a.home) else unit("red-1"), n) by a "where to?" -> way [1.1]
        report note(way.steps)
        move units at a.home to way.here
    procedure run_gather(a: army, n: int):
        gather(a, n) by a -> result
        report note(count(result.given))
    procedure run_stopping(a: army):
        stopping(a) by a -> result
        report note(result.sum_so_far)
    procedure run_chosen(a: army):
        chosen(a) by a -> result
        report note(result.sum_so_far)
    procedure run_stepwise(a: army):
        stepwise(a) by a -> result
        report note(result.steps)
    procedure run_possible(a: army, n: int):
        if possible gather(a, n): report note(1)
        else: report note(0)
"""


def test_offers_are_distinguished_by_draft_values(rules: Rules) -> None:
    game = called(rules, "run", a="reds", n=3)
    decision = game.decision
    assert decision is not None
    assert decision.is_draft and decision.name == "walk" and decision.prompt == "where to?"
    assert decision.cite == ("1.1",)
    # c is high, so it is no end for two steps; after three steps b (by b-c-b) and d are reached
    assert option_keys(game) == ["go(b)", "go(b) > go(c) > go(b)", "go(b) > go(c) > go(d)"]
    assert [o.args for o in decision.options] == [
        {"here": "b", "wet": False},
        {"here": "b", "wet": True},
        {"here": "d", "wet": True},
    ]
    assert [o.name for o in decision.options] == ["walk"] * 3


@pytest.mark.parametrize(("key", "steps"), [("go(b)", 1), ("go(b) > go(c) > go(d)", 3)])
def test_whole_draft_is_one_choice(rules: Rules, key: str, steps: int) -> None:
    game = called(rules, "run", a="reds", n=3)
    closely(game, [key])
    assert notes(game) == [steps]
    assert game.idle


def test_draft_built_step_by_step_offers_its_steps(rules: Rules) -> None:
    game = called(rules, "run", a="reds", n=3)
    assert [o.key for o in game.draft_steps()] == ["go(b)"]
    assert game.decision is not None
    step = game.decision.steps()[0]
    assert (step.key, step.label, step.name, step.args) == ("go(b)", "to b", "go", {"p": "b"})


def test_stopping_step_ends_draft(rules: Rules) -> None:
    game = called(rules, "run_stopping", a="reds")
    for refused in (
        lambda: game.choose("add(2) > add(2) > add(1)"),
        lambda: game.try_draft("stopping", {"a": "reds"}, ["add(2)", "add(2)", "add(1)"]),
    ):
        with pytest.raises(IllegalAction, match=r"follow this one: add\(2\)"):
            refused()
    assert game.try_draft("stopping", {"a": "reds"}, ["add(2)", "add(2)"]) == {"sum_so_far": 4}


def test_try_obeys_preferences_as_key_does(rules: Rules) -> None:
    game = called(rules, "run_chosen", a="reds")
    refused = next(key for key in ("add(3)", "add(1) > add(2)", "add(2) > add(2)") if key not in option_keys(game))
    with pytest.raises(IllegalAction) as chosen:
        game.choose(refused)
    with pytest.raises(IllegalAction) as tried:
        game.try_draft("chosen", {"a": "reds"}, refused.split(" > "))
    assert_recorded([chosen.value, tried.value])


def test_single_steps_grow_draft(rules: Rules) -> None:
    game = called(rules, "run_gather", a="reds", n=2)
    start = game.hash()
    keys = [o.key for o in game.draft_steps()]
    assert keys, "a first step is offered"
    with pytest.raises(IllegalAction, match=re.escape("it can continue with give(reds.fresh@a)")) as caught:
        game.choose(keys[0])
    assert "2 are due, 1 are given" in caught.value.message and game.hash() == start
    game.choose(game.draft_steps()[0])
    assert game.decision is not None and notes(game) == []
    twin = reborn(game)
    assert option_keys(twin) == option_keys(game)
    game.undo()
    assert game.hash() == start


@pytest.mark.parametrize(
    ("steps", "words", "cite"),
    [
        ("go(b) > go(c) > go(d) > go(c)", "c is too far", ("1.2",)),
        ("go(b) > go(a)", "nobody goes back to a", ("1.1",)),
        ("go(b) > go(c)", "c is for those who march on", ("1.2",)),
        ("go(c)", "`go` is not possible with c here", ("1.1",)),
        ("finish", "stand still and you get nowhere", ("1.1",)),
    ],
)
def test_typed_way_is_refused_with_its_reason(rules: Rules, steps: str, words: str, cite: tuple[str, ...]) -> None:
    game = called(rules, "run", a="reds", n=3)
    before = game.hash()
    with pytest.raises(IllegalAction) as caught:
        game.choose(steps)
    assert words in " ".join(r.text for r in caught.value.reasons)
    assert cite == caught.value.reasons[0].cite
    assert game.hash() == before


def test_why_goal_is_out_of_reach(rules: Rules) -> None:
    game = called(rules, "run", a="reds", n=3)
    assert game.why_not("walk", here="d") == ()
    assert [r.text for r in game.why_not("walk", here="c")] == ["c is for those who march on"]
    assert game.why_not("go", p="b") == ()
    game = called(rules, "run", a="reds", n=1)
    assert [r.text for r in game.why_not("walk", here="c")] == ["c is too far"]
    assert game.why_not("walk", here="nowhere")


def test_unordered_draft_counts_sets_and_not_orders(rules: Rules) -> None:
    game = called(rules, "run_gather", a="reds", n=2)
    assert len(option_keys(game)) == 1, "three alike units make one set of two"
    game.pick(0)
    assert notes(game) == [2]


def test_set_is_named_in_any_order(tmp_path: Path) -> None:
    """Check that two steps of which the first opens the second may be named in either order."""
    rules = build(
        tmp_path,
        """
        draft pay(a: army) unordered starting paid = {}:
            option give(n in 1..3) now paid = paid + {n}:
                require new: n not in paid  "{n} is paid"
                require opened: n == 1 or 1 in paid  "1 comes first"
            finish require two: count(paid) == 2  "two are due"
        procedure run(a: army):
            pay(a) by a -> result
            report note(sum(n for n in result.paid))
    """,
    )
    for steps in (["give(1)", "give(3)"], ["give(3)", "give(1)"]):
        game = called(rules, "run", a="reds")
        assert game.try_draft("pay", {"a": "reds"}, steps)["paid"] == (1, 3)
        game.choose(" > ".join(steps))
        assert notes(game) == [4]


def test_alike_pieces_differ_by_earlier_choices(tmp_path: Path) -> None:
    """Three units are alike but for the set they are being put into: the next is always to be had."""
    game = started(
        build(
            tmp_path,
            """
        draft gather(a: army) starting given = {}:
            option give(u in units) now given = given + {u}:
                require own: u.army == a  "not yours"
                require new: u not in given  "given already"
            finish require count(given) == 2  "two are due"
            offer distinct by size = count(given)
        procedure run(a: army):
            let picked = {}
            choose pick by a repeat until done:
                option take(u in units):
                    require u not in picked  "picked already"
                    set picked = picked + {u}
                    report note(count(picked))
        procedure run_draft(a: army):
            gather(a) by a -> result
            report note(count(result.given))
    """,
        )
    )
    game.call("run", a="reds")
    for _ in range(3):
        game.choose("take(reds.fresh@a)")
    assert notes(game) == [1, 2, 3]
    assert option_keys(game) == ["take(blues.fresh@d)", "done"]
    game.call("run_draft", a="reds")
    game.pick(0)
    assert notes(game)[3:] == [2]


def test_possible_tests_whether_draft_can_finish(rules: Rules) -> None:
    for number, wanted in ((0, 1), (3, 1), (4, 0)):
        assert notes(called(rules, "run_possible", a="reds", n=number)) == [wanted]


def test_draft_stops_at_its_bounds(rules: Rules) -> None:
    game = called(rules, "run_stopping", a="reds")
    decision = game.decision
    assert decision is not None
    # 0 to 6 by adding up to 3 while the sum is at most 3; ten by `enough`
    assert sorted(o.args["sum_so_far"] for o in decision.options) == [0, 1, 2, 3, 4, 5, 6, 10]
    closely(game, ["add(3) > add(3)"])
    assert notes(game) == [6]
    game = called(rules, "run_stopping", a="reds")
    with pytest.raises(IllegalAction):
        game.choose("add(3) > add(3) > add(1)")


def test_preferences_over_finished_drafts(rules: Rules) -> None:
    # one step to 3; then, of those, none sums to five: all stay
    assert option_keys(called(rules, "run_chosen", a="reds")) == ["add(3)"]


def test_preferences_at_each_step(rules: Rules) -> None:
    # from a only b; from b to c (height 2) rather than back to a (height 1)
    assert option_keys(called(rules, "run_stepwise", a="reds")) == ["finish", "go(b)", "go(b) > go(c)"]


def test_answer_in_another_order_is_same_answer(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        draft pay(a: army) unordered starting paid = 0:
            option small(n in 1..2) now paid = paid + n:
                require paid < 7  "paid"
            option big now paid = paid + 5:
                require paid < 7  "paid"
            finish require paid == 7  "seven are due"
            offer distinct by paid
        procedure run(a: army):
            pay(a) by a -> result
            report note(result.paid)
    """,
        )
    )
    game.call("run", a="reds")
    key = "small(2) > big"
    assert key in option_keys(game)
    game.choose("big > small(2)")
    assert game.keys == [key] and notes(game) == [7]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("go(b) > go(c", "unknown step `go(c`"),
        ("go(nowhere) > go(b)", "unknown step `go(nowhere)`"),
        ("go(b), go(c)", "write ` > ` between the parts: `go(b) > go(c)`"),
        ("go(b); go(nowhere)", "unknown step `go(nowhere)`"),
    ],
)
def test_refused_answer_of_several_steps_names_its_part(rules: Rules, key: str, said: str) -> None:
    game = called(rules, "run", a="reds", n=2)
    with pytest.raises(IllegalAction) as refused:
        game.choose(key)
    assert [reason.text for reason in refused.value.reasons] == [said]


def test_failed_draft_trial_is_translated(rules: Rules) -> None:
    game = called(rules, "run_stopping", a="reds")
    for name, given, message, japanese in (
        (
            "stoping",
            {"a": "reds"},
            "unknown draft `stoping`; did you mean `stopping`?",
            "「stoping」というドラフトはありません",
        ),
        ("stopping", {}, "`stopping` takes a", "「stopping」の引数：a"),
    ):
        with pytest.raises(SetupError) as caught:
            game.try_draft(name, given, [])
        assert str(caught.value) == message
        assert get_translator("ja")(get_error_message(caught.value)).startswith(japanese)
