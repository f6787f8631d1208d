"""Batches of games between bots; the result does not depend on the number of processes.

Prints nothing: progress is reported to a callback.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from time import perf_counter
from typing import Any

from interpreter.api.game import Rules, load
from interpreter.diagnostics.record_walk import select_fields
from interpreter.simulation.executors import open_executor
from interpreter.simulation.games import BatchSpec, GameFault, GameResult
from interpreter.simulation.scheduler import play_blocks
from interpreter.simulation.work_units import cache_rules

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Batch:
    """Results of a batch of games.

    `outcomes` counts the finished games by outcome, `turns` by the turn in which they ended. `state_hash`: a digest of
    the hashes of all games. `requested`: the number of games requested, larger than `games` if the batch was stopped.
    `native_games`: how many games were played inside WebAssembly.
    """

    games: int
    finished: int
    outcomes: dict[str, int]
    turns: dict[int, int]
    decisions: int
    seconds: float
    state_hash: str
    faults: tuple[GameFault, ...]
    seats: tuple[Seat, ...] = ()
    requested: int = 0
    native_games: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Seat:
    """Results of one seat and its bot over the finished games. A draw counts as neither won nor lost."""

    seat: str
    player: str
    won: int
    drawn: int
    lost: int


def play_batch(
    spec: BatchSpec,
    games: int,
    jobs: int = 1,
    progress: Progress | None = None,
    rules: Rules | None = None,
    scheduler: str = "",
) -> Batch:
    """Play `games` games in `jobs` processes or on the workers of a Dask scheduler, and return their results.

    Equal specs give equal batches except for `seconds`. A keyboard interrupt ends the batch and keeps the games that
    are finished.
    """
    start = perf_counter()
    rules = rules or load(spec.target)
    current_plan = replace(spec, content=rules.program.content_hash)
    cache_rules(current_plan, rules)
    played: list[GameResult] = []
    with suppress(KeyboardInterrupt), open_executor(min(jobs, games), scheduler, [spec.target]) as executor:
        try:
            for _, results in play_blocks([current_plan], [(0, range(games))], executor):
                played += results
                if progress is not None:
                    progress(len(played), games)
        except KeyboardInterrupt:
            for result in executor.collect_finished():
                played += result.played
    played.sort(key=lambda p: p.number)
    return _sum_up(played, spec, games, perf_counter() - start)


def serialize_batch(batch: Batch) -> dict[str, Any]:
    """Return the batch as JSON data.

    `faults` is present only if there were any, `seats` only if bots that search have played.
    """
    data: dict[str, Any] = {
        "games": batch.games,
        "finished": batch.finished,
        "outcomes": batch.outcomes,
        "turns": {str(turn): number for turn, number in batch.turns.items()},
        "decisions": batch.decisions,
        "seconds": round(batch.seconds, 3),
        "state_hash": batch.state_hash,
    }
    if any(seat.player != "random" for seat in batch.seats):
        data["seats"] = {s.seat: select_fields(s, "player", "won", "drawn", "lost") for s in batch.seats}
    if batch.games < batch.requested:
        data["asked"] = batch.requested
    if batch.faults:
        data["faults"] = [select_fields(fault, "seed", "message", "file", "line") for fault in batch.faults]
    return data


def _sum_up(played: list[GameResult], spec: BatchSpec, games: int, seconds: float) -> Batch:
    """Return the results of a batch of which `games` games were requested."""
    finished = [p for p in played if p.outcome]
    outcomes, turns = Counter(p.outcome for p in finished), Counter(p.turn for p in finished)
    digest = blake2b(digest_size=16)
    for game in played:
        digest.update(f"{game.number} {game.hash}\n".encode())
    return Batch(
        len(played),
        len(finished),
        dict(sorted(outcomes.items(), key=lambda o: (-o[1], o[0]))),
        dict(sorted(turns.items())),
        sum(p.decisions for p in played),
        seconds,
        digest.hexdigest(),
        tuple(p.fault for p in played if p.fault is not None),
        tuple(_summarize_seat(seat, player, finished) for seat, player in spec.seats.items()),
        games,
        sum(p.is_native for p in played),
    )


def _summarize_seat(seat: str, player: str, finished: list[GameResult]) -> Seat:
    won = sum(1 for p in finished if seat in p.winners)
    drawn = sum(1 for p in finished if not p.winners)
    return Seat(seat, player, won, drawn, len(finished) - won - drawn)
