"""The record of one difference between two rulesets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from interpreter.diagnostics.source_text import NOWHERE, Span
from interpreter.i18n.translator import Message

Change = Literal["changed", "new", "gone"]
Part = Literal["values", "charts", "rules", "translations", "cases"]


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry that is `changed`, `new` or `gone` at a path.

    `part`: the part of the comparison that lists it. `message` is the sentence; `span` locates the new entry, or the
    old one if it was removed. `was` and `now` are plain data: the value in a document, the text of a rule, or None.
    """

    part: Part
    what: Change
    path: str
    message: Message
    span: Span = NOWHERE
    was: Any = None
    now: Any = None
