"""What errands and questions need of the sitting that they are asked in. Holds no logic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from interpreter.api.autosave import Autosave
from interpreter.play.game import Game
from interpreter.players.bots.registry import Bot
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.players.narration.localizer import Localizer
from interpreter.players.narration.position_lines import PositionText
from interpreter.players.orders.matching import Choosable
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.orders.option_tree import OptionTree
from interpreter.ui.repl.query_commands import QueryCommands, SheetProviders
from interpreter.ui.repl.terminal import Screen


@dataclass(slots=True)
class NamedPositions:
    """Marks by name (with the moment they are of), and what a sitting goes back to while something is tried.

    `left` is None where nothing is tried; `made` counts the copies.
    """

    marks: dict[str, tuple[str, Game]] = field(default_factory=dict)
    left: tuple[Game, Autosave, Mapping[str, Bot]] | None = None
    made: int = 0


class ReplProtocol(Protocol):
    """A game at a terminal, as far as its errands go."""

    game: Game
    words: Localizer
    screen: Screen
    keeper: Autosave
    teller: EventFormatter
    bots: Mapping[str, Bot]
    told: int
    shown: tuple[int, str | None] | None
    building: bool
    menu: OptionTree
    waiting: list[str]
    typed_ahead: str | None
    way_taken: tuple[int, int, str]
    standing: PositionText | None
    inquiries: QueryCommands | None
    sheets: SheetProviders
    branches: NamedPositions
    is_brief: bool
    unbriefed: list[str]

    @property
    def tells_all(self) -> bool:
        """True where what bots do is told in full."""

    def put_right(self, text: str) -> str:
        """What was typed without its slips of the finger; '' where there are none, or nobody can tell."""

    def words_here(self) -> NameIndex:
        """What things may be called in this position."""

    def order(self, order: Choosable) -> CommandResult:
        """Carry out a choice, or a way of several."""

    def refuse(self, lines: list[str]) -> CommandResult:
        """Say why something is not done."""

    def only_looking(self) -> CommandResult:
        """Say that this game may only be looked at."""

    def show_menu(self, menu: OptionTree) -> None:
        """Ask what stands in a menu."""

    def leave_out(self) -> None:
        """Drop what was typed further on."""

    def is_bots_turn(self) -> bool:
        """True when a bot decides."""


class CommandResult(Enum):
    """What comes after something typed: it was an answer, ask on, the game has changed, or the end."""

    ANSWER = auto()
    ASK = auto()
    MOVED = auto()
    STOP = auto()
