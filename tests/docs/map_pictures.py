"""Pictures of maps: whole sheets, and the board at playing zoom, in light and dark. Made by `tests.docs.pictures`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.browsers import BROWSER, BROWSERS
from tests.docs.board_pictures import _QUALITY, ROOT, NoBrowserError, _picture
from tests.patience import PATIENCE

_ACROSS = 1400  # pixels of a sheet
_COUNTER = 64  # pixels of a counter at playing zoom
_WHEEL, _TURNS = -120, 24
GAMES = {"hexes": "denain-1712", "areas": "napoleon"}


def _sheet(ruleset: str, *dark: str) -> Callable[[Path], None]:
    """Return a maker that draws the sheet of a game's map with its set-up, as `show map` writes it, by a browser."""

    def make(file: Path) -> None:
        drawn = Path(tempfile.mkdtemp(prefix="sheets-")) / "map.svg"
        words = [sys.executable, "-m", "interpreter", "show", ruleset, "map", *dark, "--svg", str(drawn)]
        subprocess.run(words, check=True, cwd=ROOT, timeout=PATIENCE, capture_output=True)
        if BROWSER is None:
            raise NoBrowserError(f"none of {', '.join(BROWSERS)} is installed")
        try:
            from playwright.sync_api import sync_playwright
        except ImportError:
            raise NoBrowserError("playwright is not installed") from None
        with sync_playwright() as driver:
            opened = driver.chromium.launch(executable_path=BROWSER)
            page = opened.new_page(viewport={"width": _ACROSS, "height": 800})
            page.goto(_wrapped(drawn))
            page.locator("img").screenshot(path=str(file), type="jpeg", quality=_QUALITY)
            opened.close()

    return make


def _wrapped(drawn: Path) -> str:
    page = drawn.with_suffix(".html")
    page.write_text(f'<body style="margin:0"><img width="{_ACROSS}" src="{drawn.name}">', encoding="utf-8")
    return page.as_uri()


def _close(page: Any) -> None:
    """Zoom in on counters, best on one that can be ordered, until they are as large as one plays with them."""
    page.wait_for_selector(".pieces > g", state="attached")
    able = page.locator(".pieces g.orderable")
    counter = able.first if able.count() else page.locator(".pieces > g").first
    for _ in range(_TURNS):
        box = counter.bounding_box()
        if box is None or box["width"] >= _COUNTER:
            break
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.wheel(0, _WHEEL)
        page.wait_for_timeout(60)
    page.mouse.move(4, 4)
    page.wait_for_timeout(3000)  # the painting comes after the counters


def _board(ruleset: str, scheme: str) -> Callable[[Path], None]:
    look = {"viewport": {"width": 1400, "height": 900}, "color_scheme": scheme}
    return _picture(_close, ruleset, "--seed", "3", quality=_QUALITY, **look)


PICTURES: Mapping[str, Callable[[Path], None]] = {
    **{f"map-{name}.jpg": _sheet(ruleset) for name, ruleset in GAMES.items()},
    **{f"map-{name}-dark.jpg": _sheet(ruleset, "--dark") for name, ruleset in GAMES.items()},
    **{f"board-{name}.jpg": _board(ruleset, "light") for name, ruleset in GAMES.items()},
    **{f"board-{name}-dark.jpg": _board(ruleset, "dark") for name, ruleset in GAMES.items()},
}
