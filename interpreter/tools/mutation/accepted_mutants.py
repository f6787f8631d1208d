"""Read the changes that an author has reviewed and accepted as without effect, with the reasons.

The cases documents of a ruleset list them in the words in which a survey reports them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Span
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode
from interpreter.documents.target import read_case_layers


@dataclass(frozen=True, slots=True)
class AcceptedMutant:
    """A change accepted as without effect. `is_own`: accepted by the target itself, not by the base of a variant."""

    change: str
    because: str
    span: Span
    is_own: bool


def read_accepted(target: str, sink: Sink) -> list[AcceptedMutant]:
    """Return the accepted changes in the cases documents of a target, base first."""
    layers = read_case_layers(target, sink)
    return [
        found
        for number, layer in enumerate(layers, 1)
        for document in layer
        for entry in document.root.items("without_effect")
        if isinstance(entry, MappingNode)
        for found in _entry(entry, number == len(layers))
    ]


def _entry(entry: MappingNode, is_own: bool) -> Iterator[AcceptedMutant]:
    because = " ".join(entry.text("because").split())
    node = entry.get("changes")
    for line in _lines(node):
        yield AcceptedMutant(line, because, _place(line, node) if node else entry.span, is_own)


def _lines(node: Node | None) -> list[str]:
    text = node.text if isinstance(node, ScalarNode) else ""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _place(line: str, node: Node) -> Span:
    """Return the span of a line within a node, or the node's span if the line is not in it."""
    span = node.span
    start = span.source.text.find(line, span.start, span.end)
    return span if start < 0 else Span(span.source, start, start + len(line))
