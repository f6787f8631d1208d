"""A bot that takes every option with equal probability.

Its choices come from its own dice, so the game's dice do not depend on the bot.
"""

from __future__ import annotations

from interpreter.players.bots.bot_game import BotGame
from interpreter.runtime.dice import SeededDice


class RandomPlayer:
    """A player that chooses by seeded dice; equal seeds give equal choices. The first `used` bytes are skipped."""

    plays_native = True

    def __init__(self, seed: int, used: int = 0) -> None:
        self._dice = SeededDice(seed, used)

    @property
    def stream(self) -> tuple[int, int]:
        """Return the seed of the bot's dice and the number of bytes used, which determine its further choices."""
        return self._dice.seed, self._dice.counter

    def choose(self, game: BotGame) -> int:
        """Return a number from 0 to `game.count()` - 1."""
        return self._dice.roll(game.count())
