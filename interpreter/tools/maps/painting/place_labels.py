"""Set names on a ground: one for each named set of spaces, beside it or along it, and names along rivers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin

from interpreter.diagnostics.svg_markup import element, escape, format_coordinate, sanitize_text
from interpreter.tools.maps.geometry import Point
from interpreter.tools.maps.painting.courses import LineKind
from interpreter.tools.maps.painting.curves import (
    bounds,
    distance,
    heading_at,
    interpolate,
    left_of,
    move_point,
    open_path,
    relax_line,
)
from interpreter.tools.maps.painting.scene import Box, Scene, Watercourse
from interpreter.tools.maps.shapes import draw_text, text_width, truncate_text

_BEARINGS, _RINGS = 24, (2.0, 14.0, 28.0, 44.0, 62.0, 80.0)
_COUNTER, _COVERED = 29.0, 1.6  # half the side of a counter with its facing, and the cost of a unit of area below it
_LETTERS = 28  # characters of a name before it is truncated
_SERIF = 0.86  # width of the serif letters of names relative to bold sans letters
_SOLID = ("town", "star_fort", "field_fort")  # styles whose pictures a name must not cover


@dataclass(frozen=True, slots=True)
class _Name:
    """A name to be set: its text, class, font size, spacing of letters, and the spaces that it names."""

    text: str
    look: str
    size: float
    spacing: float
    cells: Sequence[int]

    @property
    def extent(self) -> Point:
        """Return the estimated width and height."""
        wide = text_width(self.text, self.size) * _SERIF + self.spacing * len(self.text)
        return wide, self.size * 0.9


@dataclass(slots=True)
class _Obstacles:
    """Boxes that names should not cover, each with the cost of covering a unit of its area."""

    boxes: list[tuple[Box, float]] = field(default_factory=list)

    def cost(self, box: Box, pad: float = 0.0) -> float:
        """Return the cost of covering what lies in a box."""
        total = 0.0
        for (left, top, right, low), weight in self.boxes:
            wide = min(box[2] + pad, right) - max(box[0] - pad, left)
            high = min(box[3] + pad, low) - max(box[1] - pad, top)
            if wide > 0 and high > 0:
                total += wide * high * weight
        return total


def draw_labels(
    scene: Scene, names: Mapping[int, str], rivers: Sequence[LineKind], occupied: frozenset[int] = frozenset()
) -> str:
    """Return the markup of all names: `names` by space, and those of rivers; they avoid `occupied` spaces."""
    obstacles = _Obstacles()
    for cell in sorted(occupied):
        x, y = scene.mesh.centres[cell]
        obstacles.boxes.append(((x - _COUNTER, y - _COUNTER, x + _COUNTER, y + _COUNTER), _COVERED))
    for cell in sorted(scene.cells_of(*_SOLID)):
        x, y = scene.mesh.centres[cell]
        weight = 0.6 if scene.terrain[cell].style == "town" else 2.0
        obstacles.boxes.append(((x - 32, y - 32, x + 32, y + 32), weight))
    parts = [_set(scene, name, obstacles) for name in sorted(_names(scene, names), key=lambda n: -n.size)]
    parts += _river_names(scene, rivers, obstacles)
    return "".join(parts)


def _names(scene: Scene, names: Mapping[int, str]) -> list[_Name]:
    """Return one name for each connected set of spaces that are called alike."""
    cells: dict[str, list[int]] = {}
    for cell in sorted(names):
        cells.setdefault(names[cell], []).append(cell)
    found = []
    for text, called in cells.items():
        for part in scene.mesh.components(called):
            is_town = scene.terrain[part[0]].style == "town"
            is_large = is_town and len(part) > 1
            size = 12.5 + 3.2 * min(3, len(part) - 1) if is_town else 10.5
            spacing = size * (0.14 if is_large else 0.05) if is_town else 0.0
            shown = truncate_text(text.upper() if is_large else text, _LETTERS)
            found.append(_Name(shown, "town" if is_town else "minor", size, spacing, part))
    return found


def _set(scene: Scene, name: _Name, obstacles: _Obstacles) -> str:
    """Place a name where it covers least: around what is drawn of its spaces, else inside them."""
    mesh, (wide, high) = scene.mesh, name.extent
    reach = 34.0 if scene.terrain[name.cells[0]].style in _SOLID else 6.0
    left, top, right, low = bounds(mesh.centres[cell] for cell in name.cells)
    left, top, right, low = left - reach, top - reach, right + reach, low + reach
    x0, y0 = (left + right) / 2, (top + low) / 2
    far = wide + 110
    roads = [p for road in scene.roads for p in road[::2] if abs(p[0] - x0) < far and abs(p[1] - y0) < far]
    waters = [p for w in scene.waters for p in w.points[::2] if abs(p[0] - x0) < far and abs(p[1] - y0) < far]
    walls = [p for wall in scene.walls for p in wall[::8] if abs(p[0] - x0) < far and abs(p[1] - y0) < far]
    best: tuple[float, float, float, Box] | None = None
    for ring in _RINGS:
        for n in range(_BEARINGS):
            u, v = cos(2 * pi * n / _BEARINGS), sin(2 * pi * n / _BEARINGS)
            out = min(
                (right - left) / 2 / abs(u) if abs(u) > 1e-6 else 1e9,
                (low - top) / 2 / abs(v) if abs(v) > 1e-6 else 1e9,
            )
            x, y = x0 + u * (out + ring + wide / 2), y0 + v * (out + ring + high / 2)
            if reach < _RINGS[1]:  # a plain space: its name may lie across its middle line
                x = x0 + u * ring
            box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            cost = obstacles.cost(box, 2) + ring * 9 + 60 * (v > 0.3) + 90 * abs(v) * (abs(u) < 0.5)
            cost += 12 * sum(box[0] - 2 < p[0] < box[2] + 2 and box[1] - 2 < p[1] < box[3] + 2 for p in roads)
            cost += 14 * sum(box[0] - 6 < p[0] < box[2] + 6 and box[1] - 6 < p[1] < box[3] + 6 for p in walls)
            cost += 6 * sum(box[0] < p[0] < box[2] and box[1] < p[1] < box[3] for p in waters)
            if (
                box[0] < mesh.box[0] + 6
                or box[2] > mesh.box[2] - 6
                or box[1] < mesh.box[1] + 6
                or box[3] > mesh.box[3] - 6
            ):
                cost += 1e5
            if best is None or cost < best[0]:
                best = (cost, x, y, box)
    assert best is not None
    _, x, y, box = best
    obstacles.boxes.append((box, 8.0))
    spacing = format_coordinate(name.spacing) if name.spacing else None
    look = f"g-text g-label g-label-{name.look} name"
    stated = {"class_": look, "letter_spacing": spacing, "fill": None, "text_anchor": "middle"}
    return draw_text(name.text, x, y + high * 0.38, name.size, **stated)


def _river_names(scene: Scene, rivers: Sequence[LineKind], obstacles: _Obstacles) -> list[str]:
    parts = []
    for kind in rivers:
        courses = [water for water in scene.waters if water.kind == kind.key]
        if not kind.name or not courses:
            continue
        water = max(courses, key=lambda w: len(w.points))
        line = _straightest(scene, water, kind.name, obstacles)
        if line:
            name = scene.canvas.shared_id()
            scene.canvas.define(element("path", id=name, d=open_path(relax_line(line, 0.5, 6))))
            path = element("textPath", escape(sanitize_text(kind.name)), href=f"#{name}", startOffset="50%")
            parts.append(element("text", path, class_="g-text g-label-water", font_size=_river_size(water)))
    return parts


def _river_size(water: Watercourse) -> float:
    return 16.0 if water.width > 7 else 11.0


def _straightest(scene: Scene, water: Watercourse, name: str, obstacles: _Obstacles) -> list[Point]:
    """Return the line beside a river that suits its name best: straight, level and free; [] if there is no room."""
    size, points = _river_size(water), water.points
    count = int((text_width(name, size) * _SERIF + 3 * len(name) + 14) * 1.25 / 5)
    smooth = []
    for n in range(len(points)):
        near = points[max(0, n - 12) : n + 13]
        smooth.append((sum(p[0] for p in near) / len(near), sum(p[1] for p in near) / len(near)))
    left, top, right, low = scene.mesh.box
    roads = [p for road in scene.roads for p in road[::3]]
    best: tuple[float, list[Point]] | None = None
    for start in range(6, len(points) - count - 6, 3):
        for side in (1, -1):
            aside = side * (water.width / 2 + (6 if side > 0 else 5 + size * 0.62))
            line = [
                move_point(smooth[n], left_of(heading_at(smooth, n, 3)), aside) for n in range(start, start + count)
            ]
            if not all(left + 24 < x < right - 24 and top + 10 < y < low - 10 for x, y in line):
                continue
            bend = sum(distance(interpolate(a, c), b) for a, b, c in zip(line, line[6:], line[12:], strict=False))
            cost = bend * 6 + 0.6 * abs(line[-1][1] - line[0][1])
            cost += 8 * sum(obstacles.cost((x - 10, y - 14, x + 10, y + 8)) for x, y in line[::4])
            middle = line[len(line) // 2]
            around = [p for p in roads if abs(p[0] - middle[0]) < count * 3 and abs(p[1] - middle[1]) < 60]
            cost += 40 * sum(min(distance(road, p) for p in line[::4]) < 12 for road in around)
            if best is None or cost < best[0]:
                best = (cost, line)
    if best is None:
        return []
    line = best[1][::5]
    return line if line[0][0] <= line[-1][0] else line[::-1]
