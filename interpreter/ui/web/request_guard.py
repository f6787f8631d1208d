"""Middleware that guards the server: allowed hosts and origins, sizes, rates, and the content policy.

A foreign page can neither read nor play a game, whatever name it uses for this server. Requests are limited by a token
bucket per client, and a page without scripts explains a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from time import monotonic
from urllib.parse import quote

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from interpreter.diagnostics.html_markup import build_tag
from interpreter.diagnostics.terminal_text import escape_text
from interpreter.i18n.translator import get_translator, list_languages, mark as _
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.network.server_names import ServerNames

_MAX_CLIENTS = 1_000
_NETWORK_BITS = 64  # IPv6 prefix length: one household owns a whole /64


@dataclass(slots=True)
class RateLimiter:
    """Token buckets by client that hold `burst` requests and gain `rate` of them per second."""

    rate: float
    burst: float
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict)  # tokens left, and the time of that count

    def take(self, client: str, now: float) -> bool:
        """Count a request of a client at the time `now` in seconds; return False if the client's bucket is empty."""
        tokens = self._compute_tokens_left(client, now)
        self._buckets.pop(client, None)  # keeps the dictionary in least-recently-used order
        self._buckets[client] = (tokens - 1 if tokens >= 1 else tokens), now
        if len(self._buckets) > _MAX_CLIENTS:
            self._forget(now)
        return tokens >= 1

    def _compute_tokens_left(self, client: str, now: float) -> float:
        tokens, last = self._buckets.get(client, (self.burst, now))
        return min(self.burst, tokens + (now - last) * self.rate)

    def _forget(self, now: float) -> None:
        """Drop clients whose bucket is full at the time `now`; if too many remain, those that asked longest ago."""
        for client in [
            known_client for known_client in self._buckets if self._compute_tokens_left(known_client, now) >= self.burst
        ]:
            del self._buckets[client]
        while len(self._buckets) > _MAX_CLIENTS:
            del self._buckets[next(iter(self._buckets))]


