"""Messages from the session to the application, the port that posts them, and the data that the application shows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import App
from textual.message import Message

from interpreter.play.game import Game
from interpreter.queries.game_queries import GameQueries
from interpreter.runtime.machine import is_setting_up
from interpreter.ui.tui.map.background_layer import BackgroundLayer, build_background
from interpreter.view_model.dynamic_view import ViewBuilder, build_viewer
from interpreter.view_model.records import DynamicView, StaticView
from interpreter.view_model.view_context import ViewContext

if TYPE_CHECKING:
    from interpreter.ui.tui.app import Application
    from interpreter.ui.tui.play import PlayedSession

Received = TypeVar("Received", bound=Message)
Player = TypeVar("Player", bound=App[Any])


def ignore_while_closing(handle: Callable[[Player, Received], None]) -> Callable[[Player, Received], None]:
    """Decorate a message handler so that it ignores messages that arrive while the screen is closing.

    Messages come from another thread, so one can still be in the queue after the widgets are removed.
    """

    @wraps(handle)
    def handle_if_open(app: Player, message: Received) -> None:
        if app.is_running and app.query("#place"):
            handle(app, message)

    return handle_if_open


@dataclass(frozen=True, slots=True)
class MessagePort:
    """The data behind a screen: view context, static view, current game, and queries for the sheets.

    `is_plain`: ASCII only. `players` returns the player of each seat in journal notation, `bots` the seats that
    programs play; `lesson` returns what a lesson waits for: "read", "order", or "place" or "piece" to look at; ''
    outside of one.
    """

    context: ViewContext
    static_view: StaticView
    game: Callable[[], Game]
    queries: GameQueries
    is_plain: bool = False
    players: Callable[[], Mapping[str, str]] = dict
    bots: Callable[[], Collection[str]] = frozenset
    lesson: Callable[[], str] = str


@dataclass
class NewsMessage(Message):
    """Message with lines of output that the session has written."""

    lines: Sequence[str]


class Cleared(Message):
    """Message that requests that the output is cleared."""


@dataclass
class SceneMessage(Message):
    """Message with the position to show and the prompt for the player.

    `game_view`: the view of the position. `background`: the places and lines of the map below the pieces. `prompt`: ''
    while nothing can be typed; `waiting` then says why. `known`: the words that can be completed. `is_setup`: the game
    is being set up.
    """

    game_view: DynamicView
    background: BackgroundLayer
    prompt: str = ""
    known: Sequence[str] = ()
    waiting: str = ""
    is_setup: bool = False


@dataclass
class BusyMessage(Message):
    """Message that a bot is thinking; `text` is shown meanwhile, '' when the bot has finished."""

    text: str


@dataclass
class QuestionMessage(Message):
    """Message that the player has to answer a question in the middle of a choice; `prompt`: the question."""

    prompt: str


_PAUSE = 0.2  # seconds between two redraws while bots play


class ScreenPrompter:
    """A port that forwards the session's output and questions to the application, with a view of the position.

    Called from the session's thread.
    """

    def __init__(self, app: Application, session: PlayedSession, builder: ViewBuilder) -> None:
        self._app, self._session, self._builder = app, session, builder
        self._made: tuple[object, DynamicView] | None = None
        self._background: BackgroundLayer | None = None
        self._last = 0.0

    def show_lines(self, lines: Sequence[str]) -> None:
        """Forward lines of output to the application."""
        self._app.post_message(NewsMessage(lines))

    def clear(self) -> None:
        """Forward the request to clear the lines."""
        self._app.post_message(Cleared())

    def ask(self, prompt: str, words: Sequence[str], is_suspended: bool) -> None:
        """Forward a prompt with the words offered for completion.

        `is_suspended`: the game is suspended meanwhile and can be read; otherwise the earlier view is kept.
        """
        if is_suspended or self._made is None:
            self._post(prompt=prompt, known_words=words)
        else:
            self._app.post_message(QuestionMessage(prompt))

    def wait(self, text: str) -> None:
        """Forward `text`, which says that a bot is thinking, with a new view from time to time."""
        if text and monotonic() - self._last > _PAUSE:
            self._post(waiting=text)
            self._last = monotonic()
        else:
            self._app.post_message(BusyMessage(text))

    def get_panel_width(self) -> int:
        """Return the width of the talk panel in cells, at least 24."""
        width = self._app.size.width if self._app.panels.is_small else self._app.talk.size.width
        return max(24, width - 3)

    def end_session(self) -> None:
        """Handle the end of the session: keep the last view if the game is over, else exit."""
        if self._session.game.over:
            say = self._app.say
            self._post(waiting=say("the game is over; to quit, press Ctrl+Q"))
        else:
            self._app.call_later(self._app.exit)

    def _post(self, prompt: str = "", known_words: Sequence[str] = (), waiting: str = "") -> None:
        """Send the screen the current view, rebuilt if the position has changed, with the question to answer."""
        game = self._session.game
        position = (id(game), tuple(game.keys), len(game.state.draft or ()))
        if self._made is None or self._made[0] != position:
            version = "1" if self._made is None else str(int(self._made[1].version) + 1)
            game_view = self._builder.build_view(game, build_viewer(game, self._session.bots), version)
            self._made = position, game_view
            self._background = build_background(self._builder.context, game, self._background)
        assert self._background is not None
        is_setup = is_setting_up(game.state)
        self._app.post_message(SceneMessage(self._made[1], self._background, prompt, known_words, waiting, is_setup))
