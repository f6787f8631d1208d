"""The search of a draft is bounded by what it looks at, and costs each step of a long draft the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from interpreter.play.game import Game
from interpreter.runtime import drafts
from interpreter.runtime.errors import IllegalAction, RuleFault
from interpreter.runtime.program_info import DraftInfo
from tests.tiny import build, called, notes, option_keys, started
from tests.witness.budgets import budget

COUNTER = """
    draft climb(a: army) starting n = 1:
        option go(x in 1..40) now n = n * 3 + x
        finish require n > 0 "?"
    procedure run(a: army):
        climb(a) by a -> result
        report note(result.n)
"""
PICKS = """
    draft picks(a: army) unordered starting picked = {{}}:
        option add(n in 1..{most}) now picked = picked + {{n}}:
            require fresh: n not in picked "{{n}} is picked"
        finish require due: count(picked) == {due} "{due} are due"
    procedure run(a: army):
        picks(a) by a -> result
        report note(count(result.picked))
"""


@pytest.fixture
def few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "LIMIT", 500)


def count_calls(game: Game, monkeypatch: pytest.MonkeyPatch, *names: str) -> Counter[str]:
    """Count the calls of functions of the rules."""
    found: Counter[str] = Counter()
    for name in names:
        made = game.program.namespace[name]

        def counted(*args: Any, name: str = name, made: Any = made) -> Any:
            found[name] += 1
            return made(*args)

        monkeypatch.setitem(game.program.namespace, name, counted)
    return found


def faulted(folder: Path, rules: str, steps: int) -> RuleFault:
    """Return the fault of a procedure `run` of one side under a budget."""
    with budget(steps), pytest.raises(RuleFault) as caught:
        game = called(build(folder, rules), "run", a="reds")
        while game.decision is not None:
            game.pick(game.count() // 2)
    return caught.value


@pytest.mark.usefixtures("few_states")
def test_each_step_of_draft_costs_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apart = COUNTER.replace("n * 3", "n * 41")  # no two ways lead to the same state
    game = called(build(tmp_path, apart), "run", a="reds")
    calls = count_calls(game, monkeypatch, "steps_climb", "finish_climb")
    each = []
    for number in range(8):
        calls.clear()
        assert game.count() == 41
        game.pick(number)
        each.append(dict(calls))
    assert each[1:] == [each[1]] * 7, each


@pytest.mark.usefixtures("few_states")
def test_step_listing_is_cached_between_count_and_pick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = called(build(tmp_path, COUNTER), "run", a="reds")
    calls = count_calls(game, monkeypatch, "steps_climb")
    game.count()
    once = calls.total()
    assert game.decision is not None
    game.count(), game.decision.options, game.decision.list_offers(), game.decision.get_raw_option(3)
    assert calls.total() == once


@pytest.mark.usefixtures("few_states")
def test_way_of_draft_survives_undo_and_clone(tmp_path: Path) -> None:
    game = called(build(tmp_path, COUNTER), "run", a="reds")
    for key in ("go(1)", "go(2)"):
        game.choose(key)
    twin = game.clone()
    assert option_keys(twin) == option_keys(game)
    game.undo()
    game.choose("go(3)")
    game.choose("finish")
    twin.choose("finish")
    assert (notes(game), notes(twin)) == ([3 * 4 + 3], [3 * 4 + 2])


@pytest.mark.usefixtures("few_states")
def test_looks_behind_all_steps_share_one_budget(tmp_path: Path) -> None:
    far = COUNTER.replace("n > 0", "n > 2000")
    called(build(tmp_path / "enough", far), "run", a="reds").count()
    fault = faulted(tmp_path / "few", far, 4_000)
    assert (fault.file, fault.line) == ("tiny/own.rules", 2) and fault.is_exhausted
    assert "`climb`" in fault.message and "too many states" in fault.message and "16,000 steps" in fault.message


@pytest.mark.parametrize(
    "draft",
    [
        """
        draft sums(a: army) unordered starting total = 0, steps = 0:
            option add(x in 1..30, y in 1..30) now total = total + x + y, steps = steps + 1
            finish require due: total > 500 "?"
        """,
        """
        draft sums(a: army) starting total = 0, steps = 0:
            option add(x in 1..300) now total = total + 1, steps = max(x, 0) * 0:
                require due: steps < 500 and total < 5000 "?"
            finish require due: total > 4000 "?"
        """,
        """
        draft sums(a: army) starting l = {1}, n = 0:
            option grow(k in 1..30) now l = {x + k for x in 1..900}, n = n * 30 + k
            finish require far: n > 99999999 "?"
        """,
        """
        draft sums(a: army) unordered starting l = {1}, n = 0:
            option grow(k in 1..30) now l = {x + k for x in 1..900}, n = n * 30 + k
            finish require far: n > 99999999 "?"
        """,
    ],
    ids=["steps to states known", "steps in a compiled search", "sets kept", "sets kept, unordered"],
)
def test_work_of_search_is_counted(tmp_path: Path, draft: str) -> None:
    run = "\n        procedure run(a: army):\n            sums(a) by a\n"
    fault = faulted(tmp_path, draft + run, 20_000)
    assert fault.file == "tiny/own.rules" and fault.line in (2, 3) and fault.is_exhausted, fault


def test_draft_with_many_steps_between_its_states_is_asked_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "MAX_STEPS", 100)
    rules = """
        draft {name}(a: army) {how} starting n = 0:
            option go(x in 1..{most}) now n = min(n + x, 9)
            finish require n > 0 "?"
        procedure run_{name}(a: army):
            {name}(a) by a -> result
            report note(result.n)
    """
    texts = [
        rules.format(name=f"{how or 'ordered'}_{most}", how=how, most=most)
        for how in ("", "unordered")
        for most in (4, 300)
    ]
    built = build(tmp_path, "".join(texts))
    assert option_keys(called(built, "run_ordered_4", a="reds"))[-1].count(">") > 0
    for name in ("ordered_300", "unordered_300"):
        assert option_keys(called(built, "run_" + name, a="reds")) == [f"go({n})" for n in range(1, 301)]


def test_half_of_many_is_picked_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "LIMIT", 2_000)
    game = called(build(tmp_path, PICKS.format(most=40, due=20)), "run", a="reds")
    assert game.count() == 40
    for _ in range(4):
        game.pick(0)
    assert game.count() == 36


@pytest.mark.usefixtures("few_states")
def test_order_that_is_not_found_is_players_slip(tmp_path: Path) -> None:
    """Sixteen steps of which fourteen are allowed can be put in very many orders, none of which is legal."""
    rules = """
        draft shots(a: army) unordered starting fired = []:
            option fire(n in 1..40) now fired = fired + [n]:
                require few: count(fired) < 14 "fourteen at most"
            finish require some: count(fired) > 0 "one at least"
        procedure run(a: army):
            shots(a) by a -> result
            report note(count(result.fired))
    """
    with budget(60_000):
        game = called(build(tmp_path, rules), "run", a="reds")
        key = " > ".join(f"fire({n})" for n in range(1, 17))
        with pytest.raises(
            IllegalAction,
            match="orders of these 16 steps",
        ):
            game.choose(key)
        game.choose(" > ".join(f"fire({n})" for n in range(14, 0, -1)))
    assert notes(game) == [14]


def test_wrong_key_of_unordered_draft_is_refused_after_few_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = PICKS.replace("== {due}", "> 0").format(most=40, due=1).replace("n not in picked", "count(picked) < 14")
    game = called(build(tmp_path, rules), "run", a="reds")
    calls = count_calls(game, monkeypatch, "steps_picks")
    assert game.count() == 40
    calls.clear()
    with pytest.raises(IllegalAction) as refused:
        game.choose(" > ".join(f"add({n})" for n in range(20, 0, -1)))
    assert refused.value.reasons[0].text == "6 is picked", "the first step that is not legal in the order given"
    assert calls["steps_picks"] < 3 * drafts.MAX_ORDERS


GATES = """
    draft ways(a: army) unordered starting left = false, right = false:
        option enter now right = true
        option before now left = true:
            require early: not right "too late"
        finish require both: left and right "both are due"
    procedure run(a: army):
        ways(a) by a -> result
        report note(1)
