"""Prints how much faster games are inside WebAssembly than in Python, in CPU time of the same run.

Run by hand: python -m tests.bench.native [WHAT ...] [--rounds N] with games (whole games of chance), passes (what each
pass is worth), steps (one choice by one call, and batches), bots (a decision of greedy and of search), perft, openspiel
(random games of three classics beside OpenSpiel's own) or jobs (games of two processes against those of one).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from os import times
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import numpy as np

from interpreter.api.game import Rules, load
from interpreter.backends.wasm.emitter import EmitterOptions
from interpreter.backends.wasm.host.lanes import Lanes
from interpreter.backends.wasm.host.native_game import NativeGame
from interpreter.backends.wasm.host.session import NativeSession
from interpreter.backends.wasm.host.state_transfer import StateTransfer
from interpreter.backends.wasm.host.wasm_host import Instance, TrapError, load_module
from interpreter.backends.wasm.wasm_module import build_module
from interpreter.lowering.model_lowering import lower_model
from interpreter.passes.pipeline import PASSES, run_passes
from interpreter.players.bots.registry import RandomPlayer, make_bots
from interpreter.simulation.batches import play_batch
from interpreter.simulation.games import BatchSpec
from tests.bench.measuring import measure
from tests.witness.counting import sequences

CLASSICS = Path(__file__).with_name("classics")
GAMES = {
    str(CLASSICS / "tic_tac_toe"): 600,
    str(CLASSICS / "connect_four"): 300,
    str(CLASSICS / "breakthrough"): 100,
    str(Path(__file__).with_name("border")): 40,
    "napoleon": 20,
    "denain-1712": 8,
}
MOST = 1 << 40


@dataclass(frozen=True)
class Measured:
    """Milliseconds of CPU for a game, decisions of all games, games that trapped."""

    per_game: float
    decisions: int
    trapped: int


def native_of(rules: Rules, without: tuple[str, ...] = (), switches: EmitterOptions | None = None) -> NativeSession:
    """Return the session of a ruleset, without some passes."""
    assert rules.model is not None
    built = build_module(run_passes(lower_model(rules.model), without=without), rules.model.ruleset, switches)
    program = rules.program
    slots = {**program.slot_of, **{("game", name): slot for name, slot in program.game_slot.items()}}
    return NativeSession(program, StateTransfer(built.sheet, slots), Instance(load_module(built.module.to_binary())))


def inside(native: NativeSession, games: int) -> Measured:
    """Play games inside."""
    decisions = trapped = 0
    start = process_time()
    for seed in range(games):
        try:
            game = NativeGame.start(native, None, (), seed)
            native.set_chooser((seed, 0))
            decisions += game.play(MOST)
        except TrapError:
            trapped += 1
    return Measured((process_time() - start) / games * 1e3, decisions, trapped)


def in_python(rules: Rules, games: int) -> Measured:
    """Play the same games in Python."""
    decisions = 0
    start = process_time()
    for seed in range(games):
        game, chooser = rules.start(seed=seed, record=False), RandomPlayer(seed)
        while not game.over:
            game.pick(chooser.choose(game))
            decisions += 1
    return Measured((process_time() - start) / games * 1e3, decisions, 0)


def best(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the least time of each side."""
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def whole_games(rounds: int, passes: bool) -> None:
    """Whole games of chance; with `passes` what each pass is worth, left out alone."""
    for target, games in GAMES.items():
        rules, name = load(target, checked=True), Path(target).name
        native = native_of(rules)
        inside(native, min(games, 3))
        pairs = [(inside(native, games), in_python(rules, games)) for _ in range(rounds)]
        ours = min((pair[0] for pair in pairs), key=lambda m: m.per_game)
        python = min((pair[1] for pair in pairs), key=lambda m: m.per_game)
        each = ours.per_game * games / max(ours.decisions, 1) * 1e3
        print(
            f"{name:14} inside {ours.per_game:8.3f} ms a game, {each:6.2f} us a decision, {ours.trapped} trapped; "
            f"Python {python.per_game:8.3f} ms; {python.per_game / ours.per_game:5.1f} times"
        )
        for without in PASSES if passes else ():
            other = native_of(rules, (without,))
            inside(other, min(games, 3))
            times = [(inside(native, games), inside(other, games)) for _ in range(rounds)]
            mine, left_out = (min(pair[k].per_game for pair in times) for k in (0, 1))
            trapped = times[0][1].trapped
            note = f", {trapped} of {games} games trapped" if trapped else ""
            print(f"{'':14} without {without:22} {left_out / mine:6.2f} times as long{note}")


