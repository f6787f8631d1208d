"""Enumerate the outcomes of a suspended roll, draw or decision, each with its number of ways.

Never runs rules, except to list options. `outcome_graph` enumerates the positions that these outcomes lead to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, perm
from typing import Any, TypeAlias

from interpreter.runtime.decisions import Decision
from interpreter.runtime.drafts import to_answer
from interpreter.runtime.pending import PendingChance
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Value, Values, handle_of

CLOSE = "close"  # first item of `pending` when an option of a choice row has finished
_MAX_SUMS = 1_000_000  # sums of dice made on the way to those of a pool
_MAX_ORDERED_DICE = 100  # dice in order beyond which the number of outcomes is not even computed
Readings: TypeAlias = Sequence[Sequence[Any]]  # what each reading uses of every face of a die
Faces = tuple[int, ...]


class TooManyOutcomesError(Exception):
    """Raised for a resolution with more positions, or a decision with more finished drafts, than the limit allows."""


def iter_outcomes(pending: PendingChance, most: int) -> Iterator[tuple[Values, int]]:
    """Yield (values, number of ways) for each outcome of a roll or draw.

    Raises TooManyOutcomesError for more than `most` outcomes.
    """
    source, count, is_ordered = pending.source, pending.amount, pending.is_ordered
    if pending.sort == "draw":
        number = min(count, len(source))
        _require_few(perm(len(source), number) if is_ordered else comb(len(source), number), most)
        for members in (permutations if is_ordered else combinations)(source, number):
            yield members, 1
        return
    numbers = tuple([handle_of(face) for face in source])
    read = _compute_readings_or_none(pending.signature)
    faces = _merge_equal_faces(numbers, read)
    kinds = len(set(faces))
    if is_ordered and count > 1:
        _require_few(kinds**count if count < _MAX_ORDERED_DICE else most + 1, most)
        yield from iter_sequence_outcomes(faces, count)
    elif pending.is_summed and read is not None and (counted := _list_summed_numbers(read, len(source))) is not None:
        yield from iter_summed_outcomes(numbers, counted, count, most)
    else:
        _require_few(comb(kinds + count - 1, count), most)
        yield from iter_pool_outcomes(faces, count)


def _require_few(ways: int, most: int) -> None:
    """Raise TooManyOutcomesError if there are more than `most` outcomes, before any is generated."""
    if ways > most:
        raise TooManyOutcomesError


def _compute_readings_or_none(signs: Callable[[], Readings] | None) -> Readings | None:
    """Return, for each expression of the rules that reads a die, its value for each face.

    `signs`: computes these values; return None if it fails or is None.
    """
    try:
        return None if signs is None else signs()
    except Exception:
        return None


def _list_summed_numbers(read: Readings, faces: int) -> list[tuple[Any, ...]] | None:
    """Return for each of the `faces` faces the numbers that a pool sums, or None if a value is not a number.

    For each reading in `read` these are 1 or 0 for whether the face passes its test, then the values that it uses of
    the face.
    """
    numbers = []
    for n in range(faces):
        row: list[Any] = []
        for place in read:
            width = max((len(sign) for sign in place if sign is not None), default=0)
            sign = place[n]
            row += [0] * (width + 1) if sign is None else [1, *sign]
        if not all(isinstance(value, int | Fraction) for value in row):
            return None
        numbers.append(tuple(row))
    return numbers


def _merge_equal_faces(faces: tuple[int, ...], read: Readings | None) -> tuple[int, ...]:
    """Return the faces of a die with each face replaced by the first face from which the rules read the same values.

    `read`: what the rules read of each face; None keeps every face distinct.
    """
    if read is None:
        return faces
    first: dict[tuple[Hashable, ...], int] = {}
    return tuple(first.setdefault(tuple(s[n] for s in read), face) for n, face in enumerate(faces))


def iter_answers(state: State) -> Iterator[Value]:
    """Yield the answer that the machine accepts for each option of the pending decision.

    Raises TooManyOutcomesError for a draft with too many ends.
    """
    decision = Decision(state)
    if decision.is_draft and not decision.find_draft_ends().complete:
        raise TooManyOutcomesError
    for raw in decision.list_raw_options():
        yield to_answer(state, raw)


def iter_pool_outcomes(faces: Faces, count: int) -> Iterator[tuple[Faces, int]]:
    """Yield outcomes of `count` dice as (faces in ascending order, ways); the ways add up to len(faces) ** count.

    A pool is a multiset: 24 six-sided dice have 118,755 outcomes, not 6 ** 24.

    >>> list(iter_pool_outcomes((1, 2), 2))
    [((1, 1), 1), ((1, 2), 2), ((2, 2), 1)]
    """
    repeats = Counter(faces)
    for outcome in combinations_with_replacement(sorted(repeats), count):
        ways, remaining = 1, count
        for face, times in Counter(outcome).items():
            ways *= comb(remaining, times) * repeats[face] ** times
            remaining -= times
        yield outcome, ways


def iter_summed_outcomes(
    faces: Faces, counted: Sequence[tuple[Any, ...]], count: int, most: int
) -> Iterator[tuple[Faces, int]]:
    """Yield one pool (faces, ways) per distinct sum, if the rules read only sums over the dice.

    The distribution of a sum of independent dice by repeated convolution, in whole numbers. `counted`: for each face
    the numbers that are summed; `count`: the number of dice. Raises TooManyOutcomesError if there are more than `most`
    sums, or if it takes too much work.

    >>> list(iter_summed_outcomes((1, 2, 3), [(1,), (2,), (3,)], 2, 100))
    [((1, 1), 1), ((1, 2), 2), ((1, 3), 3), ((2, 3), 2), ((3, 3), 1)]
    """
    kinds: dict[tuple[Any, ...], tuple[int, int]] = {}  # by what is read of it: a face, and how many there are
    for face, row in zip(faces, counted, strict=True):
        first, repeats = kinds.get(row, (face, 0))
        kinds[row] = first, repeats + 1
    sums: dict[tuple[Any, ...], tuple[int, Any]] = {(0,) * len(counted[0]): (1, None)}  # ways, and one pool as a chain
    work = 0
    for _die in range(count):
        work += len(sums) * len(kinds)
        if len(sums) > most or work > _MAX_SUMS:
            raise TooManyOutcomesError
        further: dict[tuple[Any, ...], tuple[int, Any]] = {}
        for total, (ways, pool) in sums.items():
            for row, (face, repeats) in kinds.items():
                new = tuple([a + b for a, b in zip(total, row, strict=True)])
                known, example = further.get(new, (0, (face, pool)))
                further[new] = known + ways * repeats, example
        sums = further
    _require_few(len(sums), most)
    for ways, pool in sums.values():
        yield tuple(sorted(_iter_faces(pool))), ways


def _iter_faces(pool: tuple[int, Any] | None) -> Iterator[int]:
    while pool is not None:
        face, pool = pool
        yield face


def iter_sequence_outcomes(faces: Faces, count: int) -> Iterator[tuple[Faces, int]]:
    """Yield (faces, ways) for the outcomes of `count` dice whose order matters.

    There are len(set(faces)) ** count of them; a face that a die has several times adds ways.
    """
    repeats = Counter(faces)
    for outcome in product(sorted(repeats), repeat=count):
        ways = 1
        for face in outcome:
            ways *= repeats[face]
        yield outcome, ways
