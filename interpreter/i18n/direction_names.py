"""What people call the directions of a grid. Must not know where one leads."""

from __future__ import annotations

_DIRECTIONS = {
    "ja": {"n": "北", "ne": "北東", "e": "東", "se": "南東", "s": "南", "sw": "南西", "w": "西", "nw": "北西"},
}


def direction_said(direction: str, language: str) -> str:
    """A direction of a grid; where nobody has translated it, as it stands."""
    return _DIRECTIONS.get(language, {}).get(direction, direction)
