"""Singular and plural words in texts of rules and of the interface."""

from __future__ import annotations

import pytest

from interpreter.i18n.plural_forms import fill
from interpreter.i18n.translator import ENGLISH, mark
from tests.tiny import build


@pytest.mark.parametrize(
    ("template", "values", "text"),
    [
        ("{number} (hit|hits)", {"number": 1}, "1 hit"),
        ("{number} (hit|hits)", {"number": 0}, "0 hits"),
        ("{done} of {total} (game was|games were) played", {"done": 3, "total": 1}, "3 of 1 game was played"),
        ("there (is|are) {number} left", {"number": 1}, "there is 1 left"),
        ("{name} (unit|units)", {"name": "Old Guard"}, "Old Guard units"),
        ("{name}: {number} (die|dice)", {"name": "7 (a|b)", "number": 1}, "7 (a|b): 1 die"),
    ],
)
def test_nearest_number_chooses_form(template, values, text):
    assert fill(template, values) == ENGLISH(template, **values) == mark(template, **values) == text


def test_text_of_rules_chooses_form(tmp_path):
    rules = build(
        tmp_path,
        """
        turn:
            phase orders:
                choose answer by reds "how many?":
                    option take(n in 1..2) "take {n} (coin|coins)"
        """,
    )
    decision = rules.start(seed=1).decision
    assert [option.text("en") for option in decision.options] == ["take 1 coin", "take 2 coins"]
