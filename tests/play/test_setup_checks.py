"""Test the checks that a ruleset makes of its set-ups."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check
from tests.tiny import write

DEMAND = 'setup_check:\n  room: {%sholds: "%s", words: "%s", cite: "1.1"}\n'
CROWD = {
    "scenarios/crowd.yaml": "kind: scenario\nformat: 1\nid: crowd\ntitle: Crowd\nsetup: "
    "{pieces: {b: {reds: 3}, c: {blues: 3}}, game: {total: 2}}\n",
    "scenarios/plain.yaml": "kind: scenario\nformat: 1\nid: plain\ntitle: Plain\ndefault: true\n",
}


def told(tmp_path: Path, of: str, holds: str, words: str, rules: str = "") -> list[tuple[str, str]]:
    text = (write(tmp_path, rules, CROWD) / "ruleset.yaml").read_text()
    folder = write(tmp_path, rules, {**CROWD, "ruleset.yaml": text + DEMAND % (of, holds, words)})
    return [(d.file.split("/")[-1], str(d.message)) for d in check(folder) if d.code in ("setup-check", "wrong-type")]


@pytest.mark.parametrize(
    ("of", "holds", "words", "expected"),
    [
        ("of: place, as: p, ", "count(units at p) <= 3", "{p} is full", []),
        ("", "game.total < 2", "{game.total} is too much", [("crowd.yaml", "the set-up of `crowd`: 2 is too much")]),
        ("of: army, ", "it.score == 0", "{it} has points", []),
        ("of: unit, ", "it.army == reds or it.army == blues", "{it}", []),
        ("", "1 / game.total > 0", "no share", [("plain.yaml", "the set-up of `plain`: no share (division by zero)")]),
    ],
)
def test_setup_check_reports_violations(
    tmp_path: Path, of: str, holds: str, words: str, expected: list[tuple[str, str]]
) -> None:
    assert told(tmp_path, of, holds, words) == expected


def test_setup_check_reports_each_place(tmp_path: Path) -> None:
    assert told(tmp_path, "of: place, as: p, ", "count(units at p) < 3", "{p} is full") == [
        ("crowd.yaml", "the set-up of `crowd`: b is full"),
        ("crowd.yaml", "the set-up of `crowd`: c is full"),
        ("plain.yaml", "the set-up of `plain`: a is full"),
        ("plain.yaml", "the set-up of `plain`: d is full"),
    ]


def test_setup_check_uses_setup_block_up_to_first_roll(tmp_path: Path) -> None:
    rules = "setup:\n    set game.total = 9\n    roll fate: die -> n\n    set game.total = n + 20\n"
    assert told(tmp_path, "", "game.total != 9", "nine") == []
    assert [words for _, words in told(tmp_path, "", "game.total != 9", "nine", rules)] == [
        "the set-up of `crowd`: nine",
        "the set-up of `plain`: nine",
    ]


def test_demand_is_yes_or_no(tmp_path: Path) -> None:
    assert [f for f, _ in told(tmp_path, "", "game.total", "x")] == ["ruleset.yaml"]
