"""Enumerate the outcomes of a suspended roll, draw or decision, each with its number of ways.

Never runs rules, except to list options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, permutations, product
from math import factorial

from interpreter.runtime.decisions import Decision
from interpreter.runtime.drafts import answer_of
from interpreter.runtime.pending import PendingChance
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Value, Values, handle_of

CHANCE = ("roll", "draw")  # first item of the state's `pending` when chance suspends
CLOSE = "close"  # first item of `pending` when an option of a choice row has finished


class TooManyOutcomesError(Exception):
    """A resolution with more positions, or a draft with more ends, than the limit allows."""


def iter_outcomes(pending: PendingChance) -> Iterator[tuple[Values, int]]:
    """Yield each outcome of a roll or draw with the number of ways it can occur."""
    source, count, is_ordered = pending.source, pending.amount, pending.is_ordered
    if pending.sort == "draw":
        number = min(count, len(source))
        for drawn in (permutations if is_ordered else combinations)(source, number):
            yield drawn, 1
        return
    faces = _merge_equal_faces(tuple([handle_of(face) for face in source]), pending.signature)
    yield from (iter_sequence_outcomes if is_ordered and count > 1 else iter_pool_outcomes)(faces, count)


def _merge_equal_faces(
    faces: tuple[int, ...], signs: Callable[[], Sequence[Sequence[Hashable]]] | None
) -> tuple[int, ...]:
    """Return the die with all faces that the rules read alike replaced by one of them.

    Keeps every face distinct if that cannot be evaluated beforehand.
    """
    try:
        read = None if signs is None else signs()
    except Exception:
        read = None
    if read is None:
        return faces
    first: dict[tuple[Hashable, ...], int] = {}
    return tuple(first.setdefault(tuple(s[n] for s in read), face) for n, face in enumerate(faces))


def iter_answers(state: State) -> Iterator[Value]:
    """Yield the answer that the machine accepts for each option of the pending decision.

    Raises TooManyOutcomesError for a draft with too many ends.
    """
    decision = Decision(state)
    if decision.is_draft and not decision.drafted().complete:
        raise TooManyOutcomesError
    for raw in decision.raw_options():
        yield answer_of(state, raw)


Faces = tuple[int, ...]


def iter_pool_outcomes(faces: Faces, count: int) -> Iterator[tuple[Faces, int]]:
    """Yield outcomes of `count` dice as (faces in ascending order, ways); the ways add up to len(faces) ** count.

    A pool is a multiset: 24 six-sided dice have 118,755 outcomes, not 6 ** 24.

    >>> list(iter_pool_outcomes((1, 2), 2))
    [((1, 1), 1), ((1, 2), 2), ((2, 2), 1)]
    """
    repeats = Counter(faces)
    for outcome in combinations_with_replacement(sorted(repeats), count):
        ways = factorial(count)
        for face, times in Counter(outcome).items():
            ways = ways // factorial(times) * repeats[face] ** times
        yield outcome, ways


def iter_sequence_outcomes(faces: Faces, count: int) -> Iterator[tuple[Faces, int]]:
    """Yield outcomes of dice whose order matters, with their ways: len(set(faces)) ** count outcomes."""
    repeats = Counter(faces)
    for outcome in product(sorted(repeats), repeat=count):
        ways = 1
        for face in outcome:
            ways *= repeats[face]
        yield outcome, ways
