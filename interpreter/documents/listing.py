"""What there is: the shipped rulesets, and the merged data of one with where each value stands.

Must not build the typed ruleset: listing must be cheap and must work on rulesets with faults.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from interpreter.documents.reading.folder import TextFile, read_file, read_folder
from interpreter.documents.reading.gathering import Document, read_document
from interpreter.documents.reading.tree import Branch, Listing, Node, Scalar, plain
from interpreter.documents.target import variant_files
from interpreter.documents.trees import SECTIONS, Trees
from interpreter.files.assets import shipped_rulesets
from interpreter.source.diagnostic import Sink

_KIND = re.compile(r"^\ufeff?kind:[ \t]*([a-z]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of the merged documents: "map.places.members.hill.sort", its value, file and line."""

    path: str
    value: None | bool | int | str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Shipped:
    """A shipped ruleset. Titles are labels or texts as written; options give their default."""

    id: str
    title: str | dict[str, str]
    scenarios: dict[str, str | dict[str, str]]
    variants: dict[str, str | dict[str, str]]
    options: dict[str, str | dict[str, str]]
    folder: str


def resolved_listing(trees: Trees) -> dict[str, tuple[Leaf, ...]]:
    """For each section of the merged documents all its values in order, each with its origin."""
    listing = {}
    for section in SECTIONS:
        leaves: list[Leaf] = []
        _leaves(section, trees.kinds[section], leaves)
        if leaves:
            listing[section] = tuple(leaves)
    return listing


def _leaves(path: str, node: Node, leaves: list[Leaf]) -> None:
    if isinstance(node, Scalar):
        leaves.append(Leaf(path, node.value, node.span.file, node.span.line))
    elif isinstance(node, Listing):
        for n, item in enumerate(node.items):
            _leaves(f"{path}[{n}]", item, leaves)
    else:
        for entry in node:
            _leaves(f"{path}.{entry.key.text}", entry.value, leaves)


def list_shipped() -> list[Shipped]:
    """The shipped rulesets by id. Reads only the documents it needs, and does not check them."""
    return [_shipped(name, folder) for name, folder in shipped_rulesets().items()]


def _shipped(name: str, root: Path) -> Shipped:
    documents = [d for f in read_folder(root, Sink()).documents if (d := _head(f, ("ruleset", "scenario")))]
    files = [f for p in variant_files(root) if (f := read_file(root, p.relative_to(root).as_posix(), Sink()))]
    variants = [d for f in files if (d := _head(f, ("variant",)))]
    ruleset = next((d.root for d in documents if d.kind == "ruleset"), None)
    options = ruleset.branch("options") if ruleset else Branch({}, documents[0].root.span) if documents else None
    return Shipped(
        name,
        _title(ruleset, name) if ruleset else name,
        _titles(documents, "scenario"),
        _titles(variants, "variant"),
        {e.key.text: _title(e.value, e.key.text, "name") for e in options} if options else {},
        str(root),
    )


def _head(file: TextFile, kinds: tuple[str, ...]) -> Document | None:
    kind = _KIND.search(file.source.text)
    return read_document(file.source, Sink()) if kind and kind[1] in kinds else None


def _titles(documents: list[Document], kind: str) -> dict[str, str | dict[str, str]]:
    return {d.root.text("id"): _title(d.root, d.root.text("id")) for d in documents if d.kind == kind}


def _title(tree: Node, otherwise: str, key: str = "title") -> str | dict[str, str]:
    node = tree.get(key) if isinstance(tree, Branch) else None
    if isinstance(node, Branch):
        return {str(k): str(v) for k, v in plain(node).items()}
    return node.text if isinstance(node, Scalar) and node.text else otherwise
