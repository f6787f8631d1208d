"""Suspended procedures: every control structure with a decision in its middle.

Each case is played with `closely`, which saves and takes up the game at every decision, clones it, and goes back
and forth through the hashes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime import suspended_choices, suspended_programs
from tests.runtime.suspended_programs import TABLES
from tests.tiny import build, closely, notes, option_keys, said, started

CASES = suspended_programs.CASES + suspended_choices.CASES


@pytest.mark.parametrize(("rules", "keys", "wanted"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_decision_inside_statement_resumes(rules: str, keys: list[str], wanted: list[int], tmp_path: Path) -> None:
    game = started(build(tmp_path, rules, TABLES), seed=3)
    game.call("run", a="reds")
    closely(game, keys)
    assert game.idle, option_keys(game)
    assert notes(game) == wanted


def test_phase_is_reported_and_restored(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure run(a: army):
            phase outer:
                ask(a) -> n
                phase inner:
                    ask(a) -> m
                ask(a) -> k
            ask(a) -> l
    """,
        )
    )
    game.call("run", a="reds")
    seen = []
    for _ in range(4):
        seen.append(game.phase)
        game.choose("say(0)")
    assert seen == ["outer", "inner", "outer", None]
    assert game.phase is None


def test_decision_belongs_to_side_named_when_it_is_reached(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure run(a: army):
            for b in armies:
                choose mine by b "what will {b} do, {a}?":
                    option x(n in 1..2) "take {n}": nothing
    """,
        )
    )
    game.call("run", a="reds")
    assert game.decision is not None
    assert (game.decision.side, game.decision.seat, game.decision.prompt) == (
        "reds",
        "red_seat",
        "what will reds do, reds?",
    )
    assert [o.label for o in game.decision.options] == ["take 1", "take 2"]
    game.choose("x(1)")
    assert game.decision is not None
    assert (game.decision.side, game.decision.prompt) == ("blues", "what will blues do, reds?")


def test_watchers_run_in_order_of_declaration(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        whenever said(t): report note(1)
        whenever said(t) where t == "b": report note(2)
        whenever said(t):
            for u in units at a: move u to b
        whenever moved(u, origin, target): report note(3)
        procedure run(a: army):
            report said("a")
            report said("b")
            move unit("red-1") to b
            move unit("red-1") to c
    """,
        )
    )
    game.call("run", a="reds")
    assert notes(game) == [1, 3, 3, 3, 1, 2, 3]
    assert said(game) == ["a", "b"]


def test_automatic_choice_is_logged(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure run(a: army):
            choose only_one by a [1.1] alone:
                option take(u in units at a.home) [1.2]: move u to pile
    """,
        )
    )
    game.call("run", a="reds")
    assert game.idle
    assert ("taken", "only_one") in [(e.sort, e.name) for e in game.log]


def test_keys_of_alike_pieces_go_by_their_group(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure run(a: army):
            choose which by a repeat until done:
                option wear(u in units): set u.condition = worn
                option go(u in units, p in neighbours(u.at)): move u to p
    """,
        )
    )
    game.call("run", a="reds")
    assert option_keys(game) == [
        "wear(reds.fresh@a)",
        "wear(blues.fresh@d)",
        "go(reds.fresh@a, b)",
        "go(blues.fresh@d, c)",
        "done",
    ]
    closely(game, ["wear(reds.fresh@a)", "go(reds.worn@a, b)"])
    assert option_keys(game) == [
        "wear(reds.worn@b)",
        "wear(reds.fresh@a)",
        "wear(blues.fresh@d)",
        "go(reds.worn@b, a)",
        "go(reds.worn@b, c)",
        "go(reds.fresh@a, b)",
        "go(blues.fresh@d, c)",
        "done",
    ]
