"""Public address at which a reverse proxy or tunnel offers the board."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from interpreter.i18n.translator import Message, mark as _

_USUAL_PORTS = {"http": 80, "https": 443}
_OWN_SEGMENTS = ("api", "ground", "page")  # a prefix that begins with these would be ambiguous
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]+\]")
_PREFIX = re.compile(r"(/[A-Za-z0-9._~-]+)*")


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """A parsed public address. `host` is in lower case, `prefix` is '' or begins with a slash and ends without one."""

    scheme: str
    host: str
    port: int
    prefix: str = ""

    @property
    def origin(self) -> str:
        """Return the origin as browsers send it, without the default port."""
        port_suffix = "" if self.port == _USUAL_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port_suffix}"

    @property
    def base(self) -> str:
        """Return the address of the page, with a slash at its end."""
        return f"{self.origin}{self.prefix}/"


def parse_public_url(text: str) -> PublicUrl | Message:
    """Parse an address such as `https://game.example.org/board`; return a Message if it is invalid."""
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        return _("`{text}` is not a web address", text=text[:80])
    if parts.scheme not in _USUAL_PORTS or not parts.hostname:
        return _("`{text}` does not begin with http:// or https:// and a name", text=text[:80])
    if parts.query or parts.fragment or "@" in parts.netloc:
        return _("`{text}` contains more than a name, a port and a path; leave out the rest", text=text[:80])
    host, prefix = _normalize_host(parts), parts.path.rstrip("/")
    if not _HOST.fullmatch(host):
        return _("`{text}` has a name that no web address can have", text=text[:80])
    if not _PREFIX.fullmatch(prefix) or any(part in (".", "..") for part in prefix.split("/")):
        return _("the path of `{text}` contains characters other than letters, digits and . _ ~ -", text=text[:80])
    if prefix.split("/")[1:2] and prefix.split("/")[1] in _OWN_SEGMENTS:
        return _("the path of `{text}` begins like a path of the board; choose another, such as /board", text=text[:80])
    return PublicUrl(parts.scheme, host, _USUAL_PORTS[parts.scheme] if port is None else port, prefix)


def _normalize_host(parts: SplitResult) -> str:
    """Return the host in the form in which browsers send it."""
    host = (parts.hostname or "").casefold()
    if ":" in host:
        return f"[{host}]"
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def build_origin(scheme: str, host: str) -> str:
    """Return the origin of a page at a Host header's value, as browsers send it."""
    return f"{scheme}://{host.casefold().removesuffix(f':{_USUAL_PORTS[scheme]}')}"
