"""The state as a value: copies, digests, JSON and back."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules
from interpreter.runtime.state import (
    build_state_class,
    compute_state_hash,
    from_json,
    restore,
    serialize_state,
    to_json,
)
from tests.tiny import build, closely, reborn, started

VALUES = [
    0,
    -3,
    True,
    False,
    None,
    "word",
    Fraction(1, 2),
    Fraction(-7, 3),
    (),
    (1, 2),
    ((1, (2, "x")), None),
    (Fraction(1, 3), (True, ())),
    ("loss", 2),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_come_back_as_they_were(value: Any) -> None:
    back = from_json(json.loads(json.dumps(to_json(value))))
    assert back == value
    assert type(back) is type(value)


def test_class_of_ruleset_has_slot_for_each_column() -> None:
    cls = build_state_class(["c0", "c1"], ["g0"])
    assert cls is not build_state_class(["c0"], [])
    with pytest.raises(AttributeError):
        cls().c2 = 1  # type: ignore[attr-defined]


RULES = """
    procedure run(a: army):
        let part = 1 / 3
        ask(a) -> n
        set a.supply = n + part
        set a.goal = b
        set a.seen = {b, c}
        set game.order = [blues, reds]
        set hill_of().held = true
        ask(a) -> m
        move take(m, units at a.home) to c
        for u in units at c: set u.condition = worn
        ask(a) -> k
    define hill_of() = a
"""
SIDE = {
    "supply": "{type: number, default: 0, changes: true}",
    "goal": "{type: {maybe: place}, default: null, changes: true}",
    "seen": "{type: {set_of: place}, default: [], changes: true}",
}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return build(
        tmp_path_factory.mktemp("state"), RULES, side=SIDE, game={"order": "{type: {list_of: side}, default: []}"}
    )


def test_attributes_of_every_type_survive(rules: Rules) -> None:
    game = started(rules)
    game.call("run", a="reds")
    closely(game, ["say(2)", "say(2)", "say(0)"])
    view = game.view()
    assert view["sides"]["reds"] == {
        "seat": "red_seat",
        "score": 0,
        "spirit": "steady",
        "supply": "7/3",
        "goal": "b",
        "seen": ["b", "c"],
    }
    assert view["game"] == {"total": 0, "order": ["blues", "reds"]}
    assert view["places"]["a"] == {"held": True}
    assert [view["pieces"][f"red-{n}"] for n in (1, 2, 3)] == [
        {"at": "c", "condition": "worn"},
        {"at": "c", "condition": "worn"},
        {"at": "a", "condition": "fresh"},
    ]
    assert reborn(game).view() == view
    json.dumps(view)


def test_clone_shares_no_mutable_data(rules: Rules) -> None:
    game = started(rules)
    game.call("run", a="reds")
    clone = game.clone()
    before = json.dumps(game.data(), sort_keys=True)
    while clone.decision is not None:
        clone.pick(2)
    clone.edit(pieces={"blue-1": {"at": "b"}}, sides={"blues": {"score": 9}}, game={"total": 5})
    assert json.dumps(game.data(), sort_keys=True) == before
    assert clone.hash() != game.hash()


def test_digest_knows_every_part_of_state(rules: Rules) -> None:
    def fresh() -> Any:
        game = started(rules, seed=1)
        game.call("run", a="reds")
        return game

    digests = [fresh().hash()]
    for change in (
        {"pieces": {"red-1": {"at": "b"}}},
        {"pieces": {"red-1": {"condition": "worn"}}},
        {"sides": {"reds": {"supply": 1}}},
        {"sides": {"reds": {"seat": "blue_seat"}}},
        {"game": {"total": 1}},
        {"game": {"turn": 2}},
        {"places": {"b": {"held": True}}},
    ):
        game = fresh()
        game.edit(**change)
        digests.append(game.hash())
    game = fresh()
    game.state.dice.roll(6)
    digests.append(game.hash())
    game = fresh()
    game.choose("say(0)")
    digests.append(game.hash())
    assert len(set(digests)) == len(digests)
    assert fresh().hash() == digests[0]


def test_equal_states_by_other_ways_have_equal_digests(rules: Rules) -> None:
    one, other = started(rules), started(rules)
    one.edit(pieces={"red-1": {"at": "b"}})
    one.edit(pieces={"red-2": {"at": "b"}})
    other.edit(pieces={"red-2": {"at": "c"}})
    other.edit(pieces={"red-2": {"at": "b"}, "red-1": {"at": "b"}})
    assert one.hash() == other.hash()
    assert one.state.occ == other.state.occ


def test_state_written_twice_is_same_text(rules: Rules) -> None:
    game = started(rules)
    game.call("run", a="reds")
    first = json.dumps(serialize_state(game.state), sort_keys=True)
    again = reborn(game)
    assert json.dumps(serialize_state(again.state), sort_keys=True) == first
    assert compute_state_hash(again.state) == compute_state_hash(game.state)


def test_piece_index_is_recomputed(rules: Rules, tmp_path: Path) -> None:
    game = started(rules)
    game.edit(pieces={"red-3": {"at": "pile"}, "blue-1": {"at": "a"}})
    state = game.program.create_state()
    restore(state, json.loads(json.dumps(game.data())))
    assert state.occ == game.state.occ
