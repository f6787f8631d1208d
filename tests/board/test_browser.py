"""Test the page in a real browser: mouse, keyboard, two players at once, two languages, wide and narrow."""

from __future__ import annotations

import signal

import pytest

from tests.board.browsing import (
    JAPANESE,
    choose,
    focused,
    menu,
    my_turn,
    options,
    prompt,
    tab,
    turn,
    until,
    version,
    wait_for_change,
    wait_for_event,
)
from tests.board.server_process import serve_process
from tests.patience import PATIENCE


@pytest.mark.parametrize(
    ("ruleset", "most"),
    [
        ("napoleon", 250),
        pytest.param("denain-1712", 12, id="denain-1712-begun"),
        pytest.param("denain-1712", 250, id="denain-1712", marks=pytest.mark.soak),
    ],
)
def test_whole_turn_is_played_by_keyboard_alone(lobby_server, open_page, ruleset, most):
    """Order a counter on the map where possible, then choose the last order of the list again and again.

    Where a turn is long, play only its beginning unless asked for all of it.
    """
    other = {"napoleon": "allies", "denain-1712": "allied"}[ruleset]
    page = open_page(lobby_server.game(ruleset, {other: "random"}, seed=2))
    page.mouse.move(0, 0)
    first, on_map = turn(page), 0
    for _step in range(most):
        my_turn(page)
        if turn(page) > first:
            break
        before = version(page)
        page.keyboard.press("n")
        if on_map < 2 and focused(page, "data-place"):
            page.keyboard.press("t")
            page.wait_for_selector(".place.reach:focus")
            page.keyboard.press("Enter")
            page.wait_for_selector(".do-it:focus")
            page.keyboard.press("Enter")
            wait_for_change(page, before)
            on_map += 1
            continue
        page.keyboard.press("Escape")
        page.keyboard.press("l")
        page.keyboard.press("End")
        assert focused(page, "data-option"), "the list can be gone through by keys"
        page.keyboard.press("Enter")
        wait_for_change(page, before)
    assert page.locator("#log li").count() > 3
    assert most == 12 or turn(page) == first + 1
    assert on_map == {"napoleon": 1, "denain-1712": 2}[ruleset], "one order takes all armies of a place along"


