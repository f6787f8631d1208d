"""The quick form of the rules and the plain one that notes coverage play the same games.

The plain form writes nothing out, remembers nothing and leaves loops inside expressions, so a slip in
any of these shortcuts shows as a difference.
"""

from __future__ import annotations

import pytest

from interpreter.facade.rules import Rules, load
from interpreter.files.assets import shipped_rulesets
from interpreter.runtime.dice import SeededDice


def _trail(rules: Rules, seed: int, most: int) -> list[tuple[int, str]]:
    game, choices = rules.start(seed=seed, record=False), SeededDice(seed + 5_000_000)
    trail: list[tuple[int, str]] = []
    while not game.over and len(trail) < most:
        options = game.count()
        trail.append((options, game.hash() if len(trail) % 10 == 0 else ""))
        game.pick(choices.roll(options) if options > 1 else 0)
    trail.append((0, game.hash()))
    return trail


@pytest.mark.parametrize(("ruleset", "seeds"), [("napoleon", 3), ("denain-1712", 1)])
def test_quick_and_plain_forms_agree(ruleset: str, seeds: int) -> None:
    quick, plain = load(ruleset), load(ruleset, instrument=True)
    for seed in range(seeds):
        assert _trail(quick, seed, 150) == _trail(plain, seed, 150)


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_forms_agree_in_whole_games(ruleset: str) -> None:
    quick, plain = load(ruleset), load(ruleset, instrument=True)
    for seed in range(1, 8):
        assert _trail(quick, seed, 1000) == _trail(plain, seed, 1000)
