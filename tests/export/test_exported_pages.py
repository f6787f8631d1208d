"""Exported pages in a real browser, with every request aborted that does not stay on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.api.game_code import encode_code, encode_game
from interpreter.api.resume import build_replay
from interpreter.players.bots.registry import make_bots
from interpreter.players.ownership import list_seats
from interpreter.saves.journal import parse_journal
from tests.board.browsing import until, version
from tests.export.test_exported_files import LIMITS
from tests.file_server import FileServer, serve_folder

JAPANESE = "開く"


@pytest.fixture
def serve() -> Iterator[Callable[[Path], FileServer]]:
    """Yield a function that serves a folder as any web server does."""
    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(serve_folder(folder))


def choose(page, number: int = 0) -> None:
    """Press an option and wait until the game has advanced; confirm where the page asks."""
    until(page, "() => document.querySelector('[data-option]') && !document.body.hasAttribute('aria-busy')")
    before = version(page)
    if page.locator("#card:visible").count():  # on a telephone it lies over the orders until it is closed
        page.locator("#card footer button, #card button.primary").last.click()
    page.locator("[data-option]:visible").nth(number).click()
    until(page, "v => document.body.dataset.version !== v || document.querySelector('#alert .anyway')", before)
    if version(page) == before:
        page.locator("#alert .anyway").click()
        until(page, "v => document.body.dataset.version !== v", before)


def rested(page) -> None:
    """Wait until it is a person's turn and everything before it is saved."""
    until(page, "() => document.querySelector('#prompt').classList.contains('yours') && grognard.isSaved")


def saved(page) -> dict:
    return page.evaluate("grognard.request('GET', '/api/saved').then((answer) => JSON.parse(answer.body))")


def replayed(journal: str):
    """Replay the game of a journal from a page here; check that every phase and the end are equal."""
    found = parse_journal(journal.encode(), "from the page")
    return build_replay(found, load(found.header.ruleset), "from the page").finish_without_divergence("from the page")


def link(page) -> str:
    page.locator("#local-open").click()
    page.get_by_role("button", name="copy a link to this position").click()
    page.wait_for_selector(".local-link:visible")
    address = page.input_value(".local-link")
    page.keyboard.press("Escape")
    return address


def test_single_file_from_disk_is_played_saved_and_linked(exported, open_page):
    """Also: a reload goes on, another browser opens the link, and the journal replays here to the same hashes."""
    file = exported("napoleon", "napoleon.html", "--side", "france=human", "--side", "allies=human").as_uri()
    page = open_page(file)
    for _ in range(4):
        choose(page)
    rested(page)
    before = saved(page)
    page.reload()
    page.wait_for_selector("[data-option]:visible")
    assert saved(page)["journal"] == before["journal"]
    game = replayed(before["journal"])
    assert len(game.keys) == before["choices"] >= 4

    other = open_page(link(page))
    assert "#" not in other.url
    assert saved(other)["journal"] == before["journal"]
    choose(other)
    back = open_page(link(other))
    assert saved(back)["choices"] == saved(other)["choices"] > before["choices"]


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", ["napoleon", "denain-1712"])
def test_folder_plays_without_network_after_first_visit(exported, open_page, serve, ruleset):
    server = serve(exported(ruleset, ruleset))
    page = open_page(server.address, near=server.address)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    assert server.sent <= LIMITS[ruleset], "the service worker loads nothing again that is large"
    choose(page)
    rested(page)
    before = saved(page)["journal"]
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector("[data-option]:visible")
    assert saved(page)["journal"] == before
    choose(page)


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", ["napoleon", "denain-1712"])
def test_whole_game_of_bots_in_page_equals_one_here(exported, open_page, serve, ruleset):
    """Greedy bots play against each other in Pyodide and in this Python: the same choices, the same hashes."""
    sides = {"napoleon": ("france", "allies"), "denain-1712": ("french", "allied")}[ruleset]
    words = [word for side in sides for word in ("--side", f"{side}=human")]
    address = serve(exported(ruleset, f"{ruleset}-hot", *words)).address
    page = open_page(address, near=address)
    body = json.dumps({"players": dict.fromkeys(sides, "greedy")})
    code = page.evaluate(
        "b => grognard.request('POST', '/api/fresh', '', b).then((a) => JSON.parse(a.body).code)", body
    )
    page.evaluate("code => { location.hash = `game=${code}`; location.reload(); }", code)
    until(page, "() => window.grognard?.marks && document.querySelector('#prompt')?.textContent")
    scene = "() => grognard.request('GET', '/api/scene').then((answer) => JSON.parse(answer.body).outcome.length)"
    while not page.evaluate(scene):
        page.wait_for_timeout(200)
    journal = saved(page)["journal"]
    game = replayed(journal)
    assert game.over
    again = load(ruleset).start(seed=game.seed)
    bots = make_bots(dict.fromkeys(sides, "greedy"), game.seed)
    while not again.over:
        again.pick(bots[again.decision.seat].choose(again))
    assert (again.keys, again.hash()) == (game.keys, game.hash())


