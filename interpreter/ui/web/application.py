"""Starlette routes of the server: they parse requests, call the game channel and encode responses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from importlib.resources import files
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from interpreter.files.assets import list_shipped_rulesets
from interpreter.files.os_errors import format_os_error
from interpreter.i18n.translator import list_languages, mark as _, negotiate_language
from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
from interpreter.saves.journal import JournalError
from interpreter.tools.lessons.errors import LessonError
from interpreter.tools.maps.svg import render_page_css
from interpreter.ui.web.access_tokens import HOST, ONLOOKER, Requester
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.change_requests import CHANGES, parse_change
from interpreter.ui.web.covers import COVER, draw_cover
from interpreter.ui.web.error_handlers import ErrorHandlers, build_not_found_error
from interpreter.ui.web.error_messages import format_fault
from interpreter.ui.web.game_channel import GameChannel
from interpreter.ui.web.json_transport import (
    JSON,
    await_unless_disconnected,
    build_json_response,
    build_timeout_error,
    parse_body,
)
from interpreter.ui.web.lobby import Lobby
from interpreter.ui.web.network.addresses import BoardAddress
from interpreter.ui.web.network.server_names import ServerNames
from interpreter.ui.web.page_files import PageFiles, build_encoded_response
from interpreter.ui.web.page_strings import build_page_words, render_shell_page
from interpreter.ui.web.refusals import build_refusal
from interpreter.ui.web.request_guard import RequestGuardMiddleware, get_sent_secret
from interpreter.ui.web.seat_registry import SeatRegistry

_FOLDER = "page"
_NO_GAME = _("This link does not belong to an open game. Ask the host to open the game.")
_IMMUTABLE = "private, max-age=31536000, immutable"  # of content that is named after its digest
_LARGE = 2_000  # bytes from which answers are compressed
_ODDS_TIMEOUT = 60.0  # seconds for exact odds
_POLL_TIMEOUT = 25.0  # seconds that a long poll is held


class WebApplication:
    """HTTP endpoints for the games in the seat registry.

    `language` is the default of pages that request none; `lobby` lists games to choose from, or None; `address` is the
    public address of the board, or None if unknown; `lessons` opens lessons, also without a list of games.
    """

    def __init__(
        self,
        registry: SeatRegistry,
        language: str,
        lobby: Lobby | None,
        address: BoardAddress | None,
        lessons: Lobby | None,
    ) -> None:
        self.registry = registry
        self.lobby = lobby
        self.lessons = lessons if lessons is not None else lobby
        self.language = language
        self.address = address
        self.names = ServerNames() if address is None else address.names

    # --- authentication ----------------------------------------------------------------------------

    def authenticate(self, request: Request) -> tuple[GameChannel, Requester]:
        """Return the channel of the game that a request is about, and the author of the request.

        Raises ApiError(401) without a token, (403) for an unknown one.
        """
        secret = get_sent_secret(request)
        if not secret:
            raise ApiError(401, "no-seat", _("a seat link is needed; open the address that the server printed"))
        access = self.registry.find_access(secret)
        if access is None:
            raise ApiError(403, "strange-seat", _NO_GAME)
        return access.channel, Requester(access.role, access.seat, self.choose_language(request))

    def is_known_token(self, secret: str) -> bool:
        """Return True for a token that opens a game here, or the list of games."""
        return self.registry.find_access(secret) is not None or self._get_lobby_of_host(secret) is not None

    def _get_lobby_of_host(self, secret: str) -> Lobby | None:
        """Return the lobby if the token is that of its host, else None."""
        return self.lobby if self.lobby is not None and self.lobby.is_host(secret) else None

    def choose_language(self, request: Request) -> str:
        """Return the requested language: the page's, else the server's default, else the browser's."""
        requested = request.query_params.get("lang", "") or self.language
        if requested in list_languages():
            return requested
        return self.language or negotiate_language(request.headers.get("accept-language", ""), list_languages())

    # --- answers -------------------------------------------------------------------------------------

    async def get_page(self, request: Request) -> Response:
        """Return the page, and prepare what it is about to request."""
        lang, access = self.choose_language(request), self.registry.find_access(get_sent_secret(request))
        if access is not None:
            access.channel.prepare(Requester(access.role, access.seat, lang))
        return Response(render_shell_page(lang), media_type="text/html")

    async def get_words(self, request: Request) -> Response:
        """Return the page's own strings, and the origins of the board at which the page may make choices."""
        origins = self.names.list_origins(request.headers.get("host", ""))
        return build_json_response({**build_page_words(self.choose_language(request)), "origins": origins})

    async def get_static_view(self, request: Request) -> Response:
        """Return the static view of the game, or the list of games for the lobby's host."""
        lobby = self._get_lobby_of_host(get_sent_secret(request))
        if lobby is not None:
            return build_json_response(await to_thread.run_sync(lobby.list_games, self.choose_language(request)))
        channel, by = self.authenticate(request)
        views = channel.served.views
        body = views.get_cached_static_json(by.lang)
        if body is None:
            body = await await_unless_disconnected(
                request, channel.ask(by.asker, lambda: views.get_static_json(by.lang))
            )
        return Response(body, media_type=JSON)

    async def get_scene(self, request: Request) -> Response:
        """Return the current scene, or 304 if the client already has it."""
        channel, by = self.authenticate(request)
        headers = {"etag": f'"{channel.served.version}-{by.role}-{by.lang}"'}
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        channel.wake_bots()
        return build_encoded_response(request, await channel.get_scene(by), JSON, headers)

    async def wait_for_news(self, request: Request) -> Response:
        """Answer a long poll: return the version as soon as it differs from the client's."""
        channel, by = self.authenticate(request)
        if by.role != ONLOOKER:
            channel.served.participants.record_poll(by.seat)
        news = channel.wait_for_news(request.query_params.get("after", ""), _POLL_TIMEOUT)
        return build_json_response({"version": await await_unless_disconnected(request, news)})

    async def get_ground(self, request: Request) -> Response:
        """Return a drawing of the map.

        Its name is a digest of its content, and only a scene reveals it. The name of a painted ground is a digest of
        the ruleset, which holds no secret of the game.
        """
        name = request.path_params["name"]
        channel = self.registry.find_channel_with_drawing(name)
        drawing = None if channel is None else await channel.get_drawing(name)
        if drawing is None:
            raise build_not_found_error()
        headers = {"cache-control": _IMMUTABLE, "vary": "accept-encoding"}
        return build_encoded_response(request, drawing, "image/svg+xml", headers)

    async def get_picture(self, request: Request) -> Response:
        """Return a scan of counters, or the cover of a shipped ruleset for the list of games.

        The name of a scan is a digest of its content, and only a scene reveals it.
        """
        name = request.path_params["name"]
        if self.lobby is not None and name.startswith(COVER):
            cover = await to_thread.run_sync(draw_cover, name, self.choose_language(request))
            if cover is not None:
                return Response(cover, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})
        picture = await to_thread.run_sync(self.registry.find_picture, name)
        if picture is None:
            raise build_not_found_error()
        content, media_type = picture
        return Response(content, media_type=media_type, headers={"cache-control": _IMMUTABLE})

    async def apply_change(self, request: Request, name: str) -> Response:
        """Apply the change `name`, one of CHANGES, as the requesting seat and return the scene after it."""
        channel, by = self.authenticate(request)
        await channel.apply(parse_change(name, await parse_body(request), by), by)
        return build_encoded_response(request, await channel.get_scene(by), JSON, {})

    async def start_again(self, request: Request) -> Response:
        """Start a new game with the settings of the host's game, and return the path of its host's page."""
        channel, by = self.authenticate(request)
        await parse_body(request)
        lobby = self.lobby or (self.lessons if channel.served.lesson is not None else None)
        if lobby is None or by.role != HOST:
            raise ApiError(403, "onlooker", _("only the host can start a new game here"))
        return _build_path_response(await lobby.start_again(channel.served, by.lang))

    async def answer_query(self, request: Request) -> Response:
        """Answer a query about the game."""
        channel, by = self.authenticate(request)
        queries, what, params = channel.queries, request.path_params["what"], dict(request.query_params)
        answer: Coroutine[Any, Any, object]
        if what == "odds":
            answer = _compute_odds(channel, by, params.get("key", ""))
        else:
            answer = channel.ask(by.asker, lambda: queries.answer(what, params, by))
        try:
            return build_json_response(await await_unless_disconnected(request, answer))
        except (SetupError, IllegalAction, RuleFault) as problem:
            raise build_refusal(problem, is_query=True) or problem from None

    async def open_game(self, request: Request) -> Response:
        """Open a saved game or start a new one, and return the path of its host's page."""
        lobby = self._get_lobby_of_host(get_sent_secret(request))
        if lobby is None:
            raise ApiError(403, "strange-seat", _NO_GAME)
        fields, lang = await parse_body(request), self.choose_language(request)
        game, ruleset = fields.get("game", ""), fields.get("ruleset", "")
        if not isinstance(game, str) or not isinstance(ruleset, str) or bool(game) == bool(ruleset):
            raise ApiError(400, "no-game", _("expected a game or a ruleset: {expected}", expected='{"game": ...}'))
        scenario = fields.get("scenario", "")
        if not isinstance(scenario, str):
            raise ApiError(400, "no-scenario", _("`scenario` must be a string"))
        players = fields.get("players", {})
        if not isinstance(players, dict) or not all(isinstance(player, str) for player in players.values()):
            raise ApiError(400, "no-player", _("expected players by seat: {expected}", expected='{"players": {...}}'))
        try:
            return _build_path_response(await lobby.open_game(game, ruleset, players, lang, scenario))
        except (JournalError, SetupError, RuleFault, OSError) as problem:
            message = format_os_error(problem) if isinstance(problem, OSError) else format_fault(problem)
            raise ApiError(422, "not-opened", message) from None

    async def begin_lesson(self, request: Request) -> Response:
        """Begin the lesson of a ruleset, or of the game that the request comes from; return the path of its page."""
        fields = await parse_body(request)
        if self._get_lobby_of_host(get_sent_secret(request)) is not None:
            target = fields.get("ruleset", "")
            if not isinstance(target, str) or target not in list_shipped_rulesets():
                raise ApiError(404, "not-found", _("unknown ruleset `{ruleset}`", ruleset=str(target)[:80]))
        else:
            channel, by = self.authenticate(request)
            if by.role == ONLOOKER:
                raise ApiError(403, "onlooker", _("only players can begin a lesson"))
            target = channel.served.rules.target
        if self.lessons is None:
            raise ApiError(404, "not-found", _("this game has no lesson"))
        try:
            return _build_path_response(await self.lessons.begin_lesson(target, self.choose_language(request)))
        except LessonError as problem:
            message = _("the lesson cannot go on: {problem}", problem=problem.message)
            raise ApiError(422, "not-opened", message) from None

    async def list_seats(self, request: Request) -> Response:
        """Return the player of each seat and, for the host, the links of all seats."""
        channel, by = self.authenticate(request)
        served = channel.served
        rows = await await_unless_disconnected(request, channel.ask(by.asker, lambda: served.list_seat_rows(by)))
        localizer = served.views.get_localizer(by.lang)
        links = [
            {
                "name": localizer.say("onlookers")
                if link.role == ONLOOKER
                else localizer.get_thing_name("seat", link.seat),
                "path": f"?seat={link.secret}",
            }
            for link in (self.registry.list_links(channel) if by.role == HOST else ())
            if link.role != HOST
        ]
        shared = self.address.pages[0] if self.address is not None and self.address.is_shared else ""
        return build_json_response({"seats": rows, "links": links, "base": shared})


