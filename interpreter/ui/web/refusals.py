"""Refusals: the API error for each error of a command, of the rules or of this program, by whatever transport."""

from __future__ import annotations

from interpreter.api.autosave import NoRoomError
from interpreter.i18n.translator import LocalizedError, get_error_message
from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.commands import CommandRefusedError
from interpreter.ui.web.error_messages import format_fault

# HTTP status of the refusal of a command, by its code; all others conflict with the state of the game.
_STATUSES = {"illegal": 422, "not-your-turn": 403, "onlooker": 403}
_CONFLICT = 409


def get_refusal_status(code: str) -> int:
    """Return the HTTP status of a refused command with this code."""
    return _STATUSES.get(code, _CONFLICT)


def build_refusal(error: Exception, is_query: bool = False) -> ApiError | None:
    """Return the refusal for an error of a command, the rules or the request, or None for a bug of this program.

    With `is_query`, an illegal option or a fault of the rules means that the query has no answer.
    """
    match error:
        case ApiError():
            return error
        case CommandRefusedError():
            status = get_refusal_status(error.code)
            return ApiError(status, error.code, error.args[0], error.reasons, error.answers)
        case NoRoomError():
            return ApiError(409, "no-room", get_error_message(error))
        case SetupError():
            return ApiError(422, "no-answer", format_fault(error))
        case IllegalAction() | RuleFault() if is_query:
            return ApiError(422, "no-answer", format_fault(error))
        case RuleFault():
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
