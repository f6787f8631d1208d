"""Lessons on the board: the server's answers, and a newcomer who learns and wins a first battle in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

pytest.importorskip("starlette", reason="the extra `board` is not installed")
pytest.importorskip("httpx", reason="the extra `dev` is not installed")

from starlette.testclient import TestClient

from interpreter.api.loading import load
from interpreter.i18n.translator import get_translator
from interpreter.ui.web.access_tokens import Keyring
from interpreter.ui.web.application import create_application
from interpreter.ui.web.game_factory import create_game_like, create_lesson
from interpreter.ui.web.lobby import Lobby
from interpreter.ui.web.seat_registry import SeatRegistry
from tests.board.browsing import advance_page, until, wait_for_step

MAX_STEPS = 60


class Guest:
    """A client with one token."""

    def __init__(self, client: TestClient, secret: str) -> None:
        self.client = client
        self.headers = {"Authorization": f"Bearer {secret}"}

    def post(self, path: str, body):
        return self.client.post(path, json=body, headers=self.headers)

    def scene(self):
        return self.client.get("/api/scene", headers=self.headers).json()


@pytest.fixture
def host(tmp_path, monkeypatch) -> Iterator[Guest]:
    """Yield the host at the list of games."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    registry = SeatRegistry(Keyring(b"k" * 32))
    lobby = Lobby(registry)
    with TestClient(create_application(registry, lobby=lobby), base_url="http://127.0.0.1:8000") as client:
        yield Guest(client, lobby.secret)
    for room in registry.channels.values():
        room.served.close()


def taught(host: Guest, ruleset: str) -> Guest:
    path = host.post("/api/learn", {"ruleset": ruleset}).json()["path"]
    return Guest(host.client, path.partition("seat=")[2])


def test_lesson_follows_its_steps_and_refuses_other_orders(host):
    pupil = taught(host, "napoleon")
    lesson = pupil.scene()["lesson"]
    assert (lesson["number"], lesson["asks"]) == (1, "read")
    assert pupil.post("/api/choose", {"key": "reinforcement"}).json()["error"] == "other-order"
    assert pupil.post("/api/lesson", {"do": "next"}).json()["lesson"]["asks"] == "look"
    assert pupil.post("/api/lesson", {"do": "next"}).json()["error"] == "order-expected"
    looked = pupil.post("/api/lesson", {"do": "look", "kind": "place", "ids": ["rhine"]}).json()["lesson"]
    assert looked["number"] == 3
    assert pupil.post("/api/undo", {}).json()["lesson"]["number"] == 2
    assert pupil.post("/api/lesson", {"do": "leave"}).json()["lesson"] is None
    assert pupil.post("/api/lesson", {"do": "dance"}).status_code == 400
    assert host.post("/api/learn", {"ruleset": "nothing"}).status_code == 404


def test_lesson_is_offered_in_game_and_only_few_stay_open(host):
    path = host.post("/api/open", {"ruleset": "napoleon", "scenario": "wagram"}).json()["path"]
    player = Guest(host.client, path.partition("seat=")[2])
    assert player.scene()["has_lesson"]
    first = player.post("/api/learn", {}).json()["path"]
    pupil = Guest(host.client, first.partition("seat=")[2])
    assert pupil.scene()["lesson"]["number"] == 1
    for _time in range(8):
        taught(host, "napoleon")
    assert pupil.client.get("/api/scene", headers=pupil.headers).status_code == 403
    assert player.scene()["lesson"] is None


def advance(pupil: Guest, number: int):
    """Play the usual orders of a lesson up to a step, and return its scene."""
    while (scene := pupil.scene())["lesson"]["number"] < number:
        lesson = scene["lesson"]
        look = {"do": "look", "kind": lesson["targets"][0]["kind"], "ids": [lesson["targets"][0]["id"]]}
        path, body = {
            "read": ("/api/lesson", {"do": "next"}),
            "look": ("/api/lesson", look),
            "order": ("/api/choose", {"key": (lesson["keys"] or [""])[0]}),
        }[lesson["asks"]]
        assert pupil.post(path, body).status_code == 200, lesson
    return scene


def test_lesson_takes_first_order_of_longer_plan_without_alarm(host):
    pupil = taught(host, "denain-1712")
    scene = advance(pupil, 10)
    plans = pupil.client.get(
        "/api/ask/plan", params={"piece": "regiment_du_roi", "place": "1710"}, headers=pupil.headers
    )
    keys = plans.json()[0]["keys"]
    assert keys[0] in scene["lesson"]["keys"] and len(keys) == 2
    answer = pupil.post("/api/choose", {"keys": keys}).json()
    assert (answer["lesson"]["number"], answer["order_report"]) == (11, None)


