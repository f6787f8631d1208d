"""A game changes between Python and WebAssembly at any decision, and is the game that Python plays alone."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from interpreter.api.game import Rules, load
from interpreter.api.native_rules import load_native
from interpreter.backends.wasm.host.native_game import NativeGame
from interpreter.backends.wasm.host.session import NativeSession
from interpreter.backends.wasm.host.wasm_host import TrapError
from interpreter.play.game import Game
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from interpreter.runtime.state import serialize_state
from interpreter.simulation import games as played_games
from interpreter.simulation.games import BatchSpec, play_game
from tests.simulation.test_native_games import plan_of

pytest.importorskip("wasmtime")

CLASSICS = Path(__file__).parents[1] / "bench" / "classics"
GAMES = {
    "napoleon": (2, 250),
    "denain-1712": (2, 200),
    **{str(CLASSICS / name): (6, 60) for name in ("tic_tac_toe", "connect_four", "breakthrough")},
}


def session_of(rules: Rules) -> NativeSession:
    loaded = load_native(rules)
    assert loaded is not None and loaded.session is not None
    return loaded.session


def agree(game: Game, alone: Game) -> None:
    """Positions, questions, dice and the suspended procedures of both."""
    found, expected = serialize_state(game.state), serialize_state(alone.state)
    frames = [[(name, place) for name, place, _ in data.pop("frames")] for data in (found, expected)]
    assert found == expected and frames[0] == frames[1]
    assert game.state.dice.counter == alone.state.dice.counter


@pytest.mark.parametrize("target", GAMES, ids=lambda t: Path(t).name)
def test_game_that_hops_at_random_decisions_is_game_of_python(target: str) -> None:
    games, most = GAMES[target]
    rules = load(target)
    session = session_of(rules)
    for seed in range(games):
        chance = Random(seed)
        alone, game = rules.start(seed=seed, record=False), NativeGame.start(session, None, (), seed)
        begun, hopping = game.begun, game
        for _ in range(most):
            if alone.over:
                break
            assert alone.decision is not None and hopping.decision is not None
            assert alone.decision.list_offers() == hopping.decision.list_offers() and alone.depth == hopping.depth
            if chance.random() < 0.4:
                if isinstance(hopping, Game):
                    hopping = NativeGame.from_python_game(session, hopping, begun)
                else:
                    hopping = hopping.to_python_game()
                    agree(hopping, alone)
            number = chance.randrange(alone.count())
            alone.pick(number)
            hopping.pick(number)
        final = hopping if isinstance(hopping, Game) else hopping.as_python()
        assert final.over == alone.over
        assert not alone.over or final.hash() == alone.hash()


TRAPPING = """
turn:
    phase play:
        {first}
        repeat 12 times:
            for s in sides:
                choose change by s:
                    option grow:
                        set game.size = game.size * 1000000007
                    option shrink:
                        set game.size = 1 + remainder(game.size, 5)
                    option spin:
                        set game.size = remainder(game.size * 1000000007 * 1000000007 * 1000000007, 1000)
                    option hold(n in 1..3):
                        set game.size = game.size + n
    phase finish:
        {end}
"""
RULESET = """\
kind: ruleset
format: 1
id: large
title: Large
version: "1"
languages: [en]
sides: {members: {one: {}, other: {}}}
seats: {first: {sides: [one]}, second: {sides: [other]}}
game: {size: {type: int, default: 1}}
"""


EVALUATION = "kind: victory\nformat: 1\nevaluation: game.size\n"


def large(folder: Path, end: str, victory: str = "", first: str = "nothing") -> str:
    """Return a game with some numbers that are too large for the module."""
    root = folder / "large"
    root.mkdir()
    (root / "ruleset.yaml").write_text(RULESET)
    (root / "map.yaml").write_text("kind: map\nformat: 1\nplaces: {members: {here: {}}}\n")
    (root / "scenario.yaml").write_text(
        "kind: scenario\nformat: 1\nid: standard\ntitle: Standard\ndefault: true\nsetup: {}\n"
    )
    (root / "play.rules").write_text(TRAPPING.format(end=end, first=first))
    if victory:
        (root / "victory.yaml").write_text(victory)
    return str(root)


@pytest.fixture
def returns(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the numbers of options of decisions at which games came back from Python."""
    found: list[int] = []
    resumed = NativeGame.from_python_game.__func__

    def noted(cls: type[NativeGame], session: NativeSession, game: Game, begun: object) -> NativeGame:
        made = resumed(cls, session, game, begun)
        found.append(game.count())
        return made

    monkeypatch.setattr(NativeGame, "from_python_game", classmethod(noted))
    return found


