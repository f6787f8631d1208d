"""Error messages that name the cause: the ruleset (with file and line), the request, or this program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from interpreter.i18n.translator import LocalizedError, Message, get_error_message, mark as _
from interpreter.runtime.errors import RuleFault
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