def steps(rounds: int) -> None:
    """Measure the time of one choice by one call from Python, and 128 choices by one call; finished games restart."""
    for target in GAMES:
        rules = load(target, checked=True)
        native, few = native_of(rules), 20_000 if target.startswith("/") else 2_000
        found = min(stepped(native, few) for _ in range(rounds))
        lanes, chance = Lanes(native, 128, 0, None, ()), np.random.default_rng(0)
        calls = few // 20
        batch = min(batched(lanes, chance, calls) for _ in range(rounds))
        print(f"{Path(target).name:14} {found:6.2f} us a choice by one call, {batch:6.2f} in batches of 128")


def stepped(native: NativeSession, choices: int) -> float:
    """Return the microseconds of a choice by one call."""
    chooser, made, start = Random(0).random, 0, process_time()
    pick, words = native.pick, native.words
    count, over = native.sheet.position.machine["count"] // 8, native.sheet.position.machine["over"] // 8
    game = NativeGame.start(native, None, (), 0)
    while made < choices:
        if words[over]:
            game = NativeGame.start(native, None, (), made)
        pick(int(chooser() * words[count]))
        made += 1
    assert game is not None
    return (process_time() - start) / choices * 1e6


def batched(lanes: Lanes, chance: np.random.Generator, calls: int) -> float:
    """Return the microseconds of a choice in a batch, drawing of the actions included."""
    start = process_time()
    for _ in range(calls):
        lanes.actions[:] = chance.random(lanes.count) * lanes.options
        lanes.step()
    return (process_time() - start) / calls / lanes.count * 1e6


def bots(rounds: int) -> None:
    """Measure the milliseconds of a bot's decision over the beginning of a game; every choice must be the same."""
    for target in ("denain-1712", "napoleon"):
        rules = load(target, checked=True)
        native = native_of(rules)
        for player, decisions in (("greedy", 200), ("search:48", 40)):
            pairs = [one_bot(rules, native, player, decisions, seed) for seed in range(rounds)]
            python, within = (sum(pair[k] for pair in pairs) / rounds for k in (0, 1))
            print(
                f"{target:14} {player:10} inside {within:7.3f} ms, Python {python:7.3f}; {python / within:4.1f} times"
            )


def one_bot(rules: Rules, native: NativeSession, player: str, decisions: int, seed: int) -> tuple[float, float]:
    """Return the milliseconds of a decision in Python and inside."""
    seats = dict.fromkeys(rules.program.ids["seat"], player)
    game, twin = rules.start(seed=seed, record=False), NativeGame.start(native, None, (), seed)
    own, others = make_bots(seats, seed), make_bots(seats, seed)
    spent = [0.0, 0.0]
    for _ in range(decisions):
        decision = game.decision
        assert decision is not None
        begun = process_time()
        number = own[decision.seat].choose(game)
        between = process_time()
        assert others[decision.seat].choose(twin) == number  # type: ignore[arg-type]
        spent[0] += between - begun
        spent[1] += process_time() - between
        game.pick(number)
        twin.pick(number)
    return spent[0] / decisions * 1e3, spent[1] / decisions * 1e3


