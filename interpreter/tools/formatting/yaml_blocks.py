"""Normalize empty lines, trailing whitespace and block indentation: two spaces per level.

Leaves values in brackets unchanged.
"""

from __future__ import annotations

import re

from interpreter.documents.reading.tree import MappingNode, Node, SequenceNode
from interpreter.tools.formatting.yaml_document import Edit, YamlDocument, find_inner_lines

STEP = 2
_DASH = re.compile(r"-( +)$")


def tidy_lines(page: YamlDocument) -> list[Edit]:
    """Return edits that remove trailing whitespace and repeated empty lines."""
    inner = find_inner_lines(page)
    edits: list[Edit] = []
    was_blank = True
    for number, line in enumerate(page.split_lines()):
        start, bare = page.start_of(number), line.rstrip(" \t")
        ends_a_text = number + 1 in inner
        if number in inner:
            was_blank = False
            continue
        if not bare and was_blank:
            edits.append((start, page.start_of(number + 1), ""))
        elif bare != line and not ends_a_text:
            edits.append((start + len(bare), start + len(line), ""))
        was_blank = not bare
    return edits


def indent_blocks(page: YamlDocument) -> list[Edit]:
    """Return edits that indent every block; none if a construct has an unexpected form."""
    lines = page.split_lines()
    offsets: list[int | None] = [None] * (len(lines) + 1)
    gaps: list[Edit] = []
    if not _shift_node(page, page.root, 0, offsets, gaps):
        return []
    edits = list(gaps)
    following = 0
    inner = find_inner_lines(page)
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        own_offset = offsets[number]
        if own_offset is None or not line.strip() or (line.lstrip().startswith("#") and number not in inner):
            own_offset = following if line.strip() else 0
        else:
            following = own_offset
        if own_offset:
            lead = len(line) - len(line.lstrip(" "))
            start = page.start_of(number)
            edits.append((start, start + lead, " " * max(0, lead + own_offset)))
    return edits


def _shift_node(page: YamlDocument, node: Node, column: int, offsets: list[int | None], gaps: list[Edit]) -> bool:
    """Record in `offsets` by how many columns to shift each line of a node so that it begins at `column`.

    `gaps` collects edits that leave one blank after each dash. Return False if the node has an unexpected form.
    """
    first_line, last_line = page.find_line(node.span.start), page.find_last_line(node)
    offset = column - page.find_column(node.span.start)
    for number in range(first_line, last_line + 1):
        offsets[number] = offset
    if page.is_flow(node):
        return True
    if isinstance(node, MappingNode):
        return all(_shift_entry(page, e.key.span.start, e.value, column, offsets, gaps) for e in node)
    if isinstance(node, SequenceNode):
        return all(_shift_item(page, item, column, offsets, gaps) for item in node.items)
    return True


def _shift_entry(
    page: YamlDocument, key: int, value: Node, column: int, offsets: list[int | None], gaps: list[Edit]
) -> bool:
    """Record in `offsets` by how many columns to shift each line of a mapping entry so that its key begins at `column`.

    `key`: the position of the key in the text, in characters. `gaps` collects edits that leave one blank after each
    dash. Return False if the value has an unexpected form.
    """
    offset = column - page.find_column(key)
    line = page.find_line(key)
    for number in range(line, max(line, page.find_last_line(value)) + 1):
        offsets[number] = offset
    if page.find_line(value.span.start) == line or value.span.start == value.span.end:
        return True
    return _shift_node(page, value, column + STEP, offsets, gaps)


def _shift_item(page: YamlDocument, item: Node, column: int, offsets: list[int | None], gaps: list[Edit]) -> bool:
    start = item.span.start
    dash = _DASH.search(page.text[:start][-200:])
    if dash is None or item.span.start == item.span.end:
        return False
    at = start - len(dash[0])
    if "\n" in page.text[at:start] or page.text[page.start_of(page.find_line(start)) : at].strip(" -"):
        return False
    for number in range(page.find_line(start), page.find_last_line(item) + 1):
        offsets[number] = column - page.find_column(at)
    if len(dash[1]) > 1:
        gaps.append((at + 1, start, " "))
    own_offset = page.find_column(start) - (len(dash[1]) - 1)
    if page.is_flow(item) or not isinstance(item, MappingNode | SequenceNode):
        return True
    return _shift_inner(page, item, column + STEP, page.find_column(at) - column, own_offset, offsets, gaps)


def _shift_inner(
    page: YamlDocument,
    item: MappingNode | SequenceNode,
    column: int,
    off: int,
    own_offset: int,
    offsets: list[int | None],
    gaps: list[Edit],
) -> bool:
    """Record in `offsets` the shifts for the parts of a list item; the first part follows the dash.

    `column`: where the item's content is to begin; `own_offset`: where it would begin now, one blank after the dash;
    `off`: by how many columns the dash is now to the right of its new column. `gaps` collects edits that leave one
    blank after each dash. Return False if a part has an unexpected form.
    """
    if isinstance(item, SequenceNode):
        return (
            off == 0 and own_offset == column and all(_shift_item(page, x, column, offsets, gaps) for x in item.items)
        )
    is_first = True
    for entry in item:
        offsets_before = list(offsets)
        if not _shift_entry(page, entry.key.span.start, entry.value, column, offsets, gaps):
            return False
        if is_first:
            offsets[page.find_line(entry.key.span.start)] = offsets_before[page.find_line(entry.key.span.start)]
            is_first = False
    return True
