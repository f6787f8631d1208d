"""Boxes of the map plane, in pixels; y grows downwards."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.model.area_drawing import Point

Box = tuple[float, float, float, float]  # left, top, right, bottom


def compute_bounds(points: Iterable[Point]) -> Box:
    """Return the bounding box of points; an empty box at the origin without points."""
    known = list(points)
    if not known:
        return 0.0, 0.0, 0.0, 0.0
    xs, ys = [x for x, _ in known], [y for _, y in known]
    return min(xs), min(ys), max(xs), max(ys)
