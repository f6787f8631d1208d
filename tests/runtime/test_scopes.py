"""Test where scopes end: values that last a phase or a turn, skips out of nested calls, and the end of the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.runtime.errors import IllegalAction
from tests.tiny import build, closely, notes, started

LASTING = {
    "shots": "{type: int, default: 3, lasts: outer}",
    "aims": "{type: int, default: 4, lasts: inner}",
    "tries": "{type: int, default: 5, lasts: work}",
    "round": "{type: int, default: 6, lasts: turn}",
}
SPENDING = """
    define spent(a: army) -> int = a.shots * 1000 + a.aims * 100 + a.tries * 10 + a.round
    procedure spend_all(a: army):
        set a.shots = 0
        set a.aims = 0
        set a.tries = 0
        set a.round = 0
"""


@pytest.mark.parametrize(
    ("leave", "wanted"),
    [
        ("nothing", [0, 400, 450, 3456]),  # leaves inner, then work, then outer
        ("return", [0, 450, 3456]),  # out of work and with it out of inner
        ("skip to after", [0, 3456, 3456]),
    ],
)
def test_values_that_last_end_with_their_scope(leave: str, wanted: list[int], tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            SPENDING
            + f"""
    procedure work(a: army):
        phase inner:
            spend_all(a)
            report note(spent(a))
            ask(a) -> n
            {leave}
        report note(spent(a))
    turn:
        phase outer:
            work(reds)
            report note(spent(reds))
        phase after:
            set reds.round = 6
            report note(spent(reds))
            ask(reds) -> last_one
            end game drawn
    """,
            side=LASTING,
        )
    )
    game.call("turn")
    closely(game, ["say(0)"])
    told = notes(game)
    assert told[0] == 0
    assert told[-1] == 3456
    if leave == "nothing":
        assert told == [0, 400, 450, 3456]
    elif leave == "return":
        assert told == [0, 450, 3456]
    else:
        assert told == [0, 3456]


def test_turn_end_resets_turn_values(tmp_path: Path) -> None:
    game = build(
        tmp_path,
        """
    turn:
        phase only_phase:
            report note(reds.round)
            set reds.round = turn
            ask(reds) -> n
            if turn == 3: end game drawn
    """,
        side={"round": "{type: int, default: 6, lasts: turn}"},
    ).start()
    closely(game, ["say(0)", "say(0)", "say(0)"])
    assert game.over
    assert notes(game) == [6, 6, 6]


def test_drawn_game_may_have_level(tmp_path: Path) -> None:
    game = build(
        tmp_path,
        """
    turn:
        phase only_phase:
            ask(reds) -> n
            if n == 1: end game drawn as level("small")
            end game drawn
    """,
    ).start()
    other = game.clone()
    closely(game, ["say(1)"])
    closely(other, ["say(0)"])
    assert game.outcome is not None and (game.outcome.winner, game.outcome.level, game.outcome.title) == (
        "draw",
        "small",
        "Small",
    )
    assert other.outcome is not None and (other.outcome.winner, other.outcome.level) == ("draw", None)


SKIPPING = """
    procedure deeper(a: army, n: int) at most 9 deep:
        for u in units:
            if n > 0: deeper(a, n - 1)
            choose leave by a:
                option forward: skip to last_phase
                option back: skip to first_phase
                option inward: skip to nested_phase
                option stay: nothing
    turn:
        phase first_phase:
            report note(1)
            raise game.total by 1
            if game.total < 3: deeper(reds, 2)
        phase second_phase:
            report note(2)
            phase before_nested: report note(21)
            phase nested_phase:
                report note(22)
            report note(23)
        phase last_phase:
            report note(3)
            end game drawn
