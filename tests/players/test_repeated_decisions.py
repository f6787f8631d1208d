"""Greedy bots in rows of choices: an order and what follows it are one look, a row is not broken off while something
in it gains, and what pays only after the row is found where nothing differs at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import Rules, load
from interpreter.play.bot import Bot
from interpreter.play.game import Game
from interpreter.players.bots.greedy import GreedyPlayer
from interpreter.players.bots.registry import RandomPlayer
from tests.docs import blocks
from tests.tiny import SUM_OF_SCORES, build

SEATS = ("red_seat", "blue_seat")

# Thirty wagons start at the beginning of a road of many steps; an order gains nothing until the wagon has left.
CONVOY = """
    draft drive(w: wagon) starting gone = 0, lane = 0:
        option on(n in 1..6) now gone = gone + n then stop
        option aside(n in 1..9) now lane = n then stop
        finish require moved: gone + lane > 0 "no way"

    turn:
        phase march:
            choose moving by reds "who goes?" repeat until done:
                option order(w in wagons):
                    require once: not w.moved "{w} has gone"
                    drive(w) by reds -> way
                    set w.moved = true
                    set w.steps = w.steps + way.gone
        phase rest:
            if turn == 2: end game drawn
"""
WAGONS = {
    "wagons.yaml": """
        kind: pieces
        format: 1
        classes:
          wagon:
            many: wagons
            attributes:
              moved: {type: flag, lasts: turn}
              steps: {type: int, default: 0, changes: true}
        pieces:
          wagon: {class: wagon, count: 30, at: a}
    """,
    "victory.yaml": """
        kind: victory
        format: 1
        score: {of: p, value: "sum(w.steps for w in wagons)"}
        evaluation: "sum(w.steps for w in wagons)"
    """,
}

# Readying costs a choice and shows in no score; only the shot that follows in another phase pays, and only then.
AMBUSH = """
    turn:
        phase ready:
            choose aim by reds "who aims?" repeat until done:
                option take_aim(u in {v in units where v.army == reds}):
                    require once: not u.moved "{u} aims already"
                    set u.moved = true
        phase shots:
            choose shot by reds "who shoots?" repeat until done:
                option shoot(u in {v in units where v.army == reds}):
                    require ready: u.moved "{u} has not aimed"
                    set u.moved = false
                    raise reds.score by 1
                option cry
        phase rest:
            if turn == 2: end game drawn
"""


def play(rules: Rules, seed: int, players: dict[str, Bot]) -> Game:
    game = rules.start(seed=seed, record=False)
    while not game.over:
        assert game.decision is not None
        game.pick(players[game.decision.seat].choose(game))
    return game


def test_row_is_not_ended_while_something_in_it_gains(tmp_path: Path) -> None:
    """Check that all thirty wagons go as far as they can, though no order gains before the drive that follows."""
    rules = build(tmp_path, CONVOY, WAGONS)
    for seed in range(3):
        game = play(rules, seed, {s: GreedyPlayer(s, seed) for s in SEATS})
        assert game.scores()["red_seat"] == 2 * 30 * 6


def test_delayed_payoff_after_row_is_found(tmp_path: Path) -> None:
    """Check that a choice is evaluated in the next phase, if nothing changes the score before."""
    rules = build(tmp_path, AMBUSH, SUM_OF_SCORES, unit={"moved": "{type: flag, changes: true}"})
    game = play(rules, 1, {s: GreedyPlayer(s, 4) for s in SEATS})
    assert game.scores()["red_seat"] == 6


def test_choosing_in_rows_leaves_game_alone_and_is_repeatable(tmp_path: Path) -> None:
    rules = build(tmp_path, CONVOY, WAGONS)
    chosen = []
    for _ in range(2):
        bot, game = GreedyPlayer("red_seat", 9), rules.start(seed=3, record=False)
        row = []
        for _ in range(12):
            before = game.hash()
            row.append(bot.choose(game))
            assert game.hash() == before
            game.pick(row[-1])
        chosen.append(row)
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize(("page", "least"), [("hexes.md", 10), ("tutorial.md", 11)])
def test_games_of_guide_are_played_better_than_by_chance(page: str, least: int, tmp_path: Path) -> None:
    """Play twelve games, six from each side; draws count for neither: two games of the first page are drawn."""
    rules = load(blocks.write_all(page, tmp_path))
    won = 0
    for seed in range(6):
        seats = list(rules.start(seed=0, record=False).scores())
        for seat, other in (seats, seats[::-1]):
            game = play(rules, seed, {seat: GreedyPlayer(seat, seed + 100), other: RandomPlayer(seed + 500)})
            won += game.outcome is not None and game.outcome.winner == seat
    assert won >= least
