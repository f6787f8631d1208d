"""Every place can be looked at, also those beside the map."""

from __future__ import annotations

import pytest

from interpreter.api.game import load
from interpreter.players.narration.localizer import Localizer
from interpreter.players.narration.lookup import look_lines
from interpreter.players.orders.name_index import NameIndex


@pytest.mark.parametrize("name", ["napoleon", "denain-1712"])
def test_every_sort_of_place_can_be_looked_at(name: str) -> None:
    game = load(name).start(seed=1)
    lexicon = NameIndex(game, Localizer(game.program))
    places = [p for p, is_on in zip(game.program.ids["place"], game.program.on_map, strict=True) if not is_on]
    for place in [*places, game.program.ids["place"][0]]:
        assert look_lines(place, game, lexicon)
