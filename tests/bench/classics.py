"""Slowdown of three classics as rulesets against plain Python, measured side by side in CPU time.

Run by hand: python -m tests.bench.classics [--games N] [--rounds N]
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path
from typing import Any

from interpreter.api.game import Rules, load
from interpreter.play.game import Game
from interpreter.runtime.dice import SeededDice
from tests.bench.classics_by_hand import GAMES
from tests.bench.pairs import ratio

FOLDER = Path(__file__).with_name("classics")
AT_ONCE = {"tic_tac_toe": 400, "connect_four": 120, "breakthrough": 40}  # games in a round
Played = tuple[int, int | None, Any]  # decisions, the winner, the game


def by_rules(rules: Rules, seed: int) -> Played:
    """Play a random game of the ruleset."""
    game, choices, count = rules.start(seed=seed, record=False), SeededDice(seed), 0
    while not game.over:
        game.pick(choices.roll(game.count()))
        count += 1
    outcome = game.outcome
    winner = None if outcome is None or outcome.winner == "draw" else outcome.winner
    return count, None if winner is None else ["first", "second"].index(str(winner)), game


def ended(played: Played) -> tuple[int, int | None, list[int]]:
    """Return decisions, winner and position of a game, comparable between both programs."""
    count, winner, game = played
    return count, winner, position(game) if isinstance(game, Game) else game.position()


def position(game: Game) -> list[int]:
    """Return the occupant of each place in the format of the plain Python games."""
    state = game.state
    if state.at:
        lost = state.program.handles["place"]["lost"]
        return [-1 if place == lost else place for place in state.at]
    kept = next(slot for slot, kind, _name, _start in state.program.columns if kind == "place")
    places = sum(state.program.on_map)
    return [-1 if side is None else side for side in getattr(state, kept)[:places]]


def by_hand(name: str, seed: int) -> Played:
    """Play the game of that seed in plain Python."""
    game, choices, count = GAMES[name](), SeededDice(seed), 0
    while not game.over:
        game.choose(choices.roll(len(game.listed)))
        count += 1
    return count, game.winner, game


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=0, help="games of a round, the same for all")
    arguments.add_argument("--rounds", type=int, default=7)
    given = arguments.parse_args()
    for name in GAMES:
        rules = load(FOLDER / name)
        games, ratios, taken = given.games or AT_ONCE[name], [], 0.0

        def ours(seed: int, rules: Rules = rules) -> Played:
            return by_rules(rules, seed)

        def plain(seed: int, name: str = name) -> Played:
            return by_hand(name, seed)

        for n in range(given.rounds):
            seeds = range(n * games, (n + 1) * games)
            for s in seeds:
                assert ended(ours(s)) == ended(plain(s)), f"{name}: the two programs do not play the same game"
            found, taken = ratio(ours, plain, seeds, n)
            ratios.append(found)
        print(
            f"{name}: ruleset / plain Python, median of {given.rounds}: {statistics.median(ratios):.2f} "
            f"(from {min(ratios):.2f} to {max(ratios):.2f}); {taken / games * 1e6:,.0f} us a game"
        )


if __name__ == "__main__":
    main()
