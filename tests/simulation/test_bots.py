"""The random bot and the seats it plays."""

from __future__ import annotations

from interpreter.api.game import load
from interpreter.players.bots.registry import RandomPlayer, make_bots
from interpreter.players.ownership import list_seats, map_sides_to_seats


def test_equal_seeds_choose_alike_and_within_options() -> None:
    game = load("napoleon").start(seed=1, record=False)
    first, again = RandomPlayer(5), RandomPlayer(5)
    for _ in range(50):
        number = first.choose(game)
        assert number == again.choose(game)
        assert 0 <= number < game.count()
        game.pick(number)


def test_choosing_does_not_change_game() -> None:
    game = load("napoleon").start(seed=1)
    before = game.hash()
    RandomPlayer(5).choose(game)
    assert game.hash() == before


def test_bots_do_not_roll_dice_of_game() -> None:
    bots = make_bots({"a": "random", "b": "human", "c": "random"}, 3)
    assert set(bots) == {"a", "c"}
    assert bots["a"] is bots["c"]


def test_seats_follow_options() -> None:
    rules = load("napoleon")
    assert list_seats(rules.start()) == ["france", "allies"]
    shared = rules.start(options=["multiplayer=2"])
    assert len(list_seats(shared)) == 3
    assert map_sides_to_seats(shared)["france"] == "france"
