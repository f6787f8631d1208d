"""Maps of areas: outlines as they are written, borders and coasts found in them, cells where there are none."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist
from pathlib import Path
from random import Random

import pytest

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.documents.values.outlines import PathError, parse_path
from interpreter.i18n.translator import ENGLISH
from interpreter.model.ruleset import Ruleset
from interpreter.tools.maps.areas.borders import find_owners, list_borders, snap_outlines
from interpreter.tools.maps.areas.cells import compute_cells
from interpreter.tools.maps.areas.lettering import compute_letter_spots
from interpreter.tools.maps.areas.plan import AreaPlan
from interpreter.tools.maps.areas.planes import crop_ring, find_pole, is_clear, is_inside, list_segments
from interpreter.tools.maps.areas.tones import choose_shades, format_tone, render_dark_css
from interpreter.tools.maps.drawing_context import create_context
from interpreter.tools.maps.geometry import compute_geometry
from interpreter.tools.maps.painting.palette import AUTO
from interpreter.tools.maps.piece_groups import build_initial_position, find_default_scenario
from interpreter.tools.maps.style import resolve_style
from interpreter.tools.maps.svg import render_ground, render_legend

SHIPPED = "napoleon"
RULESET = """\
kind: ruleset
format: 2
id: coast
title: Coast
sides: {members: {reds: {}, blues: {}}}
seats: {one: {sides: [reds]}, two: {sides: [blues]}}
"""
SCENARIO = "kind: scenario\nformat: 2\nid: start\ntitle: Start\ndefault: true\n"
MAP = """\
kind: map
format: 2
places:
  attributes: {sort: {type: {one_of: [land, sea]}, default: land}}
  members: {hill: {}, ford: {}, gulf: {sort: sea}}
links:
  attributes: {way: {type: {one_of: [road, ferry]}, default: road}}
  members:
    hill-ford: {between: [hill, ford]}
    ford-gulf: {between: [ford, gulf], way: ferry}
drawing:
  places: {fill: sort, values: {land: "#d8c9a0", sea: {colour: "#bcd8ea", pattern: waves}}}
"""
AREAS = """\
  areas:
    hill: {shape: [[20, 20], [220, 20], [220, 200], [20, 200]]}
    ford: {shape: "M220 20h200v180H220z"}
    gulf: {shape: [[[440, 20], [640, 20], [640, 200], [420, 200]]]}
