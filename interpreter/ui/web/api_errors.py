"""What the server declines, as data: a code for programs, a sentence for people. Must not know why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from interpreter.i18n.translator import Message, Translate


class ErrorData(TypedDict):
    """An error as it is sent."""

    error: str
    message: str
    reasons: list[str]


class ApiError(Exception):
    """A request that is not carried out; its message is a sentence for the catalogues.

    `status` as HTTP has it, `code` a word for programs, `reasons` more lines for people: sentences for the catalogues,
    or texts in the language of the request.
    """

    def __init__(self, status: int, code: str, message: str, reasons: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.reasons = tuple(reasons)

    def data(self, say: Translate) -> ErrorData:
        """Return the error as it is sent, in the language of `say`."""
        reasons = [say(line) if isinstance(line, Message) else line for line in self.reasons]
        return {"error": self.code, "message": say(self.args[0]), "reasons": reasons}
