"""Prints what a record costs: random games with one, as a multiple of the same games without, in CPU time.

Run by hand: python -m tests.bench.records [--rounds N]
"""

from __future__ import annotations

import argparse
import gc
import statistics
from pathlib import Path
from time import process_time

from interpreter.facade.game import Rules, load
from interpreter.play.session import Game
from interpreter.runtime.dice import SeededDice
from tests.bench.classics import FOLDER
from tests.bench.ratio import BORDER

AT_ONCE: dict[str | Path, int] = {  # games of a round
    FOLDER / "tic_tac_toe": 40,
    FOLDER / "connect_four": 20,
    FOLDER / "breakthrough": 5,
    BORDER: 5,
    "napoleon": 2,
    "denain-1712": 1,
}


def play(rules: Rules, seed: int, record: bool) -> Game:
    """A random game."""
    game, choices = rules.start(seed=seed, record=record), SeededDice(seed + 1_000_000)
    while not game.over:
        options = game.count()
        game.pick(choices.roll(options) if options > 1 else 0)
    return game


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=15)
    rounds = arguments.parse_args().rounds
    for target, games in AT_ONCE.items():
        rules, ratios = load(target), []
        assert play(rules, 0, True).hash() == play(rules, 0, False).hash(), "a record changes the game"
        for n in range(rounds):
            seeds = range(n * games, (n + 1) * games)
            gc.collect()
            start = process_time()
            for seed in seeds:
                play(rules, seed, False)
            middle = process_time()
            for seed in seeds:
                play(rules, seed, True)
            ratios.append((process_time() - middle) / (middle - start))
        print(
            f"{Path(target).name}: with a record / without, median of {rounds}: {statistics.median(ratios):.2f} "
            f"(from {min(ratios):.2f} to {max(ratios):.2f})"
        )


if __name__ == "__main__":
    main()
