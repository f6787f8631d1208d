"""The spaces of a grid as polygons with shared sides, and ghost spaces around its rim.

Ghosts have negative numbers. They let the ground run on beyond the last spaces, where the frame cuts it off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property
from itertools import product

from interpreter.model.area_drawing import Point
from interpreter.tools.maps.boxes import Box, compute_bounds
from interpreter.tools.maps.geometry import MapGeometry
from interpreter.tools.maps.painting.curves import PointIndex, compute_distance, interpolate

Key = tuple[int, int]


def build_corner_key(point: Point) -> Key:
    """Return a key that is equal for a corner computed from any of its spaces."""
    return round(point[0]), round(point[1])


class CellMesh:
    """Spaces by handle: centres, corners and neighbours, in the order of their sides."""

    def __init__(self, layout: MapGeometry) -> None:
        self.shape = layout.corners
        self.cells = {n: layout.middles[n] for n in sorted(layout.on_grid)}
        self.centres: dict[int, Point] = dict(self.cells)
        self._by_place = {self._build_place_key(p): n for n, p in self.cells.items()}
        sides = zip(self.shape, [*self.shape[1:], *self.shape[:1]], strict=True)
        # the vector to the neighbour across each side: twice the vector to the side's middle
        self._steps = [(2 * x, 2 * y) for x, y in (interpolate(a, b) for a, b in sides)]
        self._add_ghosts()
        self.near = {n: self._list_neighbours(n) for n in self.centres}

    def _build_place_key(self, point: Point) -> Key:
        return round(point[0] / 4), round(point[1] / 4)

    def _find(self, point: Point) -> int | None:
        x, y = self._build_place_key(point)
        around = ((a, b) for a in (x, x - 1, x + 1) for b in (y, y - 1, y + 1))
        return next((self._by_place[key] for key in around if key in self._by_place), None)

    def _add_ghosts(self) -> None:
        for x, y in list(self.cells.values()):
            for dx, dy in self._steps:
                if self._find((x + dx, y + dy)) is None:
                    ghost = -1 - (len(self.centres) - len(self.cells))
                    self.centres[ghost] = (x + dx, y + dy)
                    self._by_place[self._build_place_key((x + dx, y + dy))] = ghost

    def _list_neighbours(self, cell: int) -> tuple[int | None, ...]:
        x, y = self.centres[cell]
        return tuple(self._find((x + dx, y + dy)) for dx, dy in self._steps)

    @cached_property
    def box(self) -> Box:
        """Return left, top, right and bottom of the grid."""
        return compute_bounds((x + a, y + b) for x, y in self.cells.values() for a, b in self.shape)

    @cached_property
    def across(self) -> float:
        """Return the distance between the centres of neighbouring cells."""
        return min(compute_distance((0.0, 0.0), step) for step in self._steps)

    @cached_property
    def radius(self) -> float:
        """Return the distance from a cell's centre to its corners."""
        return max(compute_distance((0.0, 0.0), corner) for corner in self.shape)

    def compute_corners(self, cell: int) -> list[Point]:
        """Return the corners of a space, clockwise on the map."""
        x, y = self.centres[cell]
        return [(x + a, y + b) for a, b in self.shape]

    def get_side(self, cell: int, number: int) -> tuple[Point, Point]:
        """Return the ends of side `number` of a space, clockwise around it."""
        corners = self.compute_corners(cell)
        return corners[number], corners[(number + 1) % len(corners)]

    def find_side_between(self, a: int, b: int) -> tuple[Point, Point] | None:
        """Return the end points of the side that two spaces share, or None if they share none."""
        return self.get_side(a, self.near[a].index(b)) if a in self.near and b in self.near[a] else None

    def iter_neighbours(self, cell: int) -> Iterator[int]:
        """Yield the neighbours of a space, including ghosts: cells beyond the rim that continue the grid."""
        return (n for n in self.near[cell] if n is not None)

    def is_on_boundary(self, cell: int) -> bool:
        """Return True if a space borders on the outside of the grid."""
        return any(n is None or n < 0 for n in self.near[cell])

    def add_ghosts(self, cells: Set[int]) -> set[int]:
        """Return some spaces with the ghosts beside them: cells beyond the rim that continue the grid."""
        return set(cells) | {n for cell in cells for n in self.iter_neighbours(cell) if n < 0}

    def trace_outline(self, cells: Set[int]) -> list[list[Point]]:
        """Return the closed loops around a union of spaces, each with the spaces to its right."""
        following: dict[Key, list[tuple[Point, Key]]] = {}
        for cell in sorted(cells):
            corners, near = self.compute_corners(cell), self.near[cell]
            for n, corner in enumerate(corners):
                if near[n] is None or near[n] not in cells:
                    end = build_corner_key(corners[(n + 1) % len(corners)])
                    following.setdefault(build_corner_key(corner), []).append((corner, end))
        loops = []
        while following:
            key = next(iter(following))
            loop: list[Point] = []
            while key in following:
                outgoing = following[key]
                corner, after = outgoing.pop()
                if not outgoing:
                    del following[key]
                loop.append(corner)
                key = after
            loops.append(loop)
        return loops

    def find_components(self, cells: Iterable[int]) -> list[list[int]]:
        """Return the connected parts of some spaces, each sorted."""
        remaining, components = set(cells), []
        while remaining:
            waiting = [min(remaining)]
            remaining.discard(waiting[0])
            component = []
            while waiting:
                cell = waiting.pop()
                component.append(cell)
                for n in self.iter_neighbours(cell):
                    if n in remaining:
                        remaining.discard(n)
                        waiting.append(n)
            components.append(sorted(component))
        return components

    @cached_property
    def _cells_by_bucket(self) -> Mapping[Key, list[int]]:
        """Return the spaces near each bucket, a square as wide as a space, by its column and row."""
        buckets: dict[Key, list[int]] = {}
        for n, (x, y) in self.cells.items():
            column, row = int(x // self.across), int(y // self.across)
            for i, j in product((-1, 0, 1), repeat=2):
                buckets.setdefault((column + i, row + j), []).append(n)
        return buckets

    def find_cell(self, point: Point) -> int | None:
        """Return the space whose centre is nearest to a point, or None far outside the grid."""
        near = self._cells_by_bucket.get((int(point[0] // self.across), int(point[1] // self.across)), ())
        return min(near, key=lambda n: compute_distance(self.cells[n], point), default=None)

    def index_centres(self, cells: Iterable[int], radius: float) -> PointIndex:
        """Return an index of the centres of some spaces, each with the radius `radius`."""
        index = PointIndex(40.0)
        for cell in sorted(cells):
            index.add(self.centres[cell], radius)
        return index
