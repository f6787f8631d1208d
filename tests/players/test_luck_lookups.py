"""Test which look-ups depend on dice: one die, sums of dice, modifiers, and branches without a look-up."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import Rules
from interpreter.api.loading import load
from interpreter.players.luck.luck_analysis import LuckRecord, analyze_game
from interpreter.players.luck.luck_report import (
    LookupKey,
    render_luck_report,
    render_roll_lines,
    split_cell,
    sum_lookups,
    sum_rolls,
)
from interpreter.runtime.localizer import Localizer
from interpreter.saves.journal import read_journal

FILES = {
    "ruleset.yaml": """\
kind: ruleset
format: 1
id: dicey
title: Dicey
version: "1"
languages: [en]
dice: {die: {faces: 6}}
sides: {members: {reds: {}, blues: {}}}
kinds: {party: {many: parties, members: {attacker: {}, defender: {}}}}
seats: {red_seat: {sides: [reds]}, blue_seat: {sides: [blues]}}
game: {total: {type: int, default: 0}, morale: {type: int, default: 3}}
""",
    "rulebook.yaml": "kind: rulebook\nformat: 1\nparagraphs: {'1.0': {title: Rolling, text: Roll.}}\n",
    "map.yaml": "kind: map\nformat: 1\nplaces: {members: {here: {}, there: {}}}\n",
    "tables.yaml": """\
kind: tables
format: 1
tables:
  single:
    cite: "1.0"
    axes: {die: die}
    gives: int
    cells: [0, 0, 0, 1, 1, 2]
  summed:
    cite: "1.0"
    axes: {total: {range: 2..12}}
    gives: int
    cells: [5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 5]
  melee:
    cite: "1.0"
    axes: {whom: {of: party}, die: {range: 1..8, below: clamp, above: clamp}}
    gives: {parts: {n: {loss: int}}}
    cells:
      attacker: [3, 2, 2, 1, 1, "-", "-", "-"]
      defender: ["-", "-", "-", 1, 1, 2, 2, 3]
  tied:
    cite: "1.0"
    axes: {level: {range: 1..3}}
    gives: int
    cells: [7, 8, 9]
""",
    "scenarios/usual.yaml": "kind: scenario\nformat: 1\nid: usual\ntitle: Usual\ndefault: true\nturns: 3\n",
    "play.rules": """\
procedure lose(n: int):
    raise game.total by single[max(1, n)]

turn:
    phase rolling "Rolling" [1.0]:
        for s in sides:
            choose act by s "what?" [1.0]:
                option one:
                    roll one: die for s -> d
                    raise game.total by single[d]
                option modified:
                    roll modified: die for s -> d
                    raise game.total by single[min(d + 2, 6)]
                option two:
                    roll first: die for s -> d
                    roll second: die for s -> e
                    raise game.total by summed[d + e]
                option pool:
                    roll pool: 3 of die for s -> thrown
                    for d in thrown:
                        raise game.total by single[d]
                option melee:
                    roll melee: die for s -> d
                    let ours = melee[attacker, d + 1]
                    let theirs = melee[defender, d + 1]
                    for part in ours + theirs:
                        match part:
                            loss(n): lose(n)
                option volley:
                    for e in sides:
                        if e != s:
                            roll volley: die by s for e -> d
                            raise game.total by single[d]
                option cards:
                    draw card: 1..6 for s -> d
                    raise game.total by single[d]
                option check:
                    roll check: die for s -> d
                    if d > game.morale:
                        raise game.total by tied[1]
                    else:
                        raise game.total by tied[3]
