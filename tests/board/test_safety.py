"""Strangers: wrong links, names, pages and sizes are refused before a game hears of them."""

from __future__ import annotations

import httpx
import pytest

from tests.patience import PATIENCE

PATHS = ("/api/scene", "/api/still", "/api/news", "/api/seats")


@pytest.mark.parametrize("path", PATHS)
def test_request_without_link_is_refused(serve, path):
    table = serve("napoleon")
    assert table.client.get(path).json()["error"] == "no-seat"
    answer = table.client.get(path, params={"seat": "x" * 24})
    assert (answer.status_code, answer.json()["error"]) == (403, "strange-seat")
    assert table.client.get(path, params={"seat": "ü\ud800".encode("utf-8", "replace").decode()}).status_code == 403


def test_link_lets_in_by_header_and_by_address(serve):
    table = serve("napoleon")
    by_address = table.client.get("/api/scene", params={"seat": table.secrets["host"]})
    assert by_address.json() == table.scene()


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.nip.io", "localhost.", "evil.example:8000", "", "localhost.evil.example"]
)
def test_strange_names_are_refused(serve, host):
    table = serve("napoleon")
    answer = table.get("/api/scene", Host=host)
    assert (answer.status_code, answer.json()["error"]) == (421, "strange-host")


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000", "192.168.1.7:80", "grognard.localhost"])
def test_addresses_and_local_name_are_known(serve, host):
    assert serve("napoleon").get("/api/scene", Host=host).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
    ],
)
def test_pages_of_strangers_choose_nothing(serve, headers):
    table = serve("napoleon")
    body = b'{"key": "pass"}'
    own = {"Authorization": f"Bearer {table.secrets['host']}", "Content-Type": "application/json", **headers}
    answer = table.client.post("/api/choose", content=body, headers=own)
    assert answer.status_code in (403, 415) and answer.json()["message"]
    assert table.served.game.keys == []


def test_our_own_page_may_choose(serve):
    table = serve("napoleon")
    key = table.served.game.decision.options[0].key
    own = {"Origin": "http://127.0.0.1:8000", "Sec-Fetch-Site": "same-origin"}
    assert table.post("/api/choose", {"key": key}, "host", **own).status_code == 200


def test_too_long_input_is_refused(serve):
    table = serve("napoleon")
    assert table.post("/api/choose", {"key": "x" * 70_000}).json()["error"] == "too-long"
    assert table.get("/api/scene?x=" + "x" * 9_000).json()["error"] == "too-long"
    assert table.get("/api/scene", **{"X-Long": "x" * 40_000}).json()["error"] == "too-long"


HALF = "\\ud800"  # as JSON writes half of a character
SENT = [
    ("/api/choose", f'{{"key": "{HALF}"}}'),
    ("/api/choose", f'{{"keys": ["pass", "{HALF}"]}}'),
    ("/api/choose", f'{{"key": "pass", "version": "{HALF}"}}'),
    ("/api/choose", f'{{"key": "pass", "{HALF}": 1}}'),
    ("/api/note", f'{{"text": "a {HALF} b"}}'),
    ("/api/undo", f'{{"anyway": "{HALF}"}}'),
    ("/api/redo", f'{{"x": ["{HALF}"]}}'),
]
ASKED = ["/api/scene", "/api/still", "/api/seats", "/api/ask/notes", "/api/ask/report", "/api/ask/log"]


@pytest.mark.parametrize(("path", "body"), SENT)
def test_half_character_is_refused_and_breaks_nothing_later(serve, capsys, path, body):
    table = serve("napoleon")
    own = {"Authorization": f"Bearer {table.secrets['host']}", "Content-Type": "application/json"}
    answer = table.client.post(path, content=body, headers=own)
    assert (answer.status_code, answer.json()["error"]) == (400, "no-json")
    assert table.served.game.keys == [] and table.served.autosave.notes == []
    assert table.post("/api/note", {"text": "whole 😀"}).status_code == 200
    assert [table.get(question).status_code for question in ASKED] == [200] * len(ASKED)
    assert capsys.readouterr().err == ""


ADDRESSES = [
    "/api/scene?lang={half}",
    "/api/news?after={half}",
    "/api/still?lang={half}&x={half}",
    "/api/{half}",
    "/api/ask/{half}",
    "/api/ask/preview?key={half}",
    "/api/ask/odds?key={half}",
    "/api/ask/find?text={half}",
    "/api/ask/piece?id={half}",
    "/api/ask/why?piece={half}&place={half}",
    "/api/ask/chart?id={half}&key={half}",
    "/api/ask/earlier?choices={half}",
    "/ground/{half}.svg",
    "/page/{half}",
    "/api/scene?seat={half}",
]


