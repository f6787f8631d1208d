"""Page layout: opening view, card of a roll, bar of a phone, page without a link."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.board.browsing import advance_page, until
from tests.docs.blocks import write_all

# How many of the counters that can be ordered are in view, and how many there are.
IN_VIEW = """() => {
    const box = document.querySelector('#map').getBoundingClientRect();
    const all = [...document.querySelectorAll('#map .orderable')].map(one => one.getBoundingClientRect());
    const isIn = one => one.left > box.left && one.right < box.right && one.top > box.top && one.bottom < box.bottom;
    return [all.filter(isIn).length, all.length];
}"""
UNCOVERED = """() => {
    const card = document.querySelector('#card').getBoundingClientRect();
    const marked = [...document.querySelectorAll('.place.pointed')].map(one => one.getBoundingClientRect());
    const middles = marked.map(box => box.left + box.width / 2);
    return marked.length && !middles.some(x => x > card.left && x < card.right);
}"""


@pytest.mark.served
def test_opening_view_shows_most_counters_with_orders(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712", {"allied": "greedy"}), 1440, 900)
    until(page, "() => document.querySelector('#map .orderable')")
    seen, total = page.evaluate(IN_VIEW)
    assert total > 10 and seen >= 0.9 * total
    assert "the computer (Allies)" in page.locator("#seat").inner_text()


@pytest.mark.served
def test_opening_view_shows_side_that_decides_and_its_orders_below_briefing(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", {"france": "greedy"}), 1440, 900)
    until(page, "() => document.querySelector('#briefing[open]')?.children.length > 1")
    until(page, "() => document.querySelector('#orders [data-option]')")
    shown = page.evaluate("""async () => {
        const headers = { authorization: `Bearer ${history.state.seat}` };
        const scene = await (await fetch('/api/scene', { headers })).json();
        const room = document.querySelector('#map').getBoundingClientRect();
        const isIn = (box) => box.top >= room.top && box.bottom <= room.bottom && box.left >= room.left
            && box.right <= room.right;
        const own = scene.pieces.filter(piece => piece.side === scene.decision.side && piece.at);
        const drawn = own.map(piece => document.querySelector(`#map [data-piece="${piece.id}"]`)).filter(Boolean);
        const last = [...document.querySelectorAll('#orders [data-option]')].at(-1).getBoundingClientRect();
        return [drawn.some(one => isIn(one.getBoundingClientRect())), last.bottom <= innerHeight];
    }""")
    assert shown == [True, True]


@pytest.mark.served
@pytest.mark.parametrize(("ruleset", "is_whole"), [("small", True), ("napoleon", False)])
def test_map_opens_whole_on_telephone_if_its_counters_can_be_read(
    lobby_server, open_page, tmp_path: Path, ruleset: str, is_whole: bool
):
    if ruleset == "small":
        ruleset = str(write_all("tutorial.md", tmp_path))
    page = open_page(lobby_server.game(ruleset), 390, 844, has_touch=True)
    until(page, "() => document.querySelector('#map .pieces > g')")
    scale = page.evaluate("() => document.querySelector('#map .world').transform.baseVal.consolidate().matrix.a")
    assert (scale == 1) == is_whole


@pytest.mark.served
def test_page_without_link_takes_pasted_link(lobby_server, open_page):
    address = lobby_server.game("napoleon")
    page = open_page(address.partition("?")[0], 1000, 700, there="#seat-link + button")
    assert not page.locator("#map").count(), "no empty board"
    page.fill("#seat-link", "http://localhost/")
    page.keyboard.press("Enter")
    assert "seat=" in page.get_by_role("alert").inner_text()
    page.fill("#seat-link", address)
    page.keyboard.press("Enter")
    until(page, "() => document.querySelector('#prompt')?.innerText && document.body.dataset.version")


@pytest.mark.served
def test_card_lies_beside_its_subject(lobby_server, open_page):
    page = open_page(lobby_server.address, 1440, 900, there=".start-card")
    page.click("[data-lesson=denain-1712]")
    until(page, "() => document.querySelector('#lesson')?.innerText")
    rolls = page.locator("#log li[data-kind='roll']")
    number = 1
    while not rolls.count():
        number += 1
        advance_page(page, number)
    page.locator("#card").wait_for()
    until(page, UNCOVERED)


@pytest.mark.served
def test_card_on_telephone_leaves_fight_and_orders_visible(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", {"allies": "greedy"}), 390, 844, has_touch=True)
    for name in ("Move and fight", "Move 10", "March: Austria"):
        page.locator("[data-option]:visible").filter(has_text=name).first.dispatch_event("click")
    page.locator("#alert .anyway").click()
    until(page, "() => document.body.innerText.includes('Turn 2') && document.querySelector('#prompt.yours')")
    until(page, "() => document.querySelector('#card header')?.innerText.includes(': Austria')")
    uncovered = """() => {
        const [card, side] = ['card', 'side'].map((id) => document.getElementById(id).getBoundingClientRect());
        return [...document.querySelectorAll('.pieces [data-piece^=austria]')].some((one) => {
            const { top, bottom } = one.getBoundingClientRect();
            return top >= card.bottom && bottom <= side.top;
        });
    }"""
    until(page, uncovered)
    free = """() => [...document.querySelectorAll('#orders [data-option]')].filter((one) => {
        const box = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2));
    }).length"""
    before = page.evaluate(free)
    assert before > 2
    for name in ("Later roll", "Earlier roll"):
        title = page.locator("#card header").inner_text()
        page.get_by_role("button", name=name).click()
        until(page, "text => document.querySelector('#card header').innerText !== text", arg=title)
        assert page.evaluate(free) == before, name
    page.get_by_role("button", name="Replay").click()
    until(page, "() => document.body.classList.contains('looking-back')")
    until(
        page, "() => !document.body.classList.contains('looking-back') && document.querySelector('#card:not([hidden])')"
    )
    assert page.evaluate(free) == before, "after the replay"


@pytest.mark.served
def test_telephone_bar_names_scores_and_folds_zoom(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712", {"allied": "greedy"}), 390, 844)
    until(page, "() => document.querySelector('#scores .score')")
    assert page.locator("#scores span").first.is_visible()
    assert page.evaluate("document.querySelector('#title').getBoundingClientRect().top") >= 4
    assert not page.get_by_role("button", name="Zoom in").count()
    page.get_by_role("button", name="Zoom the map").click()
    assert page.get_by_role("button", name="Zoom in").is_visible()


@pytest.mark.served
def test_map_on_telephone_begins_below_bar(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", {"allies": "greedy"}), 390, 844)
    until(
        page,
        """() => {
        const map = document.querySelector('#map').getBoundingClientRect();
        return Math.abs(document.querySelector('#map image').getBoundingClientRect().top - map.top) < 2;
    }""",
    )


def test_status_names_kinds_by_their_labels(serve):
    sheets = {sheet["kind"]: sheet["title"] for sheet in serve("denain-1712").scene()["tracks"]}
    assert sheets["half"] == "half of the reinforcements" and sheets["formation"] == "formation"


def test_log_can_stay_open_beside_board_in_wide_window(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", {"allies": "greedy"}), 1440, 900)
    log = page.locator("#log")
    page.get_by_role("tab", name="Log").click()
    page.get_by_role("button", name="Keep open").click()
    for _ in range(2):  # also after the page was loaded again
        until(page, "() => document.querySelector('#orders [data-option]')?.offsetParent")
        assert log.is_visible() and page.locator("#panel-orders").is_visible()
        assert page.get_by_role("tab").all_inner_texts() == ["Orders", "Status", "Charts", "Rules", "Chat"]
        page.get_by_role("tab", name="Charts").click()
        assert log.is_visible()
        boxes = [page.locator(part).bounding_box() for part in ("#field", "#log", "#side")]
        assert all(
            one["x"] + one["width"] <= next_one["x"] + 1 for one, next_one in zip(boxes, boxes[1:], strict=False)
        )
        assert boxes[0]["width"] >= 720
        page.reload()
    until(page, "() => document.querySelector('#orders [data-option]')?.offsetParent")
    page.locator("body").press("2")
    assert page.evaluate("document.activeElement.closest('#log') !== null")
    page.set_viewport_size({"width": 1300, "height": 900})
    until(page, "() => document.querySelector('#side #log')?.hidden")
    page.set_viewport_size({"width": 1440, "height": 900})
    until(page, "() => document.querySelector('main > #log:not([hidden])')")
    page.get_by_role("button", name="Keep open").click()
    assert page.get_by_role("tab", name="Log").get_attribute("aria-selected") == "true"
    assert page.evaluate("document.querySelector('#side #log') !== null")


@pytest.mark.served
def test_counters_of_card_are_drawn_whole(lobby_server, open_page):
    def fight(game):
        for key in ("move_combat", "march(france.face_up@france, 9)", "go(rhine) > go(austria)", "done"):
            game.choose(key)

    page = open_page(lobby_server.advanced("napoleon", fight, {"allies": "greedy"}, 1805), 1440, 900)
    until(page, "() => document.querySelector('#prompt').classList.contains('yours')")
    page.locator("body").press("b")
    until(page, "() => document.querySelector('#card .set svg')")
    cut = page.evaluate("""() => [...document.querySelectorAll('#card .set svg')].filter(svg => {
        const side = svg.closest('.versus > div').getBoundingClientRect();
        const parts = [...svg.querySelectorAll('path, rect')].map(part => part.getBoundingClientRect());
        const isIn = part => part.left >= side.left && part.right <= side.right && part.top >= side.top;
        return !parts.every(isIn) || getComputedStyle(svg).overflow !== 'visible';
    }).length""")
    assert page.locator("#card .set svg").count() >= 2 and cut == 0
