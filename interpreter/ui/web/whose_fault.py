"""Whose fault an error is, in a sentence: the ruleset's, with file and line; the request's; or this program's own."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from interpreter.i18n.translator import LocalizedError, Message, mark as _, message_of
from interpreter.runtime.errors import RuleFault
from interpreter.ui.web.worker_process import WorkerError


def fault_sentence(error: Exception) -> Message:
    """Return what an error says to people, which begins with whose fault it is where that is not the player's."""
    match error:
        case RuleFault():
            return _("fault in the rules: {fault}", fault=str(error))
        case LocalizedError():
            return message_of(error)
        case WorkerError():
            return _("a fault of grognard itself: {fault}", fault=str(error))
    return _("a fault of grognard itself: {fault}", fault=f"{type(error).__name__}: {error}")


def tell_unretrieved(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Print what nobody has caught in an event loop, as one line instead of a traceback."""
    error = context.get("exception")
    told = fault_sentence(error) if isinstance(error, Exception) else context.get("message", "")
    print(f"grognard: {told}", file=sys.stderr)
