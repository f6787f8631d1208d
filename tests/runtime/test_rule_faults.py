"""Mistakes of a ruleset found in play: what is told, what is stopped, and that the game stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.runtime.errors import RuleFault
from tests.tiny import build, closely, notes, started


def test_decision_without_options_is_rules_fault(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure run(a: army):
            choose none by a:
                option take(n in 1..0): nothing
    """,
        )
    )
    with pytest.raises(RuleFault) as caught:
        game.call("run", a="reds")
    assert "`run.none`" in caught.value.message
    assert (caught.value.file, caught.value.line) == ("tiny/own.rules", 3)


def test_fault_after_choice_leaves_game_as_it_was(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure run(a: army):
            ask(a) -> n
            set game.total = 5
            assert n < 2 "{n} is too much"
            report note(n)
    """,
        )
    )
    game.call("run", a="reds")
    before = game.hash()
    with pytest.raises(RuleFault, match="3 is too much"):
        game.choose("say(3)")
    assert game.hash() == before
    game.choose("say(1)")
    assert notes(game) == [1]


def test_stack_of_rules_is_reported(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure worse(n: int):
            assert n > 9 "no"
        procedure bad(a: army):
            ask(a) -> n
            worse(n)
        procedure run(a: army):
            bad(a)
    """,
        ),
        seed=11,
    )
    game.call("run", a="reds")
    with pytest.raises(RuleFault) as caught:
        game.choose("say(1)")
    assert caught.value.line == 3
    assert caught.value.stack == ("tiny/own.rules:6 in bad", "tiny/own.rules:3 in worse")
    assert caught.value.seed == 11


def test_recursion_ends_at_its_bound(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure down(n: int) at most 3 deep:
            report note(n)
            down(n + 1)
        procedure run(a: army):
            down(1)
    """,
        )
    )
    with pytest.raises(RuleFault, match="calls itself more than 3 deep"):
        game.call("run", a="reds")
    assert notes(game) == [1, 2, 3]


def test_recursion_with_decisions_ends_at_its_bound(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure down(a: army, n: int) at most 3 deep:
            ask(a) -> m
            down(a, n + 1)
        procedure run(a: army):
            down(a, 1)
    """,
        )
    )
    game.call("run", a="reds")
    closely(game, ["say(0)", "say(0)"])
    with pytest.raises(RuleFault, match="calls itself more than 3 deep"):
        game.choose("say(0)")


def test_two_effects_that_clash_are_fault(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure run(a: army):
            together:
                set reds.score = 1
                set reds.score = 2
        procedure fine(a: army):
            together:
                for b in armies:
                    set b.score = count(armies)
                    if b == reds: set b.spirit = proud
        procedure mixed(a: army):
            together:
                set reds.score = 1
                raise reds.score by 1
    """,
        )
    )
    with pytest.raises(RuleFault, match="set the same thing differently"):
        game.call("run", a="reds")
    game.call("fine", a="reds")
    assert game.view()["sides"]["reds"] == {"seat": "red_seat", "score": 2, "spirit": "proud"}
    with pytest.raises(RuleFault, match="both sets a value and changes it"):
        game.call("mixed", a="reds")


@pytest.mark.parametrize(
    "loop",
    [
        "while game.total < 5: set game.total = 1 - game.total",
        "repeat 1000000000 times: set game.total = 1",
        "for n in 1..1000000000: set game.total = n",
        "let all = count(n in 1..1000000000 where n > 3)",
        "round_and_round(a, 1)",
    ],
)
def test_endless_rules_are_stopped(loop: str, tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            f"""
        procedure round_and_round(a: army, n: int) at most 1000000000 deep:
            round_and_round(a, n + 1)
        procedure run(a: army):
            {loop}
    """,
        ),
        record=False,
    )
    with pytest.raises(RuleFault) as caught:
        game.call("run", a="reds")
    assert caught.value.file == "tiny/own.rules"


def test_turns_without_decisions_are_stopped(tmp_path: Path) -> None:
    with pytest.raises(RuleFault, match="without end"):
        build(tmp_path, "turn:\n    phase only_phase: raise game.total by 1\n").start(record=False)
