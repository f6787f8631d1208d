"""Test who takes part in a resolved order on its card, and how a recap names the side of a choice."""

from __future__ import annotations

from types import SimpleNamespace

from interpreter.api.game import load
from interpreter.players.summaries.turn_recap import TurnRecapItem
from interpreter.runtime.localizer import Localizer
from interpreter.view_model.queries.card_sides import Opposition, find_participants
from interpreter.view_model.queries.recap_queries import choose_headline


def test_participants_include_every_defender_of_attacked_places():
    counters = [
        SimpleNamespace(id=name, side=side, place=place)
        for name, side, place in [
            ("r1", "reds", "a"),
            ("b1", "blues", "b"),
            ("b2", "blues", "c"),
            ("b3", "blues", "d"),
            ("g1", "greens", "c"),
        ]
    ]
    seats = {"reds": "first", "blues": "second", "greens": "third"}
    opposition = Opposition("reds", ["reds", "blues"], seats, frozenset({frozenset(("reds", "blues"))}))

    def find(is_preliminary):
        found = find_participants(counters, {"r1", "b1"}, (["b", "c"], ["a"]), opposition, is_preliminary)
        return {side: [counter.id for counter in own] for side, own in found.items()}

    assert find(False) == {"reds": ["r1"], "blues": ["b1", "b2"]}
    assert find(True) == {"reds": ["r1"], "blues": ["b1"]}


def test_sides_with_common_opponent_are_allied_even_in_seats_of_their_own():
    seats = {"blue": "1", "green": "2", "red": "3", "grey": "4"}
    rolled = frozenset((frozenset(("red", "blue")), frozenset(("red", "green"))))
    opposition = Opposition("blue", [], seats, rolled)
    assert [side for side in seats if opposition.is_partner(side)] == ["blue", "green"]


def test_recap_names_side_of_choice_without_result():
    rules = load("napoleon")
    item = TurnRecapItem(1, "austria", "allies", ("do nothing",), (), ())
    chosen = choose_headline(Localizer(rules.program), rules.start(seed=1), [item], ())
    assert chosen == ("Austria: do nothing", "austria")
