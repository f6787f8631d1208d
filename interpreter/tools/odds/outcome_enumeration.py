"""What can come of a suspended roll, draw or decision: every outcome, with the ways it can fall.

Must not run rules, but for asking what options there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations, product
from math import factorial
from typing import Any

from interpreter.runtime.decisions import Decision
from interpreter.runtime.drafts import answer_of

CHANCE = ("roll", "draw")  # what stands first in the state's `pending` where chance suspends
CLOSE = "close"  # what stands there where an option of a row of choices has done all it does


class TooManyOutcomesError(Exception):
    """There are more positions, or more ends of a draft, than will be looked at."""


def outcomes_of(pending: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], int]]:
    """What dice or a draw can show, with the number of ways each can fall.

    `pending` is ("roll" | "draw", name, kind, subject, faces or members, how many, what is read of each face or
    None, whether their order may matter).
    """
    sort, _, _, _, source, count, signs, is_ordered = pending
    if sort == "draw":
        number = min(count, len(source))
        for drawn in (permutations if is_ordered else combinations)(source, number):
            yield drawn, 1
        return
    faces = _told_apart(source, signs)
    yield from (sequence_outcomes if is_ordered and count > 1 else pool_outcomes)(faces, count)


def _told_apart(faces: tuple[int, ...], signs: Any) -> tuple[int, ...]:
    """The die with one face written for all that are read alike.

    What the rules cannot work out beforehand tells every face apart.
    """
    try:
        read = None if signs is None else signs()
    except Exception:
        read = None
    if read is None:
        return faces
    first: dict[Any, int] = {}
    return tuple(first.setdefault(tuple(s[n] for s in read), face) for n, face in enumerate(faces))


def answers_of(state: Any) -> Iterator[Any]:
    """What the machine takes as answers to the pending decision, one for each option; TooMany for a vast draft."""
    decision = Decision(state)
    if decision.is_draft and not decision.drafted().complete:
        raise TooManyOutcomesError
    for raw in decision.raw_options():
        yield answer_of(state, raw)


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
