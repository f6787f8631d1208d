"""Plans of maps on character cells: every form, every zoom, nothing lies over anything else."""

from __future__ import annotations

from collections import Counter

import pytest

from interpreter.tools.maps.text.page import render_hexes
from interpreter.ui.tui.map.area_layout import AREA_ZOOMS, add_boxes, layout_areas
from interpreter.ui.tui.map.grid_layout import GRID_ZOOMS, Lattice, layout_grid
from interpreter.ui.tui.map.map_layout import find_next_place


def lattice(form: str) -> Lattice:
    """Three columns of three, neighbours by where they lie on the sheet of that form."""
    cells = {f"{c}{r}": (c, r) for c in (1, 2, 3) for r in (1, 2, 3)}
    by_cell = {where: name for name, where in cells.items()}
    near = {}
    for name, (c, r) in cells.items():
        low = c % 2 == 0 if form == "flat" else r % 2 == 0
        ways = {
            "flat": {
                "n": (0, -1),
                "s": (0, 1),
                "ne": (1, low - 1),
                "se": (1, low),
                "nw": (-1, low - 1),
                "sw": (-1, low),
            },
            "pointed": {
                "e": (1, 0),
                "w": (-1, 0),
                "ne": (low, -1),
                "nw": (low - 1, -1),
                "se": (low, 1),
                "sw": (low - 1, 1),
            },
            "square": {"n": (0, -1), "s": (0, 1), "e": (1, 0), "w": (-1, 0)},
        }[form]
        near[name] = {d: by_cell[c + dc, r + dr] for d, (dc, dr) in ways.items() if (c + dc, r + dr) in by_cell}
    return Lattice(form, 0, cells, near, 2)


@pytest.mark.parametrize("form", ["flat", "pointed", "square"])
@pytest.mark.parametrize("zoom", range(GRID_ZOOMS))
def test_places_of_grid_share_no_cell_and_lie_on_sheet(form: str, zoom: int) -> None:
    plan = layout_grid(lattice(form), zoom)
    cells = Counter((x + n, y) for spot in plan.spots.values() for x, y, length in spot.rows for n in range(length))
    assert set(cells.values()) == {1}
    assert all(0 <= x < plan.width and 0 <= y < plan.height for x, y in cells)
    assert all(plan.under[cell] in plan.spots for cell in cells)


@pytest.mark.parametrize("form", ["flat", "pointed", "square"])
@pytest.mark.parametrize("zoom", range(1, GRID_ZOOMS))
def test_neighbours_share_cells_of_their_side(form: str, zoom: int) -> None:
    grid = lattice(form)
    plan = layout_grid(grid, zoom)
    seen = 0
    for name, near in grid.neighbours.items():
        for other in near.values():
            mine, theirs = plan.spots[name].sides[other], plan.spots[other].sides[name]
            assert mine
            assert set(mine) == set(theirs), (name, other)
            seen += 1
    assert seen > 20


@pytest.mark.parametrize("form", ["flat", "pointed", "square"])
def test_screen_and_text_map_draw_borders_alike(form: str) -> None:
    grid = lattice(form)
    lines = render_hexes(form, dict.fromkeys(grid.cells.values(), ("", "")), 0, wide=5)
    borders = layout_grid(grid, 1).borders
    assert borders and all(lines[y][x] == mark for (x, y), mark in borders.items())


@pytest.mark.parametrize("form", ["flat", "pointed", "square"])
def test_arrow_keys_go_to_neighbours(form: str) -> None:
    grid = lattice(form)
    plan = layout_grid(grid, 1)
    near = {name: frozenset(n.values()) for name, n in grid.neighbours.items()}
    row = plan.spots["22"].middle[1]
    for direction in ("up", "down", "left", "right"):
        there = find_next_place(plan, "22", direction, near, row)
        assert there in near["22"], direction
    assert find_next_place(plan, "12", "left", near, row) in ("12", "11", "13")


@pytest.mark.parametrize("zoom", range(AREA_ZOOMS))
def test_frames_of_areas_do_not_touch(zoom: int) -> None:
    middles = {"a": (100.0, 100.0), "b": (270.0, 90.0), "c": (190.0, 210.0), "d": (700.0, 400.0)}
    plan = add_boxes(layout_areas(middles, [("a", "b"), ("a", "d")], zoom), ["x", "y"], zoom)
    cells = Counter((x + n, y) for spot in plan.spots.values() for x, y, length in spot.rows for n in range(length))
    assert set(cells.values()) == {1}
    assert plan.lines["a", "d"]
    assert not set(plan.lines["a", "d"]) & set(plan.under)
    below = max(y for _, y, _ in plan.spots["d"].rows)
    assert all(y > below for name in "xy" for _, y, _ in plan.spots[name].rows)
