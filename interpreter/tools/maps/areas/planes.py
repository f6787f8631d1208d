"""Plane geometry: lengths, point in polygon, distances, the pole of inaccessibility and roughened lines.

Deterministic: noise is a function of the place alone, so that two lines through one place bend alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import ceil, floor, hypot, inf, sqrt

from interpreter.model.area_drawing import Point
from interpreter.tools.maps.boxes import Box, compute_bounds

Line = Sequence[Point]
Segments = list[tuple[float, float, float, float]]

_ROOT_2 = sqrt(2)
_BUCKET = 100.0  # width of the cells of an index, in pixels: less than an area with its names
_MAX_BUCKETS = 100  # cells of an index in a row or column, however wide the map is
_BANDS = 16  # of the sides of an outline
_WIDENED = 1.000001  # of the height of a band, so that the lowest point lies in the last one
_SLACK = 0.001  # pixels, more than a rounding error
_OTHER_AXIS = 8  # added to a seed for the shift along the other axis
_WAVES = ((131.0, 11.0, 0), (46.0, 5.0, 1), (17.0, 2.2, 2))  # wavelength, amplitude in pixels, seed


def compute_line_bounds(lines: Iterable[Line]) -> Box:
    """Return the bounding box of lines; an empty box at the origin without lines."""
    return compute_bounds(point for line in lines for point in line)


class BoxIndex:
    """A uniform grid over boxes: a point is compared only with the boxes near it."""

    def __init__(self, boxes: Mapping[int, Box]) -> None:
        self.boxes = boxes
        left, top, right, bottom = compute_line_bounds([((a, b), (c, d)) for a, b, c, d in boxes.values()])
        self._size = max(_BUCKET, (right - left) / _MAX_BUCKETS, (bottom - top) / _MAX_BUCKETS)
        self.buckets: dict[tuple[int, int], list[int]] = {}
        for n, (a, b, c, d) in boxes.items():
            for column in range(self._get_bucket(a), self._get_bucket(c) + 1):
                for row in range(self._get_bucket(b), self._get_bucket(d) + 1):
                    self.buckets.setdefault((column, row), []).append(n)

    def _get_bucket(self, coordinate: float) -> int:
        return floor(coordinate / self._size)

    def find_containing(self, x: float, y: float) -> list[int]:
        """Return the keys of the boxes that contain a point, in the order of the mapping."""
        keys = []
        for n in self.buckets.get((int(x // self._size), int(y // self._size)), ()):
            left, top, right, bottom = self.boxes[n]
            if left <= x <= right and top <= y <= bottom:
                keys.append(n)
        return keys


def list_segments(rings: Iterable[Line]) -> Segments:
    """Return the sides of closed lines."""
    return [
        (*ring[n - 1], *ring[n])  # the first side joins the last point and the first
        for ring in rings
        for n in range(len(ring))
    ]


def is_inside(point: Point, sides: Segments) -> bool:
    """Return True if a point lies in the closed lines with these sides, by the even-odd rule."""
    x, y = point
    odd = False
    for ax, ay, bx, by in sides:
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            odd = not odd
    return odd


class BandedSides:
    """The sides of closed lines, sorted into horizontal bands: a point is compared only with sides at its height."""

    def __init__(self, sides: Segments) -> None:
        lows = [ay if ay > by else by for _ax, ay, _bx, by in sides]
        highs = [ay if ay < by else by for _ax, ay, _bx, by in sides]
        self._top = top = min(highs, default=0.0)
        self._height = height = (max(lows, default=0.0) - top) / _BANDS * _WIDENED or 1.0
        self._bands: list[Segments] = [[] for _ in range(_BANDS)]
        for side, high, low in zip(sides, highs, lows, strict=True):
            for band in self._bands[int((high - top) / height) : int((low - top) / height) + 1]:
                band.append(side)

    def is_inside(self, x: float, y: float) -> bool:
        """Return True if a point lies in the closed lines, by the even-odd rule."""
        band = int((y - self._top) / self._height)
        odd = False
        for ax, ay, bx, by in self._bands[0 if band < 0 else band if band < _BANDS else -1]:
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                odd = not odd
        return odd


def compute_distance_to_sides(point: Point, sides: Segments) -> float:
    """Return the distance of a point from the nearest side."""
    x, y = point
    nearest = inf
    for ax, ay, bx, by in sides:
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        t = 0.0 if not length else max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / length))
        px, py = ax + dx * t - x, ay + dy * t - y
        nearest = min(nearest, px * px + py * py)
    return sqrt(nearest)


def find_nearest_point(point: Point, sides: Segments) -> Point:
    """Return the point of the sides that is nearest to a point."""
    x, y = point
    limit = min((hypot(ax - x, ay - y) for ax, ay, _bx, _by in sides), default=0.0) + _SLACK
    left, right, top, bottom = x - limit, x + limit, y - limit, y + limit
    best, nearest_point = inf, point
    for ax, ay, bx, by in sides:
        if ax < left > bx or ax > right < bx or ay < top > by or ay > bottom < by:
            continue  # farther away than a corner
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        t = ((x - ax) * dx + (y - ay) * dy) / length if length else 0.0
        t = 0.0 if t < 0.0 else t if t < 1.0 else 1.0
        px, py = ax + dx * t, ay + dy * t
        squared = (px - x) * (px - x) + (py - y) * (py - y)
        if squared < best:
            best, nearest_point = squared, (px, py)
    return nearest_point


def find_pole(rings: Sequence[Line], avoid: Segments | None = None, precision: float = 0.0) -> tuple[Point, float]:
    """Return the pole of inaccessibility of closed lines, and its distance from their sides in pixels.

    That is the point inside that is farthest from every side, by a quadtree search (the algorithm of Mapbox's
    polylabel). `avoid`: the sides of closed lines in which the point may not lie. `precision`: in pixels; 0 chooses
    one by the size.
    """
    sides, barred = list_segments(rings), avoid or []
    left, top, right, bottom = compute_line_bounds(rings)
    size = min(right - left, bottom - top) or 1.0
    precision = precision or max(1.0, size / 24)

    def measure_room(x: float, y: float) -> float:
        distance = min(
            compute_distance_to_sides((x, y), sides), compute_distance_to_sides((x, y), barred) if barred else inf
        )
        is_free = is_inside((x, y), sides) and not (barred and is_inside((x, y), barred))
        return distance if is_free else -distance

    waiting: list[tuple[float, float, float, float, float]] = []

    def push(x: float, y: float, half: float) -> tuple[float, float, float]:
        distance = measure_room(x, y)
        heappush(waiting, (-(distance + half * _ROOT_2), x, y, half, distance))
        return distance, x, y

    best = (-inf, left, top)
    across, down = ceil((right - left) / size), ceil((bottom - top) / size)
    for column in range(max(1, min(across, 40))):
        for row in range(max(1, min(down, 40))):
            best = max(best, push(left + (column + 0.5) * size, top + (row + 0.5) * size, size / 2))
    while waiting:
        most, x, y, half, _far = heappop(waiting)
        if -most - best[0] <= precision:
            break
        half /= 2
        for sx, sy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            best = max(best, push(x + sx * half, y + sy * half, half))
    return (best[1], best[2]), max(0.0, best[0])


def is_clear(box: Box, sides: Segments) -> bool:
    """Return True if no side reaches into a box (left, top, right, bottom)."""
    left, top, right, bottom = box
    for ax, ay, bx, by in sides:
        if max(ax, bx) <= left or min(ax, bx) >= right or max(ay, by) <= top or min(ay, by) >= bottom:
            continue
        first, last = 0.0, 1.0  # the part of the side within the box (Liang-Barsky clipping)
        for p, q in ((ax - bx, ax - left), (bx - ax, right - ax), (ay - by, ay - top), (by - ay, bottom - ay)):
            if p == 0:
                if q < 0:
                    first, last = 1.0, 0.0
                continue
            t = q / p
            first, last = (max(first, t), last) if p < 0 else (first, min(last, t))
        if first < last:
            return False
    return True


def clip_ring(ring: Line, depth: Callable[[Point], float]) -> list[Point]:
    """Return the part of a closed line in a half-plane (Sutherland-Hodgman clipping).

    `depth`: the distance of a point from the edge of the half-plane, negative outside.
    """
    clipped: list[Point] = []
    for a, b in zip([*ring[-1:], *ring], ring, strict=False):
        before, after = depth(a), depth(b)
        if (before < 0) != (after < 0):
            share = before / (before - after)
            clipped.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
        if after >= 0:
            clipped.append(b)
    return clipped


def crop_ring(ring: Line, box: Box) -> tuple[Point, ...]:
    """Return the part of a closed line within a box, or () if they do not overlap."""
    left, top, right, bottom = box
    for depth in (lambda p: p[0] - left, lambda p: p[1] - top, lambda p: right - p[0], lambda p: bottom - p[1]):
        ring = clip_ring(ring, depth)
    return tuple(ring)


def sample_quadratic_curve(start: Point, control: Point, end: Point, pieces: int) -> list[Point]:
    """Return the points that divide a quadratic Bézier curve into `pieces`, with both ends."""
    (ax, ay), (bx, by), (cx, cy) = start, control, end
    return [(u * ax + v * bx + w * cx, u * ay + v * by + w * cy) for u, v, w in _compute_curve_weights(pieces)]


@lru_cache(64)
def _compute_curve_weights(pieces: int) -> Sequence[tuple[float, float, float]]:
    """Return the weights of start, control point and end at each point that divides a quadratic Bézier curve."""
    shares = [n / pieces for n in range(pieces + 1)]
    return tuple(((1 - t) ** 2, 2 * t * (1 - t), t * t) for t in shares)


def find_point_along(line: Line, share: float) -> Point:
    """Return the point at a share (0 to 1) of a line's length."""
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)]
    left = sum(lengths) * share
    for (a, b), length in zip(pairwise(line), lengths, strict=True):
        if left <= length and length:
            return a[0] + (b[0] - a[0]) * left / length, a[1] + (b[1] - a[1]) * left / length
        left -= length
    return line[-1]


