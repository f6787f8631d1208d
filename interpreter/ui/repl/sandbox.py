"""Sandbox play: named positions, and copies that leave the game and its file unchanged.

A copy has dice of its own, so trying reveals nothing about the game's dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field

from interpreter.api.autosave import Autosave
from interpreter.play.bot import Bot
from interpreter.play.game import Game
from interpreter.players.narration.position_lines import describe_moment
from interpreter.runtime.dice import SeededDice
from interpreter.ui.repl.option_menu import OptionMenu
from interpreter.ui.repl.order_taker import OrderTaker
from interpreter.ui.repl.play_context import CommandResult, PlayContext
from interpreter.ui.repl.reporter import Reporter

_SEED = 1  # dice seed of copies, incremented for each
_MAX_NAME_LENGTH = 40  # characters of a name


@dataclass(slots=True)
class Sandbox:
    """Service that replaces the game of the context by a copy, and restores it.

    `marks` holds, by name, a heading (turn and phase) and the game. `suspended` is the real game with its file and
    bots, None if no copy is being tried; `copies` counts the copies.
    """

    context: PlayContext
    menu: OptionMenu
    reporter: Reporter
    orders: OrderTaker
    marks: dict[str, tuple[str, Game]] = field(default_factory=dict)
    suspended: tuple[Game, Autosave, Mapping[str, Bot]] | None = None
    copies: int = 0

    def add_mark(self, name: str) -> CommandResult:
        """Store the present position under a name."""
        say = self.context.say
        if not name:
            return self.context.refuse(say("which name? Write: mark NAME"))
        self.marks[name[:_MAX_NAME_LENGTH].casefold()] = (self._render_heading(), self.context.game.clone())
        self.context.write(say("marked; `try {name}` continues from here later", name=name[:_MAX_NAME_LENGTH]))
        return CommandResult.ASK

    def has_mark(self, name: str) -> bool:
        """Return whether a position is stored under this name."""
        return name.casefold() in self.marks

    def render_marks(self) -> list[str]:
        """Return the marks with the headings of their moments, as lines."""
        localizer = self.context.localizer
        lines = ["  " + localizer.prefix_topic(name, when) for name, (when, _) in self.marks.items()]
        return lines or [localizer.say("no marks have been set yet; to set one: mark NAME")]

    def try_copy(self, name: str) -> CommandResult:
        """Continue on a copy of the present position, or of a marked one."""
        context, localizer = self.context, self.context.localizer
        say = localizer.say
        if name and not self.has_mark(name):
            return context.refuse(
                say("unknown mark `{name}`", name=name[:_MAX_NAME_LENGTH]) + localizer.format_hint(name, self.marks)
            )
        begun = self.marks[name.casefold()][1] if name else context.game
        if self.suspended is None:
            self.suspended = (context.game, context.autosave, context.bots)
        self.copies += 1
        copy = begun.clone()
        copy.state.dice = SeededDice(_SEED + self.copies)
        context.game, context.bots = copy, deepcopy(context.bots)
        context.autosave = Autosave(None, context.autosave.seats, context.autosave.complain, say=say)
        self._begin()
        context.write(
            say("what if: the game and its file do not change, and dice are rolled separately; `return` ends this")
        )
        return CommandResult.MOVED

    def return_to_game(self) -> CommandResult:
        """Return from a tried copy to the unchanged game."""
        context, say = self.context, self.context.say
        if self.suspended is None:
            return context.refuse(say("no trial is running; `try` starts one"))
        context.game, context.autosave, context.bots = self.suspended
        self.suspended = None
        self._begin()
        context.write(say("back in the game: {now}", now=self._render_heading()))
        return CommandResult.MOVED

    def _begin(self) -> None:
        """Prepare prompt and menu for another game: mark its events as reported, and forget the last route."""
        self.reporter.skip_news()
        self.orders.forget_route()
        self.menu.builds_draft = False

    def _render_heading(self) -> str:
        return describe_moment(self.context.game.view(), self.context.localizer)
