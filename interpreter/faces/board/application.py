"""The addresses of the server and what each answers. Must not hold a game, nor work anything out itself."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from interpreter.faces.board.apart import Apart
from interpreter.faces.board.declined import Declined
from interpreter.faces.board.doors import Doors, Entrance
from interpreter.faces.board.guard import Guard
from interpreter.faces.board.lobby import Lobby
from interpreter.faces.board.page_words import page_words
from interpreter.faces.board.room import Room
from interpreter.faces.board.seat_links import HOST, ONLOOKER
from interpreter.faces.board.served_game import ServedGame
from interpreter.runtime.faults import IllegalAction, RuleFault, SetupError
from interpreter.saves.journal import JournalError
from interpreter.scene.moving_scene import Watcher
from interpreter.words.preferred import preferred
from interpreter.words.speech import languages, mark as _, message_of, speaker

_FOLDER = "page"
_JSON = "application/json"
_LARGE = 2_000  # bytes from which answers are sent packed
_MOST_BODY = 65_536  # bytes
_LONGEST_NOTE = 2_000  # letters
_LONGEST_ODDS, _GLANCE = 60.0, 0.2  # seconds for exact odds; and between looks whether somebody still waits
_LONGEST_WAIT = 25.0  # seconds that a question for news is held


class Board:
    """Answers requests about the games behind the doors.

    `language`: shown where a page asks for none; `lobby`: where games are chosen, if there is one.
    """

    def __init__(self, doors: Doors, language: str = "", lobby: Lobby | None = None) -> None:
        self.doors = doors
        self.lobby = lobby
        self.language = language

    # --- who asks, and how -----------------------------------------------------------------------

    def entrance(self, request: Request) -> Entrance:
        """As whom a request comes; Declined without the secret of a seat."""
        secret = self._secret(request)
        if not secret:
            raise Declined(401, "no-seat", _("this needs a seat's link: open the address that the server has printed"))
        found = self.doors.entrance(secret)
        if found is None:
            raise Declined(403, "strange-seat", _("this link belongs to no game that is served here"))
        return found

    def _secret(self, request: Request) -> str:
        kind, _blank, secret = request.headers.get("authorization", "").partition(" ")
        return (secret if kind.casefold() == "bearer" and secret else request.query_params.get("seat", "")).strip()

    def lang(self, request: Request) -> str:
        """Return the language that is asked for: by the page, else by the server's command, else by the browser."""
        asked = request.query_params.get("lang", "") or self.language
        if asked in languages():
            return asked
        return self.language or preferred(request.headers.get("accept-language", ""), languages())

    # --- answers -------------------------------------------------------------------------------------

    async def words(self, request: Request) -> Response:
        """The page's own words."""
        return _json(page_words(self.lang(request)))

    async def still(self, request: Request) -> Response:
        """The still part of the scenes."""
        lang = self.lang(request)
        if self.lobby is not None and self.lobby.is_host(self._secret(request)):
            return _json(await to_thread.run_sync(self.lobby.listed, lang))
        room = self.entrance(request).room
        return Response(await room.ask(lambda: room.served.still(lang)), media_type=_JSON)

    async def scene(self, request: Request) -> Response:
        """The scene as it stands; 304 where the asker has it already."""
        came, lang = self.entrance(request), self.lang(request)
        tag = f'"{came.room.served.version}-{came.role}-{lang}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"etag": tag})
        came.room.wake_bots()
        return await self._scene(request, came, lang, tag)

    async def _scene(self, request: Request, came: Entrance, lang: str, tag: str = "") -> Response:
        served = came.room.served
        body = served.kept_scene(lang, came.role, came.seat)
        if body is None:
            body = await came.room.work(lambda: served.scene(lang, came.role, came.seat))
        headers = {"etag": tag} if tag else {}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(body.plain, media_type=_JSON, headers=headers)
        return Response(body.packed, media_type=_JSON, headers={**headers, "content-encoding": "gzip"})

    async def news(self, request: Request) -> Response:
        """The version, as soon as it is another than the one that the asker knows."""
        room = self.entrance(request).room
        return _json({"version": await room.news_after(request.query_params.get("after", ""), _LONGEST_WAIT)})

    async def ground(self, request: Request) -> Response:
        """A drawing of the map; its name, which only a scene tells, stands for its content."""
        name = request.path_params["name"]
        for room in self.doors.rooms.values():
            drawn = room.served.ground(name)
            if drawn is not None:
                headers = {"cache-control": "private, max-age=31536000, immutable"}
                return Response(drawn, media_type="image/svg+xml", headers=headers)
        raise Declined(404, "not-found", _("there is nothing here"))

    async def choose(self, request: Request) -> Response:
        """Choose an option, or several one after another."""
        came, lang, sent = self.entrance(request), self.lang(request), await _sent(request)
        keys = sent.get("keys", [sent.get("key")])
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            raise Declined(400, "no-key", _("expected a key as a text: {expected}", expected='{"key": ...}'))
        version = sent.get("version", "")
        if not isinstance(version, str):
            raise Declined(400, "no-version", _("a version is a text"))
        careful = sent.get("careful") is True
        return await self._done(request, came, lambda served, by: served.choose(by, keys, version, lang, careful))

    async def undo(self, request: Request) -> Response:
        """Take back."""
        came, lang, sent = self.entrance(request), self.lang(request), await _sent(request)
        anyway = sent.get("anyway") is True
        return await self._done(request, came, lambda served, by: served.undo(by, anyway, lang))

    async def redo(self, request: Request) -> Response:
        """Make again."""
        came = self.entrance(request)
        await _sent(request)
        return await self._done(request, came, lambda served, by: served.redo(by))

    async def _done(self, request: Request, came: Entrance, deed: Callable[[ServedGame, Watcher], object]) -> Response:
        """The scene after a deed of whoever has come."""
        served = came.room.served
        watcher = served.watcher(came.role, came.seat)
        await came.room.work(lambda: deed(served, watcher))
        return await self._scene(request, came, self.lang(request))

    async def note(self, request: Request) -> Response:
        """Keep a remark."""
        came, lang, sent = self.entrance(request), self.lang(request), await _sent(request)
        text = sent.get("text")
        if not isinstance(text, str) or not text.strip():
            raise Declined(400, "no-text", _("note what? write: note TEXT"))
        if came.role == ONLOOKER:
            raise Declined(403, "onlooker", _("this is for another seat to decide"))
        await came.room.work(lambda: came.room.served.note(text.strip()[:_LONGEST_NOTE], lang, came.seat))
        return await self._scene(request, came, lang)

    async def ask(self, request: Request) -> Response:
        """Answer a question about the game."""
        came, lang = self.entrance(request), self.lang(request)
        what, given = request.path_params["what"], dict(request.query_params)
        try:
            if what == "odds":
                found = await self._odds(request, came.room, given.get("key", ""), lang)
            else:
                found = await came.room.ask(lambda: came.room.inquiry.answer(what, given, came.seat, lang))
        except (SetupError, IllegalAction, RuleFault) as problem:
            raise Declined(422, "no-answer", message_of(problem)) from None
        return _json(found)

    async def _odds(self, request: Request, room: Room, key: str, lang: str) -> Any:
        """Exact odds for as long as somebody waits for them."""
        apart = Apart(room.served.rules.target)
        work = asyncio.ensure_future(room.ask(lambda: room.inquiry.odds(key, lang, apart)))
        end = asyncio.get_running_loop().time() + _LONGEST_ODDS
        try:
            while not (await asyncio.wait({work}, timeout=_GLANCE))[0]:
                if room.closed or asyncio.get_running_loop().time() > end or await request.is_disconnected():
                    raise Declined(408, "took-too-long", _("this took too long and was given up"))
            return work.result()
        except EOFError:
            raise Declined(408, "took-too-long", _("this took too long and was given up")) from None
        finally:
            await to_thread.run_sync(apart.end)

    async def open(self, request: Request) -> Response:
        """Open a saved game, or begin a new one; where its host's page is."""
        if self.lobby is None or not self.lobby.is_host(self._secret(request)):
            raise Declined(403, "strange-seat", _("this link belongs to no game that is served here"))
        sent, lang = await _sent(request), self.lang(request)
        game, ruleset = sent.get("game", ""), sent.get("ruleset", "")
        if not isinstance(game, str) or not isinstance(ruleset, str) or bool(game) == bool(ruleset):
            raise Declined(400, "no-game", _("expected a game or a ruleset: {expected}", expected='{"game": ...}'))
        players = sent.get("players", {})
        if not isinstance(players, dict) or not all(isinstance(player, str) for player in players.values()):
            raise Declined(400, "no-player", _("expected players by seat: {expected}", expected='{"players": {...}}'))
        try:
            return _json({"path": f"/?seat={await self.lobby.opened(game, ruleset, players, lang)}"})
        except (JournalError, SetupError, RuleFault, OSError) as problem:
            raise Declined(422, "not-opened", message_of(problem)) from None

    async def seats(self, request: Request) -> Response:
        """The links of all seats, for the host; for others who plays what."""
        came, lang = self.entrance(request), self.lang(request)
        served = came.room.served
        words = await came.room.ask(lambda: served.words(lang))
        rows = [
            {"seat": seat, "name": words.thing("seat", seat), "player": words.player(player)}
            for seat, player in served.players.items()
        ]
        links = self.doors.links(came.room) if came.role == HOST else []
        told = [
            {
                "name": words.say("onlookers") if one.role == ONLOOKER else words.thing("seat", one.seat),
                "path": f"/?seat={one.secret}",
            }
            for one in links
            if one.role != HOST
        ]
        return _json({"seats": rows, "links": told})


