"""Interface between a session and the commands that run in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from interpreter.api.autosave import Autosave
from interpreter.play.game import Game
from interpreter.play.lines import TextLine
from interpreter.players.bots.registry import Bot
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.players.narration.localizer import Localizer
from interpreter.players.narration.position_lines import PositionText
from interpreter.players.orders.matching import Choosable
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.orders.option_tree import OptionTree
from interpreter.queries.game_queries import GameQueries
from interpreter.ui.repl.query_commands import QueryCommands
from interpreter.ui.repl.terminal import Screen


@dataclass(slots=True)
class NamedPositions:
    """Marked positions by name, and the suspended game while a copy is tried.

    `marks` maps a name to the heading of its moment and the game. `suspended` is None if no copy is being tried;
    `copies` counts the copies.
    """

    marks: dict[str, tuple[str, Game]] = field(default_factory=dict)
    suspended: tuple[Game, Autosave, Mapping[str, Bot]] | None = None
    copies: int = 0


class ReplProtocol(Protocol):
    """A session as commands see it."""

    game: Game
    words: Localizer
    screen: Screen
    autosave: Autosave
    event_formatter: EventFormatter
    bots: Mapping[str, Bot]
    log_position: int
    shown_decision: tuple[int, str | None] | None
    building: bool
    menu: OptionTree
    waiting: list[str]
    typed_ahead: str | None
    way_taken: tuple[int, int, str]
    last_position: PositionText | None
    query_commands: QueryCommands | None
    queries: GameQueries | None
    branches: NamedPositions
    is_brief: bool
    unbriefed: list[str]

    @property
    def tells_all(self) -> bool:
        """Return True if the bots' moves are reported in full."""

    def put_right(self, text: str) -> str:
        """Return the text with typing errors corrected, or '' if there are none or the correction is ambiguous."""

    def words_here(self) -> NameIndex:
        """Return the names that can be typed in this position."""

    def order(self, order: Choosable) -> CommandResult:
        """Carry out an option or a route."""

    def refuse(self, lines: Sequence[TextLine]) -> CommandResult:
        """Report why a command is refused."""

    def only_looking(self) -> CommandResult:
        """Refuse a change to a read-only game."""

    def show_menu(self, menu: OptionTree) -> None:
        """Show a menu and make it the current question."""

    def leave_out(self) -> None:
        """Discard the unread parts of the typed line."""

    def ask_again(self) -> None:
        """Show the pending question, or the text of a lesson's step, again."""

    def is_bots_turn(self) -> bool:
        """Return True if a bot decides next."""


class CommandResult(Enum):
    """The effect of typed text: not a command but an answer, ask again, game changed, or stop."""

    ANSWER = auto()
    ASK = auto()
    MOVED = auto()
    STOP = auto()
