"""Player actions on the page in a browser: read, press, and wait until the game has advanced."""

from __future__ import annotations

import re

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


def tab(page, name: str) -> None:
    """Open a tab of the side bar."""
    page.get_by_role("tab", name=name).click()


def menu(page, name: str) -> None:
    """Press a button of the menu."""
    page.locator("#more summary").click()
    page.get_by_role("button", name=name, exact=True).click()
