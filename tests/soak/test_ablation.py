"""The heuristics that the ablation switches off are parts of the bots under the names that it patches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interpreter.players.bots.option_evaluation import LookaheadConfig
from interpreter.players.bots.registry import parse_budget
from tests.soak.ablation import GREEDY, SEARCH, Heuristic


@pytest.mark.parametrize("heuristic", [*GREEDY.values(), *SEARCH.values()], ids=[*GREEDY, *SEARCH])
def test_heuristic_patches_names_and_options_that_bots_have(heuristic: Heuristic) -> None:
    missing = [name for owner, name, _ in heuristic.patches if not hasattr(owner, name)]
    assert missing == []
    budget = parse_budget("search:4")
    replace(budget, **heuristic.budget, playout=replace(budget.playout, **heuristic.playout))
    replace(LookaheadConfig(), **heuristic.care)
