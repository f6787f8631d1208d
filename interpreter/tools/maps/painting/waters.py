"""Paint rivers, bridges and fords."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from interpreter.model.area_drawing import Point
from interpreter.tools.maps.boxes import compute_bounds
from interpreter.tools.maps.painting.courses import (
    LineKind,
    ThroughLines,
    chain_sides,
    extend_beyond_rim,
    find_nearest_vertex,
    trace_sides,
)
from interpreter.tools.maps.painting.curves import (
    PointIndex,
    build_ribbon,
    compute_direction,
    compute_distance,
    compute_heading,
    format_open_path,
    interpolate,
    iter_crossings,
    move_point,
    resample,
    turn_left,
)
from interpreter.tools.maps.painting.noise import compute_value_noise
from interpreter.tools.maps.painting.scene import Scene, Watercourse
from interpreter.tools.maps.shapes import format_path, format_point

_JOINED = 3.0  # distance below which the end of a river lies on another
_BROAD = 7.0  # width from which a river shows lines of flow


def paint_rivers(scene: Scene, kinds: Sequence[LineKind], through: ThroughLines) -> None:
    """Paint all rivers, the broadest first: shores, banks, water, lines of flow; tributaries end on larger rivers.

    `through`: computes the lines of rivers that run through spaces.
    """
    canvas, corners = scene.canvas, list[list[Point]]()
    shores, flows = list[str](), list[str]()
    bodies: dict[str, list[str]] = {}
    for kind in sorted(kinds, key=lambda k: (-k.widths[1], k.key)):
        if kind.course == "along":
            courses = [_build_river(scene, kind, chain, corners) for chain in chain_sides(scene.mesh, kind.links)]
        else:
            courses = [resample(line, 5) for line in through.build_lines(kind.links)]
        source, mouth = kind.widths
        for points in courses:
            if len(points) < 3:
                continue
            bodies.setdefault(kind.tone, []).append(
                format_path(build_ribbon(points, _Width(source, mouth)), close=True)
            )
            bank = [*points[::2], points[-1]]
            shores.append(format_path(build_ribbon(bank, _Width(source, mouth, 9.0, 4.0)), close=True))
            if mouth > _BROAD:
                for aside in (source * 0.17, -source * 0.2):
                    line = [move_point(p, turn_left(compute_heading(points, n)), aside) for n, p in enumerate(points)]
                    flows.append(format_open_path(resample(line, 14)))
            scene.waters.append(Watercourse(points, mouth, kind.key))
            scene.add_obstacle(points, mouth / 2)
    canvas.add_path("water", "shore", "".join(shores))
    # all banks lie beneath all waters, so that joints merge
    canvas.add_path("water", "bank", "".join(path for paths in bodies.values() for path in paths))
    for tone, paths in bodies.items():
        canvas.add_path("water", f"water {tone}", "".join(paths))
    canvas.add_path("water", "flow", "".join(flows))


@dataclass(frozen=True, slots=True)
class _Width:
    """The width of a river as a function of the position along it (0 at the source, 1 at the mouth).

    `more`: pixels added everywhere; `uneven`: the strength of further irregularities.
    """

    source: float
    mouth: float
    more: float = 0.0
    uneven: float = 0.0

    def __call__(self, share: float) -> float:
        width = self.source + (self.mouth - self.source) * share + 1.1 * compute_value_noise(share * 17, 3, 9)
        return width + self.more + self.uneven * compute_value_noise(share * 31, 1, 4)


def _build_river(scene: Scene, kind: LineKind, chain: Sequence[Point], before: list[list[Point]]) -> list[Point]:
    """Return the sampled course of a river from its source to its mouth.

    `chain`: the corners of the river in any direction; `before`: the corners of the rivers painted so far, to which the
    function appends these. The river ends where it meets an earlier river; a river that ends at the rim continues
    beyond it.
    """
    points = list(chain)
    joined = [
        any(compute_distance(end, p) < _JOINED for line in before for p in line) for end in (points[0], points[-1])
    ]
    if kind.flows is not None:
        ahead = (sin(radians(kind.flows)), -cos(radians(kind.flows)))
        is_turned = (points[-1][0] - points[0][0]) * ahead[0] + (points[-1][1] - points[0][1]) * ahead[1] < 0
    else:
        is_turned = joined[0] and not joined[1]
    if is_turned:
        points.reverse()
        joined.reverse()
    before.append(points)
    mesh = scene.mesh
    head = [] if joined[0] else extend_beyond_rim(mesh, points[1], points[0])[::-1]
    tail = [] if joined[1] else extend_beyond_rim(mesh, points[-2], points[-1])
    known = [p for water in scene.waters for p in water.points]
    if joined[1] and known:
        tail = [find_nearest_vertex(known, points[-1])]
    return trace_sides(mesh, points, head, tail)


def paint_bridges(scene: Scene, bridges: Sequence[LineKind], fords: Sequence[LineKind]) -> None:
    """Paint a bridge or ford on each link that has one, and a culvert at any other crossing of road and water.

    `bridges` and `fords`: the kinds of lines that have the links.
    """
    mesh, done = scene.mesh, list[Point]()
    crossings = [(_compute_middle(scene, link.ends), link.ends, "bridge") for kind in bridges for link in kind.links]
    crossings += [(_compute_middle(scene, link.ends), link.ends, "ford") for kind in fords for link in kind.links]
    is_painted = [False] * len(crossings)
    for road in scene.roads:
        for water in scene.waters:
            for point, ahead, flow in _find_crossings(road, water):
                if any(compute_distance(point, other) < 8 for other in done):
                    continue
                done.append(point)
                near = [n for n, (at, _, _) in enumerate(crossings) if compute_distance(at, point) < mesh.radius * 0.8]
                for n in near:
                    is_painted[n] = True
                sort = crossings[near[0]][2] if near else "culvert"
                _paint_crossing(scene, point, water.width, ahead, flow, sort)
    for (at, ends, sort), is_done in zip(crossings, is_painted, strict=True):
        if not is_done:
            ahead = compute_direction(mesh.centres[ends[0]], mesh.centres[ends[1]])
            _paint_crossing(scene, *_find_water_spot(scene, at), ahead, turn_left(ahead), sort)


def _find_water_spot(scene: Scene, point: Point) -> tuple[Point, float]:
    """Return the nearest point on a river and the river's width there.

    If no river is near, return the point `point` itself and a default width.
    """
    candidates = [
        (compute_distance(nearest, point), nearest, w.width)
        for w in scene.waters
        for nearest in [find_nearest_vertex(w.points, point)]
    ]
    distance, nearest, width = min(candidates, default=(scene.mesh.radius, point, 0.0))
    return (point, 8.0) if distance > scene.mesh.radius * 0.6 else (nearest, width)


def _compute_middle(scene: Scene, ends: tuple[int, int]) -> Point:
    return interpolate(scene.mesh.centres[ends[0]], scene.mesh.centres[ends[1]])


def _find_crossings(road: Sequence[Point], water: Watercourse) -> list[tuple[Point, Point, Point]]:
    left, top, right, low = compute_bounds(water.points)
    part = [p for p in road if left - 12 < p[0] < right + 12 and top - 12 < p[1] < low + 12]
    if len(part) < 2:
        return []
    near = PointIndex(16)
    for point in water.points:
        near.add(point)
    part = [p for p in part if near.is_near(p, 18)]
    return list(iter_crossings(part, water.points)) if len(part) > 1 else []


def _paint_crossing(scene: Scene, point: Point, width: float, ahead: Point, flow: Point, sort: str) -> None:
    """Paint a bridge, ford or culvert at a point on a river.

    `width`: the width of the river; `ahead` and `flow`: the directions of the road and of the river.
    """
    aside, canvas = turn_left(ahead), scene.canvas
    slant = abs(ahead[0] * flow[1] - ahead[1] * flow[0]) or 0.5
    half = (width / 2) / max(0.45, slant) + (7 if sort == "bridge" else 3)
    broad = 5.2 if sort == "bridge" else 3.4

    def compute_corner(s: float, t: float) -> Point:
        return move_point(move_point(point, ahead, s), aside, t)

    def draw_deck(half_width: float) -> str:
        return format_path(
            [compute_corner(s * half, t * half_width) for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))], True
        )

    if sort == "ford":
        stones = (-half, -half * 0.4, half * 0.3, half * 0.95)
        points = [compute_corner(s, 2.2 * (-1) ** n) for n, s in enumerate(stones)]
        rocks = [f"M{format_point((x - 2.4, y))}a2.4 1.9 0 1 0 4.8 0a2.4 1.9 0 1 0-4.8 0" for x, y in points]
        canvas.add_path("bridges", "rock", "".join(rocks))
        return
    if sort == "bridge":
        canvas.add_path("bridges", "bridge-shade", draw_deck(broad + 3), transform="translate(2.5 3)")
    canvas.add_path("bridges", "deck", draw_deck(broad))
    steps = [n * 2.6 - half + 1.3 for n in range(int(half * 2 / 2.6))]
    canvas.add_path(
        "bridges", "plank", "".join(format_path([compute_corner(s, -broad), compute_corner(s, broad)]) for s in steps)
    )
    flare = 4.5 if sort == "bridge" else 2.0
    for side in (1, -1):
        rail = [
            compute_corner(-half - flare, side * (broad + flare * 0.8)),
            compute_corner(-half + 1, side * broad),
            compute_corner(half - 1, side * broad),
            compute_corner(half + flare, side * (broad + flare * 0.8)),
        ]
        canvas.add_path("bridges", "parapet", format_path(rail))
