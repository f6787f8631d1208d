"""Every place can be looked at, also those beside the map."""

from __future__ import annotations

import pytest

from interpreter.api.game import load
from interpreter.players.narration.lookup import render_look
from interpreter.players.narration.piece_lines import render_piece
from interpreter.players.narration.place_lines import render_reachability
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.localizer import Localizer
from tests.recordings import assert_recorded


@pytest.mark.parametrize("name", ["napoleon", "denain-1712"])
def test_every_sort_of_place_can_be_looked_at(name: str) -> None:
    game = load(name).start(seed=1)
    lexicon = NameIndex(game, Localizer(game.program))
    places = [p for p, is_on in zip(game.program.ids["place"], game.program.on_map, strict=True) if not is_on]
    for place in [*places, game.program.ids["place"][0]]:
        assert render_look(place, game, lexicon)


def test_alike_reachable_pieces_are_counted() -> None:
    game = load("napoleon").start(seed=3)
    game.choose("move_combat")
    (line,) = render_reachability(game, "austria", Localizer(game.program))
    assert_recorded(line)


def test_alike_piece_is_described_by_sort_and_neighbours_counted() -> None:
    game = load("napoleon").start(seed=3)
    pieces = game.view()["pieces"]
    prussian = next(piece for piece, has in pieces.items() if has["at"] == "prussia")
    title, *told = list(map(str, render_piece(prussian, game, NameIndex(game, Localizer(game.program)))))
    assert title == "Prussian unit: Prussia"
    near = next(line for line in told if "6 Austrian units" in line)
    assert_recorded(near)
    assert near.endswith("6 Austrian units (Austria)"), "the place is told too"


def test_piece_off_map_is_adjacent_to_nothing() -> None:
    game = load("denain-1712").start(scenario="north_wall", seed=3)
    piece = game.program.ids["piece"][0]
    assert not game.program.on_map[game.state.at[0]]
    told = list(map(str, render_piece(piece, game, NameIndex(game, Localizer(game.program)))))
    assert told[0].endswith(": off the map") and not any("adjacent pieces" in line for line in told)
