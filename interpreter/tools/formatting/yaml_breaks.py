"""Break the lines of documents that are too long, if that does not change their meaning.

A mapping in brackets that is longer than a line becomes a block, a list of words is wrapped, a text is folded or
refolded. Expressions stay in one line, so that diagnostics can point into them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from textwrap import wrap

from interpreter.diagnostics.terminal_text import can_join_without_space, measure_cells
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode
from interpreter.tools.formatting.yaml_document import MAX_CELLS, Edit, YamlDocument, iter_scalars

_CHART = "cells"
_STEP = 2
_ROOM = 10  # cells that a newly folded text leaves free at the line ends, for later edits
_TEXTS = ("about", "note", "text", "because", "reconstructed", "help")
_BLANK = re.compile(r"(?<=\S) (?=\S)")


def _fold_text(page: YamlDocument, node: ScalarNode, column: int, key: str) -> list[Edit]:
    """Return edits that turn long prose in one line into a folded block; [] if the value is not suitable.

    Not suitable are values with a placeholder, a wide character or text after them. `column`: the indentation of the
    block; `key`: the key of the value, which distinguishes prose from other text.
    """
    text = node.text
    is_text = key in _TEXTS or len(key) == 2 or (key == "title" and page.kind == "cases")
    if not is_text or node.style == "|" or not page.is_one_line(node) or measure_cells(text) != len(text):
        return []
    if "{" in text or "  " in text or text != text.strip() or "\n" in text or not isinstance(node.value, str):
        return []
    rest_of_line = page.text[node.span.end : page.start_of(page.find_line(node.span.end) + 1)].strip()
    if (
        rest_of_line
        or not page.get_line_before(node.span.start).rstrip().endswith(":")
        or _is_comment_inside(page, node, column)
    ):
        return []
    lines = wrap(text, MAX_CELLS - _ROOM - column, break_long_words=False, break_on_hyphens=False)
    return [(node.span.start, node.span.end, ">-\n" + "\n".join(" " * column + x for x in lines))]


def _is_comment_inside(page: YamlDocument, node: ScalarNode, column: int) -> bool:
    """Return True if a comment below a value would become part of its folded text indented by `column`."""
    for line in page.split_lines()[page.find_line(node.span.start) + 1 :]:
        if line.strip() and not line.lstrip().startswith("#"):
            return False
        if line.strip() and len(line) - len(line.lstrip()) > column - _STEP:
            return True
    return False


def _refold_text(page: YamlDocument, node: ScalarNode) -> list[Edit]:
    """Return edits that rewrap each paragraph of a folded block from its first line that is too long."""
    edits: list[Edit] = []
    for first_line, last_line in _iter_paragraphs(page, node):
        lines = page.split_lines()[first_line : last_line + 1]
        long = next((n for n, line in enumerate(lines) if measure_cells(line) > MAX_CELLS), None)
        if long is None or any(line != line.rstrip() for line in lines):
            continue
        refolded_lines = lines[long:]
        column = len(refolded_lines[0]) - len(refolded_lines[0].lstrip(" "))
        start = page.start_of(first_line + long)
        refolded = _fill_lines([word for line in refolded_lines for word in _split_words(line.strip(" "))], column)
        edits.append((start, start + sum(len(line) + 1 for line in refolded_lines) - 1, refolded))
    return [(start, end, refolded) for start, end, refolded in edits if page.text[start:end] != refolded]


def _iter_paragraphs(page: YamlDocument, node: ScalarNode) -> Iterator[tuple[int, int]]:
    """Yield the first and last line, from 0, of each paragraph of a folded block, which is read as one line."""
    lines = page.split_lines()
    rows = range(page.find_line(node.span.start) + 1, page.find_last_line(node) + 1)
    leads = {n: len(lines[n]) - len(lines[n].lstrip()) for n in rows if lines[n].strip()}
    usual, begun = min(leads.values(), default=0), None
    for number in rows:
        if leads.get(number) == usual:
            begun = number if begun is None else begun
        elif begun is not None:
            yield begun, number - 1
            begun = None
    if begun is not None:
        yield begun, rows[-1]


def _split_words(line: str) -> list[str]:
    """Split a line into words that may each start a line.

    A space between characters of scripts without spaces is kept inside a word, because folding would drop it.
    """
    words: list[str] = []
    for word in _BLANK.split(line):
        if words and can_join_without_space(words[-1], word):
            words[-1] += " " + word
        else:
            words.append(word)
    return words


def _fill_lines(words: list[str], column: int) -> str:
    """Return words as lines filled from left to right, each indented by `column`.

    A word wider than a line gets a separate line.
    """
    lines = [" " * column + words[0]]
    for word in words[1:]:
        if measure_cells(lines[-1]) + 1 + measure_cells(word) > MAX_CELLS:
            lines.append(" " * column + word)
        else:
            lines[-1] += word if can_join_without_space(lines[-1], word) else " " + word
    return "\n".join(lines)


def break_lines(page: YamlDocument) -> list[Edit]:
    """Return edits that break lines that are too long, outermost values first; call again for the inner ones."""
    long: set[int] = set()
    edits: list[Edit] = []
    for number, line in enumerate(page.split_lines()):
        if measure_cells(line) > MAX_CELLS:
            remark = _find_comment_offset(page, number)
            bare = line[:remark].rstrip() if remark else line
            if measure_cells(bare) > MAX_CELLS:
                long.add(number)
            elif len(bare) + 2 < remark:  # move the comment closer before breaking the line
                room = max(2, MAX_CELLS - measure_cells(bare) - measure_cells(line[remark:]))
                edits.append((page.start_of(number) + len(bare), page.start_of(number) + remark, " " * room))
    if long:
        _break(page, page.root, 0, "", False, long, edits)
    return edits


def _find_comment_offset(page: YamlDocument, number: int) -> int:
    """Return the offset in line `number` (from 0) at which its trailing comment begins, or 0 if it has none."""
    ends = [s.span.end for s in iter_scalars(page.root) if page.find_line(s.span.start) == number]
    start = page.start_of(number)
    line = page.split_lines()[number]
    index = line.find("#", max(ends) - start if ends and max(ends) <= start + len(line) else len(line))
    return max(index, 0)


def _break(
    page: YamlDocument, node: Node, column: int, key: str, is_row: bool, long: set[int], edits: list[Edit]
) -> None:
    """Collect in `edits` the line breaks for too long lines of a node and the nodes inside it.

    `column`: its indentation as a block; `key`: its key, or ""; `is_row`: it is an entry of a mapping whose entries
    are rows in brackets; `long`: the numbers of all too long lines.
    """
    if key == _CHART:
        return
    first_line, last_line = page.find_line(node.span.start), page.find_last_line(node)
    if not long.intersection(range(first_line, last_line + 1)):
        return
    if isinstance(node, ScalarNode):
        edits += _refold_text(page, node) if node.style == ">" else _fold_text(page, node, column, key)
    elif page.is_flow(node):
        if not (is_row and _move_row(page, node, column, edits)):
            _break_flow(page, node, column, long, edits)
    elif isinstance(node, MappingNode):
        rows = _has_rows(page, node)
        for entry in node:
            _break(page, entry.value, page.find_column(entry.key.span.start) + _STEP, entry.key.text, rows, long, edits)
    else:
        for item in node.items:
            _break(page, item, page.find_column(item.span.start), "", False, long, edits)


def _has_rows(page: YamlDocument, node: MappingNode) -> bool:
    """Return True if most entries of a mapping are mappings in brackets, which then are kept as rows."""
    flows = [e for e in node if isinstance(e.value, MappingNode) and page.is_flow(e.value)]
    return len(flows) > 1 and 2 * len(flows) > len(node.entries) and page.kind != "cases"


def _move_row(page: YamlDocument, node: Node, column: int, edits: list[Edit]) -> bool:
    """Add to `edits` an edit that moves a mapping in brackets below its key, in at most two lines indented by `column`.

    Return False if it does not fit or does not follow its key in one line.
    """
    start = node.span.start
    line = page.get_line_before(start)
    if not isinstance(node, MappingNode) or not page.is_one_line(node) or not line.rstrip().endswith(":"):
        return False
    rows = ["{"]
    for n, (first, last) in enumerate(page.list_part_spans(node)):
        word = page.text[first:last] + ("," if n + 1 < len(node.entries) else "}")
        if len(rows[-1]) > 1 and column + measure_cells(rows[-1]) + 1 + measure_cells(word) > MAX_CELLS:
            rows.append(" " + word)
        else:
            rows[-1] += word if len(rows[-1]) < 2 else " " + word
    if len(rows) > 2 or any(column + measure_cells(row) > MAX_CELLS for row in rows):
        return False
    body = "".join("\n" + " " * column + row for row in rows)
    comment_offset = _find_comment_offset(page, page.find_line(start))
    end, remark = node.span.end, ""
    if comment_offset:
        end = page.start_of(page.find_line(start) + 1) - 1
        remark = "  " + page.text[page.start_of(page.find_line(start)) + comment_offset : end]
    edits.append((start - (len(line) - len(line.rstrip())), end, remark + body))
    return True


def _break_flow(
    page: YamlDocument, node: MappingNode | SequenceNode, column: int, long: set[int], edits: list[Edit]
) -> None:
    parts = page.list_part_spans(node)
    if not page.is_one_line(node):
        _wrap_again(page, node, parts, long, edits)
    elif len(parts) < 2:
        inner = node.items if isinstance(node, SequenceNode) else [entry.value for entry in node]
        if parts and not isinstance(inner[0], ScalarNode):
            _open_as_block(page, node, parts, column, edits)
    elif isinstance(node, SequenceNode) and all(isinstance(item, ScalarNode) for item in node.items):
        _wrap_flow(page, node, parts, edits)
    else:
        _open_as_block(page, node, parts, column, edits)


def _open_as_block(
    page: YamlDocument, node: MappingNode | SequenceNode, parts: list[tuple[int, int]], column: int, edits: list[Edit]
) -> None:
    """Add to `edits` an edit that replaces a value in brackets by a block, unless text other than a comment follows.

    `parts`: (start, end) of each entry or item; `column`: the indentation of the block.
    """
    dash = "- " if isinstance(node, SequenceNode) else ""
    lines = [" " * column + dash + page.text[start:end] for start, end in parts]
    start = node.span.start
    line = page.get_line_before(start)
    remark = page.text[node.span.end : page.start_of(page.find_line(start) + 1)].strip()
    end = node.span.end
    if remark and not remark.startswith("#"):
        return
    if remark:
        end = page.start_of(page.find_line(start) + 1) - 1
    if line.rstrip().endswith(":"):
        head = "  " + remark if remark else ""
        edits.append((start - (len(line) - len(line.rstrip())), end, head + "\n" + "\n".join(lines)))
    elif not line.strip(" -"):  # after a dash, or alone on a line
        block = "\n".join(lines).lstrip(" ")
        lead = page.find_column(start)
        block = "\n".join(x if not n else " " * lead + x.lstrip(" ") for n, x in enumerate(block.split("\n")))
        edits.append((start, end, block + ("  " + remark if remark else "")))


def _wrap_flow(page: YamlDocument, node: SequenceNode, parts: list[tuple[int, int]], edits: list[Edit]) -> None:
    """Add to `edits` the breaks that wrap a list of words into full lines, indented to the opening bracket.

    `parts`: (start, end) of each item.
    """
    lead = page.find_column(node.span.start) + 1
    width = measure_cells(page.get_line_before(node.span.start)) + 1
    gaps: list[Edit] = []
    for (start, end), (_, last) in zip(parts, [(0, node.span.start + 1), *parts], strict=False):
        own = measure_cells(page.text[start:end]) + 2
        if gaps and width + own > MAX_CELLS + 1:
            gaps.append((last, start, ",\n" + " " * lead))
            width = lead
        else:
            gaps.append((last, start, page.text[last:start]))
        width += own
    edits += [gap for gap in gaps if "\n" in gap[2]]


def _wrap_again(
    page: YamlDocument,
    node: MappingNode | SequenceNode,
    parts: list[tuple[int, int]],
    long: set[int],
    edits: list[Edit],
) -> None:
    """Add to `edits` a break in each too long line of a value in brackets that already spans several lines.

    `parts`: (start, end) of each entry or item; `long`: the numbers of the too long lines.
    """
    lead = page.find_column(node.span.start) + 1
    broken: set[int] = set()
    for (_, previous_end), (start, end) in reversed(list(pairwise(parts))):
        line = page.find_line(start)
        if line not in long or line in broken or "\n" in page.text[previous_end:start] or "\n" in page.text[start:end]:
            continue
        if all(measure_cells(page.text[page.start_of(line) : last]) + 1 > MAX_CELLS for last in (end, previous_end)):
            continue
        edits.append((previous_end, start, ",\n" + " " * lead))
        broken.add(line)
