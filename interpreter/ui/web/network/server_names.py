"""Host names that a server answers to, and the origins of its own pages."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address

from interpreter.ui.web.network.public_url import PublicUrl, build_origin


@dataclass(frozen=True, slots=True)
class ServerNames:
    """The host names that a server answers to. Numeric addresses and localhost are always accepted.

    `names`: further names, in lower case. `public`: the public address, or None.
    """

    names: frozenset[str] = frozenset()
    public: PublicUrl | None = None

    def is_known(self, host: str) -> bool:
        """Return True for a Host header that names this server, with any port."""
        name = _strip_port(host).casefold()
        if self.public is not None and name == self.public.host:
            return True
        if name.startswith("[") and name.endswith("]"):
            return _is_address(name[1:-1])
        return name == "localhost" or name.endswith(".localhost") or name in self.names or _is_address(name)

    def list_origins(self, host: str) -> tuple[str, ...]:
        """Return the origins of this server's own pages, as seen by a request with this Host header."""
        public = () if self.public is None else (self.public.origin,)
        if self.public is not None and _strip_port(host).casefold() == self.public.host:
            return public
        return (build_origin("http", host), build_origin("https", host), *public)

    def strip_prefix(self, path: str) -> str | None:
        """Return a path without the public address's prefix, or None for the bare prefix.

        A proxy may strip the prefix or keep it.
        """
        prefix = "" if self.public is None else self.public.prefix
        if not prefix or not path.startswith(prefix):
            return path
        if path == prefix:
            return None
        return path[len(prefix) :] if path[len(prefix)] == "/" else path


def _strip_port(host: str) -> str:
    name, _colon, port = host.rpartition(":")
    return name if port.isdigit() else host


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
