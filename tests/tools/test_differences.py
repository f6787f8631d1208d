"""Test the description of differences between two rulesets: values, charts, rules and cases."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from interpreter.cli.main import main
from tests.recordings import assert_recorded
from tests.tiny import write

VARIANT = """\
kind: variant
format: 1
id: other
title: Other
extends: ..
map:
  places:
    members: {a: {height: 4}, new e: {height: 2}}
  links: {members: {a-b: null}}
rules: |
  remove extra
  add phase late "Late" after only_phase:
      nothing
  event heard(n: int)
"""
CHART = """\
kind: tables
format: 1
values:
  limit: 3
tables:
  fire:
    name: Fire chart
    axes: {row: {one_of: [far, near]}, die: die}
    gives: {parts: {DR: driven_back, D1R: hit_and_driven_back}}
    cells: {far: ["-", "-", "-", "-", "-", DR], near: ["-", "-", "-", DR, DR, DR]}
"""
RULES = """\
define reach(p: place) -> int [1.1] = p.height + 1

rule may_enter(p: place) [1.1]:
    require room: p.height < 3  "{p} is full"  [1.1]
    require open: not p.held  "{p} is held"  [1.2]

procedure advance(p: place) [1.1]:
    set p.held = true
    if p.height > 1:
        report note(1)
"""


def lines_of(capsys: pytest.CaptureFixture[str], *words: object) -> list[str]:
    assert main([str(w) for w in words]) == 0
    return capsys.readouterr().out.splitlines()


def test_variant_begins_with_its_changes(tmp_path: Path, capsys) -> None:
    folder = write(tmp_path, "define extra = 1\n", {"variants/other.yaml": VARIANT})
    told = lines_of(capsys, "show", folder / "variants" / "other.yaml")
    assert told[:11] == [
        "other: Other, version 1",
        "",
        "differences from tiny:",
        "  in the documents:",
        "    a: height: 1 changes to 4",
        "    new in map.places.members: e",
        "    removed from map.links.members: a-b",
        "  in the rules:",
        "    turn: the phase `late` is new",
        "    the event `heard` is new",
        "    the define `extra` is removed",
    ]
    assert "differs" not in "\n".join(lines_of(capsys, "show", folder))


def test_changed_cell_is_shown_by_headings_and_notation(tmp_path: Path, capsys) -> None:
    variant = """\
kind: variant
format: 1
id: hot
title: Hot
extends: ..
tables:
  tables: {fire: {cells: {near: {2: D1R}}}}
map:
  links: {members: {a-b: {river: true}}}
"""
    folder = write(tmp_path, "define x = fire[far, 1]\n", {"fire.yaml": CHART, "variants/hot.yaml": variant})
    told = "\n".join(lines_of(capsys, "diff", folder, folder / "variants" / "hot.yaml"))
    assert "tiny/variants/hot.yaml:7: Fire chart near, die 2: `-` changes to `D1R`" in told
    assert "a-b: river is now true" in told and "True" not in told


def test_difference_is_japanese_with_game_names(capsys) -> None:
    variant = Path(__file__).parents[2] / "rulesets" / "napoleon" / "variants" / "grande_armee.yaml"
    told = "\n".join(lines_of(capsys, "diff", "napoleon", variant, "--lang", "ja"))
    assert re.search("強行軍表 サイの目 3：「0」が「1」に", told)
    assert re.search("フランス .france.: 停止する敵の数：5が7に", told)


AROUND = """\
kind: variant
format: 1
id: around
title: Around
extends: ..
rulebook:
  paragraphs:
    new W-1: {text: More is done.}
tables:
  values:
    new most: {value: 4}
rules: |
  before advance:
      report note(7)

  after advance [W-1]:
      report note(8)

  replace define reach(p: place) -> int [1.1] = base(p) + value.most
"""


def test_wrapped_rule_is_shown_without_original(tmp_path: Path, capsys) -> None:
    folder = write(tmp_path, RULES, {"variants/around.yaml": AROUND})
    told = [line.strip() for line in lines_of(capsys, "show", folder / "variants" / "around.yaml")]
    begin, end = told.index("differences from tiny:") + 1, told.index("", 3)
    assert_recorded(told[begin:end])


def test_new_translations_are_counted(capsys) -> None:
    variant = Path(__file__).parents[2] / "rulesets" / "napoleon" / "variants" / "saint_george.yaml"
    told = "\n".join(lines_of(capsys, "diff", "napoleon", variant))
    assert "new in locale ja.texts: 9 translations" in told and "language" not in told
    cell = next(line for line in told.split("\n") if "War-footing chart Prussia, first: reinforcement" in line)
    assert cell.strip().startswith("napoleon/variants/saint_george.yaml:")


def test_chart_in_other_layout_has_no_differences(tmp_path: Path, capsys) -> None:
    one = write(tmp_path / "one", "define x = fire[far, 1]\n", {"fire.yaml": CHART})
    rows = """\
    cells:
      far: {1: "-", 2: "-", 3: "-", 4: "-", 5: "-", 6: DR}
      near: ["-", "-", "-", DR, DR, DR]
