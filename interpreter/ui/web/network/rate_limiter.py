"""Token bucket rate limiter per client. The caller passes the time."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address

_MOST_CLIENTS = 1_000
_NETWORK_BITS = 64  # IPv6 prefix length: one household owns a whole /64


@dataclass(slots=True)
class RateLimiter:
    """Token buckets by client that hold `burst` requests and gain `rate` of them per second."""

    rate: float
    burst: float
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict)  # tokens left, and the time of that count

    def take(self, client: str, now: float) -> bool:
        """Count a request at a time in seconds; return False if the client's bucket is empty."""
        left = self._tokens_left(client, now)
        self._buckets.pop(client, None)  # keeps the dictionary in least-recently-used order
        self._buckets[client] = (left - 1 if left >= 1 else left), now
        if len(self._buckets) > _MOST_CLIENTS:
            self._forget(now)
        return left >= 1

    def _tokens_left(self, client: str, now: float) -> float:
        left, last = self._buckets.get(client, (self.burst, now))
        return min(self.burst, left + (now - last) * self.rate)

    def _forget(self, now: float) -> None:
        """Drop clients with a full bucket; if too many remain, those that asked longest ago."""
        for client in [one for one in self._buckets if self._tokens_left(one, now) >= self.burst]:
            del self._buckets[client]
        while len(self._buckets) > _MOST_CLIENTS:
            del self._buckets[next(iter(self._buckets))]


def client_of(address: str) -> str:
    """Return the key of a peer address: for IPv6 the /64 network, since its owner can use any address in it."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{int(found) >> (128 - _NETWORK_BITS):x}::/{_NETWORK_BITS}"
