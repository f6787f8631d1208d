"""Test dice, pools and draws as chance nodes; games that end early, and games for one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter.environments.env_config import load_config
from interpreter.environments.env_state import CHANCE, EnvState, build_initial_state
from interpreter.environments.rewards import compute_returns
from interpreter.runtime.dice import ScriptedDice
from interpreter.runtime.errors import IllegalAction, SetupError
from tests.tiny import write

ODDS = "odds"


def begun(folder: Path, rules: str, **given: Any) -> EnvState:
    return build_initial_state(load_config(write(folder, rules), ODDS, **given), ScriptedDice())


def ends(standing: EnvState, chance: Fraction = Fraction(1)) -> dict[tuple[float, ...], Fraction]:
    """Return the returns of all players with their probabilities, in a game without choices."""
    if standing.is_over:
        return {tuple(standing.returns()): chance}
    assert standing.player == CHANCE
    found: dict[tuple[float, ...], Fraction] = {}
    for action, likely in standing.list_outcomes():
        share = Fraction(likely).limit_denominator(1000)
        for returns, part in ends(standing.apply(action), chance * share).items():
            found[returns] = found.get(returns, Fraction(0)) + part
    return found


def test_pool_falls_die_by_die(tmp_path: Path) -> None:
    rules = """
    turn:
        phase only_phase:
            roll pool: 3 of die -> thrown
            if sum(thrown) >= 15: end game won by red_seat
            if sum(thrown) == 3: end game drawn
            end game won by blue_seat
    """
    # 20 of 216 throws total 15 or more, one totals 3
    assert ends(begun(tmp_path, rules)) == {
        (1, -1): Fraction(20, 216),
        (0, 0): Fraction(1, 216),
        (-1, 1): Fraction(195, 216),
    }


def test_die_with_face_twice_shows_it_twice_as_often(tmp_path: Path) -> None:
    rules = """
    turn:
        phase only_phase:
            roll toss: odd -> thrown
            if thrown == 1: end game won by red_seat
            end game won by blue_seat
    """
    folder = write(tmp_path, rules)
    path = folder / "ruleset.yaml"
    path.write_text(path.read_text().replace("coin: {faces: [0, 1]}", "odd: {faces: [1, 2, 1]}"))
    standing = build_initial_state(load_config(folder, ODDS), ScriptedDice())
    assert [(number, round(likely, 6)) for number, likely in standing.list_outcomes()] == [(0, 0.666667), (1, 0.333333)]
    assert ends(standing) == {(1, -1): Fraction(2, 3), (-1, 1): Fraction(1, 3)}


def test_drawn_member_is_not_drawn_again(tmp_path: Path) -> None:
    rules = """
    turn:
        phase only_phase:
            draw pair: 2 of {1, 2, 3, 4} -> drawn
            if sum(drawn) == 5: end game won by red_seat
            end game won by blue_seat
    """
    standing = begun(tmp_path, rules)
    assert [likely for _, likely in standing.list_outcomes()] == [1 / 4] * 4
    assert [likely for _, likely in standing.apply(2).list_outcomes()] == [pytest.approx(1 / 3)] * 3
    # 1 with 4 or 2 with 3
    assert ends(standing) == {(1, -1): Fraction(1, 3), (-1, 1): Fraction(2, 3)}
    with pytest.raises(IllegalAction, match="the result 4"):
        standing.apply(4)


def test_draw_is_chance_node(tmp_path: Path) -> None:
    """Check a game without dice by OpenSpiel's own test."""
    pyspiel = pytest.importorskip("pyspiel")
    from interpreter.environments.openspiel import load_game

    rules = """
    turn:
        phase only_phase:
            draw one: units -> x
            ask(x.army) -> number
            if number == 0: end game won by {x.army.seat}
            end game drawn
    """
    game = load_game(write(tmp_path, rules))
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert game.max_chance_outcomes() >= 6
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(number, pytest.approx(1 / 6)) for number in range(6)]
    assert [state.child(number).current_player() for number in range(6)] == [0, 0, 0, 1, 1, 1]
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


def test_dice_before_first_decision_are_at_root(tmp_path: Path) -> None:
    rules = """
    turn:
        phase only_phase:
            roll start: coin -> first
            ask(reds) -> number
            if number == first: end game won by red_seat
            end game won by blue_seat
    """
    standing = begun(tmp_path, rules)
    assert standing.player == CHANCE
    for face in (0, 1):
        asked = standing.apply(face)
        assert asked.player == 0
        assert [asked.apply(action).returns()[0] for action in asked.list_legal_actions()] == [
            1 if number == face else -1 for number in range(4)
        ]


def test_game_without_decisions_ends_immediately(tmp_path: Path) -> None:
    pytest.importorskip("pettingzoo")
    from interpreter.environments.pettingzoo import env

    rules = "\n    turn:\n        phase only_phase:\n            end game won by blue_seat\n    "
    folder = write(tmp_path, rules)
    made = env(folder)
    made.reset()
    told = []
    for agent in made.agent_iter():
        _observation, reward, ended, _cut, _info = made.last()
        told.append((agent, reward, ended))
        made.step(None)
    assert told == [("red_seat_0", -1, True), ("blue_seat_1", 1, True)]


def test_levels_have_rewards_and_shared_win_is_zero(tmp_path: Path) -> None:
    rules = """
    turn:
        phase only_phase:
            ask(reds) -> number
            if number == 0: end game won by red_seat as small
            if number == 1: end game won by red_seat as great
            if number == 2: end game won by {red_seat, blue_seat}
            end game drawn
    """
    standing = begun(tmp_path, rules, prizes={"small": 0.25})
    reached = [standing.apply(action) for action in standing.list_legal_actions()]
    assert [s.returns() for s in reached] == [[0.25, -0.25], [1, -1], [0, 0], [0, 0]]
    assert compute_returns(reached[0].state, standing.setting.players, {}) == [1, -1]
    assert standing.returns() == [0, 0]


def test_rules_that_never_ask_make_no_environment(tmp_path: Path) -> None:
    folder = write(tmp_path, "\n    turn:\n        phase only_phase:\n            end game won by blue_seat\n    ")
    (folder / "common.rules").unlink()
    with pytest.raises(SetupError, match="^tiny has no decisions"):
        load_config(folder)
