"""Plane geometry of curves: smooth paths, samples, ribbons, crossings, and chains of edges.

Points are (x, y), y downwards. Directions are vectors of length 1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from math import floor, hypot
from typing import TypeVar

from interpreter.model.area_drawing import Point
from interpreter.tools.maps.shapes import format_path, format_point

Node = TypeVar("Node", bound=Hashable)
Pairing = Callable[[Node, Sequence[Node]], Sequence[tuple[Node, Node]]]


def interpolate(a: Point, b: Point, share: float = 0.5) -> Point:
    """Return the point at `share` (0 to 1) of the way from one point to another."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def compute_distance(a: Point, b: Point) -> float:
    """Return the distance of two points."""
    return hypot(a[0] - b[0], a[1] - b[1])


def compute_direction(a: Point, b: Point) -> Point:
    """Return the unit vector from one point to another, or (0, 0) if they are equal."""
    distance = compute_distance(a, b)
    return ((b[0] - a[0]) / distance, (b[1] - a[1]) / distance) if distance else (0.0, 0.0)


def move_point(point: Point, direction: Point, distance: float) -> Point:
    """Return a point moved by the distance `distance` in the direction `direction`, a unit vector."""
    return point[0] + direction[0] * distance, point[1] + direction[1] * distance


def turn_left(direction: Point) -> Point:
    """Return a direction turned left by 90 degrees, as seen on the map."""
    return direction[1], -direction[0]


def compute_heading(points: Sequence[Point], n: int, distance: int = 1) -> Point:
    """Return the unit vector of a line's direction at its point `n`, from the points `distance` before and after it."""
    return compute_direction(points[max(0, n - distance)], points[min(len(points) - 1, n + distance)])


def format_closed_path(points: Sequence[Point]) -> str:
    """Return the closed quadratic B-spline with these control points: the limit curve of Chaikin's algorithm."""
    last = points[-1]
    parts = ["M", format_point(interpolate(last, points[0]))]
    for n, point in enumerate(points):
        parts += ["Q", format_point(point), " ", format_point(interpolate(point, points[(n + 1) % len(points)]))]
    return "".join(parts) + "Z"


def format_open_path(points: Sequence[Point]) -> str:
    """Return the quadratic B-spline through the ends of a line, with the other points as control points."""
    if len(points) < 3:
        return format_path([points[0], points[-1]])
    parts = ["M", format_point(points[0])]
    for n in range(1, len(points) - 1):
        end = points[-1] if n == len(points) - 2 else interpolate(points[n], points[n + 1])
        parts += ["Q", format_point(points[n]), " ", format_point(end)]
    return "".join(parts)


def sample_closed(points: Sequence[Point], steps: int = 3) -> list[Point]:
    """Return points on the curve of `format_closed_path`, `steps` for each control point."""
    samples = []
    count = len(points)
    for n in range(count):
        a, p, b = interpolate(points[n - 1], points[n]), points[n], interpolate(points[n], points[(n + 1) % count])
        for step in range(steps):
            share = step / steps
            samples.append(interpolate(interpolate(a, p, share), interpolate(p, b, share), share))
    return samples


def sample_open(points: Sequence[Point], steps: int = 8) -> list[Point]:
    """Return points on the curve of `format_open_path`, `steps` for each control point."""
    if len(points) < 3:
        return [interpolate(points[0], points[-1], n / steps) for n in range(steps + 1)]
    samples = []
    for n in range(1, len(points) - 1):
        a = points[0] if n == 1 else interpolate(points[n - 1], points[n])
        b = points[-1] if n == len(points) - 2 else interpolate(points[n], points[n + 1])
        for step in range(steps):
            share = step / steps
            samples.append(interpolate(interpolate(a, points[n], share), interpolate(points[n], b, share), share))
    samples.append(points[-1])
    return samples


def resample(points: Sequence[Point], step: float) -> list[Point]:
    """Return points `step` apart along a polyline, beginning with its first point."""
    samples = [points[0]]
    need = step
    for a, b in pairwise(points):
        length, position = compute_distance(a, b), 0.0
        while length - position >= need:
            position += need
            samples.append(interpolate(a, b, position / length))
            need = step
        need -= length - position
    return samples


