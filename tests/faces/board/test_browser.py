"""The page in a real browser: played by mouse, by keyboard, by two at once, in two languages, wide and narrow."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra `dev`)")
pytest.importorskip("starlette", reason="the extra `board` is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed (extra `dev`)")

ROOT = Path(__file__).resolve().parents[3]
BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no browser: install the package `chromium` of the system")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with playwright.sync_playwright() as driver:
        try:
            found = driver.chromium.launch(executable_path=BROWSER)
        except playwright.Error as fault:
            pytest.skip(f"the browser {BROWSER} does not start: {str(fault).splitlines()[0]}")
        yield found
        found.close()


@pytest.fixture
def serving(tmp_path):
    """Serves in a process of its own: `with serving("napoleon", "--seed", "1") as (address, process)`."""

    @contextmanager
    def start(*arguments: str):
        process = subprocess.Popen(
            [sys.executable, "-m", "interpreter", "serve", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path)},
        )
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip(), process
        finally:
            process.terminate()
            assert process.wait(60) == 0
            assert process.stderr is not None
            assert process.stderr.read() == ""

    return start


@contextmanager
def opened(browser, address: str, width: int = 1600, height: int = 1000, **more):
    """A page in a profile of its own, on which nothing may go wrong unseen."""
    context = browser.new_context(viewport={"width": width, "height": height}, **more)
    page = context.new_page()
    page.set_default_timeout(90_000)  # for machines with much else to do
    wrong: list[str] = []
    page.on("console", lambda told: wrong.append(told.text) if told.type in ("error", "warning") else None)
    page.on("pageerror", lambda fault: wrong.append(str(fault)))
    page.goto(address)
    page.wait_for_selector("[data-place]")
    page.wait_for_function("() => document.querySelector('#prompt').innerText")
    yield page
    context.close()
    assert [text for text in wrong if "Failed to load resource" not in text] == []


def prompt(page) -> str:
    return page.get_by_role("status").inner_text()


def options(page):
    return page.locator("button[data-option]:visible")


def choose(page, number: int = 0) -> None:
    """Press an option's button and wait until the game has gone on."""
    before = page.evaluate(
        "document.querySelector('#log ol').children.length + document.querySelector('.options').innerText"
    )
    options(page).nth(number).click()
    page.wait_for_function(
        "before => document.querySelector('#log ol').children.length + document.querySelector('.options').innerText"
        " !== before",
        arg=before,
    )


def turn(page) -> int:
    return int(re.search(r"\d+", page.locator("#heading").inner_text())[0])


@pytest.mark.parametrize("ruleset", ["napoleon", "denain-1712"])
def test_a_whole_turn_is_played_with_the_mouse(browser, serving, ruleset):
    sides = ["--side", "allies=random"] if ruleset == "napoleon" else ["--side", "allied=random"]
    with serving(ruleset, "--seed", "2", *sides) as (address, _), opened(browser, address) as page:
        first = turn(page)
        for _step in range(250):
            page.wait_for_function("() => document.querySelector('#prompt').classList.contains('yours')")
            if turn(page) > first:
                break
            finishing = page.locator(
                "button[data-option='done'], button[data-option='pass'], button[data-option='stay']"
            )
            if finishing.count():
                finishing.first.click()
                page.wait_for_function("() => !document.body.hasAttribute('aria-busy')")
            else:
                choose(page, options(page).count() - 1)
        assert turn(page) == first + 1
        assert page.locator("#log li").count() > 3


def test_a_march_is_planned_on_the_map_then_taken_and_taken_back(browser, serving):
    with serving("denain-1712", "--seed", "3") as (address, _), opened(browser, address) as page:
        piece = page.locator(".pieces g.orderable").first
        name = piece.get_attribute("data-piece")
        start = page.locator(f"[data-piece='{name}']").get_attribute("transform")
        piece.click()
        assert options(page).count() < 60
        place = page.locator(".place.reach").last
        place.dispatch_event("click")
        page.locator(".do-it").click()
        page.wait_for_function(
            "([name, start]) => document.querySelector(`[data-piece='${name}']`).getAttribute('transform') !== start",
            arg=[name, start],
        )
        page.get_by_role("button", name="undo", exact=True).click()
        page.wait_for_function(
            "([name, start]) => document.querySelector(`[data-piece='${name}']`).getAttribute('transform') === start",
            arg=[name, start],
        )
        assert page.get_by_role("button", name="redo", exact=True).is_enabled()


def test_exact_odds_and_the_rule_behind_them(browser, serving):
    with (
        serving("napoleon", "--seed", "4", "--side", "allies=random") as (address, _),
        opened(browser, address) as page,
    ):
        page.locator("#more summary").click()
        page.get_by_role("button", name="charts").click()
        page.locator("dialog button").filter(has_text="Combat").first.click()
        page.locator("dialog table").wait_for()
        page.locator("dialog button.cite").first.click()
        page.wait_for_function("() => (document.querySelector('dialog .lines')?.innerText ?? '').length > 20")
        page.get_by_role("button", name="back", exact=True).click()
        page.locator("dialog table").wait_for()
        page.keyboard.press("Escape")
        secret = address.partition("seat=")[2]
        key = options(page).first.get_attribute("data-option")
        told = page.evaluate(
            "([key, seat]) => fetch('/api/ask/odds?key=' + encodeURIComponent(key),"
            " {headers: {Authorization: 'Bearer ' + seat}}).then(a => a.json())",
            [key, secret],
        )
        assert told["lines"]


