"""Experimental designs: all combinations of values, a balanced sample of them, or one change at a time.

A point is identified by what it changes, so the same point has the same number in every run.
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
_MAX_READ = 150_000  # points read while values of a sample are exchanged
Point = tuple[str, ...]  # a value for each factor, in their order


@dataclass(frozen=True, slots=True)
class Design:
    """The points of an experimental design, and how they were chosen (`sort`).

    `possible`: the number of points of the full factorial design.
    """

    sort: str
    factors: tuple[Factor, ...]
    points: tuple[Point, ...]
    possible: int

    def list_changes(self, point: Point) -> dict[str, str]:
        """Return the changed values of a point by path; unchanged values are left out."""
        return {f.path: value for f, value in zip(self.factors, point, strict=True) if value != f.base}


def count_full_design(factors: Sequence[Factor]) -> int:
    """Return the number of points of the full factorial design."""
    return prod(len(f.values) for f in factors)


def build_full_design(factors: tuple[Factor, ...]) -> Design:
    """Return the full factorial design."""
    return Design(FULL, factors, tuple(product(*(f.values for f in factors))), count_full_design(factors))


def build_one_factor_design(factors: tuple[Factor, ...]) -> Design:
    """Return the one-factor-at-a-time design: the base point, and a point for each value that differs from it.

    A factor without a known base value uses its first value as the base.
    """
    base = tuple(get_reference_value(f) for f in factors)
    points = {base: None}
    for n, factor in enumerate(factors):
        for value in factor.values:
            points[(*base[:n], value, *base[n + 1 :])] = None
    return Design(ALONE, factors, tuple(points), count_full_design(factors))


def sample_design(factors: tuple[Factor, ...], count: int, seed: int) -> Design:
    """Return a balanced sample of `count` points, or the full design if it has no more.

    Values are swapped between points until those of different factors correlate as little as possible, so that effects
    can be separated with fewer games.
    """
    full_size = count_full_design(factors)
    if count >= full_size:
        return build_full_design(factors)
    points: dict[Point, None] = {}
    for attempt in range(100):
        for point in _iter_balanced_points(factors, count, derive_seed(seed, "design", attempt)):
            if len(points) < count:
                points[point] = None
        if len(points) == count:
            break
    return Design(SAMPLE, factors, tuple(sorted(_decorrelate(list(points)))), full_size)


def _decorrelate(points: list[Point]) -> list[Point]:
    """Return the points with the values of each factor rearranged to reduce correlation between factors."""
    points_read, is_better = 0, True
    while is_better:
        is_better = False
        for n in range(len(points[0])):
            least = _sum_squared_correlations(points, n)
            for i, j in combinations(range(len(points)), 2):
                if points[i][n] == points[j][n]:
                    continue
                if points_read > _MAX_READ:
                    return points
                points_read += len(points)
                changed = _exchange_values(points, n, i, j)
                if (
                    len(set(changed)) == len(points)
                    and (correlation := _sum_squared_correlations(changed, n)) < least - 1e-9
                ):
                    points, least, is_better = changed, correlation, True
    return points


def _exchange_values(points: list[Point], n: int, i: int, j: int) -> list[Point]:
    """Return the points with the values of factor `n` exchanged between the points `i` and `j`."""
    first, second = points[i], points[j]
    changed = list(points)
    changed[i], changed[j] = (*first[:n], second[n], *first[n + 1 :]), (*second[:n], first[n], *second[n + 1 :])
    return changed


def _sum_squared_correlations(points: Sequence[Point], n: int) -> float:
    """Return the sum of squared correlations between the values of factor number `n` and those of each other factor."""
    columns = list(zip(*points, strict=True))
    value_counts = [Counter(column) for column in columns]
    column, number, total = columns[n], len(points), 0.0
    for m, other_column in enumerate(columns):
        if m == n:
            continue
        pair_counts = Counter(zip(column, other_column, strict=True))
        for value, count in sorted(value_counts[n].items()):
            for other_value, other_count in sorted(value_counts[m].items()):
                if spread := count * (number - count) * other_count * (number - other_count):
                    total += (number * pair_counts[value, other_value] - count * other_count) ** 2 / spread
    return total


def _iter_balanced_points(factors: tuple[Factor, ...], count: int, seed: int) -> Iterator[Point]:
    """Yield `count` points in which each value of a factor occurs equally often, in random combinations."""
    columns = []
    for n, factor in enumerate(factors):
        column = [factor.values[i % len(factor.values)] for i in range(count)]
        order = sorted(range(count), key=lambda i, n=n: derive_seed(seed, n, i))  # type: ignore[misc]
        columns.append([column[i] for i in order])
    return zip(*columns, strict=True)


def get_reference_value(factor: Factor) -> str:
    """Return the value of a factor with which others are compared: the base value if it is known, else the first."""
    return factor.values[0] if factor.base is None else factor.base
