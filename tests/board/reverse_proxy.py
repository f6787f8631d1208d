"""A reverse proxy in front of a board: passes the Host header on or rewrites it, below a path or not.

It can also swallow a request, as a connection does that dies while a laptop sleeps.
"""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.patience import PATIENCE

_OF_ONE_CONNECTION = ("connection", "keep-alive", "transfer-encoding", "content-length")


@dataclass
class Proxy:
    """The settings and events of a running proxy.

    `keeps_host` is true for Caddy, cloudflared and ngrok, and false for nginx's plain `proxy_pass`.
    """

    upstream: tuple[str, int]
    keeps_host: bool = True
    prefix: str = ""
    strips_prefix: bool = False
    port: int = 0
    asked: threading.Event = field(default_factory=threading.Event)  # a request for news was passed on
    swallow: threading.Event = field(default_factory=threading.Event)  # the next request for news
    swallowed: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)


@contextmanager
def reverse_proxy(upstream: tuple[str, int], **settings) -> Iterator[Proxy]:
    """Run a proxy in front of a server, at a free port of this machine."""
    proxy = Proxy(upstream, **settings)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def passed_on(self) -> None:
            if proxy.swallow.is_set() and "/api/news" in self.path:
                proxy.swallow.clear()
                proxy.swallowed.set()
                proxy.ended.wait()
                return
            if "/api/news" in self.path:
                proxy.asked.set()
            length = int(self.headers.get("content-length") or 0)
            body = self.rfile.read(length) if length else None
            if not self.path.startswith(f"{proxy.prefix}/"):
                self.answer(404, [], b"the proxy has nothing here")
                return
            path = self.path[len(proxy.prefix) :] if proxy.strips_prefix else self.path
            given = {n: v for n, v in self.headers.items() if n.lower() not in ("connection", "content-length")}
            given["X-Forwarded-For"], given["X-Forwarded-Proto"] = "203.0.113.7", "https"
            if not proxy.keeps_host:
                given["Host"] = f"{proxy.upstream[0]}:{proxy.upstream[1]}"
            connection = http.client.HTTPConnection(*proxy.upstream, timeout=PATIENCE)
            try:
                connection.request(self.command, path, body, given)
                answer = connection.getresponse()
                self.answer(answer.status, answer.getheaders(), answer.read())
            except OSError:
                self.close_connection = True
            finally:
                connection.close()

        def answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
            self.send_response(status)
            for name, value in headers:
                if name.lower() not in _OF_ONE_CONNECTION:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = passed_on

        def log_message(self, *_told: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_told: object) -> None:  # the client has disconnected
            pass

    server = Server(("127.0.0.1", 0), Handler)
    proxy.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield proxy
    finally:
        proxy.ended.set()
        server.shutdown()
        server.server_close()
