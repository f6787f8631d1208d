"""The shared state of all painters of one ground: mesh, canvas, terrain by space, and what is already taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from math import hypot

from interpreter.model.area_drawing import Point
from interpreter.tools.maps.boxes import Box, compute_bounds
from interpreter.tools.maps.painting.canvas import PaintingCanvas
from interpreter.tools.maps.painting.cell_mesh import CellMesh
from interpreter.tools.maps.painting.curves import (
    PointIndex,
    average_neighbours,
    compute_direction,
    format_closed_path,
    interpolate,
    is_in_polygon,
    move_point,
    sample_closed,
)
from interpreter.tools.maps.painting.noise import hash_to_unit, warp_point

_POINT_EVERY = 16.0  # length of a side for each control point of an outline


@dataclass(frozen=True, slots=True)
class Terrain:
    """Painting style of a space: the name of its style, and the class of its own colour ("" for the style's)."""

    style: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Watercourse:
    """A painted river: sampled points from source to mouth, its width at the mouth, and the key of its kind of link."""

    points: Sequence[Point]
    width: float
    kind: str


@dataclass(slots=True)
class Scene:
    """A ground that is being painted.

    `obstacles` holds points of roads and waters, on which neither trees nor houses are set; `walls` are lines of walls.
    """

    mesh: CellMesh
    canvas: PaintingCanvas
    terrain: Mapping[int, Terrain]
    obstacles: PointIndex = field(default_factory=PointIndex)
    waters: list[Watercourse] = field(default_factory=list)
    roads: list[list[Point]] = field(default_factory=list)
    walls: list[list[Point]] = field(default_factory=list)

    def find_cells(self, *styles: str) -> set[int]:
        """Return the spaces painted in any of some styles."""
        return {cell for cell, terrain in self.terrain.items() if terrain.style in styles}

    def get_style(self, point: Point) -> str:
        """Return the style at a point, "" outside the grid."""
        cell = self.mesh.find_cell(point)
        return self.terrain[cell].style if cell is not None else ""

    def iter_groups(self, *styles: str) -> Iterator[tuple[str, set[int]]]:
        """Yield (class of its own colour, spaces) for each colour in which spaces of some styles are painted."""
        cells_by_tone: dict[str, set[int]] = {}
        for cell in sorted(self.terrain):
            if self.terrain[cell].style in styles:
                cells_by_tone.setdefault(self.terrain[cell].tone, set()).add(cell)
        yield from cells_by_tone.items()

    def add_obstacle(self, points: Sequence[Point], radius: float) -> None:
        """Register every second point of a line as an obstacle with a radius, for trees and houses."""
        for point in points[::2]:
            self.obstacles.add(point, radius)


def smooth_outlines(mesh: CellMesh, cells: Set[int], inset: float, amount: float, rounds: int) -> list[list[Point]]:
    """Return irregular outlines of a union of spaces, as control polygons of closed curves.

    Points on the sides of the union are moved inwards by `inset` pixels, averaged for `rounds` rounds, and warped by
    `amount` pixels.
    """
    outlines = []
    for loop in mesh.trace_outline(mesh.add_ghosts(cells)):
        points = []
        for n, start in enumerate(loop):
            end = loop[(n + 1) % len(loop)]
            ahead = compute_direction(start, end)
            inwards = (-ahead[1], ahead[0])
            count = max(3, round(hypot(end[0] - start[0], end[1] - start[1]) / _POINT_EVERY))
            points += [move_point(interpolate(start, end, (k + 0.5) / count), inwards, inset) for k in range(count)]
        outlines.append([warp_point(p, amount) for p in average_neighbours(points, rounds)])
    return outlines


def join_outlines(polygons: Sequence[Sequence[Point]]) -> str:
    """Return one SVG path of closed curves with these control polygons."""
    return "".join(format_closed_path(polygon) for polygon in polygons)


def iter_scattered(
    scene: Scene, cells: Set[int], polygons: Sequence[Sequence[Point]], step: float, seed: int, jitter: float = 0.38
) -> Iterator[tuple[float, float, float]]:
    """Yield (x, y, random number from 0 to 1) for points of a jittered lattice inside outlines of some spaces.

    `polygons`: the outlines as control polygons; `step`: the distance of the points in pixels; `jitter`: by how much a
    point is shifted, as a share of `step`; `seed`: distinguishes lattices.
    """
    mesh, (left, top, right, low) = scene.mesh, scene.mesh.box
    curves = [sample_closed(polygon, 2) for polygon in polygons]
    boxes = [compute_bounds(curve) for curve in curves]
    reach, sure = mesh.radius * 1.3, mesh.across * 0.36
    seen = set[tuple[int, int]]()
    for cell in sorted(mesh.add_ghosts(cells)):
        x0, y0 = mesh.centres[cell]
        for j in range(int((y0 - reach) / step) - 1, int((y0 + reach) / step) + 1):
            for i in range(int((x0 - reach) / step) - 1, int((x0 + reach) / step) + 1):
                if (i, j) in seen:
                    continue
                x = (i + 0.5 * (j % 2) + 0.5 + jitter * (hash_to_unit(i, j, seed) * 2 - 1)) * step
                y = (j + 0.5 + jitter * (hash_to_unit(i, j, seed + 1) * 2 - 1)) * step
                distance = hypot(x - x0, y - y0)
                if distance > reach:
                    continue
                seen.add((i, j))
                if not (left - 8 < x < right + 8 and top - 8 < y < low + 8):
                    continue
                if distance > sure and not _is_in_curves((x, y), curves, boxes):
                    continue
                yield x, y, hash_to_unit(i, j, seed + 2)


def _is_in_curves(point: Point, curves: Sequence[Sequence[Point]], boxes: Sequence[Box]) -> bool:
    """Return True if a point lies within an odd number of curves, so that holes count as outside.

    `boxes`: the bounding box of each curve.
    """
    x, y = point
    count = sum(
        is_in_polygon(curve, point)
        for curve, (left, top, right, low) in zip(curves, boxes, strict=True)
        if left < x < right and top < y < low
    )
    return count % 2 == 1
