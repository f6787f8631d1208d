"""Test that numbers are written naturally in lists, positions and at the end; ids made of digits stay ids."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from interpreter.api.game import Rules, load
from interpreter.i18n.number_format import format_average, format_number
from interpreter.play.game import GameOutcome
from interpreter.players.narration.event_lines import render_outcome
from interpreter.players.narration.why_lines import render_why_not
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.value_ids import from_value_id
from tests.tiny import build

SKIRMISH = Path(__file__).resolve().parents[1] / "tools" / "games" / "skirmish"


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    return build(
        tmp_path,
        "procedure nothing_much():\n    report note(1)\n",
        side={"points": '{type: number, default: "3/2", changes: true}'},
    )


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (Fraction(121, 2), "60 1/2"),
        (Fraction(2, 1), "2"),
        (Fraction(0), "0"),
        (Fraction(1, 2), "1/2"),
        (Fraction(-1, 2), "-1/2"),
        (Fraction(-7, 2), "-3 1/2"),
        (7, "7"),
        (-7, "-7"),
    ],
)
def test_number_text_formats_number(number: int | Fraction, told: str) -> None:
    assert format_number(number) == told


def test_average_text_has_two_places() -> None:
    assert [format_average(Fraction(n, 3)) for n in (-1, 0, 1, 3, 16)] == ["-0.33", "0", "0.33", "1", "5.33"]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_score_at_end_is_mixed_fraction(rules: Rules, lang: str) -> None:
    ended = GameOutcome("red_seat", None, "", {"red_seat": Fraction(121, 2), "blue_seat": Fraction(2)})
    text = "\n".join(map(str, render_outcome(ended, Localizer(rules.program, lang))))
    assert "60 1/2" in text
    assert "121/2" not in text
    assert "2/1" not in text


def test_localizer_formats_value_of_view(rules: Rules) -> None:
    localizer = Localizer(rules.program)
    assert localizer.format_id_value(["number"], "121/2") == "60 1/2"
    assert localizer.format_id_value(["maybe", ["number"]], "-1/2") == "-1/2"
    assert localizer.format_id_value(["plain"], "3/2") == "3/2"  # a text stays what it is
    with pytest.raises(ValueError, match="expected a whole number"):
        from_value_id(rules.program, ["int"], "1/2")


def test_hex_is_not_number() -> None:
    """`0302` stays 0302, however it is typed."""
    rules = load(str(SKIRMISH), checked=True)
    game = rules.start(empty=True)
    game.edit(pieces={"r4": {"at": "0303"}, "b2": {"at": "0302"}})
    game.call("retreat_all", s="blue", company=["b2"], far=2)
    localizer = Localizer(rules.program)
    lines = list(map(str, render_why_not("flight(0303)", game, NameIndex(game, localizer))))
    assert "0303" in lines[0]
    assert not any(" 303" in line for line in lines)