""",
}


@pytest.fixture
def dicey(tmp_path: Path) -> Rules:
    folder = tmp_path / "dicey"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return load(folder)


def analyzed(rules: Rules, tmp_path: Path, choices: list[str], faces: list[int]) -> LuckRecord:
    game = rules.start(dice=faces)
    for choice in choices:
        game.choose(choice)
    game.save(tmp_path / "j")
    return analyze_game(read_journal(tmp_path / "j"), rules, rules.form("covered"))


def test_lookup_with_one_die_is_weighed(dicey: Rules, tmp_path: Path) -> None:
    found = analyzed(dicey, tmp_path, ["one"], [6])
    [one] = found.lookups
    assert (one.side, one.roll.table, one.roll.actual) == ("reds", "single", 2)
    assert sorted(one.roll.chances) == [(0, 3), (1, 2), (2, 1)]


def test_luck_of_capped_die_counts_faces_by_result(dicey: Rules, tmp_path: Path) -> None:
    [one] = analyzed(dicey, tmp_path, ["modified"], [1]).lookups
    assert one.roll.actual == 0
    assert sorted(one.roll.chances) == [(0, 1), (1, 2), (2, 3)]


def test_two_dice_in_two_rolls_are_weighed_together(dicey: Rules, tmp_path: Path) -> None:
    [one] = analyzed(dicey, tmp_path, ["two"], [1, 1]).lookups
    assert one.roll.rolls == (0, 1)
    assert sorted(one.roll.chances) == [(0, 28), (1, 6), (5, 2)]


def test_each_die_of_pool_has_its_own_look_up(dicey: Rules, tmp_path: Path) -> None:
    found = analyzed(dicey, tmp_path, ["pool"], [6, 1, 4])
    assert [one.roll.actual for one in found.lookups] == [2, 0, 1]
    total = sum_lookups(found.lookups)[LookupKey("single", "reds", ("pool",))][""]
    assert (total.count, total.actual, total.expected) == (3, 3, 2)


def test_both_halves_of_melee_are_weighed_apart(dicey: Rules, tmp_path: Path) -> None:
    found = analyzed(dicey, tmp_path, ["melee", "melee"], [1, 6])
    sums = {
        (account.side, account.half[0][2]): (parts["loss"].actual, parts["loss"].expected)
        for account, parts in sum_lookups(found.lookups).items()
    }
    assert sums == {
        ("reds", "attacker"): (2, 1),
        ("reds", "defender"): (0, 1),
        ("blues", "attacker"): (0, 1),
        ("blues", "defender"): (2, 1),
    }
    lines = list(map(str, render_luck_report(found, Localizer(dicey.program))))
    assert any(line.startswith("  melee, attacker, melee (reds): loss ") for line in lines)
    assert any(line.startswith("  melee, defender, melee (blues): loss ") for line in lines)


def test_lookup_by_result_is_not_attributed_to_dice(dicey: Rules, tmp_path: Path) -> None:
    """The look-up by losses moves in uneven steps, or is skipped by some faces."""
    found = analyzed(dicey, tmp_path, ["melee"], [3])
    assert {one.roll.table for one in found.lookups} == {"melee"}


def test_rolling_side_is_named_if_rules_give_it(dicey: Rules, tmp_path: Path) -> None:
    """Check a roll that names its target, the blues: the thrower is the reds."""
    found = analyzed(dicey, tmp_path, ["volley"], [6])
    assert [(roll.side, roll.is_thrower) for roll in found.side_rolls] == [("reds", True)]
    lines = list(map(str, render_luck_report(found, Localizer(dicey.program))))
    assert "  single, volley by reds: 2, 0.67 expected (1 look-up)" in lines
    assert "  volley by reds: one die rolled 6, 3.5 expected" in lines
    assert not any("(blues)" in line or line.startswith("in brackets") for line in lines)


def test_rolls_of_equal_name_are_separate(dicey: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = analyzed(dicey, tmp_path, ["one", "modified"], [1, 2])
    monkeypatch.setattr(
        Localizer, "translate_name", lambda self, identifier, *of: "check" if "roll" in of else identifier
    )
    lines = render_roll_lines(found.side_rolls, Localizer(dicey.program))
    assert [line.text.split(":")[0] for line in lines] == ["check (modified) (blues)", "check (one) (reds)"]


def test_die_that_is_only_compared_decides_no_look_up(dicey: Rules, tmp_path: Path) -> None:
    assert analyzed(dicey, tmp_path, ["check"], [6]).lookups == []


def test_luck_is_summed_by_side(dicey: Rules, tmp_path: Path) -> None:
    found = analyzed(dicey, tmp_path, ["one", "one", "one", "pool"], [6, 1, 4, 1, 2, 3])
    sums = sum_rolls(found.side_rolls)
    assert sums["one", "reds", False].count == 2
    assert sums["one", "reds", False].actual == 10
    assert sums["one", "reds", False].expected == 7
    assert sums["pool", "blues", False].count == 3
    assert found.stopped is None


def test_cell_is_split_into_parts() -> None:
    assert split_cell((("loss", 2), ("loss", 1), ("retreat", 0))) == {"loss": 3, "retreat": 1}
    assert split_cell(None) == split_cell(True) == split_cell(()) == split_cell((1, 2)) == {}


def test_draws_never_count_as_dice(dicey: Rules, tmp_path: Path) -> None:
    found = analyzed(dicey, tmp_path, ["cards", "one"], [6, 2])
    assert [roll.is_die for roll in found.side_rolls] == [False, True]
    assert [name for name, _, _ in sum_rolls(found.side_rolls)] == ["one"]
