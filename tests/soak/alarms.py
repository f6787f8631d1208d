"""Error rates of `compare`: false alarms and detected differences, for synthetic pairs and for games.

    python -m tests.soak.alarms [-n COMPARISONS]                     # pairs whose truth is known
    python -m tests.soak.alarms --games RULESET [-n RUNS]            # a ruleset against itself, each game its own seed

In 40 % of the synthetic pairs the winners differ, and B wins more often by the effect. Printed are the share of
comparisons that find a difference (at the error level that `compare` allots to the winner) and the median number of
pairs after which they do.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace

from interpreter.api.game import load
from interpreter.experiments.confidence_intervals import MIN_PAIRS_TO_STOP, DifferenceSum, compute_interval
from interpreter.experiments.paired_comparison import BLOCK, ComparisonPlan, run_comparison
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from interpreter.simulation.executors import SerialExecutor
from interpreter.simulation.games import BatchSpec
from interpreter.simulation.seeds import derive_seed

DOUBT = 0.025  # half of 5 %: the error level that `compare` allots to the winner


def compared(chance: random.Random, effect: float, differ: float, pairs: int, is_open: bool) -> tuple[bool, int]:
    """Return whether a comparison finds a difference, and after how many pairs."""
    seen = DifferenceSum()
    for number in range(1, pairs + 1):
        fell = chance.random()
        up, down = (differ + effect) / 2, (differ - effect) / 2
        seen.add(1.0 if fell < up else -1.0 if fell < up + down else 0.0)
        if is_open and number >= MIN_PAIRS_TO_STOP and number % BLOCK == 0:
            if compute_interval(seen, DOUBT, share=True, is_anytime_valid=True).excludes_zero:
                return True, number
    return not is_open and compute_interval(seen, DOUBT, share=True).excludes_zero, pairs


def made_up(count: int) -> None:
    print(f"{count} comparisons each; winners differ in 40 % of the pairs")
    for is_open, pairs in ((False, 200), (False, 1000), (True, 5000)):
        for effect in (0.0, 0.05, 0.1, 0.2):
            chance = random.Random(f"{is_open} {pairs} {effect}")
            found = [compared(chance, effect, 0.4, pairs, is_open) for _ in range(count)]
            share = sum(is_found for is_found, _ in found) / count
            middle = sorted(at for _, at in found)[count // 2]
            how = f"until it knows, at most {pairs}" if is_open else f"{pairs} pairs"
            print(f"  {how}: effect {effect:.2f}: found {100 * share:.1f} %, in the middle after {middle} pairs")


def by_games(ruleset: str, runs: int, pairs: int) -> None:
    rules = load(ruleset)
    seats = dict.fromkeys(list_seats(rules.start(seed=0, record=False)), "random")
    plan = BatchSpec(ruleset, seats, make_bots, content=rules.program.content_hash)
    for is_open in (False, True):
        alarms = wins = 0
        for run in range(runs):
            plans = (replace(plan, seed=derive_seed(run, "a")), replace(plan, seed=derive_seed(run, "b")))
            question = ComparisonPlan(pairs, is_open=is_open, apart=True)
            bout = run_comparison(
                plans, (rules.program, rules.program), question, SerialExecutor(), lambda _bout, _played: None
            )
            told = [name for name in bout.measures if bout.compute_interval(name).tells]
            alarms += bool(told)
            wins += bout.main_measure in told
        how = "until 95%" if is_open else "fixed"
        print(f"{ruleset} against itself, {runs} runs, {pairs} pairs, {how}: {alarms} tell of anything, {wins} of wins")


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", metavar="RULESET")
    parser.add_argument("-n", type=int, default=0)
    parser.add_argument("--pairs", type=int, default=200)
    arguments = parser.parse_args(given)
    if arguments.games:
        by_games(arguments.games, arguments.n or 20, arguments.pairs)
    else:
        made_up(arguments.n or 500)


if __name__ == "__main__":
    main()
