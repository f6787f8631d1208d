"""Effects of factors and of pairs of factors on a measure, with simultaneous confidence intervals.

Each seed is played at all points, so each seed gives an independent estimate of every effect; their variance gives
the standard error of the mean. Estimates are least squares, which serves full, sampled and one-at-a-time designs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import combinations
from types import ModuleType
from typing import TYPE_CHECKING, Any

from interpreter.experiments.confidence_intervals import (
    MIN_PAIRS,
    Interval,
    compute_interval,
    pad_with_pseudo_pairs,
    sum_differences,
)
from interpreter.experiments.sweep.designs import Design, Point, get_reference_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ERROR_PROBABILITY = 0.05


@dataclass(frozen=True, slots=True)
class FactorEffect:
    """Estimated effect of a value, or of a pair of values, on a measure, compared with the base values.

    `paths`: the one or two factors; `values`: their values; `mean`: the effect, `interval`: its confidence interval.
    """

    paths: tuple[str, ...]
    values: tuple[str, ...]
    mean: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class EffectTable:
    """Effects on one measure: of values of single factors, levels (marginal means), and interactions of pairs.

    `seeds` is the number of seeds played at every point; `pairs_known`: the design can estimate interactions.
    """

    seeds: int
    single: tuple[FactorEffect, ...]
    levels: tuple[FactorEffect, ...]
    pairs: tuple[FactorEffect, ...]
    pairs_known: bool


def list_shared_games(design: Design, played: Mapping[Point, Mapping[int, float]]) -> list[int]:
    """Return the sorted numbers of the games that have the measure at every design point.

    `played`: the value of the measure by point and number of the game.
    """
    return sorted(set.intersection(*(set(played.get(p, {})) for p in design.points))) if design.points else []


def compute_effects(design: Design, played: Mapping[Point, Mapping[int, float]], is_share: bool) -> EffectTable | None:
    """Compute the effects of all factors on a measure; None if too few seeds have it at every point.

    `played`: the value of the measure by point and number of the game; `is_share`: the measure is a share. None also
    if the design cannot separate the effects.
    """
    numpy = import_module("numpy")
    games = list_shared_games(design, played)
    if len(games) < MIN_PAIRS:
        return None
    values = numpy.array([[played[p][n] for n in games] for p in design.points])
    terms = [
        (f.path, v)
        for f in design.factors
        for v in _list_levels(design, f.path)
        if v != _get_base_value(design, f.path)
    ]
    matrix = numpy.array([_build_row(design, p, terms) for p in design.points])
    if numpy.linalg.matrix_rank(matrix) < matrix.shape[1]:
        return None
    coefficients = numpy.linalg.pinv(matrix) @ values
    error_probability = _ERROR_PROBABILITY / max(1, len(terms))
    single = tuple(
        _compute_effect(((path,)), (value,), coefficients[n + 1], error_probability, is_share)
        for n, (path, value) in enumerate(terms)
    )
    shares = matrix.mean(axis=0)
    levels = tuple(
        _compute_level(
            _compute_effect(
                (f.path,), (v,), _build_mean_row(shares, terms, f.path, v) @ coefficients, error_probability, is_share
            ),
            is_share,
        )
        for f in design.factors
        for v in _list_levels(design, f.path)
    )
    pairs = _compute_interactions(numpy, matrix, values, terms, is_share)
    return EffectTable(len(games), single, levels, pairs or (), pairs is not None)


def _compute_level(effect: FactorEffect, is_share: bool) -> FactorEffect:
    """Return the marginal mean of a level, with its interval clamped to 0..1 if the measure is a share."""
    if not is_share:
        return effect
    return replace(effect, interval=Interval(max(0.0, effect.interval.low), min(1.0, effect.interval.high)))


def _list_levels(design: Design, path: str) -> list[str]:
    """Return the values of the factor `path` that occur in the design, in the order of the factor."""
    n = next(n for n, f in enumerate(design.factors) if f.path == path)
    used_values = {point[n] for point in design.points}
    values = design.factors[n].values
    base = get_reference_value(design.factors[n])
    return [v for v in ((base, *values) if base not in values else values) if v in used_values]


def _get_base_value(design: Design, path: str) -> str:
    """Return the value of the factor `path` with which its other values are compared.

    That is the base value if the design has it, otherwise the first.
    """
    levels = _list_levels(design, path)
    base = get_reference_value(next(f for f in design.factors if f.path == path))
    return base if base in levels else levels[0]


def _build_row(design: Design, point: Point, terms: Sequence[tuple[str, str]]) -> list[float]:
    point_terms = {(f.path, value) for f, value in zip(design.factors, point, strict=True)}
    return [1.0, *(float(term in point_terms) for term in terms)]


def _build_mean_row(shares: NDArray[np.float64], terms: Sequence[tuple[str, str]], path: str, value: str) -> object:
    """Return the mean row of the design matrix if the factor `path` has this value.

    `shares`: the mean row of the whole matrix; `terms`: (factor, value) of each column after the first.
    """
    row = shares.copy()
    for n, (term_path, level) in enumerate(terms):
        if term_path == path:
            row[n + 1] = float(level == value)
    return row


def _compute_interactions(
    numpy: ModuleType,
    matrix: NDArray[np.float64],
    values: NDArray[np.float64],
    terms: Sequence[tuple[str, str]],
    is_share: bool,
) -> tuple[FactorEffect, ...] | None:
    """Return the interactions of pairs of values, or None if the design cannot estimate them.

    `matrix`: the design matrix; `values`: the measure by point and seed; `terms`: (factor, value) of each column after
    the first; `is_share`: the measure is a share.
    """
    both = [(i, j) for i, j in combinations(range(len(terms)), 2) if terms[i][0] != terms[j][0]]
    if not both or matrix.shape[1] + len(both) > matrix.shape[0]:
        return None
    extended = numpy.hstack([matrix, numpy.array([matrix[:, i + 1] * matrix[:, j + 1] for i, j in both]).T])
    if numpy.linalg.matrix_rank(extended) < extended.shape[1]:
        return None
    coefficients = (numpy.linalg.pinv(extended) @ values)[matrix.shape[1] :]
    error_probability = _ERROR_PROBABILITY / len(both)
    return tuple(
        _compute_effect(
            (terms[i][0], terms[j][0]), (terms[i][1], terms[j][1]), coefficients[n], error_probability, is_share
        )
        for n, (i, j) in enumerate(both)
    )


def _compute_effect(
    paths: tuple[str, ...],
    values: tuple[str, ...],
    by_seed: Mapping[Any, Any],
    error_probability: float,
    is_share: bool,
) -> FactorEffect:
    """Return the mean of an effect over the seeds, with its interval.

    `paths` and `values`: the factors it belongs to, and their values; `by_seed`: the effect for each seed;
    `error_probability`: the error probability of the interval; `is_share`: the measure is a share.
    """
    total = sum_differences(round(float(v), 12) for v in by_seed)
    padded = pad_with_pseudo_pairs(total) if is_share else total
    interval = compute_interval(padded, error_probability)
    return FactorEffect(
        paths, values, total.mean, Interval(min(interval.low, total.mean), max(interval.high, total.mean))
    )
