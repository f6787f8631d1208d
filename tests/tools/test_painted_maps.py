"""Test painted grounds, and the conditions that counters show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.i18n.translator import ENGLISH
from interpreter.tools.maps.counter_faces import render_counter_css
from interpreter.tools.maps.drawing_context import create_context
from interpreter.tools.maps.ground_plan import plan_ground
from interpreter.tools.maps.painting.cell_mesh import CellMesh
from interpreter.tools.maps.painting.ground import paint_ground
from interpreter.tools.maps.painting.place_labels import draw_names
from interpreter.tools.maps.painting.vocabulary import find_line_style, find_terrain_style
from interpreter.tools.maps.piece_groups import build_current_position, build_initial_position
from interpreter.tools.maps.svg import render_map, render_page_css
from tests.tiny import build, write
from tests.tools.test_drawing import DRAWING, MAP, Make, loaded, make, of_class, picture, texts

__all__ = ["make"]  # a fixture

MARKERS = """
drawing:
  pieces:
    unit:
      markers:
        - {by: condition, values: {worn: {sign: badge, letter: W, name: Tired}}}
        - {by: "count(units at it.at) > 2", values: {true: {sign: swords, name: Crowded}}}
"""
HOSTILE = "</text><script>alert(1)</script>&"


def shown(folder: Path, looks: str, **pieces: Any) -> ElementTree.Element:
    text = (write(folder, "") / "map.yaml").read_text(encoding="utf-8") + looks.lstrip("\n")
    rules = build(folder, "", {"map.yaml": text})
    game = rules.start(empty=True)
    game.edit(pieces=pieces)
    ruleset = rules.model.ruleset
    return ElementTree.fromstring(render_map(ruleset, position=build_current_position(ruleset, None, game, "")))


def marked(root: ElementTree.Element, piece: str) -> Sequence[str]:
    """Return the meanings of a counter's markers, in their order."""
    counter = next(e for e in root.iter() if e.get("data-piece") == piece)
    return [title.text or "" for one in of_class(counter, "marker") for title in one if title.tag.endswith("title")]


def test_counter_shows_markers_of_its_drawing(tmp_path: Path) -> None:
    root = shown(tmp_path, MARKERS, **{"red-1": {"condition": "worn", "at": "c"}})
    assert marked(root, "red-1") == ["Tired"]
    assert marked(root, "blue-1") == ["Crowded"]
    assert {"Tired", "Crowded"} <= set(texts(root))  # the legend


def test_without_markers_every_condition_of_class_gets_one(tmp_path: Path) -> None:
    root = shown(tmp_path, "", **{"red-1": {"condition": "worn"}})
    assert marked(root, "red-1") == ["worn"] and marked(root, "red-2") == []


def test_empty_list_of_markers_shows_none(tmp_path: Path) -> None:
    looks = "drawing: {pieces: {unit: {markers: []}}}\n"
    assert marked(shown(tmp_path, looks, **{"red-1": {"condition": "worn"}}), "red-1") == []


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("light_woods", "woods"),
        ("swamp", "marsh"),
        ("Rolling Hills", "hill"),
        ("steep_slope", "slope"),
        ("village", "town"),
        ("zone_3", ""),
    ],
)
def test_terrain_is_recognized_by_its_words(name: str, style: str) -> None:
    assert find_terrain_style([name]) == style


def test_line_is_recognized_by_its_words() -> None:
    assert [find_line_style([name]) for name in ("brook", "main_road", "stone wall", "xyz")] == [
        "river",
        "road",
        "wall",
        "",
    ]


def test_both_palettes_share_one_geometry(make: Make) -> None:
    ruleset = loaded(make(map=MAP))
    light, dark = (re.sub("<style>.*?</style>", "", render_map(ruleset, palette=name)) for name in ("light", "dark"))
    assert light == dark
    assert render_map(ruleset, palette="light") != render_map(ruleset, palette="dark")
    assert "var(" not in render_map(ruleset, palette="dark")


