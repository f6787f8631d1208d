"""A YAML text beside its tree: which lines belong to texts of several lines, and edits on spans.

Must not decide what is edited.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.diagnostics.source_text import Source
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode

MOST_CELLS = 120  # that a line fills
Edit = tuple[int, int, str]  # from, to, what stands there instead


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """One document: its kind, its text and its tree."""

    kind: str
    source: Source
    root: Node
    _lines: list[str] = field(default_factory=list, repr=False)

    @property
    def text(self) -> str:
        """The whole text."""
        return self.source.text

    def line_of(self, offset: int) -> int:
        """The line of an offset, from 0."""
        return bisect_right(self.source.line_starts(), min(offset, len(self.source.text))) - 1

    def column_of(self, offset: int) -> int:
        """The column of an offset, from 0."""
        return self.source.position(offset)[1] - 1

    def lines(self) -> list[str]:
        """All lines without their ends; parted once."""
        if not self._lines:
            self._lines.extend(self.text.split("\n"))
        return self._lines

    def start_of(self, line: int) -> int:
        """Where a line begins; the end of the text for the one after the last."""
        starts = self.source.line_starts()
        return starts[line] if line < len(starts) else len(self.text)

    def last_line(self, node: Node) -> int:
        """The last line that something of the node stands in."""
        end = node.span.end
        while end > node.span.start and self.text[end - 1] in "\n ":
            end -= 1
        return self.line_of(max(end - 1, node.span.start))

    def is_flow(self, node: Node) -> bool:
        """Whether a mapping or list is written in brackets."""
        return isinstance(node, MappingNode | SequenceNode) and self.text[node.span.start : node.span.start + 1] in (
            "{",
            "[",
        )

    def parts(self, node: Node) -> list[tuple[int, int]]:
        """Where the entries of a mapping or the items of a list stand."""
        if isinstance(node, MappingNode):
            return [(e.key.span.start, max(e.key.span.end, e.value.span.end)) for e in node]
        return [(x.span.start, x.span.end) for x in node.items] if isinstance(node, SequenceNode) else []

    def is_one_line(self, node: Node) -> bool:
        """Whether all of a node stands in one line."""
        return self.line_of(node.span.start) == self.last_line(node)


def scalars(node: Node) -> Iterator[ScalarNode]:
    """All scalars of a tree, keys too, in order of writing."""
    if isinstance(node, ScalarNode):
        yield node
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from scalars(item)
    else:
        for entry in node:
            yield entry.key
            yield from scalars(entry.value)


def inner_lines(page: YamlDocument) -> set[int]:
    """Lines that begin within a text of several lines: their blanks are a part of what it says."""
    found: set[int] = set()
    for scalar in scalars(page.root):
        found.update(range(page.line_of(scalar.span.start) + 1, page.last_line(scalar) + 1))
    return found


def comments(page: YamlDocument) -> list[str]:
    """All comments in order, with single blanks only."""
    found: list[str] = []
    at = 0
    for scalar in sorted(scalars(page.root), key=lambda s: s.span.start):
        found += _comments_in(page.text[at : scalar.span.start])
        at = max(at, scalar.span.start, scalar.span.end)
    return found + _comments_in(page.text[at:])


def _comments_in(gap: str) -> list[str]:
    return [" ".join(line[line.index("#") :].split()) for line in gap.split("\n") if "#" in line]
