"""Reads which changes somebody has looked at and found without effect, and why.

They stand in the cases documents of a ruleset, in the words by which a survey tells them. Must not judge a change.
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
    """A change that is said to be without effect. `is_own`: by the target itself, not by the base of a variant."""

    change: str
    because: str
    span: Span
    is_own: bool


def read_reviewed(target: str, sink: Sink) -> list[AcceptedMutant]:
    """What the cases documents of a target say, base first."""
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
    """Where a line of a text stands."""
    span = node.span
    start = span.source.text.find(line, span.start, span.end)
    return span if start < 0 else Span(span.source, start, start + len(line))
