"""Words that may have been meant."""

from __future__ import annotations

import pytest

from interpreter.diagnostics.suggestions import close_words

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
    assert close_words(word, known) == close
