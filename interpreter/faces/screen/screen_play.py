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

from interpreter.faces.screen.conversation import Conversation, Result, in_thread
from interpreter.play.session import Game
from interpreter.scene.moving_scene import Scenery, watched_by
from interpreter.scene.stage import stage_of
from interpreter.scene.still_scene import still_of
from interpreter.source.printing import is_terminal
from interpreter.words.speech import Sentence, mark as _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.facade.keeping import Keeper
    from interpreter.facade.rules import Rules
    from interpreter.faces.screen.cells.backdrop import Backdrop
    from interpreter.faces.screen.panel_texts import Sheets
    from interpreter.faces.screen.screen_app import Application
    from interpreter.scene.records import Moment

_PATIENCE = 3.0  # seconds that a bot is given to come to an end
_PAUSE = 0.2  # seconds between two pictures while bots play


class Sitting(Protocol):
    """A game that is played line by line, as far as the screen knows it."""

    @property
    def game(self) -> Game:
        """The game as it is now."""

    @property
    def bots(self) -> Mapping[str, object]:
        """The seats that programs play."""

    @property
    def keeper(self) -> Keeper:
        """What keeps the game, and knows who plays which seat."""


def is_installed() -> bool:
    """True where what draws the screen is there."""
    return find_spec("textual") is not None


def hindrance() -> Sentence | None:
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
class Showing:
    """A sitting with its application, connected; `result` once it plays."""

    app: Application
    conversation: Conversation
    result: Result | None = None

    def close(self) -> None:
        """Let the sitting come to an end."""
        self.conversation.close()
        if self.result is not None:
            self.result.join(_PATIENCE)
        self.conversation.leave()


def showing(
    sitting: Sitting,
    rules: Rules,
    lang: str,
    sheets: Sheets,
    conversation: Conversation,
    play: Callable[[], bool],
    is_plain: bool,
) -> Showing:
    """An application that plays a sitting, by `play`, in a thread as soon as it is on the screen."""
    from interpreter.faces.screen.screen_app import Application
    from interpreter.faces.screen.screen_messages import Theatre

    stage = stage_of(rules, lang)
    theatre = Theatre(stage, still_of(stage), lambda: sitting.game, sheets, is_plain, lambda: sitting.keeper.seats)
    app = Application(theatre, conversation)
    prompter, shown = Prompter(app, sitting, Scenery(stage)), Showing(app, conversation)

    def begin() -> None:
        conversation.open(prompter)
        shown.result = in_thread(play, conversation, prompter.end)

    app.opened = begin
    return shown


def play_on_screen(shown: Showing) -> bool:
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


class Prompter:
    """Tells the application what the sitting says and asks, with the scene as it is then. Called by the sitting."""

    def __init__(self, app: Application, sitting: Sitting, scenery: Scenery) -> None:
        self._app, self._sitting, self._scenery = app, sitting, scenery
        self._made: tuple[object, Moment] | None = None
        self._backdrop: Backdrop | None = None
        self._last = 0.0

    def show_lines(self, lines: Sequence[str]) -> None:
        """Pass lines on."""
        from interpreter.faces.screen.screen_messages import News

        self._app.post_message(News(lines))

    def clear(self) -> None:
        """Pass on that the lines are to be taken away."""
        from interpreter.faces.screen.screen_messages import Cleared

        self._app.post_message(Cleared())

    def ask(self, prompt: str, words: Sequence[str], stands: bool) -> None:
        """Pass on that something may be typed; in the midst of a choice with the picture before it."""
        from interpreter.faces.screen.screen_messages import Question

        if stands or self._made is None:
            self._post(prompt=prompt, known=words)
        else:
            self._app.post_message(Question(prompt))

    def wait(self, text: str) -> None:
        """Pass on who thinks; now and then with a new picture."""
        from time import monotonic

        from interpreter.faces.screen.screen_messages import Waiting

        if text and monotonic() - self._last > _PAUSE:
            self._post(waiting=text)
            self._last = monotonic()
        else:
            self._app.post_message(Waiting(text))

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
        from interpreter.faces.screen.cells.backdrop import backdrop_of
        from interpreter.faces.screen.screen_messages import Scene

        game = self._sitting.game
        position = (id(game), tuple(game.keys), len(game.state.draft or ()))
        if self._made is None or self._made[0] != position:
            version = "1" if self._made is None else str(int(self._made[1].version) + 1)
            moment = self._scenery.moment(game, watched_by(game, self._sitting.bots), version)
            self._made = position, moment
            self._backdrop = backdrop_of(self._scenery.stage, game, self._backdrop)
        assert self._backdrop is not None
        self._app.post_message(Scene(self._made[1], self._backdrop, prompt, known, waiting))


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
