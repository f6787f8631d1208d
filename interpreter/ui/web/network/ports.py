"""Choice of the port that a board listens at: the requested one, a former one, or a free one."""

from __future__ import annotations

import errno
import secrets
import socket
import sys
from collections.abc import Sequence

# Below the ephemeral range (from 32768 or 49152), so that a port is usually still free after a restart.
_FIRST_PORT, _LAST_PORT = 20_000, 32_767
_TRIES = 20
_TAKEN = (errno.EADDRINUSE, errno.EACCES)  # EACCES: Windows reserves port ranges


def bind_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket at an address; port 0 takes a free one. Raises OSError if that fails."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is explicit; without it an answer takes 40 ms longer
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # `::` accepts IPv4 too, on every system
        listening.bind((host, port))
        listening.listen(128)
    except BaseException:
        listening.close()
        raise
    return listening


def bind_first_free(host: str, ports: Sequence[int]) -> socket.socket:
    """Return a listening socket at the first free port of a list, else at any free one. Raises OSError."""
    random_ports = [_FIRST_PORT + secrets.randbelow(_LAST_PORT - _FIRST_PORT + 1) for _ in range(_TRIES)]
    for port in (*ports, *random_ports):
        try:
            return bind_socket(host, port)
        except OSError as problem:
            if problem.errno not in _TAKEN:
                raise
    return bind_socket(host, 0)
