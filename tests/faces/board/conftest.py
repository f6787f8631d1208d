"""Games that are served in tests, without a server's process and on disk in a folder of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("starlette", reason="the extra `board` is not installed")
pytest.importorskip("httpx", reason="the extra `dev` is not installed")

from starlette.testclient import TestClient

from interpreter.facade.game import load
from interpreter.faces.board.application import application
from interpreter.faces.board.doors import Doors
from interpreter.faces.board.opening import new_game
from interpreter.faces.board.room import Room
from interpreter.faces.board.seat_links import Keyring
from interpreter.words.speech import speaker


class Table:
    """A served game and those who ask it: clients by role, "host", "onlooker" or a seat."""

    def __init__(self, served, client: TestClient, doors: Doors, room: Room) -> None:
        self.served, self.client, self.doors, self.room = served, client, doors, room
        self.secrets = {link.seat or link.role: link.secret for link in doors.links(room)}

    def get(self, path: str, who: str = "host", **more):
        return self.client.get(path, headers={"Authorization": f"Bearer {self.secrets[who]}", **more})

    def post(self, path: str, body, who: str = "host", **more):
        return self.client.post(path, json=body, headers={"Authorization": f"Bearer {self.secrets[who]}", **more})

    def scene(self, who: str = "host", lang: str = ""):
        answer = self.get("/api/scene" + (f"?lang={lang}" if lang else ""), who)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def serve(tmp_path, monkeypatch) -> Iterator[Callable[..., Table]]:
    """Serves a new game: `serve("napoleon", {"allies": "random"}, seed=1)`."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    opened = []

    def opening(ruleset: str, players=None, seed: int = 1) -> Table:
        served = new_game(load(ruleset), speaker(""), players or {}, seed=seed)
        doors, room = Doors(Keyring(b"k" * 32)), Room(served, "game")
        doors.open(room)
        client = TestClient(application(doors), base_url="http://127.0.0.1:8000", raise_server_exceptions=False)
        client.__enter__()
        opened.append((client, served))
        return Table(served, client, doors, room)

    yield opening
    for client, served in opened:
        client.__exit__(None, None, None)
        served.close()
