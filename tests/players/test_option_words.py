"""Options say what they cost, and units of one nation have a common name."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.cli.main import main
from interpreter.runtime.localizer import Localizer


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            ["1 lost, 1 stay face-up, 0 face-down", "0 lost, 0 stay face-up, 2 face-down: the troops rout"],
        ),
        (
            "ja",
            ["1ユニットを失い、表面1と裏面0を残す", "0ユニットを失い、表面0と裏面2を残す。表面がいないため敗走する"],
        ),
    ],
)
def test_options_of_losses_say_units_lost_and_rout(language: str, expected: list[str]) -> None:
    dice = {"order_roll": [1], "leading_attack": [1, 4, 6], "answering_attack": [3, 5, 6, 1, 4]}
    game = load("napoleon").start(scenario="wagram", dice=dice)
    for key in ("move_combat", "done", "fight(spain)", "aim(1, 1)"):
        game.choose(key)
    assert [option.text(language) for option in game.decision.options] == expected


def test_pieces_of_one_entry_share_its_name() -> None:
    program = load("napoleon").program
    french = [p for p in program.ids["piece"] if p.startswith("french")]
    assert Localizer(program).format_piece_count(french[0], 1) == "French unit"
    assert Localizer(program).list_piece_counts(french[:3]) == ["3 French units"]
    assert Localizer(program, "ja").get_piece_name(french[0]) == "フランス軍ユニット"


def test_letters_that_differ_by_mark_only_are_two(tmp_path: Path) -> None:
    picture = tmp_path / "map.svg"
    assert main(["show", "napoleon", "map", "--svg", str(picture), "--lang", "ja"]) == 0
    drawn = picture.read_text(encoding="utf-8")
    assert ">フラ<" in drawn and ">プロ<" in drawn and ">オ<" in drawn
