"""Place labels so that they cover little else: each takes its cheapest spot, then all improve in turn.

A candidate costs what it covers: boxes by area, lines by length, and other labels. Deterministic; knows no rulesets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot

from interpreter.model.area_drawing import Point
from interpreter.tools.maps.areas.planes import Line, compute_line_bounds
from interpreter.tools.maps.boxes import Box

_BUCKET = 48.0  # width of a cell of the index, in pixels
_STEP = 4.0  # distance of the points that represent a line, in pixels
_OTHER_LABEL = 14.0  # cost of a square pixel of another label
_OUTSIDE = 1e5  # cost of a label that leaves the sheet
_ROUNDS = 3  # in which labels improve


@dataclass(frozen=True, slots=True)
class LabelSpot:
    """A spot for a label: the point of its base line, which end of the text lies there, its box, and an extra cost."""

    point: Point
    anchor: str
    box: Box
    cost: float = 0.0


class Obstacles:
    """Boxes and lines that labels should not cover, in a uniform grid.

    `inner`: the box of the sheet inside its frame.
    """

    def __init__(self, inner_box: Box) -> None:
        self._inner = inner_box
        self._boxes: dict[tuple[int, int], list[tuple[Box, float]]] = {}
        self._points: dict[tuple[int, int], list[tuple[float, float, float]]] = {}

    def add_box(self, box: Box, weight: float) -> None:
        """Add a box; covering it costs `weight` per square pixel."""
        for key in _list_cells(box):
            self._boxes.setdefault(key, []).append((box, weight))

    def add_line(self, line: Line, weight: float) -> None:
        """Add an open line; covering it costs `weight` per 4 pixels of its length."""
        for (ax, ay), (bx, by) in zip(line, line[1:], strict=False):
            pieces = max(1, round(hypot(bx - ax, by - ay) / _STEP))
            share = hypot(bx - ax, by - ay) / _STEP / pieces * weight
            for n in range(pieces):
                x, y = ax + (bx - ax) * n / pieces, ay + (by - ay) * n / pieces
                self._points.setdefault((int(x // _BUCKET), int(y // _BUCKET)), []).append((x, y, share))

    def compute_cost(self, box: Box) -> float:
        """Return the cost of covering what lies in a box."""
        left, top, right, bottom = box
        inner = self._inner
        total = _OUTSIDE if left < inner[0] or top < inner[1] or right > inner[2] or bottom > inner[3] else 0.0
        near: dict[Box, float] = {}
        for key in _list_cells(box):
            for x, y, weight in self._points.get(key, ()):
                if left < x < right and top < y < bottom:
                    total += weight
            for other, weight in self._boxes.get(key, ()):
                near[other] = max(weight, near.get(other, 0.0))
        return total + sum(compute_overlap(box, other) * weight for other, weight in near.items())


def _list_cells(box: Box) -> Iterable[tuple[int, int]]:
    for column in range(int(box[0] // _BUCKET), int(box[2] // _BUCKET) + 1):
        for row in range(int(box[1] // _BUCKET), int(box[3] // _BUCKET) + 1):
            yield column, row


def compute_overlap(a: Box, b: Box) -> float:
    """Return the area common to two boxes, in square pixels."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return width * height if width > 0 and height > 0 else 0.0


def choose_spots(labels: Sequence[Sequence[LabelSpot]], obstacles: Obstacles) -> list[LabelSpot]:
    """Return one spot for each label (iterated local search over their candidates; the first of equal ones).

    `labels`: the candidates of each label, at least one, the most important label first.
    """
    fixed = [[spot.cost + obstacles.compute_cost(spot.box) for spot in spots] for spots in labels]
    reach = [
        compute_line_bounds([((b[0], b[1]), (b[2], b[3])) for b in (spot.box for spot in spots)]) for spots in labels
    ]
    near = [
        [m for m in range(len(labels)) if m != n and compute_overlap(reach[n], reach[m])] for n in range(len(labels))
    ]
    chosen: list[LabelSpot | None] = [None] * len(labels)
    for _ in range(_ROUNDS):
        before = list(chosen)
        for n, spots in enumerate(labels):
            others = [spot_chosen.box for m in near[n] if (spot_chosen := chosen[m]) is not None]
            costs = [
                fixed[n][k] + _OTHER_LABEL * sum(compute_overlap(spot.box, box) for box in others)
                for k, spot in enumerate(spots)
            ]
            chosen[n] = spots[costs.index(min(costs))]
        if chosen == before:
            break
    return [spot for spot in chosen if spot is not None]


def trim_box(box: Box, occupied: Iterable[Box], least_size: Point) -> Box:
    """Return a box cut back so that it overlaps none of the boxes `occupied`.

    For each of them one side of the box is moved, the side that leaves the largest box. A cut that would leave less
    than `least_size` (width, height) is not made.
    """
    for other in occupied:
        if not compute_overlap(box, other):
            continue
        left, top, right, bottom = box
        cuts = [
            (left, other[3], right, bottom),
            (left, top, right, other[1]),
            (other[2], top, right, bottom),
            (left, top, other[0], bottom),
        ]
        cuts = [cut for cut in cuts if cut[2] - cut[0] >= least_size[0] and cut[3] - cut[1] >= least_size[1]]
        box = max(cuts, key=lambda cut: (cut[2] - cut[0]) * (cut[3] - cut[1]), default=box)
    return box
