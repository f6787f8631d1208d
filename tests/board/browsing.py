"""Player actions on the page in a browser: read, press, and wait until the game has advanced."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.patience import wait_until

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def prompt(page) -> str:
    return page.get_by_role("status").inner_text()


def options(page):
    return page.locator("button[data-option]:visible")


def version(page) -> str:
    return page.evaluate("document.body.dataset.version")


def until(page, condition: str, arg=None) -> None:
    """Wait until a condition of the page holds; polls by the clock, because a busy machine draws few frames."""
    page.wait_for_function(condition, arg=arg, polling=50)


def wait_for_event(page, condition: Callable[[], object]) -> None:
    """Wait until a condition here holds that an event of the page fulfils; it may have stopped its own clock."""
    wait_until(lambda: page.evaluate("0") == 0 and condition())  # pending events of the page arrive with an answer


def wait_for_change(page, before: str) -> None:
    """Wait until the page shows another position and accepts the next choice; confirm by a key where it asks."""
    shown = """before => !document.body.hasAttribute('aria-busy') &&
        (document.body.dataset.version !== before || document.activeElement.matches('#alert .anyway'))"""
    until(page, shown, arg=before)
    if version(page) == before:
        page.keyboard.press("Enter")
        until(page, shown.replace("|| document.activeElement.matches('#alert .anyway')", ""), arg=before)


def my_turn(page) -> None:
    until(page, "() => document.querySelector('#prompt').classList.contains('yours')")


def choose(page, number: int = 0) -> None:
    """Press an option's button and wait until the game has advanced."""
    before = version(page)
    options(page).nth(number).click()
    wait_for_change(page, before)


def press(page, name: str) -> None:
    """Press the order with these words and wait until the game has advanced."""
    before = version(page)
    page.get_by_role("button", name=name, exact=True).click()
    wait_for_change(page, before)


def turn(page) -> int:
    return int(re.search(r"\d+", page.locator("#heading").inner_text())[0])


def focused(page, attribute: str) -> str | None:
    """Return an attribute of the focused element."""
    return page.evaluate("name => document.activeElement.getAttribute(name)", attribute)


# Take the usual way through a lesson up to a step, as `advance` does, and wait until the page shows it.
ADVANCE = """async (number) => {
  const { get, post } = await import(new URL("page/server.js", document.baseURI));
  for (;;) {
    const { lesson } = await get("/api/scene");
    if (lesson.number >= number) return;
    const [target] = lesson.targets;
    const look = { do: "look", kind: target?.kind, ids: [target?.id] };
    const body = { read: { do: "next" }, look, order: { key: lesson.keys[0] } };
    await post(lesson.asks === "order" ? "/api/choose" : "/api/lesson", body[lesson.asks]);
  }
}"""


def advance_page(page, number: int) -> None:
    page.evaluate(ADVANCE, number)
    wait_for_step(page, number)


def wait_for_step(page, number: int) -> None:
    until(page, "text => document.querySelector('.lesson-count').textContent.startsWith(text)", f"Step {number} of ")


def tab(page, name: str) -> None:
    """Open a tab of the side bar."""
    page.get_by_role("tab", name=name).click()


def menu(page, name: str) -> None:
    """Press a button of the menu."""
    page.locator("#more summary").click()
    page.get_by_role("button", name=name, exact=True).click()
