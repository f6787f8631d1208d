"""All outcomes of one roll, with the number of ways each can fall. Must not know any rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from math import factorial

Faces = tuple[int, ...]


def pool_outcomes(faces: Faces, count: int) -> Iterator[tuple[Faces, int]]:
    """What `count` dice can show, as (faces low to high, ways); the ways add up to len(faces) ** count.

    A pool is a multiset: 24 six-sided dice have 118,755 outcomes, not 6 ** 24.

    >>> list(pool_outcomes((1, 2), 2))
    [((1, 1), 1), ((1, 2), 2), ((2, 2), 1)]
    """
    repeats = Counter(faces)
    for outcome in combinations_with_replacement(sorted(repeats), count):
        ways = factorial(count)
        for face, times in Counter(outcome).items():
            ways = ways // factorial(times) * repeats[face] ** times
        yield outcome, ways


def sequence_outcomes(faces: Faces, count: int) -> Iterator[tuple[Faces, int]]:
    """As `pool_outcomes`, where it matters which die shows what: len(set(faces)) ** count outcomes."""
    repeats = Counter(faces)
    for outcome in product(sorted(repeats), repeat=count):
        ways = 1
        for face in outcome:
            ways *= repeats[face]
        yield outcome, ways
