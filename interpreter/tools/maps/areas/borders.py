"""Find the borders that outlines share, so that each is drawn once, and the coasts, which belong to one outline.

Outlines traced by hand rarely agree to the pixel: points that nearly coincide are merged, and a point that lies on
another outline's side divides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from interpreter.model.area_drawing import Line, Point, Rings

_MERGED = 2.0  # distance at which points of two outlines become one, in pixels
_ON_SIDE = 1.0  # distance at which a point divides a side
_CELL = 32.0  # size of the cells of the index

Side = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Border:
    """A section of an outline: `owner` is the area inside it, `neighbour` the area on its other side, or None.

    `line`: its points; `is_closed`: the line is a closed ring.
    """

    owner: int
    neighbour: int | None
    line: Line
    is_closed: bool = False


def build_side_key(a: Point, b: Point) -> Side:
    """Return a key for the line between two points, the same in both directions."""
    return (a, b) if a < b else (b, a)


def snap_outlines(outlines: Mapping[int, Rings]) -> dict[int, Rings]:
    """Return the outlines snapped to each other, by area: shared sides get the same points.

    Points of different areas within `_MERGED` pixels become equal; a point within `_ON_SIDE` pixels of another area's
    side divides that side.
    """
    merged = _merge_rings(outlines)
    index: dict[tuple[int, int], list[tuple[Point, int]]] = {}
    for n, rings in merged.items():
        for point in dict.fromkeys(point for ring in rings for point in ring):
            index.setdefault(_get_cell(point, _CELL), []).append((point, n))
    return {n: tuple(tuple(_divide_ring(ring, n, index)) for ring in rings) for n, rings in merged.items()}


def _get_cell(point: Point, size: float) -> tuple[int, int]:
    return int(point[0] // size), int(point[1] // size)


def _merge_rings(outlines: Mapping[int, Rings]) -> dict[int, Rings]:
    """Return the outlines with points of different areas that nearly coincide moved onto one of them.

    Sides that become points, and rings that become lines, are left out.
    """
    kept_points: set[Point] = set()
    index: dict[tuple[int, int], list[tuple[Point, int]]] = {}

    def find_meeting_point(point: Point, n: int) -> Point:
        if point in kept_points:
            return point
        x, y = point
        column, row = int(x // _MERGED), int(y // _MERGED)
        nearest, meeting_point = _MERGED, None
        for c in (column - 1, column, column + 1):
            for r in (row - 1, row, row + 1):
                for p, owner in index.get((c, r), ()):
                    distance = hypot(p[0] - x, p[1] - y)
                    if owner != n and (
                        distance < nearest or (distance == nearest and (meeting_point is None or p < meeting_point))
                    ):
                        nearest, meeting_point = distance, p
        if meeting_point is not None:
            return meeting_point
        kept_points.add(point)
        index.setdefault((column, row), []).append((point, n))
        return point

    merged = {}
    for n, rings in outlines.items():
        moved = ([find_meeting_point(point, n) for point in ring] for ring in rings)
        merged[n] = tuple(
            tuple(p for p, before in zip(ring, [ring[-1], *ring], strict=False) if p != before) for ring in moved
        )
    return {n: tuple(ring for ring in rings if len(ring) > 2) for n, rings in merged.items()}


def _divide_ring(ring: Line, n: int, index: Mapping[tuple[int, int], Sequence[tuple[Point, int]]]) -> Iterator[Point]:
    """Yield the points of a ring, and on each side the points of other areas that lie on it.

    `n`: the area of the ring; `index`: the points of all areas, each with its area, by cell.
    """
    a = ring[-1]
    for b in ring:
        (ax, ay), (bx, by) = a, b
        length = hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / length, (by - ay) / length
        left, right = (ax, bx) if ax < bx else (bx, ax)
        top, bottom = (ay, by) if ay < by else (by, ay)
        rows = range(int((top - _ON_SIDE) // _CELL), int((bottom + _ON_SIDE) // _CELL) + 1)
        between = {}
        for column in range(int((left - _ON_SIDE) // _CELL), int((right + _ON_SIDE) // _CELL) + 1):
            for row in rows:
                for point, owner in index.get((column, row), ()):
                    if owner == n:
                        continue
                    dx, dy = point[0] - ax, point[1] - ay
                    distance = dx * ux + dy * uy
                    if _ON_SIDE < distance < length - _ON_SIDE and abs(dx * uy - dy * ux) <= _ON_SIDE:
                        between[point] = distance
        if between:
            yield from sorted(between, key=lambda point: (between[point], point))
        yield b
        a = b


def find_owners(outlines: Mapping[int, Rings]) -> dict[Side, tuple[int, ...]]:
    """Return, for each side, the areas whose outlines contain it, in the order of `outlines`."""
    owners_by_side: dict[Side, tuple[int, ...]] = {}
    for n, rings in outlines.items():
        single = (n,)
        for ring in rings:
            a = ring[-1] if ring else (0.0, 0.0)
            for b in ring:
                side = (a, b) if a < b else (b, a)
                owners = owners_by_side.get(side)
                if owners is None:
                    owners_by_side[side] = single
                elif n not in owners:
                    owners_by_side[side] = (*owners, n)
                a = b
    return owners_by_side


def list_borders(outlines: Mapping[int, Rings], owners: Mapping[Side, tuple[int, ...]]) -> list[Border]:
    """Return every border once: the sections of each outline with one area, or none, on their other side.

    A section that several outlines share is taken from the first one. `owners`: the areas by side, as `find_owners`
    returns them.
    """
    borders: list[Border] = []
    for n, rings in outlines.items():
        for ring in rings:
            borders += _iter_borders(n, ring, owners)
    return borders


def _iter_borders(n: int, ring: Line, owners: Mapping[Side, tuple[int, ...]]) -> Iterator[Border]:
    sides = list(zip((ring[-1], *ring), ring, strict=False))
    behind = [_find_other_owner(n, owners[(a, b) if a < b else (b, a)]) for a, b in sides]
    start = next((k for k in range(len(sides)) if behind[k] != behind[k - 1]), None)
    if start is None:
        if _is_first(n, behind[0], owners[build_side_key(*sides[0])]):
            yield Border(n, behind[0], ring, is_closed=True)
        return
    sides, behind = sides[start:] + sides[:start], behind[start:] + behind[:start]
    line: list[Point] = []
    for k, (a, b) in enumerate(sides):
        if k and behind[k] != behind[k - 1]:
            if _is_first(n, behind[k - 1], owners[build_side_key(*sides[k - 1])]):
                yield Border(n, behind[k - 1], tuple(line))
            line = []
        line = line or [a]
        line.append(b)
    if _is_first(n, behind[-1], owners[build_side_key(*sides[-1])]):
        yield Border(n, behind[-1], tuple(line))


def _find_other_owner(n: int, owners: tuple[int, ...]) -> int | None:
    """Return the first area of a side's `owners` other than the area `n`, or None if it has no other owner."""
    if owners[0] != n:
        return owners[0]
    return owners[1] if len(owners) > 1 else None


def _is_first(n: int, other: int | None, owners: tuple[int, ...]) -> bool:
    return other is None or owners[0] == n
