"""The port that a board listens at: the one that is asked for, one it had before, or a free one.

Must not know games.
"""

from __future__ import annotations

import errno
import secrets
import socket
import sys
from collections.abc import Sequence

# Below what systems lend to outgoing connections (from 32768 or 49152): a port there is as a rule free at a restart.
_FIRST, _LAST = 20_000, 32_767
_TRIES = 20
_TAKEN = (errno.EADDRINUSE, errno.EACCES)  # Windows keeps ranges of ports from everybody


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; port 0 takes a free one. Raise OSError where that fails."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # with the protocol named: only then asyncio sets TCP_NODELAY, without which an answer waits for 40 ms
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # `::` listens for IPv4 too, on any system
        found.bind((host, port))
        found.listen(128)
    except BaseException:
        found.close()
        raise
    return found


def first_free_socket(host: str, ports: Sequence[int]) -> socket.socket:
    """Return a socket that listens at the first of these ports that is free, else at another. Raise OSError."""
    others = [_FIRST + secrets.randbelow(_LAST - _FIRST + 1) for _ in range(_TRIES)]
    for port in (*ports, *others):
        try:
            return bound_socket(host, port)
        except OSError as problem:
            if problem.errno not in _TAKEN:
                raise
    return bound_socket(host, 0)
