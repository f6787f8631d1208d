"""One difference between two rulesets, as data and as a sentence. Other modules find them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from interpreter.diagnostics.source_text import NOWHERE, Span
from interpreter.i18n.translator import Message

Change = Literal["changed", "new", "gone"]
Part = Literal["values", "charts", "rules", "translations", "cases"]
PARTS: tuple[Part, ...] = ("values", "charts", "rules", "translations", "cases")


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry that is `changed`, `new` or `gone` at a path.

    `message` is the sentence; `span` locates the new entry, or the old one if it was removed. `was` and `now` are plain
    data: the value in a document, the text of a rule, or None.
    """

    part: Part
    what: Change
    path: str
    message: Message
    span: Span = NOWHERE
    was: Any = None
    now: Any = None


def as_data(difference: Difference) -> dict[str, Any]:
    """Return a difference as plain data, in English."""
    data: dict[str, Any] = {
        "part": difference.part,
        "what": difference.what,
        "path": difference.path,
        "words": str(difference.message),
    }
    if difference.what != "new":
        data["was"] = difference.was
    if difference.what != "gone":
        data["is"] = difference.now
    if difference.span is not NOWHERE:
        data |= {"file": difference.span.file, "line": difference.span.line}
    return data
