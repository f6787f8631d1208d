"""Batches: equal plans give equal games, whatever runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.players.bots.registry import make_bots
from interpreter.runtime.errors import SetupError
from interpreter.simulation.batches import play_batch, serialize_batch
from interpreter.simulation.games import BatchSpec, play_game
from interpreter.simulation.seeds import derive_game_seed, derive_seed
from interpreter.simulation.work_units import WorkUnit, play_work_unit
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
SEATS = {"france": "random", "allies": "random"}


def plan(seed: int = 1, **more: int) -> BatchSpec:
    return BatchSpec("napoleon", SEATS, make_bots, seed, **more)  # type: ignore[arg-type]


def test_seeds_are_derived_without_collisions() -> None:
    seeds = [derive_seed(a, *parts) for a in range(20) for parts in ((), (1,), ("1", "2"), ("12",), ("1", 2, 3))]
    assert len(set(seeds)) == 20 * 5
    assert all(0 <= s < 2**63 for s in seeds)
    assert derive_seed(7, "game", 3) == derive_game_seed(7, 3)


def test_batch_seeds_are_stable() -> None:
    assert [derive_game_seed(1, n) for n in range(2)] == SEEDS


SEEDS = [5192482109274473550, 8273527954947943999]


def test_changed_rules_are_not_program_fault() -> None:
    with pytest.raises(SetupError, match="start the games again"):
        play_work_unit(WorkUnit(0, replace(plan(), content="of yesterday"), (0,)))


def test_batch_does_not_depend_on_number_of_processes() -> None:
    one, two = (serialize_batch(play_batch(plan(), 5, jobs)) for jobs in (1, 2))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}


def test_progress_counts_every_game() -> None:
    seen: list[tuple[int, int]] = []
    play_batch(plan(), 3, 1, lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_game_of_batch_can_be_played_alone() -> None:
    rules = load("napoleon")
    batch = [play_game(rules, plan(), n, derive_game_seed(1, n)) for n in range(3)]
    assert play_game(rules, plan(seed=99), 0, batch[2].seed).hash == batch[2].hash


def test_batches_of_different_seeds_differ() -> None:
    assert play_batch(plan(1), 2).state_hash != play_batch(plan(2), 2).state_hash


def test_batch_stops_games_at_decision_limit() -> None:
    batch = play_batch(plan(max_decisions=3), 2)
    assert (batch.finished, batch.decisions, batch.outcomes) == (0, 6, {})


def test_batch_does_not_depend_on_hash_seed() -> None:
    command = [sys.executable, "-m", "interpreter", "simulate", "napoleon", "-n", "3", "--format", "json"]
    told = []
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            command,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        told.append([line for line in done.stdout.splitlines() if '"seconds"' not in line])
    assert told[0] == told[1]
