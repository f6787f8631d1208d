"""Executor on Dask: a local cluster of processes, or the workers of a running scheduler.

Work units of a worker that died are submitted again. Imported only when several processes are wanted.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from queue import Empty, SimpleQueue
from types import ModuleType
from typing import Any

from interpreter.files.installing import get_install_command
from interpreter.files.safe_processes import protect_children
from interpreter.runtime.errors import SetupError
from interpreter.simulation.sigint import block_interrupts, ignore_interrupts
from interpreter.simulation.work_units import WorkResult, WorkUnit, compute_digests, play_work_unit

_AHEAD = 2  # work units for each process: one that is played and one that waits
_ANSWER_SECONDS = 10  # timeout of a request to the scheduler
_LOST_SECONDS = 60  # without any worker, before the batch fails
_LOOK_SECONDS = 5  # between two checks for lost workers
_MAX_DEATHS = 10  # of workers with one work unit, before Dask gives the unit up
_QUIET = {"logging": {"distributed": "critical", "distributed.nanny": "critical", "tornado": "critical"}}
_CONFIG = {
    "distributed.scheduler.allowed-failures": _MAX_DEATHS,
    "distributed.worker.multiprocessing-method": "spawn",
    "distributed.worker.daemon": True,
    "distributed.diagnostics.nvml": False,
    # unread statistics cost as much as half of the games: a profile every 10 ms, a tick every 20
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "60s",
    "distributed.admin.system-monitor.interval": "60s",
    **_QUIET,
}


class DaskExecutor:
    """An executor that submits work units to the workers of a Dask client."""

    is_alone = False

    def __init__(self, client: Any, processes: int, is_own: bool) -> None:  # noqa: ANN401 - a client of `distributed`, untyped
        self._client = client
        self._is_own = is_own
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._units: dict[str, WorkUnit] = {}
        self._deaths: dict[tuple[int, tuple[int, ...]], int] = {}
        self._submitted = 0
        self._killed = import_module("distributed.scheduler").KilledWorker
        self.room = processes * _AHEAD

    def submit(self, unit: WorkUnit) -> None:
        """Submit a work unit."""
        self._submitted += 1
        key = f"stint-{id(self)}-{self._submitted}"
        self._units[key] = unit
        # pure: two runs of one seed are two runs
        self._client.submit(play_work_unit, unit, pure=False, retries=0, key=key).add_done_callback(self._done.put)

    def wait_result(self) -> WorkResult:
        """Wait for a result and return it. Resubmits the work unit of a worker that died."""
        idle = 0
        while True:
            try:
                future = self._done.get(timeout=_LOOK_SECONDS)
            except Empty:
                idle = 0 if self._count_workers() else idle + _LOOK_SECONDS
                if idle >= _LOST_SECONDS:
                    raise SetupError("the scheduler has no workers left") from None
                continue
            unit = self._units.pop(future.key)
            try:
                result: WorkResult = future.result(timeout=_ANSWER_SECONDS)
                return result
            except self._killed:
                self._resubmit(unit)
            finally:
                future.release()

    def collect_finished(self) -> list[WorkResult]:
        """Return the results that have arrived and have not been fetched yet."""
        results = []
        while not self._done.empty():
            future = self._done.get()
            if future.status == "finished":
                with suppress(Exception):
                    results.append(future.result(timeout=_ANSWER_SECONDS))
        return results

    def _resubmit(self, unit: WorkUnit) -> None:
        """Submit a work unit again whose worker died. Raise `SetupError` after more than two deaths."""
        key = (unit.spec_number, unit.numbers)
        self._deaths[key] = self._deaths.get(key, 0) + 1
        if self._deaths[key] > 2:
            raise SetupError(
                "workers failed repeatedly while they played games {first} to {last}",
                first=unit.numbers[0],
                last=unit.numbers[-1],
            )
        self.submit(unit)

    def _count_workers(self) -> int:
        """Return the number of workers, 0 if the scheduler does not answer; 1 for an own cluster."""
        if self._is_own:
            return 1  # its nannies start others
        with suppress(Exception):
            return len(self._client.scheduler_info(n_workers=-1)["workers"])
        return 0


@contextmanager
def open_dask_executor(jobs: int, scheduler: str = "") -> Iterator[DaskExecutor]:
    """Yield an executor on local processes or on a running scheduler.

    Raises `SetupError` if the scheduler does not answer or has no workers.
    """
    with block_interrupts():  # threads and processes that start here ignore interrupts
        try:
            dask, distributed = import_module("dask"), import_module("distributed")
        except ImportError:
            raise SetupError(
                "--scheduler needs the extra `lab`; to install it: {command}", command=get_install_command("lab")
            ) from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        connecting = _ANSWER_SECONDS if scheduler else _LOST_SECONDS  # own ones may begin slowly, but they come
        with dask.config.set({**_CONFIG, "distributed.comm.timeouts.connect": f"{connecting}s"}):
            connection = _connect(distributed, scheduler) if scheduler else _start_local(distributed, jobs)
    client, cluster, processes = connection
    try:
        yield DaskExecutor(client, processes, cluster is not None)
    finally:
        with ignore_interrupts():
            for part in (client, cluster):
                if part is not None:
                    with suppress(Exception):
                        part.close(timeout=_ANSWER_SECONDS)


def _start_local(distributed: ModuleType, jobs: int) -> tuple[Any, Any, int]:
    """Start local worker processes; return the client, its cluster and the number of processes."""
    protect_children()  # nannies start them
    try:
        cluster = distributed.LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # any free port: nobody looks at it
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            host="127.0.0.1",
        )
    except RuntimeError as error:
        raise SetupError("cannot start {jobs} processes ({fault})", jobs=jobs, fault=str(error)) from None
    return distributed.Client(cluster, set_as_default=False), cluster, jobs


def _connect(distributed: ModuleType, scheduler: str) -> tuple[Any, None, int]:
    """Connect with a running scheduler; return the client, None, and the number of its threads."""
    try:
        client = distributed.Client(scheduler, set_as_default=False, timeout=_ANSWER_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise SetupError(
            "the scheduler at {address} does not answer within {seconds} seconds ({fault}); start one with "
            "`dask scheduler` and workers with `dask worker ADDRESS`",
            address=scheduler,
            seconds=_ANSWER_SECONDS,
            fault=type(error).__name__,
        ) from None
    threads = client.nthreads()
    if not threads:
        client.close()
        raise SetupError("the scheduler at {address} has no workers", address=scheduler)
    return client, None, sum(threads.values())


def check_workers(executor: DaskExecutor, targets: Iterable[str]) -> None:
    """Raise `SetupError` unless the scheduler and its workers have the code and the rules of this process."""
    for target in dict.fromkeys(targets):
        expected = compute_digests(target)
        try:
            digests = {
                **executor._client.run(compute_digests, target),
                "scheduler": executor._client.run_on_scheduler(compute_digests, target),
            }
        except Exception as error:  # whatever a strange worker makes of it
            raise SetupError(
                "a worker or the scheduler cannot run this program ({fault})", fault=str(error)[:200]
            ) from None
        for worker, digest in digests.items():
            if digest[0] != expected[0]:
                raise SetupError(
                    "{who} runs a different version of this program; install the same version there", who=worker
                )
            if digest[1] != expected[1]:
                raise SetupError(
                    "{who} reads different rules for {target} than this program", who=worker, target=target
                )
