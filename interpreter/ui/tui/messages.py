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
    """The data behind a screen: view context, static view, current game and sheets.

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
    """The session has written lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.lines = tuple(lines)


class Cleared(Message):
    """Request to clear the output."""


class SceneMessage(Message):
    """The position to show, with a prompt.

    `prompt` is '' while nothing can be typed; `waiting` then says why.
    """

    def __init__(
        self,
        view: DynamicView,
        background: BackgroundLayer,
        prompt: str = "",
        known: Sequence[str] = (),
        waiting: str = "",
    ) -> None:
        super().__init__()
        self.moment, self.background, self.prompt, self.known, self.waiting = view, background, prompt, known, waiting


class BusyMessage(Message):
    """A bot is thinking; the text is '' when it has finished."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class QuestionMessage(Message):
    """A question is asked in the middle of a choice."""

    def __init__(self, prompt: str) -> None:
        super().__init__()
        self.prompt = prompt
