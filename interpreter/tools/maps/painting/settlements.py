"""Paint towns: lanes, blocks of houses along them, a church, and gardens behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin

from interpreter.diagnostics.svg_markup import build_element
from interpreter.model.area_drawing import Point
from interpreter.tools.maps.boxes import compute_bounds
from interpreter.tools.maps.painting.curves import (
    PointIndex,
    compute_distance,
    compute_heading,
    format_open_path,
    interpolate,
    is_in_polygon,
    move_point,
    resample,
    sample_closed,
    sample_open,
    turn_left,
)
from interpreter.tools.maps.painting.noise import hash_to_unit, warp_point
from interpreter.tools.maps.painting.scene import Scene, join_outlines, smooth_outlines
from interpreter.tools.maps.shapes import format_path

_ROWS = ((6.6, 0.97), (14.5, 0.8), (22.5, 0.62), (30.0, 0.45))  # distance from the street, and chance of a house
_SUN = (0.64, 0.77)
_STREET = 34.0  # length of a lane that ends in the fields


@dataclass(frozen=True, slots=True)
class _House:
    """A house. `axis`: the direction of its ridge, along which `length` is measured."""

    middle: Point
    axis: Point
    length: float
    width: float


@dataclass(slots=True)
class _Town:
    """The streets of one town, where the first `roads` of them are roads, and what is already built on."""

    streets: list[list[Point]]
    roads: int
    outlines: Sequence[Sequence[Point]]
    lanes: PointIndex = field(default_factory=lambda: PointIndex(12))
    obstacles: PointIndex = field(default_factory=lambda: PointIndex(14))

    def is_inside(self, point: Point) -> bool:
        return any(is_in_polygon(curve, point) for curve in self.outlines)


def define_symbols() -> str:
    """Return the definition of a church, seen from above."""
    shade = build_element("path", class_="g-house-shade", d="M-8.5-1H12V6.5H-8.5Z")
    roofs = [
        ("slate", "M-9-4H9.5V0H-9Z"),
        ("slate-dark", "M-9 0H9.5V4H-9Z"),
        ("slate", "M0-7.5h4.6V7.5H0Z"),
        ("roof-ink", "M-9-4H0V-7.5H4.6V-4H9.5V4H4.6V7.5H0V4H-9Z"),
        ("slate-dark", "M-13-3.4h6.4v6.8H-13Z"),
        ("slate", "M-13-3.4-9.8 0l3.2-3.4Z"),
        ("roof-ink", "M-13-3.4h6.4v6.8H-13ZM-13-3.4l6.4 6.8M-13 3.4l6.4-6.8"),
    ]
    return build_element(
        "g", [shade, *(build_element("path", class_=f"g-{look}", d=d) for look, d in roofs)], id="g-church"
    )


def paint_towns(scene: Scene) -> None:
    """Paint every connected set of town spaces as one town."""
    for tone, cells in scene.iter_groups("town"):
        polygons = smooth_outlines(scene.mesh, cells, 7, 6, 2)
        scene.canvas.add_path("ground", f"built {tone}", join_outlines(polygons))
        curves = [sample_closed(polygon, 2) for polygon in polygons]
        houses, gardens, lanes = list[_House](), list[str](), list[str]()
        for part in scene.mesh.find_components(cells):
            town = _Town(*_plan_streets(scene, part), curves)
            for street in town.streets:
                for point in resample(street, 4):
                    town.lanes.add(point)
            lanes += [format_open_path(street) for street in town.streets[town.roads :]]
            _set_church(scene, part, town)
            _place_houses(scene, town, houses, gardens)
        scene.canvas.add_path("lanes", "lane", "".join(lanes))
        scene.canvas.add_path("houses", "garden", "".join(gardens))
        _paint_houses(scene, houses)


def _plan_streets(scene: Scene, part: Sequence[int]) -> tuple[list[list[Point]], int]:
    """Return the streets of the town `part`, and how many of them are roads, which come first.

    The lanes lead from the middle of each space to its neighbours, into the fields, and to the nearest road.
    """
    mesh, streets = scene.mesh, list[list[Point]]()
    reach = mesh.radius * 0.92
    for line in scene.roads:
        street: list[Point] = []
        for point in line:
            if any(compute_distance(point, mesh.centres[cell]) < reach for cell in part):
                street.append(point)
            elif street:
                streets.append(street)
                street = []
        if street:
            streets.append(street)
    streets = [street for street in streets if len(street) > 1]
    road_count, town_cells = len(streets), set(part)
    on_roads = [point for street in streets for point in street]
    for cell in part:
        centre = warp_point(mesh.centres[cell], 8)
        near = min(on_roads, key=lambda p: compute_distance(p, centre), default=None)
        for other in mesh.iter_neighbours(cell):
            if other in town_cells and other > cell:
                middle = warp_point(interpolate(mesh.centres[cell], mesh.centres[other]), 11)
                streets.append(sample_open([centre, middle, warp_point(mesh.centres[other], 8)], 6))
        column, row = round(mesh.centres[cell][0]), round(mesh.centres[cell][1])
        arms = 2 + int(2 * hash_to_unit(column, row, 101))
        for n in range(arms):
            turn = 2 * pi * (n + 0.6 * hash_to_unit(column, row + n, 102)) / arms + 0.4
            end = move_point(centre, (cos(turn), sin(turn)), _STREET)
            if near is None or compute_distance(end, near) >= 12:
                streets.append(sample_open([centre, warp_point(interpolate(centre, end), 6), end], 6))
        if near is not None and compute_distance(near, centre) > 6:
            streets.append([centre, near])
    return streets, road_count


def _set_church(scene: Scene, part: Sequence[int], town: _Town) -> None:
    left, top, right, low = compute_bounds(scene.mesh.centres[cell] for cell in part)
    for n in range(40):
        turn = n * 2.4  # close to the golden angle, so that the tries spread evenly
        point = move_point(((left + right) / 2, (top + low) / 2), (cos(turn), sin(turn)), 5 + n)
        if town.is_inside(point) and not town.lanes.is_near(point, 10.5) and not scene.obstacles.is_near(point, 9):
            town.obstacles.add(point, 11)
            scene.canvas.add_symbol("houses", "g-church", *point)
            return


def _place_houses(scene: Scene, town: _Town, houses: list[_House], gardens: list[str]) -> None:
    """Place houses in rows along all streets of a town, the rows at the street first.

    Adds each house to `houses`, and the paths of gardens to `gardens`.
    """
    for row, (off, likely) in enumerate(_ROWS):
        for number, street in enumerate(town.streets):
            line = resample(street, 1.5)
            for side in (1, -1):
                n = 2 + int(3 * hash_to_unit(number, side, 103))
                while n < len(line) - 1:
                    luck = hash_to_unit(int(line[n][0] * 3), int(line[n][1] * 3) + side + row * 7, 104)
                    long, wide = 6.4 + 5.2 * luck, 4.8 + 1.6 * hash_to_unit(n, number, 105)
                    ahead = compute_heading(line, n, 3)
                    aside = turn_left(ahead)
                    point = move_point(line[n], aside, side * (off + wide * 0.1))
                    is_free = (
                        hash_to_unit(n + row * 31, number * 3 + side, 106) < likely
                        and town.is_inside(point)
                        and town.is_inside(move_point(point, aside, side * 3))
                        and not town.obstacles.is_near(point, long * 0.46)
                        and not town.lanes.is_near(point, wide * 0.5 + 2.4)
                        and not scene.obstacles.is_near(point, wide * 0.5 + 1.8)
                    )
                    if is_free:
                        axis = aside if row > 0 and hash_to_unit(n, number + row, 107) < 0.3 else ahead
                        tilt = 0.12 * (hash_to_unit(n, number, 108) - 0.5)
                        (x, y), c, s = axis, cos(tilt), sin(tilt)
                        houses.append(_House(point, (x * c - y * s, x * s + y * c), long, wide))
                        town.obstacles.add(point, long * 0.5)
                    elif row > 1 and hash_to_unit(n, number, 109) < 0.06 and _is_bare(town, point):
                        rim = [(-5.0, -4.0), (5.0, -4.0), (5.0, 4.0), (-5.0, 4.0)]
                        corners = [move_point(move_point(point, ahead, a), aside, b) for a, b in rim]
                        gardens.append(format_path(corners, True))
                    n += max(1, int((long + 0.9) / 1.5 * (1 if is_free else 0.35)))


def _is_bare(town: _Town, point: Point) -> bool:
    return town.is_inside(point) and not town.obstacles.is_near(point, 5) and not town.lanes.is_near(point, 5)


def _paint_houses(scene: Scene, houses: Sequence[_House]) -> None:
    """Paint the roofs of houses in two tones, paler towards the light, above one joint shadow."""
    shades, lit, dark = list[str](), list[str](), list[str]()
    for house in houses:
        towards = turn_left(house.axis)
        if towards[0] * _SUN[0] + towards[1] * _SUN[1] > 0:
            towards = (-towards[0], -towards[1])
        rim = [
            [
                move_point(move_point(house.middle, house.axis, s * house.length / 2), towards, t * house.width / 2)
                for s in (-1, 1)
            ]
            for t in (1, 0, -1)
        ]
        (a, b), (c, d), (e, f) = rim
        shades.append(format_path([move_point(p, _SUN, 2.1) for p in (a, b, f, e)], True))
        lit.append(format_path([a, b, d, c], True))
        dark.append(format_path([c, d, f, e], True))
    scene.canvas.add_path("houses", "house-shade", "".join(shades))
    scene.canvas.add_path("houses", "roof-lit", "".join(lit))
    scene.canvas.add_path("houses", "roof-dark", "".join(dark))
