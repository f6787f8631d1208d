"""What is let in, and what goes out with every answer: hosts, origins, sizes, rates; the page's content policy.

A page of a stranger must neither read a game nor play it, by whatever name it finds this server. Must not know games.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from ipaddress import ip_address
from time import monotonic
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_MOST_TARGET = 8_192  # bytes of a path with its query, and of all headers
_MOST_HEADERS = 32_768
_RATE, _BURST = 40.0, 120.0  # posts in a second from one address, and at once
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Guard:
    """Stands before the application. `names`: hosts beside addresses and localhost by which it may be called."""

    def __init__(self, app: App, names: Collection[str] = ()) -> None:
        self.app = app
        self.names = frozenset(name.casefold() for name in names)
        self.rates: dict[str, tuple[float, float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request: passed on, or answered with an error as JSON."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        fault = self._fault(scope)
        if fault is not None:
            await _answer(send, *fault)
            return

        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": [*headers, *_HEADERS]}
            await send(message)

        await self.app(scope, receive, sending)

    def _fault(self, scope: Scope) -> tuple[int, str, str] | None:
        headers: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in (b"host", b"origin") and name in headers:
                return 400, "bad-request", f"more than one {name.decode()}"
            headers[name] = value
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > _MOST_TARGET:
            return 414, "too-long", "the address is too long"
        if sum(len(name) + len(value) for name, value in scope["headers"]) > _MOST_HEADERS:
            return 431, "too-long", "the headers are too long"
        host = headers.get(b"host", b"").decode("latin-1")
        if not self.is_known(host):
            return 421, "strange-host", "this server is not called by this name; open the address that it has printed"
        return _origin_fault(scope, headers, host) or self._rate_fault(scope)

    def is_known(self, host: str) -> bool:
        """True for a literal address, localhost, and the names that were given."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        name = name.casefold()
        if name.startswith("[") and name.endswith("]"):
            return _is_address(name[1:-1])
        return name == "localhost" or name.endswith(".localhost") or name in self.names or _is_address(name)

    def _rate_fault(self, scope: Scope) -> tuple[int, str, str] | None:
        """At most so many requests in a second that do something, from one address."""
        if scope["method"] in ("GET", "HEAD"):
            return None
        now, client = monotonic(), str((scope.get("client") or ("",))[0])
        left, last = self.rates.get(client, (_BURST, now))
        left = min(_BURST, left + (now - last) * _RATE)
        if len(self.rates) > 1000:
            self.rates.clear()
        self.rates[client] = (left - 1 if left >= 1 else left), now
        return None if left >= 1 else (429, "too-fast", "too many requests; wait a moment")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _origin_fault(scope: Scope, headers: dict[bytes, bytes], host: str) -> tuple[int, str, str] | None:
    """Another page than ours may lead here by a link, and nothing else; who has no origin is no page."""
    strange = 403, "strange-origin", "a page of another site may not use this server"
    origin = headers.get(b"origin")
    if origin is not None and origin.decode("latin-1") not in (f"http://{host}", f"https://{host}"):
        return strange
    site = headers.get(b"sec-fetch-site", b"none")
    is_link = scope["method"] == "GET" and headers.get(b"sec-fetch-mode") == b"navigate" and scope["path"] == "/"
    if site in (b"cross-site", b"same-site") and not is_link:
        return strange
    if scope["method"] == "POST":
        sort = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
        if sort != b"application/json":
            return 415, "no-json", "what is sent must be JSON, with Content-Type: application/json"
    return None


async def _answer(send: Send, status: int, code: str, message: str) -> None:
    body = json.dumps({"error": code, "message": message}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
