"""Who can be asked to play a seat, and the bots of a game.

Must not know how a person is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Protocol

from interpreter.players.random_player import RandomPlayer
from interpreter.runtime.session import Game

HUMAN = "human"
BOTS = ("random",)

_PERSON = b"grognard bots 1"
_BYTES_PER_DECISION = 64  # far more of a bot's stream than one choice takes


class Bot(Protocol):
    """A program that decides for a seat."""

    def choose(self, game: Game) -> int:
        """The number (from 0) of one of `game.count()` options; leaves the game as it is."""
        ...


def make_bots(seats: Mapping[str, str], seed: int, decisions: int = 0) -> dict[str, Bot]:
    """The bots of a game with this seed, for the seats that bots play.

    `decisions` have been taken before: a game taken up again does not repeat its first choices.
    Seats that choose at random share one stream, so that a game is the same in every command.
    """
    chance = RandomPlayer(_bot_seed(seed), decisions * _BYTES_PER_DECISION)
    return {seat: chance for seat, player in seats.items() if player == "random"}


def _bot_seed(seed: int) -> int:
    """Another stream than that of the game's dice."""
    digest = blake2b(str(seed).encode("ascii"), digest_size=8, person=_PERSON).digest()
    return int.from_bytes(digest, "little")
