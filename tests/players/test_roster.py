"""Names of bots and their budgets."""

from __future__ import annotations

import pytest

from interpreter.players.bots.greedy import GreedyPlayer
from interpreter.players.bots.registry import (
    BOTS,
    HUMAN,
    RandomPlayer,
    check_player_name,
    is_bot,
    is_timed,
    make_bots,
    read_budget,
)
from interpreter.players.bots.search.mcts_player import MctsPlayer


def test_budget_is_playouts_or_seconds() -> None:
    assert read_budget("200").playouts == 200
    assert (read_budget("200").seconds, read_budget("2s").seconds, read_budget("0.5s").seconds) == (0.0, 2.0, 0.5)


@pytest.mark.parametrize(
    "text", ["", "0", "-3", "-3s", "0s", "s", ".s", "1e3", "1e3s", "nans", "²", "9" * 30, "9" * 30 + "s"]
)
def test_malformed_budget_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="search:200 means"):
        read_budget(text)


def test_invalid_player_name_is_explained() -> None:
    assert check_player_name("search:5", BOTS) == check_player_name("human", (HUMAN, *BOTS)) == ""
    assert "did you mean `search`?" in check_player_name("serch", BOTS)
    assert "did you mean `search`?" in check_player_name("serch:20", BOTS)
    assert "`greedy` has no budget" in check_player_name("greedy:5", BOTS)
    assert "available here:" in check_player_name("zzzzzz", BOTS)


def test_player_names_are_classified() -> None:
    assert [p for p in ("random", "greedy", "search", "search:3", "search:1s", "human", "search:0") if is_bot(p)] == [
        "random",
        "greedy",
        "search",
        "search:3",
        "search:1s",
    ]
    assert [p for p in ("random", "greedy", "search", "search:3", "search:1s") if is_timed(p)] == ["search:1s"]


def test_every_seat_has_its_own_stream() -> None:
    seats = {"a": "greedy", "b": "greedy", "c": "search:9", "d": "random", "e": "random", "f": "human"}
    bots = make_bots(seats, 3)
    assert set(bots) == {"a", "b", "c", "d", "e"}
    first, second, third = bots["a"], bots["b"], bots["c"]
    assert isinstance(first, GreedyPlayer) and isinstance(second, GreedyPlayer)
    assert first._stream.seed != second._stream.seed
    assert isinstance(third, MctsPlayer) and third.budget.playouts == 9
    assert bots["d"] is bots["e"] and isinstance(bots["d"], RandomPlayer)
