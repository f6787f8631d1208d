"""Listing of the shipped rulesets, and of a ruleset's merged data with the origin of each value.

Never builds the typed ruleset, so that it is cheap and works for rulesets with faults.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.pipeline import SECTIONS, MergedDocuments
from interpreter.documents.reading.folder import TextFile, read_file, read_folder
from interpreter.documents.reading.merge_files import SourceDocument, find_stated_kind, read_document
from interpreter.documents.reading.tree import EMPTY, MappingNode, Node, ScalarNode, SequenceNode, to_plain_data
from interpreter.documents.target import list_variant_files
from interpreter.files.assets import list_shipped_rulesets


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of the merged documents: a path like "map.places.members.hill.sort", its value, file and line."""

    path: str
    value: None | bool | int | str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Shipped:
    """A shipped ruleset, with its titles in one language.

    `scenarios`, `variants`, `options`: the title of each by id; `folder`: the path of its folder.
    """

    id: str
    title: str
    scenarios: dict[str, str]
    variants: dict[str, str]
    options: dict[str, str]
    folder: str


def list_resolved_values(trees: MergedDocuments) -> dict[str, tuple[Leaf, ...]]:
    """Return for each section of the merged documents all values in order, each with its origin."""
    listing = {}
    for section in SECTIONS:
        leaves: list[Leaf] = []
        _collect_leaves(section, trees.kinds[section], leaves)
        if leaves:
            listing[section] = tuple(leaves)
    return listing


def _collect_leaves(path: str, node: Node, leaves: list[Leaf]) -> None:
    """Append the values in a node to `leaves`; `path`: the path of the node."""
    if isinstance(node, ScalarNode):
        leaves.append(Leaf(path, node.value, node.span.file, node.span.line))
    elif isinstance(node, SequenceNode):
        for n, item in enumerate(node.items):
            _collect_leaves(f"{path}[{n}]", item, leaves)
    else:
        for entry in node:
            _collect_leaves(f"{path}.{entry.key.text}", entry.value, leaves)


def list_shipped(language: str = "") -> list[Shipped]:
    """Return the shipped rulesets by id, reading only the documents needed, unchecked.

    `language`: the language of the titles; a title that lacks this language is in the first one it has.
    """
    return [_load_shipped(name, folder, language) for name, folder in list_shipped_rulesets().items()]


def _load_shipped(name: str, root: Path, language: str) -> Shipped:
    def read_titles(documents: list[SourceDocument], kind: str) -> dict[str, str]:
        heads = [document.root for document in documents if document.kind == kind]
        return {head.get_text("id"): _read_title(head, head.get_text("id"), language) for head in heads}

    documents = [d for f in read_folder(root, Sink()).documents if (d := _read_head(f, ("ruleset", "scenario")))]
    files = [f for p in list_variant_files(root) if (f := read_file(root, p.relative_to(root).as_posix(), Sink()))]
    variants = [d for f in files if (d := _read_head(f, ("variant",)))]
    ruleset = next((d.root for d in documents if d.kind == "ruleset"), EMPTY)
    return Shipped(
        name,
        _read_title(ruleset, name, language),
        read_titles(documents, "scenario"),
        read_titles(variants, "variant"),
        {e.key.text: _read_title(e.value, e.key.text, language, "name") for e in ruleset.get_mapping("options")},
        str(root),
    )


def _read_head(file: TextFile, kinds: tuple[str, ...]) -> SourceDocument | None:
    return read_document(file.source, Sink()) if find_stated_kind(file.source) in kinds else None


def _read_title(tree: Node, otherwise: str, language: str, key: str = "title") -> str:
    node = tree.get(key) if isinstance(tree, MappingNode) else None
    if isinstance(node, MappingNode):
        titles = {key: str(title) for key, title in to_plain_data(node).items()}
        return titles.get(language) or next(iter(titles.values()), "")
    return node.text if isinstance(node, ScalarNode) and node.text else otherwise
