"""Luck in plain words: exact chances of a total of dice, and the line for a roll."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from interpreter.api.loading import load
from interpreter.players.luck.luck_analysis import LuckRecord, SideRoll
from interpreter.players.luck.luck_summary import count_outcomes_from, summarize_luck
from interpreter.players.luck.roll_attribution import RolledDice

SIX, TEN = tuple(range(1, 7)), tuple(range(10))


@pytest.mark.parametrize("dice", [{SIX: 3}, {SIX: 2, TEN: 2}, {(-1, 0, 0, 2): 3}, {SIX: 1}])
def test_count_totals_from_equals_enumeration(dice):
    totals = [sum(faces) for faces in product(*(faces for faces, number in dice.items() for _ in range(number)))]
    for least in range(min(totals) - 1, max(totals) + 2):
        assert count_outcomes_from(Counter(dice), least) == (sum(one >= least for one in totals), len(totals))


@pytest.mark.parametrize(
    ("faces", "told"),
    [
        ([6, 6, 6, 6, 5], "fewer than 1 of 100 games with as many dice rolls as high"),
        ([1, 1, 2, 4, 6], "about 22 of 100 games with as many dice roll as low"),
        ([6, 5, 4, 4, 4], "about 10 of 100 games with as many dice roll as high"),
    ],
)
def test_luck_summary_counts_games_with_total_as_far_from_average(faces, told):
    side_rolls = [
        SideRoll(n, "french", RolledDice(name="melee", die=SIX, faces=(face,)), True, True)
        for n, face in enumerate(faces)
    ]
    localizer = load("denain-1712").program.get_localizer("en")
    (line,) = summarize_luck(LuckRecord(side_rolls, []), localizer)
    assert line.endswith(told), line


def test_luck_summary_leaves_out_rolls_with_few_dice():
    side_rolls = [SideRoll(1, "french", RolledDice(name="melee", die=SIX, faces=(6, 6)), True, True)]
    assert summarize_luck(LuckRecord(side_rolls, []), load("denain-1712").program.get_localizer("en")) == []
