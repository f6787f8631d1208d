"""Accessibility: axe-core reports nothing on any page, in light and dark schemes, wide and narrow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.cli.main import main
from interpreter.players.ownership import list_seats
from interpreter.ui.web.bot_runner import BotRunner
from tests.board.browsing import options, press, tab, until, version, wait_for_change
from tests.tools.test_drawing import MAP, PIECES, RULESET, SCENARIO
from tests.tools.test_scans import png

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed (extra `dev`)")

WIDE, NARROW = (1440, 900), (390, 844)
TABS = ("Log", "Status", "Charts", "Rules", "Chat", "Orders")
GAMES = ("denain-1712", "napoleon")


def expect_no_finding(page, what: str, sizes: Sequence[tuple[int, int]] = (WIDE, NARROW)) -> None:
    """Run axe-core on a page in each size and both schemes; nothing may overflow its width."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (what, width)
            found = axe.Axe().run(page).response["violations"]
            told = [(one["id"], one["impact"], one["nodes"][0]["html"][:120]) for one in found]
            assert told == [], (what, width, scheme)
    page.emulate_media(reduced_motion="no-preference")  # the next visitor has this page


@pytest.mark.served
def test_start_page_and_lesson_have_no_axe_finding(lobby_server, open_page):
    page = open_page(lobby_server.address, there=".start-card")
    expect_no_finding(page, "start page")
    page.click("[data-lesson=napoleon]")
    page.wait_for_selector("#lesson:not([hidden])")
    expect_no_finding(page, "lesson")


@pytest.mark.parametrize("game", GAMES)
def test_tabs_of_board_have_no_axe_finding(lobby_server, open_page, game):
    page = open_page(lobby_server.game(game, seed=3))
    for name in TABS:
        tab(page, name)
        expect_no_finding(page, f"{game}, {name}", [WIDE if name == "Orders" else NARROW])


def test_card_and_menu_have_no_axe_finding(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", seed=3), has_touch=True)
    press(page, "move and fight")
    page.locator("button[data-option$=', 10)']").first.click()
    until(page, "() => document.querySelector('#prompt').textContent.includes('march')")
    before = version(page)
    options(page).filter(has_text="Austria").first.click()
    wait_for_change(page, before)
    page.locator("#card h2").wait_for()
    page.locator("#more summary").click()
    expect_no_finding(page, "card and menu")


@pytest.mark.served
@pytest.mark.parametrize("game", GAMES)
def test_end_of_game_has_no_axe_finding(lobby_server, open_page, game):
    """Check that the end of a game names the winner, the reason and the margin, and fits a phone in landscape."""
    address = lobby_server.game(game, dict.fromkeys(list_seats(load(game).start()), "random"), seed=3)
    served = lobby_server.served(address)
    runner = BotRunner(served)
    while not served.game.over:
        runner.run_turn()
    page = open_page(address, there="dialog.end h2")
    assert " wins" in page.inner_text("dialog.end .hero") and "ahead" in page.inner_text("dialog.end .hero")
    expect_no_finding(page, f"end of {game}")
    page.set_viewport_size({"width": 844, "height": 390})
    page.locator(".end-course .course").first.scroll_into_view_if_needed()
    inside = """() => { const [drawn, body] = ['.end-course > .course', '.end-body'].map((one) =>
        document.querySelector(one).getBoundingClientRect());
        return drawn.top >= body.top - 1 && drawn.bottom <= body.bottom + 1 }"""
    assert page.evaluate(inside), "the chart is not cut"


def test_reports_and_pictures_have_no_axe_finding(served_games, browser, tmp_path):
    """Run axe-core on the page of a report and on the pictures of a replay."""
    served = served_games.served(served_games.game("napoleon", {"allies": "random", "france": "random"}))
    runner = BotRunner(served)
    for _ in range(24):
        runner.run_turn()
    report, folder = tmp_path / "report.html", tmp_path / "pictures"
    assert main(["report", str(served.autosave.path), "--html", str(report)]) == 0
    assert main(["replay", str(served.autosave.path), "--pictures", str(folder)]) == 0
    drawn = next(iter(sorted(folder.glob("*.svg")))).read_text(encoding="utf-8")
    head = '<!doctype html><html lang="en"><title>picture</title><style>svg{max-width:100%}</style>'
    shown = f"{head}<main><h1>picture</h1>{drawn}</main></html>"
    (tmp_path / "picture.html").write_text(shown, encoding="utf-8")
    expect_no_finding_in_files(browser, (report, tmp_path / "picture.html"))


def test_page_for_calibration_has_no_axe_finding(browser, tmp_path):
    for name, text in {"ruleset": RULESET, "map": MAP, "pieces": PIECES, "scenario": SCENARIO}.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "map.png").write_bytes(png(800, 600))
    page = tmp_path / "align.html"
    assert main(["align", str(tmp_path), str(tmp_path / "map.png"), "--out", str(page)]) == 0
    expect_no_finding_in_files(browser, (page,))


def expect_no_finding_in_files(browser, pages: Sequence[Path]) -> None:
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    for file in pages:
        page.goto(file.as_uri())
        expect_no_finding(page, file.name)
    context.close()
