"""Faults that stop the reference evaluator, by sort and place, and the exits from procedures.

Never decides when one of them happens.
"""

from __future__ import annotations

import re
from typing import Any

from interpreter.diagnostics.source_text import Span


class Faulted(Exception):
    """The rules are at fault at `span`."""

    def __init__(self, sort: str, span: Span) -> None:
        self.sort = sort
        self.span = span
        super().__init__(sort)


class NotCovered(Exception):
    """A construct unknown to the reference evaluator, for which no comparison is made."""


class ReturnSignal(Exception):
    """A `return` left a procedure."""

    def __init__(self, value: Any) -> None:
        self.value = value
        super().__init__()


class SkipSignal(Exception):
    """A skip leaves everything up to a phase."""

    def __init__(self, phase: str) -> None:
        self.phase = phase
        super().__init__(phase)


class Ended(Exception):
    """The game is over."""


_SORTS = (
    (r"division by zero|a number is divided by zero", "zero"),
    (r"table `(\w+)` has no row", "no row"),
    (r"table `(\w+)` has no cell", "no row"),
    (r"the ratio .* has no column", "no column"),
    (r"`\w+` would become", "bounds"),
    (r"the ladder ends here", "ladder"),
    (r"`\w+` number -?\d+ does not exist", "holding"),
    (r"nothing can be chosen at", "nothing legal"),
    (r"no end of the draft `\w+` was found", "no end"),
    (r"what the rules assert does not hold", "assert"),
    (r"`\w+` calls itself more than", "too deep"),
    (r"the draw `\w+` has nothing", "draw"),
    (r"the roll `\w+` asks for", "roll"),
    (r"two effects of one `together`", "set twice"),
    (r"one `together` block both", "set and changed"),
    (r"the cost of a search", "cost"),
    (r"no way leads from one place", "no way"),
    (r"this place is not on the map's grid", "no grid"),
    (r"the range .* is too long", "range"),
    (r"`skip to \w+`: no procedure", "skip"),
)


def sort_of(message: str) -> str:
    """Return the sort of a compiled program's fault, or its message if the witness knows no such sort."""
    for pattern, sort in _SORTS:
        if re.search(pattern, message):
            return sort
    return message
