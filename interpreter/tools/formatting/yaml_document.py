"""A YAML text with its tree: line and column look-ups, and lines inside multi-line texts.

The edits themselves are chosen elsewhere.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.diagnostics.source_text import Source
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode

MOST_CELLS = 120  # maximum width of a line
Edit = tuple[int, int, str]  # start, end, replacement


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A YAML document with its kind, its source text and its tree."""

    kind: str
    source: Source
    root: Node
    _lines: list[str] = field(default_factory=list, repr=False)

    @property
    def text(self) -> str:
        """Return the whole text."""
        return self.source.text

    def line_of(self, offset: int) -> int:
        """Return the line of an offset, from 0."""
        return bisect_right(self.source.line_starts(), min(offset, len(self.source.text))) - 1

    def column_of(self, offset: int) -> int:
        """Return the column of an offset, from 0."""
        return self.source.position(offset)[1] - 1

    def lines(self) -> list[str]:
        """Return all lines without their line ends; memoized."""
        if not self._lines:
            self._lines.extend(self.text.split("\n"))
        return self._lines

    def start_of(self, line: int) -> int:
        """Return the offset of a line's start, or the end of the text for the line after the last."""
        starts = self.source.line_starts()
        return starts[line] if line < len(starts) else len(self.text)

    def line_before(self, offset: int) -> str:
        """Return the text of a line up to an offset in it."""
        return self.text[self.start_of(self.line_of(offset)) : offset]

    def last_line(self, node: Node) -> int:
        """Return the last line that contains part of a node."""
        end = node.span.end
        while end > node.span.start and self.text[end - 1] in "\n ":
            end -= 1
        return self.line_of(max(end - 1, node.span.start))

    def is_flow(self, node: Node) -> bool:
        """Return True for a mapping or list in brackets."""
        return not isinstance(node, ScalarNode) and self.text.startswith(("{", "["), node.span.start)

    def parts(self, node: Node) -> list[tuple[int, int]]:
        """Return (start, end) of each entry of a mapping or item of a list; [] for a scalar."""
        if isinstance(node, MappingNode):
            return [(e.key.span.start, max(e.key.span.end, e.value.span.end)) for e in node]
        return [(x.span.start, x.span.end) for x in node.items] if isinstance(node, SequenceNode) else []

    def is_one_line(self, node: Node) -> bool:
        """Return True if a node lies in one line."""
        return self.line_of(node.span.start) == self.last_line(node)


def scalars(node: Node) -> Iterator[ScalarNode]:
    """Yield all scalars of a tree, including keys, in source order."""
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
    """Return the lines that begin within a multi-line text, where whitespace is part of the value."""
    found: set[int] = set()
    for scalar in scalars(page.root):
        found.update(range(page.line_of(scalar.span.start) + 1, page.last_line(scalar) + 1))
    return found


def comments(page: YamlDocument) -> list[str]:
    """Return all comments in order, with runs of whitespace collapsed."""
    found: list[str] = []
    at = 0
    for scalar in sorted(scalars(page.root), key=lambda s: s.span.start):
        found += _comments_in(page.text[at : scalar.span.start])
        at = max(at, scalar.span.start, scalar.span.end)
    return found + _comments_in(page.text[at:])


def _comments_in(gap: str) -> list[str]:
    return [" ".join(line[line.index("#") :].split()) for line in gap.split("\n") if "#" in line]
