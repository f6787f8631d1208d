"""What errands and questions need of the sitting that they are asked in. Holds no logic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from interpreter.facade.keeping import Keeper
from interpreter.faces.terminal.inquiries import Inquiries, Sheets
from interpreter.faces.terminal.screen import Screen
from interpreter.play.session import Game
from interpreter.players.bots.roster import Bot
from interpreter.players.orders.lexicon import Lexicon
from interpreter.players.orders.matching import Choosable
from interpreter.players.orders.menus import Menu
from interpreter.players.telling.happenings import Teller
from interpreter.players.telling.position import Standing
from interpreter.players.telling.vocabulary import Words


@dataclass(slots=True)
class Branches:
    """Marks by name (with the moment they are of), and what a sitting goes back to while something is tried.

    `left` is None where nothing is tried; `made` counts the copies.
    """

    marks: dict[str, tuple[str, Game]] = field(default_factory=dict)
    left: tuple[Game, Keeper, Mapping[str, Bot]] | None = None
    made: int = 0


class Sitting(Protocol):
    """A game at a terminal, as far as its errands go."""

    game: Game
    words: Words
    screen: Screen
    keeper: Keeper
    teller: Teller
    bots: Mapping[str, Bot]
    told: int
    shown: tuple[int, str | None] | None
    building: bool
    menu: Menu
    waiting: list[str]
    typed_ahead: str | None
    way_taken: tuple[int, int, str]
    standing: Standing | None
    inquiries: Inquiries | None
    sheets: Sheets
    branches: Branches
    is_brief: bool
    unbriefed: list[str]

    @property
    def tells_all(self) -> bool:
        """True where what bots do is told in full."""

    def put_right(self, text: str) -> str:
        """What was typed without its slips of the finger; '' where there are none, or nobody can tell."""

    def words_here(self) -> Lexicon:
        """What things may be called in this position."""

    def order(self, order: Choosable) -> Follows:
        """Carry out a choice, or a way of several."""

    def refuse(self, lines: list[str]) -> Follows:
        """Say why something is not done."""

    def only_looking(self) -> Follows:
        """Say that this game may only be looked at."""

    def show_menu(self, menu: Menu) -> None:
        """Ask what stands in a menu."""

    def leave_out(self) -> None:
        """Drop what was typed further on."""

    def is_bots_turn(self) -> bool:
        """True when a bot decides."""


class Follows(Enum):
    """What comes after something typed: it was an answer, ask on, the game has changed, or the end."""

    ANSWER = auto()
    ASK = auto()
    MOVED = auto()
    STOP = auto()
