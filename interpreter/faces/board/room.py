"""A served game among those who are at it: work is done one after another beside the event loop, news reach all.

Must not know requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

from interpreter.faces.board.asked import Inquiry
from interpreter.faces.board.served_game import ServedGame
from interpreter.runtime.faults import RuleFault, SetupError

_T = TypeVar("_T")
_PAUSE = 0.4  # seconds between choices where only programs play, so that one can follow them


class Room:
    """A served game in an event loop. `key` is the game's identity, from which its links are made."""

    def __init__(self, served: ServedGame, key: str) -> None:
        self.served = served
        self.key = key
        self.inquiry = Inquiry(served)
        self._limiter = CapacityLimiter(1)
        self._asking = CapacityLimiter(2)
        self._news = asyncio.Event()
        self._warming: asyncio.Task[None] | None = None
        self._bots: asyncio.Task[None] | None = None
        self.closed = False

    async def work(self, job: Callable[[], _T]) -> _T:
        """Do something with the game in a thread, after what was asked before; tell all if it has changed."""
        before = self.served.version
        try:
            return await to_thread.run_sync(job, limiter=self._limiter)
        finally:
            if self.served.version != before:
                self.changed()

    async def ask(self, job: Callable[[], _T]) -> _T:
        """Work something out that changes nothing; whoever has gone away waits for it no longer."""
        return await to_thread.run_sync(job, limiter=self._asking, abandon_on_cancel=True)

    def changed(self) -> None:
        """Wake all that wait for news, and the programs at their seats."""
        news, self._news = self._news, asyncio.Event()
        news.set()
        self.wake_bots()

    def wake_bots(self) -> None:
        """Let programs choose, if it is their turn and they do not already."""
        if self.closed or not self.served.is_bots_turn():
            return
        if self._bots is None or self._bots.done():
            self._bots = asyncio.get_running_loop().create_task(self._let_bots_choose())

    async def news_after(self, version: str, seconds: float) -> str:
        """The version, once it is another than the given one, or after so long, or when the room is closed."""
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

    def warm(self) -> None:
        """Make ready, beside all else, what the first questions need."""
        rules = self.served.rules

        async def make_ready() -> None:
            for form in ("ledger", "odds"):
                with suppress(SetupError):  # it is told to whoever asks
                    await self.ask(lambda form=form: rules.form(form))  # type: ignore[misc]

        self._warming = asyncio.get_running_loop().create_task(make_ready())

    def close(self) -> None:
        """Send everybody away."""
        self.closed = True
        self.served.leave()
        self._news.set()

    async def _let_bots_choose(self) -> None:
        try:
            while self.served.is_bots_turn() and not self.closed:
                await to_thread.run_sync(self.served.let_bot_choose, abandon_on_cancel=True)
                news, self._news = self._news, asyncio.Event()
                news.set()
                await asyncio.sleep(0 if self.served.people else _PAUSE)
        except RuleFault as fault:
            self.served.stop(str(fault))
            self.changed()
