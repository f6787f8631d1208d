"""Errors of a lesson, apart from the document reader so that showing a game need not import it."""

from __future__ import annotations

from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import Message


class LessonError(Exception):
    """An error in the lesson document: a fixed choice that is not legal, or a position that is impossible."""

    def __init__(self, message: Message, span: Span) -> None:
        self.message = message
        self.span = span
        super().__init__(str(message))


class OtherOrderError(Exception):
    """Raised for an order that the present step does not expect. The game is unchanged."""
