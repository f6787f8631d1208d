"""Charts in spreadsheets as people and programs leave them: read, or refused at the right cell with a cure."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from interpreter.tools.spreadsheets.grids import MAX_CELL
from interpreter.tools.spreadsheets.typed_dates import parse_date, parse_odds_time
from tests.recordings import assert_recorded
from tests.tools.typed_sheets import ODDS, Rows, Typed, book, cells, typist, unchanged, write_charts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_charts(tmp_path)


@pytest.fixture
def typed(folder: Path, tmp_path: Path, capsys) -> Typed:
    return typist(folder, tmp_path, capsys)


# --- what lies around a chart -------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"sep=,\n{ODDS}",
        ODDS.replace(",", ";").join(["sep=;\r\n", ""]),
        ODDS.replace(",", "\t"),
        f"Combat results,,,\n{ODDS}",
        f"The Game,,,\nCombat results,,,\n,die,,\n{ODDS}",
        f"{ODDS}\nDR is a retreat of one hex.,,,\nn: losses,,,\n",
        "odds,,1,2,,3\n1:3,,-,-,,DR\n1:1,,-,DR,,1DR\n3:2,,DR,1DR,,2DR\n",
        ",odds,1,2,3\n,1:3,-,-,DR\n,1:1,-,DR,1DR\n,3:2,DR,1DR,2DR\n",
        ",1,2,3\n1:3,-,-,DR\n,,,\n1:1,-,DR,1DR\n3:2,DR,1DR,2DR\n",
        "odds,3,1,2\n3:2,2DR,DR,1DR\n1:3,DR,-,-\n1:1,1DR,-,DR\n",
    ],
)
def test_chart_is_found_among_other_cells(typed, folder: Path, text: str) -> None:
    code, told = typed("odds", text)
    assert code == 0 and "no differences" in told and unchanged(folder)


@pytest.mark.parametrize(
    "text",
    [
        "Losses,,,,\ndie,1,2,3,4\nresult,0-1,1-1,1-2,2-2\n",
        "die,result\n1,0-1\n2,1-1\n3,1-2\n4,2-2\nAs printed.,\n",
        "Losses\ndie;result\n1;0-1\n2;1-1\n3;1-2\n4;2-2\n",
        "1,0-1\n2,1-1\n3,1-2\n4,2-2\n",
        ",1,2,3,4\n,0-1,1-1,1-2,2-2\n",
    ],
)
def test_single_axis_chart_is_found_among_other_cells(typed, text: str) -> None:
    code, told = typed("losses", text)
    assert code == 0 and "no differences" in told


@pytest.mark.parametrize(
    "text",
    [
        "who,row,1,2\nus,far,1,2\nus,near,3,4\nthem,far,5,6\nthem,near,7,8\n",
        "who,row,1,2\nus,far,1,2\n,near,3,4\nthem,far,5,6\n,near,7,8\n",
        ",,n,\n,,1,2\nus,far,1,2\n,near,3,4\nthem,far,5,6\n,near,7,8\n",
    ],
)
def test_heading_of_several_rows_counts_for_each(typed: Typed, text: str) -> None:
    code, told = typed("ground", text)
    assert code == 0 and "no differences" in told


def test_row_without_heading_is_reported_at_its_cell(typed: Typed) -> None:
    code, told = typed("ground", "who,row,1,2\nus,far,1,2\n,,3,4\nthem,far,5,6\nthem,near,7,8\n")
    assert code == 2 and "s.csv:3:2: error[unknown-row]" in told


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("losses", "die,1,2,3,4\nresult,0-1,1-1,1-2,2-2\nresult,5-5,5-5,5-5,5-5\n"),
        ("odds", "1:3,DR,DR,DR\nodds,1,2,3\n1:3,-,-,DR\n1:1,-,DR,1DR\n3:2,DR,1DR,2DR\n"),
    ],
)
def test_row_of_cells_outside_chart_is_not_passed_over(typed: Typed, folder: Path, name: str, text: str) -> None:
    code, _told = typed(name, text)
    assert code == 2 and unchanged(folder)


def test_skipped_rows_are_reported(typed) -> None:
    _code, told = typed("odds", f"Our own chart,,,\n{ODDS}House rules apply,,,\n")
    assert "Our own chart, House rules" in told


@pytest.mark.parametrize("row", ["farr,1,2,3", "farr,,,", "x,1,2,3"])
def test_row_with_unknown_heading_is_reported(typed, folder: Path, row: str) -> None:
    code, told = typed("printed", f"row,1,2,3\nfar,0,4,-1\n{row}\n")
    assert code == 2 and "has no row" in told and unchanged(folder)


def test_column_without_heading_is_reported_at_its_cell(typed, folder: Path) -> None:
    code, told = typed("odds", "odds,1,2,3,\n1:3,-,-,DR,x\n1:1,-,DR,1DR,\n3:2,DR,1DR,2DR,\n")
    assert code == 2 and "s.csv:2:12: error[unknown-row]" in told


def test_transposed_chart_is_reported(typed, folder: Path) -> None:
    code, told = typed("odds", "die,1:3,1:1,3:2\n1,-,-,DR\n2,-,DR,1DR\n3,DR,1DR,2DR\n")
    assert code == 2 and told.count("error[") == 1
    assert_recorded(told, FOLDER=folder.parent)


def test_delimiter_is_not_sign_within_texts(typed, folder: Path) -> None:
    code, _told = typed("losses", 'die,result\n1,"a; b"\n2,"c; d"\n3,"e; f"\n4,"g; h"\n')
    assert code == 0 and cells(folder, "losses")[0,] == "a; b"


# --- sheets of a book ---------------------------------------------------------------------

CHART: Rows = [["odds", 1, 2, 3], ["1:3", "-", "-", "DR"], ["1:1", "-", "DR", "1DR"], ["3:2", "DR", "1DR", "3DR"]]
OTHER: Rows = [["Notes"], ["typed over on Sunday"]]


@pytest.mark.parametrize(
    "sheets",
    [
        {"Notes": OTHER, "Sheet2": CHART},
        {"Notes": OTHER, "ODDS": CHART},
        {"Empty": [], "Notes": OTHER, "Combat results": CHART},
        {"Old": [*CHART[:3], ["3:2", "DR", "1DR", "9DR"]], "odds": CHART},
    ],
)
def test_chart_is_read_from_sheet_that_holds_it(typed, folder: Path, tmp_path: Path, sheets: dict[str, Rows]) -> None:
    code, told = typed("odds", book(tmp_path / "b.xlsx", sheets))
    assert code == 0 and "`2DR` changes to `3DR`" in told


def test_sheet_is_chosen_by_its_name(typed, tmp_path: Path) -> None:
    path = book(tmp_path / "b.xlsx", {"One": CHART, "Two": [*CHART[:3], ["3:2", "DR", "1DR", "9DR"]]})
    assert "changes to `9DR`" in typed("odds", path, "--sheet", "two")[1]
    code, told = typed("odds", path, "--sheet", "Tow")
    assert code == 2 and "did you mean `Two`?" in told
    code, told = typed("odds", ODDS, "--sheet", "Two")
    assert code == 2 and ".xlsx" in told


def test_locked_spreadsheet_is_reported_with_hint(typed, tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    secret, old = tmp_path / "secret.xlsx", tmp_path / "old.xlsx"
    secret.write_bytes(b"\xd0\xcf\x11\xe0" + bytes(600) + "EncryptedPackage".encode("utf-16-le"))
    old.write_bytes(b"\xd0\xcf\x11\xe0" + bytes(600))
    assert "has a password" in typed("odds", secret)[1]
    assert "(.xls)" in typed("odds", old)[1]
    for ending in ("ods", "xls", "numbers"):
        code, told = typed("odds", tmp_path / f"a.{ending}")
        assert code == 2 and "`CSV UTF-8`" in told


def test_workbook_without_cells_is_reported(typed, tmp_path: Path) -> None:
    library = pytest.importorskip("openpyxl")
    made = library.Workbook()
    made.remove(made.active)
    made.create_chartsheet("Diagram").add_chart(library.chart.BarChart())
    made.save(tmp_path / "d.xlsx")
    code, told = typed("odds", tmp_path / "d.xlsx")
    assert code == 2
    assert_recorded(told, FOLDER=tmp_path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp932"])
def test_csv_in_another_encoding_is_reported(typed, tmp_path: Path, encoding: str) -> None:
    code, told = typed("odds", ODDS.replace("odds", "比率").encode(encoding))
    assert code == 2
    assert_recorded(told, FOLDER=tmp_path)


def test_archive_with_ending_of_csv_is_reported(typed, tmp_path: Path) -> None:
    path = book(tmp_path / "b.xlsx", {"One": CHART}).rename(tmp_path / "b.csv")
    code, told = typed("odds", path)
    assert code == 2 and "a spreadsheet" in told


# --- dates and times ----------------------------------------------------------------------

DATES = [
    "02-Jan",
    "2-ene",
    "02. Jan",
    "02-janv.",
    "2-gen",
    "2. led",
    "02-янв",
    "2 oca",
    "1月2日",
    "2026-01-02",
    "02.01.2026",
]


@pytest.mark.parametrize("text", DATES)
def test_date_is_recognised_in_every_language(text: str) -> None:
    made = parse_date(text)
    assert made is not None and set(made.typed) == {"1-2", "2-1"}


@pytest.mark.parametrize("text", ["1-2", "1/2", "2 hits", "D2", "1.5", "-", "", "R-12", "2-bde", "x" * 9_000])
def test_other_text_is_not_date(text: str) -> None:
    assert parse_date(text) is None and parse_odds_time(text) == ""


@pytest.mark.parametrize("text", DATES)
@pytest.mark.parametrize(
    "csv", ["odds,1,2,3\n{},-,-,DR\n1:1,-,DR,1DR\n3:2,DR,1DR,2DR\n", ODDS.replace("1DR,2DR", "{},2DR")]
)
def test_date_in_chart_is_refused_at_its_cell(typed, folder: Path, text: str, csv: str) -> None:
    code, told = typed("odds", csv.format(text))
    assert code == 2 and "error[date-cell]" in told and "you probably typed 1-2 or 2-1" in told and unchanged(folder)


@pytest.mark.parametrize("text", ["01-Jan", "1-ene", "2026-01-01", "1月1日"])
def test_date_in_chart_of_texts_with_pairs_is_refused(typed, folder: Path, text: str) -> None:
    code, told = typed("losses", f"die,1,2,3,4\nresult,0-1,{text},1-2,2-2\n")
    assert code == 2 and "error[date-cell]" in told and unchanged(folder)


def test_date_in_chart_of_other_texts_is_text(typed, folder: Path) -> None:
    assert typed("clock", "turn,1,2\nresult,2 May,3 May\n")[0] == 0
    assert cells(folder, "clock") == {(0,): "2 May", (1,): "3 May"}


@pytest.mark.parametrize("heading", ["1:03", "01:03", "01:03:00", "1:03 AM", "1-3", "1–3", "１：３", "1 to 3"])
def test_time_as_heading_is_odds_it_was_typed_as(typed, heading: str) -> None:
    code, told = typed("odds", ODDS.replace("1:3", heading))
    assert code == 0 and "no differences" in told


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (datetime.time(1, 3), "h:mm"),
        (datetime.timedelta(hours=1, minutes=3), "[h]:mm"),
    ],
)
def test_time_of_book_as_heading_is_odds_it_was_typed_as(typed, tmp_path: Path, value: Any, form: str) -> None:
    path = book(tmp_path / "b.xlsx", {"odds": [CHART[0], [value, "-", "-", "DR"], *CHART[2:]]}, {"A2": form})
    code, told = typed("odds", path)
    assert code == 0 and "changes to `3DR`" in told


def test_time_cell_is_reported_as_time(typed, folder: Path, tmp_path: Path) -> None:
    path = book(tmp_path / "b.xlsx", {"odds": [CHART[0], ["1:3", datetime.time(12, 0), "-", "DR"], *CHART[2:]]})
    for content in (path, ODDS.replace("1:3,-", "1:3,12:00")):
        code, told = typed("odds", content)
        assert code == 2 and "the time 12:00" in told
    assert typed("clock", "turn,1,2\nresult,8:00,20:00\n")[0] == 0
    assert cells(folder, "clock")[1,] == "20:00"


def test_date_of_book_is_refused_in_every_chart(typed, tmp_path: Path) -> None:
    path = book(tmp_path / "b.xlsx", {"clock": [["turn", 1, 2], ["result", datetime.date(2026, 1, 2), "noon"]]})
    code, told = typed("clock", path)
    assert code == 2 and "clock!B2: error[date-cell]" in told


def test_date_in_note_beside_chart_is_accepted(typed, tmp_path: Path) -> None:
    path = book(tmp_path / "b.xlsx", {"odds": [["Printed", datetime.date(2026, 1, 2)], [], *CHART]})
    assert typed("odds", path)[0] == 0


# --- cells and headings as they are printed -----------------------------------------------


@pytest.mark.parametrize(("yes", "no"), [("TRUE", "FALSE"), ("WAHR", "FALSCH"), ("VRAI", "FAUX"), ("true", "false")])
def test_flag_of_spreadsheet_is_read(typed, folder: Path, yes: str, no: str) -> None:
    assert typed("flags", f"row,1,2\nfar,{yes},{yes}\nnear,{no},{no}\n")[0] == 0
    assert cells(folder, "flags")[0, 1] is True


@pytest.mark.parametrize("half", ["1/2", "0.5", "½"])
@pytest.mark.parametrize("more", ["3/2", "1.5", "1½", "1 1/2"])
def test_fraction_is_read_as_printed(typed, folder: Path, half: str, more: str) -> None:
    assert typed("costs", f"row,1,2\nfar,{more},{half}\nnear,1/3,2\n")[0] == 0
    assert str(cells(folder, "costs")[0, 0]) == "3/2"


def test_decimal_comma_is_read_where_semicolons_part_cells(typed, folder: Path) -> None:
    assert typed("costs", "row;1;2\nfar;1,5;0,5\nnear;1/3;2\n")[0] == 0
    assert str(cells(folder, "costs")[0, 0]) == "3/2"


def test_decimal_comma_suggests_point(typed, folder: Path) -> None:
    code, told = typed("costs", 'row,1,2\nfar,"1,5",1/2\nnear,1/3,2\n')
    assert code == 2 and "write it as `1.5`" in told and unchanged(folder)


@pytest.mark.parametrize("heading", ["1.5-1", "1.5:1", "1½-1", "3–2", "3:2+"])
def test_odds_are_read_as_they_are_printed(typed, heading: str) -> None:
    code, told = typed("odds", ODDS.replace("3:2", heading))
    assert code == 0 and "no differences" in told


@pytest.mark.parametrize("headings", ["1 or less,2-5,6-14,15+", "≤1,2–5,6 to 14,15 or more", "..1,2..5,6..14,15.."])
def test_bands_are_read_as_they_are_printed(typed, headings: str) -> None:
    rows = "\n".join(f"{h},{n},{n + 1}" for h, n in zip(headings.split(","), (1, 3, 5, 7), strict=True))
    code, told = typed("bands", f"strength,Far,NEAR\n{rows}\n")
    assert code == 0 and "no differences" in told


def test_blank_cell_sign_hint_says_leave_empty(typed, folder: Path) -> None:
    code, told = typed("printed", "row,1,2,3\nfar,0,4,NA\n")
    assert code == 2 and "s.csv:2:9: error[wrong-type]" in told and "leave the cell empty" in told


def test_cell_of_many_characters_is_refused_at_its_place(typed, folder: Path) -> None:
    code, told = typed("odds", ODDS.replace("2DR", "R" * 64_000))
    assert code == 2 and f"s.csv:4:12: a cell has 64000 characters; the limit is {MAX_CELL}" in told and len(told) < 500
    code, told = typed("odds", ODDS.replace("2DR", "R" * 4_000))
    assert code == 2 and "4000 characters, expected at most 200" in told
