"""Actions a second of the environments, beside random play of the same rules without them, in CPU time.

Run by hand: python -m tests.bench.environments [--seconds N] [RULESET ...]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import process_time
from typing import Any

from interpreter.api.game import load
from interpreter.environments.openspiel import load_game
from interpreter.environments.pettingzoo import raw_env
from interpreter.runtime.dice import SeededDice
from tests.environments.rulesets import ALL


def plain(ruleset: Any) -> Iterator[int]:
    """Yield the decisions of random games, as bots play them."""
    rules, choices, seed = load(ruleset), SeededDice(1), 0
    yield 0
    while True:
        game = rules.start(seed=seed, record=False)
        seed += 1
        while not game.over:
            game.pick(choices.roll(game.count()))
            yield 1


def standings(ruleset: Any) -> Iterator[int]:
    """Yield the actions of random games, without arrays."""
    made, choices = raw_env(ruleset), SeededDice(1)
    yield 0
    while True:
        made.reset()
        standing = made.current_state
        while not standing.is_over:
            actions = standing.actions()
            standing = standing.apply(actions[choices.roll(len(actions))])
            yield 1


def agents(ruleset: Any) -> Iterator[int]:
    """Yield the actions of agents that read the position and the mask before each."""
    import numpy as np

    made, choices = raw_env(ruleset), SeededDice(1)
    yield 0
    while True:
        made.reset()
        for _agent in made.agent_iter():
            observation, _reward, ended, cut, _info = made.last()
            legal = np.flatnonzero(observation["action_mask"])
            made.step(None if ended or cut else int(legal[choices.roll(len(legal))]))
            yield not (ended or cut)


def states(ruleset: Any) -> Iterator[int]:
    """Yield the actions of players in OpenSpiel, without tensors; dice are rolled besides."""
    game, choices = load_game(ruleset), SeededDice(1)
    yield 0
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            is_chance = state.is_chance_node()
            state.apply_action(actions[choices.roll(len(actions))])
            yield not is_chance


def rate(steps: Iterator[int], seconds: float) -> float:
    """Return the number of steps a second of CPU time."""
    next(steps)
    for _ in range(200):
        next(steps)
    begun, count = process_time(), 0
    while process_time() - begun < seconds:
        for _ in range(50):
            count += next(steps)
    return count / (process_time() - begun)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=3.0)
    arguments.add_argument("rulesets", nargs="*", default=list(ALL))
    given = arguments.parse_args()
    print(f"{'':14}{'decisions':>12}{'actions':>12}{'PettingZoo':>12}{'OpenSpiel':>12}   a second")
    for name in given.rulesets:
        told = [rate(kind(ALL.get(name, name)), given.seconds) for kind in (plain, standings, agents, states)]
        print(f"{name:14}" + "".join(f"{value:12,.0f}" for value in told), flush=True)


if __name__ == "__main__":
    main()
