"""Measures exported pages in headless Chromium: `python -m tests.bench.exported_pages napoleon denain-1712`.

Processor seconds are those of all processes and threads of the browser, so that a busy machine changes them little.
Also compares a whole game of greedy bots on the page with one in this Python: the same choices, the same hash.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import psutil
from playwright.sync_api import Page, sync_playwright

from interpreter.api.game import load
from interpreter.cli.main import main as command
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from tests.browsers import BROWSER
from tests.file_server import serve_folder

CHOICES = 15
SEED = 3


def browser_seconds() -> float:
    """Processor seconds of the browser so far."""
    found = 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            if "chrom" in process.name():
                found += sum(process.cpu_times()[:2])
        except psutil.Error:
            continue
    return found


class Clock:
    """Measures a step in processor seconds of the browser and in seconds of waiting."""

    def __init__(self) -> None:
        self.cpu, self.time = browser_seconds(), time.monotonic()

    def __str__(self) -> str:
        return f"{browser_seconds() - self.cpu:.2f} s of processor, {time.monotonic() - self.time:.2f} s"


def rest(page: Page) -> None:
    page.wait_for_selector("[data-option]:visible")
    page.wait_for_function("() => document.querySelector('#prompt.yours') && !document.body.hasAttribute('aria-busy')")


def choose(page: Page) -> None:
    before = page.evaluate("document.body.dataset.version")
    if page.locator("#card:visible").count():
        page.keyboard.press("Escape")
    page.locator("[data-option]:visible").last.click()
    gone = "v => document.body.dataset.version !== v || document.querySelector('#alert .anyway')"
    page.wait_for_function(gone, arg=before)
    if page.locator("#alert .anyway").count():
        page.locator("#alert .anyway").click()
    rest(page)


def measure(ruleset: str, folder: Path) -> None:
    seats = list_seats(load(ruleset).start())
    words = [word for n, seat in enumerate(seats) for word in ("--side", f"{seat}={'greedy' if n else 'human'}")]
    assert command(["export", ruleset, "--out", str(folder), *words]) == 0
    with serve_folder(folder) as server, sync_playwright() as driver:
        context = driver.chromium.launch(executable_path=BROWSER).new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        page.goto("about:blank")
        page.wait_for_timeout(500)
        clock = Clock()
        page.goto(server.address)
        page.wait_for_selector("[data-option]:visible")
        print(f"{ruleset}: first visit until the first option: {clock}; {page.evaluate('grognard.marks')}")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_timeout(4000)
        print(f"{ruleset}: loaded at the first visit, also to work offline: {server.sent / 1e6:.2f} MB")
        clock = Clock()
        page.reload()
        page.wait_for_selector("[data-option]:visible")
        print(f"{ruleset}: later visit until the first option: {clock}; {page.evaluate('grognard.marks')}")
        page.wait_for_timeout(4000)
        rest(page)
        clock = Clock()
        for _ in range(CHOICES):
            choose(page)
        print(f"{ruleset}: {CHOICES} choices with the bots' answers and all that is shown: {clock}")
        compare(page, ruleset, seats)


def compare(page: Page, ruleset: str, seats: list[str]) -> None:
    """Play a whole game of greedy bots on the page and here."""
    from interpreter.api.game_code import GameCode, encode_code

    bots = dict.fromkeys(seats, "greedy")
    code = encode_code(GameCode(ruleset, "", "", (), SEED, bots))
    clock = Clock()
    page.evaluate("code => { location.hash = `game=${code}`; location.reload(); }", code)
    page.wait_for_function("() => window.grognard?.marks")
    outcome = "() => grognard.request('GET', '/api/scene').then((answer) => JSON.parse(answer.body).outcome.length)"
    while not page.evaluate(outcome):
        page.wait_for_timeout(500)
    saved = json.loads(page.evaluate("grognard.request('GET', '/api/saved').then((answer) => answer.body)"))
    print(f"{ruleset}: whole game of greedy bots, {saved['choices']} choices, shown while it is played: {clock}")
    begun = time.process_time()
    game, players = load(ruleset).start(seed=SEED), make_bots(bots, SEED)
    while not game.over:
        game.pick(players[game.decision.seat].choose(game))
    same = game.hash() in saved["journal"] and len(game.keys) == saved["choices"]
    print(f"{ruleset}: the same game here, not shown: {time.process_time() - begun:.2f} s; equal: {same}")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as made:
            measure(name, Path(made) / name)
