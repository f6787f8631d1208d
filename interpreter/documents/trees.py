"""From a target to one merged tree for each kind of document.

The last stage in which documents are trees. Must not give meaning to names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from interpreter.documents.embedding import read_rules_block
from interpreter.documents.folder import read_folder
from interpreter.documents.gathering import gather
from interpreter.documents.merging import overlay
from interpreter.documents.target import Found, Variant, find_target, read_base
from interpreter.documents.tree import EMPTY, Branch, Entry
from interpreter.documents.validating import validate
from interpreter.source.diagnostic import Sink
from interpreter.source.text import Source

SECTIONS = ("ruleset", "rulebook", "map", "pieces", "tables", "ladders", "activation", "victory", "scenarios")


@dataclass(frozen=True, slots=True)
class Trees:
    """The merged documents. `kinds` has a tree for every section, empty where nothing was written.

    `heads` are the documents of the variants, base first; the last one gives its id and title.
    """

    kinds: Mapping[str, Branch]
    heads: tuple[Branch, ...]
    rules: tuple[Source, ...]
    changes: tuple[Source, ...]
    content_hash: str
    folder: str


def read_trees(target: str, sink: Sink) -> Trees | None:
    """Read, check for form and merge everything a target stands for; None when there is nothing to merge."""
    found = find_target(target, sink)
    if found is None:
        return None
    documents, files, rules = read_base(found.root, sink)
    kinds = {section: EMPTY for section in SECTIONS} | gather(documents, sink)
    changes = []
    for variant in found.variants:
        kinds = _apply(kinds, variant, sink)
        block = variant.document.root.get("rules")
        source = read_rules_block(block, sink) if block is not None else None
        changes += [source] if source else []
    _check_merged(kinds, found.variants, sink)
    return Trees(kinds, tuple(v.document.root for v in found.variants), tuple(f.source for f in rules),
                 tuple(changes), _digest([(f.inside, f.data) for f in files], found), str(found.root))


def content_hash(target: str) -> str | None:
    """The hash that `read_trees` would give, worked out without reading any document but variants' heads."""
    found = find_target(target, Sink())
    if found is None:
        return None
    folder = read_folder(found.root, Sink())
    return _digest([(f.inside, f.data) for f in folder.documents + folder.rules], found)


def _digest(files: Iterable[tuple[str, bytes]], found: Found) -> str:
    digest = hashlib.sha256()
    layers = [(f"variant {n} {v.file.path.name}", v.file.data) for n, v in enumerate(found.variants)]
    for name, data in sorted(files) + layers:
        shown = name.encode("utf-8", "surrogateescape")
        digest.update(b"%d %d " % (len(shown), len(data)))
        digest.update(shown + data)
    return digest.hexdigest()


def _apply(kinds: dict[str, Branch], variant: Variant, sink: Sink) -> dict[str, Branch]:
    result = dict(kinds)
    for section in SECTIONS:
        change = variant.document.root.get(section)
        if isinstance(change, Branch):
            result[section] = overlay(section, kinds[section], change, sink)
    return result


def _check_merged(kinds: dict[str, Branch], variants: tuple[Variant, ...], sink: Sink) -> None:
    """What an overlay wrote or took away may have broken the form of the documents it changed."""
    changed = {e.key.text for v in variants for e in v.document.root}
    for section in SECTIONS:
        if section not in changed:
            continue
        if section != "scenarios":
            validate(section, kinds[section], sink)
            continue
        for entry in kinds[section]:
            if isinstance(entry.value, Branch):
                validate("scenario", _with_id(entry), sink)


def _with_id(entry: Entry) -> Branch:
    tree = entry.value
    assert isinstance(tree, Branch)
    return replace(tree, entries={"id": Entry(entry.key, entry.key), **tree.entries})
