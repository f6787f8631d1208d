"""Odds of pools of many dice: exact where only sums and counts are read, sampled within a budget elsewhere."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from interpreter import load
from interpreter.api.game import Rules
from interpreter.runtime.errors import SetupError
from interpreter.runtime.pending import PendingChance
from interpreter.tools.odds.outcome_enumeration import TooManyOutcomesError, iter_outcomes, iter_summed_outcomes
from interpreter.tools.odds.resolution import NoExactOddsError, Odds, compute_option_odds
from tests.tiny import write

FACES = (1, 2, 3, 4, 5, 6)


def rules_of(folder: Path, dice: int, read: str) -> Rules:
    body = f"                roll volley: {dice} of die -> thrown\n                report note({read})\n"
    return load(
        write(
            folder,
            "turn:\n    phase only_phase:\n        choose c by reds:\n            option y:\n"
            f"{body}            option z: nothing\n",
        )
    )


def odds(rules: Rules, throws: int = 50) -> Odds:
    return compute_option_odds(rules, rules.start(seed=1), "y", throws=throws)


@pytest.mark.parametrize("dice", [1, 2, 4])
def test_summed_outcomes_agree_with_every_throw(dice: int) -> None:
    counted = [(face, 1 if face > 4 else 0) for face in FACES]
    every = Counter(
        tuple(map(sum, zip(*(counted[face - 1] for face in thrown), strict=True)))
        for thrown in product(FACES, repeat=dice)
    )
    found = {
        tuple(map(sum, zip(*(counted[face - 1] for face in pool), strict=True))): ways
        for pool, ways in iter_summed_outcomes(FACES, counted, dice, 1_000)
    }
    assert found == every


def test_sum_of_hundred_dice_is_exact(tmp_path: Path) -> None:
    found = odds(rules_of(tmp_path, 100, "sum(thrown)"))
    assert found.exact and found.positions < 2_000


def test_count_of_many_dice_agrees_with_binomial_distribution(tmp_path: Path) -> None:
    found = odds(rules_of(tmp_path, 40, "count(d in thrown where d > 4)"))
    chances = [result.probability for result in found.results]
    assert found.exact and Fraction(2, 3) ** 40 in chances and sum(chances) == 1


@pytest.mark.parametrize("read", ["sum(thrown)", "count(d in thrown where d > 4)", "min(d for d in thrown) else 0"])
def test_thousands_of_dice_are_sampled(tmp_path: Path, read: str) -> None:
    found = odds(rules_of(tmp_path, 9_999, read))
    assert not found.exact and found.throws


def test_too_many_outcomes_are_refused_before_first() -> None:
    for pending in (
        PendingChance("roll", "r", "", "", FACES, 9_999, None, False, False),
        PendingChance("roll", "r", "", "", FACES, 9_999, None, True, False),
        PendingChance("draw", "d", "", "", tuple(range(5_000)), 4_000, None, True, False),
    ):
        with pytest.raises(TooManyOutcomesError):
            next(iter_outcomes(pending, 1_000))


def test_exact_odds_over_budget_raise_without_samples(tmp_path: Path) -> None:
    with pytest.raises(NoExactOddsError):
        odds(rules_of(tmp_path, 9_999, "sum(thrown)"), throws=0)


def test_work_of_single_throw_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.tools.odds.monte_carlo._MIN_WORK", 1_000)
    monkeypatch.setattr("interpreter.tools.odds.monte_carlo._WORK", 1)
    rules = load(
        write(
            tmp_path,
            "turn:\n    phase only_phase:\n        choose c by reds:\n            option y:\n"
            "                while game.total < 99999:\n                    roll charge: die -> n\n"
            "                    set game.total = game.total + n\n            option z: nothing\n",
        )
    )
    with pytest.raises(SetupError, match="takes more than 1,000 steps of work"):
        odds(rules, throws=5)
