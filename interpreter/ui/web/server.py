"""Run the HTTP server until a signal arrives, then shut down within a second."""

from __future__ import annotations

import asyncio
import logging
import mimetypes
import socket
import sys
from collections.abc import Callable
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from interpreter.ui.web.network.connections import ConnectionLimits, build_limited_connection, compute_system_limits

_SWITCH = 0.001  # seconds; short, so that bots do not delay the event loop
_GRACE = 1  # seconds for pending answers at shutdown
# asyncio accepts this many connections before it looks at any, and tries as often again where no file handle is left:
# with uvicorn's 2,048 it then does nothing else for seconds. So few fit into the handles that the limits leave free.
_ACCEPTED_AT_ONCE = 8
_QUEUE = 1_024  # connections that the system keeps until they are accepted
_MAX_HEAD_BYTES = 49_152  # bytes of a request's head; above the guard's limits, which answer with a reason


class _Server(uvicorn.Server):
    """uvicorn server that reports when it is ready, and releases waiting clients on shutdown."""

    def __init__(self, config: uvicorn.Config, begin: Callable[[], None], leave: Callable[[], None]) -> None:
        super().__init__(config)
        self.begin = begin
        self.leave = leave
        self.loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server, and call `begin` once it handles requests and signals."""
        await super().startup(sockets)
        if self.started:
            for listening in sockets or ():
                listening.listen(_QUEUE)
            self.loop = asyncio.get_running_loop()
            self.begin()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down, at once on the second signal; the signal is not raised again, so the caller continues."""
        self.force_exit, self.should_exit = self.should_exit, True
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.leave)


def build_config(app: ASGIApp, limits: ConnectionLimits) -> uvicorn.Config:
    """Return the server's settings. Forwarded headers are ignored, since any client can send them."""
    return uvicorn.Config(
        app,
        http=build_limited_connection(limits),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=30,
        backlog=_ACCEPTED_AT_ONCE,
        h11_max_incomplete_event_size=_MAX_HEAD_BYTES,
    )


def run_server(app: ASGIApp, listening: socket.socket, begin: Callable[[], None], leave: Callable[[], None]) -> None:
    """Serve on a listening socket until a signal arrives.

    `begin` is called in the event loop at the start, `leave` at the end.
    """
    for ending, media_type in ((".js", "text/javascript"), (".css", "text/css"), (".svg", "image/svg+xml")):
        mimetypes.add_type(media_type, ending)
    logger = logging.getLogger("uvicorn")  # the application reports errors; request logs would leak tokens
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    server = _Server(build_config(app, compute_system_limits()), begin, leave)

    switch_interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        asyncio.run(server.serve(sockets=[listening]))
    except KeyboardInterrupt:
        pass
    finally:
        sys.setswitchinterval(switch_interval)
