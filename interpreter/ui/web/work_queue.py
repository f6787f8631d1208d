"""Work queue of an event loop: runs jobs in threads, bounded and fair between askers; cancelled jobs never start."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread

from interpreter.i18n.translator import mark as _
from interpreter.ui.web.api_errors import ApiError

_T = TypeVar("_T")


@dataclass(eq=False, slots=True)
class _Job:
    """A job: the id of the requester, the function to run, and the future that its caller awaits."""

    asker: str
    run: Callable[[], Any]
    done: asyncio.Future[Any]


class WorkQueue:
    """A queue that runs jobs in threads in order of arrival, `workers` at a time and one at a time per asker.

    A job that has begun keeps its thread until it ends. One whose caller was cancelled before that never begins.
    `most_of_one`: jobs of one asker that may wait or run; `most`: jobs of all askers that may wait.
    """

    def __init__(self, workers: int, most_of_one: int, most: int) -> None:
        self._most_of_one = most_of_one
        self._most = most
        self._limiter = CapacityLimiter(workers)
        self._workers = workers
        self._waiting: deque[_Job] = deque()
        self._running: list[_Job] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def run(self, asker: str, job: Callable[[], _T]) -> _T:
        """Run a job of an asker and return its result or raise its error.

        Raises ApiError if the queue is full or closed.
        """
        if self._is_closed:
            raise _build_closed_error()
        if sum(job.asker == asker for job in (*self._waiting, *self._running)) >= self._most_of_one:
            raise ApiError(
                429,
                "too-many-at-once",
                _("{most} requests from this link are already waiting; wait for their answers", most=self._most_of_one),
            )
        if len(self._waiting) >= self._most:
            raise ApiError(503, "server-busy", _("the server is busy with other requests; try again in a moment"))
        waiting_job = _Job(asker, job, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting_job)
        self._start_ready_jobs()
        try:
            result: _T = await waiting_job.done
        except asyncio.CancelledError:
            if waiting_job in self._waiting:
                self._waiting.remove(waiting_job)
            raise
        return result

    def close(self) -> None:
        """Start no more jobs, and fail those that wait."""
        self._is_closed = True
        while self._waiting:
            job = self._waiting.popleft()
            if not job.done.done():
                job.done.set_exception(_build_closed_error())

    def _start_ready_jobs(self) -> None:
        """Start jobs while a thread is free, in order, skipping askers who have one running."""
        while len(self._running) < self._workers:
            busy = {job.asker for job in self._running}
            following = next((job for job in self._waiting if job.asker not in busy), None)
            if following is None:
                return
            self._waiting.remove(following)
            self._running.append(following)
            task = asyncio.get_running_loop().create_task(self._carry_out(following))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry_out(self, queued: _Job) -> None:
        """Run a job in a thread and pass its result, or its error, to the caller."""
        try:
            result = await to_thread.run_sync(queued.run, limiter=self._limiter, abandon_on_cancel=True)
        except Exception as fault:
            if not queued.done.done():
                queued.done.set_exception(fault)
        else:
            if not queued.done.done():
                queued.done.set_result(result)
        finally:
            self._running.remove(queued)
            self._start_ready_jobs()


def _build_closed_error() -> ApiError:
    return ApiError(503, "server-ending", _("the server is shutting down; to continue, start it again"))
