"""Test exact odds of random rules against every fall of the dice, played out one by one."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules, load
from interpreter.play.game import Game
from interpreter.runtime import machine
from interpreter.runtime.errors import RuleFault
from interpreter.tools.odds.resolution import Odds, compute_call_odds, compute_option_odds
from tests.witness.chances import Chances, TooWide, counted, told_of
from tests.witness.field import write
from tests.witness.forms import laid_out

QUICK = range(8)
MANY = range(5_000, 5_600)
ASKING = re.compile(r" {12}option | {16}(require|prefer) ")  # how a row of choices writes its options
WIDEST = 1_500  # the most ways for dice to fall that are played out for one question


def expected(odds: Odds) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for result in odds.results:
        key = told_of(result.outcome)
        found[key] = found.get(key, Fraction(0)) + result.probability
    return found


def nowhere(state: Any) -> bool:
    return False


def agrees(
    odds: Callable[[], Odds],
    game: Game,
    begin: Callable[[Any], None],
    ends: Callable[[Any], bool] = nowhere,
    goes_too_far: Callable[[Any], bool] = nowhere,
    is_behind: Callable[[RuleFault], bool] = nowhere,
) -> int:
    """Return 1 if the odds are exact and every way could be played out, else 0; fail if they differ."""
    before = game.hash()
    try:
        wanted = counted(game.state, begin, WIDEST, ends, goes_too_far)
    except TooWide:
        return 0
    except RuleFault as fault:
        if is_behind(fault):
            return 0
        try:
            found = odds()
        except RuleFault:
            return 1
        agree_up_to_what_is_left_out(found, game, begin, ends)
        return 0
    found = odds()
    assert game.hash() == before
    if not found.exact or any(until.sort == "decision" for until in found.until):
        assert found.decisions or any(until.sort == "decision" for until in found.until)  # dice alone stop nothing
        return 0
    assert expected(found) == wanted
    return 1


def agree_up_to_what_is_left_out(
    found: Odds, game: Game, begin: Callable[[Any], None], ends: Callable[[Any], bool]
) -> None:
    """Check that odds miss a fault only behind decisions that they report as left out: no way up to these has one."""
    left_out = {until.name for until in found.left_out if until.sort == "decision"}
    assert left_out and not found.exact
    decisions = game.program.decisions

    def is_left_out(state: Any) -> bool:
        return state.pending is not None and state.pending[0] >= 0 and decisions[state.pending[0]].name in left_out

    try:
        assert expected(found) == counted(game.state, begin, WIDEST, lambda state: is_left_out(state) or ends(state))
    except TooWide:
        return


def compare(seed: int, folder: Path) -> int:
    """Return the number of compared questions about one random ruleset."""
    rules: Rules = load(str(write(folder, Chances(seed).ruleset())), checked=True)
    game = laid_out(rules.form("play"))
    done = 0
    for name in sorted(name for name in game.program.data["procedures"] if name != "turn"):
        done += agrees(
            lambda name=name: compute_call_odds(rules, game, name, {}),
            game,
            lambda state, name=name: machine.call(state, name, ()),
        )
    return done + asked_in_the_row(rules)


def asked_in_the_row(rules: Rules) -> int:
    """Compare the options of the row of choices, each time the row asks again."""
    game = laid_out(rules.form("play"))
    done = 0
    try:
        game.run(lambda: machine.begin(game.state, game.state.last_turn))
    except RuleFault:
        return 0
    if game.decision is None:
        return 0
    row = game.state.pending[0]
    assert rules.model is not None
    lines = {source.name: source.text.splitlines() for source in rules.model.ruleset.rules}
    for option in game.decision.options[:6]:
        if option.key == "done":
            continue
        done += agrees(
            lambda option=option: compute_option_odds(rules, game, option.key),
            game,
            lambda state, raw=option.raw: machine.answer(state, raw),
            lambda state: state.pending[0] == row,
            # the row is over: dice do not decide where the odds end
            lambda state: state.pending is None or state.turn != game.state.turn,
            # the row cannot be asked again, which happens after the choice
            lambda fault: ASKING.match(lines[fault.file][fault.line - 1]) is not None,
        )
    return done


@pytest.mark.parametrize("seed", QUICK)
def test_exact_odds_of_random_rules(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)


@pytest.mark.soak
def test_exact_odds_of_many_random_rules(tmp_path: Path) -> None:
    done = [compare(seed, tmp_path / str(seed)) for seed in MANY]
    assert sum(done) > 3 * len(done)
