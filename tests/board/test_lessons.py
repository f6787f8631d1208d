"""Lessons on the board: the server's answers, and a newcomer who learns and wins a first battle in a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="the extra `board` is not installed")
pytest.importorskip("httpx", reason="the extra `dev` is not installed")

from starlette.testclient import TestClient

from interpreter.ui.web.access_tokens import Keyring
from interpreter.ui.web.application import application
from interpreter.ui.web.lobby import Lobby
from interpreter.ui.web.seat_registry import SeatRegistry
from tests.board.browsing import until

MOST_STEPS = 60


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
    """The host at the list of games."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    doors = SeatRegistry(Keyring(b"k" * 32))
    lobby = Lobby(doors)
    with TestClient(application(doors, lobby=lobby), base_url="http://127.0.0.1:8000") as client:
        yield Guest(client, lobby.secret)
    for room in doors.rooms.values():
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


def test_question_in_plain_words_is_answered(host):
    pupil = taught(host, "napoleon")

    def asked(text: str) -> str:
        answer = pupil.client.get("/api/ask/plain", params={"text": text}, headers=pupil.headers).json()
        return " ".join(line["text"] for line in answer["lines"])

    assert "War footing is how far a nation is mobilised" in asked("what is footing")
    assert "War footing is how far a nation is mobilised" in asked("footing")
    assert "your aim" in asked("how do I win?")
    assert "5 (move and fight)" in asked("attack Austria")


@pytest.mark.parametrize("ruleset", ["napoleon", pytest.param("denain-1712", marks=pytest.mark.soak)])
def test_newcomer_completes_guided_turn_and_wins_battle(lobby_server, open_page, ruleset):
    page = lobby_server.open_lesson(open_page, ruleset)
    page.wait_for_selector("#lesson:not([hidden])")
    for _step in range(MOST_STEPS):
        before = page.inner_text(".lesson-count")
        if page.is_visible(".lesson-over"):
            break
        if page.is_visible(".lesson-next"):
            page.click(".lesson-next")
        else:
            page.click(".lesson-help")
            meant = page.query_selector(".lesson-meant")
            if meant is not None:
                meant.click()
        until(page, "before => document.querySelector('.lesson-count').textContent !== before", before)
    assert page.is_visible(".lesson-over")
    won = {"napoleon": "Austria", "denain-1712": "Albemarle 1"}[ruleset]
    assert won in page.inner_text("#log")
    page.click(".lesson-leave")
    until(page, "() => document.querySelector('#lesson').hidden")
    assert page.query_selector("[data-option]") is not None, "the game goes on"


@pytest.mark.served
def test_axe_finds_nothing_serious_in_start_page_and_lesson(lobby_server, open_page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed (extra `dev`)")
    page = open_page(lobby_server.address, there=".start-card")

    def look(what: str) -> None:
        for width, scheme in ((360, "light"), (360, "dark"), (1600, "light"), (1600, "dark")):
            page.set_viewport_size({"width": width, "height": 740 if width == 360 else 1000})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (what, width)
            found = axe.Axe().run(page).response["violations"]
            assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == [], (what, width, scheme)

    look("start page")
    page.click("[data-lesson=napoleon]")
    page.wait_for_selector("#lesson:not([hidden])")
    look("lesson")
    page.emulate_media(reduced_motion="no-preference")  # the next visitor has this page


def test_cover_of_shipped_ruleset_is_served_and_of_nothing_else(host):
    for name, status in (("cover-napoleon.svg", 200), ("cover-nothing.svg", 404), ("cover-..%2Fnapoleon.svg", 404)):
        answer = host.client.get(f"/pictures/{name}", headers=host.headers)
        assert answer.status_code == status, name
    answer = host.client.get("/pictures/cover-napoleon.svg?lang=ja", headers=host.headers)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.count('class="counter') > 5
