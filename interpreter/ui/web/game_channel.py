"""Event-loop access to a served game: serialized changes, concurrent queries, and change notification.

Its work queue is bounded and fair between clients; cancelled jobs never start.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from anyio import CapacityLimiter, to_thread

from interpreter.i18n.translator import mark as _
from interpreter.ui.web.access_tokens import Requester
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.background_work import BackgroundWorker
from interpreter.ui.web.served_game import ServedGame
from interpreter.view_model.encoded_content import EncodedContent

if TYPE_CHECKING:
    from interpreter.ui.web.queries import QueryService

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
        self._begin()
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

    def _begin(self) -> None:
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
            self._begin()


def _build_closed_error() -> ApiError:
    return ApiError(503, "server-ending", _("the server is shutting down; to continue, start it again"))


_PAUSE = 0.4  # seconds between choices if only bots play, so that onlookers can follow
_MOST_OF_ONE, _MOST = 32, 256  # waiting jobs: per asker (all onlookers are one), in total
_MOST_ODDS_OF_ONE, _MOST_ODDS = 4, 16  # for exact odds, which take up to a minute
_UNWATCHED = 10.0  # seconds after which preparation goes on although no page has been opened
_SERVER = ""  # asker id of the server itself


class GameChannel:
    """A served game in an event loop. `key` is the game's identity, from which its links are derived."""

    def __init__(self, served: ServedGame, key: str) -> None:
        self.served = served
        self.key = key
        self._changes = WorkQueue(1, _MOST_OF_ONE, _MOST)
        self._questions = WorkQueue(2, _MOST_OF_ONE, _MOST)
        self._odds = WorkQueue(2, _MOST_ODDS_OF_ONE, _MOST_ODDS)
        self._workers: set[BackgroundWorker] = set()
        self._scenes: dict[Requester, asyncio.Task[EncodedContent]] = {}
        self._news = asyncio.Event()
        self._warming: asyncio.Task[None] | None = None
        self._preparing: dict[str, asyncio.Task[None]] = {}  # by language
        self._bots: asyncio.Task[None] | None = None
        self.closed = False
        self._drawing = 0  # drawings of the map that are being made
        self._shown = asyncio.Event()  # set when a page has the drawings that it asked for

    @cached_property
    def queries(self) -> QueryService:
        """Return the query service, imported late because its import takes longer than the rest of the server's."""
        from interpreter.ui.web.queries import QueryService

        return QueryService(self.served)

    async def get_drawing(self, name: str) -> EncodedContent | None:
        """Return the map drawing that a scene refers to by `name`, or None."""
        self._drawing += 1
        try:
            drawing = await to_thread.run_sync(self._get_packed_drawing, name)
        finally:
            self._drawing -= 1
        if drawing is not None and not self._drawing:
            self._shown.set()
        return drawing

    def _get_packed_drawing(self, name: str) -> EncodedContent | None:
        drawing = self.served.views.find_drawing(name)
        if drawing is not None:
            drawing.packed  # noqa: B018 - in a thread, not in the event loop
        return drawing

    async def run_job(self, asker: str, job: Callable[[], _T]) -> _T:
        """Run a job that may change the game in a thread, after earlier ones; notify all clients of a change.

        `asker`: the id of the requester.
        """
        before = self.served.version
        try:
            return await self._changes.run(asker, job)
        finally:
            if self.served.version != before:
                self.notify_change()

    async def scene(self, by: Requester) -> EncodedContent:
        """Return the current scene; concurrent requests share one computation."""
        cached = self.served.get_cached_scene(by)
        if cached is not None:
            return cached
        if by not in self._scenes:
            making = self._changes.run(f"scene {by.asker} {by.lang}", lambda: self.served.scene(by))
            self._scenes[by] = task = asyncio.ensure_future(making)
            task.add_done_callback(lambda made: self._forget_scene(by, made))
        return await asyncio.shield(self._scenes[by])

    def _forget_scene(self, by: Requester, task: asyncio.Task[EncodedContent]) -> None:
        self._scenes.pop(by, None)
        if not task.cancelled():
            task.exception()  # retrieved, as all waiting clients may have left

    async def ask(self, asker: str, job: Callable[[], _T]) -> _T:
        """Run a read-only query in a thread and return its result; `asker`: the id of the requester."""
        return await self._questions.run(asker, job)

    async def ask_worker(self, asker: str, job: Callable[[BackgroundWorker], _T]) -> _T:
        """Run a query in its own process, which ends with the answer or when the caller is cancelled.

        `asker`: the id of the requester; `job` gets the worker of that process. Raises EOFError if the process ended
        before it answered.
        """
        worker = self.served.make_worker(self.served.rules.target)
        self._workers.add(worker)
        try:
            return await self._odds.run(asker, lambda: job(worker))
        finally:
            self._workers.discard(worker)
            worker.end()

    def notify_change(self) -> None:
        """Wake the clients that wait for news, and the bots."""
        news, self._news = self._news, asyncio.Event()
        news.set()
        self.wake_bots()

    def wake_bots(self) -> None:
        """Start a task in which bots choose, if it is their turn and none runs yet."""
        if self.closed or not self.served.is_bots_turn():
            return
        if self._bots is None or self._bots.done():
            self._bots = asyncio.get_running_loop().create_task(self._let_bots_choose())

    async def wait_for_news(self, version: str, seconds: float) -> str:
        """Return the game's version once it differs from `version`, after `seconds`, or when the channel closes."""
        end = asyncio.get_running_loop().time() + seconds
        while self.served.version == version and not self.closed:
            news, left = self._news, end - asyncio.get_running_loop().time()
            if left <= 0:
                break
            try:
                await asyncio.wait_for(news.wait(), left)
            except TimeoutError:
                break
        return self.served.version

    def prepare_map(self) -> None:
        """Compute the map's geometry at once, and the forms that queries need once a page shows the map."""
        rules = self.served.rules

        async def make_ready() -> None:
            with suppress(Exception):  # the page that needs it reports the error
                await to_thread.run_sync(self.served.views.get_geometry)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._shown.wait(), _UNWATCHED)
            for form in ("ledger", "odds"):
                with suppress(Exception):  # the query that needs it reports the error
                    await self.ask(_SERVER, lambda form=form: rules.form(form))  # type: ignore[misc]

        self._warming = asyncio.get_running_loop().create_task(make_ready())

    def prepare(self, by: Requester) -> None:
        """Compute the static view, the scene and the drawings of the map while the page still loads its scripts.

        `by`: the author of the requests that the page is about to make.
        """
        views = self.served.views

        def draw() -> None:
            self.queries  # noqa: B018 - its import would hold up the event loop
            for name in views.get_builder(by.lang).list_drawing_names():
                self._get_packed_drawing(name)

        async def make_ready() -> None:
            with suppress(Exception):  # the page that needs it reports the error
                await to_thread.run_sync(views.get_static_json, by.lang, abandon_on_cancel=True)
                await self.scene(by)
                await to_thread.run_sync(draw, abandon_on_cancel=True)

        if by.lang not in self._preparing:
            self._preparing[by.lang] = asyncio.get_running_loop().create_task(make_ready())

    def close(self) -> None:
        """Release all waiting clients; no further jobs start."""
        self.closed = True
        for queue in (self._changes, self._questions, self._odds):
            queue.close()
        for worker in list(self._workers):
            worker.end()
        self.served.leave()
        self._news.set()

    async def _let_bots_choose(self) -> None:
        """Let bots choose while it is their turn; a failing bot hands its seat over to people."""
        while self.served.is_bots_turn() and not self.closed:
            await to_thread.run_sync(self.served.let_bot_choose, abandon_on_cancel=True)
            self.notify_change()
            await asyncio.sleep(0 if self.served.people else _PAUSE)
