"""Test members drawn at random: faces are positions among those left, no draw repeats, an empty set is a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import Rules
from interpreter.play.game import Game
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.localizer import Localizer
from tests.tiny import build, closely, notes, started

RULES = """
    event spots(p: place, more: list of place) "{p}, then {more}"
    procedure one(a: army):
        draw card: {u in units where u.army == a} for a -> u [1.1]
        move u to pile
    procedure some(count_of: int):
        draw numbers: count_of of 1..5 -> drawn
        for n in drawn: report note(n)
    procedure places_left():
        draw spot: {p in places where p.height > 5} -> p
        set p.held = true
    procedure words():
        draw event: [3, 3, 7] -> n
        report note(n)
    procedure then_asked(a: army):
        draw spot: places -> p
        ask(a) -> n
        draw again: 2 of places -> more
        ask(a) -> m
        report note(n + m)
        report spots(p, more)
    procedure outer():
        in_a_call(4) -> n
        report note(n)
    procedure in_a_call(high: int) -> int:
        draw inner: 1..high -> n
        return n
"""


def called(rules: Rules, procedure: str, dice: list[int], **arguments: object) -> Game:
    game = started(rules, dice=dice)
    game.call(procedure, **arguments)
    return game


def faces(game: Game) -> list[tuple[str, tuple[int, ...]]]:
    """Return every roll and draw of a game, by name."""
    return [(e.name, tuple(e.args["faces"])) for e in game.log if e.sort == "roll"]


def test_face_is_place_among_those_left(rules: Rules) -> None:
    game = called(rules, "some", [2, 2, 3], count_of=3)
    assert notes(game) == [2, 3, 5]  # of 1 3 4 5 the second, of 1 4 5 the third
    assert faces(game) == [("numbers", (2,)), ("numbers", (2,)), ("numbers", (3,))]


def test_member_is_drawn_once(rules: Rules) -> None:
    for seed in range(20):
        game = rules.start(empty=True, seed=seed)
        game.call("some", count_of=5)
        assert sorted(notes(game)) == [1, 2, 3, 4, 5]


def test_every_member_can_be_drawn(rules: Rules) -> None:
    drawn = set()
    for seed in range(60):
        game = rules.start(empty=True, seed=seed)
        game.call("some", count_of=1)
        drawn.update(notes(game))
    assert drawn == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(("wanted", "dice", "drawn"), [(0, [], []), (9, [5, 4, 3, 2, 1], [5, 4, 3, 2, 1])])
def test_draw_returns_no_more_members_than_set_has(
    rules: Rules, wanted: int, dice: list[int], drawn: list[int]
) -> None:
    assert notes(called(rules, "some", dice, count_of=wanted)) == drawn


def test_draw_of_one_member_moves_it(rules: Rules) -> None:
    game = called(rules, "one", [3], a="blues")
    assert rules.ask(game, "count(u in units at pile where u.army == blues)") == 1


def test_list_may_hold_equal_members(rules: Rules) -> None:
    assert notes(called(rules, "words", [2])) == [3]
    assert notes(called(rules, "words", [3])) == [7]


def test_drawn_member_is_logged(rules: Rules) -> None:
    game = called(rules, "then_asked", [2, 1, 3], a="reds")
    closely(game, ["say(1)", "say(3)"])
    assert [e.text() for e in game.log if e.sort == "roll"] == ["spot: b", "again: a", "again: d"]
    assert [e.args["drawn"] for e in game.log if e.sort == "roll"] == ["b", "a", "d"]
    lines = list(map(str, EventFormatter(Localizer(rules.program)).render_lines(list(game.log))))
    assert "    Spot: b" in lines and "    Again: a, d" in lines


def test_drawn_numbers_are_logged(rules: Rules) -> None:
    game = called(rules, "words", [3])
    assert [e.text() for e in game.log if e.sort == "roll"] == ["event: 7"]


def test_drawn_record_is_logged_by_number(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        record pair: p: place, n: int
        procedure run(a: army):
            draw two: {pair(q, 1) for q in places} -> x [1.1]
            report note(x.n)
        """,
    )
    game = called(rules, "run", [3], a="reds")
    assert [(e.text(), "drawn" in e.args) for e in game.log if e.sort == "roll"] == [("two: 3", False)]


def test_draw_from_empty_set_is_fault(rules: Rules) -> None:
    game = started(rules)
    with pytest.raises(RuleFault, match="the draw `spot` has nothing to draw from"):
        game.call("places_left")


def test_draw_is_kept_by_decision_after_it(rules: Rules) -> None:
    game = called(rules, "then_asked", [2, 1, 3], a="reds")
    closely(game, ["say(1)", "say(3)"])
    assert notes(game) == [4]
    assert [e.text() for e in game.log if e.name == "spots"] == ["b, then a and d"]


def test_draw_in_procedure_that_is_called(rules: Rules) -> None:
    assert notes(called(rules, "outer", [4])) == [4]


def test_watcher_does_not_draw(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="a draw is not allowed"):
        build(
            tmp_path,
            """
            event shaken(a: army)
            whenever shaken(a):
                draw lot: armies -> b
                set b.score = 1
            procedure run(a: army): report shaken(a)
        """,
        )
