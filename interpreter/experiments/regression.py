"""Fit evaluation weights to results: logistic regression with an intercept per seat, shrunk toward the current weights.

Sums are taken in row order, so equal rows give equal weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

_ROUNDS = 50  # maximum number of Newton steps
_CLOSE = 1e-9  # length of a step at which the fit has converged
_PULL = 1.0  # strength of the penalty on a changed weight, in games
_FAR = 30.0  # limit of the exponent, beyond which a probability is 0 or 1


@dataclass(frozen=True, slots=True)
class Example:
    """One training example: a position as one seat evaluates it.

    `seat`: the number of the seat. `worth`: the value of the position; `gains`: by how much it grows if a weight is
    larger by 1, for each weight; `result`: 1 if the seat won, 0 if it lost, 1/2 for a draw; `counts`: the weight of the
    example in the fit.
    """

    seat: int
    worth: float
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


def learn(examples: Sequence[Example], seats: int) -> FitResult:
    """Fit the scale of the evaluation, then its weights around their current values.

    `examples`: the training examples; `seats`: the number of seats, each with a separate constant.
    """
    count = len(examples[0].gains) if examples else 0
    worths = _spread([s.worth for s in examples])
    rows = [(*_encode_seat(s.seat, seats), s.worth / worths) for s in examples]
    results = [(s.result, s.counts) for s in examples]
    start, _bend = fit_weights(rows, results, [0.0] * (seats + 1), [0.0] * (seats + 1), [1e-3] * seats + [1e-6])
    scale = start[seats] / worths
    before = _compute_loss(rows, examples, start)
    if scale <= 0 or not count:
        return FitResult((0.0,) * count, (False,) * count, scale, before, before)
    sizes = [
        sqrt(sum(s.gains[k] ** 2 * s.counts for s in examples) / sum(s.counts for s in examples)) for k in range(count)
    ]
    is_varied = tuple(any(s.gains[k] != examples[0].gains[k] for s in examples) and sizes[k] > 0 for k in range(count))
    used = [k for k in range(count) if is_varied[k]]
    # Fit the change of each weight next to the current worth, which keeps its scale.
    rows = [(*_encode_seat(s.seat, seats), s.worth * scale, *(s.gains[k] / sizes[k] for k in used)) for s in examples]
    centre = [*start[:seats], 1.0, *[0.0] * len(used)]
    pull = [1e-3] * seats + [1e6] + [_PULL] * len(used)
    fit, _bend = fit_weights(rows, results, centre, centre, pull)
    changes = [0.0] * count
    for place, k in enumerate(used):
        changes[k] = fit[seats + 1 + place] / sizes[k] / scale
    return FitResult(tuple(changes), is_varied, scale, before, _compute_loss(rows, examples, fit))


def _encode_seat(seat: int, seats: int) -> tuple[float, ...]:
    return tuple(float(n == seat) for n in range(seats))


def _spread(values: Sequence[float]) -> float:
    mean = sum(values) / max(1, len(values))
    return sqrt(sum((v - mean) ** 2 for v in values) / max(1, len(values))) or 1.0


def _predict(row: Sequence[float], b: Sequence[float]) -> float:
    z = max(-_FAR, min(_FAR, sum(x * y for x, y in zip(row, b, strict=True))))
    return 1 / (1 + exp(-z))


def _compute_loss(rows: Sequence[Sequence[float]], examples: Sequence[Example], b: Sequence[float]) -> float:
    """Return the log loss per game of the weights `b`."""
    total = sum(
        -s.counts * (s.result * log(p) + (1 - s.result) * log(1 - p))
        for row, s in zip(rows, examples, strict=True)
        for p in (min(1 - 1e-12, max(1e-12, _predict(row, b))),)
    )
    return total / max(1e-12, sum(s.counts for s in examples))


def fit_weights(
    rows: Sequence[Sequence[float]],
    results: Sequence[tuple[float, float]],
    start: Sequence[float],
    centre: Sequence[float],
    pull: Sequence[float],
) -> tuple[list[float], list[list[float]]]:
    """Fit weights by Newton's method on the penalized likelihood of results between 0 and 1.

    `rows`: the inputs of each example; `results`: (result, weight) of each example; `start`: the weights to begin with;
    `centre` and `pull`: the value to which the penalty draws each weight, and the strength of the penalty. Returns the
    best weights and the negative Hessian there.
    """
    b = list(start)
    size = len(b)
    for _ in range(_ROUNDS):
        gradient = [pull[k] * (centre[k] - b[k]) for k in range(size)]
        bend = [[pull[k] if k == j else 0.0 for j in range(size)] for k in range(size)]
        for row, (result, counts) in zip(rows, results, strict=True):
            p = _predict(row, b)
            off, curve = counts * (result - p), counts * p * (1 - p)
            for k, x in enumerate(row):
                if x:
                    gradient[k] += off * x
                    line, weighted = bend[k], curve * x
                    for j in range(k, size):
                        line[j] += weighted * row[j]
        bend = [[bend[min(k, j)][max(k, j)] for j in range(size)] for k in range(size)]
        step = solve_linear_system(bend, gradient)
        length = max(abs(x) for x in step)
        shrink = min(1.0, 5.0 / length) if length else 1.0
        b = [x + shrink * d for x, d in zip(b, step, strict=True)]
        if length < _CLOSE:
            break
    return b, bend


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
