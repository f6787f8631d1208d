"""The structure of a file: symbols for an outline, and line ranges that an editor may fold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_ITEM = re.compile(
    r"^( *)(procedure|define|rule|tally|draft|record|event|whenever|phase|choose|option|setup|turn)\b[ ]*(\w*)",
    re.MULTILINE,
)
_INNER = ("phase", "choose", "option")
_KEY = re.compile(r"^( *)(\"[^\"\n]*\"|'[^'\n]*'|[\w.-]+):", re.MULTILINE)
_DEEPEST = 2  # levels of keys in the outline of a document, counted from 0


@dataclass(slots=True)
class Symbol:
    """A named part of a file: its sort, its name at `start` to `end`, and the parts inside it.

    `until`: the offset at which its block ends.
    """

    name: str
    sort: str
    start: int
    end: int
    until: int
    children: list[Symbol] = field(default_factory=list)


def outline(text: str, is_rules: bool) -> list[Symbol]:
    """Return the symbols of a file as a tree."""
    found = _items(text) if is_rules else _keys(text)
    top: list[Symbol] = []
    open_: list[tuple[int, Symbol]] = []
    for indent, symbol in found:
        while open_ and open_[-1][0] >= indent:
            open_.pop()
        (open_[-1][1].children if open_ else top).append(symbol)
        open_.append((indent, symbol))
    return top


def _items(text: str) -> Iterator[tuple[int, Symbol]]:
    for item in _ITEM.finditer(text):
        indent = len(item[1])
        if (indent > 0) == (item[2] in _INNER):
            until = _end_of_block(text, item.start(), indent)
            yield indent, Symbol(item[3] or item[2], item[2], item.start(2), item.end(), until)


def _keys(text: str) -> Iterator[tuple[int, Symbol]]:
    for key in _KEY.finditer(text):
        if len(key[1]) <= 2 * _DEEPEST:
            until = _end_of_block(text, key.start(), len(key[1]))
            yield len(key[1]), Symbol(key[2].strip("\"'"), "key", key.start(2), key.end(2), until)


def _end_of_block(text: str, start: int, indent: int) -> int:
    """Return the end of the lines indented deeper than the line at `start`, without trailing blank lines."""
    end = _line_end(text, start)
    at = end
    while at < len(text):
        line_end = _line_end(text, at + 1)
        line = text[at + 1 : line_end]
        if line.strip():
            if len(line) - len(line.lstrip(" ")) <= indent and not (indent == 0 and line.startswith("- ")):
                break
            end = line_end
        at = line_end
    return end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def folds(text: str) -> list[tuple[int, int]]:
    """Return (first, last) lines, from 0, of every range indented below a line."""
    lines = text.split("\n")
    open_: list[tuple[int, int]] = []  # (indent, number) of the lines that have deeper lines below
    found: list[tuple[int, int]] = []
    last = -1  # the last line that is not blank
    for number, line in enumerate([*lines, "end"]):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip(" "))
        while open_ and open_[-1][0] >= indent:
            _, first = open_.pop()
            if last > first:
                found.append((first, last))
        open_.append((indent, number))
        last = number
    return sorted(found)
