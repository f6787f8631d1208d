"""The page played by hand and eye: drag, double click, wheel, groups, cards, what happened, the end, the rules."""

from __future__ import annotations

import pytest

from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from interpreter.runtime.log_entries import LoggedRoll
from tests.board.browsing import my_turn, options, tab, until, version, wait_for_change

VIEW = "() => document.querySelector('#map g[transform]').getAttribute('transform')"  # pan and zoom of the map

REACH = """async (piece) => {
    const { get } = await import(document.querySelector('script[type=module]').src.replace('main.js', 'server.js'));
    return (await get('/api/ask/reach', { piece })).length;
}"""  # the number of places that a counter can reach

COUNTED = """async () => {
    const { get } = await import(document.querySelector('script[type=module]').src.replace('main.js', 'server.js'));
    return (await get('/api/ask/card', { number: 0 })).counted;
}"""  # the count of the player's own last fight


def advanced(lobby_server, ruleset: str, stop, players=None, seed: int = 3, bot: str = "greedy") -> str:
    """Return the address of a game in which bots have played all seats until a condition holds."""

    def play(game) -> None:
        bots = make_bots(dict.fromkeys(list_seats(game), bot), 1)
        while game.decision is not None and not stop(game):
            game.pick(bots[game.decision.seat].choose(game))

    return lobby_server.advanced(ruleset, play, players, seed)


def can_march(game) -> bool:
    return game.decision.name == "movement" and game.decision.side == "french" and game.count() > 4


def middle(page, selector: str) -> tuple[float, float]:
    """Return the middle of the element that a selector finds, in the window."""
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def select_marcher(page) -> str:
    """Click a counter that can reach more than two places, wait until they are shown, and return its id."""
    pieces = page.locator(".pieces g.orderable").evaluate_all("all => all.map((one) => one.dataset.piece)")
    piece = next(one for one in pieces if page.evaluate(REACH, one) > 2)
    page.locator(f".pieces [data-piece='{piece}']").dispatch_event("click")
    until(page, "() => document.querySelectorAll('.place.reach').length > 2")
    return piece


def test_map_opens_where_orders_are_given(lobby_server, open_page):
    page = open_page(advanced(lobby_server, "denain-1712", can_march))
    seen = page.evaluate(
        """() => [...document.querySelectorAll('.pieces g.orderable')].filter((one) => {
            const box = one.getBoundingClientRect(), map = document.querySelector('#map').getBoundingClientRect();
            return box.left > map.left && box.right < map.right && box.top > map.top && box.bottom < map.bottom;
        }).map((one) => one.getBoundingClientRect().width)"""
    )
    assert seen and max(seen) > 40, "at playing zoom"


def test_drag_plans_order_and_double_click_carries_it_out(lobby_server, open_page):
    page = open_page(advanced(lobby_server, "denain-1712", can_march))
    piece = select_marcher(page)
    counter = f".pieces [data-piece='{piece}']"
    goal = page.locator(".place.reach").last.get_attribute("data-place")
    page.keyboard.press("Escape")
    before, start = version(page), page.locator(counter).get_attribute("transform")
    page.mouse.move(*middle(page, counter))
    page.mouse.down()
    page.mouse.move(*middle(page, f".place[data-place='{goal}']"), steps=6)
    page.mouse.up()
    page.locator(".do-it").wait_for()
    assert version(page) == before and page.locator(counter).get_attribute("transform") == start, "the drop only plans"
    page.mouse.dblclick(*middle(page, f".place[data-place='{goal}']"))
    wait_for_change(page, before)
    moved = "([counter, start]) => document.querySelector(counter).getAttribute('transform') !== start"
    until(page, moved, [counter, start])


def test_wheel_and_brackets_turn_facing_of_plan(lobby_server, open_page):
    page = open_page(advanced(lobby_server, "denain-1712", can_march))
    select_marcher(page)
    for goal in page.locator(".place.reach").evaluate_all("all => all.map((one) => one.dataset.place)"):
        page.locator(f".place[data-place='{goal}']").dispatch_event("click")
        page.locator(".do-it").wait_for()
        if page.locator(".wheel g").count() > 1:  # drawn with the button
            break
        page.keyboard.press("Escape")
        page.locator(".do-it").wait_for(state="hidden")
    planned = page.locator("#plan .planned").inner_text()
    other = page.locator(".wheel g:not(.on)").first
    other.dispatch_event("click")
    until(page, "text => document.querySelector('#plan .planned').innerText !== text", arg=planned)
    page.keyboard.press("[")
    page.keyboard.press("]")
    assert page.locator(".wheel g.on").count() == 1


