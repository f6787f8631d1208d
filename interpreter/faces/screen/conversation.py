"""Lines between a sitting that plays in a thread of its own and the screen that shows it.

What a sitting needs of a terminal: it writes, and waits until something is typed. While it waits the game stands
still and may be looked at from elsewhere (`standing_still`). Must not know the game nor widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from threading import RLock, Thread
from typing import Protocol


class Stopped(Exception):
    """The screen was closed: nothing more is to be played."""


class Plain(Protocol):
    """The plain terminal, before the screen opens and after it has closed."""

    def write(self, lines: Iterable[str]) -> None:
        """Show lines."""

    def clear(self) -> None:
        """Take away what is shown."""

    def width(self) -> int:
        """The cells of a line; 0 for any number."""

    def read(self, prompt: str) -> str | None:
        """The next line typed."""

    def offer(self, words: Sequence[str]) -> None:
        """What may be completed."""

    def meanwhile(self, text: str) -> AbstractContextManager[None]:
        """Where somebody waits."""


class Stagehand(Protocol):
    """The screen, as far as a conversation needs it. Called from the sitting's thread; none may wait for it."""

    def show_lines(self, lines: Sequence[str]) -> None:
        """Lines the sitting has written."""

    def clear(self) -> None:
        """Take away all lines."""

    def ask(self, prompt: str, words: Sequence[str], stands: bool) -> None:
        """Something may be typed now; `words` can be completed. `stands`: the game can be looked at meanwhile."""

    def wait(self, text: str) -> None:
        """Somebody else thinks; '' when he has done."""

    def talk_width(self) -> int:
        """The cells of a line."""


class Conversation:
    """Takes the place of a terminal for a sitting.

    What is written before `open` is shown then; after `close` the plain terminal is used, and a sitting that goes on
    is stopped.
    """

    def __init__(self, plain: Plain) -> None:
        self._plain = plain
        self._stage: Stagehand | None = None
        self._kept: list[str] = []
        self._typed: SimpleQueue[str | None] = SimpleQueue()
        self._still = RLock()
        self._is_closed = self._is_after = False
        self._offered: tuple[str, ...] = ()
        self.always: Sequence[str] = ()  # words that can be completed everywhere

    # --- the screen's side ------------------------------------------------------------------

    def open(self, stage: Stagehand) -> None:
        """From now on the screen shows what is written."""
        self._stage = stage
        if self._kept:
            stage.show_lines(self._kept)
            self._kept = []

    def type(self, line: str) -> None:
        """A line was typed."""
        self._typed.put(line)

    def close(self) -> None:
        """Nothing more will be typed; a sitting that waits is told so, one that goes on is stopped."""
        self._is_closed = True
        self._typed.put(None)

    def leave(self) -> None:
        """The screen is gone: the plain terminal is used again."""
        self._stage, self._is_after = None, True

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Around the whole sitting, in its thread: the game is its own but for the time in which it waits."""
        with self._still:
            yield

    @contextmanager
    def standing_still(self, patience: float = 0.0) -> Iterator[bool]:
        """True inside where the sitting waits and the game can be looked at, for as long as this lasts."""
        got = self._still.acquire(timeout=patience) if patience else self._still.acquire(blocking=False)
        try:
            yield got
        finally:
            if got:
                self._still.release()

    def complain(self, text: str) -> None:
        """Tell of something that went wrong beside the game."""
        if self._stage is not None and not self._is_closed:
            self._stage.show_lines([text])
        else:
            self._plain.write([text])

    # --- the sitting's side -----------------------------------------------------------------

    def write(self, lines: Iterable[str]) -> None:
        """Show lines; Stopped where the screen was closed."""
        told = list(lines)
        if self._is_after:
            self._plain.write(told)
        elif self._stage is None:
            self._kept += told
        elif self._is_closed:
            raise Stopped
        else:
            self._stage.show_lines(told)

    def clear(self) -> None:
        """Take away what is shown."""
        if self._stage is not None:
            self._stage.clear()
        else:
            self._plain.clear()

    def width(self) -> int:
        """The cells of a line of what is shown."""
        return self._stage.talk_width() if self._stage is not None else self._plain.width()

    def offer(self, words: Sequence[str]) -> None:
        """What may be completed while the next line is typed."""
        self._offered = tuple(words)

    def read(self, prompt: str) -> str | None:
        """The next line typed; None when the screen has been closed."""
        if self._stage is None:
            self._plain.write(self._kept)
            self._kept = []
            return None if self._is_closed else self._plain.read(prompt)
        self._stage.ask(prompt, (*self._offered, *self.always), stands=True)
        self._still.release()
        try:
            return self._typed.get()
        finally:
            self._still.acquire()

    def read_beside(self, prompt: str) -> str | None:
        """The next line typed, in the midst of a choice that is being carried out."""
        if self._stage is None:
            return self.read(prompt)
        self._stage.ask(prompt, (), stands=False)
        return self._typed.get()

    @contextmanager
    def meanwhile(self, text: str) -> Iterator[None]:
        """Says that somebody thinks; Stopped afterwards where the screen was closed meanwhile."""
        stage = self._stage
        if stage is None:
            with self._plain.meanwhile(text):
                yield
            return
        if self._is_closed:
            raise Stopped
        stage.wait(text)
        yield
        stage.wait("")
        if self._is_closed:
            raise Stopped


@dataclass(frozen=True, slots=True)
class Beside:
    """The same conversation for whoever asks in the midst of a choice, such as for dice rolled at a table."""

    conversation: Conversation

    def write(self, lines: Iterable[str]) -> None:
        """Show lines."""
        self.conversation.write(lines)

    def read(self, prompt: str) -> str | None:
        """The next line typed."""
        return self.conversation.read_beside(prompt)


def in_thread(play: Callable[[], bool], conversation: Conversation, ended: Callable[[], None]) -> Result:
    """Play in a thread that ends with the program; `ended` is called there when it is over."""
    result = Result()

    def run() -> None:
        with conversation.playing():
            try:
                result.is_over = play()
            except Stopped:
                pass
            except BaseException as fault:  # told by whoever started it
                result.fault = fault
        ended()

    result.thread = Thread(target=run, name="sitting", daemon=True)
    result.thread.start()
    return result


class Result:
    """How a sitting has ended: the game is over, or a fault."""

    __slots__ = ("fault", "is_over", "thread")

    def __init__(self) -> None:
        self.is_over = False
        self.fault: BaseException | None = None
        self.thread: Thread | None = None

    def join(self, patience: float) -> bool:
        """Wait for the end; False when it has not come by then."""
        if self.thread is None:
            return True
        self.thread.join(patience)
        return not self.thread.is_alive()
