"""Combinations of many counters on the full screen: several are picked, and of the list only a part is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.ui.tui.selection import NOTHING, Selection, apply_enter, filter_options
from interpreter.ui.tui.widgets import OptionList
from tests.combinations import write_combinations
from tests.screen.headless import screen

pytestmark = pytest.mark.anyio


async def test_second_counter_joins_first(tmp_path: Path) -> None:
    target = str(write_combinations(tmp_path))
    async with screen(target, (120, 40)) as board:
        app = board.app
        texts = app.query_one("#orders", OptionList).texts
        assert len(app.order_entry.list_options()) == 60 and any("195 more: " in t for t in texts)
        picked, text = apply_enter(app.game_view, "a", NOTHING, {})
        assert (picked, text) == (Selection("red0"), "")
        picked, _ = apply_enter(app.game_view, "c", picked, {})
        assert picked.pieces == ("red0", "red4")
        picked, _ = apply_enter(app.game_view, "a", picked, {})
        assert picked.pieces == ("red0", "red4", "red1")
        left = filter_options(app.game_view, picked)
        assert len(left) == 32 and left[0].pieces == ("red0", "red1", "red4")
        app.order_entry.select(picked)
        app.redraw()
        shown = app.query_one("#orders", OptionList).texts
        assert sum("red" in line for line in shown[1:4]) == 3 and not any("more:" in line for line in shown)
