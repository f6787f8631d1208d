"""Fixtures for served games: without a server, by one server that all tests share, and browsers that open them.

All games are saved in folders of the tests' own.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from tests.patience import PATIENCE

pytest.importorskip("starlette", reason="the extra `board` is not installed")
pytest.importorskip("httpx", reason="the extra `dev` is not installed")

import uvicorn
from starlette.testclient import TestClient

from interpreter.api.game import load
from interpreter.cli.main import main
from interpreter.i18n.translator import get_translator
from interpreter.play.game import Game
from interpreter.players.ownership import list_seats
from interpreter.ui.web.access_tokens import Keyring
from interpreter.ui.web.application import create_application
from interpreter.ui.web.game_channel import GameChannel
from interpreter.ui.web.game_factory import create_game
from interpreter.ui.web.lobby import Lobby
from interpreter.ui.web.network.addresses import build_board_address
from interpreter.ui.web.network.connections import ConnectionLimits
from interpreter.ui.web.network.ports import bind_socket
from interpreter.ui.web.network.public_url import PublicUrl
from interpreter.ui.web.seat_registry import SeatRegistry
from interpreter.ui.web.server import build_config
from tests.board.browsing import wait_for_event
from tests.board.exported_pages import ExportedPages, serve_exported_pages
from tests.browsers import BROWSER, NO_BROWSER
from tests.export.conftest import kit as kit


class Table:
    """A served game and its clients by role: "host", "onlooker" or a seat."""

    def __init__(self, served, client: TestClient, registry: SeatRegistry, room: GameChannel) -> None:
        self.served, self.client, self.registry, self.room = served, client, registry, room
        self.secrets = {link.seat or link.role: link.secret for link in registry.list_links(room)}

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
    """Return a function that serves a new game: `serve("napoleon", {"allies": "random"}, seed=1)`."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    opened = []

    def opening(ruleset: str, players=None, seed: int = 1) -> Table:
        served = create_game(load(ruleset), get_translator(""), players or {}, seed=seed)
        registry, room = SeatRegistry(Keyring(b"k" * 32)), GameChannel(served, "game")
        registry.open(room)
        client = TestClient(
            create_application(registry), base_url="http://127.0.0.1:8000", raise_server_exceptions=False
        )
        client.__enter__()
        opened.append((client, served))
        return Table(served, client, registry, room)

    yield opening
    for client, served in opened:
        client.__exit__(None, None, None)
        served.close()


class LobbyServer:
    """One server for many games, in a thread; `address` is that of its list of games."""

    def __init__(self, folder: Path, limits: ConnectionLimits | None = None) -> None:
        self.folder = folder
        self.limits = limits or ConnectionLimits()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.server: uvicorn.Server | None = None
        self.registry = SeatRegistry(Keyring(b"k" * 32))
        self.lobby = Lobby(self.registry)
        self.listening = bind_socket("127.0.0.1", 0)
        self.place = self.listening.getsockname()
        self.base = f"http://127.0.0.1:{self.place[1]}"
        self.address = f"{self.base}/?seat={self.lobby.secret}"

    def game(self, ruleset: str, players=None, seed: int = 1, who: str = "host", lang: str = "") -> str:
        """Return the address of a new game, for its host, a seat, or "onlooker"."""
        return self.addresses(ruleset, players, seed)[who] + (f"&lang={lang}" if lang else "")

    def advanced(self, ruleset: str, play: Callable[[Game], None], players=None, seed: int = 1) -> str:
        """Return the address of a game that `play` has advanced."""
        address = self.game(ruleset, players, seed)
        served = self.served(address)
        play(served.game)
        served._save()
        return address

    def open_lesson(self, open_page, ruleset: str):
        """Return a page on which the lesson has begun."""
        page = open_page(self.address, there=".start-card")
        page.click(f"[data-lesson={ruleset}]")
        return page

    def addresses(self, ruleset: str, players=None, seed: int = 1) -> dict[str, str]:
        """Return the addresses of a new game by role or seat."""
        with self.own_folders():
            served = create_game(load(ruleset), get_translator(""), players or {}, seed=seed)
            room = self.lobby.open_channel(served, is_new=True)
        return {link.seat or link.role: f"{self.base}/?seat={link.secret}" for link in self.registry.list_links(room)}

    def advance_clock(self, seconds: float) -> None:
        """Advance the clock of the server's event loop: the timers that are due by then fire at once."""
        done = threading.Event()

        def advance() -> None:
            now = self.loop.time
            self.loop.time = lambda: now() + seconds
            done.set()

        self.loop.call_soon_threadsafe(advance)
        assert done.wait(PATIENCE)

    def served(self, address: str):
        """Return the game behind an address."""
        access = self.registry.find_access(address.partition("seat=")[2].partition("&")[0])
        assert access is not None
        return access.channel.served

    @contextmanager
    def own_folders(self):
        """Make this server's games the user's own inside the context."""
        before = os.environ.get("XDG_DATA_HOME")
        os.environ["XDG_DATA_HOME"] = str(self.folder)
        try:
            yield
        finally:
            os.environ.pop("XDG_DATA_HOME")
            if before is not None:
                os.environ["XDG_DATA_HOME"] = before


