"""What the sitting tells the application, and what an application shows. Must not show anything itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from textual.app import App
from textual.message import Message

from interpreter.play.game import Game
from interpreter.ui.tui.map.background_layer import BackgroundLayer
from interpreter.ui.tui.panel_texts import PanelSheets
from interpreter.view_model.records import DynamicView, StaticView
from interpreter.view_model.view_context import ViewContext

Heard = TypeVar("Heard", bound=Message)
Player = TypeVar("Player", bound=App[Any])


def while_shown(heed: Callable[[Player, Heard], None]) -> Callable[[Player, Heard], None]:
    """A message from another thread may come when the screen is being left: then it goes nowhere."""

    @wraps(heed)
    def heeded(app: Player, message: Heard) -> None:
        if app.is_running and app.query("#place"):
            heed(app, message)

    return heeded


@dataclass(frozen=True, slots=True)
class MessagePort:
    """What a screen shows: the stage and the still scene of its game, the game as it is now, sheets of others.

    `players`: who plays each seat, as journals name him.
    """

    stage: ViewContext
    still: StaticView
    game: Callable[[], Game]
    sheets: PanelSheets
    is_plain: bool = False
    players: Callable[[], Mapping[str, str]] = dict


class NewsMessage(Message):
    """The sitting has written lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.lines = tuple(lines)


class Cleared(Message):
    """What was said is to be taken away."""


class SceneMessage(Message):
    """The game stands like this now; `prompt` is '' while nothing can be typed, then `waiting` says why."""

    def __init__(
        self,
        moment: DynamicView,
        backdrop: BackgroundLayer,
        prompt: str = "",
        known: Sequence[str] = (),
        waiting: str = "",
    ) -> None:
        super().__init__()
        self.moment, self.backdrop, self.prompt, self.known, self.waiting = moment, backdrop, prompt, known, waiting


class BusyMessage(Message):
    """Somebody thinks; '' when he has done."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class QuestionMessage(Message):
    """Something is asked in the midst of a choice."""

    def __init__(self, prompt: str) -> None:
        super().__init__()
        self.prompt = prompt
