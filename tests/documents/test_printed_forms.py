"""Charts and values typed as they are printed: read where that is safe, else refused in place with the right form."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from interpreter.diagnostics.quick_fixes import find_quick_fix
from interpreter.documents.values.axes import read_band
from interpreter.documents.values.printed_forms import guess_band, guess_number, guess_ratio, is_same_number
from interpreter.i18n.number_format import format_number, parse_number
from interpreter.tools.autofix.apply_fixes import apply_fixes
from tests.first_game import spoil, write_first_game


@pytest.mark.parametrize("number", [Fraction(n, d) for n in range(-9, 10) for d in (1, 2, 3, 7)])
def test_printed_number_is_read_back(number: Fraction) -> None:
    assert parse_number(format_number(number)) == number == parse_number(str(number))


@pytest.mark.parametrize(
    ("text", "number"),
    [("½", "1/2"), ("1½", "3/2"), ("1 ½", "3/2"), ("-2¾", "-11/4"), ("⅓", "1/3"), ("1.50", "3/2"), ("0.5", "1/2")],
)
def test_parse_number_reads_printed_fractions(text: str, number: str) -> None:
    assert parse_number(text) == Fraction(number)


@pytest.mark.parametrize("text", ["", "1/0", "1 1/0", "1 2", "1.5/2", "1e3", "+1", "--1", "1½½", "9" * 50, "x"])
def test_parse_number_refuses_other_texts(text: str) -> None:
    assert parse_number(text) is None


def test_number_meant_never_guesses_thousands() -> None:
    assert (guess_number("1,5"), guess_number("1,500"), guess_number("12,000 men")) == ("1.5", None, None)


@pytest.mark.parametrize(("text", "same"), [("05", True), ("+5", True), ("５", True), ("5 pts", False), ("1e1", False)])
def test_number_in_other_signs_is_same(text: str, same: bool) -> None:
    assert is_same_number(text, guess_number(text) or "") is same


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1.5-1", "3-2"),
        ("1½-1", "3-2"),
        ("1 1/2 to 1", "3-2"),
        ("0.5-1", "1-2"),
        ("1–2", "1-2"),
        ("１－２", "1-2"),
        ("1 : 02", "1-2"),
        ("1 to 2", "1-2"),
        ("even", None),
        ("0-1", None),
        ("1-2-3", None),
    ],
)
def test_ratio_meant_keeps_odds(text: str, meant: str | None) -> None:
    assert guess_ratio(text) == (None if meant is None else (meant, False))


@pytest.mark.parametrize("text", ["4:1+", "4-1 or more", "4 to 1 and up", "4:1 or better"])
def test_ratio_meant_sees_that_higher_odds_count_as_last(text: str) -> None:
    assert guess_ratio(text) == ("4-1", True)


@pytest.mark.parametrize("text", ["2-5", "15+", "15 or more", "≥ 15", "<=4", "4 or less", "1½-2", "0–3"])
def test_band_meant_is_band(text: str) -> None:
    assert read_band(guess_band(text) or "") is not None


def test_band_of_endless_blanks_is_refused_at_once() -> None:
    assert read_band(" " * 60_000 + "x") is None


CHART = """\
kind: tables
format: 1
tables:
  zz:
    axes: {%s, die: die}
    gives: {one_of: [hit, miss]}
    cells:
%s"""


def odds_chart(odds: str, rows: str = "1-1 1-2 2-1") -> str:
    axis = f"odds: {{ratio: [{odds}], round: for_defender}}"
    return CHART % (axis, "".join(f"      {row}: [hit, hit, miss, miss, miss, miss]\n" for row in rows.split()))


@pytest.mark.parametrize(
    ("written", "cure"),
    [
        ("1.5-1", "write it as `3-2`"),
        ("3–2", "write it as `3-2`"),
        ("３－２", "write it as `3-2`"),
        ("3-2+", "write it as `3-2`; `above: clamp`"),
        ("even", "write odds"),
    ],
)
def test_odds_in_another_form_suggest_same_odds(tmp_path: Path, load_target, written: str, cure: str) -> None:
    folder = write_first_game(tmp_path)
    (folder / "zz.yaml").write_text(odds_chart(f'"1-1", "{written}", "2-1"'), encoding="utf-8")
    assert load_target(folder).only("bad-range").help.startswith(cure)


def test_odds_in_another_form_are_cured_with_their_rows(tmp_path: Path, load_target) -> None:
    folder = write_first_game(tmp_path)
    path = folder / "zz.yaml"
    path.write_text(odds_chart('"1-1", "1.5-1", "2–1"', "1-1 1.5-1 2-1"), encoding="utf-8")
    texts = apply_fixes(str(folder)).texts[path.resolve()].decode()
    assert texts == odds_chart('"1-1", "3-2", "2-1"', "1-1 3-2 2-1")


@pytest.mark.parametrize(("written", "meant"), [("2-5", "2..5"), ("15+", "15.."), ("4 or more", "4..")])
def test_band_in_another_form_gets_hint(workspace, written: str, meant: str) -> None:
    workspace.spoil("tables.yaml", '"..10", "above 10 to 25", "above 25"', f'"..1", "{written}"')
    found = workspace.load().only("bad-range")
    cure = find_quick_fix(found)
    assert cure is not None and cure.text == f'"{meant}"' and found.help == f"write it as `{meant}`"


@pytest.mark.parametrize(
    ("row", "meant"), [("–1", "-1"), ("+1", "1"), ("01", "1"), ("１", "1"), ("−1", "-1"), ("O", "0")]
)
def test_row_in_other_signs_is_named(workspace, row: str, meant: str) -> None:
    written = {"-1": '-1: "R"', "0": '0: "1DR2*"', "1": "1: E"}
    workspace.spoil("tables.yaml", written[meant], written[meant].replace(meant, row, 1))
    assert f"`{meant}`" in workspace.load().only("unknown-row").help


@pytest.mark.parametrize("written", ["1:2", "1-02", "1 - 2", "01:2"])
@pytest.mark.parametrize("own", ["1-2", "1:2"])
def test_variant_changes_odds_of_its_base_however_they_are_written(
    tmp_path: Path, load_target, written: str, own: str
) -> None:
    folder = write_first_game(tmp_path)
    spoil(folder / "tables.yaml", '["1-2", "1-1"', f'["{written}", "1-1"')
    spoil(folder / "tables.yaml", "      1-2: [A2", f'      "{written}": [A2')
    variant = tmp_path / "v.yaml"
    variant.write_text(
        "kind: variant\nformat: 1\nid: v\ntitle: V\nextends: fords\n"
        f'tables: {{tables: {{combat_results: {{cells: {{"{own}": {{1: R}}}}}}}}}}\n',
        encoding="utf-8",
    )
    rules = load_target(variant).good()
    table = rules.tables["combat_results"]
    assert table.axes[0].labels[0] == "1-2" and table.cells[0, 0] == (("retreat", 0),)
    assert table.cells[0, 1] == (("attacker_loss", 1),)


def test_variant_changes_band_of_its_base_however_it_is_written(workspace) -> None:
    workspace.files["variants/long_day.yaml"] = workspace.files["variants/long_day.yaml"].replace(
        "    fire: {cells: {1: 3}}\n",
        "    fire: {cells: {1: 3}}\n    weight: {cells: {above  10 to  25: light}}\n",
    )
    cells = workspace.load("variants/long_day.yaml").good().tables["weight"].cells
    assert [cells[n,] for n in range(3)] == ["light", "light", "heavy"]


def test_odds_written_twice_in_one_chart_are_reported(tmp_path: Path, load_target) -> None:
    folder = write_first_game(tmp_path)
    spoil(folder / "tables.yaml", "      1-1: [A2", '      "1:2": [A2')
    found = load_target(folder).only("duplicate-key")
    assert found.line == 32


@pytest.mark.parametrize(
    ("written", "cure"),
    [
        ("05", "`5`"),
        ("+5", "`5`"),
        ("1e1", "`10`"),
        ("5 pts", "`5`"),
        ("–5", "`-5`"),
        ("0403", '`{value: "0403", type: place}`'),
    ],
)
def test_number_lookalike_is_reported_at_its_place(tmp_path: Path, load_target, written: str, cure: str) -> None:
    folder = write_first_game(tmp_path)
    spoil(folder / "tables.yaml", "values:\n", f"values:\n  points: {written}\n")
    rules = folder / "words.rules"
    rules.write_text(rules.read_text() + "define twice = value.points * 2\n", encoding="utf-8")
    loaded = load_target(folder)
    found = loaded.only("wrong-type")
    assert found.file == "fords/tables.yaml" and cure in found.help and len(loaded.found) == 1
    assert found.span.source.get_line(found.line) == f"  points: {written}"


@pytest.mark.parametrize("written", ['"05"', "1st", "1st Corps", "12:00", "b12"])
def test_value_of_letters_or_in_quotes_is_text(workspace, written: str) -> None:
    workspace.spoil("tables.yaml", "hand: 7", f"hand: {written}")
    workspace.files["variants/long_day.yaml"] = workspace.files["variants/long_day.yaml"].replace(
        "    hand: null\n", ""
    )
    assert str(workspace.load().good().constants["hand"].type) == "text"


@pytest.mark.parametrize("written", ["½", "1 1/2", "1½", "0.5", '"3/2"'])
def test_value_that_is_fraction_is_number(workspace, written: str) -> None:
    workspace.spoil("tables.yaml", "format: 1", "format: 2")
    workspace.spoil("tables.yaml", "hand: 7", f"hand: {written}")
    assert workspace.load().good().constants["hand"].value == parse_number(written.strip('"'))


@pytest.mark.parametrize("sign", ["-", "x", "P", "NA", ".", "—", "n/a"])
def test_blank_cell_sign_hint_says_leave_empty(workspace, sign: str) -> None:
    workspace.files["tables.yaml"] += (
        f'  costs:\n    axes: {{die: die}}\n    gives: int\n    blanks: true\n    cells: {{1: 1, 2: "{sign}"}}\n'
    )
    assert "leave the cell empty" in workspace.load().only("wrong-type").help


def test_dash_of_composite_chart_with_blanks_is_empty_result(workspace) -> None:
    workspace.files["tables.yaml"] += (
        "  hits:\n    axes: {die: die}\n    gives: {parts: {D: disorder}}\n    blanks: true\n"
        '    cells: {1: D, 2: "-"}\n'
    )
    assert workspace.load().good().tables["hits"].cells == {(0,): (("disorder", 0),), (1,): ()}


def test_result_of_many_characters_is_refused(workspace) -> None:
    workspace.spoil("tables.yaml", '"R3"', '"' + "R" * 64_000 + '"')
    found = workspace.load().only("unreadable-result")
    assert "64000" in found.message and "200" in found.message


def test_word_of_many_characters_is_quoted_short(workspace) -> None:
    workspace.spoil("tables.yaml", '"above 25": heavy', f'"above 25": {"h" * 60_000}')
    assert len(workspace.load().only("unknown-word").message) < 200


@pytest.mark.parametrize(
    ("written", "help"), [("½", "write a whole number; fractions need the type `number`"), ("01/2", ""), (".5", "")]
)
def test_number_hint_does_not_repeat_rejected_text(workspace, written: str, help: str) -> None:
    workspace.spoil("tables.yaml", "hand: 7", f"hand: {{value: {written}, type: int}}")
    found = workspace.load().only("wrong-type").help
    assert f"`{written}`" not in found and found.startswith(help)