def test_wing_marches_with_two_clicks(lobby_server, open_page):
    page = open_page(advanced(lobby_server, "denain-1712", can_march))
    places = "() => [...document.querySelectorAll('.pieces > g')]"
    places += ".map((one) => one.getAttribute('aria-label').split(', ').at(-1))"
    before, standing = version(page), page.evaluate(places)
    row = page.locator("#together li").first
    row.wait_for()
    row.get_by_role("button", name="Forward").click()
    wait_for_change(page, before)
    assert sum(a != b for a, b in zip(standing, page.evaluate(places), strict=False)) > 1
    moved = version(page)
    page.get_by_role("button", name="Undo", exact=True).click()
    wait_for_change(page, moved)
    assert page.evaluate(places) == standing


def test_card_opens_from_log_and_steps_to_roll_before(lobby_server, open_page):
    rolled = lambda game: sum(isinstance(raw, LoggedRoll) for raw in game.get_raw_log()) > 12  # noqa: E731
    page = open_page(advanced(lobby_server, "denain-1712", rolled))
    tab(page, "Log")
    view = page.evaluate(VIEW)
    page.locator("#log .open").last.click()
    page.locator("#card .die").first.wait_for()
    title = page.locator("#card header").inner_text()
    page.get_by_role("button", name="Earlier roll").click()
    until(page, "text => document.querySelector('#card header').innerText !== text", arg=title)
    page.keyboard.press("Escape")
    page.locator("#card").wait_for(state="hidden")
    assert page.evaluate(VIEW) == view, "the map is where it was before the card needed room"
    page.keyboard.press("b")
    page.locator("#card .versus > div").nth(2).wait_for()
    fight = page.locator("#card").inner_text()
    page.keyboard.press("b")
    until(page, "text => document.querySelector('#card').innerText !== text", arg=fight)
    page.keyboard.press("B")
    until(page, "text => document.querySelector('#card').innerText === text", arg=fight)


def test_card_of_own_order_stays_while_bots_answer(lobby_server, open_page):
    """The card excludes the rolls of bots that move within the same second, but counts them."""
    page = open_page(lobby_server.game("napoleon", {"allies": "greedy"}))
    fights = []

    def answer_early(route) -> None:
        """Answer the first request for a fight as if the bots had not rolled any dice yet."""
        answer = route.fetch()
        card = answer.json()
        if card["two_sided"]:
            fights.append(card)
        route.fulfill(response=answer, json=card | ({"counted": "", "has_next": False} if len(fights) == 1 else {}))

    page.route("**/api/ask/card*", answer_early)
    for name in ("Move and fight", "Move 10", "March: Austria"):
        page.locator("[data-option]:visible").filter(has_text=name).first.click()
    page.locator("#alert li").filter(has_text="first attack").wait_for()
    page.locator("#alert .anyway").click()
    until(page, "() => document.body.innerText.includes('Turn 2') && document.querySelector('#prompt.yours')")
    page.locator("#card .die").first.wait_for()
    assert ": Austria" in page.locator("#card header").inner_text()
    counted = page.evaluate(COUNTED)
    assert counted.startswith("1 of ")
    until(page, "text => document.querySelector('#card header').innerText.includes(text)", arg=counted)
    assert page.get_by_role("button", name="Later roll").is_visible()


