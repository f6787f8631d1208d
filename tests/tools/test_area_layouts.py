"""Places without a grid on a drawn map: where they lie, and how the lines between them avoid each other."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.model.area_drawing import AreaMap
from interpreter.model.ruleset import Ruleset
from interpreter.tools.maps.areas.plan import plan_areas
from interpreter.tools.maps.areas.stress_layout import lay_out_areas
from interpreter.tools.maps.geometry import AREA, MARGIN, MapGeometry, compute_geometry, place_beside_grid
from interpreter.tools.maps.link_paths import index_areas, is_covered

RULESET = """\
kind: ruleset
format: 1
id: beside
title: Beside
sides: {members: {reds: {name: Reds}}}
seats: {player: {sides: [reds]}}
"""
MAP = """\
kind: map
format: 1
places:
  members: {west: {}, east: {}, north: {}, south: {}, far: {}, alone: {}}
links:
  members:
    w1: {between: [west, "0102"]}
    w2: {between: [west, "0103"]}
    e1: {between: [east, "0902"]}
    n1: {between: [north, "0501"]}
    s1: {between: [south, "0504"]}
    f1: {between: [far, west]}
grid: {shape: hex, orientation: flat, columns: [1, 9], rows: [1, 4], numbering: CCRR, stagger: even_low}
"""
SCENARIO = """\
kind: scenario
format: 1
id: start
title: Start
default: true
"""


def layout(folder: Path, more: str = "") -> tuple[Ruleset, MapGeometry]:
    (folder / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    (folder / "scenario.yaml").write_text(SCENARIO, encoding="utf-8")
    (folder / "map.yaml").write_text(MAP + more, encoding="utf-8")
    sink = Sink()
    ruleset = read_documents(str(folder), sink)
    assert ruleset is not None and not sink.has_errors, [d.message for d in sink.list_sorted()]
    return ruleset, compute_geometry(ruleset)


def middles(ruleset: Ruleset, found: MapGeometry) -> dict[str, tuple[float, float]]:
    return {place.id: found.middles[n] for n, place in enumerate(ruleset.kinds["place"].things)}


def test_place_beside_grid_is_drawn_near_its_links(tmp_path: Path) -> None:
    ruleset, found = layout(tmp_path)
    at = middles(ruleset, found)
    grid = [where for name, where in at.items() if name[0].isdigit()]
    left, right = min(x for x, _ in grid), max(x for x, _ in grid)
    top, bottom = min(y for _, y in grid), max(y for _, y in grid)
    assert at["west"][0] + AREA[0] / 2 < left and at["far"][0] + AREA[0] / 2 < left
    assert at["east"][0] - AREA[0] / 2 > right and at["alone"][0] - AREA[0] / 2 > right
    assert at["north"][1] + AREA[1] / 2 < top and at["south"][1] - AREA[1] / 2 > bottom


@pytest.mark.parametrize("more", ["", "drawing: {positions: {west: [-300, -50], alone: [20, 900]}}\n"])
def test_layout_holds_every_area_on_sheet_without_overlap(tmp_path: Path, more: str) -> None:
    ruleset, found = layout(tmp_path, more)
    areas = [found.middles[n] for n in range(len(ruleset.kinds["place"].things)) if n not in found.on_grid]
    for n, (x, y) in enumerate(areas):
        assert AREA[0] / 2 <= x <= found.size[0] - AREA[0] / 2 and AREA[1] / 2 <= y <= found.size[1] - AREA[1] / 2
        assert all(abs(x - a) >= AREA[0] or abs(y - b) >= AREA[1] for a, b in areas[:n])


def test_negative_position_keeps_its_distance_from_grid(tmp_path: Path) -> None:
    others = ", ".join(
        f"{name}: [900, {y}]" for name, y in zip(("east", "north", "south"), (100, 300, 500), strict=True)
    )
    positions = f"drawing: {{{{positions: {{{{west: {{west}}, {others}, far: [900, 700], alone: [900, 900]}}}}}}}}\n"
    ruleset, without = layout(tmp_path, positions.format(west="[900, 1100]"))
    _, shifted = layout(tmp_path, positions.format(west="[-200, -100]"))
    first = next(n for n in sorted(without.on_grid))
    west = next(n for n, place in enumerate(ruleset.kinds["place"].things) if place.id == "west")
    assert shifted.middles[west] == (AREA[0] / 2 + MARGIN, AREA[1] / 2 + MARGIN)
    dx, dy = (shifted.middles[first][axis] - without.middles[first][axis] for axis in (0, 1))
    assert (shifted.middles[west][0] - dx, shifted.middles[west][1] - dy) == pytest.approx((-200, -100))


def test_crowded_edge_stacks_its_areas_along_it() -> None:
    beside = list(range(100, 108))
    found = place_beside_grid(beside, {n: [1] for n in beside}, {1: (40.0, 200.0)}, (600.0, 400.0))
    assert {x for x, _ in found.values()} == {-AREA[0] / 2}
    down = sorted(y for _, y in found.values())
    assert all(b - a >= AREA[1] for a, b in zip(down, down[1:], strict=False))


def test_area_index_agrees_with_every_area_compared() -> None:
    random = Random(7)
    middles = {n: (random.uniform(-500, 2500), random.uniform(-500, 2500)) for n in range(300)}
    found = MapGeometry("areas", middles, (), (2500.0, 2500.0), frozenset({3, 4}))
    index = index_areas(found)
    for _ in range(3000):
        x, y = random.uniform(-700, 2700), random.uniform(-700, 2700)
        but = (random.randrange(300), random.randrange(300))
        covered = any(
            abs(x - a) < AREA[0] / 2 + 3 and abs(y - b) < AREA[1] / 2 + 3
            for n, (a, b) in middles.items()
            if n not in but and n not in found.on_grid
        )
        assert is_covered((x, y), index, but) is covered


def test_area_index_cell_lists_only_areas_near_it() -> None:
    """Check a map of 640 separate areas: a point is compared with a handful, whatever their number."""
    middles = {n: (170.0 * (n % 25), 110.0 * (n // 25)) for n in range(640)}
    index = index_areas(MapGeometry("areas", middles, (), (4300.0, 2900.0), frozenset()))
    assert max(map(len, index.buckets.values())) <= 9


def mesh(columns: int, rows: int) -> dict[int, list[int]]:
    """Return the neighbours of the fields of a rectangle, in an order that is independent of their positions."""
    names = list(range(columns * rows))
    Random(5).shuffle(names)
    near: dict[int, list[int]] = {n: [] for n in sorted(names)}
    for k, n in enumerate(names):
        for other in ([k + 1] if (k + 1) % columns else []) + ([k + columns] if k + columns < len(names) else []):
            near[n].append(names[other])
            near[names[other]].append(n)
    return near


WHEEL = {0: [1, 2, 3, 4, 5, 6], **{n: [0, 1 + n % 6, 1 + (n + 4) % 6] for n in range(1, 7)}}


@pytest.mark.parametrize("near", [mesh(4, 3), mesh(6, 5), WHEEL], ids=["twelve", "thirty", "wheel"])
def test_computed_layout_shows_every_link_of_a_plane_map_as_a_border(near: dict[int, list[int]]) -> None:
    middles = lay_out_areas(list(near), near)
    plan = plan_areas(AreaMap(), (), middles, near, AREA)
    assert all(plan.are_adjacent(a, b) for a, others in near.items() for b in others)


def test_computed_layout_keeps_areas_apart_whatever_their_links() -> None:
    near: dict[int, list[int]] = {n: [m for m in range(9) if m != n] for n in range(9)}  # each linked with each
    near |= {9: [10], 10: [9], 11: []}
    areas = list(lay_out_areas(list(near), near).values())
    for n, (x, y) in enumerate(areas):
        assert all(abs(x - a) >= AREA[0] * 0.8 or abs(y - b) >= AREA[1] * 0.8 for a, b in areas[:n])


def test_computed_layout_puts_a_place_between_stated_neighbours() -> None:
    stated = {0: (100.0, 100.0), 2: (500.0, 100.0)}
    (x, y) = lay_out_areas([0, 1, 2], {0: [1], 1: [0, 2], 2: [1]}, stated)[1]
    assert 200 < x < 400 and -20 < y < 220
