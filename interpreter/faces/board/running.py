"""Runs the server until it is told to stop, and ends within a second.

Must not know what is served.
"""

from __future__ import annotations

import asyncio
import logging
import mimetypes
import socket
import sys
from collections.abc import Callable
from types import FrameType

import uvicorn

from interpreter.faces.board.guard import App
from interpreter.faces.board.network.connections import Limits, limited, system_limits

_SWITCH = 0.001  # seconds after which a thinking thread lets the event loop in
_GRACE = 1  # seconds for answers that are under way when the server ends
# asyncio accepts this many connections before it looks at any, and tries as often again where no file handle is left:
# with uvicorn's 2,048 it then does nothing else for seconds. So few fit into the handles that the limits leave free.
_ACCEPTED_AT_ONCE = 8
_QUEUE = 1_024  # connections that the system keeps until they are accepted
_MOST_HEAD = 49_152  # bytes of a request before its body: somewhat more than the guard lets in, so that it can say why


class _Server(uvicorn.Server):
    """A server that says when it can be asked, and sends those who wait away when it is told to end."""

    def __init__(self, config: uvicorn.Config, begin: Callable[[], None], leave: Callable[[], None]) -> None:
        super().__init__(config)
        self.begin = begin
        self.leave = leave
        self.loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin once requests and signals are heard."""
        await super().startup(sockets)
        if self.started:
            for listening in sockets or ():
                listening.listen(_QUEUE)
            self.loop = asyncio.get_running_loop()
            self.begin()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End, at once when told twice; the signal is not raised again, for whoever called goes on."""
        self.force_exit, self.should_exit = self.should_exit, True
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.leave)


def server_config(app: App, limits: Limits) -> uvicorn.Config:
    """Return the settings of the server. Forwarded headers are never believed: anybody can send them."""
    return uvicorn.Config(
        app,
        http=limited(limits),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=30,
        backlog=_ACCEPTED_AT_ONCE,
        h11_max_incomplete_event_size=_MOST_HEAD,
    )


def run_server(app: App, listening: socket.socket, begin: Callable[[], None], leave: Callable[[], None]) -> None:
    """Serve until a signal comes. `begin` is called in the event loop at the start, `leave` at the end."""
    for ending, sort in ((".js", "text/javascript"), (".css", "text/css"), (".svg", "image/svg+xml")):
        mimetypes.add_type(sort, ending)
    told = logging.getLogger("uvicorn")  # what goes wrong is told by the application; requests hold secrets
    told.addHandler(logging.NullHandler())
    told.propagate = False
    server = _Server(server_config(app, system_limits()), begin, leave)

    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        asyncio.run(server.serve(sockets=[listening]))
    except KeyboardInterrupt:
        pass
    finally:
        sys.setswitchinterval(before)
