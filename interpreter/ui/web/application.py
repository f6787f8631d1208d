"""Starlette routes of the server: they parse requests, call the game channel and encode responses."""

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

from interpreter.files.assets import shipped_rulesets
from interpreter.files.os_errors import system_message
from interpreter.i18n.translator import languages, mark as _, negotiate_language, translator_for
from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
from interpreter.saves.journal import JournalError
from interpreter.tools.lessons.errors import LessonError
from interpreter.tools.maps.svg import page_rules
from interpreter.ui.web.access_tokens import HOST, ONLOOKER
from interpreter.ui.web.answers import Requester, answer_query, change_of, refusal_of, seat_rows
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.covers import COVER, draw_cover
from interpreter.ui.web.error_messages import fault_sentence
from interpreter.ui.web.lobby import Lobby
from interpreter.ui.web.network.addresses import BoardAddress
from interpreter.ui.web.network.server_names import ServerNames
from interpreter.ui.web.page_files import PageFiles
from interpreter.ui.web.page_strings import page_words, render_shell_page
from interpreter.ui.web.request_guard import RequestGuardMiddleware, sent_secret
from interpreter.ui.web.seat_registry import Access, SeatRegistry

_T = TypeVar("_T")
_FOLDER = "page"
_JSON = "application/json"
_NO_GAME = _("This link does not belong to an open game. Ask the host to open the game.")
_LARGE = 2_000  # bytes from which answers are compressed
_MOST_BODY = 65_536  # bytes
_LONGEST_ODDS = 60.0  # seconds for exact odds
_LONGEST_WAIT = 25.0  # seconds that a long poll is held


