"""Suggestions for bare words used as attributes: `road, stream` at a hexside, a word at a place.

Considers only attributes declared in the same document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_DECLARED_BESIDE = {"edges": ("links",), "default": ("places",)}  # attributes of the grid's links and spaces


def attributes_meant(node: Node, root: MappingNode, path: Sequence[str | int]) -> str:
    """Return the mapping that was meant by the words at a path, as YAML text: `{road: true}`; '' if none.

    A word names a flag, or a value of the attribute whose words include it.
    """
    words = _words(node)
    keys = [key for key in path if isinstance(key, str)]
    above = keys[-2] if len(keys) > 1 else ""
    if not words or above not in ("members", *_DECLARED_BESIDE):
        return ""
    declared = _declared(root, keys, above)
    parts = [_part(word, declared) or (f"{word}: true" if above == "edges" else "") for word in words]
    return "{" + ", ".join(parts) + "}" if all(parts) else ""


def _words(node: Node) -> list[str]:
    """Return the words of a text or a list; [] if it contains anything else."""
    if isinstance(node, SequenceNode):
        texts = [item.text if isinstance(item, ScalarNode) else "" for item in node.items]
    else:
        texts = re.split(r"\s*[,;+]\s*|\s+", node.text.strip()) if isinstance(node, ScalarNode) else []
    return texts if all(map(_WORD.fullmatch, texts)) else []


def _declared(root: MappingNode, keys: Sequence[str], above: str) -> MappingNode:
    """Return the attributes that the document declares for the entries below a key."""
    at = len(keys) - 2
    beside = _DECLARED_BESIDE.get(above)
    way = [*keys[: at - 1], *beside] if beside else list(keys[:at])
    declarations = root.at([*way, "attributes"])
    return declarations if isinstance(declarations, MappingNode) else MappingNode({}, root.span)


def _part(word: str, declared: MappingNode) -> str:
    """Format the attribute that a word is a value of, with that value, or return ''."""
    own = declared.get(word)
    if own is not None and "flag" in (_type(own), getattr(own, "text", "")):
        return f"{word}: true"
    names = [entry.key.text for entry in declared if word in _choices(entry.value)]
    return f"{names[0]}: {word}" if len(names) == 1 else ""


def _type(node: Node) -> str:
    return node.text("type") if isinstance(node, MappingNode) else ""


def _choices(node: Node) -> tuple[str, ...]:
    """Return the words of an enumerated attribute."""
    tree = node.branch("type") if isinstance(node, MappingNode) and "type" in node else node
    return tuple(item.text for item in tree.words("one_of")) if isinstance(tree, MappingNode) else ()
