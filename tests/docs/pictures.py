"""The pictures of the documentation, all made by the program itself: `docs/pictures/`.

Each function of `PICTURES` writes one file of the name under which it stands. What needs a browser is left as it is
where there is none, and that is said.

    python -m tests.docs.pictures [NAME ...]
"""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

from interpreter.cli.main import main as grognard
from tests.docs.board_pictures import BROWSERS, PICTURES as BOARD, NoBrowserError
from tests.docs.map_pictures import PICTURES as MAPS
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
_WIDE, _HIGH = 1000, 1300


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="pictures-"))


@cache
def game(ruleset: str, *sides: str) -> Path:
    """Return a saved game between bots, played once."""
    file = _folder() / f"{ruleset}.journal"
    bots = [word for side in sides for word in ("--side", f"{side}=greedy")]
    _run("play", ruleset, *bots, "--seed", "3", "--save", str(file))
    return file


def _run(*words: str) -> None:
    with redirect_stdout(StringIO()) as out:
        code = grognard(list(words))
    assert code == 0, out.getvalue()


def _phase(ruleset: str, sides: tuple[str, ...], title: str) -> Callable[[Path], None]:
    """Return a maker that copies the sheet of the first phase with this title in which a piece moves."""

    def make(file: Path) -> None:
        folder = _folder() / f"phases-{ruleset}"
        with redirect_stdout(StringIO()) as out:
            assert grognard(["replay", str(game(ruleset, *sides)), "--pictures", str(folder)]) == 0
        sheets = [line.partition(".svg")[0] + ".svg" for line in out.getvalue().splitlines() if title in line]
        shutil.copyfile(next(sheet for sheet in sheets if 'class="way"' in Path(sheet).read_text("utf-8")), file)

    return make


def _report(file: Path) -> None:
    """Draw the upper part of a report's page."""
    page = _folder() / "report.html"
    if not page.exists():
        _run("report", str(game("napoleon", "france", "allies")), "--html", str(page))
    shoot(page.as_uri(), file, _WIDE, _HIGH)


def shoot(address: str, file: Path, wide: int, high: int) -> None:
    """Take a picture of a page in a browser; raise NoBrowserError where there is none."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise NoBrowserError(f"none of {', '.join(BROWSERS)} is installed")
    profile = tempfile.mkdtemp(prefix="browser-")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}"]
    taken = file.with_suffix(".new.png")
    subprocess.run(
        [browser, *options, f"--window-size={wide},{high}", f"--screenshot={taken}", address],
        check=True,
        timeout=PATIENCE,
        capture_output=True,
    )
    taken.replace(file)


def _screen(*keys: str, size: tuple[int, int], played: int) -> Callable[[Path], None]:
    """Return a maker that draws the full screen of a terminal by a browser, after these keys."""

    def make(file: Path) -> None:
        page = _folder() / f"{file.stem}.html"
        drawn = asyncio.run(_terminal("denain-1712", keys, size, played))
        without = re.sub(r"@font-face\s*{[^}]*}", "", drawn)  # these would be fetched from elsewhere
        page.write_text(f'<body style="margin:0">{without}</body>', encoding="utf-8")
        found = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', without)
        assert found is not None
        shoot(page.as_uri(), file, *(round(float(length)) for length in found.groups()))

    return make


async def _terminal(ruleset: str, keys: tuple[str, ...], size: tuple[int, int], played: int) -> str:
    from tests.screen.headless import screen

    async with screen(ruleset, size, played=played) as board:
        for key in keys:
            await board.press(key)
        await board.pilot.pause(1.0)
        return board.app.export_screenshot()


PICTURES: Mapping[str, Callable[[Path], None]] = {
    "hexes.svg": _phase("denain-1712", ("french", "allied"), "turn 2, Operations"),
    "areas.svg": _phase("napoleon", ("france", "allies"), "Activity Phase"),
    "report.png": _report,
    **BOARD,
    **MAPS,
    "screen.png": _screen("enter", "enter", "right", "right", "enter", size=(140, 44), played=36),
    "screen-small.png": _screen("f2", "f5", size=(80, 24), played=2),
}


def main(names: list[str]) -> int:
    """Make all pictures, or those named; 1 where some could not be made here."""
    FOLDER.mkdir(exist_ok=True)
    left = 0
    for name in names or PICTURES:
        try:
            PICTURES[name](FOLDER / name)
            print(f"wrote docs/pictures/{name}")
        except NoBrowserError as problem:
            left = 1
            print(f"docs/pictures/{name} stays as it is: {problem}", file=sys.stderr)
    return left


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
