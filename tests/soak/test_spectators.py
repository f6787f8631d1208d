"""Five hundred who look on at a game: each of their polls is answered, and the player goes on choosing."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="the extra `board` is not installed")

from tests.soak.spectators import measured


@pytest.mark.soak
def test_five_hundred_look_on() -> None:
    found = measured("denain-1712", 500, 10.0)
    assert found.wrong == 0 and found.polls >= 0.8 * 5000
    assert found.fresh >= 500, "everybody has been shown the game, and more than once"
    assert found.memory_ended < 400, "megabytes"
