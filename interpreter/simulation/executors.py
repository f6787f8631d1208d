"""Crews: who plays stints. This process alone, processes of its own, or a cluster of Dask's.

Where the extra `lab` is there, several processes are a cluster of Dask's, and whoever dies is made up for; else they
are those of the standard library. Must not know what is played.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol

from interpreter.files.safe_processes import begin_worker, spawn_context
from interpreter.simulation.sigint import interrupts_held_back, interrupts_ignored
from interpreter.simulation.work_units import WorkResult, WorkUnit, play_stint

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

_AHEAD = 2  # stints for each process: one that is played and one that waits


class Executor(Protocol):
    """Whoever plays stints."""

    @property
    def is_alone(self) -> bool:
        """True for this process itself."""

    @property
    def room(self) -> int:
        """How many stints it takes at a time."""

    def hand_out(self, stint: WorkUnit) -> None:
        """Take a stint."""

    def next_done(self) -> WorkResult:
        """Wait for a stint that is done; what went wrong in it is raised."""

    def drained(self) -> list[WorkResult]:
        """What is done and was not asked for yet."""


class SerialExecutor:
    """This process, a stint at a time."""

    is_alone = True
    room = 1

    def __init__(self, play: Callable[[WorkUnit], WorkResult] = play_stint) -> None:
        self._play = play
        self._waiting: deque[WorkUnit] = deque()

    def hand_out(self, stint: WorkUnit) -> None:
        """Take a stint."""
        self._waiting.append(stint)

    def next_done(self) -> WorkResult:
        """Play the next one."""
        return self._play(self._waiting.popleft())

    def drained(self) -> list[WorkResult]:
        """Nothing is done that was not asked for."""
        return []


class PoolExecutor:
    """Processes of the standard library; one that dies ends the batch."""

    is_alone = False

    def __init__(self, pool: ProcessPoolExecutor, processes: int) -> None:
        self._pool = pool
        self._done: SimpleQueue[Future[WorkResult]] = SimpleQueue()
        self.room = processes * _AHEAD

    def hand_out(self, stint: WorkUnit) -> None:
        """Take a stint."""
        with interrupts_held_back():  # a process may be started for it
            self._pool.submit(play_stint, stint).add_done_callback(self._done.put)

    def next_done(self) -> WorkResult:
        """Wait for any of them."""
        return self._done.get().result()

    def drained(self) -> list[WorkResult]:
        """What has come back by now."""
        found = []
        while not self._done.empty():
            ended = self._done.get()
            if not ended.cancelled() and ended.exception() is None:
                found.append(ended.result())
        return found


@contextmanager
def crew_of(jobs: int = 1, scheduler: str = "", targets: Iterable[str] = ()) -> Iterator[Executor]:
    """A crew of so many processes, or that of a Dask scheduler; sent home at the end.

    SetupError for no scheduler, and unless its workers have the same code and the same rules of the `targets`.
    """
    if scheduler or (jobs > 1 and find_spec("distributed") is not None):
        from interpreter.simulation.dask_executor import check_workers, cluster_crew

        with cluster_crew(jobs, scheduler) as crew:
            if scheduler:  # one's own always have
                check_workers(crew, targets)
            yield crew
    elif jobs > 1:
        with _pool(jobs) as pool:
            yield pool
    else:
        yield SerialExecutor()


@contextmanager
def _pool(jobs: int) -> Iterator[PoolExecutor]:
    from concurrent.futures import ProcessPoolExecutor  # who plays alone need not wait for them

    # spawn: the same on every platform, and nothing of this process leaks into the games
    pool = ProcessPoolExecutor(jobs, mp_context=spawn_context(), initializer=begin_worker)
    try:
        yield PoolExecutor(pool, jobs)
    finally:
        with interrupts_ignored():
            pool.shutdown(wait=True, cancel_futures=True)