@contextmanager
def run_lobby_server(own: LobbyServer, public: PublicUrl | None = None) -> Iterator[LobbyServer]:
    """Run a server inside the context; `public` is the address of the proxy in front of it."""
    app = create_application(own.registry, lobby=own.lobby, address=build_board_address(*own.place, public))
    own.server = server = uvicorn.Server(build_config(app, own.limits))

    async def run() -> None:
        own.loop = asyncio.get_running_loop()
        await server.serve(sockets=[own.listening])

    def leave() -> None:
        for room in own.registry.channels.values():
            room.close()
        server.should_exit = True

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.001)  # as in a server process
    try:
        yield own
    finally:
        sys.setswitchinterval(before)
        own.loop.call_soon_threadsafe(leave)
        thread.join(PATIENCE)
        for room in own.registry.channels.values():
            room.served.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests of the page twice: served, and exported as a page without a server.

    Starting an exported page takes seconds, so few tests ask for it in every run. `served` marks tests of what only a
    server has, such as several seats in one game.
    """
    if not {"lobby_server", "open_page"} <= set(metafunc.fixturenames) or metafunc.definition.get_closest_marker(
        "served"
    ):
        return
    marks = () if metafunc.definition.get_closest_marker("both_doors") else pytest.mark.soak
    metafunc.parametrize("lobby_server", ["served", pytest.param("exported", marks=marks)], indirect=True)


@pytest.fixture(scope="session")
def served_games(tmp_path_factory) -> Iterator[LobbyServer]:
    """Yield a server that all tests share."""
    with run_lobby_server(LobbyServer(tmp_path_factory.mktemp("house"))) as own:
        yield own


@pytest.fixture(scope="session")
def exported_games(kit, tmp_path_factory) -> Iterator[ExportedPages]:
    """Yield exported pages that all tests share, each exported when a test first asks for it."""
    folder = tmp_path_factory.mktemp("exported")

    @cache
    def export(ruleset: str) -> None:
        rules = load(ruleset)
        people = [word for seat in list_seats(rules.start()) for word in ("--side", f"{seat}=human")]
        assert main(["export", ruleset, "--out", str(folder / rules.id), *people]) == 0

    with serve_exported_pages(folder, export) as own:
        yield own


@pytest.fixture
def lobby_server(request: pytest.FixtureRequest) -> LobbyServer | ExportedPages:
    """Return the source of a test's games: the server, or the exported pages."""
    own: LobbyServer | ExportedPages = request.getfixturevalue(f"{getattr(request, 'param', 'served')}_games")
    return own


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """Yield the system's browser, headless; skip the tests that need it where there is none.

    While it is open no other event loop can run here, so it is closed at the end of each module.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra `dev`)")
    if BROWSER is None:
        pytest.skip(NO_BROWSER)
    with playwright.sync_playwright() as driver:
        try:
            found = driver.chromium.launch(executable_path=BROWSER, timeout=PATIENCE * 1000)
        except playwright.Error as fault:
            pytest.skip(f"the browser {BROWSER} does not start: {str(fault).splitlines()[0]}")
        yield found
        found.close()


class BrowserWindow:
    """A browser window of one player; records every console error, console warning and page error."""

    def __init__(self, browser, **look) -> None:
        self.context = browser.new_context(**look)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.wrong: list[str] = []
        self.page.on(
            "console", lambda told: self.wrong.append(told.text) if told.type in ("error", "warning") else None
        )
        self.page.on("pageerror", lambda fault: self.wrong.append(str(fault)))

    def open(self, address: str, width: int, height: int) -> None:
        """Open the address as on a first visit, whatever this window showed before."""
        self.wrong.clear()
        self.page.unroute_all()
        self.context.set_offline(False)
        self.page.emulate_media(color_scheme="light", reduced_motion="no-preference")
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")  # the same address once more would be a reload, which keeps the seat
        self.page.goto(address)

    def reset(self, may_keep: bool = False) -> None:
        assert [text for text in self.wrong if "Failed to load resource" not in text] == []
        if may_keep:
            return
        kept = self.page.evaluate(
            "async () => [localStorage, sessionStorage, await indexedDB.databases()].map(x => x.length)"
        )
        assert (kept, self.context.cookies()) == ([0, 0, 0], []), "whoever comes again would be known"
        # a page that was just loaded again drops the token from its address when its script runs
        wait_for_event(self.page, lambda: "seat=" not in self.page.url)


@pytest.fixture(scope="module")
def idle_browsers(browser):
    """Return idle windows of earlier tests by their settings; a reused page keeps no data of the earlier test."""
    return defaultdict(list)


@pytest.fixture
def open_page(browser, idle_browsers, lobby_server):
    """Return a function that opens a page on a game: `open_page(address, 360, 740, locale="ja-JP")`.

    The windows of one test share nothing. `has_clock`: the test may stop or advance the clock of the page.
    """
    visitors = []
    is_exported = isinstance(lobby_server, ExportedPages)  # such a page keeps its games, so its windows are not reused

    def opening(address: str, width: int = 1600, height: int = 1000, there="#prompt", has_clock=False, **look):
        idle = None if is_exported or has_clock else idle_browsers[repr(look)]
        visitor = idle.pop() if idle else BrowserWindow(browser, **look)
        if has_clock:
            visitor.page.clock.install()  # for good: the clock outlasts the page
        visitors.append((visitor, idle))
        visitor.open(address, width, height)
        visitor.page.wait_for_function(f"() => document.querySelector('{there}')?.innerText", polling=50)
        return visitor.page

    yield opening
    for visitor, idle in visitors:
        visitor.reset(is_exported)
        if idle is None:
            visitor.context.close()
        else:
            idle.append(visitor)
