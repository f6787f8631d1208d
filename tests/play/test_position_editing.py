"""Positions set up by hand: where that is refused the message says how it can be done."""

from __future__ import annotations

import pytest

from interpreter.api.game import load
from interpreter.play.position_editing import convert_procedure_arguments
from interpreter.runtime.errors import SetupError


def test_edit_during_set_up_names_empty_start() -> None:
    game = load("denain-1712").start()
    before = game.hash()
    everybody = {piece: {"at": "off_map"} for piece in game.program.ids["piece"]}
    with pytest.raises(SetupError) as refused:
        game.edit(pieces=everybody)
    assert "`set_up`" in str(refused.value)
    assert "start(empty=True)" in str(refused.value)
    assert game.hash() == before


def test_edit_of_empty_game_takes_any_position() -> None:
    game = load("denain-1712").start(empty=True)
    game.edit(pieces={"royal": {"at": "2207"}})
    assert game.decision is None
    assert game.view()["pieces"]["royal"]["at"] == "2207"


def test_set_given_to_call_has_order_of_sets() -> None:
    game = load("denain-1712").start(empty=True)
    given = {"s": "french", "attackers": [], "defenders": ["albemarle-1", "kettler-1", "albemarle-1"]}
    handles = [game.program.handles["piece"][piece] for piece in ("kettler-1", "albemarle-1")]
    assert convert_procedure_arguments(game.state, "reactions", given)[2] == tuple(handles)
