"""Translated names of the directions of a grid."""

from __future__ import annotations

_ABBREVIATIONS = {
    "ja": {"n": "北", "ne": "北東", "e": "東", "se": "南東", "s": "南", "sw": "南西", "w": "西", "nw": "北西"}
}
_ENGLISH_WORDS = {
    "n": "north", "ne": "north-east", "e": "east", "se": "south-east", "s": "south", "sw": "south-west", "w": "west",
    "nw": "north-west",
}  # fmt: skip


def format_direction(direction: str, language: str) -> str:
    """Return a direction of a grid as a word for reading aloud; in English if it has no translation."""
    return _ABBREVIATIONS.get(language, _ENGLISH_WORDS).get(direction, direction)


def translate_direction(direction: str, language: str) -> str:
    """Return the name of a direction in a language; untranslated ones are returned as is."""
    return _ABBREVIATIONS.get(language, {}).get(direction, direction)
