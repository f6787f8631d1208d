"""Whole games of small rulesets: the reference evaluator and every form of the compiled program play the same."""

from __future__ import annotations

import pytest

from tests.properties.games import GUIDE, RULESETS
from tests.witness.comparing import Match

SMALL = {**GUIDE, **RULESETS}


@pytest.mark.parametrize(
    ("name", "decisions"), [("skirmish", 60), ("salt-war", 30), ("crossroads", 8), ("two-rivers", 8), ("napoleon", 12)]
)
def test_game_agrees_with_reference_interpreter(name: str, decisions: int) -> None:
    model = SMALL[name]().model
    assert model is not None
    Match(model).play(1, most=decisions, looks=2)


@pytest.mark.soak
@pytest.mark.parametrize("name", list(SMALL))
def test_long_games_agree(name: str) -> None:
    model = SMALL[name]().model
    assert model is not None
    match = Match(model)
    for seed in range(4):
        match.play(seed, most=150, looks=0)
