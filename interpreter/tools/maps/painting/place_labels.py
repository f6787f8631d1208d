"""Set names on a ground: one for each named set of spaces, beside it or along it, and names along rivers.

Each name has several spots, so that it can move aside when counters cover it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from interpreter.diagnostics.svg_markup import build_element, escape, format_coordinate, sanitize_text
from interpreter.diagnostics.terminal_text import has_wide
from interpreter.model.area_drawing import Point
from interpreter.tools.maps.boxes import Box, compute_bounds
from interpreter.tools.maps.painting.courses import LineKind
from interpreter.tools.maps.painting.curves import (
    compute_distance,
    compute_heading,
    format_open_path,
    interpolate,
    move_point,
    relax_line,
    turn_left,
)
from interpreter.tools.maps.painting.scene import Scene, Watercourse
from interpreter.tools.maps.shapes import draw_text, estimate_text_width, truncate_text

_BEARINGS, _RINGS = 24, (2.0, 14.0, 28.0, 44.0, 62.0, 80.0)
_COUNTER = 41.0  # half the side of a counter with its rim and facing
_COVERED = 1.6  # cost of a unit of area below a counter
_LETTERS = 28  # characters of a name before it is truncated
_SERIF = 0.88  # width of the serif letters of names relative to bold sans letters
_CAPITALS = 1.16  # the same for bold capitals
_MAX_SPOTS = 4  # of a name, the best first
_MAX_EXCESS_COST = 1500.0  # cost by which another spot may exceed the best: a farther one no longer tells what it names
_TAKEN = 8.0  # cost of a unit of area of another name
_SOLID = ("town", "star_fort", "field_fort")  # styles whose pictures a name must not cover


@dataclass(frozen=True, slots=True)
class NameSpot:
    """A spot for a name: the middle of its baseline, or the SVG path that it follows ("" for none).

    `cells`: the spaces whose counters would cover it.
    """

    x: float
    y: float
    line: str
    cells: frozenset[int]


@dataclass(frozen=True, slots=True)
class PlacedName:
    """A name on the map and the spots where it can be set.

    `look`: its CSS classes; `size`, `spacing`: font size and additional space between letters, in pixels of the
    drawing; `spots`: the candidates, best first.
    """

    text: str
    look: str
    size: float
    spacing: float
    spots: tuple[NameSpot, ...]

    def choose_spot(self, occupied: Collection[int]) -> NameSpot:
        """Return the spot covered by counters on the fewest `occupied` spaces, the first of equal ones."""
        return min(self.spots, key=lambda spot: len(spot.cells.intersection(occupied)))


@dataclass(frozen=True, slots=True)
class _Name:
    """A name to be set on the map.

    `look`: its CSS classes; `size`, `spacing`: font size and additional space between letters, in pixels of the
    drawing; `cells`: the spaces that it names, () for a river; `water`: the river that it follows, or None.
    """

    text: str
    look: str
    size: float
    spacing: float
    cells: Sequence[int]
    water: Watercourse | None = None

    @property
    def extent(self) -> Point:
        """Return the estimated width and height in pixels."""
        letters = _CAPITALS if self.text.isupper() else _SERIF
        wide = estimate_text_width(self.text, self.size, letters) + self.spacing * len(self.text)
        return wide, self.size * 0.9


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A candidate position of a name: its cost, the boxes it covers, and the middle of its baseline or its curve."""

    cost: float
    boxes: tuple[Box, ...]
    point: Point
    line: Sequence[Point] = ()


_Obstacles = list[tuple[Box, float]]  # boxes that names should not cover, each with the cost of a unit of its area


def _compute_cover_cost(obstacles: _Obstacles, box: Box, pad: float = 0.0) -> float:
    """Return the cost of covering the obstacles that overlap a box widened by `pad` pixels."""
    total = 0.0
    for (left, top, right, low), weight in obstacles:
        wide = min(box[2] + pad, right) - max(box[0] - pad, left)
        high = min(box[3] + pad, low) - max(box[1] - pad, top)
        if wide > 0 and high > 0:
            total += wide * high * weight
    return total