"""


def test_written_step_order_is_accepted_beyond_limit_of_orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MAX_ORDERS", 0)
    rules = build(tmp_path, GATES)
    game = called(rules, "run", a="reds")
    with pytest.raises(IllegalAction, match="too late, .*possible orders of these 2 steps"):
        game.choose("enter > before > finish")
    game.choose("before > enter > finish")
    assert notes(game) == [1]
    game = called(rules, "run", a="reds")
    for step in ("before", "enter"):
        game.choose(game.draft_steps()[[o.key for o in game.draft_steps()].index(step)])
    game.choose("finish")
    assert notes(game) == [1]


def test_long_answer_of_sound_rules_has_budget_for_each_step(tmp_path: Path) -> None:
    with budget(3_000):
        game = called(build(tmp_path, COUNTER.replace("n * 3 + x", "x")), "run", a="reds")
        game.choose(" > ".join(f"go({n % 40 + 1})" for n in range(200)) + " > finish")
    assert notes(game) == [40]


def test_slow_explanation_of_refusal_is_not_rule_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = called(build(tmp_path, COUNTER), "run", a="reds")

    def endless(*_args: object, **_named: object) -> None:
        raise drafts.BudgetExceededError("on and on")

    monkeypatch.setattr("interpreter.play.why_not.check_draft_steps", endless)
    with pytest.raises(IllegalAction, match="reason cannot be shown"):
        game.choose("go(77) > go(1)")


def test_combination_is_independent_of_step_order() -> None:
    seen = drafts.SeenStates(
        DraftInfo.from_data(
            dict.fromkeys(("fields", "shows", "params", "steps", "finish", "told", "cites", "read", "prefers"), ())
            | {"offer": (), "offer_shows": (), "name": "d", "file": "", "line": 0, "ending": None, "kept": ""}
            | {"unordered": True, "cheapest": False, "staged": False}
        )
    )
    one, two = (0, (1,)), (0, (2,))

    def by(*steps: drafts.Step) -> tuple[int, ...]:
        taken: tuple[int, ...] = ()
        for step in steps:
            taken = seen.extend(taken, step)
        return taken

    assert by(one, two) == by(two, one) and by(one, one) != by(one)
    assert seen.visit("a", by(one, two, one)) and not seen.visit("b", by(one, one, two))
    assert seen.visit("c", by(one, two, two))


def test_missing_draft_end_is_reported(tmp_path: Path) -> None:
    game = started(build(tmp_path, COUNTER.replace("n > 0", "n < 0").replace("1..40", "1..2")))
    with pytest.raises(RuleFault, match="no end of the draft `climb` was found here"):
        game.call("run", a="reds")
