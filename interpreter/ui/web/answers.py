"""Answers of the board's API, independent of transport: shared by the server and by the page without a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypedDict

from interpreter.diagnostics.terminal_text import remove_control_characters
from interpreter.i18n.translator import LocalizedError, get_error_message, mark as _
from interpreter.players.ownership import find_only_side
from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
from interpreter.ui.web.access_tokens import ONLOOKER, Requester
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.error_messages import format_fault
from interpreter.ui.web.group_orders import GroupCommand
from interpreter.ui.web.served_game import ServedGame
from interpreter.view_model.dynamic_view import Viewer

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


def _parse_choice(fields: Mapping[str, Any], by: Requester) -> Change:
    keys, version = fields.get("keys", [fields.get("key")]), fields.get("version", "")
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise ApiError(400, "no-key", _("expected a key as a text: {expected}", expected='{"key": ...}'))
    if not isinstance(version, str):
        raise ApiError(400, "no-version", _("the version must be a text"))
    careful = fields.get("careful") is True
    return lambda served, viewer: served.choose(viewer, keys, version, by.lang, careful)


def _parse_note(fields: Mapping[str, Any], by: Requester) -> Change:
    given = fields.get("text")
    text = remove_control_characters(given) if isinstance(given, str) else ""
    if not text.strip():
        raise ApiError(400, "no-text", _("note what? Write: note TEXT"))
    if by.role == ONLOOKER:
        raise ApiError(403, "onlooker", _("this decision belongs to another seat"))
    remark = text.strip()[:_LONGEST_NOTE]
    return lambda served, viewer: served.add_note(by.asker, remark, by.lang, by.seat)


def _parse_name(fields: Mapping[str, Any], by: Requester) -> Change:
    name, seat = fields.get("name"), by.seat or fields.get("seat")
    if not isinstance(name, str) or not isinstance(seat, str):
        raise ApiError(400, "no-text", _("expected a name as a text: {expected}", expected='{"name": ...}'))
    shown = remove_control_characters(name)
    return lambda served, viewer: served.rename_player(viewer, seat, shown)


def _parse_group(fields: Mapping[str, Any], by: Requester) -> Change:
    """Parse an order to a group, or to some pieces."""
    group, place, version = fields.get("group", ""), fields.get("place", ""), fields.get("version", "")
    pieces = fields.get("pieces", [])
    are_texts = isinstance(pieces, list) and all(isinstance(piece, str) for piece in pieces)
    if not isinstance(group, str) or not isinstance(place, str) or not are_texts:
        raise ApiError(400, "no-key", _("expected a group as a text: {expected}", expected='{"group": ...}'))
    if not isinstance(version, str):
        raise ApiError(400, "no-version", _("the version must be a text"))
    command = GroupCommand(group, tuple(pieces), place, with_dice=fields.get("careful") is False)
    return lambda served, viewer: served.order_group(viewer, command, version, by.lang)


def _parse_lesson(fields: Mapping[str, Any], by: Requester) -> Change:
    action, kind, ids = fields.get("do", ""), fields.get("kind", ""), fields.get("ids", [])
    if not isinstance(kind, str) or not isinstance(ids, list) or action not in ("next", "back", "leave", "look"):
        raise ApiError(400, "no-step", _("expected what to do: {expected}", expected='{"do": "next"}'))
    texts = [id_ for id_ in ids if isinstance(id_, str)]
    return lambda served, viewer: served.follow_lesson(viewer, action, kind, texts)


def _parse_undo(fields: Mapping[str, Any], by: Requester) -> Change:
    anyway = fields.get("anyway") is True
    return lambda served, viewer: served.undo(viewer, anyway, by.lang)


def _parse_redo(fields: Mapping[str, Any], by: Requester) -> Change:
    return lambda served, viewer: served.redo(viewer)


# By the name of a change: the function that parses the data of a request, given its author, and returns the change.
# It raises ApiError if the data does not fit.
CHANGE_PARSERS: Mapping[str, Callable[[Mapping[str, Any], Requester], Change]] = {
    "choose": _parse_choice,
    "undo": _parse_undo,
    "redo": _parse_redo,
    "note": _parse_note,
    "name": _parse_name,
    "group": _parse_group,
    "lesson": _parse_lesson,
}


def list_seat_rows(served: ServedGame, by: Requester) -> list[SeatRow]:
    """Return the seats of a game with their players, as the page of the requester `by` shows them."""
    words, own = served.views.words(by.lang), served.get_viewer(by).seats
    return [
        {
            "seat": seat,
            "name": words.get_thing_name("seat", seat),
            "player": served.participants.names.get(seat) or words.format_player(player),
            "named": served.participants.names.get(seat, ""),
            "side": find_only_side(served.game, seat),
            "own": seat in own and seat not in served.bots,
            "here": None if seat in served.bots else served.participants.is_here(seat),
        }
        for seat, player in served.players.items()
    ]


def build_refusal(error: Exception, is_query: bool = False) -> ApiError | None:
    """Return the refusal for an error of the rules or the request, or None for a bug of this program.

    With `is_query`, every such error means that the query has no answer.
    """
    if isinstance(error, ApiError):
        return error
    if isinstance(error, SetupError) or is_query and isinstance(error, (IllegalAction, RuleFault)):
        return ApiError(422, "no-answer", format_fault(error))
    if isinstance(error, RuleFault):
        return ApiError(500, "fault-in-the-rules", format_fault(error))
    return None


def build_failure(error: Exception, is_query: bool = False) -> ApiError:
    """Return the refusal for any error; its code is "fault" if the error is a bug of this program.

    `is_query`: see `build_refusal`.
    """
    refusal = build_refusal(error, is_query)
    if refusal is None and isinstance(error, LocalizedError):
        return ApiError(422, "no-answer", get_error_message(error))
    return refusal or ApiError(500, "fault", format_fault(error))
