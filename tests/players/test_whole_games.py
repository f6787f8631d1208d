"""A whole game of each shipped ruleset at the prompt: by numbers alone, and by the printed words alone."""

from __future__ import annotations

import pytest

from interpreter.api.game import load
from tests.players.typist import Typist, sit_down


@pytest.mark.parametrize(
    ("ruleset", "by_words"),
    [
        pytest.param("napoleon", False, id="napoleon-numbers"),
        pytest.param("napoleon", True, id="napoleon-words"),
        pytest.param("denain-1712", True, id="denain-1712-words"),
        pytest.param("denain-1712", False, id="denain-1712-numbers", marks=pytest.mark.soak),
    ],
)
def test_typist_plays_whole_game(ruleset: str, by_words: bool) -> None:
    rules = load(ruleset)
    game = rules.start(seed=11)
    screen = Typist(by_words, seed=5)
    assert sit_down(rules, game, screen).play(), f"stopped after {len(screen.typed)} lines; {screen.refused[-3:]}"
    assert game.over
    assert screen.refused == []
    again = rules.start(seed=11)
    for key in game.keys:
        again.choose(key)
    assert again.hash() == game.hash()