class WebApplication:
    """HTTP endpoints for the games in the seat registry.

    `language` is the default of pages that request none; `lobby` lists games to choose from, or None; `address` is the
    public address of the board, or None if unknown; `lessons` opens lessons, also without a list of games.
    """

    def __init__(
        self,
        doors: SeatRegistry,
        language: str = "",
        lobby: Lobby | None = None,
        address: BoardAddress | None = None,
        lessons: Lobby | None = None,
    ) -> None:
        self.doors = doors
        self.lobby = lobby
        self.lessons = lessons if lessons is not None else lobby
        self.language = language
        self.address = address
        self.names = ServerNames() if address is None else address.names

    # --- authentication ----------------------------------------------------------------------------

    def entrance(self, request: Request) -> Access:
        """Authenticate a request and return its access.

        Raises ApiError(401) without a token, (403) for an unknown one.
        """
        secret = sent_secret(request)
        if not secret:
            raise ApiError(401, "no-seat", _("this needs the link of a seat: open the address that the server printed"))
        found = self.doors.entrance(secret)
        if found is None:
            raise ApiError(403, "strange-seat", _NO_GAME)
        return found

    def knows(self, secret: str) -> bool:
        """Return True for a token that opens a game here, or the list of games."""
        return self.doors.entrance(secret) is not None or (self.lobby is not None and self.lobby.is_host(secret))

    def lang(self, request: Request) -> str:
        """Return the requested language: the page's, else the server's default, else the browser's."""
        asked = request.query_params.get("lang", "") or self.language
        if asked in languages():
            return asked
        return self.language or negotiate_language(request.headers.get("accept-language", ""), languages())

    # --- answers -------------------------------------------------------------------------------------

    async def words(self, request: Request) -> Response:
        """Return the page's own strings, and the origins of the board at which the page may make choices."""
        origins = self.names.origins(request.headers.get("host", ""))
        return _json_response({**page_words(self.lang(request)), "origins": origins})

    async def still(self, request: Request) -> Response:
        """Return the static view of the game, or the list of games for the lobby's host."""
        lang = self.lang(request)
        if self.lobby is not None and self.lobby.is_host(sent_secret(request)):
            return _json_response(await to_thread.run_sync(self.lobby.list_games, lang))
        came = self.entrance(request)
        served = came.room.served
        body = served.views.cached_static_json(lang)
        if body is None:
            body = await _await_unless_disconnected(
                request, came.room.ask(came.asker, lambda: served.views.static_json(lang))
            )
        return Response(body, media_type=_JSON)

    async def scene(self, request: Request) -> Response:
        """Return the current scene, or 304 if the client already has it."""
        came, lang = self.entrance(request), self.lang(request)
        tag = f'"{came.room.served.version}-{came.role}-{lang}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"etag": tag})
        came.room.wake_bots()
        return await self._scene(request, came, lang, tag)

    async def _scene(self, request: Request, came: Access, lang: str, tag: str = "") -> Response:
        body = await came.room.scene(lang, came.role, came.seat)
        headers = {"etag": tag} if tag else {}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(body.plain, media_type=_JSON, headers=headers)
        return Response(body.packed, media_type=_JSON, headers={**headers, "content-encoding": "gzip"})

    async def news(self, request: Request) -> Response:
        """Long poll: return the version as soon as it differs from the client's."""
        came = self.entrance(request)
        if came.role != ONLOOKER:
            came.room.served.sitters.notice(came.seat)
        news = came.room.news_after(request.query_params.get("after", ""), _LONGEST_WAIT)
        return _json_response({"version": await _await_unless_disconnected(request, news)})

    async def ground(self, request: Request) -> Response:
        """Return a drawing of the map.

        Its name is a digest of its content, and only a scene reveals it; that of a painted ground is a digest of the
        ruleset, which holds no secret of the game.
        """
        name = request.path_params["name"]
        for room in self.doors.rooms.values():
            drawn = await room.drawing(name)
            if drawn is not None:
                headers = {"cache-control": "private, max-age=31536000, immutable", "vary": "accept-encoding"}
                if "gzip" not in request.headers.get("accept-encoding", ""):
                    return Response(drawn.text, media_type="image/svg+xml", headers=headers)
                return Response(
                    drawn.packed(), media_type="image/svg+xml", headers={**headers, "content-encoding": "gzip"}
                )
        raise ApiError(404, "not-found", _("page not found"))

    async def picture(self, request: Request) -> Response:
        """Return a scan of counters, or the cover of a shipped ruleset for the list of games.

        The name of a scan is a digest of its content, and only a scene reveals it.
        """
        name = request.path_params["name"]
        if self.lobby is not None and name.startswith(COVER):
            cover = await to_thread.run_sync(draw_cover, name, self.lang(request))
            if cover is not None:
                return Response(cover, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})
        for room in self.doors.rooms.values():
            found = await to_thread.run_sync(room.served.views.picture, name)
            if found is not None:
                content, media_type = found
                headers = {"cache-control": "private, max-age=31536000, immutable"}
                return Response(content, media_type=media_type, headers=headers)
        raise ApiError(404, "not-found", _("page not found"))

    async def choose(self, request: Request) -> Response:
        """Choose an option, or several one after another."""
        return await self._carry_out(request, "choose")

    async def undo(self, request: Request) -> Response:
        """Undo the player's last choice."""
        return await self._carry_out(request, "undo")

    async def redo(self, request: Request) -> Response:
        """Redo the choice last undone."""
        return await self._carry_out(request, "redo")

    async def note(self, request: Request) -> Response:
        """Save a note."""
        return await self._carry_out(request, "note")

    async def _carry_out(self, request: Request, name: str) -> Response:
        """Carry out a change as the requesting seat and return the scene after it."""
        came, lang, sent = self.entrance(request), self.lang(request), await _parse_body(request)
        served = came.room.served
        change = change_of(name, sent, Requester(came.role, came.seat, lang))
        watcher = served.watcher(came.role, came.seat)
        await came.room.work(came.asker, lambda: change(served, watcher))
        return await self._scene(request, came, lang)

    async def again(self, request: Request) -> Response:
        """Start a new game with the settings of the host's game, and return the path of its host's page."""
        came, lang = self.entrance(request), self.lang(request)
        await _parse_body(request)
        lobby = self.lobby or (self.lessons if came.room.served.course is not None else None)
        if lobby is None or came.role != HOST:
            raise ApiError(403, "onlooker", _("only the host can start a new game here"))
        return _json_response({"path": f"?seat={await lobby.again(came.room.served, lang)}"})

    async def name(self, request: Request) -> Response:
        """Set the display name of the player of a seat."""
        return await self._carry_out(request, "name")

    async def group(self, request: Request) -> Response:
        """Order a group of pieces forward, or to a place."""
        return await self._carry_out(request, "group")

    async def ask(self, request: Request) -> Response:
        """Answer a query about the game."""
        came, lang = self.entrance(request), self.lang(request)
        what, given = request.path_params["what"], dict(request.query_params)
        by, inquiry = Requester(came.role, came.seat, lang), came.room.queries
        try:
            if what == "odds":
                found = await _await_unless_disconnected(request, self._odds(came, given.get("key", ""), lang))
            else:
                asked = came.room.ask(came.asker, lambda: answer_query(inquiry, what, given, by))
                found = await _await_unless_disconnected(request, asked)
        except (SetupError, IllegalAction, RuleFault) as problem:
            raise refusal_of(problem, is_query=True) or problem from None
        return _json_response(found)

    async def _odds(self, came: Access, key: str, lang: str) -> object:
        """Return exact odds of the option with this key. Raises ApiError(408) if they take too long.

        `came`: the access of the requester.
        """
        room, inquiry = came.room, came.room.queries
        try:
            async with asyncio.timeout(_LONGEST_ODDS):
                found, position = await room.ask(came.asker, lambda: inquiry.quick_odds(key, lang))
                if found is not None:
                    return found
                return await room.ask_apart(came.asker, lambda apart: inquiry.slow_odds(position, key, lang, apart))
        except (TimeoutError, EOFError):
            raise _timeout_error() from None

    async def open(self, request: Request) -> Response:
        """Open a saved game or start a new one, and return the path of its host's page."""
        if self.lobby is None or not self.lobby.is_host(sent_secret(request)):
            raise ApiError(403, "strange-seat", _NO_GAME)
        sent, lang = await _parse_body(request), self.lang(request)
        game, ruleset = sent.get("game", ""), sent.get("ruleset", "")
        if not isinstance(game, str) or not isinstance(ruleset, str) or bool(game) == bool(ruleset):
            raise ApiError(400, "no-game", _("expected a game or a ruleset: {expected}", expected='{"game": ...}'))
        scenario = sent.get("scenario", "")
        if not isinstance(scenario, str):
            raise ApiError(400, "no-scenario", _("a scenario is a text"))
        players = sent.get("players", {})
        if not isinstance(players, dict) or not all(isinstance(player, str) for player in players.values()):
            raise ApiError(400, "no-player", _("expected players by seat: {expected}", expected='{"players": {...}}'))
        try:
            return _json_response({"path": f"?seat={await self.lobby.opened(game, ruleset, players, lang, scenario)}"})
        except (JournalError, SetupError, RuleFault, OSError) as problem:
            told = system_message(problem) if isinstance(problem, OSError) else fault_sentence(problem)
            raise ApiError(422, "not-opened", told) from None

    async def learn(self, request: Request) -> Response:
        """Begin the lesson of a ruleset, or of the game that the request comes from; return the path of its page."""
        secret, lang, sent = sent_secret(request), self.lang(request), await _parse_body(request)
        if self.lobby is not None and self.lobby.is_host(secret):
            target = sent.get("ruleset", "")
            if not isinstance(target, str) or target not in shipped_rulesets():
                raise ApiError(404, "not-found", _("unknown ruleset `{ruleset}`", ruleset=str(target)[:80]))
        else:
            came = self.entrance(request)
            if came.role == ONLOOKER:
                raise ApiError(403, "onlooker", _("only players can begin a lesson"))
            target = came.room.served.rules.target
        if self.lessons is None:
            raise ApiError(404, "not-found", _("this game has no lesson"))
        try:
            return _json_response({"path": f"?seat={await self.lessons.taught(target, lang)}"})
        except LessonError as problem:
            told = _("the lesson cannot go on: {problem}", problem=problem.message)
            raise ApiError(422, "not-opened", told) from None

    async def lesson(self, request: Request) -> Response:
        """Advance the lesson, go back, leave it, or report the thing the player looks at."""
        return await self._carry_out(request, "lesson")

    async def seats(self, request: Request) -> Response:
        """Return the player of each seat and, for the host, the links of all seats."""
        came, lang = self.entrance(request), self.lang(request)
        served = came.room.served
        by = Requester(came.role, came.seat, lang)
        rows = await _await_unless_disconnected(request, came.room.ask(came.asker, lambda: seat_rows(served, by)))
        words = served.views.words(lang)
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
        return _json_response({"seats": rows, "links": told, "base": shared})


