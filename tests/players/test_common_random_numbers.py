"""Dice for trials: the same roll falls alike in every trial of a round, and evenly over the rounds."""

from __future__ import annotations

from collections import Counter

import pytest

from interpreter.players.bots.search.mcts_player import DEAL, StratifiedDice

D6 = (1, 2, 3, 4, 5, 6)


def test_common_roll_is_independent_of_earlier_rolls() -> None:
    one, other = StratifiedDice(5, 2), StratifiedDice(5, 2)
    other.roll_faces("fire", "somebody", D6, 3)
    assert one.roll_faces("melee", "", D6, 2) == other.roll_faces("melee", "", D6, 2)
    assert one.roll_faces("melee", "", D6, 2) == other.roll_faces("melee", "", D6, 2), "the second time too"


def test_subject_of_roll_changes_no_die() -> None:
    """Rules report it only where a game of the same program had scripted or real dice."""
    one, other = StratifiedDice(5, 2), StratifiedDice(5, 2)
    for subject in ("first", "second"):
        assert one.roll_faces("melee", "", D6, 2) == other.roll_faces("melee", subject, D6, 2)


def test_copy_continues_identically_and_independently() -> None:
    dice = StratifiedDice(5, 0)
    dice.roll_faces("melee", "", D6, 2)
    twin = dice.clone()
    assert dice.roll_faces("melee", "", D6, 9) == twin.roll_faces("melee", "", D6, 9)


@pytest.mark.parametrize("sides", [2, 4, DEAL])
def test_over_deal_every_face_comes_as_often_as_any_other(sides: int) -> None:
    for seed in range(20):
        for deal in range(3):
            fell = Counter(
                StratifiedDice(seed, deal * DEAL + n).roll_faces("melee", "", tuple(range(sides)), 1)[0]
                for n in range(DEAL)
            )
            assert set(fell.values()) == {DEAL // sides}, (seed, deal, fell)


def test_over_many_seeds_die_is_fair_and_two_rolls_are_not_tied() -> None:
    """Chi squared of a face and of pairs of faces, against the bounds that chance passes once in a thousand."""
    rows = [StratifiedDice(seed, 3).roll_faces("melee", "", D6, 2) for seed in range(3600)]
    singles, pairs = Counter(a for a, _ in rows), Counter(map(tuple, rows))
    assert sum((singles[f] - 600) ** 2 / 600 for f in D6) < 20.5
    assert sum((pairs[a, b] - 100) ** 2 / 100 for a in D6 for b in D6) < 66.6
