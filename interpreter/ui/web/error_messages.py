"""Errors as messages and refusals that name the cause: the ruleset (with file and line), the request, or a bug."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from interpreter.i18n.translator import LocalizedError, Message, get_error_message, mark as _
from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
from interpreter.ui.web.api_errors import ApiError
from interpreter.ui.web.background_work import WorkerError

if TYPE_CHECKING:
    import asyncio


def format_fault(error: Exception) -> Message:
    """Return an error's message; for errors in the rules and bugs it begins with that cause."""
    match error:
        case RuleFault():
            return _("error in the rules: {fault}", fault=str(error))
        case LocalizedError():
            return get_error_message(error)
        case WorkerError():
            return _("a bug in grognard: {fault}", fault=str(error))
    return _("a bug in grognard: {fault}", fault=f"{type(error).__name__}: {error}")


def print_unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Print an event loop's unhandled error in one line instead of a traceback."""
    error = context.get("exception")
    message = format_fault(error) if isinstance(error, Exception) else context.get("message", "")
    print(f"grognard: {message}", file=sys.stderr)


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
