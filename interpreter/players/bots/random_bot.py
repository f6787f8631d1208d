"""A bot that takes any option, each equally likely.

Its choices come from dice of their own: the game's dice fall the same whoever plays. Must not look
at the position.
"""

from __future__ import annotations

from interpreter.play.game import Game
from interpreter.runtime.dice import SeededDice


class RandomPlayer:
    """Chooses by seeded dice; equal seeds choose alike. `used` bytes of the stream are passed over."""

    def __init__(self, seed: int, used: int = 0) -> None:
        self._dice = SeededDice(seed, used)

    def choose(self, game: Game) -> int:
        """A number from 0 to `game.count()` - 1."""
        return self._dice.roll(game.count())
