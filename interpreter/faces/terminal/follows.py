"""What comes after something typed at the prompt."""

from __future__ import annotations

from enum import Enum, auto


class Follows(Enum):
    """What comes after something typed: it was an answer, ask on, the game has changed, or the end."""

    ANSWER = auto()
    ASK = auto()
    MOVED = auto()
    STOP = auto()
