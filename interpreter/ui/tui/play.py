"""Full-screen play of a session: open and connect the screen, and restore the terminal at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from interpreter.diagnostics.terminal_text import is_terminal
from interpreter.i18n.translator import Message, mark as _
from interpreter.play.game import Game
from interpreter.runtime.machine import is_setting_up
from interpreter.ui.tui.ui_channel import SessionResult, UiChannel, start_session_thread
from interpreter.view_model.dynamic_view import ViewBuilder, viewer_of
from interpreter.view_model.static_view import build_static_view
from interpreter.view_model.view_context import build_view_context

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.api.autosave import Autosave
    from interpreter.api.rules import Rules
    from interpreter.queries.game_queries import GameQueries
    from interpreter.ui.tui.app import Application
    from interpreter.ui.tui.map.background_layer import BackgroundLayer
    from interpreter.view_model.records import DynamicView

_PATIENCE = 3.0  # seconds to wait for a bot to finish
_PAUSE = 0.2  # seconds between two redraws while bots play


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
    """A session connected to its application; `result` is set once it plays."""

    app: Application
    conversation: UiChannel
    result: SessionResult | None = None

    def close(self) -> None:
        """End the session, waiting a few seconds for its thread."""
        self.conversation.close()
        if self.result is not None:
            self.result.join(_PATIENCE)
        self.conversation.leave()


def connect_screen(
    sitting: PlayedSession,
    rules: Rules,
    lang: str,
    queries: GameQueries,
    conversation: UiChannel,
    play: Callable[[], bool],
    is_plain: bool,
) -> ScreenOutput:
    """Return an application that runs `play` in a thread as soon as it is on the screen.

    `sitting`: the session to show; `conversation`: the channel between session and screen; `is_plain`: ASCII only.
    """
    from interpreter.ui.tui.app import Application
    from interpreter.ui.tui.messages import MessagePort

    stage = build_view_context(rules, lang)
    theatre = MessagePort(
        stage,
        build_static_view(stage),
        lambda: sitting.game,
        queries,
        is_plain,
        lambda: sitting.autosave.seats,
        lambda: sitting.bots,
        lambda: sitting.lesson_wants,
    )
    app = Application(theatre, conversation)
    prompter, shown = ScreenPrompter(app, sitting, ViewBuilder(stage)), ScreenOutput(app, conversation)

    def begin() -> None:
        conversation.open(prompter)
        shown.result = start_session_thread(play, conversation, prompter.end)

    app.opened = begin
    return shown


def play_on_screen(shown: ScreenOutput) -> bool:
    """Play on the full screen until the game is over (True) or the player quits (False).

    Re-raises errors of the session; raises SystemExit if the process received a termination signal.
    """
    signals = _install_signal_handlers(shown.app)
    try:
        shown.app.run()
    finally:
        shown.close()
    if shown.app.return_code:
        raise RuntimeError("the full screen broke down")
    if shown.result is not None and shown.result.fault is not None:
        raise shown.result.fault
    if signals:
        raise SystemExit(128 + signals[0])
    return shown.result is not None and shown.result.is_over


class ScreenPrompter:
    """A port that forwards the session's output and questions to the application, with the view of that moment.

    Called from the session's thread.
    """

    def __init__(self, app: Application, sitting: PlayedSession, builder: ViewBuilder) -> None:
        self._app, self._sitting, self._builder = app, sitting, builder
        self._made: tuple[object, DynamicView] | None = None
        self._background: BackgroundLayer | None = None
        self._last = 0.0

    def show_lines(self, lines: Sequence[str]) -> None:
        """Forward lines of output to the application."""
        from interpreter.ui.tui.messages import NewsMessage

        self._app.post_message(NewsMessage(lines))

    def clear(self) -> None:
        """Forward the request to clear the lines."""
        from interpreter.ui.tui.messages import Cleared

        self._app.post_message(Cleared())

    def ask(self, prompt: str, words: Sequence[str], stands: bool) -> None:
        """Forward a prompt with the words offered for completion.

        `stands`: the game is suspended meanwhile and can be read; otherwise the view from before it is kept.
        """
        from interpreter.ui.tui.messages import QuestionMessage

        if stands or self._made is None:
            self._post(prompt=prompt, known=words)
        else:
            self._app.post_message(QuestionMessage(prompt))

    def wait(self, text: str) -> None:
        """Forward `text`, which says that a bot is thinking, with a new view from time to time."""
        from interpreter.ui.tui.messages import BusyMessage

        if text and monotonic() - self._last > _PAUSE:
            self._post(waiting=text)
            self._last = monotonic()
        else:
            self._app.post_message(BusyMessage(text))

    def talk_width(self) -> int:
        """Return the width of the talk panel in cells, at least 24."""
        width = self._app.size.width if self._app.panels.is_small else self._app.talk.size.width
        return max(24, width - 3)

    def end(self) -> None:
        """Handle the end of the session: keep the last view if the game is over, else exit."""
        if self._sitting.game.over:
            say = self._app.say
            self._post(waiting=say("the game is over; to quit, press Ctrl+Q"))
        else:
            self._app.call_later(self._app.exit)

    def _post(self, prompt: str = "", known: Sequence[str] = (), waiting: str = "") -> None:
        from interpreter.ui.tui.map.background_layer import build_background
        from interpreter.ui.tui.messages import SceneMessage

        game = self._sitting.game
        position = (id(game), tuple(game.keys), len(game.state.draft or ()))
        if self._made is None or self._made[0] != position:
            version = "1" if self._made is None else str(int(self._made[1].version) + 1)
            moment = self._builder.moment(game, viewer_of(game, self._sitting.bots), version)
            self._made = position, moment
            self._background = build_background(self._builder.context, game, self._background)
        assert self._background is not None
        is_setup = is_setting_up(game.state)
        self._app.post_message(SceneMessage(self._made[1], self._background, prompt, known, waiting, is_setup))


def _install_signal_handlers(app: Application) -> list[int]:
    """Exit the screen cleanly on SIGTERM or SIGHUP; return the list of received signals."""
    import asyncio
    import signal

    came: list[int] = []

    def end(number: int) -> None:
        came.append(number)
        app.exit()

    def heed() -> None:
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and sys.platform != "win32":
                loop.add_signal_handler(number, end, number)

    app.call_later(heed)
    return came


def is_unicode_output() -> bool:
    """Return True if the output encoding is a Unicode one."""
    return "utf" in (getattr(sys.stdout, "encoding", "") or "").casefold()
