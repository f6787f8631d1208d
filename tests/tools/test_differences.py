"""What a variant changes, told."""

from __future__ import annotations

from pathlib import Path

from interpreter.cli.main import main
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


def test_a_variant_begins_with_what_it_changes(tmp_path: Path, capsys) -> None:
    folder = write(tmp_path, "define extra = 1\n", {"variants/other.yaml": VARIANT})
    assert main(["show", str(folder / "variants" / "other.yaml")]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[:9] == [
        "other: Other, version 1",
        "",
        "what differs from tiny:",
        "  map.places.members.a.height: 1 → 4",
        "  new: map.places.members.e",
        "  taken away: map.links.members.a-b",
        "  in the rules: remove extra",
        "  in the rules: add phase late after only_phase",
        "  in the rules: new heard",
    ]
    assert main(["show", str(folder)]) == 0
    assert "differs" not in capsys.readouterr().out


def test_a_cell_of_a_row_that_is_a_list_is_told_by_its_heading(tmp_path: Path, capsys) -> None:
    chart = """\
kind: tables
format: 1
tables:
  fire:
    axes: {row: {one_of: [far, near]}, die: die}
    gives: int
    cells: {far: [0, 0, 0, 0, 0, 1], near: [0, 0, 0, 1, 1, 1]}
"""
    variant = """\
kind: variant
format: 1
id: hot
title: Hot
extends: ..
tables:
  tables: {fire: {cells: {near: {2: 5}}}}
map:
  links: {members: {a-b: {river: true}}}
"""
    folder = write(tmp_path, "define x = fire[far, 1]\n", {"fire.yaml": chart, "variants/hot.yaml": variant})
    assert main(["show", str(folder / "variants" / "hot.yaml")]) == 0
    told = capsys.readouterr().out
    assert "  tables.tables.fire.cells.near.2: 0 → 5\n" in told
    assert "fire.cells.near[" not in told and "True" not in told
