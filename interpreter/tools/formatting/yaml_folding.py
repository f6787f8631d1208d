"""Fold long prose into folded blocks, and refold existing ones.

A folded block (`>-`) reads each line end as a space, so only single spaces may become line ends and vice versa.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

from interpreter.diagnostics.terminal_text import cell_width, joins_without_space
from interpreter.documents.reading.tree import ScalarNode
from interpreter.tools.formatting.yaml_document import MOST_CELLS, Edit, YamlDocument

_STEP = 2
_ROOM = 10  # cells that a newly folded text leaves free at the line ends, for later edits
_TEXTS = ("about", "note", "text", "because", "reconstructed", "help")
_BLANK = re.compile(r"(?<=\S) (?=\S)")


def fold(page: YamlDocument, node: ScalarNode, column: int, key: str) -> list[Edit]:
    """Return edits that turn long prose into a folded block.

    Returns none if the text contains a placeholder or a wide character.
    """
    text = node.text
    is_text = key in _TEXTS or len(key) == 2 or (key == "title" and page.kind == "cases")
    if not is_text or node.style == "|" or not page.is_one_line(node) or cell_width(text) != len(text):
        return []
    if "{" in text or "  " in text or text != text.strip() or "\n" in text or not isinstance(node.value, str):
        return []
    rest = page.text[node.span.end : page.start_of(page.line_of(node.span.end) + 1)].strip()
    line = page.text[page.start_of(page.line_of(node.span.start)) : node.span.start]
    if rest or not line.rstrip().endswith(":") or _remark_inside(page, node, column):
        return []
    lines = wrap(text, MOST_CELLS - _ROOM - column, break_long_words=False, break_on_hyphens=False)
    return [(node.span.start, node.span.end, ">-\n" + "\n".join(" " * column + x for x in lines))]


def _remark_inside(page: YamlDocument, node: ScalarNode, column: int) -> bool:
    """Return True if a comment below is indented so deep that it would become part of the folded text."""
    for line in page.lines()[page.line_of(node.span.start) + 1 :]:
        if line.strip() and not line.lstrip().startswith("#"):
            return False
        if line.strip() and len(line) - len(line.lstrip()) > column - _STEP:
            return True
    return False


def fold_again(page: YamlDocument, node: ScalarNode) -> list[Edit]:
    """Return edits that rewrap each paragraph of a folded block from its first line that is too long."""
    edits: list[Edit] = []
    for first, last in _paragraphs(page, node):
        lines = page.lines()[first : last + 1]
        long = next((n for n, line in enumerate(lines) if cell_width(line) > MOST_CELLS), None)
        if long is None or any(line != line.rstrip() for line in lines):
            continue
        own = lines[long:]
        column = len(own[0]) - len(own[0].lstrip(" "))
        start = page.start_of(first + long)
        made = _fill_lines([word for line in own for word in _words(line.strip(" "))], column)
        edits.append((start, start + sum(len(line) + 1 for line in own) - 1, made))
    return [(start, end, made) for start, end, made in edits if page.text[start:end] != made]


def _paragraphs(page: YamlDocument, node: ScalarNode) -> Iterator[tuple[int, int]]:
    """Return the first and last line of each paragraph, which a folded block reads as one line."""
    lines = page.lines()
    rows = range(page.line_of(node.span.start) + 1, page.last_line(node) + 1)
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


def _words(line: str) -> list[str]:
    """Split a line into words that may each start a line.

    A space between characters of scripts without spaces is kept inside a word, because folding would drop it.
    """
    words: list[str] = []
    for word in _BLANK.split(line):
        if words and joins_without_space(words[-1], word):
            words[-1] += " " + word
        else:
            words.append(word)
    return words


def _fill_lines(words: list[str], column: int) -> str:
    """Fill lines greedily with words; a word wider than a line gets a line of its own."""
    lines = [" " * column + words[0]]
    for word in words[1:]:
        if cell_width(lines[-1]) + 1 + cell_width(word) > MOST_CELLS:
            lines.append(" " * column + word)
        else:
            lines[-1] += word if joins_without_space(lines[-1], word) else " " + word
    return "\n".join(lines)
