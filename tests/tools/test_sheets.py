"""Charts out to CSV files and spreadsheets and back: nothing lost, every fault at its cell, only the cell changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import main
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from tests.tiny import write

ROOT = Path(__file__).resolve().parents[2]
CHARTS = """\
kind: tables
format: 1
tables:
  odds:                  # as on the map
    axes: {odds: {ratio: ["1-2", "1-1", "2-1"], round: down, below: clamp, above: clamp}, die: {range: 1..3}}
    gives: {parts: {DR: back, n: {loss: int}}}
    cells:
      #      1    2    3
      1-2: ["-",  "-", DR]     # weak
      1-1: ["-",  DR,  1DR]
      2-1: [DR,   1DR, 2DR]
  printed:
    axes: {row: {one_of: [far, near]}, n: {range: 1..3}}
    gives: int
    blanks: true
    cells: |
      row    1    2    3
      far    0    .   -1     # far is safe
      near   1   10    2
  words:
    axes: {row: {one_of: [far, near]}}
    gives: text
    cells: {far: "12", near: "=1+1"}
"""


MANY_AREAS = 20  # charts: to read one back takes the whole ruleset


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path, "define x = 1\n", {"charts.yaml": CHARTS})


def run(*words: object) -> int:
    return main([str(word) for word in words])


def text_of(folder: Path) -> list[str]:
    return (folder / "charts.yaml").read_text(encoding="utf-8").splitlines()


def changed_lines(folder: Path) -> list[str]:
    before = CHARTS.splitlines()
    return [line for line in text_of(folder) if line not in before]


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize("name", ["napoleon", "denain-1712"])
def test_every_shipped_chart_survives_export_and_import(tmp_path: Path, capsys, name: str, ending: str) -> None:
    if ending == "xlsx":
        pytest.importorskip("openpyxl")
    from interpreter.tools.diff.comparison import read_snapshot
    from interpreter.tools.spreadsheets.chart_grids import build_chart_rows
    from interpreter.tools.spreadsheets.chart_import import read_chart
    from interpreter.tools.spreadsheets.sheet_writing import serialize_sheet, write_odds_with_colons

    held = read_snapshot(name)
    charts = list(held.ruleset.tables.values())
    if len(charts) > MANY_AREAS:
        charts = charts[ending == "csv" :: 2]  # each goes one way or the other
    for table in charts:
        path = tmp_path / f"{table.id}.{ending}"
        rows = build_chart_rows(table, held.ruleset)
        assert len(rows) > 1
        path.write_bytes(
            serialize_sheet(path, table.id, write_odds_with_colons(rows, len(table.axes)) if ending == "csv" else rows)
        )
        read = read_chart(held, table.id, path)
        assert read.differences == () and read.table.cells == table.cells


def test_import_changes_single_cell(folder: Path, tmp_path: Path, capsys) -> None:
    sheet = tmp_path / "odds.csv"
    assert run("table", "export", folder, "odds", sheet) == 0
    assert sheet.read_bytes().startswith(b"\xef\xbb\xbfodds,1,2,3\r\n1:2,-,-,DR\r\n")
    sheet.write_text(sheet.read_text(encoding="utf-8-sig").replace("1:1,-,DR", "1-1,-,3DR"), encoding="utf-8")
    capsys.readouterr()
    assert run("table", "import", folder, "odds", sheet) == 0
    told = capsys.readouterr().out
    assert "odds 1-1, die 2: `DR` changes to `3DR`" in told and "Written to" in told
    assert changed_lines(folder) == ['      1-1: ["-",  3DR, 1DR]']


def test_printed_chart_stays_in_its_columns(folder: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "printed.csv"
    sheet.write_text("row;1;2;3\nfar;0;5;-1\nnear;;10;22\n", encoding="utf-8")
    assert run("table", "import", folder, "printed", sheet, "--yes") == 0
    assert changed_lines(folder) == ["      far    0    5   -1     # far is safe", "      near   .   10    22"]


def test_spreadsheet_is_read_as_shown(folder: Path, tmp_path: Path, capsys) -> None:
    library = pytest.importorskip("openpyxl")
    sheet = tmp_path / "printed.xlsx"
    book = library.Workbook()
    for row in (["row", 1, 2.0, "3"], ["far", 0, None, -1], ["near", 1, 10, 7.0]):
        book.active.append(row)
    book.active.merge_cells("B3:C3")  # joined: both are 1
    book.save(sheet)
    assert run("table", "import", folder, "printed", sheet) == 0
    assert changed_lines(folder) == ["      near   1   1     7"]


def spoilt_sheet(path: Path) -> None:
    import datetime

    library = pytest.importorskip("openpyxl")
    book = library.Workbook()
    for row in (["odds", 1, 2, 3], [datetime.datetime(2026, 1, 2), "-", "-", "DR"], ["1-1", "=A1", "DR", "1DR"]):
        book.active.append(row)
    book.save(path)


def test_dates_and_formulas_are_reported_at_their_cells(folder: Path, tmp_path: Path, capsys) -> None:
    sheet = tmp_path / "odds.xlsx"
    spoilt_sheet(sheet)
    assert run("table", "import", folder, "odds", sheet) == 2
    told = capsys.readouterr().err
    assert "odds.xlsx, Sheet!A2: error[date-cell]" in told and "1-2 or 2-1" in told
    assert "odds.xlsx, Sheet!B3: error[formula-cell]" in told
    assert text_of(folder) == CHARTS.splitlines()


@pytest.mark.parametrize(
    ("rows", "place", "told"),
    [
        ("odds,1,2,3\n02-Jan,-,-,DR\n", "2:1", "the date 02-Jan"),
        ("odds,1,2,3\n1月2日,-,-,DR\n", "2:1", "the date 1月2日"),
        ("odds,1,2,3\n1-2,-,-,DX\n1-1,-,DR,1DR\n2-1,DR,1DR,2DR\n", "2:9", "`DX`"),
        ("odds,1,2,3\n1-2,-,-,DR\n1-1,-,DR,1DR\n3-1,DR,1DR,2DR\n", "4:1", "has no row `3-1`"),
        ("odds,1,2,4\n1-2,-,-,DR\n1-1,-,DR,1DR\n2-1,DR,1DR,2DR\n", "1:10", "has no column `4`"),
        ("odds,1,2,3\n1-2,-,-,DR\n1-2,-,DR,1DR\n2-1,DR,1DR,2DR\n", "3:1", "[duplicate-key]"),
        ("odds,1,2,3\n1-2,-,,DR\n1-1,-,DR,1DR\n2-1,DR,1DR,2DR\n", "2:7", "is empty"),
        ("odds,1,2,3\n1-2,-,-,DR\n1-1,-,DR,1DR\n", "1:1", "lacks the row `2-1`"),
    ],
)
def test_sheet_error_is_reported_at_cell_and_keeps_file(
    folder: Path, tmp_path: Path, capsys, rows: str, place: str, told: str
) -> None:
    sheet = tmp_path / "s.csv"
    sheet.write_text(rows, encoding="utf-8")
    assert run("table", "import", folder, "odds", sheet) == 2
    said = capsys.readouterr().err
    assert f"s.csv:{place}: error" in said and told in said and "nothing was changed" in said
    assert text_of(folder) == CHARTS.splitlines()


@pytest.mark.parametrize("content", [b"", b"\n\n,,\n", b"\xff\xfe\x00a", b"\x00\x01", b"a\n\xa4\n"])
def test_non_sheet_file_is_reported(folder: Path, tmp_path: Path, capsys, content: bytes) -> None:
    for name in ("s.csv", "s.xlsx"):
        (tmp_path / name).write_bytes(content)
        if name == "s.xlsx":
            pytest.importorskip("openpyxl")
        assert run("table", "import", folder, "odds", tmp_path / name) == 2
        told = capsys.readouterr().err
        assert told.startswith("grognard: ") and "a bug in grognard" not in told and told.count("\n") == 1


def test_wrong_usage_is_reported(folder: Path, tmp_path: Path, capsys) -> None:
    sheet = tmp_path / "s.csv"
    for words, told in (
        (("export", folder, "odd", sheet), "did you mean `odds`"),
        (("import", folder, "odds", sheet), "cannot read"),
        (("import", folder, "odds", tmp_path), "ends in .csv"),
        (("export", "nowhere", "odds", sheet), "a built-in ruleset"),
        (("export", folder, "odds", Path(__file__) / "s.csv"), "is not a folder"),
    ):
        assert run("table", *words) == 2
        assert told in capsys.readouterr().err
    assert not sheet.exists()
    assert run("table", "export", folder, "odds", sheet) == 0
    assert run("table", "export", folder, "odds", sheet) == 2
    shutil.copy(sheet, tmp_path / "n.csv")
    assert run("table", "import", "napoleon", "combat_table", tmp_path / "n.csv") == 2


def test_formula_like_text_is_exported_as_text(folder: Path, tmp_path: Path, capsys) -> None:
    assert run("table", "export", folder, "words", tmp_path / "w.csv") == 0
    assert (tmp_path / "w.csv").read_text(encoding="utf-8-sig").splitlines() == ["row,result", "far,12", "near,'=1+1"]
    pytest.importorskip("openpyxl")
    assert run("table", "export", folder, "words", tmp_path / "w.xlsx") == 0
    for ending in ("csv", "xlsx"):
        capsys.readouterr()
        assert run("table", "import", folder, "words", tmp_path / f"w.{ending}", "--format", "json") == 0
        assert json.loads(capsys.readouterr().out)["differences"] == []


def test_variant_gets_cells_that_differ_from_its_base(folder: Path, tmp_path: Path, capsys) -> None:
    variant = tmp_path / "hot.yaml"
    variant.write_text("kind: variant\nformat: 1\nid: hot\ntitle: Hot   # kept\nextends: ./tiny\n", encoding="utf-8")
    sheet = tmp_path / "odds.csv"
    sheet.write_text("odds,1,2,3\n1-2,DR,-,DR\n1-1,-,DR,1DR\n2-1,DR,9DR,2DR\n", encoding="utf-8")
    assert run("table", "import", variant, "odds", sheet, "--dry-run") == 0
    assert "cells" not in variant.read_text(encoding="utf-8")
    assert run("table", "import", variant, "odds", sheet) == 0
    assert variant.read_text(encoding="utf-8").splitlines()[3:] == [
        "title: Hot   # kept",
        "extends: ./tiny",
        "tables:",
        "  tables:",
        "    odds:",
        "      cells:",
        "        1-2: {1: DR}",
        "        2-1: {2: 9DR}",
    ]
    ruleset = read_documents(str(variant), Sink())
    assert ruleset is not None and ruleset.tables["odds"].cells[(2, 1)] == (("loss", 9), ("back", 0))
    assert text_of(folder) == CHARTS.splitlines()


def test_same_chart_gives_same_spreadsheet(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    from interpreter.tools.spreadsheets.sheet_writing import serialize_sheet

    rows: list[list[Any]] = [["odds", "1"], ["1-2", "=A1"]]
    assert serialize_sheet(tmp_path / "a.xlsx", "a", rows) == serialize_sheet(tmp_path / "b.xlsx", "a", rows)