"""


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        (["forward"], [1, 3]),
        (["stay", "stay", "forward"], [1, 3]),
        (["inward"], [1, 22, 23, 3]),
        (["back", "forward"], [1, 1, 3]),
        (["stay", "back", "back"], [1, 1, 1, 2, 21, 22, 23, 3]),
    ],
)
def test_skipping_out_of_nested_calls(keys: list[str], wanted: list[int], tmp_path: Path) -> None:
    game = build(tmp_path, SKIPPING).start()
    closely(game, keys)
    assert game.over
    assert notes(game) == wanted
    assert set(game.state.depth.values()) <= {0}, "a skip leaves no nested call counted"


def test_skip_drops_deferred_calls(tmp_path: Path) -> None:
    game = build(
        tmp_path,
        """
    procedure put_off(n: int):
        report note(n)
    turn:
        phase first_phase:
            later put_off(1)
            ask(reds) -> n
            if n == 1: skip to last_phase
        phase last_phase:
            report note(3)
            ask(reds) -> n
            end game drawn
    """,
    ).start()
    closely(game, ["say(1)", "say(0)"])
    assert notes(game) == [3]


def test_called_procedure_returns_skip_target(tmp_path: Path) -> None:
    game = started(
        build(
            tmp_path,
            """
        procedure run(a: army):
            ask(a) -> n
            if n == 1: skip to only_phase
        procedure quiet(a: army):
            skip to only_phase
    """,
        )
    )
    game.call("run", a="reds")
    game.choose("say(1)")
    assert (game.idle, game.skipped) == (True, "only_phase")
    game.call("run", a="reds")
    game.choose("say(2)")
    assert (game.idle, game.skipped) == (True, None)
    game.call("quiet", a="reds")
    assert (game.idle, game.skipped) == (True, "only_phase")


def test_end_game_in_nested_calls_stops_play(tmp_path: Path) -> None:
    game = build(
        tmp_path,
        """
    procedure deeper(a: army, n: int) at most 5 deep:
        if n > 0:
            for u in units: deeper(a, n - 1)
        ask(a) -> m
        if m == 3: end game won by a.seat as great [1.1]
        report note(m)
    turn:
        phase only_phase:
            deeper(reds, 2)
    """,
    ).start()
    closely(game, ["say(1)", "say(3)"])
    assert game.over
    assert game.decision is None
    assert notes(game) == [1]
    assert game.outcome is not None
    assert (game.outcome.winner, game.outcome.level, game.outcome.title) == ("red_seat", "great", "Great")
    with pytest.raises(IllegalAction, match="over"):
        game.choose("say(1)")
    game.undo()
    assert not game.over


def test_outcome_supports_several_winners_and_none(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
    procedure all_win():
        end game won by seats
    procedure nobody():
        end game drawn
    """,
    )
    game = started(rules)
    game.call("all_win")
    assert game.outcome is not None and game.outcome.winner == ("red_seat", "blue_seat")
    game.call("nobody")
    assert game.outcome is not None and game.outcome.winner == "draw"


def test_set_up_may_decide(tmp_path: Path) -> None:
    game = build(
        tmp_path,
        """
    setup:
        ask(blues) -> n
        set game.total = n
    turn:
        phase only_phase:
            ask(reds) -> n
            report note(game.total * 10 + n)
            if turn == 2: end game drawn
    """,
    ).start()
    assert game.decision is not None and game.decision.side == "blues"
    closely(game, ["say(3)", "say(1)", "say(2)"])
    assert notes(game) == [31, 32]
    assert game.turn == 2


def test_turns_of_scenario_end_game(tmp_path: Path) -> None:
    game = build(
        tmp_path,
        """
    turn:
        phase only_phase:
            ask(reds) -> n
    """,
        {
            "scenarios/plain.yaml": """
    kind: scenario
    format: 1
    id: plain
    title: Plain
    default: true
    turns: 2
    """
        },
    ).start()
    closely(game, ["say(0)", "say(0)"])
    assert game.over and game.turn == 2
    assert game.outcome is not None and game.outcome.winner == "draw"
