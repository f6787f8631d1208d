"""Ratings find the strengths that results were made from, and tell them from the seat's."""

from __future__ import annotations

from math import exp

from interpreter.experiments.ratings import GameScore, compute_ratings
from interpreter.simulation.seeds import derive_seed

TRUE = {"weak": -0.7, "middle": 0.0, "able": 0.7}


def made_up(seed: int, games: int, seat: float) -> list[GameScore]:
    found = []
    for first in TRUE:
        for second in TRUE:
            for game in range(games):
                chance = 1 / (1 + exp(TRUE[second] - TRUE[first] - seat))
                fallen = derive_seed(seed, first, second, game) / 2**63
                found.append(GameScore(first, second, float(fallen < chance)))
    return found


def test_true_strengths_lie_in_their_intervals() -> None:
    held = total = 0
    for seed in range(30):
        found, seat = compute_ratings(made_up(seed, 40, 1.0))
        for r in found:
            total += 1
            held += r.low <= 173.7 * TRUE[r.name] <= r.high
        total += 1
        held += seat.low <= 173.7 <= seat.high
    assert held >= 0.9 * total


def test_seat_effect_is_separate_from_rating() -> None:
    found, seat = compute_ratings(made_up(1, 60, 2.0))
    assert [r.name for r in found] == ["able", "middle", "weak"]
    assert seat.low > 200


def test_rating_of_undefeated_bot_is_finite() -> None:
    found, _seat = compute_ratings([GameScore("a", "b", 1.0), GameScore("b", "a", 0.0)] * 10)
    assert found[0].name == "a" and 0 < found[0].value < 2000 and found[0].high > found[0].value
