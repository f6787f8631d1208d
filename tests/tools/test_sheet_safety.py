"""Nothing is lost by an import, nothing runs by an export, and no file takes more than its share of memory."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.runtime.errors import SetupError
from interpreter.tools.spreadsheets.chart_import import open_sheets
from interpreter.tools.spreadsheets.grids import MAX_COLUMNS, MAX_ROWS
from interpreter.tools.spreadsheets.safe_cells import escape_formula, unescape_formula
from interpreter.tools.spreadsheets.workbooks import MAX_CELLS, MAX_UNPACKED
from tests.recordings import assert_recorded
from tests.tools.typed_sheets import CHARTS, ODDS, Typed, book, cells, typist, unchanged, write_charts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_charts(tmp_path)


@pytest.fixture
def typed(folder: Path, tmp_path: Path, capsys) -> Typed:
    return typist(folder, tmp_path, capsys)


# --- nothing is lost ----------------------------------------------------------------------


@pytest.mark.parametrize("text", ["row,1,2,3\nfar,9\n", "row,1\nfar,9\n", "row,2,1\nfar,4,9\n", "row,1,2,3\nfar,9,4\n"])
def test_cells_that_file_does_not_give_stay(typed, folder: Path, text: str) -> None:
    before = cells(folder, "printed")
    code, told = typed("printed", text)
    assert code == 0 and "emptied" not in told
    assert cells(folder, "printed") == {**before, (0, 0): 9}


def test_empty_cell_is_emptied_only_on_demand(typed, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "row,1,2,3\nfar,,4,5\nnear,,10,2\n"
    code, told = typed("printed", text)
    assert code == 2 and unchanged(folder)
    assert "2 cells would become empty:" in told and "printed far, n 1: `0`" in told and "add --yes" in told
    code, told = typed("printed", text, "--dry-run")
    assert code == 0 and "is removed" in told and unchanged(folder)
    code, told = typed("printed", text, "--format", "json")
    assert code == 2 and unchanged(folder)
    for answer, is_done in (("", False), ("n", False), ("y", True)):
        monkeypatch.setattr("sys.stdin", Terminal(f"{answer}\n"))
        code, told = typed("printed", text)
        assert (code == 0) is is_done and "empty them? [y/N]" in told and unchanged(folder) is not is_done
    assert (0, 0) not in cells(folder, "printed") and cells(folder, "printed")[0, 2] == 5


class Terminal:
    """A keyboard at which a person types one line."""

    def __init__(self, line: str) -> None:
        self.line = line

    def isatty(self) -> bool:
        return True

    def readline(self) -> str:
        return self.line


def test_empty_cells_with_yes_are_emptied(typed, folder: Path) -> None:
    assert typed("printed", "row,1,2,3\nfar,,4,-1\n", "--yes")[0] == 0
    assert (0, 0) not in cells(folder, "printed") and (2, 0) in cells(folder, "printed")


def test_columns_that_file_does_not_give_stay(typed, folder: Path) -> None:
    assert typed("supply", "row,gain\nfar,3\n")[0] == 0
    assert cells(folder, "supply") == {(0,): (3, 4), (1,): (2, 5)}
    code, told = typed("supply", "row,gain,limit\nfar,3,\nnear,2,5\n")
    assert code == 2
    assert_recorded(told, FOLDER=folder.parent)
    assert typed("supply", "row,gain,limit\nfar,3,\nnear,2,5\n", "--yes")[0] == 0
    assert cells(folder, "supply") == {(0,): (3, None), (1,): (2, 5)}


def test_short_row_of_full_chart_is_reported(typed, folder: Path) -> None:
    code, told = typed("odds", "odds,1,2,3\n1:3,-,-\n1:1,-,DR,1DR\n3:2,DR,1DR,2DR\n")
    assert code == 2 and "is empty" in told and unchanged(folder)


@pytest.mark.parametrize("text", ["row,1,2,3\n", "row,1,2,3\nAs printed\n", "a,b\nc,d\n"])
def test_file_without_chart_cells_reports_no_change(typed, folder: Path, text: str) -> None:
    code, told = typed("printed", text)
    assert code == 2 and "no differences" not in told and unchanged(folder)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("die: {range: 1..3}}", "die: dye}", "unknown-axis"),
        ("{parts: {DR: back,", '{parts: {"-": none, DR: back,', "bad-notation"),
        ('["1-3", "1-1", "3-2"]', '["1-3", "3-2", "1-1"]', "rows-out-of-order"),
    ],
)
def test_chart_heading_error_stops_comparison(
    typed, folder: Path, tmp_path: Path, capsys, old: str, new: str, code: str
) -> None:
    path = folder / "charts.yaml"
    text = CHARTS.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    done, told = typed("odds", ODDS.replace("2DR", "1DR"))
    assert done == 2 and f"error[{code}]" in told and "nothing was changed" in told and "no differences" not in told
    assert main(["table", "export", str(folder), "odds", str(tmp_path / "o.csv")]) == 2
    assert f"error[{code}]" in capsys.readouterr().err and not (tmp_path / "o.csv").exists()
    assert path.read_text(encoding="utf-8") == text


def test_fault_in_cells_of_chart_is_mended_by_import(typed, folder: Path) -> None:
    path = folder / "charts.yaml"
    path.write_text(CHARTS.replace("[DR, 1DR, 2DR]", "[DR, 1DX, 2DR]"), encoding="utf-8")
    assert typed("odds", ODDS)[0] == 0
    assert path.read_text(encoding="utf-8") == CHARTS


# --- out to spreadsheet programs ----------------------------------------------------------

RISKY = [
    "=1+1",
    "+cmd|' /C calc'!A1",
    "-2+3+cmd|' /C calc'!A1",
    "@SUM(A1)",
    "\tx",
    "＝1+1",
    "'=1",
    "''-x",
    "-1",
    "+2",
    "-",
    "x",
]


@pytest.mark.parametrize("text", RISKY)
def test_protected_cell_is_read_back_and_never_runs(text: str) -> None:
    made = escape_formula(text)
    assert unescape_formula(made) == text and unescape_formula(escape_formula(text, is_typed=True)) == text
    assert made[0] not in "=@\t＝" and (made in ("-1", "+2", "-") or made[0] not in "+-")


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_risky_texts_come_back_as_they_went(folder: Path, tmp_path: Path, capsys, ending: str) -> None:
    if ending == "xlsx":
        pytest.importorskip("openpyxl")
    texts = [text for text in RISKY if text != "\tx"]
    rows = "".join(f"      {n}: {json.dumps(text)}\n" for n, text in enumerate(texts, 1))
    chart = f"  risky:\n    axes: {{n: {{range: 1..{len(texts)}}}}}\n    gives: text\n    cells:\n{rows}"
    (folder / "charts.yaml").write_text(CHARTS + chart, encoding="utf-8")
    path = tmp_path / f"r.{ending}"
    assert main(["table", "export", str(folder), "risky", str(path)]) == 0
    capsys.readouterr()
    assert main(["table", "import", str(folder), "risky", str(path), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["differences"] == []


def test_cell_that_runs_where_other_signs_part_cells_is_not_written(folder: Path, tmp_path: Path, capsys) -> None:
    (folder / "charts.yaml").write_text(CHARTS.replace('"8:00"', '"a;=1+1"'), encoding="utf-8")
    assert main(["table", "export", str(folder), "clock", str(tmp_path / "c.csv")]) == 2
    assert "ends in .xlsx" in capsys.readouterr().err and not (tmp_path / "c.csv").exists()


@pytest.mark.parametrize(
    ("delimiter", "head"), [("semicolon", "far;1;0,5"), ("tab", "far\t1\t0.5"), ("comma", "far,1,0.5")]
)
def test_export_with_semicolons_is_imported_unchanged(
    folder: Path, tmp_path: Path, capsys, delimiter: str, head: str
) -> None:
    for name in ("costs", "odds", "losses", "supply", "bands"):
        path = tmp_path / f"{name}.csv"
        assert main(["table", "export", str(folder), name, str(path), "--delimiter", delimiter]) == 0
        capsys.readouterr()
        assert main(["table", "import", str(folder), name, str(path), "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out)["differences"] == []
    assert head in (tmp_path / "costs.csv").read_text(encoding="utf-8-sig")


# --- books that unpack to too much --------------------------------------------------------

SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData>{}</worksheet>'


ONE = '<row r="1"><c r="A1"><v>1</v></c></row>'


def with_sheet(tmp_path: Path, rows: str, behind: str = "", encoding: str = "utf-8") -> Path:
    """Return a book whose only sheet has other rows than its writer gave it."""
    path = book(tmp_path / "b.xlsx", {"odds": [["odds", 1, 2, 3]]})
    into = BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = SHEET.format(rows, behind).encode(encoding) if name.endswith("sheet1.xml") else old.read(name)
            new.writestr(name, content)
    path.write_bytes(into.getvalue())
    return path


@pytest.mark.parametrize(
    ("rows", "behind"),
    [
        ('<row r="1">' + "<c/>" * (MAX_CELLS + 1) + "</row>", ""),
        ('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', ""),
        (f'<row r="{MAX_ROWS + 1}"><c r="A{MAX_ROWS + 1}"><v>1</v></c></row>', ""),
        ('<row r="1"><c r="A1"><v>1</v></c><c r="SZZ1"><v>1</v></c></row>', ""),
        ('<row r="1"><c r="RZ1"><v>1</v></c></row><row r="1999"><c r="A1999"><v>1</v></c></row>', ""),
        (ONE, '<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
        (ONE, '<hyperlinks><hyperlink ref="A1:A1048576" location="x"/></hyperlinks>'),
        (ONE, '<hyperlinks><hyperlink ref="A:A" location="x"/></hyperlinks>'),
        (
            '<row r="1"><c r="A1"><v>1</v></c></row>',
            "<mergeCells>" + '<mergeCell ref="A1:J10"/>' * 2_001 + "</mergeCells>",
        ),
        ('<row r="1"><c r="A1"><is><t>' + " " * MAX_UNPACKED + "</t></is></c></row>", ""),
    ],
)
def test_oversized_workbook_is_refused_before_library_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: str, behind: str
) -> None:
    path = with_sheet(tmp_path, rows, behind)
    library = pytest.importorskip("openpyxl")
    monkeypatch.setattr(library, "load_workbook", lambda *_args, **_named: pytest.fail("taken up"))
    with pytest.raises(SetupError):
        open_sheets(path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_oversized_sheet_in_another_encoding_is_refused_before_library_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    path = with_sheet(tmp_path, ONE, '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>', encoding)
    library = pytest.importorskip("openpyxl")
    monkeypatch.setattr(library, "load_workbook", lambda *_args, **_named: pytest.fail("taken up"))
    with pytest.raises(SetupError):
        open_sheets(path)


def test_sheet_in_utf_16_is_read(tmp_path: Path) -> None:
    sheets = open_sheets(with_sheet(tmp_path, '<row r="1"><c r="A1"><v>7</v></c></row>', encoding="utf-16"))
    assert [[cell.text for cell in row] for row in sheets.read(sheets.titles[0]).rows] == [["7"]]


def test_blank_cell_far_out_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = with_sheet(
        tmp_path, '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576" s="0"/></row>'
    )
    sheets = open_sheets(path)
    assert [[cell.text for cell in row] for row in sheets.read(sheets.titles[0]).rows] == [["1"]]


def test_book_that_declares_entities_is_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "b.xlsx", {"odds": [["odds", 1, 2, 3]]})
    into = BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(into, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("sheet1.xml"):
                content = b'<!DOCTYPE x [<!ENTITY a "1">]>' + content.split(b"?>", 1)[-1]
            new.writestr(name, content)
    path.write_bytes(into.getvalue())
    with pytest.raises(SetupError):
        open_sheets(path)


def test_csv_of_very_many_cells_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("," * 300_000)
    sheets = open_sheets(tmp_path / "s.csv")
    with pytest.raises(SetupError):
        sheets.read("")


def test_number_of_book_is_read_as_shown(typed, folder: Path, tmp_path: Path) -> None:
    path = book(
        tmp_path / "b.xlsx", {"costs": [["row", 1, 2], ["far", 0.1 + 0.2, 2.0], ["near", 1 / 3, 2]]}, {"B3": "# ?/?"}
    )
    assert typed("costs", path)[0] == 0
    assert [str(value) for value in cells(folder, "costs").values()] == ["3/10", "2", "1/3", "2"]


def test_limits_of_rows_and_columns_fit_largest_chart() -> None:
    assert MAX_ROWS * MAX_COLUMNS >= MAX_CELLS
