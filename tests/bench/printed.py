"""Prints how fast the printed Python plays and compiles, in CPU time, and what each pass is worth in it.

Run by hand: python -m tests.bench.printed [WHAT ...] [--rounds N] with games (whole games of chance), passes (the same
without each pass in turn), decisions (the slowest ones) or compile (from the documents, for both back ends). What a
pass is worth in WebAssembly: python -m tests.bench.native passes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time

from interpreter.api.loading import disable_gc
from interpreter.backends.python.program_printer import compile_program
from interpreter.backends.wasm.wasm_module import build_module
from interpreter.lowering.model_lowering import lower_model
from interpreter.model.checked_model import CheckedModel
from interpreter.passes.pipeline import PASSES, PYTHON_PASSES, run_passes
from interpreter.play.setup import create_game
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.program import Program
from tests.bench.measuring import measure
from tests.tiny import checked_model

CLASSICS = Path(__file__).with_name("classics")
GAMES = {  # games of a round
    str(CLASSICS / "connect_four"): 60,
    str(CLASSICS / "breakthrough"): 20,
    str(Path(__file__).with_name("border")): 10,
    "napoleon": 10,
    "denain-1712": 3,
}
SHOWN = 5  # slowest decisions


def model_of(target: str) -> CheckedModel:
    """Return the checked rules of a ruleset."""
    model = checked_model(target)
    return model


def program_of(model: CheckedModel, without: Iterable[str] = ()) -> Program:
    """Return the printed program of a model, without some passes."""
    printed = compile_program(lower_model(model, explained=True), model, without)
    return Program(printed.codes, json.loads(json.dumps(printed.data)))


def play(program: Program, seed: int, times: list[tuple[float, int]] | None = None) -> str:
    """Play a game of chance; return its hash. `times` takes the seconds of each decision."""
    game, choices, number = create_game(program, seed=seed, record=False), SeededDice(seed + 1_000_000), 0
    while game.state.pending is not None:
        begun = process_time()
        options = game.count()
        game.pick(choices.roll(options) if options > 1 else 0)
        number += 1
        if times is not None:
            times.append((process_time() - begun, number))
    return game.hash()


def least(programs: list[Program], games: int, rounds: int) -> list[float]:
    """Return the milliseconds of a game in each program: the least time of each game, all programs in turn."""
    best = [dict[int, float]() for _ in programs]
    for _ in range(rounds):
        for seed in range(games):
            hashes = set()
            for program, found in zip(programs, best, strict=True):
                begun = process_time()
                hashes.add(play(program, seed))
                found[seed] = min(process_time() - begun, found.get(seed, float("inf")))
            assert len(hashes) == 1, "the programs do not play the same game"
    return [sum(found.values()) / games * 1e3 for found in best]


def whole_games(rounds: int) -> None:
    """Print the milliseconds of whole games."""
    for target, games in GAMES.items():
        (taken,) = least([program_of(model_of(target))], games, rounds)
        print(f"{Path(target).name:14} {taken:8.3f} ms a game")


def passes(rounds: int) -> None:
    """Print how much longer games take without each pass in turn."""
    for target, games in GAMES.items():
        model = model_of(target)
        names = [*PASSES, *PYTHON_PASSES]
        whole, *others = least([program_of(model), *(program_of(model, (n,)) for n in names)], games, rounds)
        print(f"{Path(target).name:14} {whole:8.3f} ms a game")
        for name, taken in zip(names, others, strict=True):
            print(f"{'':14} without {name:22} {taken / whole:6.2f} times as long")


def decisions(rounds: int) -> None:
    """Print the slowest decisions of some games, each at its fastest."""
    for target, games in GAMES.items():
        program = program_of(model_of(target))
        best: dict[tuple[int, int], float] = {}
        for _ in range(rounds):
            for seed in range(games):
                times: list[tuple[float, int]] = []
                play(program, seed, times)
                for taken, number in times:
                    best[seed, number] = min(taken, best.get((seed, number), taken))
        slowest = sorted(best.values(), reverse=True)[:SHOWN]
        print(f"{Path(target).name:14} slowest decisions {', '.join(f'{x * 1e3:.2f}' for x in slowest)} ms")


def compiling(rounds: int) -> None:
    """Print the seconds of reading and checking a ruleset, and of compiling it for each back end."""
    for target in ("napoleon", "denain-1712"):
        steps: dict[str, float] = {}
        for _ in range(rounds):
            with disable_gc():
                begun = process_time()
                model = model_of(target)
                read = process_time()
                compile_program(lower_model(model, explained=True), model)
                printed = process_time()
                build_module(run_passes(lower_model(model)), model.ruleset).module.to_binary()
                built = process_time()
            found = {"read and checked": read - begun, "Python": printed - read, "WebAssembly": built - printed}
            steps = {name: min(taken, steps.get(name, taken)) for name, taken in found.items()}
        print(f"{target:14} " + ", ".join(f"{name} {taken:.2f} s" for name, taken in steps.items()))


MEASURES: dict[str, Callable[[int], None]] = {
    "games": whole_games,
    "passes": passes,
    "decisions": decisions,
    "compile": compiling,
}


if __name__ == "__main__":
    measure(MEASURES, __doc__)
