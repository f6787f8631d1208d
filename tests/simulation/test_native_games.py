"""Games inside WebAssembly are those that Python plays: results, winners, hashes; the others are left to Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules, load
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import seats_of
from interpreter.simulation import games as played_games, native_games
from interpreter.simulation.games import BatchSpec, play_game
from interpreter.simulation.native_games import SWITCH, attempt_of, load_native
from interpreter.simulation.seeds import game_seed

pytest.importorskip("wasmtime")

CLASSICS = Path(__file__).parents[1] / "bench" / "classics"
TARGETS = {
    "napoleon": (3, None, ()),
    "denain-1712": (2, None, ()),
    str(CLASSICS / "connect_four"): (20, None, ()),
    str(CLASSICS / "tic_tac_toe"): (20, None, ()),
}


@pytest.fixture(autouse=True)
def native_games_are_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "1")
    native_games._attempts.clear()  # attempts made while it was off


def plan_of(rules: Rules, target: str, player: str = "random", **more: Any) -> BatchSpec:
    first = rules.start(seed=0, record=False)
    return BatchSpec(target, dict.fromkeys(seats_of(first), player), make_bots, **more)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: Path(t).name)
def test_native_games_are_those_of_python(target: str) -> None:
    games, scenario, options = TARGETS[target]
    rules = load(target)
    plan = plan_of(rules, target, scenario=scenario, options=options)
    attempt_of(rules).waited(10)
    for number in range(games):
        seed = game_seed(0, number)
        inside = play_game(rules, plan, number, seed)
        assert inside.is_native
        assert inside == played_games._played_in_python(rules, plan, number, seed)


def test_native_games_wait_until_python_has_played_for_a_while() -> None:
    rules = load(str(CLASSICS / "breakthrough"))
    attempt = attempt_of(rules)
    assert attempt.find(rules) is None or attempt.is_tried


def test_a_game_that_is_cut_off_is_played_by_python() -> None:
    target = str(CLASSICS / "connect_four")
    rules = load(target)
    attempt_of(rules).waited(10)
    cut = play_game(rules, plan_of(rules, target, max_decisions=3), 0, 1)
    assert not cut.is_native and cut.decisions == 3 and not cut.outcome


def test_bots_that_think_are_played_by_python() -> None:
    target = str(CLASSICS / "tic_tac_toe")
    rules = load(target)
    attempt_of(rules).waited(10)
    assert not play_game(rules, plan_of(rules, target, "greedy"), 0, 1).is_native


def test_native_games_are_off_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SWITCH)
    found = load_native(load(str(CLASSICS / "tic_tac_toe")))
    assert found is not None and found[0] is None


def test_a_damaged_file_of_machine_code_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path))
    target = str(CLASSICS / "tic_tac_toe")
    rules = load(target)
    first = load_native(rules)
    assert first is not None and first[0] is not None
    kept = [*(tmp_path / "wasm").iterdir()]
    assert kept
    for path in kept:
        raw = path.read_bytes()
        path.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    second = load_native(rules)
    assert second is not None and second[0] is not None
    assert second[0].play(None, (), 7, (1, 0), 100) is not None
