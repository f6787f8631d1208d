"""Write the variant file of one point of a design, so that it can be played and kept.

The values are not validated here; the file is checked like any other variant.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.pipeline import MergedDocuments, load_trees
from interpreter.documents.reading.formats import get_newest_format
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode, SequenceNode
from interpreter.documents.reading.yaml_reader import quote_text
from interpreter.documents.target import find_target
from interpreter.files.assets import list_shipped_rulesets
from interpreter.runtime.errors import SetupError

_INDEX = re.compile(r"\[(\d+)\]")
_PLAIN = re.compile(r"[A-Za-z0-9_.+-]{1,60}")
Nested = dict[str, "Nested | str"]  # a text is YAML, inserted verbatim


def load_base_trees(target: str) -> MergedDocuments:
    """Return the documents of a target, merged with those it extends.

    Raises `RulesetError` if they cannot be read, `SetupError` if the target is a scenario file.
    """
    trees, resolved = load_trees(target), find_target(target, Sink())
    if resolved is not None and resolved.scenario is not None:
        raise SetupError("{target} is a scenario; give its ruleset, and the scenario with --scenario", target=target)
    return trees


def build_variant_text(trees: MergedDocuments, target: str, folder: Path, name: str, changes: Mapping[str, str]) -> str:
    """Return the text of a variant of `target`, for a file in `folder`, with values changed by path."""
    extends = target if target in list_shipped_rulesets() else Path(os.path.relpath(target, folder)).as_posix()
    sections: dict[str, Node] = {}
    for path, value in changes.items():
        section, _dot, rest = path.partition(".")
        sections[section] = _set_value(sections.get(section, trees.kinds[section]), rest, value)
    nested: Nested = {}
    for path in changes:
        section, _dot, rest = path.partition(".")
        _add_changed_value(nested, section, sections[section], rest)
    listed = ", ".join(f"{path} = {value}" for path, value in changes.items())
    title = quote_text(listed[:200])
    head = f"kind: variant\nformat: {get_newest_format()}\nid: {name}\ntitle: {title}\nextends: {quote_text(extends)}\n"
    return head + "".join(_format_lines(nested, 0))


def _set_value(tree: Node, rest: str, value: str) -> Node:
    """Return a copy of a tree with the value at the path `rest` replaced."""
    if isinstance(tree, ScalarNode):
        return replace(tree, text=value, style="" if _PLAIN.fullmatch(value) and tree.style in ("", "|", ">") else '"')
    if isinstance(tree, SequenceNode):
        match = _INDEX.match(rest)
        assert match is not None
        number, below = int(match[1]), rest[match.end() :].removeprefix(".")
        items = [_set_value(item, below, value) if n == number else item for n, item in enumerate(tree.items)]
        return SequenceNode(tuple(items), tree.span)
    key = _find_key(tree, rest)
    inner = replace(tree.entries[key], value=_set_value(tree.entries[key].value, _join_path(rest, key), value))
    return MappingNode({**tree.entries, key: inner}, tree.span)


def _add_changed_value(nested: Nested, key: str, tree: Node, rest: str) -> None:
    """Add the entry `key` with the changed value at a path to `nested`, a mapping as text or further mappings.

    `tree`: the changed tree under `key`; `rest`: the path from there to the value. A list on the path is added whole.
    """
    if not isinstance(tree, MappingNode):
        nested[key] = _format_flow(tree)
        return
    inner = nested.setdefault(key, {})
    assert isinstance(inner, dict)
    name = _find_key(tree, rest)
    _add_changed_value(inner, name, tree.entries[name].value, _join_path(rest, name))


def _find_key(tree: MappingNode, rest: str) -> str:
    """Return the key of `tree` with which the path `rest` begins.

    That is the longest that fits, because keys may contain dots.
    """
    return max((k for k in tree.entries if rest == k or rest.startswith((k + ".", k + "["))), key=len)


def _join_path(rest: str, key: str) -> str:
    return rest[len(key) :].removeprefix(".")


def _format_flow(node: Node) -> str:
    """Format a node as YAML on one line."""
    match node:
        case ScalarNode(text=text, style=style):
            return (
                text if style == "" and _PLAIN.fullmatch(text) else "null" if node.value is None else quote_text(text)
            )
        case SequenceNode(items=items):
            return "[" + ", ".join(_format_flow(item) for item in items) + "]"
    return "{" + ", ".join(f"{quote_text(entry.key.text)}: {_format_flow(entry.value)}" for entry in node) + "}"


def _format_lines(nested: Nested, depth: int) -> list[str]:
    """Format nested mappings as lines of YAML; `depth`: their level of indentation."""
    lines = []
    for key, value in nested.items():
        indent = "  " * depth
        name = key if depth == 0 else quote_text(key)
        if isinstance(value, dict):
            lines += [f"{indent}{name}:\n", *_format_lines(value, depth + 1)]
        else:
            lines.append(f"{indent}{name}: {value}\n")
    return lines