def test_several_batteries_fire_at_one_target_with_one_order(lobby_server, open_page):
    page = open_page(advanced(lobby_server, "denain-1712", lambda game: game.decision.name == "preparation"))
    shots = page.evaluate(
        """() => [...document.querySelectorAll('[data-option^="bombard("]')].map((one) =>
            one.dataset.option.slice(8, -1).split(', '))"""
    )
    target = max({there for _, there in shots}, key=[there for _, there in shots].count)
    guns = [gun for gun, there in shots if there == target]
    counter = ".pieces [data-piece='{}']".format
    for gun in guns:
        page.locator(counter(gun)).dispatch_event("click", {"shiftKey": True})
    assert page.locator(".pieces .chosen").count() == len(guns) > 1
    before, rolled = version(page), page.locator("#log li[data-kind='roll']").count()
    page.locator(counter(target)).dispatch_event("click")
    page.locator("#plan .planned").wait_for()
    assert page.locator(".arrows .aim").count() == len(guns), "a line of fire from each"
    page.locator(".do-it").click()
    wait_for_change(page, before)
    assert page.locator("#log li[data-kind='roll']").count() >= rolled + 1


def test_order_is_previewed_when_pointer_moves_over_it_not_when_it_appears_under_pointer(lobby_server, open_page):
    address = advanced(lobby_server, "denain-1712", lambda game: game.decision.name == "preparation")
    page = open_page(address, has_clock=True)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    shot = "#orders [data-option^='bombard(']:visible"
    fixed = "position: fixed; inset: 80px auto auto 80px; width: 400px; z-index: 99"  # nothing loaded later moves it
    page.evaluate("style => { document.querySelector('#orders').style = style; }", fixed)
    x, y = middle(page, shot)
    page.evaluate("document.querySelector('#orders').style.visibility = 'hidden'")
    page.mouse.move(x, y)
    page.evaluate("document.querySelector('#orders').style.visibility = ''")
    page.locator(f"{shot}:hover").wait_for()
    page.clock.run_for(1_000)  # longer than the page waits before it evaluates an order
    assert not page.locator(".arrows .aim").count() and not page.locator("#peek").is_visible()
    assert not [url for url in asked if "/api/ask/preview" in url]
    page.mouse.move(x + 3, y + 1)
    page.locator(".arrows .aim").wait_for()
    page.locator("#peek .preview").wait_for()
    page.mouse.move(900, 700)
    page.locator(".arrows .aim").wait_for(state="detached")
    page.mouse.move(x, y)
    page.locator(".arrows .aim").wait_for()


@pytest.mark.parametrize("width", [1440, 390])
def test_card_shows_cells_of_chart_without_breaking_them_word_by_word(lobby_server, open_page, width):
    address = advanced(lobby_server, "denain-1712", lambda game: game.decision.name == "preparation", seed=1)
    page = open_page(address, width, 900)
    page.locator("[data-option^='bombard(']").first.dispatch_event("click")
    cut = page.locator("#card .cuts")
    cut.first.wait_for()
    shown = cut.evaluate_all(
        """all => all.flatMap((one) => [...one.querySelectorAll('caption, td')]).map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            const box = range.getBoundingClientRect(), own = cell.getBoundingClientRect();
            return [cell.textContent, Math.round(box.height / parseFloat(getComputedStyle(cell).lineHeight)),
                box.left >= own.left && box.right <= own.right];
        })"""
    )
    assert len(shown) > 2 and all(is_inside for _text, _lines, is_inside in shown), shown
    assert all(lines <= 2 for _text, lines, _is_inside in shown), shown


def test_only_attacks_on_equal_targets_are_ways_of_one_row(lobby_server, open_page):
    """An attack on two places at once has a row of its own beside the attack on one of them."""

    def two_targets(game) -> list[tuple[str, str]]:
        keys = [option.key for option in game.decision.options] if game.decision.name == "assault" else []
        pairs = [(key, key.split(" > ")) for key in keys if key.count(" > ") == 1]
        same = [(key, steps[1]) for key, steps in pairs if len({step.split(", ")[0] for step in steps}) == 1]
        return [(key, single) for key, single in same if single in keys]

    address = advanced(lobby_server, "denain-1712", two_targets, seed=1)
    both, single = two_targets(lobby_server.served(address).game)[0]
    page = open_page(address)
    for key in (both, single):
        assert page.locator(f"[data-option='{key}']").is_visible(), key
    page.locator(f"[data-option='{both}']").hover()
    until(page, "() => document.querySelectorAll('.arrows .aim').length === 2")


