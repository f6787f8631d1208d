"""The page in a real browser: what it asks before it acts, what it tells in notes, reports, overlays and lists."""

from __future__ import annotations

import re

import pytest

from tests.board.browsing import JAPANESE, choose, menu, options, press, prompt, tab, until, version

EMPTY_OVERLAY = {"id": "x", "title": "sight", "marks": [], "lines": [], "asks_piece": False}


def test_whole_stack_is_planned_on_map_by_default(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", seed=3))
    press(page, "move and fight")
    page.locator(".pieces g.orderable").first.dispatch_event("click")
    page.locator(".place.reach[data-place='austria']").dispatch_event("click")
    page.locator(".do-it:focus").wait_for()
    assert page.locator("#plan .planned").inner_text().startswith("Move 10: Austria")
    plan = page.locator("#plan")
    assert plan.locator("output").inner_text() == "10 of 10" and plan.locator("select option").count() == 3
    plan.get_by_role("button", name="Fewer").click()
    assert plan.locator("output").inner_text() == "9 of 10"
    assert plan.locator(".planned").inner_text().startswith("Move 9: Austria")
    plan.get_by_role("button", name="All").click()
    assert plan.locator("output").inner_text() == "10 of 10"


def test_counter_in_requested_place_selects_place(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", seed=3))
    press(page, "move and fight")
    page.locator("button[data-option$=', 10)']").first.click()
    until(page, "() => document.querySelector('#prompt').textContent.includes('march')")
    page.locator(".pieces [data-piece^='austria']").first.dispatch_event("click")
    page.locator(".place.chosen[data-place='austria']").wait_for()
    assert page.locator(".pieces .chosen").count() == 0
    ways = page.locator(".one-goal:visible")
    assert ways.count() == 1 and options(page).count() == 1
    texts = ways.locator("[data-option]").all_text_contents()
    assert len(texts) == 3 and all("Austria" in text for text in texts)


def test_done_with_nothing_done_asks_first_and_can_be_given_up(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", seed=3))
    press(page, "move and fight")
    before = version(page)
    options(page).filter(has_text="done").click()
    page.locator("#alert .anyway:focus").wait_for()
    assert "Nothing has been chosen yet" in page.get_by_role("alert").inner_text()
    assert page.locator("#alert button").all_inner_texts() == ["Finish", "Go back"]
    assert not page.locator("#peek").is_visible(), "the preview would say the same again"
    page.get_by_role("button", name="Go back", exact=True).click()
    assert page.get_by_role("alert").inner_text() == ""
    assert version(page) == before
    choose(page, options(page).count() - 1)
    assert "which activity" in prompt(page)


def test_question_before_march_into_battle_shows_its_chances(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", seed=3))
    press(page, "move and fight")
    page.locator("button[data-option$=', 10)']").first.click()
    until(page, "() => document.querySelector('#prompt').textContent.includes('march')")
    page.locator("button[data-option='go(rhine) > go(austria)']").dispatch_event("click")
    page.locator("#alert p", has_text="chance of losses, Austria: ").wait_for()
    assert page.locator("#alert > :last-child").inner_text() == "Go back"


@pytest.mark.served
def test_targets_are_those_of_counter_pointed_out(lobby_server, open_page):
    address = lobby_server.game("denain-1712", seed=3)
    page = open_page(address, has_clock=True)
    for _ in range(2):
        press(page, "done")
    named = [option.args for option in lobby_server.served(address).game.decision.options if option.args]
    gun = named[0]["u"]
    own = {one["v"] for one in named if one["u"] == gun}
    others = {one["v"] for one in named} - own
    assert others, "another gun has other targets"
    page.locator(f".pieces [data-piece='{gun}']").dispatch_event("click")
    rims = set(page.evaluate("[...document.querySelectorAll('.pieces .orderable')].map((g) => g.dataset.piece)"))
    assert own <= rims and not others & rims
    place = lobby_server.served(address).game.view()["pieces"][sorted(own)[0]]["at"]
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator(f".place[data-place='{place}']").dispatch_event("pointerover")
    page.clock.run_for(1_000)  # longer than the page waits before it asks for reasons
    assert page.evaluate("0") == 0 and not [url for url in asked if "/api/ask/why" in url]
    assert "no order leads" not in page.locator(".tip").inner_text()


@pytest.mark.served
def test_message_of_other_seat_is_marked_until_it_is_read(lobby_server, open_page):
    links = lobby_server.addresses("napoleon")
    seats = [seat for seat in links if seat not in ("host", "onlooker")]
    mine, other = (open_page(links[seat]) for seat in seats)
    tab(mine, "Chat")
    mine.get_by_role("button", name="Change your name").click()
    mine.get_by_label("Change your name").fill("Anna")
    mine.get_by_role("button", name="Save").click()
    mine.get_by_label("Write a message").fill("bonjour")
    mine.get_by_role("button", name="Send").click()
    mark = other.locator("#tab-chat sup")
    mark.wait_for()
    assert mark.inner_text() == "1" and not mine.locator("#tab-chat sup").count(), "who wrote it knows"
    assert "Anna" in other.locator("#seat").inner_text()
    tab(other, "Chat")
    message = other.locator(".msg")
    message.wait_for()
    assert "bonjour" in message.inner_text() and message.locator("small").inner_text().startswith("Anna")
    assert not mark.count()


@pytest.mark.served
def test_overlay_box_is_labelled_and_empty_overlay_says_so(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712"))
    page.route(re.compile("/api/ask/overlay[?]"), lambda route: route.fulfill(json=EMPTY_OVERLAY))
    page.locator("#more summary").click()
    box = page.get_by_label("Map overlay")
    box.select_option(index=1)
    until(page, "() => document.querySelector('.tip').innerText.includes('nothing to show now')")


def test_page_follows_language_of_browser(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon"), locale="ja-JP")
    assert page.locator("html").get_attribute("lang") == "ja"
    assert JAPANESE.search(prompt(page))
    page.locator("#more summary").click()
    box = page.get_by_label("言語")
    assert box.locator("option").all_inner_texts() == ["English", "日本語"]
    edge = page.evaluate("document.querySelector('#menu').getBoundingClientRect().right")
    assert edge <= page.viewport_size["width"]
    box.select_option("en")
    until(page, "() => document.documentElement.lang === 'en'")


def test_report_shows_its_tables_as_tables(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon"))
    for _ in range(3):
        choose(page)
    menu(page, "Report")
    page.locator("dialog table th").first.wait_for()
    assert page.locator("dialog table tr").count() > 2


def test_accessible_name_of_place_includes_ground(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712"))
    names = page.evaluate("[...document.querySelectorAll('.place')].map((one) => one.getAttribute('aria-label'))")
    assert sum("north-east" in name for name in names) > 3


@pytest.mark.served
def test_list_of_games_shows_dates(lobby_server, open_page):
    lobby_server.served(lobby_server.game("denain-1712"))
    with lobby_server.own_folders():
        page = open_page(lobby_server.address, there=".start-card")
        row = page.locator("li", has=page.locator("time")).first
        assert "Denain" in row.inner_text()
        assert re.search(r"\d", row.locator("time").inner_text())
