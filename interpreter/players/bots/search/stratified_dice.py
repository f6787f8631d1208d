"""Stratified dice for trials that are compared: common random numbers, spread evenly over a series of trials.

A roll is identified by its name, its subject and how often it was made before. In the trials of one round (`number`)
it has the same faces, whatever else is rolled; over the rounds of a deal each part of the die comes up equally often
(Latin hypercube sampling). So few trials suffice to compare two options. Never used for a real game: single faces are
fair, but sequences of them are not independent.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from interpreter.runtime.dice import Faces

DEAL = 8  # rounds over which a die is dealt out

_PERSON = b"grognard deal 1"


class StratifiedDice:
    """Dice of one round; `seed` is that of all rounds, `counter` how many have fallen. Equal arguments fall alike."""

    __slots__ = ("_seed", "_deal", "_place", "_rolled", "counter")

    def __init__(self, seed: int, number: int) -> None:
        self._seed = seed
        self._deal, self._place = divmod(number, DEAL)
        self._rolled: dict[tuple[str, str], int] = {}
        self.counter = 0

    @property
    def deal(self) -> tuple[str, int]:
        """Return what the text of each digest of this deal begins with, and the number of the round within it."""
        return f"{self._seed} {self._deal} ", self._place

    def clone(self) -> StratifiedDice:
        """Return dice that continue with the same faces."""
        twin = StratifiedDice.__new__(StratifiedDice)
        twin._seed, twin._deal, twin._place, twin._rolled = self._seed, self._deal, self._place, dict(self._rolled)
        twin.counter = self.counter
        return twin

    def roll_faces(self, name: str, subject: str, faces: Faces, count: int) -> list[int]:
        """Return `count` faces of the die from stratified samples."""
        key = (name, subject)
        before = self._rolled.get(key, 0)
        self._rolled[key] = before + count
        self.counter += count
        place, sides = self._place, len(faces)
        return [
            faces[_parts(self._seed, self._deal, name, subject, nth)[place] * sides // (DEAL * 256)]
            for nth in range(before, before + count)
        ]


@lru_cache(maxsize=8192)
def _parts(seed: int, deal: int, name: str, subject: str, nth: int) -> tuple[int, ...]:
    """Return how a die falls in each round of a deal: a stratum for each round, and a place in it."""
    roll = f"{seed} {deal} {name}\n{subject}\n{nth}"
    digest = blake2b(roll.encode(), digest_size=2 * DEAL, person=_PERSON).digest()
    order = sorted(range(DEAL), key=lambda place: (digest[place], place))
    parts = [0] * DEAL
    for part, place in enumerate(order):
        parts[place] = part * 256 + digest[DEAL + place]
    return tuple(parts)
