"""Find the attributes that play reads or writes, and the lines of the rules that do. Static analysis.

Ignores attributes that only views, texts and the evaluation read: no case could notice a change of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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


def find_play_attributes(model: c.CheckedModel) -> Attributes:
    """Return the lines that read or write each attribute in play, by kind and name."""
    found: dict[tuple[str, str], set[Line]] = {}
    for kind, name, span in (x for part in _OF_PLAY for x in _iter_attribute_uses(getattr(model, part))):
        last = span.source.position(max(span.start, span.end - 1))[0]
        found.setdefault((kind, name), set()).update((span.file, line) for line in range(span.line, last + 1))
    return {key: frozenset(lines) for key, lines in found.items()}


def _iter_attribute_uses(whole: object) -> Iterator[tuple[str, str, Span]]:
    for node in records_within(whole, but_for=("type",)):
        if isinstance(node, n.AttributeOf | n.CanAdvance | c.SetAttribute | c.StepRung):
            yield node.kind, node.name, node.span
