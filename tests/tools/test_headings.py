"""Test printed headings of a chart's rows and columns that differ from the keys of its cells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.api.game import check, load
from interpreter.cli.main import main
from interpreter.play.ledger import build_last_ledger
from interpreter.play.ledger_lines import format_ledger
from interpreter.runtime.localizer import Localizer
from interpreter.tools.describe.chart_lines import format_chart
from interpreter.tools.describe.chart_view import build_program_chart
from interpreter.tools.odds.reading_marks import mark_readings
from interpreter.tools.odds.readings import find_readings
from tests.tiny import build, started, write

TABLES = """
    kind: tables
    format: 1
    tables:
      fire:
        axes:
          strength: {range: 0..2, headings: {0: none, 2: 2 or more}, above: clamp}
          column: {bands: ["..3", "4.."], headings: [few, {en: many, ja: 多い}]}
        gives: int
        cells:
          0: [0, 1]
          1: [2, 3]
          2: [4, 5]
"""
RULES = """
    procedure storm(a: army):
        choose storm by a:
            option attack(mine in 1..9):
                raise game.total by fire[mine, mine shifted by 1]
            option wait:
                return
"""


def test_headings_are_in_charts_marks_and_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ruleset = write(tmp_path, RULES, {"ruleset.yaml": _two_languages(tmp_path), "tables.yaml": TABLES})
    rules = build(tmp_path, RULES, {"ruleset.yaml": _two_languages(tmp_path), "tables.yaml": TABLES})
    lines = list(map(str, format_chart(build_program_chart(rules.program, "fire"))))
    assert lines[1:] == [
        "  across: column",
        "  strength   few  many",
        "  none         0     1",
        "  1            2     3",
        "  2 or more    4     5",
        "  strength above the rows: the nearest row is used",
    ]
    assert "多い" in "\n".join(map(str, format_chart(build_program_chart(rules.program, "fire", "ja"))))
    assert main(["show", str(ruleset), "table", "fire"]) == 0
    assert "  2 or more    4     5" in capsys.readouterr().out
    assert main(["show", str(ruleset), "table", "fire", "--format", "json"]) == 0
    axes = json.loads(capsys.readouterr().out)["axes"]
    assert axes[0]["rows"] == ["0", "1", "2"] and axes[0]["headings"] == ["none", "", "2 or more"]
    ledger = rules.form("ledger")
    game = started(rules)
    game.call("storm", a="reds")
    found = find_readings(ledger, game, "fire", ["attack(2)"])
    told = mark_readings(
        build_program_chart(rules.program, "fire"), found, "", lambda text, **values: text.format(**values)
    )
    assert told.lines == (
        "in brackets: cells that attack 2 would read: strength 2 or more, column few, 1 shift right: many",
    )
    game.choose("attack(2)")
    program = rules.form("ledger")
    assert "fire: strength 2 → 2 or more, column 2 → few, 1 shift right: many = 5" in "\n".join(
        map(str, format_ledger(program, build_last_ledger(game, program)))
    )


def test_heading_of_a_rung_is_its_name_as_in_the_chart() -> None:
    program = load("denain-1712").program
    told = {
        Localizer(program, lang).format_axis_heading(axis, axis.labels.index("broken"))
        for chart in program.charts.values()
        for axis in chart.axes
        if "broken" in axis.labels
        for lang in ("en", "ja")
    }
    assert told == {"woods, slope, entrenchment", "森林・斜面・防御陣地"}


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("{0: none, 2: 2 or more}", "{0: none, 3: 2 or more}", "unknown-row", "`3`"),
        ("{0: none, 2: 2 or more}", "[none, some]", "wrong-row-count", "2 headings for 3 rows"),
        ("{0: none, 2: 2 or more}", '{0: none, 2: "1"}', "repeated-value", "`1`"),
    ],
)
def test_invalid_headings_are_reported(tmp_path: Path, old: str, new: str, code: str, words: str) -> None:
    text = TABLES.replace(old, new)
    assert text != TABLES
    folder = write(tmp_path, RULES, {"ruleset.yaml": _two_languages(tmp_path), "tables.yaml": text})
    [found] = [d for d in check(folder) if d.severity == "error"]
    assert found.code == code and words in found.message


def _two_languages(folder: Path) -> str:
    text = (write(folder, RULES) / "ruleset.yaml").read_text(encoding="utf-8")
    return text.replace("languages: [en]", "languages: [en, ja]")
