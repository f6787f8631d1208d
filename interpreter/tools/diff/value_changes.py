"""Compare the documents of two rulesets value by value, except the cells of charts.

Independent of the meaning of a value.

Paths are labelled in words: "Green Hill: height", "rung.broken: name".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interpreter.diagnostics.source_text import Span
from interpreter.documents.pipeline import SECTIONS
from interpreter.documents.reading.entry_mappings import count_chart_keys, is_container
from interpreter.documents.reading.tree import MappingEntry, MappingNode, Node, ScalarNode, SequenceNode, to_plain_data
from interpreter.i18n.translator import Message, Translator, mark as _
from interpreter.model.ruleset import Ruleset
from interpreter.tools.describe.ruleset_names import add_names
from interpreter.tools.describe.value_format import format_name_with_id
from interpreter.tools.diff.difference import Difference, Part

_MAX_VALUE_LENGTH = 200  # characters of a value shown in a message


@dataclass(frozen=True, slots=True)
class _Position:
    """A position in two trees that are compared: its path, the nodes along the path, and the span of the entry."""

    section: str
    path: tuple[str, ...]
    nodes: tuple[Node, ...]
    span: Span

    def get_child(self, entry: MappingEntry) -> _Position:
        return _Position(self.section, (*self.path, entry.key.text), (*self.nodes, entry.value), entry.key.span)

    @property
    def dotted(self) -> str:
        return ".".join((self.section, *self.path))


def iter_value_changes(
    before: Mapping[str, MappingNode], now: Mapping[str, MappingNode], labels: PathLabels, part: Part = "values"
) -> Iterator[Difference]:
    """Yield the differences of every section, in the order of `now`; removed entries come last in their mapping.

    `labels`: formats paths and names; `part`: the part of the comparison under which the differences are listed.
    """
    sections = SECTIONS if part == "values" else tuple(dict.fromkeys([*now, *before]))
    nothing = MappingNode({}, next(iter(now.values())).span) if now else None
    for section in sections:
        old, new = before.get(section, nothing), now.get(section, nothing)
        if old is not None and new is not None:
            yield from _compare(old, new, _Position(section, (), (), new.span), labels, part)


def _compare(
    old: MappingNode, new: MappingNode, parent: _Position, labels: PathLabels, part: Part
) -> Iterator[Difference]:
    """Yield the differences between two mappings at the position `parent`, and below them."""
    if count_chart_keys(parent.section, parent.path) is not None:
        return  # `iter_chart_changes` compares the cells of charts
    for entry in new:
        old_entry = old.entries.get(entry.key.text)
        position = parent.get_child(entry)
        is_list = part == "translations" or is_container(parent.section, position.path)
        if old_entry is None and is_list and isinstance(entry.value, MappingNode):
            yield from _compare(MappingNode({}, entry.value.span), entry.value, position, labels, part)
        elif old_entry is None:
            yield _build_difference(None, entry.value, position, labels, part)
        elif isinstance(entry.value, MappingNode) and isinstance(old_entry.value, MappingNode):
            yield from _compare(old_entry.value, entry.value, position, labels, part)
        elif (
            count_chart_keys(parent.section, position.path) is None
            and not _is_equal(old_entry.value, entry.value)
            and not _is_short_for(old_entry.value, entry.value)
        ):
            yield _build_difference(old_entry.value, entry.value, position, labels, part)
    for entry in old:
        if entry.key.text not in new:
            yield _build_difference(entry.value, None, parent.get_child(entry), labels, part)


def iter_changed_paths(
    old: MappingNode, new: MappingNode, section: str, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield the paths of the values that differ between two trees of a section.

    The cells of a chart count as one value. `path`: the keys that lead to both trees.
    """
    for key in dict.fromkeys([*new.entries, *old.entries]):
        before, after, child_path = old.get(key), new.get(key), (*path, key)
        if (
            isinstance(before, MappingNode)
            and isinstance(after, MappingNode)
            and count_chart_keys(section, child_path) is None
        ):
            yield from iter_changed_paths(before, after, section, child_path)
        elif before is None or after is None or not (_is_equal(before, after) or _is_short_for(before, after)):
            yield child_path


def _is_equal(old: Node, new: Node) -> bool:
    before, after = to_plain_data(old), to_plain_data(new)
    # repr, because Python's True equals 1
    return repr(before) == repr(after) if isinstance(old, ScalarNode) else bool(before == after)


def _is_short_for(old: Node, new: Node) -> bool:
    """Return True if one node is a mapping with only the key `value`, and the other node is the value of that key."""
    if isinstance(old, MappingNode) == isinstance(new, MappingNode):
        return False
    long_form, short_form = (old, new) if isinstance(old, MappingNode) else (new, old)
    return (
        isinstance(long_form, MappingNode)
        and list(long_form.entries) == ["value"]
        and to_plain_data(long_form)["value"] == to_plain_data(short_form)
    )


