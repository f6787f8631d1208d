"""Prints what a record costs: random games with one, as a multiple of the same games without, in CPU time.

Run by hand: python -m tests.bench.records [--rounds N]
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

from interpreter.api.game import Rules, load
from interpreter.play.game import Game
from interpreter.runtime.dice import SeededDice
from tests.bench.classics import FOLDER
from tests.bench.pairs import ratio
from tests.bench.ratio import BORDER

AT_ONCE: dict[str | Path, int] = {  # games of a round
    FOLDER / "tic_tac_toe": 400,
    FOLDER / "connect_four": 100,
    FOLDER / "breakthrough": 20,
    BORDER: 10,
    "napoleon": 10,
    "denain-1712": 2,
}


def play(rules: Rules, seed: int, record: bool) -> Game:
    """Play a random game."""
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

        def kept(seed: int, rules: Rules = rules) -> Game:
            return play(rules, seed, True)

        def not_kept(seed: int, rules: Rules = rules) -> Game:
            return play(rules, seed, False)

        for n in range(rounds):
            ratios.append(ratio(kept, not_kept, range(n * games, (n + 1) * games), n)[0])
        print(
            f"{Path(target).name}: with a record / without, median of {rounds}: {statistics.median(ratios):.2f} "
            f"(from {min(ratios):.2f} to {max(ratios):.2f})"
        )


if __name__ == "__main__":
    main()
