"""Ratings of bots from games of each against each, in both seats.

Fits the Bradley-Terry model by Newton's method, with one extra parameter for the advantage of the first seat. A draw
counts as half a win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

from interpreter.experiments.regression import fit_weights, solve_linear_system

_PRIOR = 0.02  # penalty, like a few draws with the mean, that keeps ratings of perfect scores finite
_ELO = 400 / log(10)
_STANDARD_ERRORS = 1.96  # standard errors of a confidence interval of 95 %


@dataclass(frozen=True, slots=True)
class GameScore:
    """One game: its first and second player, and the score of the first: 1, 1/2 or 0."""

    first: str
    second: str
    points: float


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a bot in Elo points relative to the mean of all bots, with a confidence interval of 95 %.

    `games` and `points`: the games played and the points won in them.
    """

    name: str
    value: float
    low: float
    high: float
    games: int
    points: float


def compute_ratings(results: Sequence[GameScore]) -> tuple[tuple[Rating, ...], Rating]:
    """Return the ratings of the bots, best first, and the advantage of the first seat, as a rating."""
    names = list(dict.fromkeys(name for r in results for name in (r.first, r.second)))
    columns = {name: n for n, name in enumerate(names)}
    size = len(names) + 1  # the last is the seat
    nothing = [0.0] * size
    rows = [_build_row(r, columns, size) for r in results]
    estimates, hessian = fit_weights(rows, [(r.points, 1.0) for r in results], nothing, nothing, [_PRIOR] * size)
    covariance = _invert_matrix(hessian)
    mean = sum(estimates[:-1]) / len(names)
    rated = [
        _build_rating(
            name,
            estimates[n] - mean,
            _compute_variance_about_mean(covariance, n, len(names)),
            *_compute_score(name, results),
        )
        for name, n in columns.items()
    ]
    first_points = sum(r.points for r in results)
    seat = _build_rating("", estimates[-1], covariance[-1][-1], len(results), first_points)
    return tuple(sorted(rated, key=lambda r: -r.value)), seat


def _build_rating(name: str, value: float, variance: float, games: int, points: float) -> Rating:
    half_width = _STANDARD_ERRORS * sqrt(max(0.0, variance))
    return Rating(name, _ELO * value, _ELO * (value - half_width), _ELO * (value + half_width), games, points)


def _compute_score(name: str, results: Sequence[GameScore]) -> tuple[int, float]:
    scores = [r.points for r in results if r.first == name] + [1 - r.points for r in results if r.second == name]
    return len(scores), sum(scores)


def _build_row(result: GameScore, columns: dict[str, int], size: int) -> list[float]:
    """Return the row of the design matrix for one game: +1 for the first bot, -1 for the second, 1 for the seat.

    `columns`: the column of each bot; `size`: the number of columns, of which the last is for the seat.
    """
    row = [0.0] * size
    row[columns[result.first]] += 1.0
    row[columns[result.second]] -= 1.0
    row[-1] = 1.0
    return row


def _compute_variance_about_mean(covariance: Sequence[Sequence[float]], n: int, count: int) -> float:
    """Return the variance of rating `n` relative to the mean of the `count` ratings.

    `covariance`: the covariance matrix of the ratings.
    """
    weights = [(1.0 if m == n else 0.0) - 1 / count for m in range(count)]
    return sum(weights[i] * weights[j] * covariance[i][j] for i in range(count) for j in range(count))


def _invert_matrix(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    size = len(matrix)
    columns = [solve_linear_system(matrix, [float(i == k) for i in range(size)]) for k in range(size)]
    return [[columns[k][i] for k in range(size)] for i in range(size)]