def test_attackers_are_joined_by_clicks_and_target_takes_exactly_these(lobby_server, open_page):
    page = open_page(advanced(lobby_server, "denain-1712", lambda game: game.decision.name == "assault"))
    joint = page.evaluate(
        """() => [...document.querySelectorAll('[data-option]')].map((one) => one.dataset.option)
            .filter((key) => key.includes(' > ')).map((key) => key.match(/join\\(([^)]*)\\)/g)
            .map((step) => step.slice(5, -1).split(', ')))"""
    )
    steps = next(steps for steps in joint if len(steps) == 2 and steps[0][1] == steps[1][1])
    for attacker, _place in steps:
        page.locator(f".pieces [data-piece='{attacker}']").dispatch_event("click", {"shiftKey": True})
    page.locator(f".place[data-place='{steps[0][1]}']").dispatch_event("click")
    page.locator(".do-it").wait_for()
    names = page.locator(".orders-head .about span").all_inner_texts()
    assert len(names) >= 2
    exact = page.locator("#plan .planned").inner_text()
    for _ in range(3):
        page.keyboard.press("Escape")
    page.locator(f".place[data-place='{steps[0][1]}']").dispatch_event("click")
    until(page, "text => document.querySelector('#plan .planned')?.innerText.length > text.length", arg=exact)


def test_events_of_others_are_stepped_over_and_left(lobby_server, open_page):
    page = open_page(advanced(lobby_server, "napoleon", lambda game: game.turn > 1, {"allies": "random"}))
    until(page, "() => document.querySelectorAll('.chip').length > 0 && !document.querySelector('.chip').disabled")
    now = version(page)
    page.get_by_role("button", name="Next event").click()
    page.locator(".chip[aria-current]").wait_for()
    until(page, "() => document.body.classList.contains('looking-back')")
    assert version(page).startswith("earlier-")
    page.get_by_role("button", name="Skip to now").click()
    until(page, "now => document.body.dataset.version === now", arg=now)
    assert options(page).count() and not page.locator(".chip[aria-current]").count()


def test_end_of_game_is_shown_with_new_game_for_host(lobby_server, open_page):
    page = open_page(advanced(lobby_server, "napoleon", lambda game: game.over, bot="random"))
    end = page.locator("dialog.end")
    end.locator("h2").wait_for()
    assert end.locator(".totals b").count() == 2 and end.locator("button.cite").count()
    with lobby_server.own_folders():
        end.get_by_role("button", name="New game").click()
        page.wait_for_selector("[data-option]")
    assert not page.locator("dialog.end[open]").count()


@pytest.mark.parametrize("text", ["morale", "<b>&\\(", "zzzz"])
def test_rules_are_searched_as_one_types_whatever_is_typed(lobby_server, open_page, text):
    page = open_page(lobby_server.game("napoleon"))
    tab(page, "Rules")
    page.locator("#rules article").first.wait_for()
    page.get_by_label("Search the rules").fill(text)
    marks, shown = page.locator("#rules mark"), page.locator("#rules article:visible")
    if text == "morale":
        assert marks.count() > 3 and shown.count() > 1
    else:
        assert not marks.count() and not shown.count() and text in page.locator("#rules .found").inner_text()


