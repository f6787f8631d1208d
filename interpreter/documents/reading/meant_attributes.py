"""What bare words in the place of attributes mean: `road, stream` at a hexside, a word at a place.

Must not know attributes but those that stand in the same document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.documents.reading.tree import Branch, Listing, Node, Scalar

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_DECLARED_BESIDE = {"edges": ("links",), "default": ("places",)}  # attributes of the grid's links and spaces


def attributes_meant(node: Node, root: Branch, path: Sequence[str | int]) -> str:
    """Return the mapping that words at a path stand for, as it is written: `{road: true}`; '' where they say nothing.

    A word is a flag of that name, or the value of the attribute that has it among its words.
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
    """The words of a text or a list; [] where something else stands among them."""
    if isinstance(node, Listing):
        texts = [item.text if isinstance(item, Scalar) else "" for item in node.items]
    else:
        texts = re.split(r"\s*[,;+]\s*|\s+", node.text.strip()) if isinstance(node, Scalar) else []
    return texts if all(map(_WORD.fullmatch, texts)) else []


def _declared(root: Branch, keys: Sequence[str], above: str) -> Branch:
    """The attributes declared in the document for what stands below a key."""
    at = len(keys) - 2
    beside = _DECLARED_BESIDE.get(above)
    way = [*keys[: at - 1], *beside] if beside else list(keys[:at])
    found = root.at([*way, "attributes"])
    return found if isinstance(found, Branch) else Branch({}, root.span)


def _part(word: str, declared: Branch) -> str:
    """One attribute with its value, for a word; '' where no attribute has it."""
    own = declared.get(word)
    if own is not None and "flag" in (_type(own), getattr(own, "text", "")):
        return f"{word}: true"
    names = [entry.key.text for entry in declared if word in _choices(entry.value)]
    return f"{names[0]}: {word}" if len(names) == 1 else ""


def _type(node: Node) -> str:
    return node.text("type") if isinstance(node, Branch) else ""


def _choices(node: Node) -> tuple[str, ...]:
    """The words of an attribute that is one of some."""
    tree = node.branch("type") if isinstance(node, Branch) and "type" in node else node
    return tuple(item.text for item in tree.words("one_of")) if isinstance(tree, Branch) else ()
