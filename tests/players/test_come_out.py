"""What has come out since a choice, as the prompt and the board tell it before that choice is taken back."""

from __future__ import annotations

import pytest

from interpreter.facade.rules import load
from interpreter.players.telling.come_out import come_out_lines
from interpreter.players.telling.vocabulary import Words


@pytest.fixture(scope="module")
def words() -> Words:
    return Words(load("napoleon").program, "")


def test_come_out_lines_group_dice_and_sides_in_their_order(words: Words) -> None:
    roll, decision = ("roll", "mobilisation", "", ()), ("decision", "prussia", "allies")
    told = come_out_lines([decision, roll, ("decision", "austria", "allies"), ("roll", "leading_attack"), roll], words)
    assert told == ("dice: mobilisation, leading attack", "decided: Prussia, Austria")


def test_come_out_lines_are_none_where_nothing_came_out(words: Words) -> None:
    assert come_out_lines([("changed", "x")], words) == ()
