"""Throughput of batches played by one process, by several, and by a cluster one of whose workers is killed.

    python -m tests.soak.clusters [RULESET] [-n GAMES] [--bots BOT] [--jobs J ...]

Prints games a second for each number of processes (start-up is not counted) and the CPU time of all of them, which
shows the cost of the engine itself on a busy machine. Then it plays the same games again with two processes and kills
one of them halfway: the games must be identical to the last die.
"""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Sequence
from hashlib import blake2b
from time import perf_counter, process_time

from interpreter.api.game import load
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from interpreter.simulation.dask_executor import open_dask_executor
from interpreter.simulation.executors import Executor, SerialExecutor
from interpreter.simulation.games import BatchSpec, GameResult
from interpreter.simulation.scheduler import play_blocks

WARM = 4  # games after which every process has loaded the rules


def plan_of(ruleset: str, bot: str) -> BatchSpec:
    rules = load(ruleset)
    seats = dict.fromkeys(list_seats(rules.start(seed=0, record=False)), bot)
    return BatchSpec(ruleset, seats, make_bots, 1, content=rules.program.content_hash)


def play(plan: BatchSpec, games: Sequence[int], crew: Executor, kill_after: int = 0) -> list[GameResult]:
    """Return the results of games in order; kill one worker after `kill_after` of them."""
    found: list[GameResult] = []
    for _, some in play_blocks([plan], [(0, games)], crew):
        found += some
        if kill_after and len(found) >= kill_after:
            kill_after = 0
            workers = crew._client.run(os.getpid)  # type: ignore[attr-defined]
            os.kill(next(iter(workers.values())), signal.SIGKILL)
    return sorted(found, key=lambda p: p.number)


def digest(games: Sequence[GameResult]) -> str:
    return blake2b(" ".join(f"{g.number} {g.hash}" for g in games).encode(), digest_size=8).hexdigest()


def busy(crew: Executor) -> float:
    """Return the CPU seconds that this process and its workers have used."""
    if isinstance(crew, SerialExecutor):
        return process_time()
    return process_time() + sum(crew._client.run(process_time).values())  # type: ignore[attr-defined]


def timed(plan: BatchSpec, games: int, crew: Executor, processes: int) -> tuple[float, float, str]:
    """Return games a second, CPU seconds for all of them, and the digest of the games."""
    play(plan, range(games, games + WARM * processes), crew)
    worked, start = busy(crew), perf_counter()
    found = play(plan, range(games), crew)
    return games / (perf_counter() - start), busy(crew) - worked, digest(found)


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset", nargs="?", default="napoleon")
    parser.add_argument("-n", type=int, default=400)
    parser.add_argument("--bots", default="random")
    parser.add_argument("--jobs", type=int, nargs="*", default=[2])
    arguments = parser.parse_args(given)
    plan = plan_of(arguments.ruleset, arguments.bots)
    alone, own, same = timed(plan, arguments.n, SerialExecutor(), 1)
    print(f"{arguments.ruleset}, {arguments.bots}: {arguments.n} games; games {same}")
    print(f"  this process alone: {alone:.2f} games a second")
    for jobs in arguments.jobs:
        with open_dask_executor(jobs) as crew:
            pace, worked, found = timed(plan, arguments.n, crew, jobs)
        print(
            f"  {jobs} processes: {pace:.2f} games a second, {pace / alone:.2f} times; {worked / own:.3f} times the "
            f"work, so {jobs * own / worked:.2f} times on {jobs} idle cores; games {found}"
        )
    with open_dask_executor(2) as crew:
        start = perf_counter()
        found = digest(play(plan, range(arguments.n), crew, arguments.n // 2))
    print(
        f"  2 processes, one killed in the middle: {arguments.n / (perf_counter() - start):.2f} a second; games {found}"
    )


if __name__ == "__main__":
    main()
