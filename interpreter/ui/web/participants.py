"""The humans at a served game: their names, and whether their pages are open."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TypedDict

from interpreter.play.game import Game
from interpreter.players.ownership import list_seat_sides
from interpreter.runtime.localizer import Localizer

_AWAY = 40.0  # seconds without a poll after which a player counts as away
_MAX_NAME_LENGTH = 40  # characters of what a player is called


@dataclass(frozen=True, slots=True)
class Person:
    """The player of a seat, as others see it.

    `seat`: its id; `name`: the displayed name of the seat; `side`: the id of its side, '' if it plays several;
    `player`: the name of the player or bot, '' if unknown; `own`: it is a seat of the viewer and not played by a bot;
    `called`: the name of its side, or else of the seat.
    """

    seat: str
    name: str
    side: str
    player: str
    own: bool
    called: str = ""


class SeatRow(TypedDict):
    """A seat as the page lists it: its id, name and side, and the name of its player.

    `named` is the name that the player has chosen, `own` is True for the seats of the requester, `here` for a player
    whose page is open (None for a bot).
    """

    seat: str
    name: str
    player: str
    named: str
    side: str
    own: bool
    here: bool | None


def describe_opponents(people: Sequence[Person], localizer: Localizer) -> str:
    """Return whom the player of one seat plays against, "against Anna (Reds)"; '' for other viewers."""
    others = [person for person in people if not person.own]
    if len(people) - len(others) != 1 or not others:
        return ""
    names = (
        localizer.with_detail(person.player, person.called) if person.player else person.called for person in others
    )
    return localizer.say("against {name}", name=localizer.join_list(names))


def find_only_side(game: Game, seat: str) -> str:
    """Return the id of the side that a seat plays, or '' if it plays several."""
    sides = list_seat_sides(game, seat)
    return sides[0] if len(sides) == 1 else ""


class Participants:
    """Names and presence of the players of one game; seat '' is the host. Not kept in the game's file."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self._seen: dict[str, float] = {}

    def rename(self, seat: str, name: str) -> None:
        """Set the display name of a seat's player; "" for the seat's own name."""
        self.names[seat] = " ".join(name.split())[:_MAX_NAME_LENGTH]

    def record_poll(self, seat: str) -> None:
        """Record that the page of a seat has polled for changes."""
        self._seen[seat] = monotonic()

    def is_here(self, seat: str) -> bool:
        """Return whether the page of a seat, or of the host, has polled for changes recently."""
        now = monotonic()
        return any(now - self._seen[each_seat] < _AWAY for each_seat in (seat, "") if each_seat in self._seen)

    def list_seat_rows(
        self, game: Game, players: Mapping[str, str], bots: Collection[str], own: Sequence[str], localizer: Localizer
    ) -> list[SeatRow]:
        """Return the seats of a game; `players`: the player by seat; `bots`, `own`: seats of bots and of the viewer."""
        return [
            {
                "seat": seat,
                "name": localizer.get_thing_name("seat", seat),
                "player": self.names.get(seat) or localizer.format_player(player),
                "named": self.names.get(seat, ""),
                "side": find_only_side(game, seat),
                "own": seat in own and seat not in bots,
                "here": None if seat in bots else self.is_here(seat),
            }
            for seat, player in players.items()
        ]

    def list_people(
        self, game: Game, players: Mapping[str, str], own: Sequence[str], localizer: Localizer
    ) -> list[Person]:
        """Return the player of each seat; `players`: the player by seat, '' for a human; `own`: the viewer's seats."""
        return [
            Person(
                seat,
                localizer.get_thing_name("seat", seat),
                find_only_side(game, seat),
                self.names.get(seat) or (localizer.say("the computer") if player else ""),
                seat in own and not player,
                localizer.get_thing_name("side", side)
                if (side := find_only_side(game, seat))
                else localizer.get_thing_name("seat", seat),
            )
            for seat, player in players.items()
        ]
