"""Answers of the board's API, independent of transport: shared by the server and by the page without a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from interpreter.i18n.translator import mark as _
from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
from interpreter.ui.web.access_tokens import ONLOOKER
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.error_messages import fault_sentence
from interpreter.ui.web.group_orders import GroupCommand
from interpreter.ui.web.served_game import ServedGame
from interpreter.ui.web.sitters import only_side
from interpreter.view_model.dynamic_view import Viewer

if TYPE_CHECKING:
    from interpreter.ui.web.queries import QueryService

_LONGEST_NOTE = 2_000  # characters

Change = Callable[[ServedGame, Viewer], object]


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


@dataclass(frozen=True, slots=True)
class Requester:
    """Author of a request: a role, the seat of a player ('' for host and onlookers), and a language."""

    role: str
    seat: str
    lang: str

    @property
    def asker(self) -> str:
        """Return the id by which the notes of this requester are counted."""
        return f"{self.role} {self.seat}"


def change_of(name: str, sent: Mapping[str, Any], by: Requester) -> Change:
    """Return the function that makes the change a request asks for, such as "choose", "undo" or "note" (`name`).

    `sent`: the data of the request; `by`: its author. Raises ApiError if the data does not fit the change.
    """
    match name:
        case "choose":
            return _choice(sent, by.lang)
        case "undo":
            anyway = sent.get("anyway") is True
            return lambda served, watcher: served.undo(watcher, anyway, by.lang)
        case "redo":
            return lambda served, watcher: served.redo(watcher)
        case "note":
            return _note(sent, by)
        case "name":
            return _name(sent, by)
        case "group":
            return _group(sent, by.lang)
        case "lesson":
            return _lesson(sent)
    raise ApiError(404, "not-found", _("page not found"))


def _choice(sent: Mapping[str, Any], lang: str) -> Change:
    keys, version = sent.get("keys", [sent.get("key")]), sent.get("version", "")
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise ApiError(400, "no-key", _("expected a key as a text: {expected}", expected='{"key": ...}'))
    if not isinstance(version, str):
        raise ApiError(400, "no-version", _("the version must be a text"))
    careful = sent.get("careful") is True
    return lambda served, watcher: served.choose(watcher, keys, version, lang, careful)


def _note(sent: Mapping[str, Any], by: Requester) -> Change:
    text = sent.get("text")
    if not isinstance(text, str) or not text.strip():
        raise ApiError(400, "no-text", _("note what? Write: note TEXT"))
    if by.role == ONLOOKER:
        raise ApiError(403, "onlooker", _("this decision belongs to another seat"))
    said = text.strip()[:_LONGEST_NOTE]
    return lambda served, watcher: served.note(by.asker, said, by.lang, by.seat)


def _name(sent: Mapping[str, Any], by: Requester) -> Change:
    name, seat = sent.get("name"), by.seat or sent.get("seat")
    if not isinstance(name, str) or not isinstance(seat, str):
        raise ApiError(400, "no-text", _("expected a name as a text: {expected}", expected='{"name": ...}'))
    return lambda served, watcher: served.call(watcher, seat, name)


def _group(sent: Mapping[str, Any], lang: str) -> Change:
    group, place, version = sent.get("group", ""), sent.get("place", ""), sent.get("version", "")
    pieces = sent.get("pieces", [])
    are_texts = isinstance(pieces, list) and all(isinstance(piece, str) for piece in pieces)
    if not isinstance(group, str) or not isinstance(place, str) or not are_texts:
        raise ApiError(400, "no-key", _("expected a group as a text: {expected}", expected='{"group": ...}'))
    if not isinstance(version, str):
        raise ApiError(400, "no-version", _("the version must be a text"))
    command = GroupCommand(group, tuple(pieces), place, with_dice=sent.get("careful") is False)
    return lambda served, watcher: served.group(watcher, command, version, lang)


def _lesson(sent: Mapping[str, Any]) -> Change:
    what, kind, ids = sent.get("do", ""), sent.get("kind", ""), sent.get("ids", [])
    if not isinstance(kind, str) or not isinstance(ids, list) or what not in ("next", "back", "leave", "look"):
        raise ApiError(400, "no-step", _("expected what to do: {expected}", expected='{"do": "next"}'))
    named = [one for one in ids if isinstance(one, str)]
    return lambda served, watcher: served.follow_lesson(watcher, what, kind, named)


def answer_query(queries: QueryService, what: str, given: Mapping[str, str], by: Requester) -> object:
    """Answer the query named `what`, which changes nothing, as plain data; `given`: its parameters."""
    return queries.answer(what, given, by.role, by.seat, by.lang)


def seat_rows(served: ServedGame, by: Requester) -> list[SeatRow]:
    """Return the seats of a game with their players, as the page of the requester `by` shows them."""
    words, own = served.views.words(by.lang), served.watcher(by.role, by.seat).seats
    return [
        {
            "seat": seat,
            "name": words.thing("seat", seat),
            "player": served.sitters.names.get(seat) or words.player(player),
            "named": served.sitters.names.get(seat, ""),
            "side": only_side(served.game, seat),
            "own": seat in own and seat not in served.bots,
            "here": None if seat in served.bots else served.sitters.is_here(seat),
        }
        for seat, player in served.players.items()
    ]


def refusal_of(error: Exception, is_query: bool = False) -> ApiError | None:
    """Return the refusal for an error of the rules or the request, or None for a bug of this program.

    With `is_query`, every such error means that the query has no answer.
    """
    if isinstance(error, ApiError):
        return error
    if isinstance(error, SetupError) or is_query and isinstance(error, (IllegalAction, RuleFault)):
        return ApiError(422, "no-answer", fault_sentence(error))
    if isinstance(error, RuleFault):
        return ApiError(500, "fault-in-the-rules", fault_sentence(error))
    return None