def place_names(
    scene: Scene,
    names: Mapping[int, str],
    rivers: Sequence[LineKind],
    occupied: frozenset[int] = frozenset(),
    marked: frozenset[int] = frozenset(),
) -> list[PlacedName]:
    """Return all names with their spots, the best first.

    `names`: the names of spaces by handle; `rivers`: the kinds of lines whose names are set along them. The best spots
    avoid the counters of `occupied` spaces, and all spots avoid the figures at the left corners of `marked` ones.
    """
    obstacles: _Obstacles = []
    for cell in sorted(scene.find_cells(*_SOLID)):
        x, y = scene.mesh.centres[cell]
        weight = 0.6 if scene.terrain[cell].style == "town" else 2.0
        obstacles.append(((x - 32, y - 32, x + 32, y + 32), weight))
    for cell in sorted(marked):
        x, y = scene.mesh.centres[cell]
        obstacles.append(((x - 56, y - 10, x - 30, y + 22), _TAKEN))
    counters = [(_compute_counter_box(scene, cell), _COVERED) for cell in sorted(occupied)]
    first: list[tuple[_Name, _Candidate]] = []
    for name in [*sorted(_list_names(scene, names), key=lambda n: -n.size), *_list_river_names(scene, rivers)]:
        around = [*counters, *obstacles]
        best = min(_iter_candidates(scene, name, around), key=lambda candidate: candidate.cost, default=None)
        if best is not None:
            first.append((name, best))
            obstacles += [(box, _TAKEN) for box in best.boxes]
    placed = []
    for name, best in first:
        spots = [_build_spot(scene, best)]
        own_boxes = set(best.boxes)
        around = [(box, weight) for box, weight in obstacles if box not in own_boxes]
        can_be_covered = bool(spots[0].cells)
        others = (
            sorted(_iter_candidates(scene, name, around), key=lambda candidate: candidate.cost)
            if can_be_covered
            else []
        )
        for other in others:
            if len(spots) == _MAX_SPOTS or other.cost > others[0].cost + _MAX_EXCESS_COST:
                break
            spot = _build_spot(scene, other)
            if all(spot.cells.isdisjoint(candidate.cells) for candidate in spots):
                spots.append(spot)
                obstacles += [(box, _TAKEN) for box in other.boxes]
        placed.append(PlacedName(name.text, name.look, name.size, name.spacing, tuple(spots)))
    return placed


def draw_names(names: Sequence[PlacedName], occupied: Collection[int], prefix: str) -> str:
    """Return the markup of names at the spots that the counters on `occupied` spaces cover least.

    `prefix`: begins the ids of curved base lines.
    """
    return "".join(_draw_name(name, name.choose_spot(occupied), f"{prefix}-name{n}") for n, name in enumerate(names))


def _draw_name(name: PlacedName, spot: NameSpot, id: str) -> str:
    if spot.line:
        path = build_element("textPath", escape(sanitize_text(name.text)), href=f"#{id}", startOffset="50%")
        line = build_element("defs", build_element("path", id=id, d=spot.line))
        return line + build_element("text", path, class_=name.look, font_size=name.size)
    spacing = format_coordinate(name.spacing) if name.spacing else None
    stated = {"class_": name.look, "letter_spacing": spacing, "fill": None, "text_anchor": "middle"}
    return draw_text(name.text, spot.x, spot.y, name.size, **stated)


def _compute_counter_box(scene: Scene, cell: int) -> Box:
    x, y = scene.mesh.centres[cell]
    return x - _COUNTER, y - _COUNTER, x + _COUNTER, y + _COUNTER


def _build_spot(scene: Scene, candidate: _Candidate) -> NameSpot:
    """Return the spot of a candidate, with the spaces whose counters would cover it."""
    covered = [
        cell
        for cell in scene.mesh.cells
        for left, top, right, low in [_compute_counter_box(scene, cell)]
        if any(box[0] < right and box[2] > left and box[1] < low and box[3] > top for box in candidate.boxes)
    ]
    line = format_open_path(relax_line(candidate.line, 0.5, 6)) if candidate.line else ""
    x, y = candidate.point
    return NameSpot(round(x, 1), round(y, 1), line, frozenset(covered))


def _iter_candidates(scene: Scene, name: _Name, obstacles: _Obstacles) -> Iterator[_Candidate]:
    """Yield the possible spots of a name: along its river if it has one, else around its spaces."""
    return (
        _iter_candidates_around(scene, name, obstacles)
        if name.water is None
        else _iter_candidates_along(scene, name, name.water, obstacles)
    )


def _list_names(scene: Scene, names: Mapping[int, str]) -> list[_Name]:
    """Return one name for each connected set of spaces with equal names; `names` is by space."""
    cells: dict[str, list[int]] = {}
    for cell in sorted(names):
        cells.setdefault(names[cell], []).append(cell)
    entries = []
    for text, called in cells.items():
        for component in scene.mesh.find_components(called):
            is_town = scene.terrain[component[0]].style == "town"
            is_large = is_town and len(component) > 1
            size = 12.5 + 3.2 * min(3, len(component) - 1) if is_town else 10.5
            spacing = size * (0.14 if is_large else 0.05) if is_town else 0.0
            label = truncate_text(text.upper() if is_large else text, _LETTERS)
            look = f"g-text g-label g-label-{'town' if is_town else 'minor'}{_get_upright_class(label)} name"
            entries.append(_Name(label, look, size, spacing, component))
    return entries


def _get_upright_class(text: str) -> str:
    """Return the class of a name in double-width letters, which no font slants; "" for another."""
    return " g-label-upright" if has_wide(text) else ""


