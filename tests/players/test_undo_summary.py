"""Test the results revealed since a choice, which the prompt and the board list before that choice is undone."""

from __future__ import annotations

import pytest

from interpreter.api.loading import load
from interpreter.players.narration.event_lines import render_revealed
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedChange, LoggedChoice, LoggedRoll


@pytest.fixture(scope="module")
def localizer() -> Localizer:
    return Localizer(load("napoleon").program, "")


def test_come_out_lines_group_dice_and_sides_in_their_order(localizer: Localizer) -> None:
    roll, leading = (
        LoggedRoll(name, "", (6,), (), None, None, None, None) for name in ("mobilisation", "leading_attack")
    )
    prussia, austria = (LoggedChoice(side, "allies", "go", "done", (), ("done",)) for side in ("prussia", "austria"))
    told = render_revealed([prussia, roll, austria, leading, roll], localizer)
    assert told == ("dice: mobilisation roll, first attack", "decided: Prussia, Austria")


def test_undo_summary_is_empty_without_results(localizer: Localizer) -> None:
    assert render_revealed([LoggedChange("game", "x", 0, 1, ())], localizer) == ()
