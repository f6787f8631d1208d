"""Games inside WebAssembly are those that Python plays: results, winners, hashes; the others are left to Python."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interpreter.api import native_rules
from interpreter.api.game import Rules, load
from interpreter.api.native_rules import SWITCH, get_attempt, load_native
from interpreter.backends.wasm.host.native_game import NativeGame
from interpreter.experiments.evaluation_override import EvaluationObserver
from interpreter.experiments.measures import Measurer
from interpreter.play.game import Game
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from interpreter.simulation import games as played_games
from interpreter.simulation.games import BatchSpec, play_game
from interpreter.simulation.seeds import derive_game_seed

pytest.importorskip("wasmtime")

CLASSICS = Path(__file__).parents[1] / "bench" / "classics"
TARGETS = {
    "napoleon": (3, None, ()),
    "denain-1712": (2, None, ()),
    str(CLASSICS / "connect_four"): (20, None, ()),
    str(CLASSICS / "tic_tac_toe"): (20, None, ()),
}


def plan_of(rules: Rules, target: str, player: str = "random", **more: Any) -> BatchSpec:
    first = rules.start(seed=0, record=False)
    return BatchSpec(target, dict.fromkeys(list_seats(first), player), make_bots, **more)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: Path(t).name)
def test_native_games_are_those_of_python(target: str) -> None:
    games, scenario, options = TARGETS[target]
    rules = load(target)
    plan = plan_of(rules, target, scenario=scenario, options=options)
    get_attempt(rules).add_time(10)
    for number in range(games):
        seed = derive_game_seed(0, number)
        inside = play_game(rules, plan, number, seed)
        assert inside.is_native
        assert inside == played_games._play_in_python(rules, plan, number, seed)


def test_native_games_wait_until_python_has_played_for_while() -> None:
    rules = load(str(CLASSICS / "breakthrough"))
    attempt = get_attempt(rules)
    assert attempt.find(rules) is None or attempt.loaded is not None


def test_game_that_is_cut_off_is_played_by_python() -> None:
    target = str(CLASSICS / "connect_four")
    rules = load(target)
    get_attempt(rules).add_time(10)
    cut = play_game(rules, plan_of(rules, target, max_decisions=3), 0, 1)
    assert not cut.is_native and cut.decisions == 3 and not cut.outcome


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_native_games_give_measures_of_python(player: str) -> None:
    rules = load("napoleon")
    plan = plan_of(rules, "napoleon", player, make_observer=Measurer)
    get_attempt(rules).add_time(10)
    inside = play_game(rules, plan, 0, 5)
    assert inside.is_native
    assert inside == played_games._play_in_python(rules, plan, 0, 5)


def noting(rules: Rules, game: Game) -> EvaluationObserver:
    """Evaluate the position now and then by the same rules."""
    return EvaluationObserver(game, [(rules.program, 1.0)])


@pytest.mark.parametrize("target", ["napoleon", "denain-1712"])
def test_native_games_show_their_positions_to_observer(target: str) -> None:
    """Check that scores and evaluations of positions that are read back equal those of Python."""
    rules = load(target)
    plan = plan_of(rules, target, make_observer=noting)
    get_attempt(rules).add_time(10)
    inside = play_game(rules, plan, 0, 3)
    assert inside.is_native and inside == played_games._play_in_python(rules, plan, 0, 3)
    measured = replace(plan, make_observer=Measurer)
    assert play_game(rules, measured, 0, 3) == played_games._play_in_python(rules, measured, 0, 3)


def test_native_games_of_different_bots_are_those_of_python() -> None:
    target = str(CLASSICS / "connect_four")
    rules = load(target)
    get_attempt(rules).add_time(10)
    seats = dict(zip(list_seats(rules.start(seed=0, record=False)), ("greedy", "random"), strict=True))
    plan = BatchSpec(target, seats, make_bots)
    for number in range(3):
        inside = play_game(rules, plan, number, number)
        assert inside.is_native
        assert inside == played_games._play_in_python(rules, plan, number, number)


@pytest.mark.parametrize(
    ("target", "player", "decisions"), [("denain-1712", "greedy", 80), ("napoleon", "search:24", 60)]
)
def test_bots_choose_alike_inside_and_in_python(target: str, player: str, decisions: int) -> None:
    """Check options tried in rows of choices and in drafts, with dice dealt by the names of rolls."""
    rules = load(target)
    loaded = load_native(rules)
    assert loaded is not None and loaded.session is not None
    python, inside = rules.start(seed=1, record=False), NativeGame.start(loaded.session, None, (), 1)
    seats = dict.fromkeys(list_seats(python), player)
    bots, twins = make_bots(seats, 1), make_bots(seats, 1)
    for _ in range(decisions):
        decision = python.decision
        assert decision is not None
        number = bots[decision.seat].choose(python)
        assert twins[decision.seat].choose(inside) == number  # type: ignore[arg-type]
        python.pick(number)
        inside.pick(number)


@pytest.mark.soak
@pytest.mark.parametrize("player", ["greedy", "search:24"])
@pytest.mark.parametrize("target", ["napoleon", "denain-1712"])
def test_whole_games_of_bots_are_those_of_python(target: str, player: str) -> None:
    rules = load(target)
    get_attempt(rules).add_time(10)
    plan = plan_of(rules, target, player, make_observer=Measurer)
    for seed in range(2):
        inside = play_game(rules, plan, seed, seed)
        assert inside.is_native
        assert inside == played_games._play_in_python(rules, plan, seed, seed)


def test_native_games_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "0")
    native_rules._attempts.clear()
    found = load_native(load(str(CLASSICS / "tic_tac_toe")))
    assert found is not None and found.session is None and SWITCH in found.reason


def compiled_alone(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Compile a classic with a cache of its own; return the files of machine code and of modules."""
    monkeypatch.setenv("GROGNARD_CACHE", str(folder))
    loaded = load_native(load(str(CLASSICS / name)))
    assert loaded is not None and loaded.session is not None
    files = [path for sort in ("wasm", "wasm-module") for path in (folder / sort).iterdir()]
    assert len(files) == 2
    return files


def sequences_of_two(name: str) -> int:
    loaded = load_native(load(str(CLASSICS / name)))
    assert loaded is not None and loaded.session is not None
    return NativeGame.start(loaded.session, None, (), 7).session.count_sequences(2)


def test_cached_modules_are_for_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in compiled_alone("tic_tac_toe", tmp_path, monkeypatch):
        assert path.stat().st_mode & 0o777 == 0o600


def test_damaged_module_and_machine_code_are_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in compiled_alone("tic_tac_toe", tmp_path, monkeypatch):
        raw = path.read_bytes()
        path.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
        assert sequences_of_two("tic_tac_toe") == 72
        assert path.read_bytes() == raw


def test_module_and_machine_code_of_another_ruleset_are_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole files, each with its own right digest, under the name of another."""
    others = compiled_alone("connect_four", tmp_path / "other", monkeypatch)
    for path, other in zip(compiled_alone("tic_tac_toe", tmp_path / "own", monkeypatch), others, strict=True):
        raw = path.read_bytes()
        path.write_bytes(other.read_bytes())
        assert sequences_of_two("tic_tac_toe") == 72
        assert path.read_bytes() == raw


def test_module_of_another_user_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor where others may write to its folder."""
    compiled_alone("tic_tac_toe", tmp_path, monkeypatch)
    rules = load(str(CLASSICS / "tic_tac_toe"))
    assert load_native(rules, compiles=False) is not None
    (tmp_path / "wasm-module").chmod(0o777)
    assert load_native(rules, compiles=False) is None
