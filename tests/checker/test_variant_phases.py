"""Test the changes that a variant makes to the phases of its base."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import Rules, check, load
from tests.tiny import notes, write

RULES = """
setup:
    report note(100)

turn:
    phase first "First" [1.1]:
        report note(1)
        for n in 2..3:
            phase inner "Inner":
                report note(n)
    phase second "Second" [1.2]:
        report note(4)
    phase last:
        end game drawn
"""
VARIANT = """\
kind: variant
format: 1
id: other
title: Other
extends: ..
rules: |
"""


def changed(tmp_path: Path, rules: str) -> Rules:
    folder = write(tmp_path, RULES)
    path = folder / "variants" / "other.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(VARIANT + "\n".join("  " + line for line in rules.strip("\n").splitlines()) + "\n")
    return load(path)


def phases(rules: Rules) -> list[str]:
    return [e.text() for e in rules.start().log if e.sort == "phase"]


@pytest.mark.parametrize(
    ("rules", "numbers", "entered"),
    [
        ("replace phase second:\n    report note(9)", [100, 1, 2, 3, 9], ["First", "Inner", "Inner", "Second", "last"]),
        (
            'replace phase second "Later" [1.1]:\n    base()\n    report note(9)\n    base()',
            [100, 1, 2, 3, 4, 9, 4],
            ["First", "Inner", "Inner", "Later", "last"],
        ),
        (
            "replace phase inner:\n    if n > 2:\n        base()",
            [100, 1, 3, 4],
            ["First", "Inner", "Inner", "Second", "last"],
        ),
        ("remove second", [100, 1, 2, 3], ["First", "Inner", "Inner", "last"]),
        ("remove inner", [100, 1, 4], ["First", "Second", "last"]),
        ("move phase second before first", [100, 4, 1, 2, 3], ["Second", "First", "Inner", "Inner", "last"]),
        ("move phase first after second", [100, 4, 1, 2, 3], ["Second", "First", "Inner", "Inner", "last"]),
        (
            'add phase third "Third" [1.2] before last:\n    report note(8)',
            [100, 1, 2, 3, 4, 8],
            ["First", "Inner", "Inner", "Second", "Third", "last"],
        ),
        (
            "add phase third after inner:\n    report note(7 + n)",
            [100, 1, 2, 9, 3, 10, 4],
            ["First", "Inner", "third", "Inner", "third", "Second", "last"],
        ),
        (
            "replace turn:\n    report note(0)\n    base()",
            [100, 0, 1, 2, 3, 4],
            ["First", "Inner", "Inner", "Second", "last"],
        ),
        ('replace turn:\n    phase only "Only":\n        report note(5)\n        end game drawn', [100, 5], ["Only"]),
        (
            "replace setup:\n    base()\n    report note(200)",
            [100, 200, 1, 2, 3, 4],
            ["First", "Inner", "Inner", "Second", "last"],
        ),
    ],
)
def test_variant_changes_phases(tmp_path: Path, rules: str, numbers: list[int], entered: list[str]) -> None:
    loaded = changed(tmp_path, rules)
    assert (notes(loaded.start()), phases(loaded)) == (numbers, entered)


def test_replaced_phase_without_title_keeps_title_and_citations(tmp_path: Path) -> None:
    described = changed(tmp_path, "replace phase second:\n    nothing").program.data["phases"]["second"]
    assert (described["title"], list(described["cites"])) == ("Second", ["1.2"])
    described = changed(tmp_path, 'replace phase second "New" [1.1]:\n    nothing').program.data["phases"]["second"]
    assert (described["title"], list(described["cites"])) == ("New", ["1.1"])


def test_data_and_rules_errors_are_reported_together(tmp_path: Path) -> None:
    changed(tmp_path, "remove second")
    path = tmp_path / "tiny" / "variants" / "other.yaml"
    data = "map: {places: {members: {e: {height: 1}}}}\n"
    path.write_text(VARIANT.replace("rules: |", data + "rules: |") + "  remove secnod\n")
    assert [(d.code, d.line) for d in check(path)] == [("unknown-in-base", 6), ("unknown-address", 8)]
    path.write_text(path.read_text().replace("remove secnod", "replace phase second"))
    assert [d.line for d in check(path)] == [6, 8]


CITED = VARIANT.replace("rules: |", 'rulebook: {paragraphs: {new "9.1": {text: Otherwise.}}}\nrules: |')


@pytest.mark.parametrize("change", ["remove second", "remove may_move.near", "move phase second before first"])
def test_removals_and_moves_take_citations(tmp_path: Path, change: str) -> None:
    rule = (
        '\nrule may_move(a: place) [1.1]:\n    require near: a.height < 2 "far"\n    require low: a.height < 3 "high"\n'
    )
    folder = write(tmp_path, RULES + rule)
    path = folder / "variants" / "other.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(CITED + f"  {change}\n", encoding="utf-8")
    assert "uncited-paragraph" in [d.code for d in check(path)]
    path.write_text(CITED + f"  {change} [9.1]\n", encoding="utf-8")
    assert "uncited-paragraph" not in [d.code for d in check(path)]
    path.write_text(CITED + f"  {change} [9.9]\n", encoding="utf-8")
    assert [(d.code, d.line) for d in check(path) if d.severity == "error"] == [("unknown-citation", 8)]


def test_moved_phase_shows_citation_of_move(tmp_path: Path) -> None:
    described = changed(tmp_path, "move phase second before first [1.1]").program.data["phases"]["second"]
    assert list(described["cites"]) == ["1.2", "1.1"]
