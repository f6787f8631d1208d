"""Event-loop access to a served game: serialized changes, concurrent queries, its bots, and change notification."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from anyio import to_thread

from interpreter.ui.web.access_tokens import Requester
from interpreter.ui.web.background_work import BackgroundWorker
from interpreter.ui.web.bot_runner import BotRunner
from interpreter.ui.web.commands import GameCommand
from interpreter.ui.web.served_game import ServedGame
from interpreter.ui.web.work_queue import WorkQueue
from interpreter.view_model.encoded_content import EncodedContent

if TYPE_CHECKING:
    from interpreter.ui.web.queries import QueryService

_T = TypeVar("_T")
_PAUSE = 0.4  # seconds between choices if only bots play, so that onlookers can follow
_MAX_JOBS_OF_ONE, _MAX_JOBS = 32, 256  # waiting jobs: per asker (all onlookers are one), in total
_MAX_ODDS_OF_ONE, _MAX_ODDS = 4, 16  # for exact odds, which take up to a minute
_UNWATCHED = 10.0  # seconds after which preparation goes on although no page has been opened
_SERVER = ""  # asker id of the server itself


def create_process_worker(target: str) -> BackgroundWorker:
    """Return a worker in a separate process, for games of the ruleset `target`."""
    from interpreter.ui.web.worker_process import Worker

    return Worker(target)


class GameChannel:
    """A served game in an event loop. `key` is the game's identity, from which its links are derived."""

    def __init__(self, served: ServedGame, key: str) -> None:
        self.served = served
        self.key = key
        self.bot_runner = BotRunner(served, create_process_worker(served.rules.target))
        self._change_queue = WorkQueue(1, _MAX_JOBS_OF_ONE, _MAX_JOBS)
        self._query_queue = WorkQueue(2, _MAX_JOBS_OF_ONE, _MAX_JOBS)
        self._odds_queue = WorkQueue(2, _MAX_ODDS_OF_ONE, _MAX_ODDS)
        self._odds_workers: set[BackgroundWorker] = set()
        self._scene_tasks: dict[Requester, asyncio.Task[EncodedContent]] = {}
        self._change_event = asyncio.Event()  # replaced at each change
        self._warmup_task: asyncio.Task[None] | None = None
        self._preparation_tasks: dict[str, asyncio.Task[None]] = {}  # by language
        self._bot_task: asyncio.Task[None] | None = None
        self._is_closed = False
        self._drawings_in_progress = 0
        self._page_has_map = asyncio.Event()  # set when a page has the drawings that it asked for

    @cached_property
    def queries(self) -> QueryService:
        """Return the query service, imported late because its import takes longer than the rest of the server's."""
        from interpreter.ui.web.queries import QueryService

        return QueryService(self.served)

    async def get_drawing(self, name: str) -> EncodedContent | None:
        """Return the map drawing that a scene refers to by `name`, or None."""
        self._drawings_in_progress += 1
        try:
            drawing = await to_thread.run_sync(self._get_packed_drawing, name)
        finally:
            self._drawings_in_progress -= 1
        if drawing is not None and not self._drawings_in_progress:
            self._page_has_map.set()
        return drawing

    def _get_packed_drawing(self, name: str) -> EncodedContent | None:
        drawing = self.served.views.find_drawing(name)
        if drawing is not None:
            drawing.packed  # noqa: B018 - in a thread, not in the event loop
        return drawing

    async def apply(self, command: GameCommand, by: Requester) -> None:
        """Apply a command to the game in a thread, after earlier ones; notify all clients of a change.

        Raises what `ServedGame.apply` raises, and ApiError if too much work is waiting.
        """
        before = self.served.version
        try:
            await self._change_queue.run(by.asker, lambda: self.served.apply(command, by))
        finally:
            if self.served.version != before:
                self.notify_change()

    async def get_scene(self, by: Requester) -> EncodedContent:
        """Return the current scene; concurrent requests share one computation."""
        cached = self.served.get_cached_scene(by)
        if cached is not None:
            return cached
        if by not in self._scene_tasks:
            making = self._change_queue.run(f"scene {by.asker} {by.lang}", lambda: self.served.get_scene(by))
            self._scene_tasks[by] = task = asyncio.ensure_future(making)
            task.add_done_callback(lambda made: self._forget_scene(by, made))
        return await asyncio.shield(self._scene_tasks[by])

    def _forget_scene(self, by: Requester, task: asyncio.Task[EncodedContent]) -> None:
        self._scene_tasks.pop(by, None)
        if not task.cancelled():
            task.exception()  # retrieved, as all waiting clients may have left

    async def ask(self, asker: str, job: Callable[[], _T]) -> _T:
        """Run a read-only query in a thread and return its result; `asker`: the id of the requester."""
        return await self._query_queue.run(asker, job)

    async def ask_worker(self, asker: str, job: Callable[[BackgroundWorker], _T]) -> _T:
        """Run a query in its own process, which ends with the answer or when the caller is cancelled.

        `asker`: the id of the requester; `job` gets the worker of that process. Raises EOFError if the process ended
        before it answered.
        """
        worker = create_process_worker(self.served.rules.target)
        self._odds_workers.add(worker)
        try:
            return await self._odds_queue.run(asker, lambda: job(worker))
        finally:
            self._odds_workers.discard(worker)
            worker.end()

    def notify_change(self) -> None:
        """Wake the clients that wait for news, and the bots."""
        news, self._change_event = self._change_event, asyncio.Event()
        news.set()
        self.wake_bots()

    def wake_bots(self) -> None:
        """Start a task in which bots choose, if it is their turn and none runs yet."""
        if self._is_closed or not self.served.is_bots_turn():
            return
        if self._bot_task is None or self._bot_task.done():
            self._bot_task = asyncio.get_running_loop().create_task(self._let_bots_choose())

    async def wait_for_news(self, version: str, seconds: float) -> str:
        """Return the game's version once it differs from `version`, after `seconds`, or when the channel closes."""
        end = asyncio.get_running_loop().time() + seconds
        while self.served.version == version and not self._is_closed:
            news, left = self._change_event, end - asyncio.get_running_loop().time()
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
                await asyncio.wait_for(self._page_has_map.wait(), _UNWATCHED)
            for form in ("ledger", "odds"):
                with suppress(Exception):  # the query that needs it reports the error
                    await self.ask(_SERVER, lambda form=form: rules.form(form))  # type: ignore[misc]

        self._warmup_task = asyncio.get_running_loop().create_task(make_ready())

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
                await self.get_scene(by)
                await to_thread.run_sync(draw, abandon_on_cancel=True)

        if by.lang not in self._preparation_tasks:
            self._preparation_tasks[by.lang] = asyncio.get_running_loop().create_task(make_ready())

    def close(self) -> None:
        """Release all waiting clients; no further jobs start."""
        self._is_closed = True
        for queue in (self._change_queue, self._query_queue, self._odds_queue):
            queue.close()
        for worker in list(self._odds_workers):
            worker.end()
        self.bot_runner.stop()
        self._change_event.set()

    async def _let_bots_choose(self) -> None:
        """Let bots choose while it is their turn; a failing bot hands its seat over to people."""
        while self.served.is_bots_turn() and not self._is_closed:
            await to_thread.run_sync(self.bot_runner.run_turn, abandon_on_cancel=True)
            self.notify_change()
            await asyncio.sleep(0 if self.served.people else _PAUSE)
