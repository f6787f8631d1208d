"""Finds which attributes play reads or writes, and on which lines of the rules. Must not run anything.

What only the views, the texts and the evaluation of a ruleset read plays no part: no case could notice it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter.diagnostics.record_walk import records_within
from interpreter.diagnostics.source_text import Span
from interpreter.model import expressions as n, statements as c

Line = tuple[str, int]
Attributes = Mapping[tuple[str, str], frozenset[Line]]
_OF_PLAY = (
    "procedures",
    "defines",
    "rules",
    "tallies",
    "drafts",
    "events",
    "watchers",
    "conditions",
    "levels",
    "score",
)


def attributes_of_play(model: c.CheckedModel) -> Attributes:
    """For every attribute that play reads or writes, by kind and name, the lines where it does."""
    found: dict[tuple[str, str], set[Line]] = {}
    for kind, name, span in (x for part in _OF_PLAY for x in _met(getattr(model, part))):
        last = span.source.position(max(span.start, span.end - 1))[0]
        found.setdefault((kind, name), set()).update((span.file, line) for line in range(span.line, last + 1))
    return {key: frozenset(lines) for key, lines in found.items()}


def _met(whole: Any) -> Iterator[tuple[str, str, Span]]:
    for node in records_within(whole, but_for=("type",)):
        if isinstance(node, n.AttributeOf | n.CanAdvance | c.SetAttribute | c.StepRung):
            yield node.kind, node.name, node.span
