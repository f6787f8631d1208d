"""A page whose question for news was lost, as on a connection that died while its machine slept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.patience import PATIENCE

from .reverse_proxy import reverse_proxy
from .test_browser import until, version
from .test_serving import ask


@pytest.fixture
def lost(lobby_server, browser):
    """Yield a page whose request a proxy has swallowed, and the game, which then continued: `(page, game)`."""
    address = lobby_server.game("napoleon")
    served = lobby_server.served(address)
    with reverse_proxy(lobby_server.place) as proxy, browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.clock.install()
        page.goto(address.replace(lobby_server.base, f"http://127.0.0.1:{proxy.port}"))
        shows(page, served.version)
        assert proxy.asked.wait(PATIENCE)
        proxy.swallow.set()
        go_on(address, served)
        assert proxy.swallowed.wait(PATIENCE)
        shows(page, served.version)
        go_on(address, served)
        page.clock.pause_at(clock_of(page) + timedelta(seconds=2))  # from here on time passes only as a test says
        yield page, served


def shows(page, seen: str) -> None:
    """Wait until a page shows a version of its game."""
    until(page, "seen => document.body.dataset.version === seen", arg=seen)


def clock_of(page) -> datetime:
    """Return the time of the page's own clock."""
    return datetime.fromtimestamp(page.evaluate("Date.now()") / 1000, UTC)


def go_on(address: str, served) -> None:
    """Another page makes a choice."""
    ask(address, "/api/choose", {"key": served.game.decision.options[0].key})


@pytest.mark.parametrize(
    "event",
    [
        "document.dispatchEvent(new Event('visibilitychange'))",
        "window.dispatchEvent(new Event('online'))",
        "window.dispatchEvent(new Event('focus'))",
        "window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))",
    ],
)
def test_page_shown_again_reloads(lost, event):
    page, served = lost
    assert version(page) != served.version
    page.evaluate(event)
    shows(page, served.version)
    assert page.locator("#alert").inner_text() == ""


def test_page_gives_question_up_that_no_server_holds_so_long(lost):
    page, served = lost
    page.clock.run_for(36_000)
    shows(page, served.version)
    assert page.locator("#alert").inner_text() == ""


def test_page_reloads_after_clock_jump(lost):
    page, served = lost
    page.clock.set_system_time(clock_of(page) + timedelta(hours=8))
    page.clock.run_for(5_000)
    shows(page, served.version)