def measure_length(line: Line) -> float:
    """Return the length of an open line."""
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))


def _hash_lattice_point(x: int, y: int, seed: int) -> float:
    """Return a pseudo-random number from -1 to 1 for a point of the lattice, the same on every platform."""
    n = (x * 374761393 + y * 668265263 + seed * 974634777) & 0xFFFFFFFF
    n = (n ^ (n >> 13)) * 1274126177 & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFF) / 32767.5 - 1


def compute_value_noise(x: float, y: float, seed: int) -> float:
    """Return value noise from -1 to 1 at a point, interpolated on a lattice with cells of size 1."""
    ix, iy = floor(x), floor(y)
    u, v = x - ix, y - iy
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    left, low = 1 - u, 1 - v
    a, b = _hash_lattice_point(ix, iy, seed), _hash_lattice_point(ix + 1, iy, seed)
    c, d = _hash_lattice_point(ix, iy + 1, seed), _hash_lattice_point(ix + 1, iy + 1, seed)
    return (a * left + b * u) * low + (c * left + d * u) * v


class Warp:
    """Displaces points a little, as a function of their position; points near each other share the noise's lattice.

    Waves shorter than `shortest` pixels are left out.
    """

    def __init__(self, shortest: float = 0.0) -> None:
        self._waves = [
            (wave, high, seed, dict[tuple[int, int], Point](), dict[tuple[int, int], tuple[float, ...]]())
            for wave, high, seed in _WAVES
            if wave >= shortest
        ]

    def displace(self, x: float, y: float) -> Point:
        """Return the displaced point."""
        dx = dy = 0.0
        for wave, high, seed, known, cells in self._waves:
            u, v = x / wave, y / wave
            cell = ix, iy = floor(u), floor(v)
            corners = cells.get(cell)
            if corners is None:
                corners = cells[cell] = _compute_corner_shifts(ix, iy, seed, known)
            a, e, b, f, c, g, d, h = corners
            u, v = u - ix, v - iy
            u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
            left, low = 1 - u, 1 - v
            dx += high * ((a * left + b * u) * low + (c * left + d * u) * v)
            dy += high * ((e * left + f * u) * low + (g * left + h * u) * v)
        return x + dx, y + dy


