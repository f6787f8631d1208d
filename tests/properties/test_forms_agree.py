"""The quick form of the rules and the plain one that notes coverage play the same games.

The plain form writes nothing out, remembers nothing and leaves loops inside expressions, so a slip in
any of these shortcuts shows as a difference.
"""

from __future__ import annotations

from functools import cache

import pytest

from interpreter.api.loading import load
from interpreter.api.rules import Rules
from interpreter.files.assets import list_shipped_rulesets
from interpreter.play.game import Game
from interpreter.play.state_transfer import transfer_state
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


@cache
def _forms(ruleset: str) -> tuple[Rules, Rules]:
    return load(ruleset), load(ruleset, instrument=True)


@pytest.mark.parametrize(("ruleset", "seeds", "most"), [("napoleon", 3, 150), ("denain-1712", 1, 60)])
def test_quick_and_plain_forms_agree(ruleset: str, seeds: int, most: int) -> None:
    quick, plain = _forms(ruleset)
    for seed in range(seeds):
        assert _trail(quick, seed, most) == _trail(plain, seed, most)


@pytest.mark.parametrize("ruleset", ["napoleon", "denain-1712"])
def test_plain_form_agrees_on_stretches_of_whole_game(ruleset: str) -> None:
    """It is slow: of a game in the quick form it plays a few decisions now and then."""
    quick, plain = _forms(ruleset)
    game, choices, taken = quick.start(seed=1, record=False), SeededDice(5), 0
    while not game.over:
        if taken % 120 == 119:
            one = game.clone()
            other = Game(plain.program, transfer_state(plain.program, game.state), None, None, False)
            for _ in range(3):
                if one.over:
                    break
                assert other.count() == (options := one.count())
                number = choices.roll(options)
                one.pick(number)
                other.pick(number)
                assert other.hash() == one.hash() and other.over == one.over
        game.pick(choices.roll(game.count()))
        taken += 1
    assert taken > 300


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", sorted(list_shipped_rulesets()))
def test_forms_agree_in_whole_games(ruleset: str) -> None:
    quick, plain = load(ruleset), load(ruleset, instrument=True)
    for seed in range(1, 8):
        assert _trail(quick, seed, 1000) == _trail(plain, seed, 1000)
