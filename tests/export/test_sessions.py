"""A page without a server gets the answers that the server gives, from a bundle and with few modules."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from interpreter.api.bundle import PICTURE, load_bundle, pack_rules
from interpreter.api.game import load
from interpreter.api.resume import open_replay
from interpreter.players.bots.registry import make_bots
from interpreter.ui.web.browser import local_game
from interpreter.ui.web.browser.entry import open_on_bundle
from interpreter.ui.web.browser.local_game import StartDefaults, encode_journal
from interpreter.ui.web.browser.session import BrowserSession, BrowserThinker
from tests.tools.test_scans import png

GAMES = {"napoleon": ("france", "allies"), "denain-1712": ("french", "allied")}
# Modules that a page has no use for, or that cannot be had in a browser.
HEAVY = ("asyncio", "anyio", "starlette", "multiprocessing", "yaml", "lark", "jsonschema", "filelock", "platformdirs")
SEED = 214_702  # of a game in which dice dealt by the subjects of rolls once led `search:8` to other choices
QUESTIONS = ("briefing", "score", "front", "roster", "ledger", "overlays", "legend")
HEAVY_XML = ("xml", "email", "urllib.request", "gzip")


@cache
def bundle(ruleset: str) -> dict[str, bytes]:
    return pack_rules(ruleset)


def session_of(ruleset: str, players=None, **more) -> BrowserSession:
    return BrowserSession(load_bundle(bundle(ruleset), ruleset), StartDefaults(players or {}), **more)


def ask(session: BrowserSession, path: str, body: object = None, query: str = "") -> dict:
    method = "GET" if body is None else "POST"
    return json.loads(session.call(method, path, query, "" if body is None else json.dumps(body)))


def keys_of(scene: dict) -> list[str]:
    """Return the keys of all choices, wherever they are in the scene."""
    found: list[str] = []

    def walk(node: object) -> None:
        if isinstance(node, dict):
            found.extend([node["key"]] if isinstance(node.get("key"), str) and "label" in node else [])
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(scene["decision"])
    return found


@pytest.mark.parametrize("ruleset", GAMES)
def test_bundle_plays_as_files_do(ruleset):
    from_files, from_bundle = load(ruleset), load_bundle(bundle(ruleset), ruleset)
    games = [rules.start(seed=4) for rules in (from_files, from_bundle)]
    bots = [make_bots(dict.fromkeys(GAMES[ruleset], "greedy"), 4) for _ in games]
    for _ in range(60):
        for game, players in zip(games, bots, strict=True):
            game.pick(players[game.decision.seat].choose(game))
    assert games[0].hash() == games[1].hash()
    assert from_bundle.documents().content_hash == from_files.documents().content_hash
    assert from_bundle.location == ""
    assert from_bundle.form("ledger").data["form"] == "ledger"


@pytest.mark.parametrize("ruleset", GAMES)
def test_session_gives_answers_of_server(ruleset, tmp_path, monkeypatch):
    pytest.importorskip("starlette", reason="the extra `board` is not installed")
    from starlette.testclient import TestClient

    from interpreter.i18n.translator import get_translator
    from interpreter.ui.web.access_tokens import Keyring
    from interpreter.ui.web.application import create_application
    from interpreter.ui.web.game_channel import GameChannel
    from interpreter.ui.web.game_factory import create_game
    from interpreter.ui.web.seat_registry import SeatRegistry

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    session = session_of(ruleset)
    seed = session.served.game.seed
    served = create_game(load(ruleset), get_translator(""), {}, seed=seed)
    doors, room = SeatRegistry(Keyring(b"k" * 32)), GameChannel(served, "game")
    doors.open(room)
    headers = {"Authorization": f"Bearer {doors.list_links(room)[0].secret}"}
    with TestClient(create_application(doors), base_url="http://127.0.0.1:8000") as client:

        def from_server(path: str, body: object = None) -> dict:
            if body is None:
                return client.get(path, headers=headers).json()
            return client.post(path, json=body, headers=headers).json()

        def same(path: str, body: object = None) -> dict:
            here, there = ask(session, path, body), from_server(path, body)
            for told in (here, there):
                for name in ("version", "name"):
                    told.pop(name, None) if isinstance(told, dict) else None
            assert here == there, path
            return here

        chart = same("/api/still")["charts"][0][0]
        for _ in range(4):
            scene = same("/api/scene")
            key = keys_of(scene)[0]
            for question in (
                "briefing",
                "score",
                "front",
                "roster",
                "ledger",
                "overlays",
                "legend",
                f"chart?id={chart}",
            ):
                path, _, query = question.partition("?")
                here = ask(session, f"/api/ask/{path}", query=query)
                assert here == from_server(f"/api/ask/{question}"), question
            same("/api/choose", {"key": key})
        same("/api/undo", {"anyway": True})
        same("/api/choose", {"key": "no such key"})
    served.close()


def test_session_without_server_needs_no_heavy_module(tmp_path):
    """Play, questions, saving and a link, in a process of its own."""
    for name, data in pack_rules("napoleon").items():
        (tmp_path / name).write_bytes(data)
    script = """
