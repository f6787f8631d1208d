"""Ratings of bots from games of each against each, on both sides of the table.

Bradley and Terry's model by Newton's method, with one figure more for the first seat: where one seat has the better of
a game, that is no strength of whoever sits there. Draws are half a victory. Must not play, nor know a bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

_PRIOR = 0.02  # as if each had drawn a little with the mean: keeps whoever won everything finite
_STEPS = 60
_ELO = 400 / log(10)
_REACH = 1.96


@dataclass(frozen=True, slots=True)
class Result:
    """One game: who sat first and second, and what the first got: 1, 1/2 or 0."""

    first: str
    second: str
    points: float


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo points about the mean of all bots, with an interval of 95 %; games played and points won."""

    name: str
    value: float
    low: float
    high: float
    games: int
    points: float


def ratings(results: Sequence[Result]) -> tuple[tuple[Rating, ...], Rating]:
    """The bots, the best first; and the advantage of the first seat."""
    names = list(dict.fromkeys(name for r in results for name in (r.first, r.second)))
    number = {name: n for n, name in enumerate(names)}
    size = len(names) + 1  # the last is the seat
    at = [0.0] * size
    for _ in range(_STEPS):
        gradient, bend = _derivatives(results, number, at)
        step = _solved(bend, gradient)
        at = [a + max(-1.0, min(1.0, s)) for a, s in zip(at, step, strict=True)]
        if max(map(abs, step)) < 1e-9:
            break
    _, bend = _derivatives(results, number, at)
    spread = _inverse(bend)
    mean = sum(at[:-1]) / len(names)
    found = [
        _rating(name, at[n] - mean, _about_mean(spread, n, len(names)), *_score(name, results))
        for name, n in number.items()
    ]
    own = sum(r.points for r in results)
    seat = _rating("", at[-1], spread[-1][-1], len(results), own)
    return tuple(sorted(found, key=lambda r: -r.value)), seat


def _rating(name: str, value: float, variance: float, games: int, points: float) -> Rating:
    reach = _REACH * sqrt(max(0.0, variance))
    return Rating(name, _ELO * value, _ELO * (value - reach), _ELO * (value + reach), games, points)


def _score(name: str, results: Sequence[Result]) -> tuple[int, float]:
    own = [r.points for r in results if r.first == name] + [1 - r.points for r in results if r.second == name]
    return len(own), sum(own)


def _derivatives(
    results: Sequence[Result], number: dict[str, int], at: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """Of the likelihood: its gradient, and its curvature with the sign turned."""
    size = len(at)
    gradient = [-_PRIOR * a for a in at]
    bend = [[_PRIOR * (i == j) for j in range(size)] for i in range(size)]
    for r in results:
        if r.first == r.second:
            signs = [(size - 1, 1.0)]
        else:
            signs = [(number[r.first], 1.0), (number[r.second], -1.0), (size - 1, 1.0)]
        chance = 1 / (1 + exp(-sum(sign * at[n] for n, sign in signs)))
        for n, sign in signs:
            gradient[n] += sign * (r.points - chance)
            for m, other in signs:
                bend[n][m] += sign * other * chance * (1 - chance)
    return gradient, bend


def _about_mean(spread: Sequence[Sequence[float]], n: int, count: int) -> float:
    """The variance of a rating less the mean of all."""
    weights = [(1.0 if m == n else 0.0) - 1 / count for m in range(count)]
    return sum(weights[i] * weights[j] * spread[i][j] for i in range(count) for j in range(count))


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a small system, by elimination with the largest pivot."""
    size = len(right)
    rows = [[*matrix[i], right[i]] for i in range(size)]
    for i in range(size):
        best = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for k in range(size):
            if k != i:
                share = rows[k][i] / rows[i][i]
                rows[k] = [a - share * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    size = len(matrix)
    columns = [_solved(matrix, [float(i == k) for i in range(size)]) for k in range(size)]
    return [[columns[k][i] for k in range(size)] for i in range(size)]
