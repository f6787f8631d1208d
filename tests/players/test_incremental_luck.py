"""Luck counted while a game goes on is that of its journal."""

from __future__ import annotations

from itertools import islice

import pytest

from interpreter.api.game import Rules, load
from interpreter.play.game import Game
from interpreter.players.luck.incremental_luck import IncrementalLuck
from interpreter.players.luck.luck_analysis import analyze_game
from interpreter.runtime.dice import SeededDice
from interpreter.saves.recorder import build_journal

SHIPPED = ("napoleon", "denain-1712")


def go_on(game: Game, chance: SeededDice, choices: int) -> None:
    for _ in range(choices):
        if not game.over:
            game.pick(chance.roll(game.count()))


def so_far(rules: Rules, game: Game) -> IncrementalLuck:
    return IncrementalLuck(rules, game, lambda: rules.form("covered"))


@pytest.mark.parametrize("name", SHIPPED)
def test_incremental_luck_equals_luck_of_journal(name: str) -> None:
    rules = load(name)
    game, chance = rules.start(seed=3), SeededDice(3)
    luck = so_far(rules, game)
    go_on(game, chance, 40)
    for _ in islice(luck.iter_steps(), 3):  # left off in the middle of a choice, and taken up later
        pass
    go_on(game, chance, 20)
    found = luck.get_record()
    assert found.side_rolls
    assert found == analyze_game(build_journal(game), load(name), load(name).form("covered"))


def test_incremental_luck_ignores_undone_rolls() -> None:
    rules = load("napoleon")
    game, chance = rules.start(seed=3), SeededDice(3)
    luck = so_far(rules, game)
    go_on(game, chance, 60)
    before = luck.get_record()
    for _ in range(25):
        game.undo()
    go_on(game, SeededDice(4), 30)
    after = luck.get_record()
    assert after.side_rolls != before.side_rolls
    assert after == analyze_game(build_journal(game), load("napoleon"), load("napoleon").form("covered"))
    while game.keys:
        game.undo()
    assert {roll.decision for roll in luck.get_record().side_rolls} == {0}  # what was rolled for the set-up


def test_each_die_is_that_of_side_that_throws_it() -> None:
    rules = load("denain-1712")
    game, chance = rules.start(seed=3), SeededDice(3)
    go_on(game, chance, 400)
    side_rolls = so_far(rules, game).get_record().side_rolls
    assert {roll.side for roll in side_rolls} == {"french", "allied"}
    assert len({roll.dice.name for roll in side_rolls}) > 3
    assert [roll for roll in side_rolls if not roll.is_thrower] == []
