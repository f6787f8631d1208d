"""What hangs on some pieces only: it is kept while others are written, and it is what it would be worked out anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import load
from interpreter.play.game import Game
from interpreter.players.ownership import seats_of
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.draft_completion import is_possible
from interpreter.runtime.drafts import DraftEnds, enumerate_finished
from interpreter.runtime.intrinsics import forget_piece
from interpreter.runtime.state import clone_state
from tests.tiny import build, called, notes, started

HOSTS = """
    define host(a: army) = sum(strong(u) for u in units where u.army == a and u on map)
    define foes(a: army) = sum(strong(u) for u in units where u.army != a and u on map)
    define either(a: maybe army) = host(a else army("reds")) + foes(a else army("reds"))
    define near(a: army) = count(u in units where u.army == a and u on map and any v in units where v.at == u.at)
    define strong(u: unit) = 1 + count(p in places where p == u.at and p.height > 0)

    procedure run(a: army):
        report note(host(a))
        report note(foes(a))
        report note(near(a))
        for u in units:
            if u.army != a: move u to place("a")
        report note(host(a))
        report note(foes(a))
        report note(near(a))
"""


def test_write_to_one_side_keeps_memo_of_others(tmp_path: Path) -> None:
    game = called(build(tmp_path, HOSTS), "run", a="reds")
    assert notes(game) == [6, 3, 3, 6, 6, 3]
    reds, blues = [0], [1]
    whose = game.program.data["whose"]
    assert whose["host"] == 3 * [reds] + 3 * [blues]
    assert whose["foes"] == 3 * [blues] + 3 * [reds]
    assert "near" not in whose and "near" in game.program.remembers


PROSPECTS = """
    define prospects(s: seat) = if s == reds.seat then lead + heights else 0 - lead
    define lead = might({u in units where u.army == army("reds") and u on map}) - might(others)
    define others = {u in units where u.army != army("reds") and u on map}
    define might(force: set of unit) = sum(1 + count(p in places where p == u.at and p.height > 0) for u in force)
    define heights = sum(p.height for p in places) + game.total
    define of_reds = might({u in units where u.army == army("reds") and u on map})

    procedure run(a: army):
        for u in units:
            if u.army != a: move u to place("a")
        report note(shown)

    define shown = sum(p.height for p in places)
"""
JUDGED = 'kind: victory\nformat: 1\nscore: {of: s, value: "1"}\nevaluation: prospects(s) + of_reds\n'


def test_evaluation_terms_are_memoized_by_dependency(tmp_path: Path) -> None:
    game = started(build(tmp_path, PROSPECTS, {"victory.yaml": JUDGED})).trial(SeededDice(1))
    data = game.program.data
    assert {"lead", "others", "heights", "of_reds"} <= data["remembers"].keys(), "rules ask for `shown` as well"
    assert "shown" not in data["remembers"]
    assert data["whose"]["others"] == 3 * [[]] + 3 * [[[]]] and data["whose"]["of_reds"] == 3 * [[[]]] + 3 * [[]]
    assert data["whose"]["heights"] == 6 * [[]] and "lead" not in data["whose"]
    assert (game.evaluation("red_seat"), game.evaluation("blue_seat")) == (12.0, 3.0)
    forget_piece(game.state, "at", 4, 5)
    assert {"heights", "of_reds"} <= game.state.memo.keys() and not {"lead", "others"} & game.state.memo.keys()
    game.call("run", a="reds")
    assert (game.evaluation("red_seat"), game.evaluation("blue_seat")) == (9.0, 6.0)


@pytest.mark.parametrize("name", ["denain-1712", "napoleon"])
def test_memoized_value_equals_recomputed_value(name: str) -> None:
    game = load(name).start(seed=3, record=False).trial(SeededDice(5))
    assert game.program.data["whose"]
    chance, compared = SeededDice(7), 0
    for number in range(300):
        if game.over:
            break
        for seat in seats_of(game):
            game.evaluation(seat)
        if number % 3 == 0:  # original and copy share what neither has written
            game = game.trial(SeededDice(number))
        game.pick(chance.roll(game.count()))
        compared += _compared(game)
    assert compared > 1000


def _compared(game: Game) -> int:
    """How many answers are remembered that hang on some pieces only; each is worked out anew."""
    count, functions = 0, game.program.functions
    for memory in game.program.data["whose"]:
        kind, _, name = memory.rpartition(" ")
        asked = functions[f"{kind}_{name}"] if kind == "marks" else functions.get("d_" + name)
        known = game.state.memo.get(memory, {})
        for key, found in known.items() if isinstance(known, dict) else [((), known)]:
            anew: Any = clone_state(game.state)
            anew.memo = {}
            given = key if isinstance(key, tuple) else (key,)
            if isinstance(found, DraftEnds):
                ends = enumerate_finished(anew, game.program.drafts[name], given).ends
                assert ends == found.ends, (memory, key)
            elif kind == "ends":
                assert is_possible(anew, name, given) is found, (memory, key)
            else:
                assert asked(anew, *given) == found, (memory, key)
            count += 1
    return count