def test_neighbouring_spaces_of_one_style_form_one_shape(make: Make) -> None:
    together = MAP.replace('    "0102": {', '    "0201": {ground: swamp}\n    "0102": {')
    root = picture(loaded(make(map=together)))
    (shape,) = of_class(of_class(root, "ground")[0], "g-marsh")
    assert (shape.get("d") or "").count("M") == 1


def test_name_of_place_avoids_spaces_on_which_counters_begin() -> None:
    ruleset = read_documents("denain-1712", Sink())
    motif = create_context(ruleset, build_initial_position(ruleset, None), "", ENGLISH)
    plan = plan_ground(motif)
    assert plan.occupied
    mesh = CellMesh(plan.layout)
    covered = {}
    for occupied in (frozenset[int](), plan.occupied):
        names = draw_names(paint_ground(replace(plan, occupied=occupied)).names, (), "g")
        root = ElementTree.fromstring(f"<g>{names}</g>")
        covered[bool(occupied)] = sum(
            abs(float(name.get("x")) - x) < 29 + 0.3 * float(name.get("font-size")) * len(name.text)
            and abs(float(name.get("y")) - y) < 29
            for name in root.iter("text")
            if name.get("x") is not None
            for x, y in (mesh.centres[cell] for cell in plan.occupied)
        )
    assert covered[True] < covered[False]


def test_name_moves_aside_when_counters_come_to_cover_it() -> None:
    ruleset = read_documents("denain-1712", Sink())
    plan = plan_ground(create_context(ruleset, build_initial_position(ruleset, None), "", ENGLISH))
    names = paint_ground(plan).names
    assert len({name.text for name in names}) > 10
    coverable = [name for name in names if name.spots[0].cells]
    assert len(coverable) > 5
    assert all(name.choose_spot(name.spots[0].cells) is not name.spots[0] for name in coverable)
    assert all(name.choose_spot(()) is name.spots[0] for name in names)


def test_text_of_strangers_stays_text_on_painted_map(make: Make) -> None:
    looks = DRAWING.replace("width: 7}", f'width: 7, style: river, inscription: "{HOSTILE}"}}')
    marker = f'{{by: looks, values: {{se: {{sign: badge, name: "{HOSTILE}"}}}}}}'
    number = f'{{value: strength, name: "{HOSTILE}"}}'
    looks = looks.replace("{numbers: [strength]", f"{{markers: [{marker}], numbers: [{number}]")
    text = MAP.replace("Green Ford 0102", HOSTILE.replace('"', "'"))
    root = picture(loaded(make(map=text.replace(f"name: {HOSTILE}", f'name: "{HOSTILE}"') + looks)))
    assert not [e for e in root.iter() if e.tag.endswith("script")]
    titles = [e.text or "" for e in root.iter() if e.tag.endswith("title")]
    assert any(HOSTILE in title for title in titles)


def test_page_styles_counters_like_pictures(make: Make) -> None:
    style = "".join(e.text or "" for e in picture(loaded(make())).iter() if e.tag.endswith("style"))
    assert render_counter_css() in style and render_counter_css() in render_page_css()


def test_higher_ground_is_painted_over_lower(make: Make) -> None:
    """Check that hills around a mountain continue beneath it: their outline has no hole."""
    hills = [f"{x:02}{y:02}" for x in range(1, 6) for y in range(1, 6) if (x, y) != (3, 3)]
    spaces = "\n".join(f'    "{id}": {{ground: hill}}' for id in hills) + '\n    "0303": {ground: peak}'
    drawn = MAP.replace('    "0102": {name: Green Ford 0102, ground: swamp, worth: 7}', spaces)
    drawn = drawn.replace("[grass, swamp]", "[grass, hill, peak]").replace("columns: [1, 3]", "columns: [1, 5]")
    root = picture(loaded(make(map=drawn.replace("rows: [1, 2]", "rows: [1, 5]"))))
    outlines = {e.get("id"): e.get("d") or "" for e in root.iter() if e.tag.endswith("path")}
    rises = [
        outlines[(use.get("href") or "").removeprefix("#")] for use in of_class(of_class(root, "ground")[0], "g-rise")
    ]
    assert len(rises) == 3, "hills, their broad middle, and the mountain"
    assert rises[0].count("M") == 1
