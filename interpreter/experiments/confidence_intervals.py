"""Confidence intervals for the mean of paired differences: for a fixed number of pairs, and anytime-valid.

The anytime-valid intervals use Robbins' normal mixture with the observed variance (asymptotic: from 50 pairs on), so
they hold however often one looks. Shares get two pseudo-pairs, one in each direction (Agresti and Min), so that rare
outcomes are never declared impossible.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, log, sqrt
from statistics import NormalDist

MIN_PAIRS = 10  # pairs needed for an interval
MIN_PAIRS_TO_STOP = 50  # pairs before which a run does not stop
_TIGHTEST = 0.005  # Robbins' rho squared: the mixture is tightest at some hundreds of pairs


@dataclass(slots=True)
class DifferenceSum:
    """Count, sum and sum of squares of differences."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """Add one value."""
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """Return the mean, or 0 without values."""
        return self.total / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        """Return the standard deviation of the differences."""
        if self.count < 2:
            return 0.0
        return sqrt(max(0.0, self.squares - self.total * self.total / self.count) / (self.count - 1))


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval from `low` to `high`."""

    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Return whether the interval excludes 0."""
        return self.low > 0 or self.high < 0

    @property
    def half_width(self) -> float:
        """Return half the width of the interval."""
        return (self.high - self.low) / 2


def sum_differences(values: Iterable[float]) -> DifferenceSum:
    """Return count, sum and sum of squares of the values, added from first to last."""
    total = DifferenceSum()
    for value in values:
        total.add(value)
    return total


def compute_interval(
    differences: DifferenceSum, error_probability: float, *, share: bool = False, is_anytime_valid: bool = False
) -> Interval:
    """Return the confidence interval of the mean; unbounded for fewer than `MIN_PAIRS` pairs.

    `share`: the differences are of shares, so the interval lies within
    -1..1. `is_anytime_valid`: the interval is wide enough to be read
    after every pair (a confidence sequence).
    """
    if differences.count < MIN_PAIRS:
        return Interval(-1.0, 1.0) if share else Interval(-inf, inf)
    padded = pad_with_pseudo_pairs(differences) if share else differences
    standard_errors = (
        _compute_mixture_half_width(padded.count, error_probability)
        if is_anytime_valid
        else _compute_student_quantile(padded.count - 1, error_probability)
    )
    half_width = standard_errors * padded.deviation / sqrt(padded.count)
    low, high = min(padded.mean - half_width, differences.mean), max(padded.mean + half_width, differences.mean)
    return Interval(max(-1.0, low), min(1.0, high)) if share else Interval(low, high)


def round_figure(value: float) -> float:
    """Round a figure for output to six digits, turning -0.0 into 0.0."""
    return round(value, 6) + 0.0


def pad_with_pseudo_pairs(differences: DifferenceSum) -> DifferenceSum:
    """Add two pseudo-pairs, with mean 0 and squares that sum to 1, to differences of shares (like Agresti-Coull)."""
    return DifferenceSum(differences.count + 2, differences.total, differences.squares + 1)


def _compute_mixture_half_width(count: int, error_probability: float) -> float:
    """Return the half-width, in standard errors, of Robbins' mixture boundary after `count` pairs of games.

    `error_probability`: the error probability over all looks together. The half-width is infinite before the first
    look.
    """
    if count < MIN_PAIRS_TO_STOP:
        return inf
    scaled = count * _TIGHTEST
    return sqrt(2 * (scaled + 1) / scaled * log(sqrt(scaled + 1) / error_probability))


def _compute_student_quantile(freedom: int, error_probability: float) -> float:
    """Return the quantile of Student's t at `1 - error_probability / 2` with `freedom` degrees of freedom.

    It is computed by the expansion around the normal distribution, accurate to 0.01 from nine degrees of freedom.
    """
    z = NormalDist().inv_cdf(1 - error_probability / 2)
    linear = (z**3 + z) / 4
    square = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    cubic = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + linear / freedom + square / freedom**2 + cubic / freedom**3


def estimate_pairs_needed(differences: DifferenceSum, half_width: float, error_probability: float) -> int:
    """Estimate how many pairs an interval of this half-width needs if the variance remains as it is.

    `differences`: those of the pairs played so far; `error_probability`: the error probability of the interval.
    """
    count = max(differences.count + 1, MIN_PAIRS_TO_STOP)
    while (
        _compute_mixture_half_width(count, error_probability) * differences.deviation / sqrt(count) > half_width
        and count < 10_000_000
    ):
        count = int(count * 1.1) + 1
    return count
