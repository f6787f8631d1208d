"""Combinations of many counters on the board: counters are pointed out together, and of the list a part is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.combinations import write_combinations

axe = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra `dev`)")


def test_second_counter_joins_first(lobby_server, open_page, tmp_path: Path) -> None:
    page = open_page(lobby_server.game(str(write_combinations(tmp_path)), {}, seed=1))
    buttons = page.locator("button[data-option]:visible")
    page.wait_for_selector("button[data-option]")
    more = page.locator("#orders .more")
    assert buttons.count() == 60 and more.inner_text() == "195 more: click the counters that take part"
    select = (
        "id => document.querySelector(`g[data-piece='${id}']`).dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )

    def point_at(piece: str) -> None:
        page.evaluate(select, piece)

    point_at("red0")
    page.wait_for_function("() => document.querySelectorAll('g.chosen[data-piece]').length === 1")
    point_at("red4")
    page.wait_for_function("() => document.querySelectorAll('g.chosen[data-piece]').length === 2")
    point_at("red7")
    page.wait_for_function("() => document.querySelectorAll('g.chosen[data-piece]').length === 3")
    assert buttons.count() == 32 and not more.is_visible()
    assert buttons.first.inner_text().count("red") == 3
    point_at("red4")
    page.wait_for_function("() => document.querySelectorAll('g.chosen[data-piece]').length === 2")
    assert buttons.count() == 60
