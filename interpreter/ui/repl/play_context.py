"""State that the services of the prompt share: the game, its players, its file, and the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from interpreter.api.autosave import Autosave
from interpreter.i18n.translator import Translator
from interpreter.play.bot import Bot
from interpreter.play.game import Game
from interpreter.play.lines import Screen, TextLine, remove_brackets
from interpreter.players.orders.name_index import NameIndex
from interpreter.queries.game_queries import GameQueries
from interpreter.runtime.localizer import Localizer


class CommandResult(Enum):
    """Effect of typed text.

    ANSWER: it is not a command, so it is read as an answer. ASK: the question is asked again. MOVED: the game has
    changed. STOP: the player stops.
    """

    ANSWER = auto()
    ASK = auto()
    MOVED = auto()
    STOP = auto()


@dataclass(slots=True)
class PlayContext:
    """The game at the prompt with everything it needs; `bots` by seat, people play all other seats.

    Trying a copy replaces the game, its bots and its file. `is_refused`: the last input was refused. `is_brief`: output
    is short, for listening: without citations, remarks in brackets and empty lines.
    """

    game: Game
    localizer: Localizer
    screen: Screen
    bots: Mapping[str, Bot]
    autosave: Autosave
    queries: GameQueries
    is_refused: bool = False
    is_brief: bool = False
    _name_index: NameIndex | None = None

    @property
    def name_index(self) -> NameIndex:
        """Return the index of names for the position in which the player was asked."""
        if self._name_index is None:
            self._name_index = NameIndex(self.game, self.localizer)
        return self._name_index

    def index_names(self) -> None:
        """Collect the names of the present position."""
        self._name_index = NameIndex(self.game, self.localizer)

    @property
    def say(self) -> Translator:
        """Return the translator of messages."""
        return self.localizer.say

    def write(self, *lines: TextLine) -> None:
        """Write lines to the screen, shortened if `is_brief`."""
        if self.is_brief:
            shortened = (shorten(line, self.localizer.names_with_brackets) for line in lines)
            lines = tuple(line for line in shortened if line.strip())
        self.screen.write(lines)

    def is_bots_turn(self) -> bool:
        """Return whether a bot decides next."""
        decision = self.game.decision
        return decision is not None and decision.seat in self.bots

    def refuse(self, *lines: TextLine) -> CommandResult:
        """Write why a command is refused, and return ASK."""
        self.is_refused = True
        self.write(*lines)
        return CommandResult.ASK

    def refuse_viewer(self) -> CommandResult:
        """Refuse a change of a read-only game: another program plays it, or its file is full."""
        say = self.localizer.say
        cure = (
            say("to make a copy, which may have room again: save FILE")
            if self.autosave.is_full
            else say(
                "to make a copy that you can play on with: save FILE; to take over the game, quit and resume "
                "it with --take-over"
            )
        )
        return self.refuse(
            say("you are only viewing this game: {problem}", problem=self.autosave.read_only_reason), cure
        )


def shorten(line: TextLine, names: Sequence[str]) -> str:
    """Return the text without mark, citations and the brackets of remarks; drawings and `names` keep all characters."""
    if isinstance(line, str):
        return remove_brackets(line, names)
    return str(line) if line.kind == "drawing" else remove_brackets(line.text, names)
