"""Test random rulesets, played by the reference evaluator and by every form of the compiled program."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.runtime.limits import LIMITS
from tests.witness.budgets import agree_at
from tests.witness.builtins import FUNCTIONS
from tests.witness.comparing import Match, Tally
from tests.witness.field import write
from tests.witness.small import checked_model, model_of
from tests.witness.values import OPERATIONS
from tests.witness.writer import Writer

QUICK = (1, 2, 4, 7, 8, 20, 31, 32, 36, 40, 45, 46)  # of the first sixty, those that show most in the least time
MANY = range(1_000, 3_000)
RARE = {"highest_level", "last_turn", "line_between()", "max()", "min()", "ray()", "builtin"}  # never written


def compare(seed: int, folder: Path, tally: Tally | None = None, games: int = 2) -> None:
    """Play a random ruleset in every form; a disagreement is reported with its seed."""
    match = Match(checked_model(write(folder, Writer(seed).ruleset())), tally)
    for number in range(games):
        match.play(number, most=12, looks=6)


@pytest.mark.parametrize("seed", QUICK)
def test_random_ruleset_agrees_with_witness(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)


def test_budget_ends_at_same_place(tmp_path: Path) -> None:
    """Check that the budget ends at one place with any cache, record, query or roll; a turn is a thousand steps."""
    ended = set()
    for seed in QUICK[1::2]:
        model = checked_model(str(write(tmp_path / str(seed), Writer(seed).ruleset())))
        ended.add(agree_at(model, 1_000 + random.Random(seed).randrange(150, 600), seed))
    assert ended == {False, True}


def test_loop_with_chance_in_it_counts_alike(tmp_path: Path) -> None:
    """Check that a loop counts alike in a program that runs through it and in one that pauses inside it."""
    model = model_of(
        tmp_path,
        """
        turn:
            phase first:
                choose c by reds:
                    option o(k in 1..3):
                        let n = 0
                        while n < k:
                            set n = n + 1
                            roll throw: die -> thrown
                        for u in units:
                            draw lot: units -> drawn
        """,
    )
    agree_at(model, LIMITS.steps, 1)


@pytest.mark.soak
def test_many_random_rulesets_count_alike(tmp_path: Path) -> None:
    for seed in range(330):
        model = checked_model(str(write(tmp_path / str(seed), Writer(seed).ruleset())))
        agree_at(model, LIMITS.steps, seed)


@pytest.mark.soak
def test_many_random_rulesets_agree_with_witness(tmp_path: Path) -> None:
    tally = Tally()
    for seed in MANY:
        compare(seed, tmp_path / str(seed), tally, games=4)
    wanted = (set(OPERATIONS) | {f"{name}()" for name in FUNCTIONS}) - RARE
    assert not wanted - tally.met
