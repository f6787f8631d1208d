"""A sitting played on the whole screen: opened, connected, and left so that the terminal is whole.

Must not know a command line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from interpreter.diagnostics.terminal_text import is_terminal
from interpreter.i18n.translator import Message, mark as _
from interpreter.play.game import Game
from interpreter.ui.tui.ui_channel import SessionResult, UiChannel, in_thread
from interpreter.view_model.dynamic_view import ViewBuilder, watched_by
from interpreter.view_model.static_view import still_of
from interpreter.view_model.view_context import stage_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.api.autosave import Autosave
    from interpreter.api.rules import Rules
    from interpreter.ui.tui.app import Application
    from interpreter.ui.tui.map.background_layer import BackgroundLayer
    from interpreter.ui.tui.panel_texts import PanelSheets
    from interpreter.view_model.records import DynamicView

_PATIENCE = 3.0  # seconds that a bot is given to come to an end
_PAUSE = 0.2  # seconds between two pictures while bots play


class PlayedSession(Protocol):
    """A game that is played line by line, as far as the screen knows it."""

    @property
    def game(self) -> Game:
        """The game as it is now."""

    @property
    def bots(self) -> Mapping[str, object]:
        """The seats that programs play."""

    @property
    def keeper(self) -> Autosave:
        """What keeps the game, and knows who plays which seat."""


def is_installed() -> bool:
    """True where what draws the screen is there."""
    return find_spec("textual") is not None


def hindrance() -> Message | None:
    """Why there can be no full screen here; None where there can."""
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        return _("no full screen: this is no terminal; plain lines instead")
    if sys.platform != "win32" and not is_terminal(sys.stderr):  # there it is drawn
        return _("no full screen: it is drawn on the error output, which goes elsewhere (2>); plain lines instead")
    if os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return _(
            "no full screen: this terminal (TERM={name}) cannot move its cursor; plain lines instead",
            name=os.environ.get("TERM", ""),
        )
    return None


@dataclass(slots=True)
class ScreenOutput:
    """A sitting with its application, connected; `result` once it plays."""

    app: Application
    conversation: UiChannel
    result: SessionResult | None = None

    def close(self) -> None:
        """Let the sitting come to an end."""
        self.conversation.close()
        if self.result is not None:
            self.result.join(_PATIENCE)
        self.conversation.leave()


def showing(
    sitting: PlayedSession,
    rules: Rules,
    lang: str,
    sheets: PanelSheets,
    conversation: UiChannel,
    play: Callable[[], bool],
    is_plain: bool,
) -> ScreenOutput:
    """An application that plays a sitting, by `play`, in a thread as soon as it is on the screen."""
    from interpreter.ui.tui.app import Application
    from interpreter.ui.tui.messages import MessagePort

    stage = stage_of(rules, lang)
    theatre = MessagePort(stage, still_of(stage), lambda: sitting.game, sheets, is_plain, lambda: sitting.keeper.seats)
    app = Application(theatre, conversation)
    prompter, shown = ScreenPrompter(app, sitting, ViewBuilder(stage)), ScreenOutput(app, conversation)

    def begin() -> None:
        conversation.open(prompter)
        shown.result = in_thread(play, conversation, prompter.end)

    app.opened = begin
    return shown


def play_on_screen(shown: ScreenOutput) -> bool:
    """Play on the whole screen until the game is over (True) or the people stop (False).

    Raises what playing the sitting raises, and SystemExit where the program was told to end.
    """
    signals = _heed_signals(shown.app)
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
    """Tells the application what the sitting says and asks, with the scene as it is then. Called by the sitting."""

    def __init__(self, app: Application, sitting: PlayedSession, scenery: ViewBuilder) -> None:
        self._app, self._sitting, self._scenery = app, sitting, scenery
        self._made: tuple[object, DynamicView] | None = None
        self._backdrop: BackgroundLayer | None = None
        self._last = 0.0

    def show_lines(self, lines: Sequence[str]) -> None:
        """Pass lines on."""
        from interpreter.ui.tui.messages import NewsMessage

        self._app.post_message(NewsMessage(lines))

    def clear(self) -> None:
        """Pass on that the lines are to be taken away."""
        from interpreter.ui.tui.messages import Cleared

        self._app.post_message(Cleared())

    def ask(self, prompt: str, words: Sequence[str], stands: bool) -> None:
        """Pass on that something may be typed; in the midst of a choice with the picture before it."""
        from interpreter.ui.tui.messages import QuestionMessage

        if stands or self._made is None:
            self._post(prompt=prompt, known=words)
        else:
            self._app.post_message(QuestionMessage(prompt))

    def wait(self, text: str) -> None:
        """Pass on who thinks; now and then with a new picture."""
        from time import monotonic

        from interpreter.ui.tui.messages import BusyMessage

        if text and monotonic() - self._last > _PAUSE:
            self._post(waiting=text)
            self._last = monotonic()
        else:
            self._app.post_message(BusyMessage(text))

    def talk_width(self) -> int:
        """The width of the talk."""
        width = self._app.size.width if self._app.panels.is_small else self._app.talk.size.width
        return max(24, width - 3)

    def end(self) -> None:
        """The sitting is over: the last picture stays where a game has ended."""
        if self._sitting.game.over:
            say = self._app.say
            self._post(waiting=say("the game is over; Ctrl+Q leaves"))
        else:
            self._app.call_later(self._app.exit)

    def _post(self, prompt: str = "", known: Sequence[str] = (), waiting: str = "") -> None:
        from interpreter.ui.tui.map.background_layer import backdrop_of
        from interpreter.ui.tui.messages import SceneMessage

        game = self._sitting.game
        position = (id(game), tuple(game.keys), len(game.state.draft or ()))
        if self._made is None or self._made[0] != position:
            version = "1" if self._made is None else str(int(self._made[1].version) + 1)
            moment = self._scenery.moment(game, watched_by(game, self._sitting.bots), version)
            self._made = position, moment
            self._backdrop = backdrop_of(self._scenery.stage, game, self._backdrop)
        assert self._backdrop is not None
        self._app.post_message(SceneMessage(self._made[1], self._backdrop, prompt, known, waiting))


def _heed_signals(app: Application) -> list[int]:
    """Let the screen end well when the program is told to; the signals that came."""
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


def speaks_unicode() -> bool:
    """True where the output can show more than plain letters."""
    return "utf" in (getattr(sys.stdout, "encoding", "") or "").casefold()
