"""Batches of games, in one process or several; the result does not depend on how many.

Must not print: progress goes to a callback.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any

from interpreter.facade.game import Rules, load
from interpreter.simulation.games import Fault, Plan, Played, play_game
from interpreter.simulation.seeds import game_seed

Progress = Callable[[int, int], None]

_LONGEST_CHUNK = 50
_stop: list[Event] = []  # of a worker process: set when the batch is given up
_rules: list[Rules] = []  # of a worker process: what its first task loaded


@dataclass(frozen=True, slots=True)
class Batch:
    """How many games went how. `turns` counts the finished games by the turn they ended in.

    `asked` is how many games were wanted: more than `games` where the batch was stopped.
    """

    games: int
    finished: int
    outcomes: dict[str, int]
    turns: dict[int, int]
    decisions: int
    seconds: float
    state_hash: str
    faults: tuple[Fault, ...]
    seats: tuple[Seat, ...] = ()
    asked: int = 0


@dataclass(frozen=True, slots=True)
class Seat:
    """How a seat and its bot did in the finished games; a draw is neither won nor lost."""

    seat: str
    player: str
    won: int
    drawn: int
    lost: int


def play_batch(
    plan: Plan, games: int, jobs: int = 1, progress: Progress | None = None, rules: Rules | None = None
) -> Batch:
    """Play `games` games in `jobs` processes; equal plans give equal batches but for `seconds`.

    An interrupt ends the batch with the games that are over by then.
    """
    start = perf_counter()
    jobs = max(1, min(jobs, games))
    if jobs == 1:
        played = _play_here(plan, games, progress, rules or load(plan.target))
    else:
        played = _play_apart(plan, games, jobs, progress)
    return _sum_up(played, plan, games, perf_counter() - start)


def batch_data(batch: Batch) -> dict[str, Any]:
    """The batch as JSON data; `faults` only where there were any, `seats` where bots that think have played."""
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
        data["seats"] = {
            s.seat: {"player": s.player, "won": s.won, "drawn": s.drawn, "lost": s.lost} for s in batch.seats
        }
    if batch.games < batch.asked:
        data["asked"] = batch.asked
    if batch.faults:
        data["faults"] = [{"seed": f.seed, "message": f.message, "file": f.file, "line": f.line} for f in batch.faults]
    return data


def _play_here(plan: Plan, games: int, progress: Progress | None, rules: Rules) -> list[Played]:
    played: list[Played] = []
    with suppress(KeyboardInterrupt):
        for number in range(games):
            played.append(play_game(rules, plan, number, game_seed(plan.seed, number)))
            if progress is not None:
                progress(number + 1, games)
    return played


def _play_apart(plan: Plan, games: int, jobs: int, progress: Progress | None) -> list[Played]:
    size = max(1, min(_LONGEST_CHUNK, games // (jobs * 4)))
    chunks = iter([range(first, min(first + size, games)) for first in range(0, games, size)])
    played: list[Played] = []
    # spawn: the same on every platform, and nothing of this process leaks into the games
    context = get_context("spawn")
    with _interrupts_held_back():
        stop = context.Event()
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_work, initargs=(stop,)) as pool:
        try:
            with _interrupts_held_back():
                waiting = {pool.submit(_play_chunk, plan, c.start, c.stop) for c in islice(chunks, jobs * 2)}
            while waiting:
                done = wait(waiting, return_when=FIRST_COMPLETED).done
                for result in done:
                    played += result.result()
                    waiting.remove(result)
                more = islice(chunks, len(done))
                with _interrupts_held_back():
                    waiting |= {pool.submit(_play_chunk, plan, c.start, c.stop) for c in more}
                if progress is not None:
                    progress(len(played), games)
        except KeyboardInterrupt:
            _abandon(pool, stop)
            for ended in waiting:  # what is in `played` already has left this set
                played += ended.result() if ended.done() and not ended.cancelled() else []
        except BaseException:
            _abandon(pool, stop)
            raise
    return sorted(played, key=lambda p: p.number)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Processes that are started meanwhile hear of no interrupt, not even while they import; this one hears it after.

    Where the system knows no such thing (Windows) a worker may still say something when it is stopped at its start.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_work(stop: Event) -> None:
    """An interrupt is for the process that was started: it tells its workers to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stop.append(stop)


def _play_chunk(plan: Plan, first: int, end: int) -> list[Played]:
    """The games of a worker's task; the rules are loaded once in each worker."""
    if not _rules:
        _rules.append(load(plan.target))
    played = []
    for number in range(first, end):
        if _stop and _stop[0].is_set():
            break
        played.append(play_game(_rules[0], plan, number, game_seed(plan.seed, number)))
    return played


def _abandon(pool: ProcessPoolExecutor, stop: Event) -> None:
    """Let the workers end with the game they are playing: whoever stops a batch waits for no other."""
    is_main = current_thread() is main_thread()
    # a second interrupt would only break off the clearing up
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
    stop.set()
    pool.shutdown(wait=True, cancel_futures=True)
    if is_main:
        signal.signal(signal.SIGINT, before)


def _sum_up(played: list[Played], plan: Plan, games: int, seconds: float) -> Batch:
    finished = [p for p in played if p.outcome]
    outcomes: dict[str, int] = {}
    turns: dict[int, int] = {}
    for game in finished:
        outcomes[game.outcome] = outcomes.get(game.outcome, 0) + 1
        turns[game.turn] = turns.get(game.turn, 0) + 1
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
        tuple(_seat(seat, player, finished) for seat, player in plan.seats.items()),
        games,
    )


def _seat(seat: str, player: str, finished: list[Played]) -> Seat:
    won = sum(1 for p in finished if seat in p.winners)
    drawn = sum(1 for p in finished if not p.winners)
    return Seat(seat, player, won, drawn, len(finished) - won - drawn)
