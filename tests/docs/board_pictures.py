"""Pictures of the board in the browser, taken by a browser of the system. Made by `tests.docs.pictures`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browsers import BROWSER, BROWSERS
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
_TRIES, _A_LOOK = 5, 300  # how often it is played on; milliseconds in which a reach is shown
_MOVES = 70  # choices before the picture
Take = Callable[[Any], None]


class NoBrowserError(Exception):
    """There is no browser here that takes pictures of pages."""


@contextmanager
def _served(*arguments: str) -> Iterator[str]:
    """The address of a game that is served in a process of its own."""
    folder = tempfile.mkdtemp(prefix="board-")
    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter", "serve", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": folder},
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _picture(take: Take, *arguments: str, quality: int | None = None, **look: Any) -> Callable[[Path], None]:
    """What is seen of a page after `take` has used it; `look` is that of its browser, `quality` that of a JPEG."""

    def make(file: Path) -> None:
        try:
            from playwright.sync_api import sync_playwright
        except ImportError:
            raise NoBrowserError("playwright is not installed") from None
        if BROWSER is None:
            raise NoBrowserError(f"none of {', '.join(BROWSERS)} is installed")
        with _served(*arguments) as address, sync_playwright() as driver:
            opened = driver.chromium.launch(executable_path=BROWSER)
            page = opened.new_context(**look).new_page()
            page.set_default_timeout(PATIENCE * 1000)
            page.goto(address)
            page.wait_for_selector("button[data-option]")
            take(page)
            page.screenshot(path=str(file), **({"type": "jpeg", "quality": quality} if quality else {}))
            opened.close()

    return make


def _go_on(page: Any, choices: int) -> None:
    """Choose, always by the same rule, and stop where somebody on the map is to be ordered."""
    for number in range(choices):
        page.wait_for_function("() => document.querySelector('#prompt').classList.contains('yours')")
        if number > choices - 30 and page.locator(".pieces g.orderable").count() > 3:
            return
        end = page.locator("button[data-option='done']")
        buttons = end if end.count() and number % 3 else page.locator("button[data-option]")
        before = page.locator("#log li").count()
        buttons.nth((number * 7) % buttons.count()).dispatch_event("click")
        page.wait_for_function("n => document.querySelectorAll('#log li').length !== n", arg=before)


def _march(page: Any) -> None:
    """Pick the first piece that can go somewhere; where nobody can, play on."""
    for _ in range(_TRIES):
        _go_on(page, _MOVES)
        able = page.locator(".pieces g.orderable")
        for number in range(able.count()):
            able.nth(number).dispatch_event("click")
            page.wait_for_timeout(_A_LOOK)
            if page.locator(".place.reach").count():
                return
            page.keyboard.press("Escape")
    raise AssertionError("nobody can go anywhere")


def _plan(page: Any) -> None:
    _march(page)
    page.locator(".place.reach").last.dispatch_event("click")
    page.locator(".do-it").wait_for()


def _overlay(page: Any) -> None:
    page.locator("#more summary").click()
    page.locator("#menu select").last.select_option(index=5)
    page.wait_for_selector(".tint")
    page.locator("#more summary").click()


def _first(page: Any) -> None:
    page.wait_for_function("() => document.querySelector('#map image').href.baseVal")
    page.wait_for_timeout(500)


_WIDE = {"viewport": {"width": 1400, "height": 900}}
PICTURES: Mapping[str, Callable[[Path], None]] = {
    "board.png": _picture(_march, "denain-1712", "--seed", "3", **_WIDE),
    "board-plan.png": _picture(_plan, "denain-1712", "--seed", "3", **_WIDE),
    "board-overlay.png": _picture(_overlay, "denain-1712", "--seed", "3", color_scheme="dark", **_WIDE),
    "board-phone.png": _picture(
        _first, "napoleon", "--seed", "3", "--lang", "ja", viewport={"width": 360, "height": 740}, has_touch=True
    ),
}
