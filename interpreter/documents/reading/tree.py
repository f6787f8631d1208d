"""The plain tree of a YAML text, in which every node has its span.

Overlays merge into such trees too, so the nodes of one tree may come from several files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.source_text import NOWHERE, Span
from interpreter.i18n.number_format import is_canonical_number
from interpreter.i18n.translator import Message, mark as _


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A value without parts; `text` is what was written, with quotes and escapes resolved.

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
    """A key with its value; keys are always text, as written."""

    key: ScalarNode
    value: Node


@dataclass(frozen=True, slots=True)
class MappingNode:
    """A mapping: entries by the text of their key, in written order."""

    entries: Mapping[str, MappingEntry]
    span: Span

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def __iter__(self) -> Iterator[MappingEntry]:
        return iter(self.entries.values())

    def get(self, key: str) -> Node | None:
        """Return the node under a key, or None."""
        entry = self.entries.get(key)
        return entry.value if entry else None

    def get_mapping(self, key: str) -> MappingNode:
        """Return the mapping under a key, or an empty one."""
        node = self.get(key)
        return node if isinstance(node, MappingNode) else EMPTY

    def list_nodes(self, key: str) -> tuple[Node, ...]:
        """Return the nodes of the list under a key; a single node counts as a list of one, null as empty."""
        node = self.get(key)
        if node is None or (isinstance(node, ScalarNode) and node.value is None):
            return ()
        return node.items if isinstance(node, SequenceNode) else (node,)

    def list_scalars(self, key: str) -> tuple[ScalarNode, ...]:
        """Return the scalars of the list under a key."""
        return tuple(node for node in self.list_nodes(key) if isinstance(node, ScalarNode))

    def get_text(self, key: str, otherwise: str = "") -> str:
        """Return the text of the scalar under a key, or `otherwise` if the key is missing."""
        node = self.get(key)
        return node.text if isinstance(node, ScalarNode) and node.value is not None else otherwise

    def is_true(self, key: str) -> bool:
        """Return whether the scalar under a key is `true`."""
        node = self.get(key)
        return isinstance(node, ScalarNode) and node.value is True

    def find_node(self, path: Iterable[str]) -> Node | None:
        """Return the node at a path of keys, or None."""
        node: Node | None = self
        for key in path:
            node = node.get(key) if isinstance(node, MappingNode) else None
        return node

    def copy_with_value(self, path: Sequence[str], value: Node | None) -> MappingNode:
        """Return a copy with the value at a path of keys replaced, or removed if `value` is None."""
        key, *rest = path
        old, entries = self.entries.get(key), dict(self.entries)
        if rest:
            inner = old.value if old is not None and isinstance(old.value, MappingNode) else MappingNode({}, self.span)
            value = inner.copy_with_value(rest, value)
        if value is None:
            entries.pop(key, None)
        else:
            entries[key] = MappingEntry(old.key if old else ScalarNode(key, key, value.span), value)
        return MappingNode(entries, self.span)

    def copy_without(self, *keys: str) -> MappingNode:
        """Return a copy without the entries of `keys`."""
        return MappingNode({k: e for k, e in self.entries.items() if k not in keys}, self.span)


Node = ScalarNode | SequenceNode | MappingNode
EMPTY = MappingNode({}, NOWHERE)


def get_entry_mapping(entry: MappingEntry) -> MappingNode:
    """Return the mapping an entry holds; an empty one for anything else (the schemas report that)."""
    return entry.value if isinstance(entry.value, MappingNode) else MappingNode({}, entry.key.span)


def create_empty_entry(name: str, span: Span) -> MappingEntry:
    """Return an entry without fields, for a thing that no document lists; `span`: the position that implies it."""
    return MappingEntry(ScalarNode(name, name, span), EMPTY)


def read_integer(node: Node | None) -> int | None:
    """Return the integer that a node states, or None."""
    return node.value if isinstance(node, ScalarNode) and type(node.value) is int else None


def get_scalar_text(node: Node) -> str:
    """Return the text of a scalar, or '' for null and for other nodes."""
    return node.text if isinstance(node, ScalarNode) and node.value is not None else ""


def read_integer_pair(node: Node | None) -> tuple[int, int] | None:
    """Return the first two integers of a list, 0 for an item that is not one; None for a shorter list or no list."""
    if not isinstance(node, SequenceNode) or len(node.items) < 2:
        return None
    return read_integer(node.items[0]) or 0, read_integer(node.items[1]) or 0


def read_point(node: Node | None) -> tuple[float, float] | None:
    """Return the point that the first two integers of a list state, or None."""
    pair = read_integer_pair(node)
    return None if pair is None else (float(pair[0]), float(pair[1]))


def read_label_texts(node: Node | None, languages: Sequence[str]) -> dict[str, str]:
    """Return a label by language; plain text is in the first language, and a missing node is {}."""
    if isinstance(node, MappingNode):
        return {e.key.text: e.value.text for e in node if isinstance(e.value, ScalarNode) and not is_null(e.value)}
    return {languages[0]: node.text} if isinstance(node, ScalarNode) and not is_null(node) else {}


def is_null(node: Node | None) -> bool:
    """Return whether a node is missing or null."""
    return node is None or (isinstance(node, ScalarNode) and node.value is None)


def to_plain_data(node: Node) -> Any:  # noqa: ANN401 - the author's data, of any shape
    """Return the tree as dictionaries, lists and scalars, without spans."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, SequenceNode):
        return [to_plain_data(item) for item in node.items]
    return {key: to_plain_data(entry.value) for key, entry in node.entries.items()}


def describe(node: Node) -> Message:
    """Describe a node in words for people."""
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
        case ScalarNode(style="") if is_canonical_number(node.text):
            return _("the number {number}", number=node.text)
    short = node.text if len(node.text) <= 40 else node.text[:37] + "..."
    return _("the text `{text}`", text=short)


def get_key_span(parent: MappingNode, key: str) -> Span:
    """Return the span of a key, or of the whole mapping if it lacks the key."""
    entry = parent.entries.get(key)
    return entry.key.span if entry else parent.span
