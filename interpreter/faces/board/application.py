"""The addresses of the server and what each answers. Must not hold a game, nor work anything out itself."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from importlib.resources import files
from typing import Any, TypeVar

from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from interpreter.faces.board.declined import Declined
from interpreter.faces.board.doors import Doors, Entrance
from interpreter.faces.board.guard import Guard, sent_secret
from interpreter.faces.board.lobby import Lobby
from interpreter.faces.board.network.addresses import BoardAddress
from interpreter.faces.board.network.server_names import ServerNames
from interpreter.faces.board.page_words import page_words, shell_page
from interpreter.faces.board.seat_links import HOST, ONLOOKER
from interpreter.faces.board.served_game import ServedGame
from interpreter.faces.board.whose_fault import fault_sentence
from interpreter.files.system_words import said_by_system
from interpreter.runtime.faults import IllegalAction, RuleFault, SetupError
from interpreter.saves.journal import JournalError
from interpreter.scene.moving_scene import Watcher
from interpreter.words.preferred import preferred
from interpreter.words.speech import languages, mark as _, speaker

_T = TypeVar("_T")
_FOLDER = "page"
_JSON = "application/json"
_NO_GAME = _("This link belongs to no game that is open here. Ask the person who runs the board to open the game.")
_LARGE = 2_000  # bytes from which answers are sent packed
_MOST_BODY = 65_536  # bytes
_LONGEST_NOTE = 2_000  # letters
_LONGEST_ODDS = 60.0  # seconds for exact odds
_LONGEST_WAIT = 25.0  # seconds that a question for news is held


class Board:
    """Answers requests about the games behind the doors.

    `language`: shown where a page asks for none; `lobby`: where games are chosen, if there is one; `address`: where
    others find the board, if that is known.
    """

    def __init__(
        self, doors: Doors, language: str = "", lobby: Lobby | None = None, address: BoardAddress | None = None
    ) -> None:
        self.doors = doors
        self.lobby = lobby
        self.language = language
        self.address = address
        self.names = ServerNames() if address is None else address.names

    # --- who asks, and how -----------------------------------------------------------------------

    def entrance(self, request: Request) -> Entrance:
        """As whom a request comes; Declined without the secret of a seat."""
        secret = sent_secret(request)
        if not secret:
            raise Declined(401, "no-seat", _("this needs a seat's link: open the address that the server has printed"))
        found = self.doors.entrance(secret)
        if found is None:
            raise Declined(403, "strange-seat", _NO_GAME)
        return found

    def knows(self, secret: str) -> bool:
        """Return True for a secret that opens a game here, or the list of games."""
        return self.doors.entrance(secret) is not None or (self.lobby is not None and self.lobby.is_host(secret))

    def lang(self, request: Request) -> str:
        """Return the language that is asked for: by the page, else by the server's command, else by the browser."""
        asked = request.query_params.get("lang", "") or self.language
        if asked in languages():
            return asked
        return self.language or preferred(request.headers.get("accept-language", ""), languages())

    # --- answers -------------------------------------------------------------------------------------

    async def words(self, request: Request) -> Response:
        """Answer with the page's own words, and the origins at which the page may choose."""
        origins = self.names.origins(request.headers.get("host", ""))
        return _json({**page_words(self.lang(request)), "origins": origins})

    async def still(self, request: Request) -> Response:
        """The still part of the scenes."""
        lang = self.lang(request)
        if self.lobby is not None and self.lobby.is_host(sent_secret(request)):
            return _json(await to_thread.run_sync(self.lobby.listed, lang))
        came = self.entrance(request)
        return Response(
            await _for(request, came.room.ask(came.asker, lambda: came.room.served.still(lang))), media_type=_JSON
        )

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
            body = await came.room.work(came.asker, lambda: served.scene(lang, came.role, came.seat))
        headers = {"etag": tag} if tag else {}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(body.plain, media_type=_JSON, headers=headers)
        return Response(body.packed, media_type=_JSON, headers={**headers, "content-encoding": "gzip"})

    async def news(self, request: Request) -> Response:
        """The version, as soon as it is another than the one that the asker knows."""
        news = self.entrance(request).room.news_after(request.query_params.get("after", ""), _LONGEST_WAIT)
        return _json({"version": await _for(request, news)})

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
        await came.room.work(came.asker, lambda: deed(served, watcher))
        return await self._scene(request, came, self.lang(request))

    async def note(self, request: Request) -> Response:
        """Keep a remark."""
        came, lang, sent = self.entrance(request), self.lang(request), await _sent(request)
        text = sent.get("text")
        if not isinstance(text, str) or not text.strip():
            raise Declined(400, "no-text", _("note what? write: note TEXT"))
        if came.role == ONLOOKER:
            raise Declined(403, "onlooker", _("this is for another seat to decide"))
        said = text.strip()[:_LONGEST_NOTE]
        await came.room.work(came.asker, lambda: came.room.served.note(came.asker, said, lang, came.seat))
        return await self._scene(request, came, lang)

    async def ask(self, request: Request) -> Response:
        """Answer a question about the game."""
        came, lang = self.entrance(request), self.lang(request)
        what, given = request.path_params["what"], dict(request.query_params)
        try:
            if what == "odds":
                found = await _for(request, self._odds(came, given.get("key", ""), lang))
            else:
                answer = came.room.inquiry.answer
                found = await _for(request, came.room.ask(came.asker, lambda: answer(what, given, came.seat, lang)))
        except (SetupError, IllegalAction, RuleFault) as problem:
            raise Declined(422, "no-answer", fault_sentence(problem)) from None
        return _json(found)

    async def _odds(self, came: Entrance, key: str, lang: str) -> Any:
        """Exact odds; Declined where they take too long."""
        room, inquiry = came.room, came.room.inquiry
        try:
            async with asyncio.timeout(_LONGEST_ODDS):
                found, position = await room.ask(came.asker, lambda: inquiry.quick_odds(key, lang))
                if found is not None:
                    return found
                return await room.ask_apart(came.asker, lambda apart: inquiry.slow_odds(position, key, lang, apart))
        except (TimeoutError, EOFError):
            raise _given_up() from None

    async def open(self, request: Request) -> Response:
        """Open a saved game, or begin a new one; where its host's page is."""
        if self.lobby is None or not self.lobby.is_host(sent_secret(request)):
            raise Declined(403, "strange-seat", _NO_GAME)
        sent, lang = await _sent(request), self.lang(request)
        game, ruleset = sent.get("game", ""), sent.get("ruleset", "")
        if not isinstance(game, str) or not isinstance(ruleset, str) or bool(game) == bool(ruleset):
            raise Declined(400, "no-game", _("expected a game or a ruleset: {expected}", expected='{"game": ...}'))
        players = sent.get("players", {})
        if not isinstance(players, dict) or not all(isinstance(player, str) for player in players.values()):
            raise Declined(400, "no-player", _("expected players by seat: {expected}", expected='{"players": {...}}'))
        try:
            return _json({"path": f"?seat={await self.lobby.opened(game, ruleset, players, lang)}"})
        except (JournalError, SetupError, RuleFault, OSError) as problem:
            told = said_by_system(problem) if isinstance(problem, OSError) else fault_sentence(problem)
            raise Declined(422, "not-opened", told) from None

    async def seats(self, request: Request) -> Response:
        """The links of all seats, for the host; for others who plays what."""
        came, lang = self.entrance(request), self.lang(request)
        served = came.room.served
        words = await _for(request, came.room.ask(came.asker, lambda: served.words(lang)))
        rows = [
            {"seat": seat, "name": words.thing("seat", seat), "player": words.player(player)}
            for seat, player in served.players.items()
        ]
        links = self.doors.links(came.room) if came.role == HOST else []
        told = [
            {
                "name": words.say("onlookers") if one.role == ONLOOKER else words.thing("seat", one.seat),
                "path": f"?seat={one.secret}",
            }
            for one in links
            if one.role != HOST
        ]
        shared = self.address.pages[0] if self.address is not None and self.address.is_shared else ""
        return _json({"seats": rows, "links": told, "base": shared})


