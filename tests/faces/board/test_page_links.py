"""Links in the page: where the secret stays, and what brings one to another seat, game or language."""

from __future__ import annotations

import pytest

from .test_browser import choose, menu, options, prompt, until

pytestmark = pytest.mark.served  # links of seats


def secret_of(address: str) -> str:
    return address.partition("seat=")[2]


@pytest.mark.parametrize("mark", ["?", "#"])
def test_secret_leaves_the_address_bar_and_outlives_a_reload(house, visit, mark):
    address = house.game("napoleon")
    page = visit(address.replace("?", mark))
    assert page.url == f"{house.base}/"
    choose(page)
    told = prompt(page)
    page.reload()
    until(page, "told => document.querySelector('#prompt').innerText === told", arg=told)
    assert page.url == f"{house.base}/"


def test_back_and_forward_lead_to_the_list_and_to_the_game(house, visit):
    with house.at_home():
        name = house.served(house.game("napoleon")).name
        page = visit(house.address, there=".start-card")
        page.get_by_role("button", name=f"Continue: {name}", exact=True).click()
        page.wait_for_selector("[data-place]")
        assert page.url == f"{house.base}/"
        page.go_back()
        page.wait_for_selector(".start-card")
        page.go_forward()
        page.wait_for_selector("[data-place]")


def test_link_of_another_seat_in_the_same_tab_opens_that_seat(house, visit):
    links = house.addresses("napoleon")
    page = visit(links["onlooker"])
    assert options(page).count() == 0
    page.evaluate("link => { location.href = link; }", links["host"].replace("?", "#"))
    options(page).first.wait_for()
    assert page.url == f"{house.base}/"
    page.evaluate("link => { location.href = link; }", links["host"].replace("?", "#"))
    until(page, "clean => location.href === clean", arg=f"{house.base}/")
    assert options(page).count(), "a link of the same seat changes nothing"


def test_another_language_keeps_the_seat(house, visit):
    page = visit(house.game("napoleon"))
    page.locator("#more summary").click()
    page.get_by_label("Language").select_option("ja")
    page.wait_for_url(f"{house.base}/?lang=ja")
    options(page).first.wait_for()
    assert page.locator("html").get_attribute("lang") == "ja"


def test_players_shows_links_that_others_open_and_ones_own(house, visit):
    links = house.addresses("napoleon")
    page = visit(links["host"])
    menu(page, "Players")
    page.locator("dialog a").nth(3).wait_for()
    found = page.locator("dialog a").evaluate_all("all => all.map(one => one.href)")
    secrets = [secret_of(links[who]) for who in ("france", "allies", "onlooker", "host")]
    assert sorted(found) == sorted(f"{house.base}/#seat={secret}" for secret in secrets)
    assert page.get_by_text("--host 0.0.0.0").is_visible(), "this board is for this machine alone"
    seat = visit(links["france"])
    menu(seat, "Players")
    seat.locator("dialog a").wait_for()
    assert seat.locator("dialog a").get_attribute("href") == f"{house.base}/#seat={secret_of(links['france'])}"


def test_link_is_shown_to_be_copied_where_the_browser_copies_none(house, visit):
    page = visit(house.game("napoleon"))
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    menu(page, "Players")
    page.get_by_role("button", name="Copy: onlookers").click()
    field = page.get_by_role("textbox", name="onlookers")
    assert field.input_value().startswith(f"{house.base}/#seat=")
    assert page.evaluate("getSelection().toString()") == field.input_value()


def test_page_without_a_link_says_what_it_needs(house, visit):
    page = visit(f"{house.base}/", there="#alert")
    assert "link" in page.locator("#alert").inner_text()
    page = visit(f"{house.base}/?seat=wrong", there="#alert")
    assert "does not belong to an open game" in page.locator("#alert").inner_text()
