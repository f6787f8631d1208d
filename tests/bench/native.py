"""Prints how much faster whole games of chance are inside WebAssembly, in CPU time, and what each pass is worth.

Run by hand: python -m tests.bench.native [--passes] [--rounds N]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from interpreter.api.game import Rules, load
from interpreter.backends.wasm.emitter import Switches
from interpreter.backends.wasm.host.native_game import NativeGame
from interpreter.backends.wasm.host.session import NativeSession
from interpreter.backends.wasm.host.state_transfer import StateTransfer
from interpreter.backends.wasm.host.wasm_host import Instance, TrapError, load_module
from interpreter.backends.wasm.wasm_module import build_module
from interpreter.lowering.model_lowering import lower_model
from interpreter.passes.pipeline import PASSES, run_passes
from interpreter.players.bots.random_bot import RandomPlayer

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


def native_of(rules: Rules, without: tuple[str, ...] = (), switches: Switches | None = None) -> NativeSession:
    """Return the session of a ruleset, without some passes."""
    assert rules.model is not None
    built = build_module(run_passes(lower_model(rules.model), without=without), rules.model.ruleset, switches)
    program = rules.program
    slots = {**program.slot_of, **{("game", name): slot for name, slot in program.game_slot.items()}}
    return NativeSession(program, StateTransfer(built.sheet, slots), Instance(load_module(built.module.binary())))


def inside(native: NativeSession, games: int) -> Measured:
    """Play games inside."""
    decisions = trapped = 0
    start = process_time()
    for seed in range(games):
        try:
            game = NativeGame.start(native, None, (), seed)
            native.choose_by((seed, 0))
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


def main() -> None:
    """Measure and print: both sides in turn, the best of some rounds."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--passes", action="store_true", help="what each pass is worth, left out alone")
    arguments.add_argument("--rounds", type=int, default=3)
    given = arguments.parse_args()
    for target, games in GAMES.items():
        rules, name = load(target, checked=True), Path(target).name
        native = native_of(rules)
        inside(native, min(games, 3))
        pairs = [(inside(native, games), in_python(rules, games)) for _ in range(given.rounds)]
        ours = min((pair[0] for pair in pairs), key=lambda m: m.per_game)
        python = min((pair[1] for pair in pairs), key=lambda m: m.per_game)
        each = ours.per_game * games / max(ours.decisions, 1) * 1e3
        print(
            f"{name:14} inside {ours.per_game:8.3f} ms a game, {each:6.2f} us a decision, {ours.trapped} trapped; "
            f"Python {python.per_game:8.3f} ms; {python.per_game / ours.per_game:5.1f} times"
        )
        if given.passes:
            for without in PASSES:
                other = native_of(rules, (without,))
                inside(other, min(games, 3))
                times = [(inside(native, games), inside(other, games)) for _ in range(given.rounds)]
                mine, left_out = (min(pair[k].per_game for pair in times) for k in (0, 1))
                trapped = times[0][1].trapped
                note = f", {trapped} of {games} games trapped" if trapped else ""
                print(f"{'':14} without {without:22} {left_out / mine:6.2f} times as long{note}")


if __name__ == "__main__":
    main()
