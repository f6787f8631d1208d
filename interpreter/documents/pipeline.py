"""Pipeline from a target to one merged tree for each kind of document.

This is the last stage in which documents are trees whose names are not resolved.
"""

from __future__ import annotations

import hashlib
import pathlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from interpreter.diagnostics.diagnostic import RulesetError, Sink
from interpreter.diagnostics.source_text import Source
from interpreter.diagnostics.suggestions import did_you_mean, is_number_like
from interpreter.documents.geography.grid import NEEDED as GRID_KEYS, build_grid_plan, normalize_edge_keys
from interpreter.documents.overlays.overlay import BaseWords, Headings, apply_overlay, label_chart_rows
from interpreter.documents.overlays.scenario_layers import add_named_scenario, remove_all_moved_pieces, resolve_extends
from interpreter.documents.reading.chart_text import CHARTS, read_charts
from interpreter.documents.reading.entry_mappings import Path, count_chart_keys
from interpreter.documents.reading.folder import Folder, TextFile, read_folder
from interpreter.documents.reading.merge_files import merge_documents, read_ruleset_documents
from interpreter.documents.reading.tree import EMPTY, MappingEntry, MappingNode
from interpreter.documents.reading.validation import validate
from interpreter.documents.target import ResolvedTarget, Variant, find_target
from interpreter.documents.translations import merge_locales, overlay_locales
from interpreter.documents.values.axes import read_axis
from interpreter.documents.values.context import BuildContext
from interpreter.documents.values.embedded_rules import read_rules_block
from interpreter.documents.values.names import collect_names
from interpreter.i18n.translator import Message, mark as _

SECTIONS = ("ruleset", "rulebook", "map", "pieces", "tables", "ladders", "activation", "victory", "scenarios")


@dataclass(frozen=True, slots=True)
class MergedDocuments:
    """The merged documents; `kinds` has a tree for every section, empty if nothing was written.

    `heads` are the documents of the variants, base first; the last one gives id and title. `rules` are the rules files,
    `changes` the change statements that variants make to them. `content_hash` identifies everything that affects a
    game. `broken` names the kinds with a document that could not be read or had the wrong form. `locales` holds the
    ruleset's translations by language, `folder` is where its files lie.
    """

    kinds: Mapping[str, MappingNode]
    heads: tuple[MappingNode, ...]
    rules: tuple[Source, ...]
    changes: tuple[Source, ...]
    content_hash: str
    locales: Mapping[str, MappingNode]
    broken: frozenset[str] = frozenset()
    folder: pathlib.Path | None = None


def load_trees(target: str) -> MergedDocuments:
    """Read and merge the documents of a target; raise RulesetError if there is nothing to merge."""
    sink = Sink()
    trees = read_trees(target, sink)
    if trees is None:
        raise RulesetError(sink.list_sorted())
    return trees


def read_trees(target: str, sink: Sink) -> MergedDocuments | None:
    """Read, check for form and merge all documents of a target; return None if there is nothing to merge."""
    resolved = find_target(target, sink)
    if resolved is None:
        return None
    folder = read_folder(resolved.root, sink)
    documents, broken = read_ruleset_documents(folder, sink)
    kinds = dict.fromkeys(SECTIONS, EMPTY) | merge_documents(documents, sink)
    kinds |= {section: label_chart_rows(section, kinds[section]) for section in CHARTS}
    changes = []
    locales = merge_locales(documents, sink)
    for variant in resolved.variants:
        faults = sink.number_reported
        locales = overlay_locales(locales, variant.document.root.get_mapping("locale"))
        kinds = _apply_variant(kinds, variant, sink)
        if sink.number_reported > faults:
            broken |= {e.key.text for e in variant.document.root if e.key.text in SECTIONS}
        block = variant.document.root.get("rules")
        source = read_rules_block(block, sink) if block is not None else None
        changes += [source] if source else []
    faults = sink.number_reported
    if resolved.scenario is not None:
        kinds["scenarios"] = add_named_scenario(kinds["scenarios"], resolved.scenario.document.root, sink)
    layers = Sink()
    kinds["scenarios"] = resolve_extends(kinds["scenarios"], layers)
    for fault in layers.items:  # a scenario that cannot be read is not unknown to those that extend it
        if fault.code != "unknown-scenario" or "scenario" not in broken:
            sink.add(fault)
    broken |= {"scenario"} if sink.number_reported > faults else set()
    broken |= _check_merged(kinds, resolved.variants, sink) | _check_grid(kinds["map"], sink)
    return MergedDocuments(
        kinds=kinds,
        heads=tuple(v.document.root for v in resolved.variants),
        rules=tuple(f.source for f in folder.rules),
        changes=tuple(changes),
        content_hash=_compute_digest(folder, resolved),
        locales=locales,
        broken=broken,
        folder=folder.root,
    )


