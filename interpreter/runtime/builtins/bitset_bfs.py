"""Places as bits of a whole number, and searches that go ring by ring over all of them at once.

Bit `p` stands for the place with handle `p`. Which steps are open is told by `Moves`: pairs of places that lie equally
far apart by handle are one shift. Must not know why a step is open.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

MOST_STRIDES = 24  # more are slower than going place by place


@dataclass(frozen=True, slots=True)
class Moves:
    """Open steps: `up` and `down` are (distance, places it may be made from); or `rows` the goals of each place."""

    up: tuple[tuple[int, int], ...]
    down: tuple[tuple[int, int], ...]
    rows: dict[int, int] | None = None

    def onward(self, ring: int) -> int:
        """The places one step away from a set of places."""
        found = 0
        if self.rows is not None:
            while ring:
                lowest = ring & -ring
                found |= self.rows.get(lowest, 0)
                ring ^= lowest
            return found
        for far, mask in self.up:
            found |= (ring & mask) << far
        for far, mask in self.down:
            found |= (ring & mask) >> far
        return found


def moves_of(pairs: Iterable[tuple[int, int]]) -> Moves:
    """The steps from the first to the second of each pair.

    >>> moves_of([(0, 1), (1, 2), (2, 0)]).onward(0b011)
    6
    """
    by_distance: dict[int, list[int]] = {}
    for here, there in pairs:
        by_distance.setdefault(there - here, []).append(here)
    if len(by_distance) > MOST_STRIDES:
        rows: dict[int, int] = {}
        for far, places in by_distance.items():
            for here in places:
                rows[1 << here] = rows.get(1 << here, 0) | 1 << here + far
        return Moves((), (), rows)
    masks = {far: bits_of(places) for far, places in by_distance.items()}
    up = tuple((far, mask) for far, mask in sorted(masks.items()) if far >= 0)
    return Moves(up, tuple((-far, mask) for far, mask in sorted(masks.items()) if far < 0))


def bits_of(places: Iterable[int]) -> int:
    """A set of places as bits.

    >>> bits_of((0, 3))
    9
    """
    found = 0
    for place in places:
        found |= 1 << place
    return found


def places_of(bits: int) -> tuple[int, ...]:
    """The places of a set, in the order of their handles.

    >>> places_of(9)
    (0, 3)
    """
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(found)


def flood(kept: list[Any], goal: int, most: Any) -> list[int]:
    """The rings of a search: all that is found in so many steps; it goes on until it has a goal or has made `most`.

    `kept` holds the rings, the newest places, the moves, further steps as pairs of bits, what may be entered, and left.
    """
    rings, ring, moves, further, entered, left = kept
    found = rings[-1]
    while ring and not found & goal and (most is None or len(rings) <= most):
        going = ring & left
        onward = moves.onward(going)
        for here, there in further:
            if going & here:
                onward |= there
        ring = onward & entered & ~found
        if ring:
            found |= ring
            rings.append(found)
    kept[1] = ring
    return rings  # type: ignore[no-any-return]
