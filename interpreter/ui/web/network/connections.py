"""Connection limits: timeouts for requests and answers, and a cap on the number of connections.

uvicorn ends idle connections only. Without these limits a client that sends half a request holds a file handle for as
long as it likes, and a few hundred of them leave none for the players.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, ClassVar

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

_RESERVED_HANDLES = 96  # for journals, workers, and connections that are accepted and not yet counted
_MAX_CONNECTIONS = 4_000  # 2000 waiting pages take 91 MB
_MIN_CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits of a server's connections.

    `request_seconds`: the time for a request, from connecting or its first byte to its last byte; `answer_seconds`:
    the longest pause of a client in reading an answer; `connections`: how many may be open at once.
    """

    request_seconds: float = 30.0
    answer_seconds: float = 30.0
    connections: int = 1_000


class LimitedConnection(H11Protocol):
    """An HTTP/1.1 connection that ends if its client is too slow, or if newer ones need its slot."""

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._request_timer: asyncio.TimerHandle | None = None
        self._answer_timer: asyncio.TimerHandle | None = None
        self._last_heard = self.loop.time()

    @property
    def is_answering(self) -> bool:
        """Return True from the last byte of a request to the last byte of its answer."""
        is_whole = self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)
        is_answered = self.cycle is None or self.cycle.response_complete
        return is_whole and not is_answered and not self.transport.is_closing()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer of the first request."""
        super().connection_made(transport)
        self._watch_request(is_begun=True)
        if len(self.connections) > self.limits.connections:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Process received bytes; they do not extend the time for a request."""
        self._last_heard = self.loop.time()
        super().data_received(data)
        self._watch_request()

    def on_response_complete(self) -> None:
        """Watch for the next request, or for the end of a closing connection."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._abort_after(self.limits.answer_seconds)
        else:
            self._watch_request()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, even if its client never reads what was sent."""
        super().timeout_keep_alive_handler()
        self._abort_after(self.limits.answer_seconds)

    def pause_writing(self) -> None:
        """Start the timer within which the client must read on."""
        super().pause_writing()
        self._abort_after(self.limits.answer_seconds)

    def resume_writing(self) -> None:
        """Stop the write timer, since the client reads again."""
        super().resume_writing()
        self._stop_answer_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        super().connection_lost(exc)
        self._stop_request_timer()
        self._stop_answer_timer()

    def _watch_request(self, is_begun: bool = False) -> None:
        """Run the timer while a request has arrived in part, and stop it once it is complete.

        `is_begun`: run the timer in any case.
        """
        state = self.conn.their_state
        if is_begun or state is h11.SEND_BODY or (state is h11.IDLE and self.conn.trailing_data[0]):
            if self._request_timer is None:
                self._request_timer = self.loop.call_later(self.limits.request_seconds, self.transport.abort)
        else:
            self._stop_request_timer()

    def _abort_after(self, seconds: float) -> None:
        if self._answer_timer is None:
            self._answer_timer = self.loop.call_later(seconds, self.transport.abort)

    def _stop_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
        self._request_timer = None

    def _stop_answer_timer(self) -> None:
        if self._answer_timer is not None:
            self._answer_timer.cancel()
        self._answer_timer = None

    def _make_room(self) -> None:
        """End the longest-silent idle connection, or this one if all others wait for answers."""
        idle = [
            connection
            for connection in self.connections
            if isinstance(connection, LimitedConnection) and connection is not self and not connection.is_answering
        ]
        silent = min(idle, key=lambda connection: connection._last_heard, default=self)
        self.connections.discard(silent)
        silent.transport.abort()


def build_limited_connection(limits: ConnectionLimits) -> type[LimitedConnection]:
    """Return the connection class of a server with these limits."""
    return type("OwnConnection", (LimitedConnection,), {"limits": limits})


def compute_system_limits() -> ConnectionLimits:
    """Return limits that leave file handles for the games, after asking the system for as many as it allows."""
    try:
        import resource
    except ImportError:  # Windows does not limit handles of sockets
        return ConnectionLimits()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    required = _MAX_CONNECTIONS + _RESERVED_HANDLES
    if hard != resource.RLIM_INFINITY:
        required = min(required, hard)
    if soft != resource.RLIM_INFINITY and soft < required:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (required, hard))
            soft = required
        except (OSError, ValueError):  # macOS allows fewer than it reports
            pass
    free = required if soft == resource.RLIM_INFINITY else min(soft, required)
    return ConnectionLimits(connections=max(_MIN_CONNECTIONS, free - _RESERVED_HANDLES))