def get_client_key(address: str) -> str:
    """Return the rate limiter's key for a peer address: for IPv6 its /64 network, whose owner can use all of it."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return f"{int(ip) >> (128 - _NETWORK_BITS):x}::/{_NETWORK_BITS}"


_MAX_TARGET_BYTES = 8_192  # bytes of a path with its query, and of all headers
_MAX_HEADER_BYTES = 32_768
_RATE, _BURST = 40.0, 120.0  # posts per second and burst, by seat or by address
_MAX_NAME_LENGTH = 100  # characters of an unknown host or origin in messages
_PAGE_FILES = "/page/"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class RequestGuardMiddleware:
    """ASGI middleware that guards the application.

    `names`: the host names it answers to; `language`: the default language of refusals; `is_known_token`: returns
    whether a token opens anything here; `report`: called with the name of each refused host or origin.
    """

    def __init__(
        self,
        app: ASGIApp,
        names: ServerNames,
        language: str,
        is_known_token: Callable[[str], bool],
        report: Callable[[str], None],
    ) -> None:
        self.app = app
        self.names = names
        self.language = language
        self.is_known_token = is_known_token
        self.report = report
        self.rates = RateLimiter(_RATE, _BURST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, or answer it with an error: a page for a navigation, else JSON."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("cache-control", "no-store")
                headers.update(_HEADERS)
            await send(message)

        app, request = self.app, Request(scope)
        try:
            path = self._strip_path_prefix(request)
        except ApiError as error:
            app = self._refuse(request, error)
        else:
            if path is None:
                app = _redirect_to_page(request)
            elif path != scope["path"]:
                scope = {**scope, "path": path, "raw_path": quote(path).encode("ascii")}
        await app(scope, receive, send_guarded)

    def _strip_path_prefix(self, request: Request) -> str | None:
        """Return the path of a request without the prefix, or None for the bare prefix.

        Raises ApiError to refuse it.
        """
        headers = [name for name, _value in request.scope["headers"]]
        for name in (b"host", b"origin", b"authorization", b"content-length"):
            if headers.count(name) > 1:
                raise ApiError(400, "bad-request", _("the header {name} occurs twice", name=name.decode()))
        if b"content-length" in headers and b"transfer-encoding" in headers:
            raise ApiError(400, "bad-request", _("a request with both Content-Length and Transfer-Encoding"))
        if len(request.scope.get("raw_path") or b"") + len(request.scope["query_string"]) > _MAX_TARGET_BYTES:
            raise ApiError(414, "too-long", _("the address is too long"))
        if sum(len(name) + len(value) for name, value in request.scope["headers"]) > _MAX_HEADER_BYTES:
            raise ApiError(431, "too-long", _("the headers are too long"))
        host = request.headers.get("host", "")
        if not self.names.is_known(host):
            raise self._build_unknown_host_error(host)
        path = self.names.strip_prefix(request.scope["path"])
        self._check_origin(request, host, path or "/")
        self._check_rate(request)
        return path

    def _build_unknown_host_error(self, host: str) -> ApiError:
        """Return the refusal of an unknown host name, and report the name."""
        host_text = escape_text(host)[:_MAX_NAME_LENGTH]
        self.report(host_text)
        return ApiError(
            421,
            "strange-host",
            _("this board does not use the name `{host}`; open the address that it printed", host=host_text),
            [
                _(
                    "If this is the name of your own board, behind a proxy or a tunnel or on your network, "
                    "stop it and start it again with: --public-url {address}",
                    address=f"http://{host_text}",
                ),
                _("Write https:// instead if the browser shows a lock, and add the path if the board has one."),
                _("If someone else sent you this address, send them this message."),
            ],
        )

    def _check_origin(self, request: Request, host: str, path: str) -> None:
        """Raise ApiError if a request comes from a page of another site, other than by following a link.

        A request without an origin comes from no page. The page's own files hold no secret, so a page at an unknown
        origin may read them: its script then explains the problem.
        """
        origin = request.headers.get("origin")
        is_read = request.method in ("GET", "HEAD")
        is_strange = origin is not None and origin.casefold() not in self.names.list_origins(host)
        if is_strange and not (is_read and path.startswith(_PAGE_FILES)):
            origin_text = escape_text(origin or "")[:_MAX_NAME_LENGTH]
            self.report(origin_text)
            raise ApiError(
                403,
                "strange-origin",
                _("a page of another site cannot use this board: {origin}", origin=origin_text),
                [
                    _(
                        "If this is the address of your own board behind a proxy or a tunnel, stop it and start it "
                        "again with: --public-url {address}",
                        address=origin_text,
                    )
                ],
            )
        is_link = request.method == "GET" and request.headers.get("sec-fetch-mode") == "navigate" and path == "/"
        if request.headers.get("sec-fetch-site", "none") in ("cross-site", "same-site") and not is_link:
            raise ApiError(403, "strange-origin", _("a page of another site cannot use this board"))
        if request.method == "POST":
            sort = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
            if sort != "application/json":
                raise ApiError(415, "no-json", _("the request must be JSON, with Content-Type: application/json"))

    def _check_rate(self, request: Request) -> None:
        """Raise ApiError(429) if one seat, or one address without a seat's token, posts too much.

        The address is that of the connection, since a header can name any. Behind a proxy it is the same for all, so a
        flood from there shuts out other clients without a token, and no seat.
        """
        if request.method in ("GET", "HEAD"):
            return
        secret = get_sent_secret(request)
        if secret and self.is_known_token(secret):
            client = sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
        else:
            client = get_client_key(request.client.host if request.client else "")
        if not self.rates.take(client, monotonic()):
            raise ApiError(429, "too-fast", _("too many requests; wait a moment"))

    def _refuse(self, request: Request, error: ApiError) -> Response:
        """Return the response that refuses a request: a page for a navigation, else JSON."""
        requested_lang = request.query_params.get("lang", "")
        lang = requested_lang if requested_lang in list_languages() else self.language
        data = error.serialize(get_translator(lang))
        headers = {"connection": "close"} if error.status == 400 else {}  # the end of the request is ambiguous
        if not _is_navigation(request):
            return JSONResponse(data, error.status, headers)
        head = build_tag(
            "head",
            build_tag("meta", charset="utf-8"),
            build_tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            build_tag("meta", name="color-scheme", content="light dark"),
            build_tag("title", "Grognard"),
        )
        body = build_tag(
            "body", build_tag("h1", "Grognard"), [build_tag("p", line) for line in (data["message"], *data["reasons"])]
        )
        return HTMLResponse(
            f"<!doctype html>\n{build_tag('html', head, body, lang=lang or 'en')}\n", error.status, headers
        )


def get_sent_secret(request: Request) -> str:
    """Return the seat's token that a request carries in its header or address, or ''."""
    kind, _blank, secret = request.headers.get("authorization", "").partition(" ")
    return (secret if kind.casefold() == "bearer" and secret else request.query_params.get("seat", "")).strip()


def _is_navigation(request: Request) -> bool:
    """Return True if a person opened an address, so that the answer is shown in a window."""
    mode = request.headers.get("sec-fetch-mode", "navigate")
    return request.method == "GET" and mode == "navigate" and "text/html" in request.headers.get("accept", "")


def _redirect_to_page(request: Request) -> Response:
    """Redirect from the prefix to the page at prefix/, since the page's own addresses are relative to it."""
    name, query = request.scope["path"].rpartition("/")[2], request.scope["query_string"].decode("latin-1")
    return Response(status_code=307, headers={"location": f"{quote(name)}/{'?' if query else ''}{query}"})
