"""What a text is read into first: tokens, and trees that the grammar makes of them. Must not say what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class Token(str):
    """A word of the text, with the offsets at which it begins and ends."""

    __slots__ = ("end", "start")
    start: int
    end: int


@dataclass(slots=True)
class Tree:
    """What a rule of the grammar, or one of its alternatives with a name, makes of its parts; None for those left out.

    `start` and `end` are -1 where nothing stands in it.
    """

    data: str
    children: list[Any]
    start: int
    end: int
