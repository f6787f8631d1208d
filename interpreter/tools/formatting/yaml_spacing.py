"""Blanks within lines: one behind a comma and a colon in brackets, none inside of them. Must not break lines."""

from __future__ import annotations

import re

from interpreter.documents.reading.tree import Branch, Listing, Node
from interpreter.tools.formatting.yaml_pages import Edit, Page

_COLON = re.compile(r" *: +")
_STUCK_COLON = re.compile(r" *: *")  # behind a quote a colon needs no blank
_COMMA = re.compile(r" *, *")
_LAST = re.compile(r" *,? *")
_BLANKS = re.compile(r" *")


def space_brackets(page: Page) -> list[Edit]:
    """Edits that bring the blanks inside of brackets, and before colons, into order."""
    edits: list[Edit] = []
    _visit(page, page.root, False, edits)
    return edits


def _visit(page: Page, node: Node, inside: bool, edits: list[Edit]) -> None:
    is_flow = page.is_flow(node)
    if isinstance(node, Branch):
        for entry in node:
            _between(page, entry.key.span.end, entry.value.span.start, inside or is_flow, edits)
            _visit(page, entry.value, inside or is_flow, edits)
        ends = [(e.key.span.start, e.value.span.end) for e in node]
    elif isinstance(node, Listing):
        for item in node.items:
            _visit(page, item, inside or is_flow, edits)
        ends = [(x.span.start, x.span.end) for x in node.items]
    else:
        return
    if is_flow and ends:
        _edit(page, node.span.start + 1, ends[0][0], _BLANKS, "", edits)
        _edit(page, ends[-1][1], node.span.end - 1, _LAST, "", edits)
        for (_, end), (start, _end) in zip(ends, ends[1:], strict=False):
            _edit(page, end, start, _COMMA, ", ", edits)


def _between(page: Page, end: int, start: int, inside: bool, edits: list[Edit]) -> None:
    gap = page.text[end:start]
    if inside:
        _edit(page, end, start, _STUCK_COLON if page.text[end - 1] in "\"'" else _COLON, ": ", edits)
    elif gap.startswith(" ") and ":" in gap and not gap[: gap.index(":")].strip():
        edits.append((end, end + gap.index(":"), ""))


def _edit(page: Page, start: int, end: int, shape: re.Pattern[str], new: str, edits: list[Edit]) -> None:
    gap = page.text[start:end]
    if start <= end and gap != new and shape.fullmatch(gap):
        edits.append((start, end, new))
