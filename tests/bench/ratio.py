"""Prints how much slower a ruleset plays than the same game written by hand, measured side by side in CPU time.

Run by hand: python -m tests.bench.ratio [--games N] [--rounds N]
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path
from time import process_time

from interpreter.api.game import Rules, load
from interpreter.runtime.dice import SeededDice
from tests.bench import by_hand
from tests.bench.pairs import ratio

BORDER = Path(__file__).with_name("border")


def play(rules: Rules, seed: int) -> tuple[int, list[int], int | None]:
    """Play a random game of the ruleset; return decisions, the final places and the winner."""
    game, choices, count = rules.start(seed=seed, record=False), SeededDice(seed + 1_000_000), 0
    while not game.over:
        options = game.count()
        game.pick(choices.roll(options) if options > 1 else 0)
        count += 1
    outcome = game.outcome
    winner = None if outcome is None or outcome.winner == "draw" else ["red", "blue"].index(str(outcome.winner))
    return count, game.state.at, winner


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=40)
    arguments.add_argument("--rounds", type=int, default=7)
    given = arguments.parse_args()
    rules = load(BORDER)
    ratios, clones, decisions, taken = [], [], 0, 0.0
    for n in range(given.rounds):
        seeds = range(n * given.games, (n + 1) * given.games)
        played = [play(rules, s) for s in seeds]
        assert played == [by_hand.play(s) for s in seeds], "the two programs do not play the same game"
        decisions = sum(c for c, _, _ in played)
        found, taken = ratio(lambda seed: play(rules, seed), by_hand.play, seeds, n)
        ratios.append(found)
        clones.append(_clone_ratio(rules, n))
    per_second = decisions / taken
    print(
        f"play:  ruleset / by hand, median of {given.rounds}: {statistics.median(ratios):.2f} "
        f"(from {min(ratios):.2f} to {max(ratios):.2f}); {per_second:,.0f} decisions a second"
    )
    print(
        f"clone: Game.clone / copying the lists by hand, median: {statistics.median(clones):.2f} "
        f"(from {min(clones):.2f} to {max(clones):.2f})"
    )


def _clone_ratio(rules: Rules, seed: int) -> float:
    game, hand = rules.start(seed=seed, record=False), by_hand.Border(seed)
    start = process_time()
    for _ in range(3000):
        game.clone()
    middle = process_time()
    for _ in range(3000):
        hand.copy_lists()
    return (middle - start) / (process_time() - middle)


if __name__ == "__main__":
    main()
