"""Full-screen play of a session: open and connect the screen, and restore the terminal at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from interpreter.diagnostics.terminal_text import is_terminal
from interpreter.i18n.translator import Message, mark as _
from interpreter.play.game import Game
from interpreter.ui.tui.ui_channel import SessionResult, UiChannel, start_session_thread
from interpreter.view_model.dynamic_view import ViewBuilder
from interpreter.view_model.static_view import build_static_view
from interpreter.view_model.view_context import build_view_context

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.api.autosave import Autosave
    from interpreter.api.rules import Rules
    from interpreter.queries.game_queries import GameQueries
    from interpreter.ui.tui.app import Application

_PATIENCE = 3.0  # seconds to wait for a bot to finish


class PlayedSession(Protocol):
    """A game session as the screen sees it."""

    @property
    def game(self) -> Game:
        """Return the game in its current state."""

    @property
    def bots(self) -> Mapping[str, object]:
        """Return the seats that bots play."""

    @property
    def lesson_wants(self) -> str:
        """Return what a lesson waits for: "read", "order", or "place" or "piece" to look at; '' outside of one."""

    @property
    def autosave(self) -> Autosave:
        """Return the autosave, which also holds the players of the seats."""


def is_installed() -> bool:
    """Return True if Textual is installed."""
    return find_spec("textual") is not None


def find_obstacle() -> Message | None:
    """Return why the full screen cannot be used here, or None if it can."""
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        return _("no full screen: this is not a terminal; using plain lines instead")
    if sys.platform != "win32" and not is_terminal(sys.stderr):  # Textual draws on stderr
        return _("no full screen: the error output, which it uses, is redirected (2>); using plain lines instead")
    if os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return _(
            "no full screen: this terminal (TERM={name}) cannot move its cursor; using plain lines instead",
            name=os.environ.get("TERM", ""),
        )
    return None


@dataclass(slots=True)
class ScreenOutput:
    """A session connected to its application.

    `result`: the running session, to be joined when the application closes; None until play starts.
    """

    app: Application
    channel: UiChannel
    result: SessionResult | None = None

    def close(self) -> None:
        """End the session, waiting a few seconds for its thread."""
        self.channel.close()
        if self.result is not None:
            self.result.join(_PATIENCE)
        self.channel.leave()


def connect_screen(
    session: PlayedSession,
    rules: Rules,
    lang: str,
    queries: GameQueries,
    channel: UiChannel,
    play: Callable[[], bool],
    is_plain: bool,
) -> ScreenOutput:
    """Return an application that runs `play` in a thread as soon as it is on the screen.

    `channel`: the channel between session and screen; `is_plain`: ASCII only.
    """
    from interpreter.ui.tui.app import Application
    from interpreter.ui.tui.messages import MessagePort, ScreenPrompter

    context = build_view_context(rules, lang)
    port = MessagePort(
        context,
        build_static_view(context),
        lambda: session.game,
        queries,
        is_plain,
        lambda: session.autosave.seats,
        lambda: session.bots,
        lambda: session.lesson_wants,
    )
    app = Application(port, channel)
    prompter, output = ScreenPrompter(app, session, ViewBuilder(context)), ScreenOutput(app, channel)

    def begin() -> None:
        channel.open(prompter)
        output.result = start_session_thread(play, channel, prompter.end_session)

    app.start_session = begin
    return output


def play_on_screen(output: ScreenOutput) -> bool:
    """Play on the full screen until the game is over (True) or the player quits (False).

    Re-raises errors of the session; raises SystemExit if the process received a termination signal.
    """
    signals = _install_signal_handlers(output.app)
    try:
        output.app.run()
    finally:
        output.close()
    if output.app.return_code:
        raise RuntimeError("the full screen broke down")
    if output.result is not None and output.result.fault is not None:
        raise output.result.fault
    if signals:
        raise SystemExit(128 + signals[0])
    return output.result is not None and output.result.is_over


def _install_signal_handlers(app: Application) -> list[int]:
    """Exit the screen cleanly on SIGTERM or SIGHUP; return the list of received signals."""
    import asyncio
    import signal

    received: list[int] = []

    def handle_end(number: int) -> None:
        received.append(number)
        app.exit()

    def install() -> None:
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and sys.platform != "win32":
                loop.add_signal_handler(number, handle_end, number)

    app.call_later(install)
    return received


def is_unicode_output() -> bool:
    """Return True if the output encoding is a Unicode one."""
    return "utf" in (getattr(sys.stdout, "encoding", "") or "").casefold()
