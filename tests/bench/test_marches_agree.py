"""The ruleset and the program written by hand find the same marches and zones; nothing is timed here."""

from __future__ import annotations

import pytest

from interpreter.api.game import load
from tests.bench.march_by_hand import Ground, Position
from tests.bench.marches import RULESET, by_program, by_ruleset, members, positions, questions


@pytest.mark.parametrize("option", [False, True])
def test_ruleset_and_hand_written_program_find_same_marches(option: bool) -> None:
    rules = load(RULESET, checked=True)
    ground, zones = Ground(rules.program), questions(rules)
    for game, formation in positions(rules, 3):
        formations = range(len(rules.program.ids["formation"])) if option else (formation,)
        for f in formations:
            units = members(game.state, f)
            assert by_ruleset(game.state, units, zones) == by_program(Position(ground, game.state), units)