@pytest.mark.parametrize("by_decision", [False, True], ids=["whole games", "decision by decision"])
def test_trapping_choice_is_made_by_python_and_game_continues_inside(
    by_decision: bool, tmp_path: Path, returns: list[int]
) -> None:
    target = large(tmp_path, "end game won by one.seat")
    rules = load(target)
    session_of(rules)
    plan = plan_of(rules, target)
    if by_decision:
        plan = BatchSpec(target, dict.fromkeys(list_seats(rules.start(seed=0)), "random"), one_each)
    played_games.get_attempt(rules).add_time(10)
    for seed in range(6):
        inside = play_game(rules, plan, seed, seed)
        assert inside.is_native
        assert inside == played_games._play_in_python(rules, plan, seed, seed)
    assert returns


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_trapping_set_up_is_made_by_python_and_game_continues_inside(
    player: str, tmp_path: Path, returns: list[int]
) -> None:
    first = "set game.size = 1 + remainder((game.size + 8) * 1000000007 * 1000000007 * 1000000007, 5)"
    target = large(tmp_path, "end game won by one.seat", first=first)
    rules = load(target)
    session = session_of(rules)
    with pytest.raises(TrapError):
        NativeGame.start(session, None, (), 0)
    played_games.get_attempt(rules).add_time(10)
    plan = plan_of(rules, target, player)
    for seed in range(3):
        inside = play_game(rules, plan, seed, seed)
        assert inside.is_native and returns
        assert inside == played_games._play_in_python(rules, plan, seed, seed)
        returns.clear()


@pytest.mark.parametrize("victory", ["", EVALUATION], ids=["pieces counted", "evaluated"])
@pytest.mark.parametrize("player", ["greedy", "search:6"])
def test_trapping_trial_is_made_by_python_and_bot_continues_inside(
    player: str, victory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = large(tmp_path, "end game won by one.seat", victory)
    rules = load(target)
    session_of(rules)
    plan = plan_of(rules, target, player)
    played_games.get_attempt(rules).add_time(10)
    found: list[NativeGame] = []
    in_python = NativeGame.in_python
    monkeypatch.setattr(NativeGame, "in_python", lambda game: found.append(game) or in_python(game))
    for seed in range(4):
        inside = play_game(rules, plan, seed, seed)
        assert inside.is_native
        assert inside == played_games._play_in_python(rules, plan, seed, seed)
    assert found


def one_each(seats: dict[str, str], seed: int) -> dict[str, object]:
    """Give each seat a bot of its own, so that the games are played decision by decision."""
    return {seat: make_bots({seat: "random"}, seed + place)[seat] for place, seat in enumerate(seats)}


def test_rules_fault_is_reported_with_preceding_decisions(tmp_path: Path, returns: list[int]) -> None:
    target = large(tmp_path, "set game.size = round_down(1 / (game.size - game.size))")
    rules = load(target)
    session_of(rules)
    plan = plan_of(rules, target)
    played_games.get_attempt(rules).add_time(10)
    inside = play_game(rules, plan, 0, 3)
    assert inside.fault is not None and inside.decisions == 23
    assert inside == played_games._play_in_python(rules, plan, 0, 3)
