"""What the sitting tells the application, and what an application shows. Must not show anything itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from textual.app import App
from textual.message import Message

from interpreter.faces.screen.cells.backdrop import Backdrop
from interpreter.faces.screen.panel_texts import Sheets
from interpreter.play.session import Game
from interpreter.scene.records import Moment, Still
from interpreter.scene.stage import Stage

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
class Theatre:
    """What a screen shows: the stage and the still scene of its game, the game as it is now, sheets of others.

    `players`: who plays each seat, as journals name him.
    """

    stage: Stage
    still: Still
    game: Callable[[], Game]
    sheets: Sheets
    is_plain: bool = False
    players: Callable[[], Mapping[str, str]] = dict


class News(Message):
    """The sitting has written lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.lines = tuple(lines)


class Cleared(Message):
    """What was said is to be taken away."""


class Scene(Message):
    """The game stands like this now; `prompt` is '' while nothing can be typed, then `waiting` says why."""

    def __init__(
        self, moment: Moment, backdrop: Backdrop, prompt: str = "", known: Sequence[str] = (), waiting: str = ""
    ) -> None:
        super().__init__()
        self.moment, self.backdrop, self.prompt, self.known, self.waiting = moment, backdrop, prompt, known, waiting


class Waiting(Message):
    """Somebody thinks; '' when he has done."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class Question(Message):
    """Something is asked in the midst of a choice."""

    def __init__(self, prompt: str) -> None:
        super().__init__()
        self.prompt = prompt
