"""OpenSpiel's tabular Q-learner learns the sample game in docs/lab/ford; how well it plays is drawn as a curve.

Both seats learn, each from its own table, in games against each other; at regular intervals each plays against a
player that takes any option. Equal seeds learn alike.

    python -m tests.docs.learning [--games N] [--seed N]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from open_spiel.python import rl_environment, rl_tools
from open_spiel.python.algorithms import random_agent, tabular_qlearner

from interpreter.environments.openspiel import load_game

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "lab" / "ford"
PICTURE = FOLDER / "learning.png"
POINTS = (0, 100, 250, 500, 1000, 2000, 3000, 4000, 6000, 8000, 10_000, 12_500, 15_000, 20_000)
COLOURS = {"red": "#b03a2e", "blue": "#2e5fa3"}
MARKS = {"red": "o", "blue": "s"}


@dataclass(frozen=True)
class Point:
    """A point of the curve: games played, wins of each seat in `tried` games against random play, known positions."""

    games: int
    wins: dict[str, int]
    tried: int
    known: int
    seconds: float


class School:
    """The two learners, their environment, and random players to test them against."""

    def __init__(self, ruleset: Any = FOLDER, seed: int = 1, decay: int = 100_000) -> None:
        np.random.seed(seed)  # the only random source of these agents
        game = load_game(ruleset)
        self.seats = game.setting.seats
        self.world = rl_environment.Environment(game, chance_event_sampler=rl_environment.ChanceEventSampler(seed=seed))
        count = game.num_distinct_actions()
        self.learners = [
            tabular_qlearner.QLearner(player, count, epsilon_schedule=rl_tools.LinearSchedule(0.9, 0.1, decay))
            for player in range(game.num_players())
        ]
        self.randoms = [random_agent.RandomAgent(player, count) for player in range(game.num_players())]

    def played(self, agents: list[Any], learns: bool) -> list[float]:
        """Play one game; return the reward of each player."""
        step, acted = self.world.reset(), set()
        while not step.last():
            player = step.observations["current_player"]
            acted.add(player)
            step = self.world.step([agents[player].step(step, is_evaluation=not learns).action])
        for player in sorted(acted) if learns else ():  # a player that never acted has nothing to learn from
            agents[player].step(step)
        return list(step.rewards)

    def learn(self, games: int) -> None:
        """Play so many games against each other."""
        for _ in range(games):
            self.played(self.learners, learns=True)

    def wins(self, tries: int) -> dict[str, int]:
        """Return how many of `tries` games the learner of each seat wins against random players."""
        found = {}
        for player, seat in enumerate(self.seats):
            agents = [*self.randoms]
            agents[player] = self.learners[player]
            found[seat] = sum(self.played(agents, learns=False)[player] > 0 for _ in range(tries))
        return found

    @property
    def known(self) -> int:
        """Return the number of positions of which a table holds a learnt value."""
        return sum(any(table.values()) for learner in self.learners for table in learner._q_values.values())


def lessons(games: int, seed: int, tries: int) -> Iterator[Point]:
    """Yield the points of the curve, as they are reached."""
    school, done, spent = School(seed=seed), 0, 0.0
    for at in (p for p in POINTS if p <= games):
        begun = perf_counter()
        school.learn(at - done)
        spent, done = spent + perf_counter() - begun, at
        known = school.known
        yield Point(at, school.wins(tries), tries, known, spent)


def interval(wins: int, tries: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval."""
    share, z = wins / tries, 1.96
    middle = (share + z * z / (2 * tries)) / (1 + z * z / tries)
    half = z * sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries)) / (1 + z * z / tries)
    return middle - half, middle + half


def drawn(points: list[Point], file: Path) -> None:
    """Draw the curve as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    games = [p.games for p in points]
    for seat in points[0].wins:
        lows, highs = zip(*(interval(p.wins[seat], p.tried) for p in points), strict=True)
        axes.fill_between(games, lows, highs, color=COLOURS[seat], alpha=0.2, linewidth=0)
        shares = [p.wins[seat] / p.tried for p in points]
        axes.plot(games, shares, color=COLOURS[seat], marker=MARKS[seat], label=f"{seat}, learnt, against random play")
        axes.axhline(shares[0], color=COLOURS[seat], linestyle=":", linewidth=1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("games the two learners have played against each other")
    axes.set_ylabel("games won")
    axes.set_title(f"The Ford: a table learns it (bands: 95 %, {points[0].tried} games a point; dotted: before)")
    axes.legend(loc="lower right")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(file, dpi=110, metadata={"Software": None})
    pyplot.close(figure)


def main() -> None:
    """Learn, print and draw."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=POINTS[-1])
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--tries", type=int, default=500)
    given = arguments.parse_args()
    points = []
    print("| games | red wins | blue wins | positions known |")
    print("|---:|---:|---:|---:|")
    for point in lessons(given.games, given.seed, given.tries):
        points.append(point)
        red, blue = (point.wins[seat] / point.tried for seat in ("red", "blue"))
        print(f"| {point.games:,} | {red:.1%} | {blue:.1%} | {point.known:,} |", flush=True)
    drawn(points, PICTURE)
    print(f"learnt in {points[-1].seconds:.0f} s; {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
