"""On a grid a name like a number is the number of a space or an error, wherever a place is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.tools.cases.case_checks import check_with_cases
from tests.first_game import write_first_game
from tests.recordings import assert_recorded

MORE = "kind: map\nformat: 1\n"


@pytest.mark.parametrize(
    ("name", "meant"),
    [("102", "0102"), ("'01o2'", "0102"), ("1-2", "0102"), ("'01021'", "0102"), ("0120", "0102"), ("'0901'", "0301")],
)
def test_member_with_unknown_number_is_outside_grid(workspace, name: str, meant: str) -> None:
    workspace.files["more.yaml"] = MORE + f"places: {{members: {{{name}: {{terrain: wood}}}}}}\n"
    found = workspace.load().only("outside-grid")
    assert found.line == 3 and f"did you mean `{meant}`" in found.help  # perhaps `or` another


@pytest.mark.parametrize("name", ["13.03", "'03O1'", "“0102”", "０１０２"])
def test_member_that_cannot_be_name_suggests_its_digits(workspace, name: str) -> None:
    workspace.files["more.yaml"] = MORE + f"places: {{members: {{{name}: {{terrain: wood}}}}}}\n"
    digits = {"13.03": "1303", "'03O1'": "0301"}.get(name, "0102")
    assert workspace.load().only("bad-name").help == f"did you mean `{digits}`?"


def test_member_beside_grid_has_name_of_letters(workspace) -> None:
    workspace.files["more.yaml"] = MORE + (
        "places: {members: {port: {terrain: water}, 1st_camp: {terrain: open}, b12: {terrain: open}}}\n"
        'links: {members: {quay: {between: [port, "0101"]}}}\n'
    )
    names = [place.id for place in workspace.load().good().kinds["place"].things]
    assert names[:5] == ["hill", "ford", "port", "1st_camp", "b12"]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("scenarios/dawn.yaml", "ford: [soult]", "102: [soult]"),
        ("scenarios/dawn.yaml", "{at: dead_pile,", "{at: 102,"),
        ("pieces.yaml", "at: hill}", "at: 102}"),
        ("ruleset.yaml", 'high: [hill, "0102"]', "high: [hill, 102]"),
        ("ruleset.yaml", 'home: "0101"', "home: 102"),
        ("map.yaml", 'low: [ford, "0101"]', "low: [ford, 102]"),
        ("map.yaml", 'between: [hill, "0101"]', "between: [hill, 102]"),
        ("tables.yaml", "hand: 7", "hand: {value: 102, type: place}"),
    ],
)
def test_unknown_number_of_place_suggests_nearest(workspace, file: str, old: str, new: str) -> None:
    workspace.spoil(file, old, new)
    found = workspace.load().only("unknown-place")
    assert found.message == "unknown place `102`" and found.help == "did you mean `0102`?"


@pytest.mark.parametrize("key", ["102/0101", "0101/102", "13/0101"])
def test_unknown_number_in_edge_suggests_nearest(workspace, key: str) -> None:
    workspace.spoil("map.yaml", '"0102/0101"', f'"{key}"')
    found = workspace.load().only("unknown-edge")
    assert_recorded(found.help)


def test_misspelt_edge_suggests_its_digits(workspace) -> None:
    workspace.spoil("map.yaml", '"0102/0101"', '"01O2/0101"')
    assert workspace.load().only("bad-name").help == "did you mean `0102/0101`?"


@pytest.mark.parametrize(
    ("places", "name", "meant"),
    [("0101..0130", "0130", "0103"), ("01o1..0103", "01o1", "0101"), ("0101..13", "13", "0103")],
)
def test_corner_of_range_that_is_not_on_grid_is_named(workspace, places: str, name: str, meant: str) -> None:
    workspace.files["more.yaml"] = MORE + f"places: {{areas: {{moor: {{places: [{places}], terrain: wood}}}}}}\n"
    found = workspace.load().only("bad-range")
    assert f"`{name}`" in found.help and f"`{meant}`" in found.help
    assert_recorded(found.help)


@pytest.mark.parametrize(
    ("key", "help"),
    [
        ("102", "did you mean `0102`?"),
        ("'0203'", "did you mean `0302`?"),
        ("'0103'", "`new 0103`"),
        ("forde", "`new forde`"),
    ],
)
def test_variant_with_undeclared_space_gets_hint(workspace, key: str, help: str) -> None:
    workspace.files["variants/long_day.yaml"] += f"map: {{places: {{members: {{{key}: {{height: 2}}}}}}}}\n"
    found = workspace.load("variants/long_day.yaml").only("unknown-in-base")
    assert help in found.help


def test_variant_cannot_add_space_to_grid(workspace) -> None:
    workspace.files["variants/long_day.yaml"] += "map: {places: {members: {new 102: {height: 2}}}}\n"
    assert workspace.load("variants/long_day.yaml").only("outside-grid").help == "did you mean `0102`?"


def test_case_naming_unknown_number_suggests_nearest(tmp_path: Path) -> None:
    folder = write_first_game(tmp_path)
    (folder / "tests" / "one.yaml").write_text(
        "kind: cases\nformat: 1\ncases:\n  C1:\n    title: t\n    rules: ['1.1']\n    given:\n"
        "      each: {red_1: {at: 102}}\n    when: [{ask: '1'}]\n    then: {value: 1, each: {red_2: {at: 1-3}}}\n"
    )
    found = check_with_cases(str(folder))
    assert [(d.code, d.line, str(d.help)) for d in found] == [
        ("unknown-place", 8, "did you mean `0102`?"),
        ("unknown-place", 10, "did you mean `0103`?"),
    ]
