"""Recap on the map: step through what other seats have done since the player's last choice.

Positions are computed in a worker thread, one at a time, and posted to the application.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from textual.message import Message

from interpreter.play.game import Game
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.ui.tui.background_tasks import BackgroundTasks
from interpreter.ui.tui.map.background_layer import BackgroundLayer, build_background
from interpreter.ui.tui.panel_texts import render_card
from interpreter.view_model.answer_records import RecapItem
from interpreter.view_model.dynamic_view import ViewBuilder, Viewer, build_viewer
from interpreter.view_model.queries.card_queries import build_fight_card
from interpreter.view_model.queries.recap_queries import build_recap, render_choice
from interpreter.view_model.records import DynamicView
from interpreter.view_model.undo_info import restore_game_after


@dataclass(frozen=True, slots=True)
class RecapFrame:
    """One step of a recap: its number from 0 among `total`, the position after it, its places and its lines.

    `item`: the choice with its results; `game_view` and `background`: the view and the map background of the position.
    """

    number: int
    total: int
    item: RecapItem
    game_view: DynamicView
    background: BackgroundLayer
    places: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass
class RecapShown(Message):
    """Message with a frame to show; None if nothing has happened since the player's last choice."""

    frame: RecapFrame | None


class RecapPlayer:
    """State of the recap: `shown` is the step on the screen, or None if the recap is closed."""

    def __init__(self, tasks: BackgroundTasks) -> None:
        self.port, self._tasks = tasks.port, tasks
        self.shown: RecapFrame | None = None
        self._builder = ViewBuilder(self.port.context)

    @property
    def is_open(self) -> bool:
        """Return whether an earlier position is shown."""
        return self.shown is not None

    def open(self) -> None:
        """Show the first step."""
        self._show(0)

    def show_step(self, by: int) -> None:
        """Show another step, `by` steps from the shown one; stay at the first and last one."""
        if self.shown is not None:
            self._show(max(0, self.shown.number + by))

    def close(self) -> None:
        """Close the recap."""
        self.shown = None

    def _show(self, number: int) -> None:
        self._tasks.run("recap", lambda game: RecapShown(self._compute_frame(game, number)))

    def _compute_frame(self, game: Game, number: int) -> RecapFrame | None:
        """Compute step `number` of the recap, or the last one if it is too large; return None without steps."""
        context = self.port.context
        items = build_recap(context, game, build_viewer(game, self.port.bots()))
        if not items:
            return None
        number = min(number, len(items) - 1)
        item = items[number]
        past_game = restore_game_after(game, item.number)
        game_view = self._builder.build_view(past_game, Viewer(()), f"earlier-{item.number}")
        lines, places = [line.text for line in render_choice(context, game, item.number)], item.places
        if item.has_dice:
            with suppress(SetupError, RuleFault):  # without a card, the lines of the log describe the choice
                card = build_fight_card(context, game, item.number, item.number)
                lines, places = render_card(card, context.localizer), places or card.places
        background = build_background(context, past_game, None)
        return RecapFrame(number, len(items), item, game_view, background, places, tuple(lines))