def compute_content_hash(target: str, *, with_display_names: bool = False, sink: Sink | None = None) -> str | None:
    """Return the hash that `read_trees` computes, or None if the target does not exist.

    Cheap: only variants are parsed, nothing is checked. `with_display_names`: include translations and the file names
    used in messages, which do not affect a game. Faults of the files themselves go to `sink`.
    """
    sink = Sink() if sink is None else sink
    resolved = find_target(target, sink, checked=False)
    if resolved is None:
        return None
    return _compute_digest(read_folder(resolved.root, sink), resolved, with_display_names)


def _compute_digest(folder: Folder, target: ResolvedTarget, with_display_names: bool = False) -> str:
    """Return the digest of the files of a target that affect a game.

    `with_display_names`: include translations, and the names of files as messages show them.
    """

    def hash_named_text(file: TextFile, otherwise: str) -> str:
        return file.source.name if with_display_names else otherwise

    digest = hashlib.sha256()
    read = folder.documents + folder.rules + (folder.locales if with_display_names else ())
    files = [(hash_named_text(f, f.inside), f.data) for f in read]
    layers = [
        (f"variant {n} {hash_named_text(v.file, v.file.path.name)}", v.file.data) for n, v in enumerate(target.variants)
    ]
    if target.scenario is not None:
        file = target.scenario.file
        layers.append((f"scenario {hash_named_text(file, file.path.name)}", file.data))
    for name, data in sorted(files) + layers:
        encoded_name = name.encode("utf-8", "surrogateescape")
        digest.update(b"%d %d " % (len(encoded_name), len(data)))
        digest.update(encoded_name + data)
    return digest.hexdigest()


def _apply_variant(kinds: dict[str, MappingNode], variant: Variant, sink: Sink) -> dict[str, MappingNode]:
    """Return the trees by section with the changes of a variant applied."""
    result = dict(kinds)
    # charts last: they refer to the other sections
    for section in sorted(SECTIONS, key=lambda s: s in ("tables", "activation")):
        change = variant.document.root.get(section)
        if isinstance(change, MappingNode):
            change = normalize_edge_keys(change, sink) if section == "map" else change
            change = label_chart_rows(section, read_charts(section, change, sink, kinds[section]), kinds[section])
            below = remove_all_moved_pieces(kinds[section], change) if section == "scenarios" else kinds[section]
            result[section] = apply_overlay(section, below, change, sink, words=_collect_base_words(result, section))
    return result


def _check_merged(kinds: dict[str, MappingNode], variants: tuple[Variant, ...], sink: Sink) -> frozenset[str]:
    """Check the form of the sections that variants have changed; return the kinds of document with an error."""
    changed = {e.key.text for v in variants for e in v.document.root}
    broken = set()
    for section in SECTIONS:
        if section not in changed:
            continue
        if section != "scenarios":
            if not validate(section, kinds[section], sink):
                broken.add(section)
            continue
        for entry in kinds[section]:
            if not (isinstance(entry.value, MappingNode) and validate("scenario", _set_id(entry), sink)):
                broken.add("scenario")
    return frozenset(broken)


def _check_grid(map_: MappingNode, sink: Sink) -> frozenset[str]:
    """Report the required keys that the merged grid lacks; several documents may contribute keys.

    Return {"map"} if any is missing, else an empty set.
    """
    grid = map_.get_mapping("grid")
    missing = [key for key in GRID_KEYS if key not in grid] if grid.entries else []
    for key in missing:
        cure = _("one of the documents of the map must set it")
        sink.add_error(
            "missing-key", _("`grid` lacks the key `{key}`", key=key), map_.entries["grid"].key.span, help=cure
        )
    return frozenset({"map"} if missing else ())


def _set_id(entry: MappingEntry) -> MappingNode:
    tree = entry.value
    assert isinstance(tree, MappingNode)
    return replace(tree, entries={"id": MappingEntry(entry.key, entry.key), **tree.entries}, span=entry.key.span)


def _collect_base_words(kinds: Mapping[str, MappingNode], section: str) -> BaseWords:
    """Return the chart headings and name suggestions of the base for messages about an overlay of a section."""

    def suggest(path: Path, name: str) -> Message:
        if (section, path) != ("map", ("places", "members")) or not is_number_like(name):
            return Message("")
        plan = build_grid_plan(kinds["map"].get_mapping("grid"), Sink())
        spaces = {space.id for space in plan.spaces} if plan else set()
        if name in spaces:
            return _("this space has no entry yet: write `new {name}`", name=name)
        return did_you_mean(name, spaces)

    return BaseWords(build_heading_lookup(kinds, section), suggest)


def build_heading_lookup(kinds: Mapping[str, MappingNode], section: str) -> Headings:
    """Return a function from the path of a chart row to the headings of its last axis; () for any other path.

    `section`: the section of the documents with the charts, a key of `kinds`.
    """
    context = cache(lambda: BuildContext(kinds, collect_names(kinds, Sink()), ("en",), Sink()))

    def find_headings(path: Path) -> tuple[str, ...]:
        axes = list(kinds[section].get_mapping(CHARTS[section]).get_mapping(path[1]).get_mapping("axes"))
        if count_chart_keys(section, path) != len(axes) - 1:
            return ()
        plan = read_axis(axes[-1], context())
        return plan.axis.labels if plan else ()

    return find_headings