def perft(rounds: int) -> None:
    """Count sequences of choices, those of Python to a lesser depth."""
    for target, depth, less in ((CLASSICS / "tic_tac_toe", 9, 5), (CLASSICS / "connect_four", 9, 5)):
        rules = load(str(target), checked=True)
        game = NativeGame.start(native_of(rules), None, (), 0)
        position = game.save_position()
        assert game.session.count_sequences(less) == sequences(rules.start(seed=0, record=False), less)
        found = []
        for _ in range(rounds):
            game.session.load_position(position)
            start = process_time()
            count = game.session.count_sequences(depth)
            found.append(process_time() - start)
        start = process_time()
        fewer = sequences(rules.start(seed=0, record=False), less)
        python = process_time() - start
        ours, theirs = count / min(found), fewer / python
        rates = f"{ours / 1e6:6.1f} million a second inside, {theirs / 1e6:5.2f} in Python"
        print(f"{target.name:14} {count:,} sequences, {rates}")


def openspiel(rounds: int) -> None:
    """Random games inside and in batches beside rollouts in OpenSpiel's C++; choices of both made one by one."""
    import pyspiel

    for name in ("tic_tac_toe", "connect_four", "breakthrough"):
        native, theirs = native_of(load(str(CLASSICS / name), checked=True)), pyspiel.load_game(name)
        rollouts, games = 10_000, 1_000
        length = sum(spiel_game(theirs, seed) for seed in range(games)) / games
        inside(native, 10)
        found: list[tuple[float, ...]] = []
        for number in range(rounds):
            evaluator = pyspiel.RandomRolloutEvaluator(rollouts, number)
            bot = pyspiel.MCTSBot(theirs, evaluator, 2.0, 1, 1, False, number, False)  # one simulation
            start = process_time()
            bot.step(theirs.new_initial_state())
            whole = (process_time() - start) / rollouts / length * 1e6
            start = process_time()
            made = sum(spiel_game(theirs, seed) for seed in range(games))
            by_step = (process_time() - start) / made * 1e6
            ours = inside(native, games)
            by_call = stepped(native, 20_000)
            batch = batched(Lanes(native, 128, 0, None, ()), np.random.default_rng(0), 1_000)
            found.append((ours.per_game * games / ours.decisions * 1e3, batch, whole, by_call, by_step))
        mine, batch, whole, by_call, by_step = (min(column) for column in zip(*found, strict=True))
        print(
            f"{name:14} inside {mine:5.3f} us a choice, in batches {batch:5.3f}, OpenSpiel's rollouts {whole:5.3f}; "
            f"from Python {by_call:5.2f}, OpenSpiel {by_step:5.2f}"
        )


def spiel_game(game: Any, seed: int) -> int:
    """Play a random game of OpenSpiel's, stepped from Python; return its number of choices."""
    state, chance, made = game.new_initial_state(), Random(seed).random, 0
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(chance() * len(actions))])
        made += 1
    return made


def jobs(rounds: int) -> None:
    """CPU of each further game in one process and in two: how much more two free cores would play (2 at most)."""
    for target, games in (("denain-1712", 500), ("napoleon", 3_000)):
        rules = load(target)
        spec = BatchSpec(target, dict.fromkeys(rules.program.ids["seat"], "random"), make_bots)
        spent = []
        for count in (1, 2):
            play_batch(spec, 20, count, None, rules)
            found = [cpu_of(spec, 3 * games, count, rules) - cpu_of(spec, games, count, rules) for _ in range(rounds)]
            spent.append(min(found) / games / 2 * 1e3)
        both = f"{spent[0]:.2f} ms of CPU a game in one process, {spent[1]:.2f} in two"
        print(f"{target:14} {both}: {2 * spent[0] / spent[1]:.2f} times as many on two free cores")


def cpu_of(spec: BatchSpec, games: int, count: int, rules: Rules) -> float:
    """Return the seconds of CPU of a batch, those of its processes included."""
    start = sum(times()[:4])
    play_batch(spec, games, count, None, rules)
    return sum(times()[:4]) - start


MEASURES: dict[str, Callable[[int], None]] = {
    "games": partial(whole_games, passes=False),
    "passes": partial(whole_games, passes=True),
    "steps": steps,
    "bots": bots,
    "perft": perft,
    "openspiel": openspiel,
    "jobs": jobs,
}


if __name__ == "__main__":
    measure(MEASURES, __doc__)
