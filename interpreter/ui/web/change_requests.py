"""Requests that change a game: each name of the API, and the function that parses its data into a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interpreter.diagnostics.terminal_text import remove_control_characters
from interpreter.i18n.translator import mark as _
from interpreter.ui.web.access_tokens import Requester
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.commands import (
    ChooseCommand,
    GameCommand,
    GroupCommand,
    LessonCommand,
    NameCommand,
    NoteCommand,
    RedoCommand,
    UndoCommand,
)

_MAX_NOTE_LENGTH = 2_000  # characters
_MAX_KEYS = 20  # choices per request
_MAX_STEPS = 1_000  # steps of one choice that is built in steps


def _parse_choice(fields: Mapping[str, Any], by: Requester) -> ChooseCommand:
    keys = fields.get("keys", [fields.get("key")])
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise ApiError(400, "no-key", _("expected a key as a text: {expected}", expected='{"key": ...}'))
    version = _parse_version(fields)
    if not 0 < len(keys) <= _MAX_KEYS:
        raise ApiError(400, "too-many", _("at most {most} choices can be sent together", most=_MAX_KEYS))
    if any(key.count(">") >= _MAX_STEPS for key in keys):
        raise ApiError(400, "too-many", _("at most {most} steps of an answer can be sent together", most=_MAX_STEPS))
    return ChooseCommand(tuple(keys), version, fields.get("careful") is True)


def _parse_version(fields: Mapping[str, Any]) -> str:
    """Return the version of the game that the player has seen, '' if the request names none."""
    version = fields.get("version", "")
    if not isinstance(version, str):
        raise ApiError(400, "no-version", _("the version must be a text"))
    return version


def _parse_note(fields: Mapping[str, Any], by: Requester) -> NoteCommand:
    given = fields.get("text")
    text = remove_control_characters(given) if isinstance(given, str) else ""
    if not text.strip():
        raise ApiError(400, "no-text", _("note what? Write: note TEXT"))
    return NoteCommand(text.strip()[:_MAX_NOTE_LENGTH])


def _parse_name(fields: Mapping[str, Any], by: Requester) -> NameCommand:
    name, seat = fields.get("name"), by.seat or fields.get("seat")
    if not isinstance(name, str) or not isinstance(seat, str):
        raise ApiError(400, "no-text", _("expected a name as a text: {expected}", expected='{"name": ...}'))
    return NameCommand(seat, remove_control_characters(name))


def _parse_group(fields: Mapping[str, Any], by: Requester) -> GroupCommand:
    """Parse an order to a group or to the listed pieces: fields `group`, `place`, `pieces`, `careful` and `version`.

    The order may roll dice only if `careful` is false. Raises ApiError(400) if another field has the wrong type.
    """
    group, place, pieces = fields.get("group", ""), fields.get("place", ""), fields.get("pieces", [])
    are_texts = isinstance(pieces, list) and all(isinstance(piece, str) for piece in pieces)
    if not isinstance(group, str) or not isinstance(place, str) or not are_texts:
        raise ApiError(400, "no-key", _("expected a group as a text: {expected}", expected='{"group": ...}'))
    with_dice = fields.get("careful") is False
    return GroupCommand(group, tuple(pieces), place, with_dice, _parse_version(fields))


def _parse_lesson(fields: Mapping[str, Any], by: Requester) -> LessonCommand:
    action, kind, ids = fields.get("do", ""), fields.get("kind", ""), fields.get("ids", [])
    if not isinstance(kind, str) or not isinstance(ids, list) or action not in ("next", "back", "leave", "look"):
        raise ApiError(400, "no-step", _("expected what to do: {expected}", expected='{"do": "next"}'))
    return LessonCommand(action, kind, tuple(id_ for id_ in ids if isinstance(id_, str)))


def _parse_undo(fields: Mapping[str, Any], by: Requester) -> UndoCommand:
    return UndoCommand(fields.get("anyway") is True)


def _parse_redo(fields: Mapping[str, Any], by: Requester) -> RedoCommand:
    return RedoCommand()


_PARSERS: Mapping[str, Callable[[Mapping[str, Any], Requester], GameCommand]] = {
    "choose": _parse_choice,
    "undo": _parse_undo,
    "redo": _parse_redo,
    "note": _parse_note,
    "name": _parse_name,
    "group": _parse_group,
    "lesson": _parse_lesson,
}
CHANGES = tuple(_PARSERS)  # the names of the requests


def parse_change(name: str, fields: Mapping[str, Any], by: Requester) -> GameCommand:
    """Return the command of a request by its name, one of CHANGES.

    `fields`: the data of the request; `by`: its author. Raises ApiError if the data does not fit.
    """
    return _PARSERS[name](fields, by)
