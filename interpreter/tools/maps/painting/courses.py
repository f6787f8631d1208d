"""Compute the courses of lines: along the sides of spaces, or through them, as smooth curves that join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from interpreter.model.area_drawing import Point
from interpreter.tools.maps.painting.cell_mesh import CellMesh, Key, build_corner_key
from interpreter.tools.maps.painting.curves import (
    compute_direction,
    compute_distance,
    interpolate,
    join_chains,
    move_point,
    relax_line,
    resample,
    sample_open,
)
from interpreter.tools.maps.painting.noise import compute_value_noise, warp_point

_BEND, _END_BEND, _GATE = 15.0, 9.0, 8.0  # how far a road bends off a middle, its ends, and a crossed side
_TURN_BACK = -0.1  # cosine below which two roads at a junction are not one
_BEYOND = 70.0  # how far a line runs on beyond the rim


@dataclass(frozen=True, slots=True)
class LinkStrand:
    """A link on which a line is drawn: its two spaces, and the space that owns the line, or None."""

    ends: tuple[int, int]
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class LineKind:
    """A kind of line: how it is painted and on which links.

    `course`: "along" sides of spaces or "through" spaces. `widths`: at its source and at its mouth. `stroke`: the name
    of a dash style. `flows`: the direction of flow in degrees clockwise from the top, or None. `tone`: the class of its
    own colour, "" for the colour of its style. `name`: written along it.
    """

    key: str
    style: str
    course: str
    widths: tuple[float, float]
    links: tuple[LinkStrand, ...]
    stroke: str = "solid"
    flows: float | None = None
    tone: str = ""
    name: str = ""


def chain_sides(mesh: CellMesh, links: Sequence[LinkStrand]) -> list[list[Point]]:
    """Return the shared sides of linked spaces as chains of corners.

    Links of spaces without a common side are left out.
    """
    corners: dict[Key, Point] = {}
    edges = []
    for link in links:
        side = mesh.find_side_between(*link.ends)
        if side is not None:
            a, b = build_corner_key(side[0]), build_corner_key(side[1])
            corners[a], corners[b] = side
            edges.append((a, b))
    return [[corners[key] for key in chain] for chain in join_chains(edges)]


def extend_beyond_rim(mesh: CellMesh, previous: Point, end: Point, distance: float = _BEYOND) -> list[Point]:
    """Return two points that continue a line beyond the rim of the map, [] if it does not end near the rim.

    `previous`: the last point of the line but one; `end`: its last; `distance`: how far beyond it the line continues,
    in pixels.
    """
    left, top, right, bottom = mesh.box
    near = mesh.radius * 1.1
    edges = [
        (end[0] - left, (-1.0, 0.0)),
        (right - end[0], (1.0, 0.0)),
        (end[1] - top, (0.0, -1.0)),
        (bottom - end[1], (0.0, 1.0)),
    ]
    gap, outwards = min(edges)
    if gap >= near:
        return []
    ahead = compute_direction(previous, end)
    direction = compute_direction((0, 0), (ahead[0] + outwards[0] * 1.2, ahead[1] + outwards[1] * 1.2))
    return [move_point(end, direction, distance * 0.5), move_point(end, direction, distance)]


def trace_sides(mesh: CellMesh, corners: Sequence[Point], head: Sequence[Point], tail: Sequence[Point]) -> list[Point]:
    """Return the points of a smooth line along corners of spaces, irregular but near the sides.

    `head` and `tail`: points before and after the line; a `tail` of one point replaces the last corner.
    """
    points = relax_line(corners, 0.42)
    control = [points[0]]
    for a, b in pairwise(points):
        control += [warp_point(interpolate(a, b), 5), warp_point(b, 7)]
    if tail and len(tail) == 1:
        control[-1] = tail[0]
        tail = ()
    return resample(sample_open([*head, *control, *tail], 6), 5)


class ThroughLines:
    """Lines through the middles of spaces, which bend, cross sides away from their middle, and join at junctions."""

    def __init__(self, mesh: CellMesh) -> None:
        self._mesh = mesh
        self._junctions: dict[int, Point] = {}

    def build_lines(self, links: Sequence[LinkStrand]) -> list[list[Point]]:
        """Return the points of the lines of one kind, the longest first.

        A line that ends in a space with a line drawn before joins that line.
        """
        mesh, lines = self._mesh, []
        edges = [link.ends for link in links if mesh.find_side_between(*link.ends) is not None]
        for chain in sorted(join_chains(edges, self._find_straight_pairs), key=len, reverse=True):
            middle: list[Point] = []
            for n, cell in enumerate(chain):
                if n:
                    middle.append(self._compute_gate(chain[n - 1], cell))
                if 0 < n < len(chain) - 1:
                    middle.append(self._compute_bent_point(cell, _BEND))
            control = [*self._build_end(chain[0], chain[1]), *middle, *reversed(self._build_end(chain[-1], chain[-2]))]
            for before, cell, after in zip(chain, chain[1:], chain[2:], strict=False):
                bent = self._compute_bent_point(cell, _BEND)
                junction = interpolate(
                    interpolate(self._compute_gate(before, cell), bent),
                    interpolate(bent, self._compute_gate(cell, after)),
                )
                self._junctions.setdefault(cell, junction)
            lines.append(sample_open(control, 8 if len(control) > 2 else 16))
        return lines

    def _compute_bent_point(self, cell: int, amount: float) -> Point:
        x, y = self._mesh.centres[cell]
        return x + amount * compute_value_noise(x / 61, y / 61, 21), y + amount * compute_value_noise(
            x / 61, y / 61, 22
        )

    def _compute_gate(self, a: int, b: int) -> Point:
        """Return the point at which a line crosses the side between two neighbouring spaces, away from its middle."""
        a, b = min(a, b), max(a, b)
        middle = interpolate(self._mesh.centres[a], self._mesh.centres[b])
        side = self._mesh.find_side_between(a, b)
        assert side is not None
        return move_point(
            middle, compute_direction(*side), _GATE * compute_value_noise(middle[0] / 31, middle[1] / 31, 23)
        )

    def _build_end(self, cell: int, following: int) -> list[Point]:
        if cell in self._junctions:
            return [self._junctions[cell]]
        point = self._compute_bent_point(cell, _END_BEND)
        centres = self._mesh.centres
        outside = (
            extend_beyond_rim(self._mesh, centres[following], centres[cell]) if self._mesh.is_on_boundary(cell) else []
        )
        if not outside:
            self._junctions[cell] = point
        return [*reversed(outside), point]

    def _find_straight_pairs(self, cell: int, others: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pairs of a junction's neighbours between which a line continues, the straightest pair first.

        `cell`: the junction; `others`: its neighbours on the line.
        """
        centres, remaining, pairs = self._mesh.centres, list(others), list[tuple[int, int]]()
        while len(remaining) > 1:
            directions = {n: compute_direction(centres[cell], centres[n]) for n in remaining}
            ranked = [
                (-directions[a][0] * directions[b][0] - directions[a][1] * directions[b][1], a, b)
                for n, a in enumerate(remaining)
                for b in remaining[n + 1 :]
            ]
            straight, a, b = max(ranked)
            if straight < _TURN_BACK and len(others) > 2:
                break
            pairs.append((a, b))
            remaining.remove(a)
            remaining.remove(b)
        return pairs


def find_nearest_vertex(points: Sequence[Point], to: Point) -> Point:
    """Return the vertex of a line nearest to a point."""
    return min(points, key=lambda p: compute_distance(p, to))