@pytest.mark.both_doors
def test_turn_is_played_with_mouse(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", {"allies": "random"}, seed=2))
    first = turn(page)
    my_turn(page)
    assert page.evaluate("document.querySelector('#log li') !== null"), "others have chosen before"
    page.locator("#briefing").get_by_text("your aim").wait_for()  # the briefing still states the aim
    for step in range(60):
        my_turn(page)
        assert page.locator("#briefing").is_visible() == (step == 0)
        if turn(page) > first:
            break
        choose(page, options(page).count() - 1)
    assert turn(page) == first + 1 and page.locator("#log li").count() > 3


@pytest.mark.both_doors
def test_march_is_planned_on_map_then_taken_and_taken_back(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712", seed=3))
    name = "navarre"
    piece = page.locator(f".pieces g.orderable[data-piece='{name}']")
    counter = page.locator(f"[data-piece='{name}']")
    start = counter.get_attribute("transform")
    piece.dispatch_event("click")
    assert options(page).count() < 60
    page.locator(".place.reach").last.dispatch_event("click")
    before = version(page)
    page.locator(".do-it").click()
    wait_for_change(page, before)
    assert counter.get_attribute("transform") != start
    moved = version(page)
    page.get_by_role("button", name="Undo", exact=True).click()
    wait_for_change(page, moved)
    assert counter.get_attribute("transform") == start
    assert page.get_by_role("button", name="Redo", exact=True).is_enabled()


def test_march_cost_does_not_cover_counters(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712", {"allied": "greedy"}, seed=1712))
    for order in ("done", "done", "act first", "activate Maison du Roi"):
        my_turn(page)
        before = version(page)
        page.get_by_role("button", name=order, exact=True).click()
        wait_for_change(page, before)
    page.locator(".pieces g.orderable").first.dispatch_event("click")
    page.locator(".labels .cost").first.wait_for()
    covered = """() => {
        const boxes = (what) => [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
        const faces = boxes(".pieces g[data-piece] svg, .pieces g[data-piece] > :not(.rim)");
        return boxes(".labels .cost").filter((a) => {
            const middle = a.top + a.height / 2;
            return faces.some((b) => a.left < b.right && b.left < a.right && b.top < middle && middle < b.bottom);
        }).length;
    }"""
    assert page.locator(".labels .cost").count() > 2
    for height in (1040, 1000, 960, 800, 700):
        page.set_viewport_size({"width": 1600, "height": height})
        assert page.evaluate(covered) == 0, height


def test_stack_is_spread_out_by_pointing_and_by_keys(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712", seed=3))
    stack = page.evaluate(
        """() => { const at = new Map();
        for (const g of document.querySelectorAll('.pieces [data-piece]')) {
          const place = g.getAttribute('aria-label').split(', ').at(-1);
          at.set(place, [...(at.get(place) ?? []), g.dataset.piece]);
        }
        return [...at.values()].find(ids => ids.length > 1); }"""
    )
    top, beneath = stack[-1], stack[0]  # drawn in this order
    first, second = (page.locator(f"[data-piece='{name}']") for name in (top, beneath))
    page.get_by_role("button", name="Whole map").click()
    face = first.locator(".rim")  # the box of the whole counter holds marks that only a pile shows
    small = face.bounding_box()["width"]
    first.hover()
    page.wait_for_selector(".fan [data-piece]")
    large = face.bounding_box()["width"]
    assert large > 64 and large > 1.5 * small, (small, large)
    second.click()
    assert "chosen" in second.get_attribute("class") and page.locator(".fan [data-piece]").count() == 0
    page.keyboard.press("Escape")
    page.mouse.move(0, 0)
    page.locator("[data-place='1413']").focus()
    for _ in range(30):
        page.keyboard.press("n")
        if page.evaluate("document.querySelectorAll('.fan [data-piece]').length"):
            break
    at = focused(page, "data-place")
    page.keyboard.press("2")
    assert page.locator(f".fan [data-piece].chosen[aria-label$='{at}']").count() == 1
    page.keyboard.press("ArrowUp")
    assert page.locator(".fan [data-piece]").count() in (0, 2) and focused(page, "data-place") != at


def play_to_march(game) -> None:
    """Play until a unit of the right wing can march."""
    while "go(navarre)" not in (keys := [option.key for option in game.decision.options]):
        game.choose(next((key for key in ("done", "act_first", "name(right_wing)") if key in keys), keys[0]))


def test_reachable_by_and_blocked_sight_are_shown(lobby_server, open_page):
    page = open_page(lobby_server.advanced("denain-1712", play_to_march, seed=3))
    page.locator("[data-place='1413']").dispatch_event("click")
    page.wait_for_selector(".coming button")
    names = page.locator(".coming button").all_inner_texts()
    assert names and page.locator(".pieces .comer").count() == len(names)
    page.locator(".coming button").first.click()
    page.wait_for_selector(".do-it")
    assert names[0].rpartition(" ")[0] in page.locator("#plan").inner_text()
    assert "1413" in page.locator("#plan").inner_text()
    page.keyboard.press("Escape")
    titles = page.get_by_label("Map overlay").locator("option").all_text_contents()
    sees = next(n for n, title in enumerate(titles) if "sees" in title)
    for _ in range(sees):
        page.keyboard.press("o")
    until(page, "() => document.querySelector('.overlay').dataset.laid === 'sees'")
    assert page.locator(".overlay .tint").count()
    page.locator("[data-place='2212']").hover(force=True)
    page.wait_for_selector(".sight .barred")
    until(page, "() => document.querySelector('.tip').innerText.includes('line of sight')")
    assert page.locator(".sight .through").count() == 1 and "[10.2-d]" in page.locator(".tip").inner_text()


def test_charts_rules_and_exact_odds_are_shown(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712", {"allied": "random"}, seed=4))
    tab(page, "Charts")
    page.locator("#charts select").select_option(label="Artillery fire")
    page.locator("#charts table").first.wait_for()
    page.locator("#charts button.cite").first.click()
    until(page, "() => (document.querySelector('dialog .lines')?.innerText ?? '').length > 20")
    page.keyboard.press("Escape")
    tab(page, "Orders")
    for _ in range(20):
        my_turn(page)
        shots = page.locator("button[data-option^='bombard']:visible")
        if shots.count():
            break
        page.keyboard.press("l")
        page.keyboard.press("End")
        before = version(page)
        page.keyboard.press("Enter")
        wait_for_change(page, before)
    told = "() => (document.querySelector('dialog[open] .lines')?.innerText ?? '').includes('%')"
    before = version(page)
    shots.first.hover()
    page.locator("#peek .odds").click()
    until(page, told)
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    until(page, told)
    assert version(page) == before, "nothing was rolled"


@pytest.mark.served
def test_two_seats_play_at_once_and_third_looks_on(lobby_server, open_page):
    links = lobby_server.addresses("napoleon")
    seats = [seat for seat in links if seat not in ("host", "onlooker")]
    pages = [open_page(links[name]) for name in (*seats, "onlooker")]
    onlooker = pages[2]
    for _ in range(2):
        mine, other = (pages[0], pages[1]) if options(pages[0]).count() else (pages[1], pages[0])
        assert options(other).count() == 0 and options(onlooker).count() == 0
        before = version(other)
        choose(mine)
        for page in (other, onlooker):
            wait_for_change(page, before)


@pytest.mark.served
def test_choice_is_taken_back_and_made_again_before_other_seat(lobby_server, open_page):
    links = lobby_server.addresses("napoleon")
    seats = [seat for seat in links if seat not in ("host", "onlooker")]
    pages = [open_page(links[seat]) for seat in seats]
    mine, other = (pages[0], pages[1]) if options(pages[0]).count() else (pages[1], pages[0])
    keys = lobby_server.served(links["host"]).game.keys
    first = prompt(mine)
    choose(mine)
    after, seen = prompt(mine), version(other)
    for button, told in (("Undo", first), ("Redo", after), ("Undo", first)):
        mine.get_by_role("button", name=button, exact=True).click()
        until(mine, "told => document.querySelector('#prompt').innerText === told", arg=told)
        wait_for_change(other, seen)
        seen = version(other)
        assert not other.get_by_role("button", name="Redo", exact=True).is_enabled(), "it is not his to make again"
    assert list(keys) == []


@pytest.mark.served
def test_killed_game_is_resumed_by_same_link(open_page, tmp_path):
    with serve_process(tmp_path, "napoleon", "--seed", "1") as process:
        address = process.stdout.readline().strip()
        page = open_page(address)
        for _ in range(3):
            choose(page)
        told = page.locator("#log").inner_text()
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
        page.context.set_offline(True)
    with serve_process(tmp_path, "napoleon-1") as process:
        again = process.stdout.readline().strip()
        page = open_page(again)
        assert again.partition("seat=")[2] == address.partition("seat=")[2]
        assert page.locator("#log").inner_text() == told
        choose(page)


@pytest.mark.served
def test_games_are_begun_and_opened_from_list(lobby_server, open_page):
    with lobby_server.own_folders():
        name = lobby_server.served(lobby_server.game("napoleon")).name
        page = open_page(lobby_server.address, there=".start-card")
        page.get_by_role("button", name=f"Continue: {name}", exact=True).click()
        page.wait_for_selector("[data-place]")
        assert options(page).first.inner_text()
        page.goto(lobby_server.address)
        page.locator("[data-ruleset=napoleon]").click()
        page.locator("[data-begin=napoleon]").click()
        page.wait_for_selector("[data-place]")
    served = lobby_server.served(f"?seat={page.evaluate('history.state.seat')}")
    assert (served.players, served.game.scenario) == ({"allies": "human", "france": "greedy"}, "niemen"), (
        "a beginner's start"
    )


def test_page_speaks_japanese_and_its_map_is_walked_by_keys(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", lang="ja"))
    assert page.locator("html").get_attribute("lang") == "ja"
    assert JAPANESE.search(prompt(page))
    page.keyboard.press("m")
    first = focused(page, "data-place")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    assert first and focused(page, "data-place") not in (None, first)
    page.keyboard.press("?")
    page.wait_for_selector("dialog kbd")
    assert all(JAPANESE.search(text) for text in page.locator("dialog td").all_inner_texts())
    page.keyboard.press("Escape")
    for _ in range(80):
        page.keyboard.press("Tab")
        if focused(page, "data-option"):
            break
    before = version(page)
    page.keyboard.press("Enter")
    wait_for_change(page, before)
    assert focused(page, "data-option"), "whoever chooses by keys goes on in the list"


def test_places_and_options_can_be_hit_with_finger(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon"), 360, 740, has_touch=True)
    sizes = options(page).evaluate_all("all => all.map(b => b.getBoundingClientRect().height)")
    assert min(sizes) >= 40
    page.locator(".zoom .fold").tap()
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").tap()
    wide = page.locator(".place").first.bounding_box()
    assert min(wide["width"], wide["height"]) >= 40


def test_map_keeps_its_size_whatever_is_shown_beside_it(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712"))
    for width, height in ((360, 740), (740, 360), (1600, 1000)):
        page.set_viewport_size({"width": width, "height": height})
        before = page.locator("#map > svg").bounding_box()
        assert before["height"] > 0.7 * height, "the map is the page"
        for name in ("Log", "Status", "Charts", "Rules", "Chat", "Orders"):
            tab(page, name)
            assert page.locator("#map > svg").bounding_box() == before
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_looking_back_shows_game_as_it_stood(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon"))
    first = prompt(page)
    for _ in range(3):
        choose(page)
    now = page.locator("#log").inner_text()
    menu(page, "Look back")
    page.locator("#replay input").fill("0")
    until(page, "n => document.querySelector('#prompt').innerText === n", arg=first)
    assert "0" in page.locator("#replay p").inner_text() and prompt(page) == first
    page.keyboard.press("Escape")
    until(page, "n => document.querySelector('#log').innerText === n", arg=now)


def test_tracks_and_markers_lie_beside_map(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon", seed=3))
    tab(page, "Status")
    tracks = page.locator("#tracks")
    head = tracks.locator("thead").inner_text().strip().split("\t")
    assert head == ["Nation", "War status", "Footing"]
    assert tracks.get_by_text("morale 20").locator("svg .at").count() == 1
    assert tracks.locator("tbody tr").count() == 6 and tracks.locator("tbody td svg .at").count() == 12
    assert not tracks.locator(".changed").count(), "nothing has changed yet"
    tab(page, "Orders")
    for _ in range(40):
        choose(page, options(page).count() - 1)
        if tracks.locator(".changed").count():
            break
    assert tracks.locator(".changed").count(), "what has changed since the choice before is marked"
    menu(page, "Look back")
    page.locator("#replay input").fill("0")
    until(page, "() => document.querySelector('#tracks').innerText.includes('morale 20')")


@pytest.mark.served
def test_changes_of_other_seats_stay_marked_until_next_choice(lobby_server, open_page):
    addresses = lobby_server.addresses("napoleon", seed=3)
    pages = [open_page(addresses[seat]) for seat in ("france", "allies")]
    marks = "all => all.flatMap((one, n) => one.classList.contains('changed') ? [n] : [])"
    lasted: set[int] = set()
    marked: list[set[int]] = [set(), set()]
    for _ in range(40):
        mine = next(n for n, page in enumerate(pages) if page.locator("#prompt.yours").count())
        choose(pages[mine], options(pages[mine]).count() - 1)
        for n, page in enumerate(pages):
            until(page, "version => document.body.dataset.version === version", arg=version(pages[mine]))
            now = set(page.locator("#tracks :is(td, span)").evaluate_all(marks))
            if n != mine:
                lasted |= marked[n] & now
                assert marked[n] <= now, "what has changed since one's own choice"
            marked[n] = now
        if lasted:
            break
    assert lasted


def test_other_things_that_ruleset_has_fold_up_and_stay_open(lobby_server, open_page):
    page = open_page(lobby_server.game("denain-1712", seed=3))
    formations = page.locator("#tracks details[data-kind='formation']")
    tab(page, "Status")
    assert not formations.get_by_text("Villars").is_visible()
    formations.locator("summary").click()
    assert formations.get_by_text("Villars").is_visible()
    tab(page, "Orders")
    choose(page)
    tab(page, "Status")
    assert formations.get_by_text("Villars").is_visible()


@pytest.mark.served
def test_late_scene_of_earlier_position_is_dropped(lobby_server, open_page):
    """Check that the answer to a request made before a choice is dropped when it arrives after that choice."""
    address = lobby_server.game("napoleon")
    page, other = open_page(address), open_page(address)
    held = []

    def hold(route):
        if held:
            return route.continue_()
        held.append((route, route.fetch()))

    page.route("**/api/scene*", hold)
    choose(other)
    past = version(other)
    wait_for_event(page, lambda: held)
    choose(other)
    page.evaluate(
        """() => {
            window.seen = [];
            const look = () => window.seen.push(document.body.dataset.version);
            new MutationObserver(look).observe(document.body, { attributeFilter: ["data-version"] });
        }"""
    )
    choose(page)  # too late itself: the page is told so, and asks again
    assert version(page) == version(other)
    route, answer = held[0]
    route.fulfill(response=answer)
    choose(other)
    until(page, "now => document.body.dataset.version === now", arg=version(other))
    assert past not in page.evaluate("window.seen")


@pytest.mark.served
def test_poll_fetches_no_scene_that_the_answer_to_a_choice_holds(lobby_server, open_page):
    page = open_page(lobby_server.game("napoleon"), has_clock=True)
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 2"))  # so that the page waits for its answer however late
    asked, held = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/api/choose*", lambda route: held.append((route, route.fetch())))
    before = version(page)
    with page.expect_response("**/api/news*"):  # announces the choice before its answer comes
        options(page).first.click()
    wait_for_event(page, lambda: held)
    route, answer = held[0]
    route.fulfill(response=answer)
    wait_for_change(page, before)
    wait_for_event(page, lambda: any(f"after={version(page)}" in url for url in asked))
    assert not [url for url in asked if "/api/scene" in url]