def average_neighbours(points: Sequence[Point], rounds: int) -> list[Point]:
    """Return a closed polygon smoothed by weighting each point with its neighbours 1-2-1, `rounds` times."""
    smoothed = list(points)
    for _ in range(rounds):
        before, after = [smoothed[-1], *smoothed[:-1]], [*smoothed[1:], smoothed[0]]
        smoothed = [
            ((a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4)
            for a, b, c in zip(before, smoothed, after, strict=True)
        ]
    return smoothed


def relax_line(points: Sequence[Point], weight: float = 0.5, rounds: int = 1) -> list[Point]:
    """Return an open line smoothed by moving each inner point towards the middle of its neighbours.

    This is Laplacian smoothing. `weight`: how far a point moves, 0 to 1; `rounds`: how often.
    """
    smoothed = list(points)
    for _ in range(rounds):
        smoothed = [
            p if n in (0, len(smoothed) - 1) else interpolate(p, interpolate(smoothed[n - 1], smoothed[n + 1]), weight)
            for n, p in enumerate(smoothed)
        ]
    return smoothed


def build_ribbon(points: Sequence[Point], width: Callable[[float], float]) -> list[Point]:
    """Return the outline of a band along a line; `width` maps the position on the line (0 to 1) to the width there."""
    left, right = [], []
    last = len(points) - 1
    for n, point in enumerate(points):
        aside, half = turn_left(compute_heading(points, n)), width(n / last) / 2
        left.append(move_point(point, aside, half))
        right.append(move_point(point, aside, -half))
    return left + right[::-1]


def is_in_polygon(polygon: Sequence[Point], point: Point) -> bool:
    """Return True if a point lies in a polygon (even-odd rule)."""
    x, y = point
    is_inside, before = False, polygon[-1]
    for corner in polygon:
        crosses = (corner[1] > y) != (before[1] > y)
        if crosses and x < (before[0] - corner[0]) * (y - corner[1]) / (before[1] - corner[1]) + corner[0]:
            is_inside = not is_inside
        before = corner
    return is_inside


def iter_crossings(first: Sequence[Point], second: Sequence[Point]) -> Iterator[tuple[Point, Point, Point]]:
    """Yield (point, direction of one, direction of the other) for each crossing of two polylines."""
    for a, b in pairwise(first):
        left, right, top, low = min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1])
        for c, d in pairwise(second):
            if right < min(c[0], d[0]) or max(c[0], d[0]) < left or low < min(c[1], d[1]) or max(c[1], d[1]) < top:
                continue
            area = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
            if not area:
                continue
            share = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / area
            other_share = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / area
            if 0 <= share <= 1 and 0 <= other_share <= 1:
                yield interpolate(a, b, share), compute_direction(a, b), compute_direction(c, d)


def join_chains(edges: Sequence[tuple[Node, Node]], pairing: Pairing[Node] | None = None) -> list[list[Node]]:
    """Join edges into chains of nodes.

    `pairing` returns for a node and its neighbours the pairs between which a chain continues; without it chains
    continue through nodes of exactly two edges.
    """
    neighbours: dict[Node, list[Node]] = {}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    onward: dict[tuple[Node, Node], Node] = {}
    for node, others in neighbours.items():
        pairs = pairing(node, others) if pairing else [(others[0], others[1])] if len(others) == 2 else []
        for a, b in pairs:
            onward[a, node], onward[b, node] = b, a
    chains, done = [], set[frozenset[Node]]()
    starts = [(node, other) for node, others in neighbours.items() for other in others if (other, node) not in onward]
    for start, following in [*starts, *edges]:
        if frozenset((start, following)) in done:
            continue
        chain, node, neighbour = [start], start, following
        while True:
            done.add(frozenset((node, neighbour)))
            chain.append(neighbour)
            next_node = onward.get((node, neighbour))
            if next_node is None or frozenset((neighbour, next_node)) in done:
                break
            node, neighbour = neighbour, next_node
        chains.append(chain)
    return chains


class PointIndex:
    """Points with radii in square buckets, for fast tests whether any point lies near another."""

    def __init__(self, cell: float = 16.0) -> None:
        self._cell = cell
        self._buckets: dict[tuple[int, int], list[tuple[float, float, float]]] = {}

    def add(self, point: Point, radius: float = 0.0) -> None:
        """Add a point with a radius, within which any other point counts as near."""
        key = floor(point[0] / self._cell), floor(point[1] / self._cell)
        self._buckets.setdefault(key, []).append((point[0], point[1], radius))

    def is_near(self, point: Point, within: float) -> bool:
        """Return True if some point of the index is nearer than `within` plus the radius of that point.

        A radius must not exceed the size of a bucket.
        """
        x, y = point
        column, row, reach = floor(x / self._cell), floor(y / self._cell), int(within // self._cell) + 1
        buckets = self._buckets
        for i in range(column - reach, column + reach + 1):
            for j in range(row - reach, row + reach + 1):
                for a, b, radius in buckets.get((i, j), ()):
                    limit = within + radius
                    if (a - x) * (a - x) + (b - y) * (b - y) < limit * limit:
                        return True
        return False
