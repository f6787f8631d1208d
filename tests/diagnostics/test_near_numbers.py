"""Suggestions for mistyped numbers of spaces."""

from __future__ import annotations

import pytest

from interpreter.diagnostics.diagnostic import Diagnostic
from interpreter.diagnostics.quick_fixes import find_quick_fix
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.suggestions import did_you_mean, find_close_words, is_number_like

SPACES = [f"{column:02}{row:02}" for column in range(1, 32) for row in range(1, 21)]
MANY = [f"{column:03}{row:03}" for column in range(1, 200) for row in range(1, 101)]


@pytest.mark.parametrize(
    ("word", "close"),
    [
        ("102", ["0102"]),  # a spreadsheet drops the zero
        ("303", ["0303"]),
        ("1-3", ["0103"]),
        ("01o2", ["0102"]),
        ("13O3", ["1303"]),
        ("l103", ["1103"]),
        ("13-03", ["1303"]),
        ("13.03", ["1303"]),
        ("１３０３", ["1303"]),
        ("01021", ["0102", "0101"]),
        ("00102", ["0102"]),
        ("1130", ["1103", "1310"]),  # swapped digits before any other slip
        ("0121", ["0112", "0211"]),
        ("1403a", ["1403"]),
        ("0971", ["0917"]),
        ("0421", ["0412"]),
        ("9999", []),
        ("1_000_000_000_000", []),
    ],
)
def test_close_words_of_number_prefers_slips_of_digits(word: str, close: list[str]) -> None:
    assert find_close_words(word, SPACES) == close
    assert find_close_words(word, dict.fromkeys(SPACES)) == close


def test_close_words_of_number_knows_large_grids() -> None:
    assert find_close_words("17-42", MANY) == ["017042"]


@pytest.mark.parametrize("name", ["0102", "102", "13-03", "13.03", "01o2", "0102a", "o102", "12a", "0l0I"])
def test_name_like_number_is_number_like(name: str) -> None:
    assert is_number_like(name)


@pytest.mark.parametrize("name", ["hill", "oil", "1st_line", "2nd_corps", "b13", "port-1", "off_map", "a", "4a", ""])
def test_name_with_words_is_not_number_like(name: str) -> None:
    assert not is_number_like(name)


@pytest.mark.parametrize(("word", "meant"), [("–1", "-1"), ("−1", "-1"), ("１", "1"), ("1\u00a0", "1")])
def test_close_words_sees_through_signs_that_look_alike(word: str, meant: str) -> None:
    assert find_close_words(word, ["-1", "0", "1", "2"])[:1] == [meant]


@pytest.mark.parametrize(
    ("word", "cure"), [("102", "0102"), ("01o2", "0102"), ("13-03", "1303"), ("1130", None), ("0421", None)]
)
def test_cure_of_number_needs_same_digits(word: str, cure: str | None) -> None:
    source = Source("x.yaml", f'at: "{word}"')
    found = Diagnostic("unknown-place", "?", Span(source, 4, 6 + len(word)), help=did_you_mean(word, SPACES))
    edit = find_quick_fix(found)
    assert (None if edit is None else edit.text) == cure
