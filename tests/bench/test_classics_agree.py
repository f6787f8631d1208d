"""The classics as rulesets and in plain Python are the same games, decision for decision."""

from __future__ import annotations

import pytest

from interpreter.api.game import load
from tests.bench.classics import FOLDER, by_hand, by_rules, ended
from tests.bench.classics_by_hand import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_ruleset_and_hand_written_program_play_same_games(name: str) -> None:
    rules = load(FOLDER / name)
    for seed in range(20):
        assert ended(by_rules(rules, seed)) == ended(by_hand(name, seed))
