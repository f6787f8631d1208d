"""Each pass that makes compiled rules fast can be left out: the code is another, the games are the same."""

from __future__ import annotations

import json
from functools import cache

import pytest

from interpreter.compiler.assembling import Compiled, compile_model
from interpreter.compiler.optimising.passes import ALL
from interpreter.facade.game import load
from interpreter.facade.rules import Rules
from interpreter.files.assets import shipped_rulesets
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.program import Program

DECISIONS = 60


@cache
def read(ruleset: str) -> tuple[Rules, Compiled, list[tuple[int, str]]]:
    rules = load(ruleset, checked=True)
    assert rules.model is not None
    return rules, compile_model(rules.model), trail(rules)


def trail(rules: Rules) -> list[tuple[int, str]]:
    """How much could be chosen at each decision, and in which position."""
    game, choices = rules.start(seed=5, record=False), SeededDice(77)
    found = []
    while not game.over and len(found) < DECISIONS:
        options = game.count()
        found.append((options, game.hash()))
        game.pick(choices.roll(options) if options > 1 else 0)
    return found


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
@pytest.mark.parametrize("left_out", [*sorted(ALL), "all of them"])
def test_a_pass_changes_nothing_but_speed(ruleset: str, left_out: str) -> None:
    rules, whole, wanted = read(ruleset)
    assert rules.model is not None
    without = frozenset({left_out}) if left_out in ALL else ALL
    made = compile_model(rules.model, without=without)
    differs = [code.co_consts for code in made.codes] != [code.co_consts for code in whole.codes]
    assert differs or ruleset == "napoleon"  # which has nothing for some of them to do
    program = Program(made.codes, json.loads(json.dumps(made.data)))
    assert trail(Rules(program, rules.model, rules.target)) == wanted
