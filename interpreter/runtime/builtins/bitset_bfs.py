"""Breadth-first search over sets of places stored as bits of an int.

Bit `p` represents the place with handle `p`. One step expands a whole ring of places at once. `Moves` holds the open
steps: all pairs with the same handle difference become one shift.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

MOST_STRIDES = 24  # with more distinct strides, successors per place are faster


@dataclass(frozen=True, slots=True)
class Moves:
    """The open steps of a search.

    `up` and `down` hold (shift distance, mask of places the step starts from); if `rows` is set, it maps each place's
    bit to the bits of its successors.
    """

    up: tuple[tuple[int, int], ...]
    down: tuple[tuple[int, int], ...]
    rows: dict[int, int] | None = None

    def one_step_from(self, ring: int) -> int:
        """Return the set of places one step away from a set of places."""
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
    """Build the steps from the first to the second place of each pair.

    >>> moves_of([(0, 1), (1, 2), (2, 0)]).one_step_from(0b011)
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
    """Return a set of places as bits.

    >>> bits_of((0, 3))
    9
    """
    found = 0
    for place in places:
        found |= 1 << place
    return found


def places_of(bits: int) -> tuple[int, ...]:
    """Return the places of a bit set in handle order.

    >>> places_of(9)
    (0, 3)
    """
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(found)


def flood(kept: list[Any], goal: int, most: int | None) -> list[int]:
    """Extend a breadth-first search until it reaches a goal or `most` rings; return its rings.

    Ring `n` is the set of all places reachable in at most `n` steps. `kept` is the resumable search: rings, newest
    places, moves, further steps as pairs of bits, places that may be entered, places that may be left.
    """
    rings, ring, moves, further, entered, left = kept
    found = rings[-1]
    while ring and not found & goal and (most is None or len(rings) <= most):
        going = ring & left
        onward = moves.one_step_from(going)
        for here, there in further:
            if going & here:
                onward |= there
        ring = onward & entered & ~found
        if ring:
            found |= ring
            rings.append(found)
    kept[1] = ring
    return rings  # type: ignore[no-any-return]
