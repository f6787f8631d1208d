"""The plain tree a YAML text becomes: every node with its span.

Also the tree that overlays are merged into, so nodes of one tree may come from several
files. Must not know what any key means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.source_text import NOWHERE, Span
from interpreter.i18n.translator import Message, mark as _


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A value without parts. `text` is what was written, quotes and escapes undone.

    `value` is None, a bool, an int or `text` itself. `style` is "" (plain), "'", '"', "|" or ">".
    """

    value: None | bool | int | str
    text: str
    span: Span
    style: str = ""


@dataclass(frozen=True, slots=True)
class SequenceNode:
    """A list of nodes in order."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class MappingEntry:
    """A key with its value. Keys are always text, as written."""

    key: ScalarNode
    value: Node


@dataclass(frozen=True, slots=True)
class MappingNode:
    """A mapping: entries by the text of their key, in order of writing."""

    entries: Mapping[str, MappingEntry]
    span: Span

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def __iter__(self) -> Iterator[MappingEntry]:
        return iter(self.entries.values())

    def get(self, key: str) -> Node | None:
        """The node under a key, or None when the key is not there."""
        entry = self.entries.get(key)
        return entry.value if entry else None

    def branch(self, key: str) -> MappingNode:
        """The mapping under a key; an empty one when there is none."""
        node = self.get(key)
        return node if isinstance(node, MappingNode) else EMPTY

    def items(self, key: str) -> tuple[Node, ...]:
        """The nodes of the list under a key; a lone node counts as a list of one, null as none."""
        node = self.get(key)
        if node is None or (isinstance(node, ScalarNode) and node.value is None):
            return ()
        return node.items if isinstance(node, SequenceNode) else (node,)

    def words(self, key: str) -> tuple[ScalarNode, ...]:
        """The scalars of the list under a key."""
        return tuple(node for node in self.items(key) if isinstance(node, ScalarNode))

    def text(self, key: str, otherwise: str = "") -> str:
        """The text of the scalar under a key."""
        node = self.get(key)
        return node.text if isinstance(node, ScalarNode) and node.value is not None else otherwise

    def flag(self, key: str) -> bool:
        """True when the scalar under a key is `true`."""
        node = self.get(key)
        return isinstance(node, ScalarNode) and node.value is True

    def at(self, path: Iterable[str]) -> Node | None:
        """The node under a row of keys, or None where one of them is not there."""
        node: Node | None = self
        for key in path:
            node = node.get(key) if isinstance(node, MappingNode) else None
        return node

    def with_value(self, path: Sequence[str], value: Node | None) -> MappingNode:
        """A copy with another value under a row of keys, or without one."""
        key, *rest = path
        old, entries = self.entries.get(key), dict(self.entries)
        if rest:
            inner = old.value if old is not None and isinstance(old.value, MappingNode) else MappingNode({}, self.span)
            value = inner.with_value(rest, value)
        if value is None:
            entries.pop(key, None)
        else:
            entries[key] = MappingEntry(old.key if old else ScalarNode(key, key, value.span), value)
        return MappingNode(entries, self.span)

    def without(self, *keys: str) -> MappingNode:
        """A copy that lacks some keys."""
        return MappingNode({k: e for k, e in self.entries.items() if k not in keys}, self.span)


Node = ScalarNode | SequenceNode | MappingNode
EMPTY = MappingNode({}, NOWHERE)


def fields(entry: MappingEntry) -> MappingNode:
    """The mapping an entry holds; an empty one for anything else (the schemas report that)."""
    return entry.value if isinstance(entry.value, MappingNode) else MappingNode({}, entry.key.span)


def whole(node: Node | None) -> int | None:
    """The whole number that a node states; None for anything else."""
    return node.value if isinstance(node, ScalarNode) and type(node.value) is int else None


def is_null(node: Node | None) -> bool:
    """True for a missing node and for null."""
    return node is None or (isinstance(node, ScalarNode) and node.value is None)


def plain(node: Node) -> Any:
    """The tree as dictionaries, lists and scalars, without spans."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.items]
    return {key: plain(entry.value) for key, entry in node.entries.items()}


def describe(node: Node) -> Message:
    """What a node is, in words for people."""
    match node:
        case MappingNode():
            return _("a mapping")
        case SequenceNode():
            return _("a list")
        case ScalarNode(value=None):
            return _("nothing")
        case ScalarNode(value=bool()):
            return _("`{word}`", word=node.text)
        case ScalarNode(value=int()):
            return _("the number {number}", number=node.text)
    short = node.text if len(node.text) <= 40 else node.text[:37] + "..."
    return _("the text `{text}`", text=short)


def key_span(parent: MappingNode, key: str) -> Span:
    """Span of a key, or of the whole mapping when the key is not there."""
    entry = parent.entries.get(key)
    return entry.key.span if entry else parent.span
