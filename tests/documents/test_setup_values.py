"""Test that values which a set-up gives pieces respect the bounds of their attributes, however they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check
from tests.tiny import build, write

PIECES = """\
kind: pieces
format: 1
classes:
  single:
    many: singles
    attributes: {army: army, strength: {type: int, changes: true, default: 2, low: 0, high: 3}}
pieces:
  guard: {class: single, army: reds, strength: 3, at: a}
  line: {class: single, army: reds, at: b}
"""
SCENARIO = """\
kind: scenario
format: 1
id: plain
title: Plain
default: true
setup:
"""


@pytest.mark.parametrize(
    ("setup", "where"),
    [
        ("  each:\n    guard: {at: a, strength: 4}\n", (8, 30)),
        ("  each:\n    guard: {at: a, strength: -1}\n", (8, 30)),
    ],
)
def test_setup_value_beyond_bounds_is_reported(tmp_path: Path, setup: str, where: tuple[int, int]) -> None:
    folder = write(tmp_path, "", {"singles.yaml": PIECES, "scenarios/plain.yaml": SCENARIO + setup})
    found = [d for d in check(folder) if d.severity == "error"]
    assert [(d.code, (d.line, d.column)) for d in found] == [("out-of-range", where)]


def test_extending_scenario_moves_pieces(tmp_path: Path) -> None:
    """Check pieces that the extended scenario sets up in a list, or under `each`, whose other values stay."""
    below = "  pieces:\n    a: [guard, line]\n  each:\n    red-1: {at: c, condition: worn}\n"
    above = SCENARIO.replace("id: plain", "id: late").replace("default: true", "extends: plain") + (
        "  each:\n    guard: {at: b, strength: 1}\n  pieces:\n    d: [red-1]\n"
    )
    rules = build(
        tmp_path, "", {"singles.yaml": PIECES, "scenarios/plain.yaml": SCENARIO + below, "scenarios/late.yaml": above}
    )
    stands = rules.start("late").view()["pieces"]
    assert {p: stands[p]["at"] for p in ("guard", "line", "red-1")} == {"guard": "b", "line": "a", "red-1": "d"}
    assert (stands["guard"]["strength"], stands["red-1"]["condition"]) == (1, "worn")
    assert rules.start("plain").view()["pieces"]["guard"]["at"] == "a"


def test_single_and_alike_pieces_of_place_share_list(tmp_path: Path) -> None:
    alike = "  many:\n    many: bands\n    alike: true\n    counters: [army]\n    attributes: {army: army}\n"
    pieces = PIECES.replace(
        "pieces:\n  guard", alike + "pieces:\n  band: {class: many, count: 3, army: blues, at: d}\n  guard"
    )
    both = SCENARIO + "  pieces:\n    b: [guard, {blues: 2}]\n"
    rules = "turn:\n    for a in take(1, armies): nothing\n"
    folder = write(tmp_path, rules, {"pieces.yaml": pieces, "scenarios/plain.yaml": both})
    told = [d.message for d in check(folder) if d.severity == "error"]
    assert told == []