@pytest.mark.parametrize("half", ["%ED%A0%80", "%FF", "%F0%9F%98"])
def test_surrogate_in_address_causes_no_server_error(serve, capsys, half):
    table = serve("napoleon")
    for address in ADDRESSES:
        answer = table.get(address.format(half=half))
        assert answer.status_code < 500, (address, answer.text)
    assert table.scene()["decision"]["options"]
    assert capsys.readouterr().err == ""


def test_notes_that_hold_half_character_are_shown(serve):
    table = serve("napoleon")
    table.served.autosave.save_note("from \ud800 elsewhere")
    assert "elsewhere" in table.get("/api/ask/notes").text
    assert table.get("/api/ask/report").status_code == 200


def test_invalid_json_is_refused(serve):
    table = serve("napoleon")
    own = {"Authorization": f"Bearer {table.secrets['host']}", "Content-Type": "application/json"}
    for body, code in ((b"{", "no-json"), (b"[]", "no-object"), (b"\xff", "no-json"), (b"[" * 60_000, "no-json")):
        answer = table.client.post("/api/choose", content=body, headers=own)
        assert (answer.status_code, answer.json()["error"]) == (400, code)


def test_too_many_posts_are_slowed_down(serve, monkeypatch):
    from interpreter.ui.web import request_guard

    table = serve("napoleon")
    monkeypatch.setattr(request_guard, "monotonic", lambda: 1.0)
    codes = [table.post("/api/choose", {"key": "fly"}).status_code for _ in range(125)]
    assert codes == [422] * 120 + [429] * 5
    assert table.get("/api/scene").status_code == 200
    monkeypatch.setattr(request_guard, "monotonic", lambda: 2.0)
    assert table.post("/api/choose", {"key": "fly"}).status_code == 422


def test_forwarded_addresses_give_no_further_posts(lobby_server, monkeypatch):
    """Anybody can send the header; only the connection says who asks."""
    from interpreter.ui.web import request_guard

    monkeypatch.setattr(request_guard, "monotonic", lambda: 1.0)
    address = lobby_server.game("napoleon")
    with httpx.Client(base_url=lobby_server.base, timeout=PATIENCE) as client:
        secret = address.partition("seat=")[2]
        codes = []
        for number in range(130):
            forged = {"X-Forwarded-For": f"10.0.0.{number}", "Forwarded": f"for=10.0.0.{number}"}
            own = {"Authorization": f"Bearer {secret}", **forged}
            codes.append(client.post("/api/choose", json={"key": "fly"}, headers=own).status_code)
    assert codes == [422] * 120 + [429] * 10


def test_flood_of_strangers_takes_no_posts_from_seat(serve, monkeypatch):
    """Behind a proxy all have one address."""
    from interpreter.ui.web import request_guard

    table = serve("napoleon")
    monkeypatch.setattr(request_guard, "monotonic", lambda: 1.0)
    strangers = [
        table.client.post("/api/choose", json={}, headers={"Authorization": f"Bearer {number}"}).status_code
        for number in range(125)
    ]
    assert strangers == [403] * 120 + [429] * 5
    assert table.post("/api/choose", {"key": "fly"}).status_code == 422
    assert table.post("/api/choose", {"key": "fly"}, "onlooker").status_code == 403


@pytest.mark.parametrize("name", ["Host", "Origin", "Authorization", "Content-Length"])
def test_header_that_is_there_twice_is_refused(serve, name):
    table = serve("napoleon")
    twice = [(name, "127.0.0.1"), (name, "127.0.0.1")]
    answer = table.client.get("/api/scene", headers=[("Host", "127.0.0.1"), *twice])
    assert (answer.status_code, answer.json()["error"]) == (400, "bad-request")


def test_every_answer_carries_content_policy(serve):
    table = serve("napoleon")
    for path in ("/", "/page/main.js", "/api/scene", "/nowhere", "/page/../application.py"):
        answer = table.get(path)
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert table.client.get("/nowhere").json()["error"] == "not-found"
    assert table.client.put("/api/scene").json()["error"] in ("wrong-method", "no-seat")


def test_key_of_installation_gives_same_links_again(tmp_path, monkeypatch):
    from interpreter.ui.web.access_tokens import load_keyring

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    first = load_keyring()
    assert load_keyring() == first
    secrets = {first.derive_secret(game, role, seat) for game in "ab" for role in ("host", "seat") for seat in "xy"}
    assert len(secrets) == 8
    file = next(tmp_path.rglob("seats.key"))
    assert file.stat().st_mode & 0o077 == 0
    file.write_bytes(b"short")
    assert load_keyring() != first and load_keyring() == load_keyring()
