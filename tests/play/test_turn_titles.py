"""Test the turn counter: first turns, last turns, and titles of turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import check
from interpreter.play.template_values import format_turn_title
from tests.tiny import build, closely, notes, write

RULES = """
turn:
    phase only_phase:
        report note(turn)
        if turn == last_turn: report note(0)
        choose go_on by reds alone:
            option yes:
                set game.total = turn
            option no
"""
LATE = """
kind: scenario
format: 1
id: plain
title: Plain
default: true
turn: 7
turns: 8
turn_titles: {8: "the end of {value.year}"}
"""
TITLED = {
    "scenarios/plain.yaml": LATE,
    "tables.yaml": """
kind: tables
format: 1
values: {year: 1812}
tables:
  month:
    axes: {turn: {range: 1..7}}
    gives: {one_of: [may, june, july]}
    cells: [may, may, may, june, june, july, july]
""",
}


def titled(tmp_path: Path, title: str) -> dict[str, str]:
    text = (write(tmp_path, RULES, TITLED) / "ruleset.yaml").read_text()
    return {**TITLED, "ruleset.yaml": text.replace("title: Tiny\n", f"title: Tiny\nturn: {{title: {title}}}\n")}


def test_scenario_begins_and_ends_with_its_turns(tmp_path: Path) -> None:
    game = build(tmp_path, RULES, TITLED).start()
    assert (game.turn, game.state.last_turn, notes(game)) == (7, 8, [7])
    closely(game, ["yes", "yes"])
    assert (notes(game), game.over, game.outcome.winner) == ([7, 8, 0], True, "draw")


def test_called_turn_moves_clock_as_play_does(tmp_path: Path) -> None:
    rules = build(tmp_path, RULES, TITLED, side={"tired": "{type: flag, lasts: turn}"})
    game = rules.start(empty=True)
    assert (game.turn, game.state.last_turn) == (7, 8)
    game.edit(sides={"reds": {"tired": True}})
    game.call("turn")
    assert game.view()["sides"]["reds"]["tired"]
    game.choose("yes")
    assert (game.turn, game.over, game.idle, game.view()["sides"]["reds"]["tired"]) == (8, False, True, False)
    game.call("turn")
    game.choose("yes")
    assert (game.turn, game.over, notes(game)) == (8, True, [7, 8, 0])


def test_titles_follow_number(tmp_path: Path) -> None:
    rules = build(tmp_path, RULES, titled(tmp_path, '"{month[turn]} {value.year}"'))
    game = rules.start()
    game.choose("yes")
    told = [(e.args, e.text()) for e in game.log if e.sort == "turn"]
    assert told == [
        ({"turn": 7, "title": "july 1812"}, "turn 7 (july 1812)"),
        ({"turn": 8, "title": "the end of 1812"}, "turn 8 (the end of 1812)"),
    ]
    assert format_turn_title(rules.program, "plain", 9) == ""  # the table has no such row
    assert format_turn_title(rules.program, None, 1) == "may 1812"


@pytest.mark.parametrize("title", ['"{game.total}"', '"{count(units at a)}"', '"{reds.score}"', '"{later_on}"'])
def test_turn_title_that_depends_on_play_is_rejected(tmp_path: Path, title: str) -> None:
    rules = RULES + "\ndefine later_on = game.total + 1\n"
    found = check(write(tmp_path, rules, titled(tmp_path, title)))
    assert "not-allowed-here" in [d.code for d in found if d.severity == "error"]


def test_scenario_whose_last_turn_precedes_first_is_rejected(tmp_path: Path) -> None:
    documents: dict[str, Any] = {
        **TITLED,
        "scenarios/plain.yaml": TITLED["scenarios/plain.yaml"].replace("turns: 8", "turns: 2"),
    }
    found = [d for d in check(write(tmp_path, RULES, documents)) if d.severity == "error"]
    assert [(d.code, d.line) for d in found] == [("out-of-range", 8)]
