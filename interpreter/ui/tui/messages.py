"""Messages from the session to the application, and the data that the application shows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from textual.app import App
from textual.message import Message

from interpreter.play.game import Game
from interpreter.queries.game_queries import GameQueries
from interpreter.ui.tui.map.background_layer import BackgroundLayer
from interpreter.view_model.records import DynamicView, StaticView
from interpreter.view_model.view_context import ViewContext

Heard = TypeVar("Heard", bound=Message)
Player = TypeVar("Player", bound=App[Any])


def ignore_while_closing(heed: Callable[[Player, Heard], None]) -> Callable[[Player, Heard], None]:
    """Decorate a message handler so that it ignores messages that arrive while the screen is closing.

    Messages come from another thread, so one can still be in the queue after the widgets are removed.
    """

    @wraps(heed)
    def heeded(app: Player, message: Heard) -> None:
        if app.is_running and app.query("#place"):
            heed(app, message)

    return heeded


@dataclass(frozen=True, slots=True)
class MessagePort:
    """The data behind a screen: view context, static view (`still`), current game, and queries for the sheets.

    `players` returns the player of each seat in journal notation, `bots` the seats that programs play;
    `lesson` returns what a lesson waits for: "read", "order", or "place" or "piece" to look at; '' outside of one.
    """

    context: ViewContext
    still: StaticView
    game: Callable[[], Game]
    queries: GameQueries
    is_plain: bool = False
    players: Callable[[], Mapping[str, str]] = dict
    bots: Callable[[], Collection[str]] = frozenset
    lesson: Callable[[], str] = str


class NewsMessage(Message):
    """Message with lines of output that the session has written."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.lines = tuple(lines)


class Cleared(Message):
    """Message that requests that the output is cleared."""


class SceneMessage(Message):
    """Message with the position to show and the prompt for the player.

    `view`: the position, kept as `moment`; `background`: the places and lines of the map below the pieces. `prompt`: ''
    while nothing can be typed; `waiting` then says why. `known`: the words that can be completed. `is_setup`: the game
    is being set up.
    """

    def __init__(
        self,
        view: DynamicView,
        background: BackgroundLayer,
        prompt: str = "",
        known: Sequence[str] = (),
        waiting: str = "",
        is_setup: bool = False,
    ) -> None:
        super().__init__()
        self.moment, self.background, self.prompt, self.known, self.waiting = view, background, prompt, known, waiting
        self.is_setup = is_setup


class BusyMessage(Message):
    """Message that a bot is thinking; `text` is shown meanwhile, '' when the bot has finished."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class QuestionMessage(Message):
    """Message that the player has to answer a question in the middle of a choice; `prompt`: the question."""

    def __init__(self, prompt: str) -> None:
        super().__init__()
        self.prompt = prompt
