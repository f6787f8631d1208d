"""Faults are told as whose they are, leave nothing half done, and a call begins with nothing of the one before."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.runtime import intrinsics
from interpreter.runtime.errors import IllegalAction, RuleFault
from tests.tiny import build, called, notes, started

NESTED = """
    procedure down(a: army, n: int) at most 3 deep:
        ask(a) -> m
        if m > 0: down(a, n + 1)
    procedure run(a: army):
        set game.kept = 5
        down(a, 1)
        report note(game.kept)
"""


def row_of_places(attributes: str, *values: str) -> dict[str, str]:
    """Return the places a, b, c, d in a row, with these attributes and values."""
    members = ", ".join(f"{place}: {{{own}}}" for place, own in zip("abcd", values, strict=True))
    links = ", ".join(f"{a}-{b}: {{between: [{a}, {b}]}}" for a, b in ("ab", "bc", "cd"))
    return {
        "map.yaml": f"""
            kind: map
            format: 1
            places: {{attributes: {attributes}, members: {{{members}}}}}
            links: {{members: {{{links}}}}}
            holding: {{box: {{one_per: army}}, pile: {{}}}}
            """
    }


def test_call_drops_suspended_frames(tmp_path: Path) -> None:
    game = started(build(tmp_path, NESTED, game={"kept": "{type: int, default: 0, lasts: run}"}))
    for _ in range(5):  # each leaves two calls of `down` that wait for an answer
        game.call("run", a="reds")
        assert game.view()["game"]["kept"] == 5
        game.choose("say(1)")
        game.choose("say(1)")
    game.call("ask", a="reds")
    assert game.view()["game"]["kept"] == 0
    game.call("run", a="reds")
    game.choose("say(0)")
    assert notes(game) == [5]


def test_procedure_may_be_named_call(tmp_path: Path) -> None:
    game = called(
        build(
            tmp_path,
            """
    procedure call(a: army):
        ask(a) -> n
        report note(n)
    procedure again(a: army):
        call(a)
        report note(9)
    """,
        ),
        "call",
        a="reds",
    )
    game.choose("say(2)")
    assert game.idle and notes(game) == [2]
    game.call("again", a="reds")
    game.choose("say(1)")
    assert game.idle and notes(game) == [2, 1, 9]


def test_range_is_list_of_whole_numbers(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
    procedure run(a: army):
        if game.part / 2 in 1..4: report note(1)
        if game.part / 2 not in 1..4: report note(2)
        if game.part / 2 in [1, 2, 3, 4]: report note(3)
        set game.part = 8
        if game.part / 2 in 1..4: report note(4)
        if any x in 1..4 where x == game.part / 2: report note(5)
        if game.part in 9..1: report note(6)
    """,
        game={"part": "{type: number, default: 7}"},
    )
    assert notes(called(rules, "run", a="reds")) == [2, 4, 5]


def test_members_of_set_may_be_missing(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
    record pair: one: maybe unit, two: int
    procedure run(a: army):
        let firsts = {first(u in units where u.army == b and u.at == place("a")) for b in armies}
        report note(count(firsts))
        let pairs = {pair(first(u in units where u.army == b and u.at == place("a")), 1) for b in armies}
        report note(count(pairs + {pair(first(units), 1)} + {pair(first(units), 0)}))
        for p in pairs + {pair(first(units), 0)}: report note(p.two)
    """,
    )
    assert notes(called(rules, "run", a="reds")) == [2, 3, 1, 0, 1]


def test_missing_attribute_off_map_is_reported(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
    procedure look(a: army):
        report note(count(u in units where u on map and u.at.depth > 1))
        report note(count(u in units where u.at.depth == 2))
        report note(count(u in units where u.at.depth > 1))
    procedure lose(a: army):
        move take(1, units) to pile
    """,
        row_of_places("{depth: int}", "depth: 2", "depth: 1", "depth: 1", "depth: 1"),
    )
    game = started(rules)
    game.call("look", a="reds")
    assert notes(game) == [3, 3, 3]
    game.call("lose", a="reds")
    with pytest.raises(RuleFault, match="`pile` is off the map and has no `depth`") as caught:
        game.call("look", a="reds")
    assert (caught.value.file, caught.value.line) == ("tiny/own.rules", 5)
    assert notes(game) == [3, 3, 3, 2, 2]


def test_missing_values_are_equal(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
    procedure look(a: army):
        report note(count(u in units where u.at.held == u.at.owner))
        report note(count(u in units where u.at.held != u.at.owner))
        report note(count(u in units where u.at.held == a))
    procedure lose(a: army):
        set place("a").held = a
        move take(1, units) to pile
    """,
        row_of_places(
            "{owner: army, held: {type: {maybe: army}, default: null, changes: true}}",
            *("owner: reds", "owner: reds", "owner: blues", "owner: blues"),
        ),
    )
    game = started(rules)
    game.call("look", a="reds")
    game.call("lose", a="reds")
    game.call("look", a="reds")
    assert notes(game) == [0, 6, 0, 3, 3, 2]


def test_game_without_record_stops_after_fault(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
    procedure run(a: army):
        ask(a) -> n
        set game.total = 5
        assert n < 2 "{n} is too much"
    """,
    )
    game = rules.start(empty=True, record=False)
    game.call("run", a="reds")
    with pytest.raises(RuleFault, match="3 is too much"):
        game.pick(3)
    for go_on in (lambda: game.pick(0), lambda: game.choose("say(0)"), lambda: game.clone().pick(0)):
        with pytest.raises(IllegalAction, match="3 is too much; "):
            go_on()
    assert game.decision is None and not game.over
    game.call("run", a="reds")
    game.pick(0)
    assert game.idle


def test_internal_error_is_not_reported_as_rules_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = build(tmp_path, "procedure run(a: army): move take(1, units) to pile\n")

    def broken(*_args: object) -> None:
        raise TypeError("a fault of ours")

    for name in [n for n in rules.program.namespace if n in ("_move", "_move_all")]:
        assert name in intrinsics.NAMESPACE
        monkeypatch.setitem(rules.program.namespace, name, broken)
    with pytest.raises(TypeError, match="a fault of ours"):
        started(rules).call("run", a="reds")


@pytest.mark.parametrize("record", [True, False])
def test_fault_met_by_question_has_its_place(record: bool, tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
    draft pile(a: army) starting high = 0:
        option up now high = high + 1:
            require so: 6 / (2 - high) > 0  "no"
        finish require some: high > 5  "too low"
    procedure run(a: army):
        choose spot by a:
            option go(n in 1..2): nothing
            option build: nothing
        if possible pile(a): report note(1)
        pile(a) by a -> p
    """,
    )
    game = started(rules, record=record)
    game.call("run", a="reds")
    with pytest.raises(RuleFault) as caught:
        game.choose("build")
    assert caught.value.line == 4 and "division by zero" in caught.value.message


def test_why_not_is_asked_with_budget_of_its_own(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
    define slow(n: int) = count(x in 1..700 where any y in 1..700 where x + y == 1) + n + game.total
    procedure run(a: army):
        choose spot by a:
            option go(n in 1..2):
                require so: n > 1 or slow(n) > 9  "no"
    """,
    )
    game = called(rules, "run", a="reds")
    for _ in range(12):
        assert [r.text for r in game.why_not("go", n=1)] == ["no"]