"""


def load(folder: Path, more: str = AREAS) -> tuple[Ruleset | None, Sink]:
    for name, text in {"ruleset": RULESET, "scenario": SCENARIO, "map": MAP + more}.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    sink = Sink()
    return read_documents(str(folder), sink), sink


def plan_of(ruleset: Ruleset | None) -> AreaPlan:
    assert ruleset is not None
    plan = compute_geometry(ruleset).plan
    assert plan is not None
    return plan


def shipped() -> Ruleset:
    ruleset = read_documents(SHIPPED, Sink())
    assert ruleset is not None
    return ruleset


# --- the map of the shipped game ----------------------------------------------------------------


def test_only_class_of_links_is_named_without_its_attribute() -> None:
    assert [look.words for look in resolve_style(shipped()).lines] == ["land", "coast", "sea"]


def test_shipped_map_shows_areas_adjacent_exactly_where_they_are_linked() -> None:
    ruleset = shipped()
    plan, places = plan_of(ruleset), ruleset.kinds["place"].things
    linked = {frozenset(e.ends) for e in ruleset.kinds["edge"].things if e.ends is not None}
    assert len(plan.outlines) == 14 and set(plan.outlines) == set(plan.authored_outlines)
    for a, b in combinations(plan.outlines, 2):
        assert plan.are_adjacent(a, b) == (frozenset((a, b)) in linked), (places[a].id, places[b].id)


def test_shipped_map_has_room_for_counters_in_each_area() -> None:
    ruleset = shipped()
    plan, places = plan_of(ruleset), ruleset.kinds["place"].things
    for n, (left, top, right, bottom) in plan.counters.items():
        spots = [(x, y) for x in (left + 24, (left + right) / 2, right - 24) for y in (top + 24, bottom - 24)]
        assert sum(is_inside(spot, plan.sides[n]) for spot in spots) >= 5, places[n].id
        assert (right - left) * (bottom - top) >= 2 * 46 * 46, places[n].id
    towns = ruleset.drawing.area_map.landscape.towns
    land = [sides for n, sides in plan.sides.items() if n not in plan.waters]
    assert len(towns) > 20 and all(any(is_inside(t.at, s) for s in land) or _is_near(t.at, plan) for t in towns)


def _is_near(point: tuple[float, float], plan: AreaPlan) -> bool:
    return any(dist(point, corner) < 12 for rings in plan.outlines.values() for ring in rings for corner in ring)


# --- outlines as they are written ---------------------------------------------------------------


def test_path_gives_points_of_relative_and_absolute_commands() -> None:
    square = [(10.0, 20.0), (30.0, 20.0), (30.0, 40.0), (10.0, 40.0)]
    for text in ("M10 20L30 20L30 40L10 40z", "M10,20 h20 v20 h-20 Z", "m10 20 20 0 0 20-20 0z", "M10 20H30V40H10"):
        assert parse_path(text) == [square]
    assert parse_path("M.5.5l1-.5M3 3h1") == [[(0.5, 0.5), (1.5, 0.0)], [(3.0, 3.0), (4.0, 3.0)]]


def test_path_flattens_curves_between_their_ends() -> None:
    (curve,) = parse_path("M0 0C0 40 100 40 100 0S200-40 200 0Q250 50 300 0T400 0")
    assert curve[0] == (0, 0) and curve[-1] == (400, 0) and len(curve) == 1 + 4 * 8
    assert curve[4] == (50, 30) and curve[12] == (150, -30) and curve[20] == (250, 25) and curve[28] == (350, -25)


@pytest.mark.parametrize(
    ("text", "at"), [("L10 20", 0), ("M10 20A5 5", 6), ("M10 20L30", 9), ("M1 2L3 4x", 8), ("M1 2z5", 5), ("M9e9 0", 0)]
)
def test_path_fault_names_its_character(text: str, at: int) -> None:
    with pytest.raises(PathError) as fault:
        parse_path(text)
    assert fault.value.index == at


def test_shape_means_same_as_points_rings_and_path(tmp_path: Path) -> None:
    found = []
    for shape in ("[[5, 5], [95, 5], [50, 80]]", "[[[5, 5], [95, 5], [50, 80]]]", '"M5 5H95L50 80z"'):
        ruleset, sink = load(tmp_path, f"  areas: {{hill: {{shape: {shape}}}}}\n")
        assert ruleset is not None and not sink.has_errors
        found.append(ruleset.drawing.area_map.areas)
    assert found[0] == found[1] == found[2] and len(found[0]) == 1


@pytest.mark.parametrize(
    ("shape", "column"), [('"M5 5H95X50 80z"', 33), ("[[5, 5], [95, 5]]", 25), ('"M5 5H95"', 25), ('"M5 5H95L"', 25)]
)
def test_bad_shape_is_reported_at_its_place(tmp_path: Path, shape: str, column: int) -> None:
    _, sink = load(tmp_path, f"  areas: {{hill: {{shape: {shape}}}}}\n")
    (fault,) = sink.list_errors()
    assert (fault.code, fault.span.line, fault.span.column) == ("bad-shape", 13, column)


def test_shape_on_grid_is_reported(tmp_path: Path) -> None:
    grid = "grid: {shape: square, columns: [1, 2], rows: [1, 2], numbering: CCRR}\n"
    _, sink = load(tmp_path, AREAS + grid)
    assert {d.code for d in sink.list_errors()} == {"bad-shape"} and len(sink.list_errors()) == 3


# --- borders, coasts, crossings -------------------------------------------------------------------


def test_links_are_borders_coasts_and_crossings(tmp_path: Path) -> None:
    ruleset, sink = load(tmp_path)
    plan, ids = plan_of(ruleset), {"hill": 0, "ford": 1, "gulf": 2}
    assert not sink.has_errors and plan.waters == {ids["gulf"]}
    assert plan.are_adjacent(ids["hill"], ids["ford"]) and not plan.are_adjacent(ids["hill"], ids["gulf"])
    assert not plan.are_adjacent(ids["ford"], ids["gulf"]), "they meet in one corner only"
    crossing = plan.compute_crossing(ids["ford"], ids["gulf"])
    assert crossing[0][0] == 420 and 420 < crossing[-1][0] < 441
    assert ruleset is not None
    drawn = render_ground(
        create_context(ruleset, build_initial_position(ruleset, find_default_scenario(ruleset)), "", ENGLISH)
    )
    links = re.findall(r'data-link="([^"]+)" data-attribute="way"', drawn)
    assert links == ["hill-ford", "ford-gulf"]


def test_borders_of_sloppily_traced_outlines_agree() -> None:
    outlines = {
        1: (((0.0, 0.0), (200.0, 0.0), (200.0, 100.0), (0.0, 100.0)),),
        2: (((0.0, 101.0), (99.0, 100.5), (100.0, 200.0), (0.0, 200.0)),),
        3: (((100.0, 100.0), (201.0, 99.0), (200.0, 200.0), (100.0, 200.0)),),
    }
    agreed = snap_outlines(outlines)
    borders = [b for b in list_borders(agreed, find_owners(agreed)) if b.neighbour is not None]
    assert sorted((b.owner, b.neighbour) for b in borders) == [(1, 2), (1, 3), (2, 3)]
    assert {b.owner: len(b.line) for b in borders} == {1: 2, 2: 2}


def test_pole_is_widest_spot_of_outline() -> None:
    ell = [((0.0, 0.0), (300.0, 0.0), (300.0, 40.0), (120.0, 40.0), (120.0, 200.0), (0.0, 200.0))]
    (x, y), room = find_pole(ell, precision=0.5)
    assert abs(room - 61) < 2 and 55 < x < 65 and is_inside((x, y), list_segments(ell))
    (x, y), _room = find_pole(ell, list_segments([((0.0, 0.0), (120.0, 0.0), (120.0, 200.0), (0.0, 200.0))]), 0.5)
    assert x > 120 and y < 40


def test_box_is_clear_unless_side_reaches_into_it() -> None:
    sides = list_segments([((0.0, 0.0), (100.0, 0.0), (50.0, 90.0))])
    assert is_clear((40, 10, 60, 30), sides) and is_clear((-50, 1, -10, 80), sides)
    assert not is_clear((10, 10, 90, 30), sides) and not is_clear((-10, -10, 110, 100), sides)


def test_cropped_outline_is_within_its_box() -> None:
    ring = crop_ring(((-50.0, 50.0), (50.0, -50.0), (150.0, 50.0), (50.0, 150.0)), (0, 0, 100, 100))
    assert len(ring) == 8 and all(0 <= x <= 100 and 0 <= y <= 100 for x, y in ring)
    assert crop_ring(((-50.0, 0.0), (-10.0, 0.0), (-10.0, 20.0)), (0, 0, 100, 100)) == ()


# --- areas without outlines -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_cells_touch_only_where_areas_are_linked(seed: int) -> None:
    random = Random(seed)
    sites = {
        n: (170.0 * (n % 5) + random.uniform(-20, 20), 130.0 * (n // 5) + random.uniform(-15, 15)) for n in range(20)
    }
    near = {n: {m for m in (n - 1, n + 1, n - 5, n + 5) if m in sites and random.random() < 0.8} for n in sites}
    linked = {frozenset((a, b)) for a, all_b in near.items() for b in all_b}
    cells = snap_outlines({n: (cell,) for n, cell in compute_cells(sites, near).items()})
    touching = {
        frozenset((b.owner, b.neighbour)) for b in list_borders(cells, find_owners(cells)) if b.neighbour is not None
    }
    assert touching <= linked and len(touching) > 15
    assert all(is_inside(site, list_segments(cells[n])) for n, site in sites.items())


def test_cell_is_compared_with_near_sites_only() -> None:
    """Check a map of 640 areas: each cell is cut by a few dozen others, whatever their number."""
    from interpreter.tools.maps.areas.cells import _Index

    sites = {n: (170.0 * (n % 32), 130.0 * (n // 32)) for n in range(640)}
    index = _Index(sites)
    assert max(len(index.list_nearby(site)) for site in sites.values()) <= 120


def test_point_of_map_is_compared_with_near_areas_only() -> None:
    """Check a map of 640 areas: a query of a point examines a few of them, and finds each that contains it."""
    from interpreter.tools.maps.areas.planes import BoxIndex

    boxes = {
        n: (170.0 * (n % 32), 130.0 * (n // 32), 170.0 * (n % 32) + 190, 130.0 * (n // 32) + 150) for n in range(640)
    }
    index = BoxIndex(boxes)
    assert max(map(len, index.buckets.values())) <= 12
    for point in ((0.0, 0.0), (180.0, 140.0), (2000.0, 1300.0), (-5.0, 3.0)):
        holding = [n for n, (a, b, c, d) in boxes.items() if a <= point[0] <= c and b <= point[1] <= d]
        assert index.find_containing(*point) == holding


def test_index_of_map_of_great_coordinates_stays_small() -> None:
    from interpreter.tools.maps.areas.planes import BoxIndex

    assert len(BoxIndex({0: (0.0, 0.0, 1e9, 1e9), 1: (5.0, 5.0, 6.0, 6.0)}).buckets) <= 102 * 102


# --- palettes -------------------------------------------------------------------------------------


def test_ground_has_dark_colour_for_each_tone_and_is_drawn_alike_each_time() -> None:
    ruleset = shipped()

    def ground() -> str:
        shown = build_initial_position(ruleset, find_default_scenario(ruleset))
        return render_ground(create_context(ruleset, shown, "", ENGLISH), AUTO)

    drawn = ground()
    assert drawn == ground()
    used = set(re.findall(r'[" ](am-[fsp][0-9a-f]{12})\b', drawn))
    styled = set(re.findall(r"\.(am-[fsp][0-9a-f]{12})\{", drawn))
    assert used == styled and len(used) > 40 and "prefers-color-scheme:dark" in drawn


def test_dark_rules_name_property_that_class_colours() -> None:
    marked = format_tone(("#112233", "#aabbcc"), ("#445566", "#ddeeff"))
    assert marked["fill"] == "#112233" and marked["stroke"] == "#445566"
    rules = render_dark_css(f'<path class="{marked["class_"]}"/>')
    assert "{fill:#aabbcc}" in rules and "{stroke:#ddeeff}" in rules


@pytest.mark.parametrize("colour", ["#6f86b8", "#ece3c0", "#111111", "#ffffff"])
def test_shades_of_colour_are_pale_on_paper_and_deep_in_dark(colour: str) -> None:
    (ground, dark_ground), (edge, _dark_edge) = choose_shades(colour)

    def light(shade: str) -> float:
        return sum(int(shade[n : n + 2], 16) for n in (1, 3, 5)) / 3

    assert light(dark_ground) < 80 < 140 < light(ground) and light(edge) <= light(ground)


# --- the guide ------------------------------------------------------------------------------------


def test_examples_of_guide_are_drawn(tmp_path: Path) -> None:
    from tests.docs import blocks
    from tests.tools.test_scans import png

    for block in blocks.blocks_of(blocks.GUIDE / "maps.md"):
        if "file" in block.values:
            blocks.write(block, tmp_path)
    coast, scanned = tmp_path / "coast", tmp_path / "scanned"
    places = (
        "places: {attributes: {sort: {type: {one_of: [land, sea]}, default: land}, worth: {type: int, default: 1}}, "
    )
    members = "members: {redford: {}, blueville: {}, gulf: {sort: sea}}}\n"
    ways = "redford-blueville: {between: [redford, blueville]}, redford-gulf: {between: [redford, gulf]}"
    links = f"links: {{members: {{{ways}}}}}\n"
    (coast / "map.yaml").write_text(f"kind: map\nformat: 2\n{places}{members}{links}", encoding="utf-8")
    grid = (
        "grid: {shape: hex, orientation: flat, columns: [1, 24], rows: [1, 14], numbering: CCRR, stagger: even_low}\n"
    )
    (scanned / "map.yaml").write_text(f"kind: map\nformat: 2\n{grid}", encoding="utf-8")
    unit = "classes: {unit: {many: units, attributes: {owner: side, arm: {one_of: [foot, horse]}}}}\n"
    piece = "pieces: {old_guard: {class: unit, owner: reds, arm: foot, at: '0101'}}\n"
    (scanned / "pieces.yaml").write_text(f"kind: pieces\nformat: 2\n{unit}{piece}", encoding="utf-8")
    for name in ("map.jpg", "counters/foot.png", "counters/horse.png", "counters/old_guard.png"):
        (scanned / name).parent.mkdir(exist_ok=True)
        (scanned / name).write_bytes(png(60, 60))
    for folder in (coast, scanned):
        (folder / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
        (folder / "scenario.yaml").write_text(SCENARIO, encoding="utf-8")
        sink = Sink()
        ruleset = read_documents(str(folder), sink)
        assert ruleset is not None and not sink.has_errors, [str(d.message) for d in sink.list_errors()]
        render_ground(
            create_context(ruleset, build_initial_position(ruleset, find_default_scenario(ruleset)), "", ENGLISH)
        )
        if folder == coast:
            assert plan_of(ruleset).are_adjacent(0, 1) and plan_of(ruleset).are_adjacent(0, 2)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_hill_or_tree_lies_under_a_letter_of_an_area(lang: str) -> None:
    ruleset = shipped()
    scenario = find_default_scenario(ruleset)
    context = create_context(ruleset, build_initial_position(ruleset, scenario), lang, ENGLISH)
    signs = re.findall(
        r'href="#am-(?:hill\d|tree)"[^>]*?(?:translate\(|x=")(\d+)(?: |" y=")(\d+)', render_ground(context)
    )
    at = [(float(x), float(y)) for x, y in signs]
    assert len(at) > 50
    for n, style in ruleset.drawing.area_map.areas.items():
        name = ruleset.kinds["place"].things[n].label[lang]
        for one in () if n in compute_geometry(ruleset).plan.waters else style.lettering:
            text = (one.text.get(lang) if one.text else name).upper()
            for x, y, r in compute_letter_spots(text, one):
                assert all(dist((x, y), sign) > r for sign in at), text


def test_legend_of_areas_uses_tones_of_both_palettes() -> None:
    ruleset = shipped()
    legend = render_legend(create_context(ruleset, build_initial_position(ruleset, None), "en", ENGLISH))
    assert "prefers-color-scheme:dark" in legend and "am-fbcd0d40f212c" in legend  # the sea
