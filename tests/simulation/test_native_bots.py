"""Bots choose alike inside WebAssembly and in Python: classics, random rulesets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interpreter.api.game import Rules, load
from interpreter.api.loading import FileSource, read_model
from interpreter.api.native_rules import get_attempt
from interpreter.diagnostics.diagnostic import Sink
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from interpreter.runtime.errors import RuleFault
from interpreter.simulation import games as played_games
from interpreter.simulation.games import BatchSpec, play_game
from tests.simulation.test_native_games import CLASSICS, plan_of
from tests.witness.field import write
from tests.witness.forms import programs_of
from tests.witness.writer import Writer

pytest.importorskip("wasmtime")

QUICK = (1, 4, 8, 21, 32, 45, 21206)  # in 21206 trials trap while they look at replies
FIRST, COUNT = 20_000, int(os.environ.get("GROGNARD_SOAK", "2000"))  # rulesets of the long run
PLAYERS = ("greedy", "search:6")


def compare(seed: int, folder: Path, player: str) -> bool:
    """Play a game of a random ruleset both ways; return True if WebAssembly could play it."""
    sink = Sink()
    target = str(write(folder, Writer(seed).ruleset()))
    model = read_model(target, sink)
    if model is None or sink.has_errors:
        return False
    rules = Rules(programs_of(model, ("play",))["play"], model, target, FileSource(target))
    get_attempt(rules).add_time(10)
    try:
        seats = list_seats(rules.start(seed=0, record=False))
    except RuleFault:
        return False
    plan = BatchSpec(target, dict.fromkeys(seats, player), make_bots, max_decisions=30)
    inside = play_game(rules, plan, 0, seed)
    if not inside.is_native:
        return False
    assert inside == played_games._play_in_python(rules, plan, 0, seed)
    return True


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "breakthrough"])
def test_bots_play_classic_alike(name: str, player: str) -> None:
    """Check that bots evaluate positions by the lead in pieces where a game has no evaluation."""
    target = str(CLASSICS / name)
    rules = load(target)
    get_attempt(rules).add_time(10)
    plan = plan_of(rules, target, player)
    inside = play_game(rules, plan, 0, 5)
    assert inside.is_native
    assert inside == played_games._play_in_python(rules, plan, 0, 5)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("seed", QUICK)
def test_bots_play_random_ruleset_alike(seed: int, player: str, tmp_path: Path) -> None:
    compare(seed, tmp_path, player)


@pytest.mark.soak
@pytest.mark.parametrize("player", PLAYERS)
def test_bots_play_many_random_rulesets_alike(player: str, tmp_path: Path) -> None:
    """Compare random rulesets; `GROGNARD_SOAK` is their number."""
    alike = sum(compare(seed, tmp_path / str(seed), player) for seed in range(FIRST, FIRST + COUNT))
    assert alike > 0.5 * COUNT
