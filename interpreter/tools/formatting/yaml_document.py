"""A YAML text with its tree: line and column look-ups, and lines inside multi-line texts.

The edits themselves are chosen elsewhere.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.diagnostics.source_text import Source
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode

MAX_CELLS = 120  # maximum width of a line
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

    def find_line(self, offset: int) -> int:
        """Return the line of an offset, from 0."""
        return bisect_right(self.source.get_line_starts(), min(offset, len(self.source.text))) - 1

    def find_column(self, offset: int) -> int:
        """Return the column of an offset, from 0."""
        return self.source.get_position(offset)[1] - 1

    def split_lines(self) -> list[str]:
        """Return all lines without their line ends; memoized."""
        if not self._lines:
            self._lines.extend(self.text.split("\n"))
        return self._lines

    def start_of(self, line: int) -> int:
        """Return the offset of a line's start, or the end of the text for the line after the last."""
        starts = self.source.get_line_starts()
        return starts[line] if line < len(starts) else len(self.text)

    def get_line_before(self, offset: int) -> str:
        """Return the text of a line up to an offset in it."""
        return self.text[self.start_of(self.find_line(offset)) : offset]

    def find_last_line(self, node: Node) -> int:
        """Return the last line that contains part of a node."""
        end = node.span.end
        while end > node.span.start and self.text[end - 1] in "\n ":
            end -= 1
        return self.find_line(max(end - 1, node.span.start))

    def is_flow(self, node: Node) -> bool:
        """Return True for a mapping or list in brackets."""
        return not isinstance(node, ScalarNode) and self.text.startswith(("{", "["), node.span.start)

    def list_part_spans(self, node: Node) -> list[tuple[int, int]]:
        """Return (start, end) of each entry of a mapping or item of a list; [] for a scalar."""
        if isinstance(node, MappingNode):
            return [(e.key.span.start, max(e.key.span.end, e.value.span.end)) for e in node]
        return [(x.span.start, x.span.end) for x in node.items] if isinstance(node, SequenceNode) else []

    def is_one_line(self, node: Node) -> bool:
        """Return True if a node lies in one line."""
        return self.find_line(node.span.start) == self.find_last_line(node)


def iter_scalars(node: Node) -> Iterator[ScalarNode]:
    """Yield all scalars of a tree, including keys, in source order."""
    if isinstance(node, ScalarNode):
        yield node
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from iter_scalars(item)
    else:
        for entry in node:
            yield entry.key
            yield from iter_scalars(entry.value)


def find_inner_lines(page: YamlDocument) -> set[int]:
    """Return the lines that begin within a multi-line text, where whitespace is part of the value."""
    lines: set[int] = set()
    for scalar in iter_scalars(page.root):
        lines.update(range(page.find_line(scalar.span.start) + 1, page.find_last_line(scalar) + 1))
    return lines


def list_comments(page: YamlDocument) -> list[str]:
    """Return all comments in order, with runs of whitespace collapsed."""
    comments: list[str] = []
    at = 0
    for scalar in sorted(iter_scalars(page.root), key=lambda s: s.span.start):
        comments += _list_comments(page.text[at : scalar.span.start])
        at = max(at, scalar.span.start, scalar.span.end)
    return comments + _list_comments(page.text[at:])


def _list_comments(gap: str) -> list[str]:
    return [" ".join(line[line.index("#") :].split()) for line in gap.split("\n") if "#" in line]
