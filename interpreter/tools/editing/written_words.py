"""Words of a text and where they stand: what an editor's cursor is on, where a name occurs. Must not know a ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.documents.reading.tree import Branch, Listing, Node, Scalar
from interpreter.documents.reading.yaml_reading import read_yaml
from interpreter.source.diagnostic import Sink
from interpreter.source.text import Source

WORD = re.compile(r"[A-Za-z_][\w]*(?:-[A-Za-z0-9]+)*|\d[\w.]*(?:-[\w.]+)*")
_TEXT = re.compile(r'"[^"\n]*"|#[^\n]*')
_HOLE = re.compile(r"\{[^{}\n]*\}")
_LABELS = ("name", "title", "text", "note", "about", "because", "reconstructed", "credits")
_CITED = re.compile(r"(?<=[ \t])\[[\w., \-]+\]")
_ITEM = re.compile(
    r"^( *)(procedure|define|rule|tally|draft|record|event|whenever|phase|setup|turn)\b[ ]*(\w*)", re.MULTILINE
)


def word_at(text: str, offset: int, is_rules: bool) -> tuple[int, int] | None:
    """The stretch of the word at an offset; in rules a word ends at a hyphen but in citations."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    for found in WORD.finditer(line):
        for a, b in _pieces(line, found, is_rules):
            if start + a <= offset <= start + b:
                return start + a, start + b
    return None


def _pieces(line: str, found: re.Match[str], is_rules: bool) -> Iterator[tuple[int, int]]:
    inside = any(c.start() <= found.start() and found.end() <= c.end() for c in _CITED.finditer(line))
    if not is_rules or inside or "-" not in found[0] or _in_text(line, found.start()):
        yield found.span()
        return
    at = found.start()
    for part in found[0].split("-"):
        yield at, at + len(part)
        at += len(part) + 1


def _in_text(line: str, at: int) -> bool:
    return any(t.start() < at < t.end() and line[t.start()] == '"' for t in _TEXT.finditer(line))


def occurrences(text: str, name: str, is_rules: bool) -> Iterator[tuple[int, int]]:
    """Where a name stands: not in remarks nor in what people read, but for the holes in it."""
    if name not in text:
        return
    masked = _masked(text) if is_rules else _documents_names(text)
    for found in re.finditer(rf"(?<![\w]){re.escape(name)}(?![\w])", masked):
        yield found.span()


def _documents_names(text: str) -> str:
    """A document with remarks and labels blanked out; what stands in holes stays."""
    root = read_yaml(Source("", text), Sink())
    kept = [" "] * len(text)
    for start, end, is_label in _scalars(root, "") if root is not None else [(0, len(text), False)]:
        shown = text[start:end]
        if is_label:
            holes = _HOLE.finditer(shown)
            shown = "".join(" " * len(shown))
            for hole in holes:
                shown = shown[: hole.start()] + hole[0] + shown[hole.end() :]
        kept[start:end] = _masked(shown) if "\n" in shown else shown
    return "".join(kept)


def _scalars(node: Node, key: str) -> Iterator[tuple[int, int, bool]]:
    """Keys and values with whether they are words for people: labels, and texts by language."""
    match node:
        case Scalar():
            yield node.span.start, node.span.end, key in _LABELS or len(key) == 2 and key != "at"
        case Listing():
            for item in node.items:
                yield from _scalars(item, key)
        case Branch():
            for entry in node:
                yield entry.key.span.start, entry.key.span.end, False
                yield from _scalars(entry.value, entry.key.text)


def _masked(text: str) -> str:
    """The text with remarks and the words of texts blanked out; what stands in holes stays."""

    def blank(part: re.Match[str]) -> str:
        if part[0][0] == "#":
            return " " * len(part[0])
        kept = list(" " * len(part[0]))
        for hole in _HOLE.finditer(part[0]):
            kept[hole.start() : hole.end()] = hole[0]
        return "".join(kept)

    return _TEXT.sub(blank, text)


def outline(text: str, is_rules: bool) -> list[tuple[str, str, int, int, int]]:
    """The items of a file: name, sort, start, end and depth, from 0."""
    found: list[tuple[str, str, int, int, int]] = []
    if is_rules:
        for item in _ITEM.finditer(text):
            depth = 1 if item[1] else 0
            if not depth or item[2] == "phase":
                found.append((item[3] or item[2], item[2], item.start(2), item.end(), depth))
        return found
    for item in re.finditer(r"^( {0,2})(\"[^\"\n]*\"|[\w.-]+):", text, re.M):
        found.append((item[2].strip('"'), "key", item.start(2), item.end(2), 1 if item[1] else 0))
    return found


def item_around(text: str, offset: int) -> str:
    """The text of the item of rules around an offset, up to it."""
    starts = [m.start() for m in _ITEM.finditer(text, 0, offset) if not m[1]]
    return text[starts[-1] if starts else 0 : offset]
