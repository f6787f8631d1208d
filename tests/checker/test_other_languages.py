"""Slips of authors who know other languages: each message names what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check
from tests.tiny import write

DEFINES = [
    ("define z(x: int) = 0.5 * x", "rules have no decimal fractions: write `1 / 2`"),
    ("define z(x: int) = x * .25", "rules have no decimal fractions: write `1 / 4`"),
    ("define z(x: int) = 1.50 * x", "rules have no decimal fractions: write `3 / 2`"),
    ("define z = 2.0", "rules have no decimal fractions: write `2`"),
    ("define z = len(units)", "write `count(x in ... where ...)`"),
    ("define z = units.count", "write `count(units)`"),
    ("define z = random(1, 6)", "dice are rolled by a statement of their own: `roll NAME: die -> result`"),
    ("define z(a: place, b: place) = distance(a, b)", "write `distance from a to b`"),
    ("define z(a: place, b: place) = adjacent(a, b)", "write `linked(a, b)`"),
    ("define z(a: army) = floor(a.score / 2)", "write `round_down(...)`"),
    ("define z(u: unit) = u.army is none", "to compare, write `== none`"),
    ("define z(u: unit) = u.army is not reds", "to compare, write `!= reds`"),
    ("define z(u: unit) = u.army <> reds", "to compare, write `!= ...`"),
    ("define z(u: unit) = 1 if u.army == reds else 2", "the condition comes first: `if u.army == reds then 1 else 2`"),
    ("define z(u: unit) = u.army == reds ? 1 : 2", "write `if ... then ... else ...`"),
    ("define z(a: army) = a == reds or blues", "write `a in {reds, blues}`"),
    ("define z(a: army) = a != reds and blues", "write `a != reds and a != blues`"),
    ("define z(a: place) = count(units in a)", "the pieces at a place are `units at a`"),
    ("define z(u: unit) = u.location", "the place of a piece is `u.at`"),
    ("define z(u: unit) = neighbours(u)", "the place of a piece is `u.at`"),
    ("define z = 10 % 3", "the remainder of a division is `remainder(a, b)`"),
    ("define z = 2 ** 3", "there is no power operator: multiply, as in `x * x`"),
    ("define z = 1,000", "write a number without separators: `1000`"),
    ("define z = 1 // a remark", "a comment begins with `#`"),
    ("// a remark\ndefine z = 1", "a comment begins with `#`"),
    ("-- a remark\ndefine z = 1", "a comment begins with `#`"),
    ("/* a remark */\ndefine z = 1", "a comment begins with `#`"),
    ("define z(s: set of int) = s[0]", "write `[1]` for the first member, and `last(...)` for the last"),
    ("define z(s: list of int) = s[-1]", "write `[1]` for the first member, and `last(...)` for the last"),
]
STATEMENTS = [
    ("lose_step u", "call a procedure with brackets: `lose_step(u)`"),
    ("lose_step u, 2", "call a procedure with brackets: `lose_step(u, 2)`"),
    ("set u.army.score += 1", "to change a number, write `raise u.army.score by 1`"),
    ("set u.army.score -= 2 [1.1]", "to change a number, write `lower u.army.score by 2`"),
    ("set u.army.score++", "to change a number, write `raise u.army.score by 1`"),
    ("set u.army.score *= 2", "to change a number, write `set u.army.score = u.army.score * 2`"),
    ("raise u.army.score by 1; report note(1)", "write one statement per line: start a new line instead of `;`"),
    ("report note(1);", "a line does not end with `;`: leave it out"),
    (
        "if roll die > 3: nothing",
        "a roll is a statement of its own, on a line before this one: `roll NAME: die -> result`",
    ),
    ("end game won by u.army", "the seat of a side is `u.army.seat`"),
    ("for x in u.at: nothing", "the pieces at a place are `units at u.at`"),
    ("for x in u.army: nothing", "write the set: `{x in units where ... == u.army}`"),
    ("for x in 3: nothing", "a range of numbers is written with two dots: `1..3`"),
    ("for x = 1 to 3: nothing", "a range of numbers is written with two dots: `for x in 1..3:`"),
    (
        "remove u",
        "`remove` removes rules of a base, in a variant; a piece leaves the map with `move u to BOX`, a holding place",
    ),
    ("kill u", "a piece leaves the map with `move u to BOX`, a holding place"),
    ("pass", "write `nothing`"),
    ("break", "a loop ends by its condition: `for x in ... while still ...:`; `return` exits the procedure"),
    ('print("x")', "to show players a message, declare an event and write `report EVENT(...)`"),
]


def helps(folder: Path, rules: str) -> list[str]:
    return [
        str(d.help) for d in check(write(folder, rules + "\n")) if d.severity == "error" or d.code == "member-below-one"
    ]


@pytest.mark.parametrize(("rules", "cure"), DEFINES)
def test_expression_of_another_language_is_told_the_cure(tmp_path: Path, rules: str, cure: str) -> None:
    assert any(cure in help for help in helps(tmp_path, rules))


@pytest.mark.parametrize(("statement", "cure"), STATEMENTS)
def test_statement_of_another_language_is_told_the_cure(tmp_path: Path, statement: str, cure: str) -> None:
    rules = f"procedure lose_step(u: unit):\n    drop u.condition\n\nprocedure p(u: unit):\n    {statement}"
    assert cure in helps(tmp_path, rules)


def test_citation_without_brackets_is_told_the_cure(tmp_path: Path) -> None:
    assert helps(tmp_path, "procedure p(u: unit) 1.1:\n    nothing") == ["write a citation in square brackets: `[1.1]`"]


def test_loop_over_a_constant_is_reported_as_endless(tmp_path: Path) -> None:
    rules = "procedure p(a: place):\n    while a.height > 0: report note(1)"
    assert helps(tmp_path, rules) == ["`height` never changes: declare it with `changes: true`, or test something else"]


@pytest.mark.parametrize(
    "body",
    [
        "while u.at.height > 0: move u to b",  # the place changes
        "while a.home.height > 0:\n        if a.score > 3: return\n        raise a.score by 1",
        "while u.condition == fresh: drop u.condition",
        "let p = u.at\n    while p.height > 0: set p = first(neighbours(p)) else p",
    ],
)
def test_loop_whose_condition_can_change_is_no_fault(tmp_path: Path, body: str) -> None:
    assert helps(tmp_path, f"procedure p(u: unit, a: army, b: place):\n    {body}") == []


def test_curly_quote_is_called_by_its_name(tmp_path: Path) -> None:
    found = [d for d in check(write(tmp_path, "procedure p():\n    report said(“a”)\n")) if d.severity == "error"]
    assert found[0].message == "`“` is a typographic quotation mark, which has no meaning here"
    assert found[0].help == 'write `"`'
