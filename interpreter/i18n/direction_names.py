"""Translated names of the directions of a grid."""

from __future__ import annotations

_DIRECTIONS = {
    "ja": {"n": "北", "ne": "北東", "e": "東", "se": "南東", "s": "南", "sw": "南西", "w": "西", "nw": "北西"},
}


def direction_said(direction: str, language: str) -> str:
    """Return the name of a direction in a language; untranslated ones are returned as is."""
    return _DIRECTIONS.get(language, {}).get(direction, direction)
