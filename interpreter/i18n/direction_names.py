"""Translated names of the directions of a grid."""

from __future__ import annotations

_DIRECTIONS = {
    "ja": {"n": "北", "ne": "北東", "e": "東", "se": "南東", "s": "南", "sw": "南西", "w": "西", "nw": "北西"}
}


_IN_FULL = {
    "n": "north", "ne": "north-east", "e": "east", "se": "south-east", "s": "south", "sw": "south-west", "w": "west",
    "nw": "north-west",
}  # fmt: skip


def format_direction(direction: str, language: str) -> str:
    """Return a direction of a grid as a word for reading aloud; in English if it has no translation."""
    return _DIRECTIONS.get(language, _IN_FULL).get(direction, direction)


def translate_direction(direction: str, language: str) -> str:
    """Return the name of a direction in a language; untranslated ones are returned as is."""
    return _DIRECTIONS.get(language, {}).get(direction, direction)
