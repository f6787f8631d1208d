"""Test the memos of a position: the same answers as without them, and a bounded number."""

from __future__ import annotations

from pathlib import Path

from interpreter.runtime.intrinsics import _MAX_SEARCHES
from tests.tiny import build, called, notes

WAYS = """
    define is_open(shut: set of int, p: place) = p.height not in shut and not p.held
    define steps(shut: set of int, p: place) = distance from place("a") to p through x where is_open(shut, x) else 9
    define worth(shut: set of int) = sum(steps(shut, p) for p in places)

    procedure run(a: army):
        let shut = 10
        let found = 0
        repeat {times} times:
            set found = found + worth({{shut}}) - 5
            set shut = shut + 1
        report note(found)
        report note(steps({{0}}, place("d")))
        report note(steps({{5}}, place("d")))
"""


def test_memo_of_searches_is_bounded_for_endlessly_many_sets(tmp_path: Path) -> None:
    times = _MAX_SEARCHES + 300
    game = called(build(tmp_path, WAYS.format(times=times)), "run", a="reds")
    assert notes(game) == [times, 9, 3]
    kept = {name: len(found) for name, found in game.state.memo.items()}
    assert kept and all(0 < many <= _MAX_SEARCHES for many in kept.values()), kept


def test_edge_value_defaults_exactly_where_places_are_not_linked(tmp_path: Path) -> None:
    game = called(
        build(
            tmp_path,
            """
        procedure run(a: army):
            for p in places:
                for q in places:
                    if p != q:
                        if edge(p, q).river else false: report note(1)
                        if linked(p, q) and not (edge(p, q).river else true): report note(2)
                        if not linked(p, q): report note(if edge(p, q).river else true then 3 else 0)
    """,
        ),
        "run",
        a="reds",
    )
    assert sorted(notes(game)) == [1] * 2 + [2] * 4 + [3] * 6


def test_turn_memo_is_recomputed_in_next_turn(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        define late(p: place) = any q in places where any n in 1..turn where p.height == n and q != p
        define high(p: place) = any q in places where any n in 1..9 where p.height == n and q != p

        turn:
            phase count:
                for s in armies:
                    report note(count(p in places where late(p)))
                    report note(count(p in places where high(p)))
                    if turn == 3: end game drawn
        """,
    )
    game = rules.start(seed=1)
    assert notes(game) == [1, 2, 1, 2, 2, 2, 2, 2, 2, 2]


def test_simultaneous_effects_invalidate_only_slots_they_set(tmp_path: Path) -> None:
    game = called(
        build(
            tmp_path,
            """
        define free(p: place) = any q in places where any n in 0..2 where p.height == n and not p.held and q != p
        define high(p: place) = any q in places where any n in 1..2 where p.height == n and q != p and game.total == 0

        procedure run(a: army):
            let frees = [count(p in places where free(p))]
            let highs = [count(p in places where high(p))]
            together:
                set place("a").held = true
                set place("d").held = true
            set frees = frees + [count(p in places where free(p))]
            set highs = highs + [count(p in places where high(p))]
            for n in frees + highs: report note(n)
    """,
        ),
        "run",
        a="reds",
    )
    assert notes(game) == [4, 2, 2, 2]
    assert {"memo define_free", "memo define_high"} <= set(game.state.memo)
