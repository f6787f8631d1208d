"""Orders for several pieces at once: dice, stops and undo."""

from __future__ import annotations

import pytest

from interpreter.api.game import load
from interpreter.play.game import Game
from interpreter.players.bots.registry import make_bots
from interpreter.players.orders.bulk_orders import compute_distances, list_orderable_pieces
from interpreter.players.orders.group_orders import (
    GroupEnd,
    GroupResult,
    compute_forward_distances,
    find_undo_point,
    format_result,
    send_each,
)
from tests.tiny import DISTINCT_UNITS, build

PIECES = f"""\
{DISTINCT_UNITS}\
  first: {{class: unit, army: reds, at: a}}
  second: {{class: unit, army: reds, at: b}}
  third: {{class: unit, army: reds, at: b}}
  enemy: {{class: unit, army: blues, at: d}}
"""
RULES = """
    turn:
        phase orders:
            choose marching by reds "who goes?" repeat until done:
                option go(u in units, p in neighbours(u.at)):
                    require own: u.army == reds "it is not yours"
                    require fresh: u.condition == fresh "it has moved"
                    require calm: {calm} "the storm has begun"
                    set u.condition = worn
                    move u to p
                    if p.height == 2:
                        roll storm: die by reds for reds -> fallen
                        set game.total = game.total + fallen
                    {after}
        phase others:
            choose answer by blues "and you?":
                option pass
                option stay
    """


def started(tmp_path, calm: str = "true", after: str = "nothing") -> Game:
    rules = build(tmp_path, RULES.format(calm=calm, after=after), {"pieces.yaml": PIECES})
    return rules.start(seed=1)


def order_all(game: Game, with_dice: bool = False):
    def order(way) -> bool:
        game.choose(way.key)
        return True

    goal = compute_distances(game, [game.program.handles["place"]["d"]])
    return send_each(game, list_orderable_pieces(game), goal, False, order, with_dice=with_dice)


def test_group_order_leaves_out_orders_with_dice_until_player_agrees(tmp_path):
    game = started(tmp_path)
    found = order_all(game)
    assert (found.sent, found.risky, found.rolls) == (1, ("second", "third"), ("storm",))
    assert found.end is GroupEnd.COMPLETE and not found.left
    found = order_all(game, with_dice=True)
    assert (found.sent, found.risky, found.end) == (2, (), GroupEnd.COMPLETE)


@pytest.mark.parametrize(
    ("calm", "sent"), [("game.total == 0 or p.height != 2", 1), ("p.height != 2 or game.total < 100", 2)]
)
def test_group_order_stops_when_dice_change_orders_of_rest(tmp_path, calm, sent):
    game = started(tmp_path, calm)
    order_all(game)
    found = order_all(game, with_dice=True)
    assert found.sent == sent and len(found.left) == 2 - sent
    assert (found.end is GroupEnd.CHANGED) == (sent == 1)


def test_group_order_stops_at_order_that_asks_something(tmp_path):
    game = started(tmp_path, after="if u.at == c: ask(reds)")
    found = order_all(game, with_dice=True)
    assert found.end is GroupEnd.ASKED and game.decision.name == "answer"
    assert len(found.left) + found.sent == 3


def test_orders_undone_as_one_never_cross_roll(tmp_path):
    game = started(tmp_path)
    order_all(game)
    assert find_undo_point(game, 0) == 0
    order_all(game, with_dice=True)
    assert find_undo_point(game, 0) == len(game.keys) == 3


def test_result_lines_say_what_moved_before_what_did_not(tmp_path):
    game = started(tmp_path)
    localizer = game.program.get_localizer("")
    stuck = GroupResult(5, stuck=("first",), total=6)
    assert format_result(stuck, localizer) == ("5 of 6 units moved", "first cannot get closer to the enemy")
    assert format_result(stuck, localizer, "d")[1].startswith("first cannot get closer to ")
    assert format_result(GroupResult(2, total=2), localizer) == ()
    rolls = format_result(GroupResult(0, risky=("second",), rolls=("storm",), total=1), localizer)
    assert len(rolls) == 1 and rolls[0].endswith("second"), "nothing moved"


def test_group_order_tells_pieces_at_goal_from_those_that_cannot_get_closer(tmp_path):
    game = started(tmp_path)
    goal = compute_distances(game, [game.program.handles["place"]["a"]])
    found = send_each(game, ["first", "second"], goal, False, lambda way: game.choose(way.key) is None)
    assert (found.near, found.total) == (("first",), 2)


def test_group_order_tells_pieces_kept_out_of_stacks_from_those_that_cannot_get_closer():
    """Regression: a piece that could only get closer by joining a stack "cannot get closer to the enemy"."""
    rules = load("denain-1712")
    game = rules.start(seed=1)
    bots = make_bots(dict.fromkeys(rules.program.ids["seat"], "random"), 1)
    while len(game.keys) < 11:
        game.pick(bots[game.decision.seat].choose(game))
    found = send_each(
        game, ["la_marine"], compute_forward_distances(game), True, lambda way: game.choose(way.key) is None
    )
    assert (found.apart, found.stuck) == (("la_marine",), ())
    (_moved, line) = format_result(GroupResult(5, apart=("la_marine",), total=6), game.program.get_localizer(""))
    assert line == "not moved, because they would join a stack: La Marine"
