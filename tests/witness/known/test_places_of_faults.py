"""A fault is told where it stands in the rules, in every form of a program.

When the mark goes, `CALLS_STAND_FOR_DEFINES` in `tests/witness/comparing.py` goes with it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tiny import build
from tests.witness import comparing


@pytest.mark.xfail(strict=True, reason="a define that is written out where it is called is told at its call")
def test_a_fault_in_a_small_define(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "CALLS_STAND_FOR_DEFINES", False)
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
    comparing.Match(model).play(1)