@pytest.mark.soak
def test_reload_during_battle_continues_battle(exported, open_page, serve):
    """Check a game of two players on one device whose page is reloaded after each choice of a battle."""
    sides = ("--side", "france=human", "--side", "allies=human")
    address = serve(exported("napoleon", "napoleon-hot", *sides)).address
    rules = load("napoleon")
    game = rules.start(seed=7)
    bots = make_bots(dict.fromkeys(list_seats(game), "greedy"), 7)
    while game.decision.name != "losses":
        game.pick(bots[game.decision.seat].choose(game))
    page = open_page(f"{address}#game={encode_code(encode_game(game, rules, {}))}", near=address)
    for _ in range(3):
        before, asked = saved(page)["journal"], page.locator("#prompt").inner_text()
        page.reload()
        page.wait_for_selector("[data-option]:visible")
        assert (saved(page)["journal"], page.locator("#prompt").inner_text()) == (before, asked)
        choose(page)
        rested(page)
    assert len(replayed(saved(page)["journal"]).keys) >= len(game.keys) + 3


@pytest.mark.soak
def test_page_answers_while_bot_thinks_long(exported, open_page, serve):
    """Check that a query is answered during a single job of the bots' worker."""
    sides = ("--side", "french=search:1000", "--side", "allied=search:1000")
    address = serve(exported("denain-1712", "thinks", *sides)).address
    page = open_page(address, near=address, there="#prompt:not(:empty)")
    answered = """async () => {
        for (;;) {
            const [job] = grognard.bots.jobs.keys();
            const { status } = await grognard.request("GET", "/api/ask/score");
            if (job && status === 200 && grognard.bots.jobs.has(job)) return true;
            await new Promise((go) => setTimeout(go, 20));
        }
    }"""
    assert page.evaluate(answered)


@pytest.mark.soak
def test_undo_ends_search_of_bot(exported, open_page, serve):
    """Check that after an undo a search of 100,000 trials, which takes minutes, is replaced by a new one."""
    sides = ("--side", "france=human", "--side", "allies=search:100000")
    address = serve(exported("napoleon", "undone", *sides)).address
    page = open_page(address, near=address)
    rested(page)
    before = saved(page)["choices"]
    while not page.evaluate("grognard.bots.jobs.size"):
        choose(page)
        until(page, "() => grognard.bots.jobs.size || document.querySelector('#prompt').classList.contains('yours')")
    page.evaluate("grognard.request('POST', '/api/undo', '', '{}')")
    until(page, "() => !grognard.bots.jobs.size")
    rested(page)
    assert saved(page)["choices"] >= before
    choose(page)


@pytest.mark.soak
def test_change_is_checked_played_kept_and_sent(exported, open_page, serve):
    address = serve(exported("napoleon", "napoleon")).address
    page = open_page(address, near=address)
    page.locator("#local-open").click()
    page.get_by_role("button", name="try a change").click()
    cell = page.get_by_label("numbers of the rules: declare_at")
    cell.fill("many")
    page.get_by_role("button", name="check", exact=True).click()
    page.wait_for_selector(".local-findings button")
    cell.fill("7")
    page.get_by_role("button", name="play the changed game").click()
    until(page, "() => window.grognard?.opened?.variant && grognard.marks && document.querySelector('[data-option]')")
    assert page.locator("#title").inner_text() == "Napoleon, changed"
    choose(page)
    rested(page)
    page.reload()
    page.wait_for_selector("[data-option]:visible")
    other = open_page(link(page), near=address)
    assert other.locator("#title").inner_text() == "Napoleon, changed"
    assert saved(other)["journal"] == saved(page)["journal"]


@pytest.mark.soak
def test_bot_that_searches_plays_and_telephone_shows_dialog_in_japanese(exported, open_page):
    sides = ("--side", "france=search:20", "--side", "allies=human")
    file = exported("napoleon", "search.html", *sides, "--lang", "ja")
    page = open_page(file.as_uri(), viewport={"width": 390, "height": 844}, has_touch=True)
    own = 0
    while saved(page)["choices"] == own:  # the first choices may all be of one side
        rested(page) if own else None
        choose(page)
        own += 1
    page.locator("#local-open").tap()
    page.wait_for_selector("dialog.local[open]")
    assert JAPANESE in page.locator("dialog.local").inner_text()
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
