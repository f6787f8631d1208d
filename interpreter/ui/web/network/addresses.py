"""Addresses of a board: for this machine, for others on the network, and the names it answers to.

Sends nothing to other machines.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from interpreter.ui.web.network.public_url import PublicUrl
from interpreter.ui.web.network.server_names import ServerNames

_ANY = ("0.0.0.0", "::")  # all addresses of this machine
# Domains after a machine's name: multicast DNS, home networks (RFC 6762, RFC 8375), and those of routers.
_HOME_DOMAINS = (
    "local", "lan", "home", "home.arpa", "internal", "localdomain", "intranet", "private", "corp",
    "fritz.box", "speedport.ip", "o2.box", "easy.box", "gateway", "router", "attlocal.net",
)  # fmt: skip
_RESOLVER_SETTINGS = Path("/etc/resolv.conf")
_MAX_SETTINGS_LENGTH = 65_536  # characters
# Adapters of local virtual machines and containers, which reach no other device.
_VIRTUAL = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "podman", "cni", "lxc", "lxd", "virtual", "hyper-v")
_NOWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}  # reserved for documentation
_MOST_IPV6 = 2  # an adapter has several temporary ones


@dataclass(frozen=True, slots=True)
class BoardAddress:
    """Addresses of a board: `pages` for the players, best first; `local` for a browser on this machine.

    `is_shared` is True if other devices can open the pages; `names`: the host names that the server answers to.
    """

    pages: tuple[str, ...]
    local: str
    is_shared: bool
    names: ServerNames

    def list_links(self, secret: str) -> list[str]:
        """Return the addresses with a token in them."""
        return [f"{page}?seat={secret}" for page in self.pages]


def build_board_address(host: str, port: int, public: PublicUrl | None = None) -> BoardAddress:
    """Return the address of a board that listens at a numeric address; `public`: its proxy's address, or None."""
    is_loopback = ip_address(host).is_loopback
    local_page = _format_page_address(host, port)
    if host in _ANY:
        pages = [_format_page_address(number, port) for number in list_network_addresses(host == "::")]
        local_page = _format_page_address("127.0.0.1", port)
    else:
        pages = [] if is_loopback else [local_page]
    names = ServerNames(frozenset() if is_loopback else list_machine_names(), public)
    addresses = (public.base,) if public is not None else tuple(pages) or (local_page,)
    return BoardAddress(addresses, local_page, public is not None or bool(pages), names)


def list_network_addresses(with_ipv6: bool = False) -> list[str]:
    """Return the numeric addresses by which other devices can reach this machine, the default one first.

    `with_ipv6`: also some IPv6 addresses, after all others.
    """
    addresses = list(_adapter_addresses())
    ipv4 = _order_addresses((address for address in addresses if isinstance(address, IPv4Address)), socket.AF_INET)
    ipv6 = (address for address in addresses if with_ipv6 and isinstance(address, IPv6Address))
    return ipv4 + _order_addresses(ipv6, socket.AF_INET6)[:_MOST_IPV6]


def list_machine_names(domains: Iterable[str] | None = None) -> frozenset[str]:
    """Return this machine's own name, bare and with the domains that it may have on a home network.

    `domains` are those that the system appends to names (default: those of its resolver).
    """
    full_name = socket.gethostname().casefold()
    name = full_name.partition(".")[0]
    if not name:
        return frozenset()
    suffixes = (*_HOME_DOMAINS, *(_search_domains() if domains is None else domains))
    return frozenset((full_name, name, *(f"{name}.{domain.casefold().strip('.')}" for domain in suffixes)))


def _format_page_address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _adapter_addresses() -> Iterator[IPv4Address | IPv6Address]:
    """Yield the addresses of adapters that lead to other devices."""
    try:
        import ifaddr
    except ImportError:  # optional dependency
        yield from filter(None, map(_usual_address, _NOWHERE))
        return
    for adapter in ifaddr.get_adapters():
        adapter_name = f"{adapter.name} {adapter.nice_name}".casefold()
        if any(f" {word}" in f" {adapter_name}" for word in _VIRTUAL):
            continue
        for adapter_ip in adapter.ips:
            address = ip_address(adapter_ip.ip if isinstance(adapter_ip.ip, str) else adapter_ip.ip[0])
            if not (address.is_loopback or address.is_link_local or address.is_multicast):
                yield address


def _order_addresses(addresses: Iterable[IPv4Address | IPv6Address], family: socket.AddressFamily) -> list[str]:
    """Return the addresses as texts without duplicates: the default route's first, then those of home networks."""
    usual = _usual_address(family)
    return [
        str(address) for address in sorted(dict.fromkeys(addresses), key=lambda a: (a != usual, not a.is_private, a))
    ]


def _usual_address(family: socket.AddressFamily) -> IPv4Address | IPv6Address | None:
    """Return the source address of packets to the internet, or None without a route; sends no packet.

    `family`: IPv4 or IPv6.
    """
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_NOWHERE[family], 9))
            address = ip_address(probe.getsockname()[0])
    except (OSError, ValueError):
        return None
    return None if address.is_loopback or address.is_unspecified else address


def _search_domains() -> list[str]:
    """Return the search domains that the system's resolver appends to a bare name."""
    try:
        text = _RESOLVER_SETTINGS.read_text(encoding="utf-8", errors="replace")[:_MAX_SETTINGS_LENGTH]
    except OSError:
        return []
    lines = [line.split() for line in text.splitlines()]
    words = [word for line in lines if line[:1] in (["search"], ["domain"]) for word in line[1:]]
    return [word for word in words if word.strip(".")]
