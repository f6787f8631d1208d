"""Compute outlines for areas that have only a position: Voronoi cells, clipped to a rounded coast.

Two linked areas share a border wherever their cells meet. Two that are not linked are kept apart by a strip of no
area's land, so that the map shows which areas are adjacent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import cos, hypot, pi, sin

from interpreter.model.area_drawing import Point
from interpreter.tools.maps.areas.planes import clip_ring

_CORNERS = 20  # of the coast around a lonely area
_FLAT = 0.84  # height of that coast relative to its width
_SMALLEST, _LARGEST = 104.0, 250.0  # radius of a cell in pixels
_REACH = 0.62  # radius relative to the distance of the farthest linked area
_STRIP = 9.0  # half the width of the strip between areas that are not linked, in pixels
_MIN_CORNERS = 3

Cell = list[Point]


def compute_cells(
    sites: Mapping[int, Point], neighbours: Mapping[int, Collection[int]]
) -> dict[int, tuple[Point, ...]]:
    """Return a straight-sided outline around each site (a Voronoi cell cut at a distance), by area.

    `neighbours`: the linked areas by area.
    """
    radius = {n: _compute_radius(n, sites, neighbours) for n in sites}
    index = _Index(sites)
    return {n: _compute_cell(n, sites, neighbours, radius, index) for n in sites}


def _compute_radius(n: int, sites: Mapping[int, Point], neighbours: Mapping[int, Collection[int]]) -> float:
    x, y = sites[n]
    distances = [
        hypot(sites[m][0] - x, (sites[m][1] - y) / _FLAT) for m in neighbours.get(n, ()) if m in sites and m != n
    ]
    reachable = [d * _REACH for d in distances if d * _REACH <= _LARGEST]
    return max(_SMALLEST, max(reachable, default=0.0))


class _Index:
    """A uniform grid over the sites, so that a cell is compared only with sites that can reach it."""

    def __init__(self, sites: Mapping[int, Point]) -> None:
        self.size = 2 * _LARGEST
        self.cells: dict[tuple[int, int], list[int]] = {}
        for n, (x, y) in sites.items():
            self.cells.setdefault((int(x // self.size), int(y // self.size)), []).append(n)

    def list_nearby(self, point: Point) -> Sequence[int]:
        """Return the areas whose sites lie within twice the largest radius of a point, and some farther ones."""
        column, row = int(point[0] // self.size), int(point[1] // self.size)
        return [
            n
            for c in (column - 1, column, column + 1)
            for r in (row - 1, row, row + 1)
            for n in self.cells.get((c, r), ())
        ]


def _compute_cell(
    n: int,
    sites: Mapping[int, Point],
    neighbours: Mapping[int, Collection[int]],
    radius: Mapping[int, float],
    index: _Index,
) -> tuple[Point, ...]:
    x, y = sites[n]
    others = sorted(
        (hypot(sites[m][0] - x, sites[m][1] - y), m) for m in index.list_nearby((x, y)) if m != n and sites[m] != (x, y)
    )
    cell: Cell = [
        (x + radius[n] * cos(2 * pi * k / _CORNERS), y + radius[n] * _FLAT * sin(2 * pi * k / _CORNERS))
        for k in range(_CORNERS)
    ]
    for distance, m in others:
        if distance > 2 * max(hypot(a - x, b - y) for a, b in cell) + 2 * _STRIP:
            break
        is_linked = m in neighbours.get(n, ()) or n in neighbours.get(m, ())
        cell = _cut_cell(cell, (x, y), sites[m], distance, 0.0 if is_linked else _STRIP) or cell
    return tuple((round(a, 1), round(b, 1)) for a, b in cell)


def _cut_cell(cell: Cell, site: Point, other: Point, distance: float, strip: float) -> Cell:
    """Return the part of a cell nearer to its own site than to `other`.

    `distance`: the distance of the two sites; `strip`: the width in pixels kept free on this side of the line between
    them. Return [] if too few corners are left.
    """
    ux, uy = (other[0] - site[0]) / distance, (other[1] - site[1]) / distance
    limit = distance / 2 - strip
    clipped = clip_ring(cell, lambda p: -((p[0] - site[0]) * ux + (p[1] - site[1]) * uy - limit))
    return clipped if len(clipped) >= _MIN_CORNERS else []
