"""Expressions asked from outside: on the command line, in the position of a case, at the prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import load
from tests.recordings import assert_recorded, lines_with
from tests.tiny import write

from .conftest import Run

RULES = """\
record pair: one: int, other: place

define taller(n: int) -> int [1.1] = count(p in places where p on map and p.height > n)

define both -> pair [1.1] = pair(2, c)

procedure climb(a: army) [1.1]:
    choose where_to by a "whither":
        option to_top(p in {x in places where x.height > 0}):
            set p.held = true
            report note(p.height)
"""
CASES = """\
kind: cases
format: 1
cases:
  T1:
    title: the reds climb
    given: {pieces: {b: {reds: {worn: 2}}}, places: {a: {held: true}}}
    when: [{call: climb, args: {a: reds}, choices: [{where_to: to_top(c)}]}]
    then: {places: {c: {held: true}}}
  T2:
    title: nothing is asked
    when: [{ask: taller(0)}]
    then: {value: 2}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path, RULES.replace(" on map and p", ""), {"tests/t.yaml": CASES})


def test_ask_distinguishes_scenario_from_case(run: Run, folder: Path) -> None:
    assert run("ask", folder, "count(units at b)").out == "0\n"
    assert run("ask", folder, "count(units at b)", "--position", "T1").out == "2\n"
    assert run("ask", folder, "{p in places where p.held}", "--position", "t.yaml:T1").out.split() == ["a"]


def test_value_is_given_as_case_writes_it_with_its_type(run: Run, folder: Path) -> None:
    assert run("ask", folder, "both").out == "one 2, other c\n"
    found = run("ask", folder, "{p in places where p.height > 0}", "--format", "json").json()
    assert (found["value"], found["type"]) == (["a", "c"], "set of place")
    assert run("ask", folder, "both", "--format", "json").json()["value"] == {"one": 2, "other": "c"}


@pytest.mark.parametrize(
    ("expression", "code", "told"),
    [
        ("", 2, "expected an expression"),
        ("taller(", 2, "expression:1:"),
        ("taller(1", 2, "expression:1:"),
        ("taler(1)", 2, "did you mean `taller`"),
        ('taller("x")', 2, "expression:1:8"),
        ("1 / taller(9)", 1, "division by zero"),
        ("count(n in 1..999999)", 1, "at most"),
        ("日本", 2, "expression:1:1"),
    ],
)
def test_invalid_question_is_reported(run: Run, folder: Path, expression: str, code: int, told: str) -> None:
    done = run("ask", folder, expression)
    assert (done.code, done.out) == (code, "")
    assert told in done.err and "Traceback" not in done.err and "a bug in grognard:" not in done.err


def test_position_that_is_not_there_or_is_given_twice_is_wrong_usage(run: Run, folder: Path) -> None:
    assert "did you mean `T1`" in run("ask", folder, "1", "--position", "T11").err
    done = run("ask", folder, "1", "--position", "T1", "--scenario", "plain")
    assert done.code == 2 and "leave those out" in done.err


def test_ask_leaves_game_unchanged(folder: Path) -> None:
    rules = load(folder, checked=True)
    game = rules.start(seed=4)
    before = game.hash()
    rules.ask(game, "taller(0)")
    assert game.hash() == before


def test_game_can_begin_in_position_of_case(run: Run, folder: Path) -> None:
    done = run("play", folder, "--position", "T1", fed="ask count(units at b)\nask taler(1)\n2\n")
    assert "whither" in done.out and "\n2\n" in done.out and "did you mean `taller`" in done.out
    assert_recorded(lines_with(done.out, "ended", "Stopped"))
    assert run("play", folder, "--position", "T2").code == 2
    assert run("play", folder, "--position", "T1", "--name", "x").code == 2
