"""MaskablePPO of sb3-contrib learns The Crossroads of the guide from arrays and masks; the curve is drawn.

One network plays both seats, mostly against earlier versions of itself, sometimes against random play. At regular
intervals it plays fresh games against players that take any option; at the end also against `greedy`, an unknown
opponent. Needs an extra package: pip install sb3-contrib

    python -m tests.docs.deep_learning [--steps N] [--seed N] [--games N]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from interpreter.environments.pettingzoo import raw_env
from interpreter.play.bot import Bot
from interpreter.players.bots.registry import make_bots
from tests.docs import blocks

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "lab" / "crossroads-learning.png"
PAGE = "hexes.md"
ENVIRONMENTS, ROLLOUT, POINTS = 8, 512, 10
LAYERS = [256, 256]
KEPT = 8  # how many earlier versions it plays against
FRESH = {"random": 500, "greedy": 100}  # games at the end, for each seat
AT_RANDOM = 0.2  # share of the games it learns from
COLOURS = {"red_player": "#D55E00", "blue_player": "#0072B2"}
MARKS = {"red_player": "o", "blue_player": "s"}
Player = Callable[[Any], int]  # takes the environment at its turn, and returns an action


class Network:
    """A learner's policy at one time in plain arrays, which are faster than torch for a single position."""

    def __init__(self, model: MaskablePPO, chance: np.random.Generator) -> None:
        def taken(layer: Any) -> tuple[Any, Any]:
            return layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()

        inner = [x for x in model.policy.mlp_extractor.policy_net if isinstance(x, torch.nn.Linear)]
        self.inner = [taken(layer) for layer in inner]
        self.outer = taken(model.policy.action_net)
        self.chance = chance

    def __call__(self, env: Any) -> int:
        seen = env.observe(env.agent_selection)
        x = seen["observation"]
        for weights, bias in self.inner:
            x = np.tanh(x @ weights + bias)
        legal = np.flatnonzero(seen["action_mask"])
        worth = x @ self.outer[0][:, legal] + self.outer[1][legal]
        odds = np.cumsum(np.exp(worth - worth.max()))
        return int(legal[np.searchsorted(odds, self.chance.random() * odds[-1])])


class AnyOption:
    """A player that takes any option, each word with equal probability."""

    def __init__(self, chance: np.random.Generator) -> None:
        self.chance = chance

    def __call__(self, env: Any) -> int:
        return int(self.chance.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])))


class Advised:
    """A bot of the project, created for each game."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.bot: Bot | None = None

    def begins(self, seat: str, seed: int) -> None:
        self.bot = make_bots({seat: self.name}, seed)[seat]

    def __call__(self, env: Any) -> int:
        return int(env.advice(self.bot))


class Duel(gymnasium.Env):  # type: ignore[misc, type-arg]
    """One agent of the environment as a Gymnasium environment; one of `others` plays the other seat."""

    def __init__(self, ruleset: Path, seed: int, others: list[Player]) -> None:
        self.env = raw_env(ruleset, seed=seed * 1_000_000, max_cycles=500)
        self.others = others
        self.chance = np.random.default_rng(seed)
        first = self.env.possible_agents[0]
        self.observation_space = self.env.observation_space(first)["observation"]
        self.action_space = self.env.action_space(first)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        self.env.reset(seed=seed)
        self.me = self.env.possible_agents[self.chance.integers(len(self.env.possible_agents))]
        is_random = len(self.others) == 1 or self.chance.random() < AT_RANDOM
        self.other = self.others[0 if is_random else self.chance.integers(1, len(self.others))]
        return self._mine(), {}

    def _mine(self) -> Any:
        """Play the other seat until the agent is to act or the game is over; return the agent's observation."""
        env = self.env
        while not env.current_state.is_over and env.agent_selection != self.me:
            env.step(self.other(env))
        return env.observe(self.me)["observation"]

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.env.step(int(action))
        seen, standing = self._mine(), self.env.current_state
        reward = float(self.env.rewards[self.me])
        return seen, reward, standing.is_over and not standing.is_cut, standing.is_cut, {}

    def action_masks(self) -> Any:
        """Return the mask of legal actions, which MaskablePPO asks for before each action."""
        return self.env.infos[self.me]["action_mask"].astype(bool)


@dataclass(frozen=True)
class Tried:
    """Games of one seat against one sort of player."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    def told(self) -> str:
        low, high = interval(self.won, self.games)
        return f"{self.won / self.games:.1%} ({low:.1%} to {high:.1%})"


def interval(wins: int, tries: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval."""
    share, z = wins / tries, 1.96
    middle = (share + z * z / (2 * tries)) / (1 + z * z / tries)
    half = z * np.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries)) / (1 + z * z / tries)
    return float(middle - half), float(middle + half)


