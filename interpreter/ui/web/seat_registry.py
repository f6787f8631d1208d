"""Which room a secret opens, and as whom. Must not make secrets."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.ui.web.access_tokens import HOST, ONLOOKER, Keyring, digest_of
from interpreter.ui.web.game_channel import GameChannel

_SEAT = "seat"


@dataclass(frozen=True, slots=True)
class Access:
    """What a secret is good for: a role in a room, with its seat."""

    room: GameChannel
    role: str
    seat: str = ""

    @property
    def asker(self) -> str:
        """Names whoever has this secret, in the queues of the room."""
        return f"{self.role} {self.seat}"


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A link of a game: whose it is, and the secret in it."""

    role: str
    seat: str
    secret: str


class SeatRegistry:
    """The rooms that are open, by their secrets."""

    def __init__(self, keyring: Keyring) -> None:
        self.keyring = keyring
        self.rooms: dict[str, GameChannel] = {}
        self._entrances: dict[bytes, Access] = {}
        self._people: dict[str, tuple[str, ...]] = {}  # by room: the seats that people played when it was opened

    def open(self, room: GameChannel) -> None:
        """Let people into a room."""
        self.rooms[room.key] = room
        self._people[room.key] = room.served.people
        for link in self.links(room):
            self._entrances[digest_of(link.secret)] = Access(room, link.role, link.seat)

    def links(self, room: GameChannel) -> list[SeatLink]:
        """All links of a room: its host's, those of seats that people play, and that of onlookers."""
        made = [(HOST, ""), *((_SEAT, seat) for seat in room.served.people), (ONLOOKER, "")]
        return [SeatLink(role, seat, self.keyring.secret(room.key, role, seat)) for role, seat in made]

    def entrance(self, secret: str) -> Access | None:
        """What a secret is good for; None for one that is none."""
        for room in self.rooms.values():
            if self._people[room.key] != room.served.people:  # a program has handed its seat over
                self.open(room)
        return self._entrances.get(digest_of(secret)) if secret else None
