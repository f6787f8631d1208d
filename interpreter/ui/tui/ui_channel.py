"""Channel for lines between a session in its own thread and the screen that shows it.

It implements the terminal interface of a session: the session writes, and blocks until a line is typed. While it
blocks the game is suspended and other threads may read it (`suspend_game`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from threading import RLock, Thread
from typing import Protocol

from interpreter.play.lines import Screen, TextLine, format_terminal_line, format_terminal_prompt


class SessionStopped(Exception):  # noqa: N818 - control flow
    """Exception that ends the session's thread when the screen has been closed."""


class UiPort(Protocol):
    """Protocol of the screen as a channel sees it. Called from the session's thread; calls return without blocking."""

    def show_lines(self, lines: Sequence[str]) -> None:
        """Show lines that the session has written."""

    def clear(self) -> None:
        """Clear all lines."""

    def ask(self, prompt: str, words: Sequence[str], is_suspended: bool) -> None:
        """Show a prompt with the words offered for completion.

        `is_suspended` is True if the game is suspended meanwhile and can be read.
        """

    def wait(self, text: str) -> None:
        """Show `text`, which says that a bot is thinking; '' when it has finished."""

    def get_panel_width(self) -> int:
        """Return the number of cells of a line."""


class UiChannel:
    """Replacement for a session's terminal.

    Output before `open` is buffered and shown then. After `close` a running session is stopped by SessionStopped, and
    after `leave` output goes to the plain terminal again.
    """

    def __init__(self, plain: Screen) -> None:
        self._plain = plain
        self._port: UiPort | None = None
        self._kept: list[str] = []
        self._typed: SimpleQueue[str | None] = SimpleQueue()
        self._still = RLock()
        self._is_closed = self._is_after = False
        self._offered: tuple[str, ...] = ()
        self.always: Sequence[str] = ()  # words that can be completed everywhere

    # --- called by the screen ---------------------------------------------------------------

    def open(self, port: UiPort) -> None:
        """Show output on the screen from now on."""
        self._port = port
        if self._kept:
            port.show_lines(self._kept)
            self._kept = []

    def type(self, line: str) -> None:
        """Pass a typed line to the session."""
        self._typed.put(line)

    def close(self) -> None:
        """End the input: a waiting session reads None, a running one is stopped."""
        self._is_closed = True
        self._typed.put(None)

    def leave(self) -> None:
        """Switch back to the plain terminal after the screen has closed."""
        self._port, self._is_after = None, True

    @contextmanager
    def hold_lock(self) -> Iterator[None]:
        """Hold the game's lock for the whole session; `read` releases it while waiting for input."""
        with self._still:
            yield

    @contextmanager
    def suspend_game(self, patience: float = 0.0) -> Iterator[bool]:
        """Suspend the game for the duration of the block; yield False if it is busy.

        `patience` is the number of seconds to wait for the session to pause.
        """
        got = self._still.acquire(timeout=patience) if patience else self._still.acquire(blocking=False)
        try:
            yield got
        finally:
            if got:
                self._still.release()

    def report_problem(self, text: str) -> None:
        """Report a problem outside the game, such as a failed save."""
        if self._port is not None and not self._is_closed:
            self._port.show_lines([format_terminal_line(text)])
        else:
            self._plain.write([text])

    # --- called by the session --------------------------------------------------------------

    def write(self, lines: Iterable[TextLine]) -> None:
        """Show lines. Raises SessionStopped if the screen was closed."""
        terminal_lines = [format_terminal_line(line) for line in lines]
        if self._is_after:
            self._plain.write(terminal_lines)
        elif self._port is None:
            self._kept += terminal_lines
        elif self._is_closed:
            raise SessionStopped
        else:
            self._port.show_lines(terminal_lines)

    def clear(self) -> None:
        """Clear the screen."""
        if self._port is not None:
            self._port.clear()
        else:
            self._plain.clear()

    def width(self) -> int:
        """Return the number of cells of a line."""
        return self._port.get_panel_width() if self._port is not None else self._plain.width()

    def offer(self, words: Sequence[str]) -> None:
        """Set the words that can be completed in the next line."""
        self._offered = tuple(words)

    def read(self, prompt: str) -> str | None:
        """Return the next line typed, or None when the screen has been closed."""
        if self._port is None:
            self._plain.write(self._kept)
            self._kept = []
            return None if self._is_closed else self._plain.read(prompt)
        self._port.ask(format_terminal_prompt(prompt), (*self._offered, *self.always), is_suspended=True)
        self._still.release()
        try:
            return self._typed.get()
        finally:
            self._still.acquire()

    def read_beside(self, prompt: str) -> str | None:
        """Return the next line typed while a choice is being carried out; None when the screen has been closed.

        The game's lock stays held.
        """
        if self._port is None:
            return self.read(prompt)
        self._port.ask(format_terminal_prompt(prompt), (), is_suspended=False)
        return self._typed.get()

    @contextmanager
    def show_progress(self, text: str) -> Iterator[None]:
        """Show that a bot is thinking. Raises SessionStopped if the screen was closed meanwhile."""
        port = self._port
        if port is None:
            with self._plain.show_progress(text):
                yield
            return
        if self._is_closed:
            raise SessionStopped
        port.wait(text)
        yield
        port.wait("")
        if self._is_closed:
            raise SessionStopped


@dataclass(frozen=True, slots=True)
class SideOutput:
    """A view of a UiChannel for questions in the middle of a choice, such as dice rolled at a table."""

    channel: UiChannel

    def write(self, lines: Iterable[TextLine]) -> None:
        """Show lines."""
        self.channel.write(lines)

    def read(self, prompt: str) -> str | None:
        """Return the next line typed; None when the screen has been closed."""
        return self.channel.read_beside(prompt)


def start_session_thread(play: Callable[[], bool], channel: UiChannel, ended: Callable[[], None]) -> SessionResult:
    """Run `play` in a daemon thread with the game's lock; call `ended` there when the session is over.

    The result is filled in by the thread.
    """
    result = SessionResult()

    def run() -> None:
        with channel.hold_lock():
            try:
                result.is_over = play()
            except SessionStopped:
                pass
            except BaseException as fault:  # re-raised in the main thread by play_on_screen
                result.fault = fault
        ended()

    result.thread = Thread(target=run, name="session", daemon=True)
    result.thread.start()
    return result


class SessionResult:
    """The result of a session: whether the game is over, and the error that ended it, if any."""

    __slots__ = ("fault", "is_over", "thread")

    def __init__(self) -> None:
        self.is_over = False
        self.fault: BaseException | None = None
        self.thread: Thread | None = None

    def join(self, patience: float) -> bool:
        """Wait for the session to end; return False if it is still running after `patience` seconds."""
        if self.thread is None:
            return True
        self.thread.join(patience)
        return not self.thread.is_alive()
