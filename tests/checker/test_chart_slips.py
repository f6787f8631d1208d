"""Slips of table editors in charts, values and locales: one finding each, at the slip, with a usable fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import check
from interpreter.cli.main import main
from tests.tiny import write

TABLES = """
kind: tables
format: 2
values:
  reach: {value: 3, type: int}
tables:
  costs:
    axes: {ground: {one_of: [open, woods, hill]}, arm: {one_of: [foot, horse, guns]}}
    gives: number
    blanks: true
    cells: |
      ground | foot  horse  guns
      -------+------------------
      open   | 1     1      1
      woods  | 2     .      .
      hill   | 2     2      .
  fire:
    axes: {total: {bands: ["..0", "1..3", "4.."]}}
    gives: int
    cells: {"..0": 0, "1..3": 1, "4..": 2}
  weather:
    axes: {season: {one_of: [spring, autumn]}, die: die}
    gives: {one_of: [fair, foul]}
    cells:
      spring: [fair, fair, fair, fair, foul, foul]
      autumn: [fair, fair, foul, foul, foul, foul]
  shares:
    axes: {arm: {one_of: [foot, horse]}}
    gives: number
    cells: {foot: 1, horse: 2}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "code", "marked", "said"),
    [
        ("ground | foot  horse", "ground | foot  hosre", "unknown-row", "hosre", "no column `hosre`"),
        ("{foot: 1, horse", "{foot: 1, hosre", "unknown-row", "hosre", "no row `hosre`"),
        ("  horse  guns\n", "  horse\n", "wrong-row-count", "ground | foot  horse", "2 headings for 3 cells"),
        ("woods  | 2     .      .", "woods,2,,", "wrong-row-count", "woods,2,,", "with spaces, not `,`"),
        ("woods  | 2     .      .", "woods  | 2     #      .", "wrong-row-count", "woods  | 2", "`#` begins a comment"),
        ("woods  | 2     .      .", "woods", "wrong-row-count", "woods", "0 cells, expected 3"),
        ("open   | 1 ", "open   | 1,5 ", "wrong-type", "1,5", "write it as `1.5`"),
        ('"4..": 2', '"5..": 2', "unknown-row", '"5.."', "or change them under `axes`"),
        ('"4..": 2', '"4..": 1.5', "wrong-type", "1.5", "found the number 1.5"),
        ('"4..": 2', '"4..": 1234567890123456789', "number-too-long", "1234567890123456789", "write a smaller number"),
        ("[fair, fair, fair, fair", "[fair fair, fair, fair", "missing-comma", "fair fair", "write `fair, fair`"),
        ("{foot: 1, horse", "{foot: 1,5, horse", "bad-value", "5", "write a decimal point"),
        ("{foot: 1, horse: 2}", "{foot: 1, # was 2 horse: 2}", "unclosed-bracket", "{", "hides the closing bracket"),
        ("{value: 3, type: int}", "3#hexes", "wrong-type", "3#hexes", "looks like a number but is not"),
    ],
)
def test_slip_in_chart_is_one_finding_at_the_slip(
    tmp_path: Path, right: str, wrong: str, code: str, marked: str, said: str
) -> None:
    assert TABLES.count(right) == 1
    found = [
        d for d in check(write(tmp_path, "", {"tables.yaml": TABLES.replace(right, wrong)})) if d.severity == "error"
    ]
    assert [d.code for d in found] == [code], found
    (slip,) = found
    assert slip.span.source.text[slip.span.start : slip.span.end] == marked
    assert said in f"{slip.message} / {slip.help}"


def test_rows_of_a_pasted_csv_file_are_one_finding(tmp_path: Path) -> None:
    lines = TABLES.replace(" | ", ",").replace("foot  horse  guns", "foot,horse,guns").replace("     ", ",", 0)
    text = (
        TABLES[: TABLES.index("      ground |")]
        + "      ground,foot,horse,guns\n      open,1,1,1\n"
        + lines[lines.index("  fire:") :]
    )
    (found,) = check(write(tmp_path, "", {"tables.yaml": text}))
    assert found.code == "wrong-row-count" and "table import" in found.help


def test_unknown_band_names_place_that_declares_bands(tmp_path: Path) -> None:
    (found, *_) = check(write(tmp_path, "", {"tables.yaml": TABLES.replace('"4..": 2', '"5..": 2')}))
    assert [r.span.source.get_line(r.span.line).strip()[:12] for r in found.related] == ["axes: {total"]


def test_renamed_axis_names_old_translation_and_new_name(tmp_path: Path) -> None:
    documents = {
        "tables.yaml": TABLES.replace("season:", "seasn:"),
        "locale/en.yaml": "kind: locale\nformat: 1\nlanguage: en\ncomplete: true\nnames:\n  season: Season\n",
    }
    found = [d for d in check(write(tmp_path, "", documents)) if d.code == "unknown-text"]
    assert len(found) == 1 and "`season`" in found[0].message and "`seasn`" in found[0].help
    assert [r.span.file for r in found[0].related] == ["tiny/tables.yaml"]


def test_number_out_of_bounds_in_play_names_bound_and_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(
        tmp_path,
        "turn:\n    for a in armies:\n        set a.hits = weak - 3\ndefine weak = 1\n",
        side={"hits": "{type: int, default: 0, low: 0, changes: true}"},
    )
    assert main(["simulate", str(folder), "-n", "1"]) == 1
    assert (
        "own.rules:3: error in the rules: `hits` would become -2, but it must be 0 or more" in capsys.readouterr().err
    )


LABELS = """
kind: locale
format: 1
language: en
complete: true
texts:
  "{a} may not pass": "{a} cannot pass"
names: {season: Season}
"""


@pytest.mark.parametrize(
    ("file", "right", "wrong", "code", "marked"),
    [
        ("map.yaml", "{height: 2}", "{height: 2,5}", "bad-value", "5"),
        ("map.yaml", "{height: 2}", "{height: 2; name: C}", "missing-comma", ";"),
        ("map.yaml", "{height: 2}", "{height: 2, name: 'Eugene's hill'}", "unclosed-quote", "s"),
        ("map.yaml", "{height: 2}", "{height: 2, name: 1712: the hill}", "misplaced-colon", ":"),
        ("locale/en.yaml", '"{a} cannot pass"', "{a} cannot pass", "reserved-character", "{"),
        ("locale/en.yaml", '"{a} cannot pass"', '"｛a｝ cannot pass"', "full-width-character", '"｛a｝ cannot pass"'),
        ("tables.yaml", "{value: 3, type: int}", "12#hexes", "wrong-type", "12#hexes"),
    ],
)
def test_slip_in_document_is_one_finding_at_the_slip(
    tmp_path: Path, file: str, right: str, wrong: str, code: str, marked: str
) -> None:
    rules = 'event passed(a: army) "{a} may not pass"\nturn:\n    for a in armies:\n        report passed(a)\n'
    folder = write(tmp_path, rules, {"tables.yaml": TABLES, "locale/en.yaml": LABELS})
    text = (folder / file).read_text(encoding="utf-8")
    assert right in text
    (folder / file).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    found = [d for d in check(folder) if d.severity == "error" or d.code == code]
    assert [(d.code, d.span.source.text[d.span.start : d.span.end]) for d in found] == [(code, marked)], found
