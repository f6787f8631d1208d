"""Map data as it is printed: chains, areas, ranges, sides in two files, diagonals; and edges by either name."""

from __future__ import annotations

import pytest

from interpreter.api.game import load

MORE = """\
kind: map
format: 1
"""
CHAINS = (
    MORE
    + """
links:
  chains:
    line: {places: ["0101..0103", "0202"], river: true}
    harbour: {from: ["0301", "0302..0303"], to: arrives.2, river: true}
    way: {places: [ford, hill, "0303"]}
"""
)


def edges(rules) -> dict[str, bool]:
    return {e.id: e.values["river"] for e in rules.kinds["edge"].things if e.values["river"]}


def spoiled(workspace, text: str) -> list[tuple[str, str, int]]:
    workspace.files["more.yaml"] = text
    return [(d.code, d.file.split("/")[-1], d.line) for d in workspace.load().found]


def test_chains_add_to_existing_links(workspace):
    workspace.files["more.yaml"] = CHAINS
    workspace.spoil("map.yaml", 'edges: {"0102/0101": {river: true}}', "")
    rules = workspace.load().good()
    assert list(edges(rules)) == [
        "hill-ford",
        "0301/arrives.2",
        "0302/arrives.2",
        "0303/arrives.2",
        "0101/0102",
        "0102/0103",
        "0103/0202",
    ]
    ids = [e.id for e in rules.kinds["edge"].things]
    assert ids[:6] == ["hill-ford", "hill-0101", "0301/arrives.2", "0302/arrives.2", "0303/arrives.2", "hill/0303"]
    places = [p.id for p in rules.kinds["place"].things]
    box = next(e for e in rules.kinds["edge"].things if e.id == "0302/arrives.2")
    assert [places[p] for p in box.ends] == ["0302", "arrives.2"]


@pytest.mark.parametrize(
    ("chain", "found"),
    [
        ('places: ["0101", "0303"]', ("unknown-edge", "more.yaml", 5)),
        ('places: ["0101", "0101"]', ("link-to-itself", "more.yaml", 5)),
        ('places: ["0101", "0901"]', ("unknown-place", "more.yaml", 5)),
        ('places: ["0101..0302"]', ("bad-range", "more.yaml", 5)),
        ('places: ["0101..0109"]', ("bad-range", "more.yaml", 5)),
        ('places: ["0101", "0102"], rivr: true', ("unknown-attribute", "more.yaml", 5)),
        ('places: ["0101", "0102"], river: false', ("defined-twice", "more.yaml", 5)),
        ('from: ["0101"]', ("missing-key", "more.yaml", 5)),
        ("river: true", ("wrong-value", "more.yaml", 5)),
    ],
)
def test_faulty_chain_is_reported(workspace, chain, found):
    result = spoiled(workspace, MORE + "links:\n  chains:\n    line: {" + chain + "}\n")
    assert found in result or (found[1:] in [r[1:] for r in result] and found[0] in ("wrong-value", "missing-key"))


def test_two_chains_may_say_same_but_not_otherwise(workspace):
    both = MORE + 'links:\n  chains:\n    one: {places: ["0202", "0302"], river: true}\n    two: {places: %s}\n'
    assert spoiled(workspace, both % '["0302", "0202"], river: true') == []
    assert spoiled(workspace, both % '["0302", "0202"], river: false') == [("defined-twice", "more.yaml", 6)]


def test_areas_add_up_and_single_places_go_first(workspace):
    workspace.files["more.yaml"] = (
        MORE
        + """
places:
  areas:
    heights: {places: ["0101..0202", "0301"], height: 3, name: The heights}
    lake: {places: ["0301", "0302"], terrain: water}
    boxes: {places: [dead_pile], height: 9}
"""
    )
    rules = workspace.load().good()
    found = {p.id: (p.values["terrain"], p.values["height"]) for p in rules.kinds["place"].things}
    assert found["0101"] == ("wood", 3)
    assert found["0102"] == ("wood", 1)  # says so itself
    assert (found["0202"], found["0301"], found["0302"], found["0303"]) == (
        ("wood", 3),
        ("water", 3),
        ("water", 0),
        ("wood", 0),
    )
    assert found["dead_pile"][1] == 9


def test_two_areas_of_one_place(workspace):
    text = MORE + 'places:\n  areas:\n    a: {places: ["0101"], height: 3}\n    b: {places: ["0101"], height: 3}\n'
    assert spoiled(workspace, text) == [("defined-twice", "more.yaml", 6)]


def test_area_can_set_attribute_without_default(workspace):
    workspace.spoil("map.yaml", "default: {terrain: wood}", "")
    text = MORE + 'places:\n  areas:\n    all: {places: ["0101..0303"], terrain: wood}\n'
    assert spoiled(workspace, text) == []
    assert [x[0] for x in spoiled(workspace, text.replace('["0101..0303"]', '["0101"]'))] == ["missing-attribute"]


def test_regions_take_ranges(workspace):
    workspace.spoil("map.yaml", 'low: [ford, "0101"]', 'low: [ford, "0101..0202"]')
    rules = workspace.load().good()
    places = [p.id for p in rules.kinds["place"].things]
    assert [places[p] for p in rules.regions["low"]] == ["ford", "0101", "0102", "0201", "0202"]


