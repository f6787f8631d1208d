"""Fit evaluation weights to results: logistic regression with an intercept per seat, shrunk toward the current weights.

Sums are taken in row order, so equal rows give equal weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

_MAX_STEPS = 50  # maximum number of Newton steps
_CONVERGED = 1e-9  # length of a step at which the fit has converged
_PENALTY = 1.0  # strength of the penalty on a changed weight, in games
_MAX_EXPONENT = 30.0  # limit of the exponent, beyond which a probability is 0 or 1


@dataclass(frozen=True, slots=True)
class Example:
    """One training example: a position as one seat evaluates it.

    `seat`: the number of the seat. `value`: the value of the position; `gains`: by how much it grows if a weight is
    larger by 1, for each weight; `result`: 1 if the seat won, 0 if it lost, 1/2 for a draw; `counts`: the weight of the
    example in the fit.
    """

    seat: int
    value: float
    gains: tuple[float, ...]
    result: float
    counts: float


@dataclass(frozen=True, slots=True)
class FitResult:
    """Result of a fit: the change of each weight, and the log loss per game before and after.

    `scale`: the slope of the evaluation; 0 or less means that the evaluation predicts nothing. `seen`: whether each
    weight made a difference in at least one example.
    """

    changes: tuple[float, ...]
    seen: tuple[bool, ...]
    scale: float
    before: float
    after: float


def fit_evaluation(examples: Sequence[Example], seats: int) -> FitResult:
    """Fit the scale of the evaluation, then its weights around their current values.

    `examples`: the training examples; `seats`: the number of seats, each with a separate constant.
    """
    count = len(examples[0].gains) if examples else 0
    deviation = _compute_deviation([s.value for s in examples])
    rows = [(*_encode_seat(s.seat, seats), s.value / deviation) for s in examples]
    results = [(s.result, s.counts) for s in examples]
    start, _hessian = fit_weights(rows, results, [0.0] * (seats + 1), [0.0] * (seats + 1), [1e-3] * seats + [1e-6])
    scale = start[seats] / deviation
    before = _compute_loss(rows, examples, start)
    if scale <= 0 or not count:
        return FitResult((0.0,) * count, (False,) * count, scale, before, before)
    sizes = [
        sqrt(sum(s.gains[k] ** 2 * s.counts for s in examples) / sum(s.counts for s in examples)) for k in range(count)
    ]
    is_varied = tuple(any(s.gains[k] != examples[0].gains[k] for s in examples) and sizes[k] > 0 for k in range(count))
    used = [k for k in range(count) if is_varied[k]]
    # fit the change of each weight beside the current value, which keeps its scale
    rows = [(*_encode_seat(s.seat, seats), s.value * scale, *(s.gains[k] / sizes[k] for k in used)) for s in examples]
    centre = [*start[:seats], 1.0, *[0.0] * len(used)]
    penalties = [1e-3] * seats + [1e6] + [_PENALTY] * len(used)
    fit, _hessian = fit_weights(rows, results, centre, centre, penalties)
    changes = [0.0] * count
    for place, k in enumerate(used):
        changes[k] = fit[seats + 1 + place] / sizes[k] / scale
    return FitResult(tuple(changes), is_varied, scale, before, _compute_loss(rows, examples, fit))


def _encode_seat(seat: int, seats: int) -> tuple[float, ...]:
    return tuple(float(n == seat) for n in range(seats))


def _compute_deviation(values: Sequence[float]) -> float:
    mean = sum(values) / max(1, len(values))
    return sqrt(sum((v - mean) ** 2 for v in values) / max(1, len(values))) or 1.0


def _predict(row: Sequence[float], weights: Sequence[float]) -> float:
    z = max(-_MAX_EXPONENT, min(_MAX_EXPONENT, sum(x * y for x, y in zip(row, weights, strict=True))))
    return 1 / (1 + exp(-z))


def _compute_loss(rows: Sequence[Sequence[float]], examples: Sequence[Example], weights: Sequence[float]) -> float:
    """Return the log loss per game of the weights `weights`."""
    total = sum(
        -s.counts * (s.result * log(p) + (1 - s.result) * log(1 - p))
        for row, s in zip(rows, examples, strict=True)
        for p in (min(1 - 1e-12, max(1e-12, _predict(row, weights))),)
    )
    return total / max(1e-12, sum(s.counts for s in examples))


def fit_weights(
    rows: Sequence[Sequence[float]],
    results: Sequence[tuple[float, float]],
    start: Sequence[float],
    centre: Sequence[float],
    penalties: Sequence[float],
) -> tuple[list[float], list[list[float]]]:
    """Fit weights by Newton's method on the penalized likelihood of results between 0 and 1.

    `rows`: the inputs of each example; `results`: (result, weight) of each example; `start`: the weights to begin with;
    `centre` and `penalties`: the value to which the penalty draws each weight, and the strength of the penalty. Returns
    the best weights and the negative Hessian there.
    """
    weights = list(start)
    size = len(weights)
    for _ in range(_MAX_STEPS):
        gradient = [penalties[k] * (centre[k] - weights[k]) for k in range(size)]
        hessian = [[penalties[k] if k == j else 0.0 for j in range(size)] for k in range(size)]
        for row, (result, counts) in zip(rows, results, strict=True):
            p = _predict(row, weights)
            residual, curvature = counts * (result - p), counts * p * (1 - p)
            for k, x in enumerate(row):
                if x:
                    gradient[k] += residual * x
                    line, weighted = hessian[k], curvature * x
                    for j in range(k, size):
                        line[j] += weighted * row[j]
        hessian = [[hessian[min(k, j)][max(k, j)] for j in range(size)] for k in range(size)]
        step = solve_linear_system(hessian, gradient)
        length = max(abs(x) for x in step)
        shrink = min(1.0, 5.0 / length) if length else 1.0
        weights = [x + shrink * d for x, d in zip(weights, step, strict=True)]
        if length < _CONVERGED:
            break
    return weights, hessian


def solve_linear_system(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the x with `matrix` x = `right`, for a small system, by Gaussian elimination with partial pivoting."""
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