async def _for(request: Request, work: Coroutine[Any, Any, _T]) -> _T:
    """Return what work gives, which is cancelled as soon as nobody waits for its answer any more."""
    asked = asyncio.ensure_future(work)
    left = asyncio.ensure_future(_disconnection(request))
    try:
        await asyncio.wait((asked, left), return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            raise _given_up()
        return asked.result()
    finally:
        asked.cancel()
        left.cancel()


async def _disconnection(request: Request) -> None:
    """Wait until whoever sent a request without a body has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _given_up() -> Declined:
    return Declined(408, "took-too-long", _("this took too long and was given up"))


async def _sent(request: Request) -> dict[str, Any]:
    """What a request holds, as an object."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > _MOST_BODY:
                raise Declined(413, "too-long", _("what was sent is too long"))
    except ClientDisconnect:  # nobody reads this
        raise Declined(408, "took-too-long", _("this took too long and was given up")) from None
    try:
        sent = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise Declined(400, "no-json", _("what was sent is no JSON")) from None
    if not isinstance(sent, dict):
        raise Declined(400, "no-object", _("what was sent is no JSON object"))
    if not _is_unicode(sent):
        raise Declined(400, "no-json", _("what was sent has half of a character in it (a lone surrogate)"))
    return sent


def _is_unicode(sent: object) -> bool:
    """Return whether JSON data can be written again: escapes such as `\\ud800` alone stand for no character."""
    try:
        json.dumps(sent, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def _json(data: object, status: int = 200) -> Response:
    text = json.dumps(data, ensure_ascii=False)
    return Response(text.encode(errors="replace"), status, media_type=_JSON)  # notes of other faces may hold anything


def application(
    doors: Doors,
    language: str = "",
    lobby: Lobby | None = None,
    address: BoardAddress | None = None,
    report: Callable[[str], None] = lambda name: None,
) -> Guard:
    """Return the whole server, its guard before it; `report` is given strange hosts and origins."""
    board = Board(doors, language, lobby, address)
    page = str(files("interpreter.faces.board").joinpath(_FOLDER))

    async def index(request: Request) -> Response:
        return Response(shell_page(board.lang(request)), media_type="text/html")

    async def declined(request: Request, error: Exception) -> Response:
        assert isinstance(error, Declined)
        return _json(error.data(speaker(board.lang(request))), error.status)

    async def http_fault(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 405:
            return await declined(request, Declined(405, "wrong-method", _("this address takes another method")))
        if error.status_code in (401, 404):  # 401: a file of the page that may not be read
            return await declined(request, Declined(404, "not-found", _("there is nothing here")))
        return await own_fault(request, error)

    async def told_fault(request: Request, error: Exception) -> Response:
        """A fault of the rules, or what cannot be answered; neither is this program's own."""
        if isinstance(error, SetupError):
            return await declined(request, Declined(422, "no-answer", fault_sentence(error)))
        return await declined(request, Declined(500, "fault-in-the-rules", fault_sentence(error)))

    async def own_fault(request: Request, error: Exception) -> Response:
        told = speaker(board.lang(request))(fault_sentence(error))
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
    handlers = {
        Declined: declined,
        HTTPException: http_fault,
        RuleFault: told_fault,
        SetupError: told_fault,
        Exception: own_fault,
    }
    smaller = Middleware(GZipMiddleware, minimum_size=_LARGE, compresslevel=4)
    app = Starlette(routes=routes, exception_handlers=handlers, middleware=[smaller])
    app.router.redirect_slashes = False  # it would lead to whatever name a proxy calls this server by
    return Guard(app, board.names, language, board.knows, report)
