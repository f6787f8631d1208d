"""API errors as data: a code for programs and a sentence for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from interpreter.i18n.translator import Message, Translator


class ErrorData(TypedDict):
    """Serialized form of an error; `error` is its code. See `ApiError` for the other fields."""

    error: str
    message: str
    reasons: list[str]
    answers: list[str]


class ApiError(Exception):
    """Raised for a request that is refused; its message is a sentence of the catalogues.

    `status` is the HTTP status, `code` a word for programs. `reasons` are more lines for people: sentences of the
    catalogues, or texts in the language of the request. `answers`: if the message is a question, the labels of the
    button that does it all the same and of the one that does not, in the language of the request.
    """

    def __init__(
        self, status: int, code: str, message: str, reasons: Sequence[str] = (), answers: Sequence[str] = ()
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.reasons = tuple(reasons)
        self.answers = tuple(answers)

    def serialize(self, say: Translator) -> ErrorData:
        """Return the error for serialization, in the language of `say`."""
        reasons = [say(line) if isinstance(line, Message) else line for line in self.reasons]
        return {"error": self.code, "message": say(self.args[0]), "reasons": reasons, "answers": list(self.answers)}
