"""Scan a text for words: the word at a cursor, all references of a name, and the item around a cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode
from interpreter.documents.reading.yaml_reader import read_yaml
from interpreter.tools.lsp.document_places import is_chart, is_citation, is_prose
from interpreter.tools.lsp.schema_walk import KeyPath, Shape, find_shape, get_document_shape, resolve_variant_path

NEW = "new "  # before a key that a variant adds to its base
WORD = re.compile(r"[A-Za-z_][\w]*(?:-[A-Za-z0-9]+)*|\d[\w.]*(?:-[\w.]+)*")
_TEXT = re.compile(r'"[^"\n]*"|#[^\n]*')
_HOLE = re.compile(r"\{[^{}\n]*\}")
_CITED = re.compile(r"(?<=[ \t])\[[\w., \-]+\]")
_CITATION = re.compile(r"[\w.\-]+")
_CALLING = re.compile(r"(\w+)\($")
_NAME = re.compile(r"\w+", re.ASCII)
_ID = re.compile(r"\w+(?:-\w+)*", re.ASCII)
_REMARK = re.compile(r"(?m)(^|(?<=[ \t]))#.*$")
_ITEM = re.compile(
    r"^( *)(?:replace )?(procedure|define|rule|tally|draft|record|event|whenever|phase|setup|turn)\b", re.MULTILINE
)


def find_word(text: str, offset: int, is_rules: bool) -> tuple[int, int] | None:
    """Return (start, end) of the word at an offset, or None; in rules a hyphen ends a word except in citations."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    for match in WORD.finditer(line):
        if start + match.start() > offset:
            break
        if start + match.end() < offset:
            continue  # the parts of a word cost a search of the whole line
        for a, b in _iter_parts(line, match, is_rules):
            if start + a <= offset <= start + b:
                return start + a, start + b
    return None


def _iter_parts(line: str, match: re.Match[str], is_rules: bool) -> Iterator[tuple[int, int]]:
    inside = any(c.start() <= match.start() and match.end() <= c.end() for c in _CITED.finditer(line))
    if not is_rules or inside or "-" not in match[0] or _is_in_text(line, match.start()):
        yield match.span()
        return
    start = match.start()
    for part in match[0].split("-"):
        yield start, start + len(part)
        start += len(part) + 1


def _is_in_text(line: str, index: int) -> bool:
    return any(t.start() < index < t.end() and line[t.start()] == '"' for t in _TEXT.finditer(line))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that distinguish names in the rules: the ruleset's paragraphs, and the words of kinds."""

    paragraphs: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()


NO_WORDS = Vocabulary()


@dataclass(frozen=True, slots=True)
class Word:
    """A name or a paragraph number, with its location in a text."""

    start: int
    end: int
    text: str


def find_words(text: str, is_rules: bool, vocabulary: Vocabulary) -> tuple[Word, ...]:
    """Find every word of a file that can be a name, in order.

    Skips comments, prose outside placeholders, and keys of the format. `is_rules`: the file is in the rules language;
    `vocabulary`: the paragraph numbers and the words of kinds.
    """
    if is_rules:
        return tuple(_iter_rules_words(text, 0, len(text), vocabulary))
    root = read_yaml(Source("", text), Sink())
    if not isinstance(root, MappingNode):
        return tuple(_iter_rules_words(text, 0, len(text), vocabulary))
    kind = root.get_text("kind")
    words = _iter_node_words(root, kind, (), get_document_shape(kind), vocabulary)
    return tuple(sorted(words, key=lambda word: word.start))


def _iter_node_words(node: Node, kind: str, path: KeyPath, shape: Shape, vocabulary: Vocabulary) -> Iterator[Word]:
    match node:
        case ScalarNode():
            yield from _iter_scalar_words(node, kind, path, shape, vocabulary)
        case SequenceNode():
            for n, item in enumerate(node.items):
                yield from _iter_node_words(item, kind, (*path, n), shape.get_item_shape(), vocabulary)
        case MappingNode():
            for entry in node:
                key = entry.key.text.removeprefix(NEW)
                home, below = resolve_variant_path(kind, (*path, key))
                if shape.has_text_keys:
                    yield from _iter_hole_words(entry.key, vocabulary)
                elif not shape.has_declared_key(key):
                    start, end = _find_inner_range(entry.key)
                    yield from _iter_value_words(entry.key, end - len(key), end, is_citation(home, (*below, "key")))
                further = find_shape(home, below) if home != kind else shape.get_value_shape(key)
                yield from _iter_node_words(entry.value, home, below, further, vocabulary)