import json, sys
from pathlib import Path
from interpreter.ui.web.browser.entry import open_on_bundle
bundle = {path.name: path.read_bytes() for path in Path(sys.argv[1]).iterdir()}
start = {"players": {"allies": "greedy"}, "scenario": "", "options": []}
nothing = {"code": "", "journal": "", "lesson": None}
def opened(**given):
    return open_on_bundle(bundle, {"role": "board", "name": "x", "defaults": start, "lang": "", **nothing, **given})
session = opened(lesson={})
assert '"lesson":{' in session.call("POST", "/api/lesson", "", '{"do": "next"}')
session = opened()
def ask(method, path, body=None):
    text = session.call(method, path, "", "" if body is None else json.dumps(body))
    assert session.status == 200, text
    return json.loads(text) if session.kind == "application/json" else text
ask("GET", "/api/words"), ask("GET", "/api/still"), ask("GET", "/api/local"), ask("GET", "/api/ask/report")
ground = ask("GET", "/api/scene")["ground"]
assert ask("GET", f"/ground/{ground}.svg").startswith("<svg")
while session.bot_work():
    session.bot_step()
ask("GET", "/api/saved"), ask("GET", "/api/code/"), ask("POST", "/api/fresh", {})
print(json.dumps(sorted(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert loaded & {*HEAVY, *HEAVY_XML} == set()


@pytest.mark.parametrize("bot", ["greedy", "search:8"])
@pytest.mark.parametrize("dice", [None, [1, 2, 3]], ids=["seeded", "after-other-dice"])
def test_worker_of_bots_chooses_as_bots_do_here(bot, dice, monkeypatch):
    """Check the choices also where the process has played another game of these rules, with dice of another source."""
    monkeypatch.setattr(local_game, "create_seed", lambda: SEED)
    load("napoleon").start(dice=dice)
    session = session_of("napoleon", {"france": bot, "allies": bot})
    assert session.has_thinkers and session.served.game.seed == SEED
    wanted = {"name": "x", "role": "thinker", "lang": ""}
    thinker = open_on_bundle(bundle("napoleon"), wanted)
    assert isinstance(thinker, BrowserThinker)
    game = load("napoleon").start(seed=SEED)
    bots = make_bots(session.served.players, SEED)
    for _ in range(12):
        job = session.bot_work()
        session.bot_answer(thinker.status, thinker.call(job, ""))
        game.pick(bots[game.decision.seat].choose(game))
    assert session.served.game.keys == game.keys, f"seed {SEED}"


def test_bot_that_fails_in_second_worker_hands_its_seat_to_people():
    session = session_of("napoleon", {"france": "search:8", "allies": "search:8"})
    assert session.bot_work()
    session.bot_answer(500, json.dumps({"message": "it broke"}))
    assert any("it broke" in notice for notice in ask(session, "/api/scene")["notices"])


def test_journal_of_session_is_resumed_here_and_there(tmp_path):
    session = session_of("napoleon", {"allies": "greedy"})
    for _ in range(6):
        while session.bot_work():
            session.bot_step()
        ask(session, "/api/choose", {"key": keys_of(ask(session, "/api/scene"))[0]})
    ask(session, "/api/note", {"text": "a remark"})
    file = tmp_path / "page.journal"
    file.write_bytes(encode_journal(session.served))
    assert open_replay(file).finish_without_divergence(file).hash() == session.served.game.hash()
    again = session_of("napoleon", journal=file.read_text())
    assert again.is_opened and again.served.game.hash() == session.served.game.hash()
    assert again.served.players == session.served.players
    assert ask(again, "/api/ask/notes") == ask(session, "/api/ask/notes")


@pytest.mark.parametrize("given", [{"code": "damaged"}, {"journal": "not a journal"}])
def test_unfit_save_starts_new_game_with_message(given):
    session = session_of("napoleon", **given)
    assert not session.is_opened
    assert len(ask(session, "/api/scene")["notices"]) == 1
    assert session.served.game.keys == []


def test_new_game_form_offers_seats_of_options_chosen():
    session = session_of("napoleon")
    wanted = {"options": ["multiplayer=3"], "players": {"france": "greedy"}}
    seats = ask(session, "/api/seats_for", wanted)["seats"]
    assert len(seats) == 4 and seats[0]["player"] == "greedy"
    code = ask(session, "/api/fresh", wanted)["code"]
    again = session_of("napoleon", code=code)
    assert again.is_opened and len(again.served.players) == 4
    assert "message" in ask(session, "/api/fresh", {"options": ["no_such_option"]})


def test_lesson_is_followed_saved_and_continued():
    session = session_of("napoleon", lesson={})
    assert session.served.has_lesson and session_of("napoleon").served.has_lesson
    assert ask(session, "/api/choose", {"key": "reinforcement"})["error"] == "other-order"
    for number in range(1, 10):
        lesson = ask(session, "/api/scene")["lesson"]
        assert lesson["number"] == number
        if lesson["keys"]:
            ask(session, "/api/choose", {"key": lesson["keys"][0]})
        elif lesson["asks"] == "look":
            target = lesson["targets"][0]
            ask(session, "/api/lesson", {"do": "look", "kind": target["kind"], "ids": [target["id"]]})
        else:
            ask(session, "/api/lesson", {"do": "next"})
    again = session_of("napoleon", lesson=ask(session, "/api/saved")["lesson"])
    for one in (session, again):
        assert ask(one, "/api/scene")["lesson"]["number"] == 10
    ask(again, "/api/undo", {})
    assert ask(again, "/api/scene")["lesson"]["number"] == 9
    assert ask(again, "/api/code/")["error"] == "no-code"


def test_game_after_lesson_is_saved_with_choices_of_its_bots():
    session = session_of("napoleon", lesson={})
    ask(session, "/api/lesson", {"do": "leave"})
    for _ in range(4):
        while session.bot_work():
            session.bot_step()
        ask(session, "/api/choose", {"key": keys_of(ask(session, "/api/scene"))[-1]})
    again = session_of("napoleon", lesson=ask(session, "/api/saved")["lesson"])
    assert again.served.game.hash() == session.served.game.hash()
    assert ask(again, "/api/scene")["lesson"] is None
    damaged = session_of("napoleon", lesson={"steps": ["no such order"]})
    assert not damaged.is_opened and len(ask(damaged, "/api/scene")["notices"]) == 1


def test_session_has_pictures_of_its_author_without_files(tmp_path):
    """A scanned map and counters: in the bundle, without the author's folders, and in what the page shows."""
    own = tmp_path / "secret" / "game"
    shutil.copytree(Path(__file__).resolve().parents[2] / "rulesets" / "napoleon", own)
    (own / "scans").mkdir()
    for name, width in (("map.png", 30), ("army.png", 20)):
        (own / "scans" / name).write_bytes(png(width))
    variant = "kind: variant\nformat: 2\nid: scanned\ntitle: scanned\nextends: ..\n"
    drawing = "map:\n  drawing:\n    background: {image: scans/map.png}\n    pieces: {unit: {image: scans/army.png}}\n"
    (own / "variants" / "scanned.yaml").write_text(variant + drawing)
    packed = pack_rules(str(own / "variants" / "scanned.yaml"))
    pictures = {name: data for name, data in packed.items() if name.startswith(PICTURE)}
    assert sorted(pictures.values()) == sorted((own / "scans" / name).read_bytes() for name in ("map.png", "army.png"))
    assert b"secret" not in packed["checked.json"]
    shutil.rmtree(own)
    session = BrowserSession(load_bundle(packed, "scanned"), StartDefaults())
    text = session.call("GET", "/api/scene", "", "")
    assert {f"{PICTURE}{name}" for name in re.findall(r"pictures/([0-9a-f]{24}\.png)", text)} < pictures.keys()
    scene = json.loads(text)
    drawn = [
        session.call("GET", f"/ground/{scene[layer]}.svg", "", "") for layer in ("ground", "painting") if scene[layer]
    ]
    assert any("data:image/png;base64," in one for one in drawn)
