"""Games side by side inside WebAssembly are the games that Python plays, lane by lane."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from interpreter.api.game import load
from interpreter.environments.vector import VectorGames
from interpreter.runtime.errors import SetupError
from tests.simulation.test_native_hops import large

pytest.importorskip("wasmtime")

CLASSICS = Path(__file__).parents[1] / "bench" / "classics"


@pytest.mark.parametrize("target", [str(CLASSICS / "tic_tac_toe"), "napoleon"], ids=lambda t: Path(t).name)
def test_lanes_follow_games_of_python(target: str) -> None:
    count, rules, chance = 5, load(target), np.random.default_rng(3)
    vector = VectorGames(target, count, seed=20)
    games = [rules.start(seed=20 + lane, record=False) for lane in range(count)]
    place = vector.columns["piece.at"]
    for _ in range(40):
        for lane, game in enumerate(games):
            decision = game.decision
            assert decision is not None
            assert vector.options[lane] == game.count()
            assert vector.addresses[vector.decisions[lane]] == decision.address
            assert vector.seats[vector.deciders[lane]] == decision.seat
            assert place[lane].tolist() == game.state.at
        actions = (chance.random(count) * vector.options).astype(int)
        rewards, over, broken = vector.step(actions)
        assert not broken.any()
        for lane, game in enumerate(games):
            game.pick(int(actions[lane]))
            assert bool(over[lane]) == game.over
            if game.over:
                winner = game.outcome.winner if game.outcome is not None else None
                wanted = [0.0, 0.0] if winner == "draw" else [1.0 if seat == winner else -1.0 for seat in vector.seats]
                assert rewards[lane].tolist() == wanted
        if over.any():
            return


def test_lane_starts_again_with_its_next_seed() -> None:
    vector = VectorGames(CLASSICS / "tic_tac_toe", 2)
    for _ in range(9):
        _, over, _ = vector.step(np.zeros(2))
        if over[0]:
            break
    assert over.all() and vector.options[0] != 9
    vector.step(np.zeros(2))
    assert vector.options.tolist() == [9, 9] and vector.turns.tolist() == [1, 1]


def test_vector_games_refuse_option_that_there_is_not() -> None:
    vector = VectorGames(CLASSICS / "tic_tac_toe", 3)
    with pytest.raises(SetupError, match="option 9 of 9 in lane 1"):
        vector.step(np.array([0, 9, 0]))


def test_choice_of_lane_that_traps_is_made_by_python(tmp_path: Path) -> None:
    """Option 2 has a product that is too large inside, and a result that is not."""
    target = large(tmp_path, "end game won by one.seat")
    rules, vector = load(target), VectorGames(target, 3)
    games = [rules.start(seed=lane, record=False) for lane in range(3)]
    size = vector.columns["game.size"]
    while not games[0].over:
        actions = np.array([2, 5, 1])
        _, over, broken = vector.step(actions)
        for lane, game in enumerate(games):
            game.pick(int(actions[lane]))
            assert game.over or vector.options[lane] == game.count()
            assert size[lane] == game.view()["game"]["size"]
        assert not broken.any() and over.tolist() == [game.over for game in games]
    assert vector.turns.tolist() == [1, 1, 1]
