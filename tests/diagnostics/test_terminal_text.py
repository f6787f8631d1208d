from __future__ import annotations

import pytest
from hypothesis import given

from interpreter.diagnostics.terminal_text import escape_lines, escape_text, measure_cells
from tests.unhurried import texts, unhurried


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1st guards", "1st guards"),
        ("", ""),
        ("東京 – Köln 🙂", "東京 – Köln 🙂"),
        ("ideographic\u3000space, no\u00a0break", "ideographic\u3000space, no\u00a0break"),
        ("\x1b[2Jred", "\\x1b[2Jred"),
        ("two\nlines\ttab\rreturn", "two\\x0alines\\x09tab\\x0dreturn"),
        ("\x9b31m", "\\x9b31m"),
        ("\x7f\x00", "\\x7f\\x00"),
        ("right\u202eleft", "right\\u202eleft"),
        ("line\u2028part", "line\\u2028part"),
        ("half \ud83d", "half \\ud83d"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("joined \u200d", "joined \u200d"),
    ],
)
def test_escape_text_makes_text_printable(text: str, shown: str) -> None:
    assert escape_text(text) == shown


def test_paragraphs_keep_their_lines() -> None:
    assert escape_lines("a\tb\n\x07c\r\n") == "a b\n\\x07c\\x0d\n"


@unhurried
@given(texts())
def test_printable_text_has_no_control_characters(text: str) -> None:
    shown = escape_text(text)
    shown.encode("utf-8")
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in shown)
    assert escape_text(shown) == shown
    assert len(shown.splitlines()) <= 1


@pytest.mark.parametrize(("text", "cells"), [("hill", 4), ("東京", 4), ("ｱ", 1), ("é", 1), ("e\u0301", 1), ("Ａ", 2)])
def test_cell_width_counts_wide_characters(text: str, cells: int) -> None:
    assert measure_cells(text) == cells
