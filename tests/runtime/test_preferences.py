"""Test the reason why an option is passed over: the first preference that excludes it, in its own words."""

from __future__ import annotations

import pytest

from interpreter.api.game import Rules
from interpreter.runtime.errors import IllegalAction
from tests.recordings import assert_recorded
from tests.tiny import called, option_keys

RULES = """
    procedure run(a: army):
        choose go by a:
            option go(p in places) "to {p}" [1.1]:
                require dry: not p.held  "{p} is held"
                prefer p.height > 0  "{p} is low ground" [1.2]
                prefer least p.height  "{p} is too high" [1.1]
    procedure silent(a: army):
        choose go by a:
            option go(p in places) [1.1]:
                prefer most p.height [1.2]
                prefer p == hidden_place  "this is not the place"
    define hidden_place = place("b")
    procedure in_vain(a: army):
        choose go by a:
            option go(p in places):
                prefer p.height > 9  "{p} is no mountain"
                prefer least spaces_away(p)  "{p} is far away"
    define spaces_away(p: place) = distance from place("a") to p else 99
    procedure pair(a: army):
        choose pair by a:
            option both_of(p in places, q in neighbours(p)):
                prefer p.height == 1  "begin high, not at {p}"
                prefer most q.height  "{q} is not the highest neighbour of {p}"
"""


def test_preference_keeps_best_options(rules: Rules) -> None:
    assert option_keys(called(rules, "run", a="reds")) == ["go(a)"]
    assert option_keys(called(rules, "in_vain", a="reds")) == ["go(a)"]


@pytest.mark.parametrize(
    ("place", "words", "cite"),
    [("b", "b is low ground", ("1.2",)), ("c", "c is too high", ("1.1",)), ("d", "d is low ground", ("1.2",))],
)
def test_preference_that_ruled_it_out(rules: Rules, place: str, words: str, cite: tuple[str, ...]) -> None:
    game = called(rules, "run", a="reds")
    (reason,) = game.why_not("go", p=place)
    assert (reason.text, reason.cite) == (words, cite)
    with pytest.raises(IllegalAction, match=words):
        game.choose(f"go({place})")


def test_unmet_preference_keeps_all_options(rules: Rules) -> None:
    game = called(rules, "in_vain", a="reds")
    assert [r.text for r in game.why_not("go", p="c")] == ["c is far away"]
    assert game.why_not("go", p="a") == ()


def test_preference_without_text_is_explained_by_citation(rules: Rules) -> None:
    game = called(rules, "silent", a="reds")
    (reason,) = game.why_not("go", p="a")
    assert reason.cite == ("1.2",)
    assert_recorded(reason.text)


def test_preference_ranks_options_of_several_parameters(rules: Rules) -> None:
    game = called(rules, "pair", a="reds")
    assert option_keys(game) == ["both_of(a, b)"]
    assert [r.text for r in game.why_not("both_of", p="b", q="c")] == ["begin high, not at b"]