def matched(env: Any, learner: Player, other: Player, player: int, games: range) -> Tried:
    """Play games with these seeds; `learner` plays the seat with this number."""
    me, found = env.possible_agents[player], [0, 0, 0]
    for seed in games:
        env.reset(seed=seed)
        if isinstance(other, Advised):
            other.begins(env.setting.seats[1 - player], seed)
        while not env.current_state.is_over:
            env.step(learner(env) if env.agent_selection == me else other(env))
        found[1 - int(np.sign(env.rewards[me]))] += 1
    return Tried(*found)


class School(BaseCallback):
    """A callback that keeps earlier versions to play against, and tests the learner at every point of the curve."""

    def __init__(self, env: Any, others: list[Player], every: int, games: int, seed: int) -> None:
        super().__init__()
        self.env, self.others, self.every, self.games = env, others, every, games
        self.chance = np.random.default_rng(seed)
        self.points: list[tuple[int, float, list[Tried]]] = []
        self.spent, self.begun = 0.0, 0.0

    def _on_training_start(self) -> None:
        self.begun = process_time()
        self._look()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        assert isinstance(self.model, MaskablePPO)
        if self.num_timesteps % (4 * ENVIRONMENTS * ROLLOUT) == 0:
            self.others[1:] = [*self.others[1:], Network(self.model, self.chance)][-KEPT:]

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.every * len(self.points):
            self._look()

    def _on_training_end(self) -> None:
        self._look()

    def _look(self) -> None:
        """Add a point of the curve, from games of new seeds each time that are not learnt from."""
        assert isinstance(self.model, MaskablePPO)
        self.spent += process_time() - self.begun
        learner, other = Network(self.model, self.chance), AnyOption(self.chance)
        seeds = range(-self.games * (len(self.points) + 1), -self.games * len(self.points))
        tried = [matched(self.env, learner, other, player, seeds) for player in (0, 1)]
        self.points.append((self.num_timesteps, self.spent, tried))
        print(f"| {self.num_timesteps:,} | {self.spent:,.0f} s | {' | '.join(t.told() for t in tried)} |", flush=True)
        self.begun = process_time()


def drawn(points: list[tuple[int, float, list[Tried]]], seats: tuple[str, ...], file: Path) -> None:
    """Draw the curve as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    actions = [at / 1000 for at, _spent, _tried in points]
    for player, seat in enumerate(seats):
        tried = [point[2][player] for point in points]
        lows, highs = zip(*(interval(t.won, t.games) for t in tried), strict=True)
        axes.fill_between(actions, lows, highs, color=COLOURS[seat], alpha=0.2, linewidth=0)
        shares = [t.won / t.games for t in tried]
        label = f"{seat.replace('_', ' ')}, learnt, against random play"
        axes.plot(actions, shares, color=COLOURS[seat], marker=MARKS[seat], label=label)
        axes.axhline(shares[0], color=COLOURS[seat], linestyle=":", linewidth=1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("actions the learner has taken (thousands)")
    axes.set_ylabel("games won")
    axes.set_title(f"The Crossroads: a network learns it (bands: 95 %, {tried[0].games} games a point; dotted: before)")
    axes.legend(loc="lower right")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(file, dpi=110, metadata={"Software": None})
    pyplot.close(figure)


def learnt(ruleset: Path, steps: int, seed: int, games: int) -> tuple[MaskablePPO, School]:
    """Return the learner after so many actions, and the callback with its results."""
    torch.set_num_threads(1)
    others: list[Player] = [AnyOption(np.random.default_rng(seed))]
    worlds = DummyVecEnv([lambda n=n: Duel(ruleset, seed * 100 + n, others) for n in range(ENVIRONMENTS)])
    model = MaskablePPO(
        "MlpPolicy",
        worlds,
        n_steps=ROLLOUT,
        batch_size=512,
        n_epochs=4,
        gamma=0.995,
        gae_lambda=0.97,
        ent_coef=0.01,
        learning_rate=3e-4,
        policy_kwargs={"net_arch": LAYERS},
        seed=seed,
        device="cpu",
    )
    school = School(raw_env(ruleset, max_cycles=500), others, steps // POINTS, games, seed)
    return model.learn(steps, callback=school), school


def main() -> None:
    """Learn, print and draw."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--steps", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--games", type=int, default=150, help="at a point of the curve and for a seat")
    arguments.add_argument("--ruleset", type=Path, help="another one for two seats; nothing is drawn")
    given = arguments.parse_args()
    with TemporaryDirectory() as folder:
        ruleset = given.ruleset or blocks.write_all(PAGE, Path(folder))
        model, school = learnt(ruleset, given.steps, given.seed, given.games)
        seats, chance = school.env.setting.seats, np.random.default_rng(given.seed)
        for name, games in FRESH.items():
            for player, seat in enumerate(seats):
                seeds = range(10**9, 10**9 + games)
                found = matched(school.env, Network(model, chance), Advised(name), player, seeds)
                told = f"won {found.told()}, drawn {found.drawn}, lost {found.lost}"
                print(f"{seat} against {name}, {games} fresh games: {told}", flush=True)
        if not given.ruleset:
            drawn(school.points, seats, PICTURE)
            print(f"learnt in {school.spent:.0f} s; {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
