"""Test single parts: grids, bands, notations, schemas."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.documents.geography.grid import build_grid_plan
from interpreter.documents.reading.validation import KINDS, read_schema, validate
from interpreter.documents.reading.yaml_reader import read_yaml
from interpreter.documents.values.axes import read_band, read_ratio
from interpreter.files.assets import find_schema_file
from interpreter.i18n.number_format import parse_number


def grid(text):
    return build_grid_plan(read_yaml(Source("g", text), Sink()), Sink())


def near(plan, name):
    index = [s.id for s in plan.spaces].index(name)
    return dict(zip(plan.directions, plan.neighbours[index], strict=True))


@pytest.mark.parametrize(
    ("stagger", "expected"),
    [
        ("odd_low", {"n": "0302", "ne": "0403", "se": "0404", "s": "0304", "sw": "0204", "nw": "0203"}),
        ("even_low", {"n": "0302", "ne": "0402", "se": "0403", "s": "0304", "sw": "0203", "nw": "0202"}),
    ],
)
def test_flat_hexes_have_neighbours(stagger, expected):
    plan = grid(
        f"{{shape: hex, orientation: flat, columns: [1, 6], rows: [1, 6], numbering: CCRR, stagger: {stagger}}}"
    )
    assert near(plan, "0303") == expected
    assert len(plan.links) == 85


@pytest.mark.parametrize(
    ("stagger", "expected"),
    [
        ("odd_low", {"ne": "24", "e": "34", "se": "44", "sw": "43", "w": "32", "nw": "23"}),
        ("even_low", {"ne": "23", "e": "34", "se": "43", "sw": "42", "w": "32", "nw": "22"}),
    ],
)
def test_pointed_hexes_have_neighbours(stagger, expected):
    plan = grid(
        f"{{shape: hex, orientation: pointed, columns: [1, 6], rows: [1, 6], numbering: RC, stagger: {stagger}}}"
    )
    assert near(plan, "33") == expected


def test_squares_have_neighbours():
    plan = grid("{shape: square, columns: [0, 2], rows: [0, 2], numbering: CR}")
    assert near(plan, "11") == {"n": "10", "e": "21", "s": "12", "w": "01"}
    assert near(plan, "00") == {"n": None, "e": "10", "s": "01", "w": None}


@pytest.mark.parametrize("stagger", ["odd_low", "even_low"])
@pytest.mark.parametrize("form", ["flat", "pointed"])
def test_neighbours_are_symmetric(form, stagger):
    plan = grid(
        f"{{shape: hex, columns: [1, 7], rows: [1, 5], numbering: CR, orientation: {form}, stagger: {stagger}}}"
    )
    count = len(plan.directions)
    for space in plan.spaces:
        for n, other in enumerate(plan.neighbours[[s.id for s in plan.spaces].index(space.id)]):
            if other is not None:
                assert near(plan, other)[plan.directions[(n + count // 2) % count]] == space.id


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("0..10", (0, True, 10, True)), ("above 10 to 25", (10, False, 25, True)),
        ("..-3", (None, True, -3, True)),
        ("6..", (6, True, None, True)), ("7", (7, True, 7, True)),
        ("1/2..1.5", (Fraction(1, 2), True, Fraction(3, 2), True)),
        ("above 25", (25, False, None, True)), ("5..1", None), ("", None), ("a..b", None), ("..", None),
        ("above ..3", None), ("above 3 to 3", None),
    ],
)  # fmt: skip
def test_read_band_parses_band(text, band):
    assert read_band(text) == band


def test_ratios_and_fractions_are_parsed():
    assert read_ratio("3-1") == 3
    assert read_ratio("1:2") == Fraction(1, 2)
    assert read_ratio("0-1") is None
    assert read_ratio("1-0") is None
    assert (parse_number("1.5"), parse_number("-1/2"), parse_number("4/2")) == (
        Fraction(3, 2),
        Fraction(-1, 2),
        2,
    )
    assert (parse_number("1/0"), parse_number("1e3"), parse_number("x")) == (None, None, None)


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_sound_and_their_examples_fit(kind):
    import jsonschema

    schema = read_schema(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"]
    assert schema["description"]
    assert schema["examples"]
    for example in schema["examples"]:
        sink = Sink()
        root = read_yaml(Source("example", json.dumps(example)), sink)
        assert validate(kind, root, sink), [d.message for d in sink.items]


def test_schemas_use_no_one_of():
    def keys(node):
        if isinstance(node, dict):
            for key, value in node.items():
                yield key, value
                yield from keys(value)
        elif isinstance(node, list):
            for item in node:
                yield from keys(item)

    for kind in (*KINDS, "common"):
        found = list(keys(read_schema(kind)))
        assert not [k for k, v in found if k == "oneOf"], kind
        assert all(isinstance(v, str | dict) for k, v in found if k == "description"), kind
    assert find_schema_file("no such kind") is None


@pytest.mark.parametrize(
    ("cell", "parts"),
    [
        ("A2AR", (("loss", 2), ("back", 0))),
        ("AR", (("back", 0),)),
        ("ARR3", (("back", 0), ("away", 3))),
        ("AR2", (("loss", 1), ("away", 2))),
        ("-", ()),
    ],
)
def test_longest_sign_of_cell_is_parsed_first(workspace, cell, parts):
    """Check that the longest sign at a position wins, unless the rest could then not be parsed."""
    workspace.files["tables.yaml"] += f"""
  sortie:
    axes: {{die: {{of: die, only: [1]}}}}
    gives: {{parts: {{An: {{loss: 1}}, AR: back, Rn: {{away: int}}}}}}
    cells: {{1: "{cell}"}}
"""
    loaded = workspace.load()
    assert not loaded.found, loaded.found
    assert loaded.ruleset.tables["sortie"].cells[(0,)] == parts
