"""Slips of authors who know other languages: each message names what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check
from tests.recordings import assert_recorded
from tests.tiny import write

DEFINES = [
    ("define z(x: int) = 0.5 * x", "`1 / 2`"),
    ("define z(x: int) = x * .25", "`1 / 4`"),
    ("define z(x: int) = 1.50 * x", "`3 / 2`"),
    ("define z = 2.0", "write `2`"),
    ("define z = len(units)", "write `count(x in ... where ...)`"),
    ("define z = units.count", "write `count(units)`"),
    ("define z = random(1, 6)", "`roll NAME: die -> result`"),
    ("define z(a: place, b: place) = distance(a, b)", "write `distance from a to b`"),
    ("define z(a: place, b: place) = adjacent(a, b)", "write `linked(a, b)`"),
    ("define z(a: army) = floor(a.score / 2)", "write `round_down(...)`"),
    ("define z(u: unit) = u.army is none", "to compare, write `== none`"),
    ("define z(u: unit) = u.army is not reds", "to compare, write `!= reds`"),
    ("define z(u: unit) = u.army <> reds", "to compare, write `!= ...`"),
    ("define z(u: unit) = 1 if u.army == reds else 2", "`if u.army == reds then 1 else 2`"),
    ("define z(u: unit) = u.army == reds ? 1 : 2", "write `if ... then ... else ...`"),
    ("define z(a: army) = a == reds or blues", "write `a in {reds, blues}`"),
    ("define z(a: army) = a != reds and blues", "write `a != reds and a != blues`"),
    ("define z(a: place) = count(units in a)", "`units at a`"),
    ("define z(u: unit) = u.location", "is `u.at`"),
    ("define z(u: unit) = neighbours(u)", "is `u.at`"),
    ("define z = 10 % 3", "`remainder(a, b)`"),
    ("define z = 2 ** 3", "`x * x`"),
    ("define z = 1,000", "`1000`"),
    ("define z = 1 // a remark", "`#`"),
    ("// a remark\ndefine z = 1", "`#`"),
    ("-- a remark\ndefine z = 1", "`#`"),
    ("/* a remark */\ndefine z = 1", "`#`"),
    ("define z(s: set of int) = s[0]", "`last(...)`"),
    ("define z(s: list of int) = s[-1]", "`last(...)`"),
]
STATEMENTS = [
    ("lose_step u", "`lose_step(u)`"),
    ("lose_step u, 2", "`lose_step(u, 2)`"),
    ("set u.army.score += 1", "`raise u.army.score by 1`"),
    ("set u.army.score -= 2 [1.1]", "`lower u.army.score by 2`"),
    ("set u.army.score++", "`raise u.army.score by 1`"),
    ("set u.army.score *= 2", "`set u.army.score = u.army.score * 2`"),
    ("raise u.army.score by 1; report note(1)", "instead of `;`"),
    ("report note(1);", "`;`: leave it out"),
    (
        "if roll die > 3: nothing",
        "`roll NAME: die -> result`",
    ),
    ("end game won by u.army", "`u.army.seat`"),
    ("for x in u.at: nothing", "`units at u.at`"),
    ("for x in u.army: nothing", "`{x in units where ... == u.army}`"),
    ("for x in 3: nothing", "`1..3`"),
    ("for x = 1 to 3: nothing", "`for x in 1..3:`"),
    (
        "remove u",
        "`move u to BOX`",
    ),
    ("kill u", "`move u to BOX`"),
    ("pass", "write `nothing`"),
    ("break", "`for x in ... while still ...:`"),
    ('print("x")', "`report EVENT(...)`"),
]


def helps(folder: Path, rules: str) -> list[str]:
    return [
        str(d.help) for d in check(write(folder, rules + "\n")) if d.severity == "error" or d.code == "member-below-one"
    ]


@pytest.mark.parametrize(("rules", "cure"), DEFINES)
def test_foreign_expression_gets_hint(tmp_path: Path, rules: str, cure: str) -> None:
    assert any(cure in help for help in helps(tmp_path, rules))


@pytest.mark.parametrize(("statement", "cure"), STATEMENTS)
def test_foreign_statement_gets_hint(tmp_path: Path, statement: str, cure: str) -> None:
    rules = f"procedure lose_step(u: unit):\n    drop u.condition\n\nprocedure p(u: unit):\n    {statement}"
    assert any(cure in help for help in helps(tmp_path, rules))


def test_citation_without_brackets_gets_hint(tmp_path: Path) -> None:
    assert_recorded(helps(tmp_path, "procedure p(u: unit) 1.1:\n    nothing"))


def test_loop_over_constant_is_reported_as_endless(tmp_path: Path) -> None:
    rules = "procedure p(a: place):\n    while a.height > 0: report note(1)"
    (help,) = helps(tmp_path, rules)
    assert "`height`" in help and "`changes: true`" in help


@pytest.mark.parametrize(
    "body",
    [
        "while u.at.height > 0: move u to b",  # the place changes
        "while a.home.height > 0:\n        if a.score > 3: return\n        raise a.score by 1",
        "while u.condition == fresh: drop u.condition",
        "let p = u.at\n    while p.height > 0: set p = first(neighbours(p)) else p",
    ],
)
def test_loop_with_changing_condition_is_accepted(tmp_path: Path, body: str) -> None:
    assert helps(tmp_path, f"procedure p(u: unit, a: army, b: place):\n    {body}") == []


def test_curly_quote_is_called_by_its_name(tmp_path: Path) -> None:
    found = [d for d in check(write(tmp_path, "procedure p():\n    report said(“a”)\n")) if d.severity == "error"]
    assert "`“`" in found[0].message and "quotation mark" in found[0].message
    assert found[0].help == 'write `"`'