def test_zoomed_map_fills_its_frame_however_far_it_is_dragged(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712", seed=3))
    empty = """() => {
        const map = document.querySelector('#map').getBoundingClientRect();
        const sheet = document.querySelector('#map image').getBoundingClientRect();
        return [sheet.left - map.left, sheet.top - map.top, map.right - sheet.right, map.bottom - sheet.bottom];
    }"""
    assert max(page.evaluate(empty)) < 1, "at playing zoom the sheet is larger than its frame"
    for x, y in ((900, 900), (100, 100)):
        page.mouse.move(500, 500)
        page.mouse.down()
        for _ in range(3):
            page.mouse.move(500, 499)
            page.mouse.move(x, y)
        page.mouse.up()
        assert max(page.evaluate(empty)) < 1


def test_long_list_of_orders_folds_by_counter_and_opens_with_it(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712", seed=3))
    folded = page.locator(".folded .unit")
    assert folded.count() > 10 and page.locator(".folded [data-option]:visible").count() == 0
    name = folded.last.inner_text().splitlines()[0]
    folded.last.click()
    assert page.locator(".folded").count() == 0 and page.locator(".pieces .chosen").count() == 1
    shown = options(page).evaluate_all("all => all.filter((one) => !one.closest('#foot')).map((one) => one.innerText)")
    assert shown and all(name in text for text in shown)


def test_options_that_differ_in_their_number_are_one_row_with_stepper(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", seed=3))
    before = version(page)
    page.locator("button[data-option='move_combat']").click()
    wait_for_change(page, before)
    page.locator(".how-many").wait_for()
    shown = page.locator("#orders button[data-option^='march']:visible")
    assert shown.count() == 1 and "10" in shown.inner_text()
    page.get_by_role("button", name="Fewer").first.click()
    assert page.locator(".how-many output").first.inner_text() == "9 of 10"
    assert shown.count() == 1 and "9" in shown.inner_text()


def test_place_that_no_order_leads_to_says_which_order_comes_first(serve):
    table = serve("napoleon", seed=3)
    piece = next(piece["id"] for piece in table.scene()["pieces"] if piece["place"] == "france")
    lines = table.get(f"/api/ask/why?piece={piece}&place=austria").json()["lines"]
    assert any("First choose: move and fight" in line["text"] for line in lines)


def test_strip_is_scrolled_to_first_loss_that_others_caused(lobby_server, open_page):
    def is_hurt(game) -> bool:
        return game.decision.seat == "french" and len(game.keys) > 78  # after shots at two French units

    page = open_page(advanced(lobby_server, "denain-1712", is_hurt, {"allied": "greedy"}, seed=1))
    page.wait_for_selector(".chip.hurts")
    strip, first, hurt = (
        page.locator(selector).first.bounding_box() for selector in (".chips", ".chip", ".chip.hurts")
    )
    assert first["x"] < strip["x"], "there is more before it"
    assert strip["x"] <= hurt["x"] and hurt["x"] + hurt["width"] <= strip["x"] + strip["width"]
    assert page.locator(".chip.hurts").first.get_attribute("data-side") == "french"
    lefts = page.locator(".chip").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map((b) => [b.left, b.right])"
    )
    assert not [left for left, right in lefts if left < strip["x"] - 1 < strip["x"] + 1 < right], "an event is cut"
    until(  # a strip that is drawn again scrolls to the loss once more
        page,
        """() => {
            document.querySelector('.chips').scrollLeft = 0;
            return document.querySelector('[data-more]');
        }""",
    )
    *boxes, last = page.locator(".chips > *").evaluate_all(
        """all => all.map((one) => [one.getBoundingClientRect(), one.classList.contains('covered'), one.dataset.more])
            .map(([box, isCovered, more]) => ({ left: box.left, right: box.right, isCovered, more }))"""
    )
    assert not [box for box in boxes if box["right"] > last["left"] and not box["isCovered"]], "cut by the last event"
    assert last["more"] == f"+{sum(box['isCovered'] for box in boxes)}"
    page.locator(".covered .chip").first.focus()
    until(page, "() => !document.activeElement.closest('.covered')")


def test_card_of_own_attack_covers_neither_fight_nor_next_orders(lobby_server, open_page):
    def can_attack(game) -> bool:
        return game.decision.name == "combat" and game.decision.side == "french" and game.decision.find("attack")

    address = advanced(lobby_server, "denain-1712", can_attack, {"allied": "greedy"}, seed=3)
    page = open_page(address, 1280, 720)
    for key in ("attack", "join(picardie, 1712)"):
        before = version(page)
        page.locator(f"button[data-option='{key}']").first.dispatch_event("click")
        wait_for_change(page, before)
    my_turn(page)
    covered = """() => {
        const card = document.querySelector('#card').getBoundingClientRect();
        const own = ['[data-piece=picardie]', '[data-place="1712"]', '.orderable'].flatMap(
            (name) => [...document.querySelectorAll(`#map ${name}`)]);
        return card.width && !own.some((one) => {
            const box = one.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
            return x > card.left && x < card.right && y > card.top && y < card.bottom;
        });
    }"""
    until(page, covered)
    until(page, "() => !document.querySelector('#card').innerText.includes('not decided yet')")
