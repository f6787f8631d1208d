"""Designs: which combinations of values are played. All of them, a sample of them, or each change by itself.

A point is told by what it changes, so that the same point is the same in every run. Must not play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

from interpreter.experiments.sweep.factors import Factor
from interpreter.simulation.seeds import derive_seed

FULL, SAMPLE, ALONE = "full", "sample", "alone"
_MOST_READ = 150_000  # points read while values of a sample are exchanged
Point = tuple[str, ...]  # a value for each factor, in their order


@dataclass(frozen=True, slots=True)
class Design:
    """The points, and how they were chosen; `possible` is how many a full design has."""

    sort: str
    factors: tuple[Factor, ...]
    points: tuple[Point, ...]
    possible: int

    def changes(self, point: Point) -> dict[str, str]:
        """What a point changes, by path; what is as it was is no change."""
        return {f.path: value for f, value in zip(self.factors, point, strict=True) if value != f.base}


def possible(factors: Sequence[Factor]) -> int:
    """How many points a full design has."""
    return prod(len(f.values) for f in factors)


def full(factors: tuple[Factor, ...]) -> Design:
    """Every combination."""
    return Design(FULL, factors, tuple(product(*(f.values for f in factors))), possible(factors))


def alone(factors: tuple[Factor, ...]) -> Design:
    """Nothing changed, and each value by itself; where it is not known what is unchanged, the first value is."""
    base = tuple(reference(f) for f in factors)
    points = {base: None}
    for n, factor in enumerate(factors):
        for value in factor.values:
            points[(*base[:n], value, *base[n + 1 :])] = None
    return Design(ALONE, factors, tuple(points), possible(factors))


def sample(factors: tuple[Factor, ...], count: int, seed: int) -> Design:
    """So many points in which the values of each factor are as evenly spread as can be; all where there are no more.

    Values change places until those of different factors go together as little as can be: so each effect is told from
    the others by fewer games.
    """
    whole = possible(factors)
    if count >= whole:
        return full(factors)
    points: dict[Point, None] = {}
    for attempt in range(100):
        for point in _spread(factors, count, derive_seed(seed, "design", attempt)):
            if len(points) < count:
                points[point] = None
        if len(points) == count:
            break
    return Design(SAMPLE, factors, tuple(sorted(_parted(list(points)))), whole)


def _parted(points: list[Point]) -> list[Point]:
    """The same values of each factor, dealt to the points so that factors go together less."""
    read, is_better = 0, True
    while is_better:
        is_better = False
        for n in range(len(points[0])):
            least = _togetherness(points, n)
            for i, j in combinations(range(len(points)), 2):
                if points[i][n] == points[j][n]:
                    continue
                if read > _MOST_READ:
                    return points
                read += len(points)
                changed = _exchanged(points, n, i, j)
                if len(set(changed)) == len(points) and (found := _togetherness(changed, n)) < least - 1e-9:
                    points, least, is_better = changed, found, True
    return points


def _exchanged(points: list[Point], n: int, i: int, j: int) -> list[Point]:
    one, other = points[i], points[j]
    changed = list(points)
    changed[i], changed[j] = (*one[:n], other[n], *one[n + 1 :]), (*other[:n], one[n], *other[n + 1 :])
    return changed


def _togetherness(points: Sequence[Point], n: int) -> float:
    """How much the values of one factor go with those of all others: squared correlations, summed."""
    columns = list(zip(*points, strict=True))
    held = [Counter(column) for column in columns]
    own, number, total = columns[n], len(points), 0.0
    for m, other in enumerate(columns):
        if m == n:
            continue
        both = Counter(zip(own, other, strict=True))
        for value, count in sorted(held[n].items()):
            for its, times in sorted(held[m].items()):
                if spread := count * (number - count) * times * (number - times):
                    total += (number * both[value, its] - count * times) ** 2 / spread
    return total


def _spread(factors: tuple[Factor, ...], count: int, seed: int) -> Iterator[Point]:
    columns = []
    for n, factor in enumerate(factors):
        column = [factor.values[i % len(factor.values)] for i in range(count)]
        order = sorted(range(count), key=lambda i, n=n: derive_seed(seed, n, i))  # type: ignore[misc]
        columns.append([column[i] for i in order])
    return zip(*columns, strict=True)


def reference(factor: Factor) -> str:
    """The value that others are compared with: the one that changes nothing where it is known, else the first."""
    if factor.base is not None:
        return factor.base
    return factor.values[0]
