"""Executors for work units: this process, a process pool, or a Dask cluster.

With the extra `lab` installed, several processes are a Dask cluster, which replaces workers that die. Otherwise they
are a process pool of the standard library.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol

from interpreter.files.safe_processes import begin_worker, get_spawn_context
from interpreter.simulation.sigint import block_interrupts, ignore_interrupts
from interpreter.simulation.work_units import WorkResult, WorkUnit, play_work_unit

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

_AHEAD = 2  # work units for each process: one that is played and one that waits


class Executor(Protocol):
    """Protocol of an executor, which runs work units here or in other processes."""

    @property
    def is_alone(self) -> bool:
        """Return True if work runs in this process."""

    @property
    def room(self) -> int:
        """Return how many work units can be submitted at a time."""

    def submit(self, unit: WorkUnit) -> None:
        """Submit a work unit."""

    def wait_result(self) -> WorkResult:
        """Wait for a result and return it. An error inside the work unit is raised here."""

    def collect_finished(self) -> list[WorkResult]:
        """Return the results that have arrived and have not been fetched yet."""


class SerialExecutor:
    """An executor that runs work units in this process, one at a time."""

    is_alone = True
    room = 1

    def __init__(self) -> None:
        self._waiting: deque[WorkUnit] = deque()

    def submit(self, unit: WorkUnit) -> None:
        """Submit a work unit."""
        self._waiting.append(unit)

    def wait_result(self) -> WorkResult:
        """Run the next work unit and return its result."""
        return play_work_unit(self._waiting.popleft())

    def collect_finished(self) -> list[WorkResult]:
        """Return an empty list: results are computed only when they are requested."""
        return []


class PoolExecutor:
    """An executor that runs work units in a process pool. A worker that dies ends the batch."""

    is_alone = False

    def __init__(self, pool: ProcessPoolExecutor, processes: int) -> None:
        self._pool = pool
        self._done: SimpleQueue[Future[WorkResult]] = SimpleQueue()
        self.room = processes * _AHEAD

    def submit(self, unit: WorkUnit) -> None:
        """Submit a work unit."""
        with block_interrupts():  # a process may be started for it
            self._pool.submit(play_work_unit, unit).add_done_callback(self._done.put)

    def wait_result(self) -> WorkResult:
        """Wait for a result and return it."""
        return self._done.get().result()

    def collect_finished(self) -> list[WorkResult]:
        """Return the results that have arrived and have not been fetched yet."""
        results = []
        while not self._done.empty():
            future = self._done.get()
            if not future.cancelled() and future.exception() is None:
                results.append(future.result())
        return results


@contextmanager
def open_executor(jobs: int = 1, scheduler: str = "", targets: Iterable[str] = ()) -> Iterator[Executor]:
    """Yield an executor with `jobs` processes, or one on the Dask scheduler at the address `scheduler`.

    It is closed at the end. Raises `SetupError` if the scheduler does not exist, or if its workers run other code or
    read other rules for `targets`.
    """
    if scheduler or (jobs > 1 and find_spec("distributed") is not None):
        from interpreter.simulation.dask_executor import check_workers, open_dask_executor

        with open_dask_executor(jobs, scheduler) as executor:
            if scheduler:  # local workers always have the same code and rules
                check_workers(executor, targets)
            yield executor
    elif jobs > 1:
        with _open_pool(jobs) as pool:
            yield pool
    else:
        yield SerialExecutor()


@contextmanager
def _open_pool(jobs: int) -> Iterator[PoolExecutor]:
    """Yield an executor with `jobs` processes; at the end cancel pending work and wait for the processes."""
    from concurrent.futures import ProcessPoolExecutor  # imported late: a single process does not need it

    # spawn: the same on every platform, and nothing of this process leaks into the games
    pool = ProcessPoolExecutor(jobs, mp_context=get_spawn_context(), initializer=begin_worker)
    try:
        yield PoolExecutor(pool, jobs)
    finally:
        with ignore_interrupts():
            pool.shutdown(wait=True, cancel_futures=True)
