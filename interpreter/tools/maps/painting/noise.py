"""Deterministic noise: hashed lattice values without random state, identical on every platform."""

from __future__ import annotations

from math import floor

from interpreter.model.area_drawing import Point

_MASK = 0xFFFFFFFF
_LONG, _SHORT = 37.0, 13.0  # wavelengths of the two octaves of `warp_point`, in map units
_SECOND_OCTAVE = 0.45


def hash_to_unit(x: int, y: int, seed: int = 0) -> float:
    """Return a number from 0 to 1 (exclusive) that depends on a lattice point and a seed alone."""
    n = (x * 374761393 + y * 668265263 + seed * 2147483647) & _MASK
    n = ((n ^ (n >> 13)) * 1274126177) & _MASK
    n = ((n ^ (n >> 16)) * 2246822519) & _MASK
    return ((n ^ (n >> 13)) & 0xFFFFFF) / 0x1000000


def compute_value_noise(x: float, y: float, seed: int = 0) -> float:
    """Return smooth noise from -1 to 1 at a point: lattice values joined by cubic interpolation."""
    column, row = floor(x), floor(y)
    u, v = x - column, y - row
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    a, b = hash_to_unit(column, row, seed), hash_to_unit(column + 1, row, seed)
    c, d = hash_to_unit(column, row + 1, seed), hash_to_unit(column + 1, row + 1, seed)
    return (a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v) * 2 - 1


def warp_point(point: Point, amount: float) -> Point:
    """Return a point displaced by noise of about `amount` pixels.

    The shift depends only on the point, so that adjacent shapes bend alike.
    """
    x, y = point
    second = amount * _SECOND_OCTAVE
    return (
        x
        + amount * compute_value_noise(x / _LONG, y / _LONG, 1)
        + second * compute_value_noise(x / _SHORT, y / _SHORT, 2),
        y
        + amount * compute_value_noise(x / _LONG, y / _LONG, 3)
        + second * compute_value_noise(x / _SHORT, y / _SHORT, 4),
    )