async def _sent(request: Request) -> dict[str, Any]:
    """What a request holds, as an object."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MOST_BODY:
            raise Declined(413, "too-long", _("what was sent is too long"))
    try:
        sent = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise Declined(400, "no-json", _("what was sent is no JSON")) from None
    if not isinstance(sent, dict):
        raise Declined(400, "no-object", _("what was sent is no JSON object"))
    return sent


def _json(data: object, status: int = 200) -> Response:
    return Response(json.dumps(data, ensure_ascii=False).encode(), status, media_type=_JSON)


def application(doors: Doors, language: str = "", names: tuple[str, ...] = (), lobby: Lobby | None = None) -> Guard:
    """The whole server, its guard before it."""
    from importlib.resources import files

    board = Board(doors, language, lobby)
    page = str(files("interpreter.faces.board").joinpath(_FOLDER))

    async def index(request: Request) -> Response:
        return FileResponse(f"{page}/index.html", media_type="text/html")

    async def declined(request: Request, error: Exception) -> Response:
        assert isinstance(error, Declined)
        return _json(error.data(speaker(board.lang(request))), error.status)

    async def http_fault(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return _json({"error": _CODES.get(error.status_code, "failed"), "message": error.detail}, error.status_code)

    async def own_fault(request: Request, error: Exception) -> Response:
        say = speaker(board.lang(request))
        told = say("a fault of grognard itself: {fault}", fault=f"{type(error).__name__}: {error}")
        print(f"grognard: {told}", file=sys.stderr)
        return _json({"error": "fault", "message": told}, 500)

    asked = (board.words, board.still, board.scene, board.news, board.seats)
    done = (board.choose, board.undo, board.redo, board.note, board.open)
    routes = [
        Route("/", index),
        *(Route(f"/api/{answer.__name__}", answer) for answer in asked),
        Route("/api/ask/{what}", board.ask),
        Route("/ground/{name}.svg", board.ground),
        *(Route(f"/api/{deed.__name__}", deed, methods=["POST"]) for deed in done),
        Mount("/page", StaticFiles(directory=page)),
    ]
    handlers = {Declined: declined, HTTPException: http_fault, Exception: own_fault}
    smaller = Middleware(GZipMiddleware, minimum_size=_LARGE, compresslevel=4)
    return Guard(Starlette(routes=routes, exception_handlers=handlers, middleware=[smaller]), names)


_CODES = {404: "not-found", 405: "wrong-method"}
