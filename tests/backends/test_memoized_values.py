"""Test memoized values: at any time they equal freshly computed ones."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.api.game import load
from interpreter.play.game import Game
from interpreter.players.ownership import list_seats
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.state import clone_state

FUNCTIONS = {"define": "d_", "rule": "r_", "tally": "t_"}  # sort of a memoized function -> beginning of its name


@pytest.mark.parametrize("name", ["denain-1712", "napoleon"])
def test_memoized_value_equals_recomputed_value(name: str) -> None:
    game = load(name).start(seed=3, record=False).trial(SeededDice(5))
    chance, compared = SeededDice(7), 0
    for number in range(300):
        if game.over:
            break
        for seat in list_seats(game):
            game.evaluation(seat)
        if number % 3 == 0:  # original and copy share what neither has written
            game = game.trial(SeededDice(number))
        game.pick(chance.roll(game.count()))
        compared += compare(game)
    assert compared > 1000


def compare(game: Game) -> int:
    """Recompute every memoized value of a function; return how many there are."""
    count, functions = 0, game.program.namespace
    for memory, known in game.state.memo.items():
        sort, _, name = memory.removeprefix("memo ").partition("_")
        if not memory.startswith("memo ") or sort not in FUNCTIONS:
            continue
        for key, found in known.items():
            anew: Any = clone_state(game.state)
            anew.memo = {}
            given = key if isinstance(key, tuple) else (key,)
            assert functions[FUNCTIONS[sort] + name](anew, *given) == found, (memory, key)
            count += 1
    return count
