"""Test transcripts of cases, and the setting aside of cases that depend on reconstructed data."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.documents.reading.tree import to_plain_data
from interpreter.documents.reading.yaml_reader import read_yaml
from interpreter.tools.cases.yaml_flow import format_flow
from interpreter.tools.spreadsheets.chart_update import format_value
from tests.folders import replace_in_file
from tests.recordings import assert_recorded
from tests.tiny import write

ROOT = Path(__file__).resolve().parents[2]
RULES = """\
procedure storm(a: army) [1.1]:
    choose where_to by a "whither":
        option to_top(p in {x in places where x.height > 0}) "to {p}" [1.2]:
            require free: not p.held  "{p} is held"  [1.2]
            roll luck: die -> face
            set p.held = face > 3
            report note(face)
"""
CASES = """\
kind: cases
format: 1
cases:
  T1:
    title: the reds storm
    rules: ["1.1"]
    given: {places: {a: {held: true}}}
    when:
      - call: storm
        args: {a: reds}
        dice: {luck: [5]}
        choices: [{where_to: to_top(c)}]
      - ask: c.held
    then: {value: true}
  T2:
    title: a held place is not stormed twice
    given: {places: {a: {held: true}}}
    when: [{call: storm, args: {a: reds}, choices: [{where_to: to_top(a)}]}]
    then: {refused: {cite: "1.2"}}
  T3:
    title: wrong
    when: [{ask: a.height}]
    then: {value: 7}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path, RULES, {"tests/t.yaml": CASES})


def test_transcript_shows_decisions_rolls_choices_and_changes(folder: Path, capsys) -> None:
    assert main(["test", str(folder), "--show", "T1"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "T1: the reds storm [1.1]",
        "  tiny/tests/t.yaml:4",
        "  given: {places: {a: {held: true}}}",
        "  * call storm  args: {a: reds}  dice: {luck: [5]}",
        "    decision of reds: whither (where_to)",
        "      possible: to_top(c)",
        "      chosen: where to: to c [1.2]",
        "    luck: 5",
        "    5",
        "    changed: places c held: false changes to true",
        "  * ask c.held",
        "    gives true",
        "  the case passes",
    ]


def test_transcript_shows_refusal_and_failure(folder: Path, capsys) -> None:
    assert main(["test", str(folder), "--show", "T2"]) == 0
    assert "refused: `where_to: to_top(a)`: a is held" in capsys.readouterr().out
    assert main(["test", str(folder), "--show", "T3", "--format", "json"]) == 1
    (shown,) = json.loads(capsys.readouterr().out)["cases"]
    assert shown["course"] == [
        {"what": "step", "told": {"sort": "ask", "name": "a.height"}},
        {"what": "value", "told": 1},
    ]
    assert not shown["holds"] and shown["faults"][0]["line"] == 23
    assert main(["test", str(folder), "--show", "T9"]) == 2
    assert_recorded(capsys.readouterr().err, FOLDER=folder.parent)


# --- what rests on a reconstruction --------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "my_napoleon"
    shutil.copytree(ROOT / "rulesets" / "napoleon", folder)
    for path in (folder / "tests").glob("*.yaml"):
        if path.name not in ("10-1-movement.yaml", "03-units-and-nations.yaml"):
            path.unlink()
    shutil.rmtree(folder / "learn")  # a lesson is played with the changed rules too, and breaks
    return folder


def test_cases_using_retyped_data_are_set_aside(copy: Path, capsys) -> None:
    """Check that only the case of the reconstructed combat table is set aside, not that of a printed rule."""
    replace_in_file(
        copy / "tables.yaml",
        "cells: {1: 1, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0}",
        "cells: {1: 2, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0}",
    )
    assert main(["test", str(copy)]) == 0
    told = capsys.readouterr().out
    assert "skipped: 3" in told and "FAILED" not in told
    aside = next(line for line in told.splitlines() if line.startswith("  tables.tables.combat_table: "))
    assert "C068" in aside and "C071" not in aside
    replace_in_file(copy / "movement.rules", "foes(u.nation, here) < u.nation", "foes(u.nation, here) <= u.nation")
    assert main(["test", str(copy), "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    failed = {case["id"] for case in data["cases"] if not case["ok"]} - {case["id"] for case in data["resting"]}
    assert "C071" in failed and "C068" not in failed and data["failed"] == len(failed)


def test_cases_using_printed_data_are_never_set_aside(copy: Path, capsys) -> None:
    replace_in_file(
        copy / "tables.yaml", "supporting: {face_down: 0, face_up: 1}", "supporting: {face_down: 0, face_up: 2}"
    )
    replace_in_file(
        copy / "tables.yaml", "active:     {face_down: 1, face_up: 2}", "active:     {face_down: 2, face_up: 2}"
    )
    assert main(["test", str(copy)]) == 1
    told = capsys.readouterr().out
    assert "FAILED" in told and "skipped" not in told


def test_reconstructed_list_drops_printed_data(copy: Path, capsys) -> None:
    def charts() -> list[str]:
        assert main(["show", str(copy), "reconstructed", "--format", "json"]) == 0
        entries = json.loads(capsys.readouterr().out)["reconstructed"]
        return [e["id"] for e in entries if e["sort"] == "charts"]

    before = charts()
    assert "combat_table" in before
    replace_in_file(copy / "tables.yaml", "    source: reconstructed\n", "    source: printed\n")
    assert charts() == [name for name in before if name != "combat_table"]
    assert main(["show", str(copy), "reconstructed"]) == 0
    told = capsys.readouterr().out
    assert "map.links.members: 27 entries" in told and f"grognard table export {copy} footing_chart" in told


@pytest.mark.parametrize("text", ["a_b", "x-1", "true", "-5", "12", "3.4", "~", "", "null", "a b", 'a "b"\\', "所属"])
def test_texts_of_cases_are_read_again_as_they_were(text: str) -> None:
    node = read_yaml(Source("case.yaml", f"kept: {format_flow([text])}\n"), Sink())
    assert node is not None and to_plain_data(node) == {"kept": [text]}


def test_texts_of_several_lines_are_written_in_one() -> None:
    node = read_yaml(Source("chart.yaml", f"kept: [{format_value('one' + chr(10) + 'two')}]\n"), Sink())
    assert node is not None and to_plain_data(node) == {"kept": ["one\ntwo"]}
