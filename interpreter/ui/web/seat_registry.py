"""Registry that maps access tokens to game channels, roles and seats."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.ui.web.access_tokens import HOST, ONLOOKER, Keyring, hash_token
from interpreter.ui.web.game_channel import GameChannel

_SEAT = "seat"


@dataclass(frozen=True, slots=True)
class Access:
    """The rights of a token: a role in a channel, and a seat of its game, '' for none."""

    channel: GameChannel
    role: str
    seat: str = ""


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A link of a game: its role, seat and token."""

    role: str
    seat: str
    secret: str


class SeatRegistry:
    """The open channels of games, found by the tokens of their links."""

    def __init__(self, keyring: Keyring) -> None:
        self.keyring = keyring
        self.channels: dict[str, GameChannel] = {}
        self._access: dict[bytes, Access] = {}
        self._people: dict[str, tuple[str, ...]] = {}  # by channel key: seats with a registered token

    def open(self, channel: GameChannel) -> None:
        """Register a channel and its tokens."""
        self.channels[channel.key] = channel
        self._people[channel.key] = channel.served.people
        for link in self.list_links(channel):
            self._access[hash_token(link.secret)] = Access(channel, link.role, link.seat)

    def close(self, channel: GameChannel) -> None:
        """Unregister a channel and its tokens, and close it."""
        self.channels.pop(channel.key, None)
        self._people.pop(channel.key, None)
        self._access = {digest: access for digest, access in self._access.items() if access.channel is not channel}
        channel.close()
        channel.served.close()

    def list_links(self, channel: GameChannel) -> list[SeatLink]:
        """Return all links of a channel: the host's, those of human seats, and the onlookers'."""
        rights = [(HOST, ""), *((_SEAT, seat) for seat in channel.served.people), (ONLOOKER, "")]
        return [SeatLink(role, seat, self.keyring.derive_secret(channel.key, role, seat)) for role, seat in rights]

    def find_access(self, secret: str) -> Access | None:
        """Return the access that a token grants, or None if it is unknown."""
        for channel in self.channels.values():
            if (
                self._people[channel.key] != channel.served.people
            ):  # a failed bot handed its seat over, which needs a token
                self.open(channel)
        return self._access.get(hash_token(secret)) if secret else None