async def _await_unless_disconnected(request: Request, work: Coroutine[Any, Any, _T]) -> _T:
    """Await `work` and return its result; cancel it as soon as the client of the request disconnects."""
    asked = asyncio.ensure_future(work)
    left = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait((asked, left), return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            raise _timeout_error()
        return asked.result()
    finally:
        asked.cancel()
        left.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    """Wait until the client disconnects, for a request without a body."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _timeout_error() -> ApiError:
    return ApiError(408, "took-too-long", _("this took too long and was stopped"))


async def _parse_body(request: Request) -> dict[str, Any]:
    """Parse the body of a request as a JSON object."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > _MOST_BODY:
                raise ApiError(413, "too-long", _("the request is too long"))
    except ClientDisconnect:  # the client has left, so the text is never read
        raise ApiError(408, "took-too-long", _("this took too long and was stopped")) from None
    try:
        sent = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise ApiError(400, "no-json", _("the request is not JSON")) from None
    if not isinstance(sent, dict):
        raise ApiError(400, "no-object", _("the request is not a JSON object"))
    if not _is_unicode(sent):
        raise ApiError(400, "no-json", _("the request contains half of a character (a lone surrogate)"))
    return sent


def _is_unicode(sent: object) -> bool:
    r"""Return whether JSON data can be encoded as UTF-8; lone surrogates such as `\ud800` cannot."""
    try:
        json.dumps(sent, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def _json_response(data: object, status: int = 200) -> Response:
    text = json.dumps(data, ensure_ascii=False)
    return Response(text.encode(errors="replace"), status, media_type=_JSON)  # notes of other faces may hold anything


def application(
    doors: SeatRegistry,
    language: str = "",
    lobby: Lobby | None = None,
    address: BoardAddress | None = None,
    report: Callable[[str], None] = lambda name: None,
    lessons: Lobby | None = None,
) -> RequestGuardMiddleware:
    """Return the whole server behind its request guard.

    `doors`: the open games; `language`, `lobby`, `address` and `lessons`: see WebApplication; `report` is called with
    each unknown host or origin.
    """
    board = WebApplication(doors, language, lobby, address, lessons)
    page = str(files("interpreter.ui.web").joinpath(_FOLDER))

    async def index(request: Request) -> Response:
        came = board.doors.entrance(sent_secret(request))
        if came is not None:
            came.room.prepare(board.lang(request), came.role, came.seat)
        return Response(render_shell_page(board.lang(request)), media_type="text/html")

    async def declined(request: Request, error: Exception) -> Response:
        assert isinstance(error, ApiError)
        return _json_response(error.data(translator_for(board.lang(request))), error.status)

    async def http_fault(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 405:
            return await declined(request, ApiError(405, "wrong-method", _("this address needs another HTTP method")))
        if error.status_code == 404:
            return await declined(request, ApiError(404, "not-found", _("page not found")))
        return await own_fault(request, error)

    async def handle_rule_fault(request: Request, error: Exception) -> Response:
        """Return the response for a fault of the rules or an unanswerable query; neither is a bug of this program."""
        return await declined(request, refusal_of(error) or error)

    async def own_fault(request: Request, error: Exception) -> Response:
        told = translator_for(board.lang(request))(fault_sentence(error))
        print(f"grognard: {told}", file=sys.stderr)
        return _json_response({"error": "fault", "message": told}, 500)

    async def counters(_request: Request) -> Response:
        return Response(page_rules(), media_type="text/css")

    asked = (board.words, board.still, board.scene, board.news, board.seats)
    changes = (board.choose, board.undo, board.redo, board.note, board.name, board.group, board.lesson)
    done = (*changes, board.again, board.open, board.learn)
    routes = [
        Route("/", index),
        *(Route(f"/api/{answer.__name__}", answer) for answer in asked),
        Route("/api/ask/{what}", board.ask),
        Route("/ground/{name}.svg", board.ground),
        Route("/pictures/{name}", board.picture),
        *(Route(f"/api/{change.__name__}", change, methods=["POST"]) for change in done),
        Route("/page/counters.css", counters),
        Mount("/page", PageFiles(page)),
    ]
    handlers = {
        ApiError: declined,
        HTTPException: http_fault,
        RuleFault: handle_rule_fault,
        SetupError: handle_rule_fault,
        Exception: own_fault,
    }
    smaller = Middleware(GZipMiddleware, minimum_size=_LARGE, compresslevel=4)
    app = Starlette(routes=routes, exception_handlers=handlers, middleware=[smaller])
    app.router.redirect_slashes = False  # a redirect would use the proxy's name for this server
    return RequestGuardMiddleware(app, board.names, language, board.knows, report)
