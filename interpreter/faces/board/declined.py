"""What the server declines, as data: a code for programs, a sentence for people. Must not know why."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.words.speech import Say


class Declined(Exception):
    """A request that is not carried out; its message is a sentence for the catalogues.

    `status` as HTTP has it, `code` a word for programs, `reasons` more lines for people.
    """

    def __init__(self, status: int, code: str, message: str, reasons: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.reasons = tuple(reasons)

    def data(self, say: Say) -> dict[str, object]:
        """As it is sent."""
        return {"error": self.code, "message": say(self.args[0]), "reasons": list(self.reasons)}