def _iter_scalar_words(
    node: ScalarNode, kind: str, path: KeyPath, shape: Shape, vocabulary: Vocabulary
) -> Iterator[Word]:
    start, end = _find_inner_range(node)
    if shape.is_text or is_prose(kind, path):
        yield from _iter_hole_words(node, vocabulary)
    elif node.text in shape.list_words():
        return
    elif is_chart(kind, path):
        yield from _iter_value_words(node, start, end, False)
    elif shape.is_expression or node.style in ("|", ">") or (node.style != '"' and '"' in node.text):
        yield from _iter_rules_words(node.span.source.text, start, end, vocabulary)
    else:
        yield from _iter_value_words(node, start, end, is_citation(kind, path))


def _find_inner_range(node: ScalarNode) -> tuple[int, int]:
    """Return the span of a scalar without its quotes."""
    quotes = 1 if node.style in ("'", '"') else 0
    return node.span.start + quotes, node.span.end - quotes


def _iter_value_words(node: ScalarNode, start: int, end: int, is_cited: bool) -> Iterator[Word]:
    """Yield the words of a key or plain value at `start` to `end`: ids, which `/`, `.`, `@` or brackets may join.

    `is_cited`: the value is a paragraph number, which is one word.
    """
    text = node.span.source.text
    if is_cited:
        yield Word(start, end, text[start:end])
        return
    visible = text[start:end]
    if "#" in visible:
        visible = _REMARK.sub(lambda remark: " " * len(remark[0]), visible)
    for match in _ID.finditer(visible):
        yield Word(start + match.start(), start + match.end(), match[0])


def _iter_hole_words(node: ScalarNode, vocabulary: Vocabulary) -> Iterator[Word]:
    text = node.span.source.text
    for hole in _HOLE.finditer(text, node.span.start, node.span.end):
        yield from _iter_code_words(text, hole.start(), hole.end(), vocabulary)


def _iter_rules_words(text: str, start: int, end: int, vocabulary: Vocabulary) -> Iterator[Word]:
    """Yield the names in the rules from `start` to `end`; of texts only placeholders, and ids as in `place("hill")`."""
    offset = start
    for part in _TEXT.finditer(text, start, end):
        yield from _iter_code_words(text, offset, part.start(), vocabulary)
        offset = part.end()
        if part[0][0] == "#":
            continue
        called = _CALLING.search(text, max(start, part.start() - 80), part.start())
        if called is not None and called[1] in vocabulary.kinds and text[offset : offset + 1] == ")":
            yield Word(part.start() + 1, offset - 1, part[0][1:-1])
            continue
        for hole in _HOLE.finditer(text, part.start(), offset):
            yield from _iter_code_words(text, hole.start(), hole.end(), vocabulary)
    yield from _iter_code_words(text, offset, end, vocabulary)


def _iter_code_words(text: str, start: int, end: int, vocabulary: Vocabulary) -> Iterator[Word]:
    offset = start
    for brackets in _CITED.finditer(text, start, end):
        items = list(_CITATION.finditer(text, brackets.start() + 1, brackets.end() - 1))
        if all(item[0] in vocabulary.paragraphs or not item[0][0].islower() for item in items):
            yield from _iter_names(text, offset, brackets.start())
            yield from (Word(item.start(), item.end(), item[0]) for item in items)
            offset = brackets.end()
    yield from _iter_names(text, offset, end)


def _iter_names(text: str, start: int, end: int) -> Iterator[Word]:
    for match in _NAME.finditer(text, start, end):
        yield Word(match.start(), match.end(), match[0])


def get_item_text(text: str, offset: int) -> str:
    """Return the text of the rules item around an offset, up to that offset."""
    starts = [m.start() for m in _ITEM.finditer(text, 0, offset) if not m[1]]
    return text[starts[-1] if starts else 0 : offset]
