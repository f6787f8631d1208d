"""Test drafts with more ends than can be listed: asked step by step, chosen, saved and resumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load, resume
from interpreter.api.game import Rules
from interpreter.runtime import drafts
from interpreter.runtime.errors import IllegalAction, RuleFault
from tests.tiny import build, called, closely, notes, option_keys, reborn, started, write

RULES = """
    draft mixed(a: army) unordered starting picked = {}:
        option add(n in 1..20) now picked = picked + {n} "and {n}":
            require fresh: n not in picked  "{n} is picked already"
        finish require due: count(picked) == 6 or 20 in picked  "six are due"
    draft free(a: army) unordered starting picked = {}:
        option add(n in 1..20) now picked = picked + {n}
    procedure run(a: army):
        mixed(a) by a -> result
        for n in result.picked: report note(n)
    procedure run_free(a: army):
        free(a) by a -> result
        report note(count(result.picked))
    turn:
        phase only_phase:
            run_free(reds)
            run(reds)
"""


@pytest.fixture(autouse=True)
def small_limits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the number of states examined before a draft is asked step by step; one test uses the real limit."""
    if request.function is not test_options_are_steps:
        monkeypatch.setattr(drafts, "LIMIT", 500)


def test_options_are_steps(rules: Rules) -> None:
    game = called(rules, "run", a="reds")
    # every number can still be followed by 20
    assert option_keys(game) == [f"add({n})" for n in range(1, 21)]
    assert game.decision is not None
    option = game.decision.options[6]
    assert (option.name, option.args, option.label) == ("add", {"n": 7}, "and 7")
    assert game.count() == 20


def test_large_draft_offers_steps_and_end(rules: Rules) -> None:
    game = called(rules, "run_free", a="reds")
    assert option_keys(game)[0] == "add(1)" and option_keys(game)[-1] == "finish"
    game.choose("add(3)")
    # in any order, but not what adds nothing
    assert option_keys(game)[:3] == ["add(1)", "add(2)", "add(4)"] and option_keys(game)[-1] == "finish"
    assert notes(game) == [] and game.keys == []
    game.choose("finish")
    assert notes(game) == [1]
    assert game.keys == ["add(3) > finish"]


def test_last_pick_of_free_draft_is_empty(rules: Rules) -> None:
    game = called(rules, "run_free", a="reds")
    game.pick(game.count() - 1)
    assert notes(game) == [0] and game.keys == ["finish"]


def test_large_draft_is_picked_by_number(rules: Rules) -> None:
    game = called(rules, "run", a="reds")
    for _ in range(3):
        game.pick(0)
    while game.decision is not None:
        game.pick(game.count() - 1)
    assert notes(game) == [1, 2, 3, 20]


def test_large_draft_is_picked_without_record(rules: Rules) -> None:
    game = started(rules, record=False)
    game.call("run", a="reds")
    picks = 0
    while game.decision is not None:
        game.pick(game.count() - 1)
        picks += 1
    assert picks > 0 and game.idle
    with pytest.raises(IllegalAction):
        game.undo()


def test_whole_draft_is_chosen_by_one_key(rules: Rules) -> None:
    game = called(rules, "run", a="reds")
    closely(game, ["add(2) > add(3) > add(5) > add(7) > add(11) > add(13)"])
    assert notes(game) == [2, 3, 5, 7, 11, 13]


def test_state_is_value_between_steps(rules: Rules) -> None:
    game = called(rules, "run_free", a="reds")
    closely(game, ["add(19)", "add(20)", "finish"])
    assert notes(game) == [2]


def test_steps_are_taken_back(rules: Rules) -> None:
    game = called(rules, "run_free", a="reds")
    start = game.hash()
    game.choose("add(1)")
    game.choose("add(2)")
    game.undo()
    assert option_keys(game)[0] == "add(2)"
    game.redo()
    game.choose("finish")
    assert notes(game) == [2] and game.keys == ["add(1) > add(2)"]
    for _ in range(3):
        game.undo()
    assert game.hash() == start and game.keys == []


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("finish", "six are due"),
        ("add(21)", "is not possible with 21 here"),
        ("add(2) > add(2)", "picked already"),
        ("add(2) > add(3)", "six are due"),
    ],
)
def test_refused_step_changes_nothing(rules: Rules, key: str, words: str) -> None:
    game = called(rules, "run", a="reds")
    before = game.hash()
    with pytest.raises(IllegalAction, match=words):
        game.choose(key)
    assert game.hash() == before


def test_written_as_json_in_middle(rules: Rules) -> None:
    game = called(rules, "run_free", a="reds")
    game.choose("add(4)")
    twin = reborn(game)
    assert twin.hash() == game.hash() and option_keys(twin) == option_keys(game)
    for one in (game, twin):
        one.choose("add(9)")
        one.choose("finish")
    assert twin.hash() == game.hash()


@pytest.mark.parametrize(
    "steps", [["finish"], ["add(2)", "finish"], ["add(2)", "add(9)", "finish"], ["add(2) > finish"]]
)
def test_saved_and_taken_up_again(tmp_path: Path, steps: list[str]) -> None:
    folder = write(tmp_path, RULES)
    game = load(folder).start(seed=3)
    for key in steps:
        game.choose(key)
    game.choose("add(20) > finish")
    assert notes(game)[-1] == 20
    path = tmp_path / "game.journal"
    game.save(path)
    again = resume(path, folder)
    assert again.hash() == game.hash() and again.keys == game.keys


def test_end_that_is_far_away(tmp_path: Path) -> None:
    """Check a draft whose nearest end lies beyond all examined states."""
    rules = build(
        tmp_path,
        """
        draft shares(a: army) unordered starting picked = {}:
            option add(n in 1..40) now picked = picked + {n}
            finish require due: count(picked) == 6  "six are due"
        procedure run(a: army):
            if possible shares(a): report note(1)
            shares(a) by a -> result
            report note(count(result.picked))
    """,
    )
    game = called(rules, "run", a="reds")
    assert notes(game) == [1]
    game.choose(" > ".join(f"add({n})" for n in range(31, 37)))
    assert notes(game) == [1, 6]


def test_single_step_that_is_end_and_not_offered(tmp_path: Path) -> None:
    """Choose the unlisted one of two ways to the same offer step by step; check that the journal replays it."""
    folder = write(
        tmp_path,
        """
        draft way(a: army) starting n = 0, last_step = 0:
            option left now n = 1, last_step = 1
            option right now n = 1, last_step = 2
            finish require n > 0  "one step"
            offer distinct by n
        turn:
            phase only_phase:
                way(reds) by reds -> result
                report note(result.last_step)
                ask(reds) -> m
    """,
    )
    game = load(folder).start(seed=1)
    assert option_keys(game) == ["left"]
    game.choose(next(step for step in game.draft_steps() if step.key == "right"))
    game.choose("finish")
    assert notes(game) == [2]
    game.save(tmp_path / "game.journal")
    assert resume(tmp_path / "game.journal", folder).hash() == game.hash()


def test_no_end_is_fault(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        draft never(a: army) starting n = 0:
            option add(m in 1..2) now n = n + m:
                require n < 3  "enough"
            finish require n > 9  "ten are needed"
        procedure run(a: army):
            never(a) by a
    """,
        )
    )
    with pytest.raises(RuleFault, match="no end of the draft"):
        game.call("run", a="reds")
