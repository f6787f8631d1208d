"""Requests for changes of a game, parsed from JSON: shared by the server and by the page without a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interpreter.diagnostics.terminal_text import remove_control_characters
from interpreter.i18n.translator import mark as _
from interpreter.ui.web.access_tokens import ONLOOKER, Requester
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.group_orders import GroupCommand
from interpreter.ui.web.served_game import ServedGame
from interpreter.view_model.dynamic_view import Viewer

_MAX_NOTE_LENGTH = 2_000  # characters

Change = Callable[[ServedGame, Viewer], object]


def _parse_choice(fields: Mapping[str, Any], by: Requester) -> Change:
    keys, version = fields.get("keys", [fields.get("key")]), fields.get("version", "")
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise ApiError(400, "no-key", _("expected a key as a text: {expected}", expected='{"key": ...}'))
    if not isinstance(version, str):
        raise ApiError(400, "no-version", _("the version must be a text"))
    careful = fields.get("careful") is True
    return lambda served, viewer: served.choose(viewer, keys, version, by.lang, careful)


def _parse_note(fields: Mapping[str, Any], by: Requester) -> Change:
    sent = fields.get("text")
    text = remove_control_characters(sent) if isinstance(sent, str) else ""
    if not text.strip():
        raise ApiError(400, "no-text", _("note what? Write: note TEXT"))
    if by.role == ONLOOKER:
        raise ApiError(403, "onlooker", _("this decision belongs to another seat"))
    remark = text.strip()[:_MAX_NOTE_LENGTH]
    return lambda served, viewer: served.add_note(by.asker, remark, by.lang, by.seat)


def _parse_name(fields: Mapping[str, Any], by: Requester) -> Change:
    name, seat = fields.get("name"), by.seat or fields.get("seat")
    if not isinstance(name, str) or not isinstance(seat, str):
        raise ApiError(400, "no-text", _("expected a name as a text: {expected}", expected='{"name": ...}'))
    safe_name = remove_control_characters(name)
    return lambda served, viewer: served.rename_player(viewer, seat, safe_name)


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


# The parser of each kind of change. It takes the JSON data of a request and its author, and returns the change as a
# function of the game and the author's view. It raises ApiError for data that does not fit.
CHANGE_PARSERS: Mapping[str, Callable[[Mapping[str, Any], Requester], Change]] = {
    "choose": _parse_choice,
    "undo": _parse_undo,
    "redo": _parse_redo,
    "note": _parse_note,
    "name": _parse_name,
    "group": _parse_group,
    "lesson": _parse_lesson,
}