def _iter_candidates_around(scene: Scene, name: _Name, obstacles: _Obstacles) -> Iterator[_Candidate]:
    """Yield candidates around the painted shape of a name's spaces, or inside a plain space.

    A candidate costs more if it covers obstacles, roads, walls or waters, is far away, or leaves the map.
    """
    mesh, (width, height) = scene.mesh, name.extent
    reach = 34.0 if scene.terrain[name.cells[0]].style in _SOLID else 6.0
    left, top, right, bottom = compute_bounds(mesh.centres[cell] for cell in name.cells)
    left, top, right, bottom = left - reach, top - reach, right + reach, bottom + reach
    x0, y0 = (left + right) / 2, (top + bottom) / 2
    distance = width + 110
    roads = [p for road in scene.roads for p in road[::2] if abs(p[0] - x0) < distance and abs(p[1] - y0) < distance]
    waters = [p for w in scene.waters for p in w.points[::2] if abs(p[0] - x0) < distance and abs(p[1] - y0) < distance]
    walls = [p for wall in scene.walls for p in wall[::8] if abs(p[0] - x0) < distance and abs(p[1] - y0) < distance]
    for ring in _RINGS:
        for n in range(_BEARINGS):
            u, v = cos(2 * pi * n / _BEARINGS), sin(2 * pi * n / _BEARINGS)
            out = min(
                (right - left) / 2 / abs(u) if abs(u) > 1e-6 else 1e9,
                (bottom - top) / 2 / abs(v) if abs(v) > 1e-6 else 1e9,
            )
            x, y = x0 + u * (out + ring + width / 2), y0 + v * (out + ring + height / 2)
            if reach < _RINGS[1]:  # a plain space: its name may lie across its middle line
                x = x0 + u * ring
            box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            cost = _compute_cover_cost(obstacles, box, 2) + ring * 9 + 60 * (v > 0.3) + 90 * abs(v) * (abs(u) < 0.5)
            cost += 12 * sum(box[0] - 2 < p[0] < box[2] + 2 and box[1] - 2 < p[1] < box[3] + 2 for p in roads)
            cost += 14 * sum(box[0] - 6 < p[0] < box[2] + 6 and box[1] - 6 < p[1] < box[3] + 6 for p in walls)
            cost += 6 * sum(box[0] < p[0] < box[2] and box[1] < p[1] < box[3] for p in waters)
            inner = [edge + inset for edge, inset in zip(mesh.box, (6, 6, -6, -6), strict=True)]
            if box[0] < inner[0] or box[1] < inner[1] or box[2] > inner[2] or box[3] > inner[3]:
                cost += 1e5
            yield _Candidate(cost, (box,), (x, y + height * 0.38))


def _list_river_names(scene: Scene, rivers: Sequence[LineKind]) -> list[_Name]:
    """Return the names of rivers, each with the longest of its courses."""
    names = []
    for kind in rivers:
        courses = [water for water in scene.waters if water.kind == kind.key]
        if kind.name and courses:
            water = max(courses, key=lambda w: len(w.points))
            size = 16.0 if water.width > 7 else 11.0
            names.append(_Name(kind.name, f"g-text g-label-water{_get_upright_class(kind.name)}", size, 3.0, (), water))
    return names


def _iter_candidates_along(
    scene: Scene, name: _Name, water: Watercourse, obstacles: _Obstacles
) -> Iterator[_Candidate]:
    """Yield candidates along a river; the cheapest are straight, level and free of obstacles."""
    size, points = name.size, water.points
    count = int((name.extent[0] + 14) * 1.25 / 5)
    smooth = []
    for n in range(len(points)):
        near = points[max(0, n - 12) : n + 13]
        smooth.append((sum(p[0] for p in near) / len(near), sum(p[1] for p in near) / len(near)))
    left, top, right, low = scene.mesh.box
    roads = [p for road in scene.roads for p in road[::3]]
    for start in range(6, len(points) - count - 6, 3):
        for side in (1, -1):
            aside = side * (water.width / 2 + (6 if side > 0 else 5 + size * 0.62))
            line = [
                move_point(smooth[n], turn_left(compute_heading(smooth, n, 3)), aside)
                for n in range(start, start + count)
            ]
            if not all(left + 24 < x < right - 24 and top + 10 < y < low - 10 for x, y in line):
                continue
            boxes = tuple((x - 10, y - 14, x + 10, y + 8) for x, y in line[::4])
            bend = sum(
                compute_distance(interpolate(a, c), b) for a, b, c in zip(line, line[6:], line[12:], strict=False)
            )
            cost = bend * 6 + 0.6 * abs(line[-1][1] - line[0][1])
            cost += 8 * sum(_compute_cover_cost(obstacles, box) for box in boxes)
            middle = line[len(line) // 2]
            around = [p for p in roads if abs(p[0] - middle[0]) < count * 3 and abs(p[1] - middle[1]) < 60]
            cost += 40 * sum(min(compute_distance(road, p) for p in line[::4]) < 12 for road in around)
            followed = line[::5]
            yield _Candidate(cost, boxes, middle, followed if followed[0][0] <= followed[-1][0] else followed[::-1])
