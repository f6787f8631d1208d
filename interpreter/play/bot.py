"""The interface of a bot, a program that decides for a seat."""

from __future__ import annotations

from typing import Protocol

from interpreter.play.game import Game


class Bot(Protocol):
    """A program that decides for a seat.

    With the attribute `plays_native` set, it also decides in games inside WebAssembly.
    """

    def choose(self, game: Game) -> int:
        """Return the number (from 0) of one of `game.count()` options. Does not change the game."""
