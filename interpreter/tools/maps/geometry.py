"""Compute the geometry of a map: middles, corners and shared sides, in pixels, y downwards.

Grids are regular. Places without a grid take their positions from the drawing, else from a layout by their links.
Independent of colours, counters and picture formats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from interpreter.model.area_drawing import Point
from interpreter.model.ruleset import Grid, Ruleset
from interpreter.tools.maps.areas.plan import WATER, AreaPlan, plan_areas
from interpreter.tools.maps.areas.stress_layout import lay_out_areas
from interpreter.tools.maps.style import choose_fill_key, find_written_value, list_spaces

SIDE = 48.0  # side of a hex in pixels; a flat hex is twice as wide
SQUARE = 84.0
AREA = (150.0, 96.0)  # width and height of a place without a grid, in pixels
MARGIN = 36.0
_ANGLES = {"n": 0, "ne": 45, "e": 90, "se": 135, "s": 180, "sw": 225, "w": 270, "nw": 315}
_FLAT_ANGLES = {"n": 0, "ne": 60, "se": 120, "s": 180, "sw": 240, "nw": 300}
_POINTED_ANGLES = {"ne": 30, "e": 90, "se": 150, "sw": 210, "w": 270, "nw": 330}


@dataclass(frozen=True, slots=True)
class MapGeometry:
    """The geometry of a map, in pixels.

    `form` is "flat", "pointed", "square" or "areas"; `middles` by place handle; `corners` of a space relative to its
    middle, clockwise, empty for areas; `size` of the whole map; `on_grid`: the places that are spaces of the grid;
    `plan` has the outlines of a map without a grid.
    """

    form: str
    middles: Mapping[int, Point]
    corners: tuple[Point, ...]
    size: Point
    on_grid: frozenset[int]
    plan: AreaPlan | None = None

    def find_shared_side(self, a: int, b: int) -> tuple[Point, Point] | None:
        """Return the end points of the side between two neighbouring spaces, or None if one is not on the grid."""
        if a not in self.on_grid or b not in self.on_grid:
            return None
        (ax, ay), (bx, by) = self.middles[a], self.middles[b]
        mx, my = (ax + bx) / 2, (ay + by) / 2
        near = sorted(self.corners, key=lambda c: hypot(ax + c[0] - mx, ay + c[1] - my))[:2]
        first, last = sorted((ax + c[0], ay + c[1]) for c in near)
        return first, last

    def get_counter_scale(self, place: int) -> float:
        """Return the size of the counters of a place relative to the usual one: more than 1 in roomy areas."""
        return self.plan.get_scale(place) if self.plan is not None else 1.0

    def compute_bearing(self, value: str) -> float | None:
        """Return degrees clockwise from the top for a direction of this grid or of the compass, or None if unknown."""
        grid_angles = {"flat": _FLAT_ANGLES, "pointed": _POINTED_ANGLES}.get(self.form, {})
        return grid_angles.get(value, _ANGLES.get(value))


def get_grid_form(grid: Grid) -> str:
    """Return "flat" or "pointed" for a hex grid, else "square"."""
    return "square" if grid.shape == "square" else "flat" if grid.directions[0] == "n" else "pointed"


def get_shifted_parity(grid: Grid) -> int:
    """Return the parity of the columns (flat) or rows (pointed) that are shifted down (right)."""
    line = 0 if get_grid_form(grid) == "flat" else 1
    # (direction, offset of the neighbour's other coordinate if ours is the shifted line)
    signs = {
        "flat": (("ne", 0), ("se", 1), ("sw", 1), ("nw", 0)),
        "pointed": (("ne", 1), ("se", 1), ("sw", 0), ("nw", 0)),
    }
    for neighbours, cell in zip(grid.neighbours, grid.column_row, strict=True):
        for direction, shift in signs.get(get_grid_form(grid), ()):
            other = neighbours[grid.directions.index(direction)]
            if cell is not None and other is not None and (neighbour_cell := grid.column_row[other]) is not None:
                is_shifted = neighbour_cell[1 - line] - cell[1 - line] == shift
                return cell[line] % 2 if is_shifted else 1 - cell[line] % 2
    return 0


def compute_geometry(ruleset: Ruleset) -> MapGeometry:
    """Compute the positions of all places; areas beside the grid lie near the places they are linked with."""
    spaces = list_spaces(ruleset)
    if ruleset.grid is None:
        return _build_area_geometry(ruleset, [n for n, _ in spaces])
    grid, form = ruleset.grid, get_grid_form(ruleset.grid)
    cells = {n: where for n, _ in spaces if (where := grid.column_row[n]) is not None}
    raw = _compute_grid_middles(form, cells, get_shifted_parity(grid))
    corners = _compute_corners(form)
    half_width, half_height = max(x for x, _ in corners), max(y for _, y in corners)
    middles = _add_margin(raw, half_width, half_height)
    width = max(x for x, _ in middles.values()) + half_width + MARGIN
    height = max(y for _, y in middles.values()) + half_height + MARGIN
    beside = [n for n, _ in spaces if n not in cells]
    if not beside:
        return MapGeometry(form, middles, corners, (width, height), frozenset(cells))
    stated = {n: (float(x), float(y)) for n, (x, y) in ruleset.drawing.positions.items() if n in beside}
    middles.update(stated)
    middles.update(place_beside_grid(beside, map_neighbours(ruleset), middles, (width, height)))
    middles, (left, top) = _shift_onto_sheet(middles, beside)
    right = max(middles[n][0] for n in beside) + AREA[0] / 2 + MARGIN
    bottom = max(middles[n][1] for n in beside) + AREA[1] / 2 + MARGIN
    return MapGeometry(form, middles, corners, (max(width + left, right), max(height + top, bottom)), frozenset(cells))


def map_neighbours(ruleset: Ruleset) -> dict[int, list[int]]:
    """Return the neighbours of every place that has links, in the order of the documents."""
    near: dict[int, list[int]] = {}
    for edge in ruleset.kinds["edge"].things:
        if edge.ends:
            near.setdefault(edge.ends[0], []).append(edge.ends[1])
            near.setdefault(edge.ends[1], []).append(edge.ends[0])
    return near


def _shift_onto_sheet(middles: dict[int, Point], areas: Sequence[int]) -> tuple[dict[int, Point], Point]:
    """Shift the map right and down if an area lies beyond its left or top edge.

    `areas`: the areas beside the grid. Return the middles and the shift (right, down).
    """
    left = min(middles[n][0] for n in areas) - AREA[0] / 2
    top = min(middles[n][1] for n in areas) - AREA[1] / 2
    dx, dy = MARGIN - left if left < 0 else 0.0, MARGIN - top if top < 0 else 0.0
    return {n: (x + dx, y + dy) for n, (x, y) in middles.items()}, (dx, dy)


def place_beside_grid(
    areas: Sequence[int], neighbours: Mapping[int, Sequence[int]], known_middles: Mapping[int, Point], size: Point
) -> dict[int, Point]:
    """Choose a middle outside a grid of this size for each of the areas that has none in `known_middles`.

    An area lies at the edge nearest to the places it is linked with, moved along that edge until it overlaps no other
    area. An area without links to placed ones lies at the right, from the top. `neighbours`: the linked places by
    place.
    """
    chosen: dict[int, Point] = {}
    occupied = [known_middles[n] for n in areas if n in known_middles]
    remaining = [n for n in areas if n not in known_middles]
    while remaining:
        placed = {**known_middles, **chosen}
        linked = [n for n in remaining if any(other in placed for other in neighbours.get(n, ()))]
        for n in linked or remaining:
            linked_points = [placed[other] for other in neighbours.get(n, ()) if other in placed]
            chosen[n] = _find_free_middle(*_find_edge_middle(linked_points, size), occupied)
            occupied.append(chosen[n])
        remaining = [n for n in remaining if n not in chosen]
    return chosen


def _find_edge_middle(linked: Sequence[Point], size: Point) -> tuple[Point, Point]:
    """Return a middle outside the grid near the points `linked`, and the step by which it may move along that edge.

    `size`: width and height of the grid.
    """
    across, down = AREA[0] * 1.1, AREA[1] * 1.3
    right = size[0] + AREA[0] / 2
    if not linked:
        return (right, MARGIN + AREA[1] / 2), (0.0, down)
    x, y = sum(p[0] for p in linked) / len(linked), sum(p[1] for p in linked) / len(linked)
    along_x, along_y = max(x, MARGIN + AREA[0] / 2), max(y, MARGIN + AREA[1] / 2)
    edges = [
        (size[0] - x, (right, along_y), (0.0, down)),
        (x, (-AREA[0] / 2, along_y), (0.0, down)),
        (size[1] - y, (along_x, size[1] + AREA[1] / 2), (across, 0.0)),
        (y, (along_x, -AREA[1] / 2), (across, 0.0)),
    ]
    _, start, step = min(edges, key=lambda edge: edge[0])
    return start, step


def _find_free_middle(start: Point, step: Point, occupied: Sequence[Point]) -> Point:
    """Return the first middle, from `start` in steps of `step`, whose area overlaps none of the areas at `occupied`."""
    x, y = start
    while any(abs(x - a) < AREA[0] and abs(y - b) < AREA[1] for a, b in occupied):
        x, y = x + step[0], y + step[1]
    return x, y


def _compute_corners(form: str) -> tuple[Point, ...]:
    if form == "square":
        h = SQUARE / 2
        return ((-h, -h), (h, -h), (h, h), (-h, h))
    start = 0.0 if form == "flat" else pi / 6
    return tuple((SIDE * cos(start + n * pi / 3), SIDE * sin(start + n * pi / 3)) for n in range(6))


def _compute_grid_middles(form: str, cells: Mapping[int, tuple[int, int]], shifted: int) -> dict[int, Point]:
    across, step = SIDE * 3**0.5, SIDE * 1.5
    if form == "square":
        return {n: (c * SQUARE, r * SQUARE) for n, (c, r) in cells.items()}
    if form == "flat":
        return {n: (c * step, (r + (0.5 if c % 2 == shifted else 0)) * across) for n, (c, r) in cells.items()}
    return {n: ((c + (0.5 if r % 2 == shifted else 0)) * across, r * step) for n, (c, r) in cells.items()}


def _add_margin(raw: Mapping[int, Point], half_width: float, half_height: float) -> dict[int, Point]:
    """Translate the middles `raw` so that the map has a margin at the left and the top.

    `half_width` and `half_height`: half the width and half the height of a drawing around its centre.
    """
    left = min((x for x, _ in raw.values()), default=0.0) - half_width - MARGIN
    top = min((y for _, y in raw.values()), default=0.0) - half_height - MARGIN
    return {n: (x - left, y - top) for n, (x, y) in raw.items()}


def _build_area_geometry(ruleset: Ruleset, places: Sequence[int]) -> MapGeometry:
    drawing, near = ruleset.drawing.area_map, map_neighbours(ruleset)
    stated = {n: (float(x), float(y)) for n, (x, y) in ruleset.drawing.positions.items() if n in places}
    outlined = [n for n, style in drawing.areas.items() if style.rings and n in places]
    if outlined:
        middles = {
            **_place_beside_sheet([n for n in places if n not in stated and n not in outlined], drawing.sheet.size)
        }
        middles.update({n: stated.get(n, (0.0, 0.0)) for n in places if n not in middles})
    else:
        middles = _place_areas(ruleset, places, stated)
    scan = ruleset.drawing.background
    width, height = scan.picture.size if scan is not None and not scan.points else (0, 0)
    sheet = (float(width), float(height)) if width else None
    plan = plan_areas(drawing, _find_waters(ruleset, places), middles, near, AREA, sheet)
    boxes = {**plan.contents, **plan.counters}
    centred = {n: ((x0 + x1) / 2, (y0 + y1) / 2) for n, (x0, y0, x1, y1) in boxes.items()}
    return MapGeometry("areas", centred, (), plan.size, frozenset(), plan)


def _place_beside_sheet(places: Sequence[int], size: Point | None) -> dict[int, Point]:
    """Return middles for areas without outline or position: in a column to the right of the sheet.

    `size`: the size of the sheet, or None if it is unknown.
    """
    left = (size or (0.0, 0.0))[0] + MARGIN + AREA[0] / 2
    return {n: (left, MARGIN + AREA[1] * (0.5 + 1.2 * k)) for k, n in enumerate(places)}


def _find_waters(ruleset: Ruleset, places: Sequence[int]) -> frozenset[int]:
    """Return the members of `places` that the documents colour as water."""
    looks, fill, things = ruleset.drawing.looks, choose_fill_key(ruleset), ruleset.kinds["place"].things
    values = ((n, find_written_value(ruleset, "place", fill, things[n].values)) for n in places)
    return frozenset(n for n, value in values if value and value in looks and looks[value].pattern == WATER)


def _place_areas(ruleset: Ruleset, places: Sequence[int], stated: Mapping[int, Point]) -> dict[int, Point]:
    """Return middles for areas without outlines: the stated ones, and computed ones for the other places."""
    raw = {**stated, **lay_out_areas(places, map_neighbours(ruleset), stated)}
    return _add_margin(raw, AREA[0] / 2, AREA[1] / 2) if raw else {}
