"""Replace or insert values in YAML text by position; comments, layout and everything else stay unchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.diagnostics.source_text import Replacement
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode
from interpreter.documents.reading.yaml_reader import plain_value, quoted

_SAFE = re.compile(r"[A-Za-z0-9*+/.][A-Za-z0-9*+/._-]*")


def format_value(text: str, as_text: bool = False) -> str:
    """Format a value or key for YAML; quoted if necessary, or if `as_text` and it looks like a number."""
    value = plain_value(text)
    if value is not None and not isinstance(value, str):
        return f'"{text}"' if as_text else text
    if text == "null" or (isinstance(value, str) and _SAFE.fullmatch(text)):
        return text
    return quoted(text)


def format_word(text: str) -> str:
    """Format a value as a word in a chart that is written as text."""
    if not text or text == "null":
        return text or "."
    plain = re.fullmatch(r"[^\s|#\"'][^\s|]*", text) and text not in (".", "~")
    return text if plain else '"' + text.replace('"', '\\"') + '"'


def replace_value(node: Node, text: str) -> Replacement:
    """Return the edit that replaces a value in a list or mapping.

    In aligned columns the edit also consumes or adds blanks, so that the next column keeps its position.
    """
    source = node.span.source.text
    return Replacement(node.span.start, node.span.end, text) if not _is_aligned(node) else _aligned(source, node, text)


def _is_aligned(node: Node) -> bool:
    source, end = node.span.source.text, node.span.end
    rest = source[end : end + 3]
    return rest[:1] in (" ", ",") and rest.strip(" ,") == "" or rest[:2] == "  "


def _aligned(source: str, node: Node, text: str) -> Replacement:
    start, end = node.span.start, node.span.end
    comma = "," if source[end : end + 1] == "," else ""
    after = end + len(comma)
    blanks = len(source[after:]) - len(source[after:].lstrip(" "))
    more = len(text) - (end - start)
    kept = max(1, blanks - more)
    return Replacement(start, after + blanks, text + comma + " " * kept)


def insert_value(branch: MappingNode, path: Sequence[str], text: str) -> Replacement:
    """Return the edit that adds a value at a new path of keys below a mapping."""
    source = branch.span.source.text
    *above, last = path
    if source[branch.span.start : branch.span.start + 1] == "{":
        told = f"{format_value(last)}: {text}"
        for key in reversed(above):
            told = f"{format_value(key)}: {{{told}}}"
        at = branch.span.end - 1
        while at > branch.span.start + 1 and source[at - 1] in " \n":
            at -= 1
        return Replacement(at, at, f", {told}" if branch.entries else told)
    indent = next(iter(branch)).key.span.column - 1
    end = source.find("\n", _end(branch))
    at = len(source) if end < 0 else end
    lines = [f"{' ' * (indent + 2 * n)}{format_value(key)}:" for n, key in enumerate(above[:-1])]
    deep = " " * (indent + 2 * len(above[:-1]))
    lines.append(
        f"{deep}{format_value(above[-1])}: {{{format_value(last)}: {text}}}"
        if above
        else f"{deep}{format_value(last)}: {text}"
    )
    return Replacement(at, at, "\n" + "\n".join(lines))


def _end(node: Node) -> int:
    """Return the end of the last value inside a node, without a trailing line break."""
    if isinstance(node, MappingNode) and node.entries:
        return max(_end(entry.value) for entry in node)
    end = node.span.end
    if isinstance(node, ScalarNode | SequenceNode | MappingNode):
        while end > node.span.start and node.span.source.text[end - 1] in "\r\n":
            end -= 1
    return end
