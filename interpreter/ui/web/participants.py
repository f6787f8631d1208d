"""The players of a served game: their names, whether their pages are open, and the notes they wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, TypedDict

from interpreter.play.game import Game
from interpreter.players.ownership import find_only_side
from interpreter.runtime.localizer import Localizer

if TYPE_CHECKING:
    from interpreter.ui.web.access_tokens import Requester
    from interpreter.ui.web.served_game import ServedGame

_AWAY_SECONDS = 40.0  # seconds without a poll after which a player counts as away
_MAX_NAME_LENGTH = 40  # characters of what a player is called


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """Display form of a note. All fields but `text` are '' if they are unknown.

    `by`: the author; `where`: the moment of the game; `made`: the time; `side`: the id of the author's side.
    """

    text: str
    by: str = ""
    where: str = ""
    made: str = ""
    side: str = ""


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


def describe_opponents(people: Sequence[Person], words: Localizer) -> str:
    """Return whom the player of one seat plays against, "against Anna (Reds)"; '' for other viewers."""
    others = [person for person in people if not person.own]
    if len(people) - len(others) != 1 or not others:
        return ""
    names = (words.with_detail(person.player, person.called) if person.player else person.called for person in others)
    return words.say("against {name}", name=words.join_list(names))


class Participants:
    """Names, presence and messages of the players of one game; seat '' is the host. Not kept in the game's file."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self._seen: dict[str, float] = {}
        self._written: dict[int, ChatMessage] = {}  # by the number of the note

    def rename(self, seat: str, name: str) -> None:
        """Set the display name of a seat's player; "" for the seat's own name."""
        self.names[seat] = " ".join(name.split())[:_MAX_NAME_LENGTH]

    def record_poll(self, seat: str) -> None:
        """Record that the page of a seat has polled for changes."""
        self._seen[seat] = monotonic()

    def is_here(self, seat: str) -> bool:
        """Return whether the page of a seat, or of the host, has polled for changes recently."""
        now = monotonic()
        return any(now - self._seen[each_seat] < _AWAY_SECONDS for each_seat in (seat, "") if each_seat in self._seen)

    def record_author(self, number: int, text: str, seat: str, moment: str) -> None:
        """Record the author of note `number`; `moment`: the moment of the game."""
        self._written[number] = ChatMessage(text, seat, moment, datetime.now(UTC).strftime("%H:%M UTC"))

    def list_messages(self, notes: Sequence[str], game: Game, words: Localizer) -> list[ChatMessage]:
        """Return the notes of a game; the author of a note from an earlier session is part of its text."""
        messages = []
        for number, text in enumerate(notes):
            message = self._written.get(number)
            if message is None:
                messages.append(ChatMessage(text))
                continue
            name = self.names.get(message.by) or (
                words.get_thing_name("seat", message.by) if message.by else words.say("host")
            )
            messages.append(replace(message, by=name, side=find_only_side(game, message.by) if message.by else ""))
        return messages

    def list_people(
        self, game: Game, players: Mapping[str, str], own_seats: Sequence[str], words: Localizer
    ) -> list[Person]:
        """Return the player of each seat; `players`: the player by seat, '' for a human; `own_seats`: the viewer's."""
        return [
            Person(
                seat,
                words.get_thing_name("seat", seat),
                find_only_side(game, seat),
                self.names.get(seat) or (words.say("the computer") if player else ""),
                seat in own_seats and not player,
                words.get_thing_name("side", side)
                if (side := find_only_side(game, seat))
                else words.get_thing_name("seat", seat),
            )
            for seat, player in players.items()
        ]


class SeatRow(TypedDict):
    """A seat as the page shows it: its id, name and side, and the name of its player.

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


def list_seat_rows(served: ServedGame, by: Requester) -> list[SeatRow]:
    """Return the seats of a game with their players, as the page of the requester `by` shows them."""
    words, own_seats = served.views.get_localizer(by.lang), served.get_viewer(by).seats
    return [
        {
            "seat": seat,
            "name": words.get_thing_name("seat", seat),
            "player": served.participants.names.get(seat) or words.format_player(player),
            "named": served.participants.names.get(seat, ""),
            "side": find_only_side(served.game, seat),
            "own": seat in own_seats and seat not in served.bots,
            "here": None if seat in served.bots else served.participants.is_here(seat),
        }
        for seat, player in served.players.items()
    ]
