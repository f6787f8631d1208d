"""Designs: which combinations of values are played. All of them, a sample of them, or each change by itself.

A point is told by what it changes, so that the same point is the same in every run. Must not play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from interpreter.lab.sweeping.factors import Factor
from interpreter.simulation.seeds import derive_seed

FULL, SAMPLE, ALONE = "full", "sample", "alone"
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
    """So many points in which the values of each factor are as evenly spread as can be; all where there are no more."""
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
    return Design(SAMPLE, factors, tuple(sorted(points)), whole)


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
