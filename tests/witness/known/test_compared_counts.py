"""Counts that are compared with a number, and counts of those that pass a test beside those that do not."""

from __future__ import annotations

import pytest

from interpreter.model.checked_model import CheckedModel
from tests.tiny import build
from tests.witness.comparing import Match

RULES = """
    define between_two(k: int) = any h in places where count(x in neighbours(h) where x.held) == k
    define many_beside(k: int) = count(h in places where count(x in neighbours(h) where not x.held) >= 2) + k
    define both(a: army) =
        any h in places where count(x in neighbours(h) where x.held) + count(x in neighbours(h) where x.height > 0) >= 3
    define beside(a: army, h: place) = count(u in units at h where u.army == a)
    define against(a: army, h: place) = count(u in units at h where u.army != a)

    turn:
        phase only_phase:
            for a in [reds, blues, reds, blues]:
                take_and_go(a)
            set game.total = many_beside(1)
            if any h in places where count(x in neighbours(h) where x.held) == 1:
                set game.total = game.total + 10
            if no h in places where count(x in neighbours(h) where x.held) >= 2:
                set game.total = game.total + 100
            if every h in places satisfies (count(x in neighbours(h) where x.held) > 1 or h.height < 2):
                set game.total = game.total + 1000
            if both(reds) and not between_two(2):
                set game.total = game.total + 10000
        if turn >= 4:
            end game drawn

    procedure take_and_go(a: army):
        choose what by a "what?":
            option hold(h in places):
                require not_yet: not h.held  "{h} is held"
                require few: against(a, h) <= 1  "too many there"
                require room: beside(a, h) < 3  "full"
                set h.held = true
            option leave(h in places):
                require own: beside(a, h) >= 1 or against(a, h) == 0  "not yours"
                set h.held = false
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CheckedModel:
    found = build(tmp_path_factory.mktemp("counts"), RULES).model
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(6))
def test_every_form_counts_alike(model: CheckedModel, seed: int) -> None:
    Match(model).play(seed)