async def _compute_odds(channel: GameChannel, by: Requester, key: str) -> object:
    """Return exact odds of the option with this key. Raises ApiError(408) if they take too long."""
    queries = channel.queries
    try:
        async with asyncio.timeout(_ODDS_TIMEOUT):
            odds, position = await channel.ask(by.asker, lambda: queries.compute_quick_odds(key, by.lang))
            if odds is not None:
                return odds
            return await channel.ask_worker(
                by.asker, lambda worker: queries.compute_slow_odds(position, key, by.lang, worker)
            )
    except (TimeoutError, EOFError):
        raise build_timeout_error() from None


def _build_path_response(secret: str) -> Response:
    """Return the path of the page that a token opens."""
    return build_json_response({"path": f"?seat={secret}"})


def create_application(
    registry: SeatRegistry,
    language: str = "",
    lobby: Lobby | None = None,
    address: BoardAddress | None = None,
    report: Callable[[str], None] = lambda name: None,
    lessons: Lobby | None = None,
) -> RequestGuardMiddleware:
    """Return the whole server behind its request guard.

    `registry`: the open games; `language`, `lobby`, `address` and `lessons`: see WebApplication; `report` is called
    with each unknown host or origin.
    """
    board = WebApplication(registry, language, lobby, address, lessons)
    gzip = Middleware(GZipMiddleware, minimum_size=_LARGE, compresslevel=4)
    handlers = ErrorHandlers(board.choose_language).map_by_type()
    app = Starlette(routes=build_routes(board), exception_handlers=handlers, middleware=[gzip])
    app.router.redirect_slashes = False  # a redirect would use the proxy's name for this server
    return RequestGuardMiddleware(app, board.names, language, board.is_known_token, report)


def build_routes(board: WebApplication) -> list[BaseRoute]:
    """Return the routes of the API, the drawings and the page."""
    posts: dict[str, Callable[..., Coroutine[Any, Any, Response]]] = {
        **{name: partial(board.apply_change, name=name) for name in CHANGES},
        "again": board.start_again,
        "open": board.open_game,
        "learn": board.begin_lesson,
    }
    return [
        Route("/", board.get_page),
        Route("/api/words", board.get_words),
        Route("/api/still", board.get_static_view),
        Route("/api/scene", board.get_scene),
        Route("/api/news", board.wait_for_news),
        Route("/api/seats", board.list_seats),
        Route("/api/ask/{what}", board.answer_query),
        Route("/ground/{name}.svg", board.get_ground),
        Route("/pictures/{name}", board.get_picture),
        *(Route(f"/api/{name}", post, methods=["POST"]) for name, post in posts.items()),
        Route("/page/counters.css", _get_counter_styles),
        Mount("/page", PageFiles(str(files("interpreter.ui.web").joinpath(_FOLDER)))),
    ]


async def _get_counter_styles(_request: Request) -> Response:
    return Response(render_page_css(), media_type="text/css")