def test_two_seats_play_at_once_and_a_third_looks_on(browser, serving):
    with serving("napoleon", "--seed", "1") as (address, _), opened(browser, address) as host:
        base = address.partition("/?")[0]
        host.locator("#more summary").click()
        host.get_by_role("button", name="players").click()
        host.locator("dialog a").first.wait_for()
        links = [
            base + path for path in host.locator("dialog a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
        ]
        host.keyboard.press("Escape")
        assert len(links) == 3
        with opened(browser, links[0]) as one, opened(browser, links[1]) as two, opened(browser, links[2]) as onlooker:
            seats = {"mine": one, "other": two}
            for _ in range(4):
                one.wait_for_function("() => document.querySelector('#prompt').innerText")
                mine = one if options(one).count() else two
                other = two if mine is one else one
                assert options(other).count() == 0 and options(onlooker).count() == 0
                before = other.locator("#log li").count()
                choose(mine)
                other.wait_for_function("n => document.querySelectorAll('#log li').length !== n", arg=before)
                onlooker.wait_for_function("n => document.querySelectorAll('#log li').length !== n", arg=before)
                host.wait_for_function("n => document.querySelectorAll('#log li').length !== n", arg=before)
            assert len(seats) == 2


def test_a_killed_game_is_resumed_by_the_same_link(browser, serving, tmp_path):
    with serving("napoleon", "--seed", "1") as (address, process), opened(browser, address) as page:
        for _ in range(3):
            choose(page)
        told = page.locator("#log").inner_text()
        process.send_signal(signal.SIGKILL)
        process.wait(60)
        process.returncode = 0
        page.context.set_offline(True)
    with serving("napoleon-1") as (again, _), opened(browser, again) as page:
        assert again.partition("seat=")[2] == address.partition("seat=")[2]
        assert page.locator("#log").inner_text() == told
        choose(page)


def test_saved_games_are_listed_and_opened(browser, serving):
    with serving("napoleon", "--seed", "1"):
        pass
    with serving() as (address, _):
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        page.get_by_role("button", name="napoleon-1").click()
        page.wait_for_selector("[data-place]")
        assert options(page).count() > 0
        context.close()


def test_played_by_keyboard_alone_in_japanese(browser, serving):
    with (
        serving("napoleon", "--seed", "1", "--lang", "ja") as (address, _),
        opened(browser, address, locale="ja-JP") as page,
    ):
        assert page.locator("html").get_attribute("lang") == "ja"
        assert JAPANESE.search(prompt(page))
        before = page.locator("#log li").count()
        page.locator(".place[tabindex='0']").focus()
        first = page.evaluate("document.activeElement.dataset.place")
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown", "ArrowRight"):
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.place") != first
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("Boolean(document.activeElement.dataset.option)"):
                break
        page.keyboard.press("Enter")
        page.wait_for_function("n => document.querySelectorAll('#log li').length > n", arg=before)


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (360, "dark"), (1600, "light"), (1600, "dark")])
def test_axe_finds_nothing_serious_wide_or_narrow_light_or_dark(browser, serving, width, scheme):
    with (
        serving("napoleon", "--seed", "1") as (address, _),
        opened(browser, address, width, 740 if width == 360 else 1000, color_scheme=scheme) as page,
    ):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator("#more summary").click()
        found = axe.Axe().run(page).response["violations"]
        serious = [(v["id"], v["nodes"][0]["html"][:120]) for v in found if v["impact"] in ("serious", "critical")]
        assert serious == []


def test_places_and_options_can_be_hit_with_a_finger(browser, serving):
    with serving("napoleon", "--seed", "1") as (address, _), opened(browser, address, 360, 740, has_touch=True) as page:
        sizes = options(page).evaluate_all("all => all.map(b => b.getBoundingClientRect().height)")
        assert min(sizes) >= 40
        for _ in range(3):
            page.get_by_role("button", name="closer").tap()
        wide = page.locator(".place").first.bounding_box()
        assert min(wide["width"], wide["height"]) >= 40


def test_looking_back_shows_the_game_as_it_stood(browser, serving):
    with serving("napoleon", "--seed", "1") as (address, _), opened(browser, address) as page:
        first = prompt(page)
        for _ in range(3):
            choose(page)
        now = page.locator("#log").inner_text()
        page.locator("#more summary").click()
        page.get_by_role("button", name="look back").click()
        page.locator("#replay input").fill("0")
        page.wait_for_function("n => document.querySelector('#prompt').innerText === n", arg=first)
        assert "0" in page.locator("#replay p").inner_text() and prompt(page) == first
        page.keyboard.press("Escape")
        page.wait_for_function("n => document.querySelector('#log').innerText === n", arg=now)