def test_lesson_leads_to_game_without_lesson(host):
    pupil = taught(host, "denain-1712")
    player = Guest(host.client, pupil.post("/api/again", {}).json()["path"].partition("seat=")[2])
    assert player.scene()["lesson"] is None


def test_new_game_after_lesson_has_scenario_and_players_of_first_game(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    taught = create_lesson(load("denain-1712"), get_translator(""))
    assert taught is not None
    made = create_game_like(taught, get_translator(""))
    made.close()
    assert (made.game.scenario, made.players) == ("no_alarm", {"french": "human", "allied": "greedy"})


def test_question_in_plain_words_is_answered(host):
    pupil = taught(host, "napoleon")

    def asked(text: str) -> str:
        answer = pupil.client.get("/api/ask/plain", params={"text": text}, headers=pupil.headers).json()
        return " ".join(line["text"] for line in answer["lines"])

    assert "War footing is how far a nation is mobilised" in asked("what is footing")
    assert "War footing is how far a nation is mobilised" in asked("footing")
    assert "your aim" in asked("how do I win?")
    assert "5 (move and fight)" in asked("attack Austria")


# The middle of the first ring on the map, and of the first frame on the page, as a point of the window to press.
POINTED_AT = """() => {
  const seen = (x, y) => document.elementFromPoint(x, y);
  for (const ring of document.querySelectorAll(".lesson-ring")) {
    const box = ring.getBoundingClientRect(), inverse = ring.getScreenCTM().inverse(), points = [];
    const across = (n) => box.left + box.width * ((n % 20) + 0.5) / 20;
    for (let n = 1; n < 400; n += 1) points.push([across(n), box.top + box.height * (n / 400)]);
    const far = ([x, y]) => Math.hypot(x - box.left - box.width / 2, y - box.top - box.height / 2);
    const isFilled = ([x, y]) => ring.isPointInFill(new DOMPoint(x, y).matrixTransform(inverse));
    const isInside = (at) => isFilled(at) && seen(...at)?.closest("#map svg");
    const found = points.filter(isInside).sort((a, b) => far(a) - far(b))[0];
    if (found && !document.querySelector(".lesson-frame")) return found;
  }
  for (const frame of document.querySelectorAll(".lesson-frame")) {
    const box = frame.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }
  return null;
}"""
# What lies over what the newcomer is to see: the names of those that overlap.
OVERLAPS = """() => {
  const box = (one) => one?.getClientRects().length ? one.getBoundingClientRect() : null;
  const parts = { lesson: box(document.querySelector("#lesson")), card: box(document.querySelector("#card")) };
  document.querySelectorAll(".lesson-ring, .lesson-frame").forEach((one, n) => (parts[`ring ${n}`] = box(one)));
  const found = [];
  const apart = (one, other) => one.right <= other.left || one.bottom <= other.top;
  const clear = (one, other) => !one || !other || apart(one, other) || apart(other, one);
  const isIn = (one) => one.left >= 0 && one.top >= 0 && one.right <= innerWidth && one.bottom <= innerHeight;
  for (const [name, one] of Object.entries(parts)) {
    if (name !== "lesson" && !clear(parts.lesson, one)) found.push(`lesson over ${name}`);
    if (!name.startsWith("ring") || !one) continue;
    if (!clear(parts.card, one)) found.push(`card over ${name}`);
    if (!isIn(one)) found.push(`${name} out of view`);
  }
  return found;
}"""

SHOWN = "() => ['#side', '.fan'].map((one) => document.querySelector(one).innerHTML).join()"


def follow_lesson(page, check_layout: bool = True) -> None:
    """Complete a lesson by pressing only its targets."""
    page.wait_for_selector("#lesson:not([hidden])")
    for _press in range(MAX_STEPS):
        page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
        if check_layout:
            until(page, f"() => !({OVERLAPS})().length || document.body.hasAttribute('aria-busy')")
        if page.is_visible(".lesson-over"):
            return
        before = page.inner_text(".lesson-count")
        if page.is_visible(".lesson-next"):
            page.click(".lesson-next")
            until(page, "before => document.querySelector('.lesson-count').textContent !== before", before)
            continue
        shown = page.evaluate(SHOWN)
        until(page, f"() => ({POINTED_AT})()")
        page.mouse.click(*page.evaluate(POINTED_AT))
        changed = f"""([count, side]) => !document.body.hasAttribute('aria-busy') &&
            (document.querySelector('.lesson-count').textContent !== count ||
             ({SHOWN})() !== side)"""
        until(page, changed, [before, shown])
    raise AssertionError(f"the lesson does not end: {page.inner_text('#lesson')}")


@pytest.mark.parametrize(
    ("ruleset", "won", "size"),
    [
        ("napoleon", "Austria", (1440, 900)),
        pytest.param("napoleon", "Austria", (390, 844), marks=pytest.mark.soak),
        pytest.param("denain-1712", "Albemarle 1", (1280, 720), marks=pytest.mark.soak),
        pytest.param("denain-1712", "Albemarle 1", (390, 844), marks=pytest.mark.soak),
    ],
)
def test_guided_turn_is_completed_by_pressing_its_targets(lobby_server, open_page, ruleset, won, size):
    page = lobby_server.open_lesson(open_page, ruleset)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    follow_lesson(page)
    assert won in page.text_content("#log")
    assert page.is_visible(".lesson-own")
    page.click(".lesson-leave")
    until(page, "() => document.querySelector('#lesson').hidden")
    assert page.query_selector("[data-option]") is not None, "the game goes on"


def click_piece(page, piece: str) -> None:
    """Click the location of a counter, even if another element covers it, before the stack fans out."""
    page.mouse.move(860, 620)  # an empty place
    until(page, "() => !document.querySelector('.fan').childElementCount && !document.body.hasAttribute('aria-busy')")
    middle = """piece => {
      const { x, y, width, height } = document.querySelector(`#map [data-piece='${piece}']`).getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }"""
    page.mouse.click(*page.evaluate(middle, piece))


def test_click_on_pile_selects_counter_with_orders_and_click_on_counter_is_its_order(lobby_server, open_page):
    page = lobby_server.open_lesson(partial(open_page, has_clock=True), "denain-1712")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_selector("#lesson:not([hidden])")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    advance_page(page, 2)
    assert page.inner_text("#lesson .figures") == "3-4-2"
    click_piece(page, "picardie")
    wait_for_step(page, 3)
    page.clock.run_for(1_000)  # longer than the page waits before it asks for reasons
    assert page.evaluate("0") == 0 and not [url for url in asked if "/api/ask/why" in url]
    assert "no order leads" not in page.inner_text("#map .tip")

    advance_page(page, 6)
    click_piece(page, "piemont")
    selected = page.locator("#map .chosen[data-piece]").evaluate_all("all => all.map(one => one.dataset.piece)")
    assert selected == ["french_artillery-1"], "the gun under the regiment is the one with orders"
    until(
        page, "() => document.querySelectorAll('.lesson-ring').length === 1 && document.querySelector('.lesson-frame')"
    )

    advance_page(page, 10)
    click_piece(page, "regiment_du_roi")
    wait_for_step(page, 11)
    assert not page.inner_text("#alert")


def test_click_on_pile_without_orders_spreads_it_out(lobby_server, open_page):
    page = lobby_server.open_lesson(open_page, "denain-1712")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_selector("#lesson:not([hidden])")
    advance_page(page, 6)
    click_piece(page, "picardie")
    until(page, "() => document.querySelectorAll('.fan [data-piece]').length > 1")


def test_cover_of_shipped_ruleset_is_served_and_of_nothing_else(host):
    for name, status in (("cover-napoleon.svg", 200), ("cover-nothing.svg", 404), ("cover-..%2Fnapoleon.svg", 404)):
        answer = host.client.get(f"/pictures/{name}", headers=host.headers)
        assert answer.status_code == status, name
    answer = host.client.get("/pictures/cover-napoleon.svg?lang=ja", headers=host.headers)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.count('class="counter') > 5


def test_next_step_of_lesson_leaves_log_at_its_end(lobby_server, open_page):
    page = lobby_server.open_lesson(open_page, "napoleon")
    page.locator("#lesson button:visible", has_text="Next").wait_for()
    page.click("#tab-log")
    roll = page.locator("#log .scroll")
    roll.evaluate("(roll) => Object.assign(roll.style, { flex: 'none', height: '80px' })")
    roll.evaluate("(roll) => { roll.scrollTop = roll.scrollHeight; }")
    page.locator("#lesson button:visible", has_text="Next").click()
    page.locator("#lesson", has_text="Step 2").wait_for()
    assert roll.evaluate("(roll) => roll.scrollTop") > 0
