"""Words that may have been meant."""

from __future__ import annotations

import pytest

from interpreter.diagnostics.suggestions import find_close_words

PLACES = ("South France", "Spain", "south_france", "spain")


@pytest.mark.parametrize(
    ("word", "known", "close"),
    [
        ("southern", PLACES, ["South France"]),  # one place, written in two ways
        ("south_frnce", PLACES, ["South France"]),
        ("spin", ("Spain", "spine"), ["spine", "Spain"]),
        ("waltz", PLACES, []),
    ],
)
def test_close_name_is_suggested_once(word: str, known: tuple[str, ...], close: list[str]) -> None:
    assert find_close_words(word, known) == close


PARAGRAPHS = ("9.9-x", "10.21", "10.21-a", "10.21-b", "10.21-c", "10.31-c")


@pytest.mark.parametrize(
    ("word", "close"),
    [
        ("10.21-x", ["10.21-c", "10.21-b"]),  # nearest letter first
        ("10.41-c", ["10.31-c", "10.21-c"]),
        ("10.21-7", []),
        ("10.99-x", []),
    ],
)
def test_close_paragraph_differs_in_one_sign(word: str, close: list[str]) -> None:
    assert find_close_words(word, PARAGRAPHS) == close
