"""Test that each pass can be left out: the generated code differs, the games do not."""

from __future__ import annotations

import json
from functools import cache
from marshal import dumps
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from interpreter.api.loading import FileSource, load
from interpreter.api.rules import Rules
from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.backends.python.program_printer import compile_program
from interpreter.lowering.model_lowering import lower_model
from interpreter.model.checked_model import CheckedModel
from interpreter.passes.pipeline import PASSES, PYTHON_PASSES
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.program import Program
from tests.bench.classics import FOLDER
from tests.properties.games import GUIDE, RULESETS
from tests.witness.small import model_of
from tests.witness.test_found import FOUND

EVERY_PASS = sorted(PASSES | PYTHON_PASSES)
SMALL = (  # the quickest first
    "a few numbers",
    "what is never allowed is passed over, but for what may fault",
    "who is beset, and marches of which more is told than matters",
    "what is rarely asked",
    "skirmish",
    "a search whose steps are known in part",
    "crossroads",
    "two-rivers",
    "connect_four",
)
LARGE = "denain-1712"  # for passes that change nothing in the others
GAMES = (*SMALL, *(name for name in RULESETS if name not in SMALL))
DECISIONS = 60


def linked(made: CompiledProgram, model: CheckedModel, target: str) -> Rules:
    return Rules(Program(made.codes, json.loads(json.dumps(made.data))), model, target, FileSource(target))


def game_of(name: str) -> Rules:
    if name == LARGE:
        return load(name, checked=True)
    if name == "connect_four":
        return load(FOLDER / name, checked=True)
    if name not in FOUND:
        return (RULESETS | GUIDE)[name]()
    with TemporaryDirectory() as folder:
        model = model_of(Path(folder), FOUND[name])
    return linked(compile_program(lower_model(model, explained=True), model), model, name)


@cache
def played(game: str) -> tuple[Rules, list[tuple[int, str]]]:
    rules = game_of(game)
    return rules, trail(rules)


@cache
def whole(game: str) -> CompiledProgram:
    model = played(game)[0].model
    assert model is not None
    return compile_program(lower_model(model, explained=True), model)


def trail(rules: Rules) -> list[tuple[int, str]]:
    """Return the number of options and the position's hash at each decision, then the rule fault that ended play."""
    game, choices = rules.start(seed=5, record=False), SeededDice(77)
    found = []
    try:
        while not game.over and len(found) < DECISIONS:
            options = game.count()
            found.append((options, game.hash()))
            game.pick(choices.roll(options) if options > 1 else 0)
    except RuleFault as fault:
        found.append((-1, str(fault)))
    return found


def plays_alike(game: str, left_out: str) -> bool:
    """Compile without a pass and play if the code differs; return whether it does."""
    (rules, wanted), usual = played(game), whole(game)
    assert rules.model is not None
    made = compile_program(lower_model(rules.model, explained=True), rules.model, without=(left_out,))
    if list(map(dumps, made.codes)) == list(map(dumps, usual.codes)):
        return False
    assert trail(linked(made, rules.model, rules.target)) == wanted
    return True


@pytest.mark.parametrize("left_out", EVERY_PASS)
def test_pass_changes_nothing_but_speed(left_out: str) -> None:
    """Check the first game whose code the pass changes; there must be one."""
    assert any(plays_alike(game, left_out) for game in (*SMALL, LARGE))


@pytest.mark.parametrize("game", GAMES)
def test_all_passes_together_change_nothing_but_speed(game: str) -> None:
    """Check all passes at once, so that a difference in any game is found whichever pass causes it."""
    rules, wanted = played(game)
    assert rules.model is not None
    made = compile_program(lower_model(rules.model, explained=True), rules.model, without=EVERY_PASS)
    assert trail(linked(made, rules.model, rules.target)) == wanted


@pytest.mark.soak
@pytest.mark.parametrize("left_out", EVERY_PASS)
def test_pass_changes_nothing_in_any_game(left_out: str) -> None:
    for game in GAMES:
        plays_alike(game, left_out)  # some passes change nothing in this game
