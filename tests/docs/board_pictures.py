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

from tests.board.browsing import my_turn, wait_for_change
from tests.browsers import BROWSER, BROWSERS
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
_QUALITY = 84  # of a JPEG; a painted map is too large as a PNG
_A_LOOK = 1500  # milliseconds until the painting is drawn
_MOST = 60  # choices before a unit can march
_PREFERRED = ("done", "act_first", "name(right_wing)")
_MARCHES, _GOAL = "navarre", "1513"
Take = Callable[[Any], None]


class NoBrowserError(Exception):
    """No browser on this machine can take pictures of pages."""


@contextmanager
def _served(*arguments: str) -> Iterator[str]:
    """Serve a game in a process of its own; yield its address."""
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
    """Return a function that saves a picture of a page after `take` has used it.

    `look` holds the browser's settings, `quality` the JPEG quality, or None for a PNG.
    """

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
            page.wait_for_selector("button[data-option]", state="attached")
            take(page)
            page.screenshot(path=str(file), **({"type": "jpeg", "quality": quality} if quality else {}))
            opened.close()

    return make


def _choose(page: Any, key: str) -> None:
    """Choose an option by its key, and confirm it where the page asks."""
    before = page.evaluate("document.body.dataset.version")
    page.locator(f"button[data-option='{key}']").first.dispatch_event("click")
    wait_for_change(page, before)
    my_turn(page)


def _reach_movement(page: Any) -> None:
    """Play until units can march: choose preferred orders where they are offered, else the first one."""
    my_turn(page)
    for _ in range(_MOST):
        keys = page.locator("button[data-option]").evaluate_all("all => all.map((one) => one.dataset.option)")
        if f"go({_MARCHES})" in keys:
            return
        _choose(page, next((key for key in _PREFERRED if key in keys), keys[0]))
    raise AssertionError("nobody can march")


def _march(page: Any) -> None:
    """Select a unit that can march, and show where it can go."""
    _reach_movement(page)
    page.locator(f".pieces g.orderable[data-piece='{_MARCHES}']").dispatch_event("click")
    page.wait_for_selector(".place.reach")
    page.wait_for_timeout(_A_LOOK)


def _plan(page: Any) -> None:
    _march(page)
    page.locator(f".place.reach[data-place='{_GOAL}']").dispatch_event("click")
    page.locator(".do-it").wait_for()
    page.wait_for_timeout(_A_LOOK)


def _overlay(page: Any) -> None:
    _reach_movement(page)
    page.locator("#more summary").click()
    page.locator("#menu select").last.select_option(index=6)  # the zones of control
    page.wait_for_selector(".tint")
    page.locator("#more summary").click()
    page.wait_for_timeout(_A_LOOK)


def _battle(page: Any) -> None:
    """Send the whole army against Austria, and show the card of the battle."""
    my_turn(page)
    _choose(page, "move_combat")
    page.locator(".pieces g.orderable[data-piece]").first.dispatch_event("click")
    page.locator(".place.reach[data-place='austria']").dispatch_event("click")
    before = page.evaluate("document.body.dataset.version")
    page.locator(".do-it").click()
    wait_for_change(page, before)
    page.locator("#card h2").wait_for()
    page.mouse.move(4, 4)
    page.wait_for_timeout(_A_LOOK)


def _first(page: Any) -> None:
    page.wait_for_function("() => [...document.querySelectorAll('#map image')].some((one) => one.href.baseVal)")
    page.wait_for_timeout(_A_LOOK)


_WIDE = {"viewport": {"width": 1400, "height": 900}}
_TALL = {"viewport": {"width": 1400, "height": 1060}}
PICTURES: Mapping[str, Callable[[Path], None]] = {
    "board.jpg": _picture(_march, "denain-1712", "--seed", "3", quality=_QUALITY, **_WIDE),
    "board-plan.jpg": _picture(_plan, "denain-1712", "--seed", "3", quality=_QUALITY, **_WIDE),
    "board-overlay.jpg": _picture(
        _overlay, "denain-1712", "--seed", "3", quality=_QUALITY, color_scheme="dark", **_WIDE
    ),
    "board-card.jpg": _picture(
        _battle, "napoleon", "--side", "allies=greedy", "--seed", "3", quality=_QUALITY, **_TALL
    ),
    "board-phone.png": _picture(
        _first,
        "napoleon",
        "--seed",
        "3",
        "--lang",
        "ja",
        viewport={"width": 360, "height": 740},
        has_touch=True,
        device_scale_factor=2,
    ),
}
