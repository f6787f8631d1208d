"""Test observations: every number is where the layout says, with the meaning that it says."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from interpreter.environments.env_config import load_config
from interpreter.environments.env_state import EnvState, build_initial_state
from interpreter.runtime.dice import SeededDice
from tests.environments.rulesets import ALL, BORDER, CLASSICS, WITHOUT

np = pytest.importorskip("numpy", reason=WITHOUT)
from interpreter.environments.observation_encoder import ObservationEncoder  # noqa: E402 - it needs what may not be there


def wander(ruleset: Any, actions: int, seed: int = 3) -> list[EnvState]:
    """Return the states of a random game."""
    standing, choices = build_initial_state(load_config(ruleset), SeededDice(seed)), SeededDice(seed)
    found = [standing]
    for _ in range(actions):
        legal = standing.list_legal_actions()
        if not legal:
            break
        standing = standing.apply(legal[choices.roll(len(legal))])
        found.append(standing)
    return found


@pytest.mark.parametrize("name", ALL)
def test_blocks_follow_each_other_and_names_are_their_own(name: str) -> None:
    layout = ObservationEncoder(load_config(ALL[name])).layout
    at = 0
    for block in layout.blocks:
        assert block.start == at
        assert len(set(block.channels)) == len(block.channels)
        assert len(set(block.rows)) == len(block.rows)
        at = block.stop
    assert at == layout.size
    assert len({block.name for block in layout.blocks}) == len(layout.blocks)
    assert json.loads(json.dumps(layout.data()))[0]["start"] == 0
    assert str(layout).startswith(f"{layout.size} numbers\n")


def test_observation_encodes_board_of_noughts_and_crosses() -> None:
    setting = load_config(CLASSICS["tic_tac_toe"])
    encoder = ObservationEncoder(setting)
    standing = build_initial_state(setting, SeededDice(0))
    for cell in (4, 0):  # crosses in the middle, noughts in the corner
        standing = standing.apply(cell)
    found = encoder.observation(standing, 1)
    index = encoder.layout.index
    ones = {
        index("place", "22", "mark = crosses"),
        index("place", "11", "mark = noughts"),
        index("game", "", "turn"),
        index("game", "", "phase = move"),
        index("players", "", "you = second"),
        index("players", "", "to decide = first"),
        index("sides", "", "crosses"),
        index("decision", "", "turn.put"),
        index("given", "", "s = crosses"),
    }
    expected = np.zeros(encoder.layout.size, np.float32)
    expected[sorted(ones)] = 1
    expected[index("game", "", "turn")] = 2
    assert found.dtype == np.float32
    assert np.array_equal(found, expected)
    planes = encoder.layout.planes(found)
    assert planes.shape == (2, 3, 3)
    assert planes[:, 1, 1].tolist() == [1, 0]
    assert planes[:, 0, 0].tolist() == [0, 1]


def test_unique_pieces_have_rows_and_places() -> None:
    setting = load_config(CLASSICS["breakthrough"])
    encoder = ObservationEncoder(setting)
    standing = build_initial_state(setting, SeededDice(0))
    codec = setting.codec
    move = next(a for a in standing.list_legal_actions() if codec.meaning(a) == "go(white_17, 16)")
    found = encoder.layout.parts(encoder.observation(standing.apply(move), 0))
    place, piece = encoder.layout.block("place"), encoder.layout.block("piece")
    assert place.channels == ("man white", "man black")
    assert found["place"][place.rows.index("16")].tolist() == [1, 0]
    assert found["place"][place.rows.index("17")].tolist() == [0, 0]
    assert found["place"].sum() == 32
    assert piece.channels == ("column", "line", "at lost")
    assert found["piece"][piece.rows.index("white_17")].tolist() == [1, 6, 0]
    assert found["piece"][piece.rows.index("black_82")].tolist() == [8, 2, 0]


def test_alike_pieces_are_counted_with_changed_values() -> None:
    """Against the state itself, in positions of a random game."""
    for standing in wander("napoleon", 200)[::20]:
        encoder = ObservationEncoder(standing.setting)
        state, program = standing.state, standing.setting.program
        found = encoder.layout.parts(encoder.observation(standing, 0))["place"]
        block = encoder.layout.block("place")
        assert found.sum(axis=0)[block.channels.index("unit france")] == sum(
            program.get_constant(p, "nation") == 0 for p in range(len(state.at))
        )
        moved = getattr(state, program.slot_of["piece", "moved"])
        for place, name in enumerate(block.rows):
            for side, nation in enumerate(program.ids["side"]):
                mine = [p for p in state.occ[place] if program.get_constant(p, "nation") == side]
                row = found[place]
                assert row[block.channels.index(f"unit {nation}")] == len(mine), (name, nation)
                assert row[block.channels.index(f"unit {nation}: moved")] == sum(moved[p] for p in mine)


@pytest.mark.parametrize("name", ALL)
def test_reused_array_is_cleared(name: str) -> None:
    """Check that an encoder that has encoded a whole game gives the same arrays as a fresh one."""
    standings = wander(ALL[name], 150)
    used = ObservationEncoder(standings[0].setting)
    painted = [used.observation(standing, 0) for standing in standings]
    for number in range(0, len(standings), 15):
        fresh = ObservationEncoder(standings[0].setting).observation(standings[number], 0)
        assert np.array_equal(painted[number], fresh)
        assert np.array_equal(used.observation(standings[number], 0), fresh)
    assert np.isfinite(painted).all()
    assert len({p.tobytes() for p in painted}) > len(painted) // 2


def test_observation_shows_words_of_partial_action() -> None:
    standings = [s for s in wander("napoleon", 400) if not s.is_over and s.words_so_far]
    assert standings
    for standing in standings[:20]:
        encoder = ObservationEncoder(standing.setting)
        found = encoder.layout.parts(encoder.observation(standing, 0))["said"][0]
        assert sorted(np.flatnonzero(found)) == sorted(set(standing.words_so_far))


PROGRAM = """
import hashlib, sys
from interpreter.environments.pettingzoo import env
from interpreter.runtime.dice import SeededDice
for ruleset in sys.argv[1:]:
    digest = hashlib.blake2b()
    made, choices = env(ruleset, max_cycles=120), SeededDice(1)
    made.reset(seed=5)
    for agent in made.agent_iter():
        seen, reward, ended, cut, info = made.last()
        digest.update(seen["observation"].tobytes() + seen["action_mask"].tobytes() + str(reward).encode())
        legal = seen["action_mask"].nonzero()[0]
        made.step(None if ended or cut else int(legal[choices.roll(len(legal))]))
    print(digest.hexdigest())
"""


def test_same_seed_and_actions_give_same_arrays_in_every_process() -> None:
    pytest.importorskip("pettingzoo", reason=WITHOUT)
    found = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, str(ALL["napoleon"]), str(BORDER)],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).resolve().parents[2],
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "77")
    }
    assert len(found) == 1
    assert [len(line) for line in found.pop().split()] == 2 * [hashlib.blake2b().digest_size * 2]


def test_map_without_grid_has_no_planes() -> None:
    layout = ObservationEncoder(load_config(BORDER)).layout
    assert layout.grid is None
    with pytest.raises(KeyError):
        layout.planes(np.zeros(layout.size, np.float32))