def _build_difference(
    old: Node | None, new: Node | None, position: _Position, labels: PathLabels, part: Part
) -> Difference:
    """Return the difference of one value; `old` or `new` is None if the value is new or removed."""
    subject, keys = labels.split_path(position.section, position.path, position.nodes)
    was, now = (None if node is None else to_plain_data(node) for node in (old, new))
    is_entry = is_container(position.section, position.path[:-1])
    holes = {
        "subject": subject if is_entry or not keys else f"{subject}: {keys}",
        "where": ".".join((position.section, *(position.path[:-1] if is_entry else ()))),
        "was": "" if old is None else _format_node(old, labels),
        "now": "" if new is None else _format_node(new, labels),
    }
    if old is None:
        message = _describe_new_value(new, is_entry, holes, labels)
        return Difference(part, "new", position.dotted, message, position.span, None, now)
    if new is None:
        is_removed_entry = is_entry and isinstance(old, MappingNode)
        message = (
            _("removed from {where}: {subject}", **holes)
            if is_removed_entry
            else _("{subject}: {was} is removed", **holes)
        )
        return Difference(part, "gone", position.dotted, message, position.span, was, None)
    return Difference(
        part, "changed", position.dotted, _("{subject}: {was} changes to {now}", **holes), position.span, was, now
    )


def _describe_new_value(new: Node | None, is_entry: bool, holes: dict[str, str], labels: PathLabels) -> Message:
    """Return the sentence on a value that only the new tree has.

    An entry is described by its name with its value or text, anything else by its value. `is_entry`: the value is a
    whole entry, such as a thing; `holes`: the values of the placeholders `subject`, `where` and `now`.
    """
    if not (is_entry and isinstance(new, MappingNode)):
        return _("{subject} is now {now}", **holes)
    if text := labels.format_label(new.get("text")):
        return _("new in {where}: {subject}: {value}", **holes, value=text)
    value = new.get("value") or new.get("default")
    if value is None or isinstance(value, MappingNode):
        return _("new in {where}: {subject}", **holes)
    if new.get("value") is None:
        return _("new in {where}: {subject}, initially {value}", **holes, value=_format_node(value, labels))
    return _("new in {where}: {subject}: {value}", **holes, value=_format_node(value, labels))


def _format_node(node: Node, labels: PathLabels) -> str:
    """Format a value for a reader: list items in a row, a mapping with its keys; truncated if it is long."""
    match node:
        case ScalarNode(value=None):
            return "null"
        case ScalarNode(value=bool()):
            return node.text
        case ScalarNode():
            text = " ".join((labels.say.translate_name(node.text, "word") or '""').split())
        case SequenceNode():
            text = labels.say.join_list(_format_node(item, labels) for item in node.items) or "[]"
        case MappingNode():
            text = labels.say.join_list(f"{e.key.text} {_format_node(e.value, labels)}" for e in node) or "{}"
    return text if len(text) <= _MAX_VALUE_LENGTH else text[: _MAX_VALUE_LENGTH - 3] + "..."


@dataclass(frozen=True, slots=True)
class PathLabels:
    """Formatter of paths in one language: entries by their names, keys in their original spelling."""

    say: Translator
    lang: str

    def split_path(self, section: str, path: tuple[str, ...], nodes: tuple[Node, ...]) -> tuple[str, str]:
        """Return (label, keys): the labels of a path's entries, and the keys below them: ("Green Hill", "height").

        `section`: the kind of document; `nodes`: the nodes at each key of the path.
        """
        names: list[str] = []
        keys: list[str] = []
        for depth, key in enumerate(path):
            if is_container(section, path[:depth]):
                names.append(self.label_entry(key, nodes[depth]))
                keys.clear()
            else:
                keys.append(key)
        return ", ".join(names) or section, "" if keys == ["value"] else " ".join(map(self.say.translate_name, keys))

    def label_entry(self, key: str, node: Node) -> str:
        """Return the label of an entry: "Green Hill (hill)" if it has a name, else its id."""
        label = node.get("name") or node.get("title") if isinstance(node, MappingNode) else None
        if isinstance(label, MappingNode):
            return format_name_with_id(key, self.format_label(label))
        if isinstance(label, ScalarNode) and label.value is not None:
            return format_name_with_id(key, self.say.names.get(key, label.text))
        return self.say.translate_name(key)

    def format_label(self, node: Node | None) -> str:
        """Return the text of a label in the language, else in its first language; '' if it has none."""
        if isinstance(node, MappingNode):
            text = node.get_text(self.lang) or next((e.value.text for e in node if isinstance(e.value, ScalarNode)), "")
        else:
            text = node.text if isinstance(node, ScalarNode) and node.value is not None else ""
        return " ".join(text.split())


def build_path_labels(ruleset: Ruleset, lang: str, say: Translator) -> PathLabels:
    """Return the labels of paths for a ruleset in a language."""
    return PathLabels(add_names(say, ruleset, lang), lang)