"""
    laid_out = CHART[: CHART.index("    cells:")] + rows
    laid_out = laid_out.replace("limit: 3", "limit: {value: 3}")
    other = write(tmp_path / "other", "define x =   fire[far,\n    1]   # the first\n", {"fire.yaml": laid_out})
    assert lines_of(capsys, "diff", one, other) == ["no differences"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("p.height < 3", "p.height < 4", "`p.height < 4` instead of `p.height < 3`"),
        ("is full", "has no room", "changes to"),
        ('is held"  [1.2]', 'is held"  [1.1]', "may_enter: requirement `open` now cites [1.1] instead of [1.2]"),
        ("p.height + 1", "p.height + 2", "reach: `p.height + 1` changes to `p.height + 2`"),
        ("report note(1)", "report note(2)", "advance: `report note(1)` changes to `report note(2)`"),
        ("if p.height > 1:", "if p.height > 2:", "advance: `p.height > 1` changes to `p.height > 2`"),
        ("    set p.held = true\n", "    set p.held = true\n    report note(5)\n", "advance: `report note(5)` is new"),
        ('    require open: not p.held  "{p} is held"  [1.2]\n', "", "may_enter: the requirement `open` is removed"),
    ],
)
def test_changed_rule_is_named_to_its_changed_part(tmp_path: Path, capsys, old: str, new: str, told: str) -> None:
    assert old in RULES
    one, other = write(tmp_path / "one", RULES), write(tmp_path / "other", RULES.replace(old, new))
    found = lines_of(capsys, "diff", one, other)
    assert found[0] == "in the rules:" and len(found) == 2, found
    assert told in found[1]


def test_data_of_difference_has_both_values_and_place(tmp_path: Path, capsys) -> None:
    one = write(tmp_path / "one", "define x = value.limit\n", {"fire.yaml": CHART})
    other = write(tmp_path / "other", "define x = value.limit\n", {"fire.yaml": CHART.replace("limit: 3", "limit: 5")})
    assert main(["diff", str(one), str(other), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["differences"]
    assert found == [
        {
            "part": "values",
            "what": "changed",
            "path": "tables.values.limit",
            "words": "limit: 3 changes to 5",
            "was": 3,
            "is": 5,
            "file": "tiny/fire.yaml",
            "line": 4,
        }
    ]


CASES = """\
kind: cases
format: 1
cases:
  T1:
    title: three steps are the limit
    when: [{ask: value.limit}]
    then: {value: 3}
  T2:
    title: reds live in a
    when: [{ask: reds.home}]
    then: {value: a}
"""


def test_newly_failing_cases_are_listed_on_request(tmp_path: Path, capsys) -> None:
    files = {"fire.yaml": CHART, "tests/t.yaml": CASES}
    one = write(tmp_path / "one", "define x = value.limit\n", files)
    other = write(tmp_path / "other", "define x = value.limit\n", {**files, "fire.yaml": CHART.replace(": 3", ": 5")})
    assert main(["diff", str(one), str(other), "--cases"]) == 1
    told = capsys.readouterr().out
    assert "case T1 no longer passes" in told and "T2" not in told
    assert main(["diff", str(other), str(one), "--cases"]) == 0
    assert "case T1 passes now" in capsys.readouterr().out


def test_incomparable_targets_are_reported(tmp_path: Path, capsys) -> None:
    folder = write(tmp_path, "define x = 1\n")
    assert main(["diff", str(folder), "nowhere/at-all.yaml"]) == 2
    assert "does not exist" in capsys.readouterr().err
    (folder / "map.yaml").write_text("kind: map\nformat: [", encoding="utf-8")
    assert main(["diff", "napoleon", str(folder)]) == 1
    assert "tiny/map.yaml:2" in capsys.readouterr().err


PHASES = """
turn [1.1]:
    phase one "One" [1.1]:
        report note(1)
    phase two "Two" [1.1]:
        report note(2)
    phase three "Three" [1.2]:
        end game drawn
"""


@pytest.mark.parametrize(
    "change",
    [
        "move phase two before one",
        "move phase one after two",
        "move phase three before one",
        "move phase one after three",
        "move phase three before one [1.1]",
        "remove two",
    ],
)
def test_diff_shows_moved_phase_as_one_move(tmp_path: Path, capsys, change: str) -> None:
    head = "kind: variant\nformat: 1\nid: other\ntitle: Other\nextends: ..\nrules: |\n"
    folder = write(tmp_path, PHASES, {"variants/other.yaml": f"{head}  {change}\n"})
    lines = lines_of(capsys, "show", folder / "variants" / "other.yaml")
    at = lines.index("  in the rules:") + 1
    assert_recorded(line.strip() for line in lines[at : lines.index("", at)])


def test_diff_shows_exchanged_phases_as_moves(tmp_path: Path, capsys) -> None:
    head = "kind: variant\nformat: 1\nid: other\ntitle: Other\nextends: ..\nrules: |\n"
    changes = "  move phase three before two\n  move phase one after two\n"
    folder = write(tmp_path, PHASES, {"variants/other.yaml": head + changes})
    told = "\n".join(lines_of(capsys, "show", folder / "variants" / "other.yaml"))
    assert "has moved" in told and "is removed" not in told and "is new" not in told and "becomes" not in told
