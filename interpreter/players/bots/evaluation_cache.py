"""Reuse memoized values of the previous position in the next one.

The game itself drops its memo tables with each choice, so that a choice uses its budget the same way every time. A bot
keeps the tables whose inputs have not changed, and continues from the position that it predicted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.play.game import Game
from interpreter.players.bots.bot_game import BotGame
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.intrinsics import invalidate

if TYPE_CHECKING:
    from interpreter.runtime.state import State


class EvaluationCache:
    """The position evaluated last, with its memo tables."""

    def __init__(self) -> None:
        self._last: Game | None = None

    def brought_to(self, game: BotGame) -> BotGame:
        """Return a copy of the game for lookahead only, with the memoized values that are still valid.

        A game inside WebAssembly manages its own memo tables.
        """
        if not isinstance(game, Game):
            return game.trial(SeededDice(0))
        last = self._last
        now = None if last is None else last.led_to(game.state)
        if now is None:
            now = game.trial(SeededDice(0))
            state = now.state
            if last is not None and last.program is game.program:
                memo = dict(state.memo)
                state.memo = last.state.memo.copy()
                _forget_changed(last.state, state)
                state.memo.update(memo)
        self._last = now
        return now


def _forget_changed(before: State, after: State) -> None:
    """Drop the values memoized in `after` that depend on a column in which the two states differ."""
    slots = (*type(after).columns, *type(after).game, "turn", "last_turn", "phase", "options", "scenario", "seat_of")
    there = ((slot, getattr(before, slot), getattr(after, slot)) for slot in slots)
    changed_slots = {slot for slot, one, other in there if one is not other and one != other}
    if before.at != after.at or before.occ != after.occ:
        changed_slots.add("at")
    invalidate(after, changed_slots)
