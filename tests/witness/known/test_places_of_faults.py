"""Test that a fault is reported at its place in the rules, in every form of a program."""

from __future__ import annotations

from pathlib import Path

from tests.tiny import build
from tests.witness.comparing import Match


def test_fault_in_small_define_has_same_place_in_all_forms(tmp_path: Path) -> None:
    model = build(
        tmp_path,
        """
        define share(n: int) = 6 / n + turn
        turn:
            set game.total = round_down(share(game.total))
            end game drawn
    """,
    ).model
    assert model is not None
    Match(model).play(1)
