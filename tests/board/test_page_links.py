"""Links in the page: where the secret stays, and what brings one to another seat, game or language."""

from __future__ import annotations

import pytest

from .test_browser import choose, menu, options, prompt, until

pytestmark = pytest.mark.served  # links of seats


def secret_of(address: str) -> str:
    return address.partition("seat=")[2]


@pytest.mark.parametrize("mark", ["?", "#"])
def test_secret_leaves_address_bar_and_outlives_reload(lobby_server, open_page, mark):
    address = lobby_server.game("napoleon")
    page = open_page(address.replace("?", mark))
    assert page.url == f"{lobby_server.base}/"
    choose(page)
    told = prompt(page)
    page.reload()
    until(page, "told => document.querySelector('#prompt').innerText === told", arg=told)
    assert page.url == f"{lobby_server.base}/"


def test_back_and_forward_lead_to_list_and_to_game(lobby_server, open_page):
    with lobby_server.own_folders():
        name = lobby_server.served(lobby_server.game("napoleon")).name
        page = open_page(lobby_server.address, there=".start-card")
        page.get_by_role("button", name=f"Continue: {name}", exact=True).click()
        page.wait_for_selector("[data-place]")
        assert page.url == f"{lobby_server.base}/"
        page.go_back()
        page.wait_for_selector(".start-card")
        page.go_forward()
        page.wait_for_selector("[data-place]")


def test_link_of_another_seat_in_same_tab_opens_that_seat(lobby_server, open_page):
    links = lobby_server.addresses("napoleon")
    page = open_page(links["onlooker"])
    assert options(page).count() == 0
    page.evaluate("link => { location.href = link; }", links["host"].replace("?", "#"))
    options(page).first.wait_for()
    assert page.url == f"{lobby_server.base}/"
    page.evaluate("link => { location.href = link; }", links["host"].replace("?", "#"))
    until(page, "clean => location.href === clean", arg=f"{lobby_server.base}/")
    assert options(page).count(), "a link of the same seat changes nothing"


def test_another_language_keeps_seat(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon"))
    page.locator("#more summary").click()
    page.get_by_label("Language").select_option("ja")
    page.wait_for_url(f"{lobby_server.base}/?lang=ja")
    options(page).first.wait_for()
    assert page.locator("html").get_attribute("lang") == "ja"


def test_players_shows_links_that_others_open_and_ones_own(lobby_server, open_page):
    links = lobby_server.addresses("napoleon")
    page = open_page(links["host"])
    menu(page, "Players")
    page.locator("dialog a").nth(3).wait_for()
    found = page.locator("dialog a").evaluate_all("all => all.map(one => one.href)")
    secrets = [secret_of(links[who]) for who in ("france", "allies", "onlooker", "host")]
    assert sorted(found) == sorted(f"{lobby_server.base}/#seat={secret}" for secret in secrets)
    assert page.get_by_text("--host 0.0.0.0").is_visible(), "this board is for this machine alone"
    seat = open_page(links["france"])
    menu(seat, "Players")
    seat.locator("dialog a").wait_for()
    assert seat.locator("dialog a").get_attribute("href") == f"{lobby_server.base}/#seat={secret_of(links['france'])}"


def test_link_is_shown_to_be_copied_where_browser_copies_none(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon"))
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    menu(page, "Players")
    page.get_by_role("button", name="Copy: onlookers").click()
    field = page.get_by_role("textbox", name="onlookers")
    assert field.input_value().startswith(f"{lobby_server.base}/#seat=")
    assert page.evaluate("getSelection().toString()") == field.input_value()


def test_page_without_valid_link_shows_alert(lobby_server, open_page):
    page = open_page(f"{lobby_server.base}/", there="#alert")
    assert "link" in page.locator("#alert").inner_text()
    page = open_page(f"{lobby_server.base}/?seat=wrong", there="#alert")
    assert "does not belong to an open game" in page.locator("#alert").inner_text()