def test_side_in_both_orders_adds_up_over_files(workspace):
    workspace.spoil("map.yaml", "river: {type: flag}", "river: {type: flag}\n    rail: flag")
    workspace.files["more.yaml"] = MORE + 'grid: {edges: {"0101/0102": {rail: true}, "0202/0201": {rail: true}}}\n'
    rules = workspace.load().good()
    found = {e.id: (e.values["river"], e.values["rail"]) for e in rules.kinds["edge"].things}
    assert (found["0101/0102"], found["0201/0202"]) == ((True, True), (False, True))
    again = MORE + 'grid:\n  edges:\n    "0101/0102": {river: true}\n'
    assert spoiled(workspace, again) == [("defined-twice", "more.yaml", 5)]


def test_side_in_both_orders_in_one_file(workspace):
    workspace.spoil(
        "map.yaml",
        'edges: {"0102/0101": {river: true}}',
        'edges: {"0102/0101": {river: true}, "0101/0102": {river: false}}',
    )
    assert workspace.load().codes == ["defined-twice"]


def test_diagonals_of_square_grid(workspace):
    workspace.spoil("map.yaml", "  shape: hex\n  orientation: flat\n", "  shape: square\n  diagonals: true\n")
    workspace.spoil("map.yaml", "  stagger: even_low\n", "")
    workspace.spoil("map.yaml", "even: [1, 2]", "even: [1, 3]")
    grid = workspace.load().good().grid
    places = [p.id for p in workspace.load().ruleset.kinds["place"].things]
    assert grid.directions == ("n", "ne", "e", "se", "s", "sw", "w", "nw")
    assert [places[n] for n in grid.neighbours[places.index("0202")]] == [
        "0201",
        "0301",
        "0302",
        "0303",
        "0203",
        "0103",
        "0102",
        "0101",
    ]
    workspace.spoil("map.yaml", "shape: square", "shape: hex\n  orientation: flat\n  stagger: even_low")
    assert workspace.load().codes == ["misplaced-key"]


SIDES = """\
kind: variant
format: 1
id: sides
title: Sides
extends: ..
map:
  grid:
    edges:
      "0101/0102": {river: false}
      "0202/0201": {river: true}
tables:
  tables:
    charge:
      cells: {%s}
"""


def test_variant_names_sides_either_way_and_needs_no_new(workspace):
    workspace.files["variants/sides.yaml"] = SIDES.replace("tables:\n  tables:\n    charge:\n      cells: {%s}\n", "")
    assert list(edges(workspace.load("variants/sides.yaml").good())) == ["hill-ford", "0201/0202"]


def test_edge_is_found_by_either_name_in_play(tmp_path):
    from tests.tiny import RULESET, write

    assert RULESET
    place = {
        "map.yaml": """\
kind: map
format: 1
places:
  attributes: {height: {type: int, default: 0}, held: {type: flag, changes: true}}
  members: {a: {}, b: {}, c: {}, d: {}}
links:
  attributes: {river: {type: flag}, blown: {type: flag, changes: true}}
  chains:
    row: {places: [a, b, c, d], river: true}
holding: {box: {one_per: army}, pile: {}}
""",
        "tests/all.yaml": """
kind: cases
format: 1
cases:
  turned:
    title: both names
    given: {edges: {b/a: {blown: true}, b/c: {blown: true}}}
    when: [{ask: "count({e in edges where e.blown})"}]
    then: {value: 2, edges: {a/b: {blown: true}, c/b: {blown: true}, d/c: {blown: false}}}
""",
    }
    from interpreter.tools.cases.suite import format_report, run_cases

    folder = write(tmp_path, "", place)
    assert format_report(run_cases(str(folder))) == "1 of 1 case passed"
    assert load(folder).program.handles["edge"]["b/a"] == load(folder).program.handles["edge"]["a/b"]


def test_box_beside_map_is_neighbour(tmp_path):
    from interpreter.cli.main import main
    from tests.tiny import build, write

    chain = "kind: map\nformat: 1\nlinks: {chains: {shore: {from: [a, c], to: box.reds}}}\n"
    rules = build(tmp_path, "", {"more.yaml": chain})
    game = rules.start(empty=True)
    assert rules.ask(game, "neighbours(a)") == ("b", "box.reds")
    assert rules.ask(game, "linked(c, box(reds)) and not linked(d, box(reds))") is True
    folder = write(tmp_path, "", {"more.yaml": chain})
    assert main(["show", str(folder), "map", "--svg", str(tmp_path / "map.svg")]) == 0
    assert main(["show", str(folder), "map"]) == 0


def test_chain_with_gap_lists_adjacent_spaces(workspace):
    workspace.files["more.yaml"] = MORE + 'links: {chains: {line: {places: ["0101", "0303"], river: true}}}\n'
    told = next(d.help for d in workspace.load().found if d.code == "unknown-edge")
    assert "`0101`" in told and "adjacent" in told
    assert "`0102`" in told and "`0303`" not in told