def _compute_corner_shifts(x: int, y: int, seed: int, known: dict[tuple[int, int], Point]) -> tuple[float, ...]:
    """Return pseudo-random shifts from -1 to 1 to the right and downwards for each corner of a cell of the lattice.

    In the order upper left, upper right, lower left, lower right. `known`: the shifts of corners computed before.
    """
    shifts: list[float] = []
    for corner in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)):
        shift = known.get(corner)
        if shift is None:
            shift = known[corner] = _hash_lattice_point(*corner, seed), _hash_lattice_point(*corner, seed + _OTHER_AXIS)
        shifts += shift
    return tuple(shifts)


def round_to_tenths(x: float, y: float) -> Point:
    """Return a point rounded to tenths of a pixel, several times faster than `round` with a number of digits."""
    return round(x * 10) / 10, round(y * 10) / 10


def roughen_rings(rings: Iterable[Line], step: float) -> list[tuple[Point, ...]]:
    """Return closed lines with irregular sides, in pieces of about `step` pixels, without waves shorter than a piece.

    Two rings that share a side share the irregular one as well.
    """
    warp, known = Warp(step), dict[tuple[Point, Point], list[Point]]()
    return [_roughen_ring(ring, step, warp, known) for ring in rings]


def _roughen_ring(
    ring: Line, step: float, warp: Warp, known: dict[tuple[Point, Point], list[Point]]
) -> tuple[Point, ...]:
    roughened: list[Point] = []
    before, moved = ring[-1], warp.displace
    for point in ring:
        is_forward = before < point
        side = (before, point) if is_forward else (point, before)  # both owners of a side divide it alike
        points = known.get(side)
        if points is None:
            (ax, ay), (bx, by) = side
            pieces = max(1, round(hypot(bx - ax, by - ay) / step))
            dx, dy = (bx - ax) / pieces, (by - ay) / pieces
            rough = [moved(ax + dx * k, ay + dy * k) for k in range(pieces)]
            points = known[side] = [round_to_tenths(x, y) for x, y in (*rough, moved(bx, by))]
        roughened += points[1:] if is_forward else points[-2::-1]
        before = point
    return tuple(roughened)
