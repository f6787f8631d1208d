"""Test that intervals keep their error level, over many synthetic comparisons whose truth is known."""

from __future__ import annotations

from interpreter.experiments.confidence_intervals import (
    MIN_PAIRS_TO_STOP,
    DifferenceSum,
    compute_interval,
    estimate_pairs_needed,
    sum_differences,
)
from interpreter.simulation.seeds import derive_seed


def pairs(seed: int, count: int, differing: float, effect: float) -> list[float]:
    """Return differences of wins, -1, 0 or 1: the share `differing` is not 0, and B wins more by `effect`."""
    found = []
    for number in range(count):
        chance = derive_seed(seed, "pair", number) / 2**63
        up, down = (differing + effect) / 2, (differing - effect) / 2
        found.append(1.0 if chance < up else -1.0 if chance < up + down else 0.0)
    return found


def found_by(seed: int, count: int, effect: float, often: bool) -> bool:
    """Return whether a comparison finds a difference, tested once at the end or after every 25 pairs."""
    total = DifferenceSum()
    for number, value in enumerate(pairs(seed, count, 0.4, effect), 1):
        total.add(value)
        if often and number >= MIN_PAIRS_TO_STOP and number % 25 == 0:
            if compute_interval(total, 0.05, share=True, is_anytime_valid=True).excludes_zero:
                return True
    return not often and compute_interval(total, 0.05, share=True).excludes_zero


def test_repeated_looks_keep_false_alarm_rate() -> None:
    for often in (False, True):
        alarms = sum(found_by(seed, 400, 0.0, often) for seed in range(200))
        assert alarms <= 18, f"of 200 at 5 %: {alarms}"  # 10 expected; more than 18 happens once in a hundred


def test_sequential_test_detects_known_difference() -> None:
    assert sum(found_by(seed, 400, 0.15, True) for seed in range(50)) >= 45


def test_few_pairs_give_no_interval() -> None:
    assert not compute_interval(sum_differences([1.0] * 9), 0.05, share=True).excludes_zero
    assert not compute_interval(sum_differences([3.0] * 9), 0.05).excludes_zero
    assert compute_interval(sum_differences([1.0] * 20), 0.05, share=True).excludes_zero


def test_unseen_event_has_positive_upper_bound() -> None:
    where = compute_interval(sum_differences([0.0] * 30), 0.05, share=True)
    assert where.low < 0 < where.high


def test_required_pairs_exceed_played_pairs() -> None:
    seen = sum_differences(pairs(3, 100, 0.4, 0.0))
    assert estimate_pairs_needed(seen, 0.05, 0.05) > 100
    assert estimate_pairs_needed(seen, 0.02, 0.05) > estimate_pairs_needed(seen, 0.05, 0.05)
