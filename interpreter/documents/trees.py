"""From a target to one merged tree for each kind of document.

The last stage in which documents are trees. Must not give meaning to names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from interpreter.documents.geography.grid import NEEDED as GRID_KEYS, plan_grid
from interpreter.documents.geography.sides import with_one_order
from interpreter.documents.overlays.merging import BaseWords, Headings, overlay
from interpreter.documents.overlays.row_labels import with_row_labels
from interpreter.documents.overlays.scenario_layers import all_without_moved, extended, with_named
from interpreter.documents.reading.chart_text import CHARTS, with_charts_read
from interpreter.documents.reading.containers import Path, charts_depth
from interpreter.documents.reading.folder import Folder, TextFile, read_folder
from interpreter.documents.reading.gathering import gather, read_base
from interpreter.documents.reading.tree import EMPTY, Branch, Entry
from interpreter.documents.reading.validating import validate
from interpreter.documents.target import Found, Variant, find_target
from interpreter.documents.translating import gather_locales, lay_over
from interpreter.documents.values.axes import read_axis
from interpreter.documents.values.context import Context
from interpreter.documents.values.embedding import read_rules_block
from interpreter.documents.values.names import collect_names
from interpreter.source.diagnostic import RulesetError, Sink
from interpreter.source.near_numbers import is_number_like
from interpreter.source.suggestion import did_you_mean
from interpreter.source.text import Source
from interpreter.words.speech import Sentence, mark as _

SECTIONS = ("ruleset", "rulebook", "map", "pieces", "tables", "ladders", "activation", "victory", "scenarios")


@dataclass(frozen=True, slots=True)
class Trees:
    """The merged documents. `kinds` has a tree for every section, empty where nothing was written.

    `heads` are the documents of the variants, base first; the last one gives its id and title.
    `broken` names the kinds of document of which one could not be read or had the wrong form.
    `locales` holds what translates the ruleset, by language.
    """

    kinds: Mapping[str, Branch]
    heads: tuple[Branch, ...]
    rules: tuple[Source, ...]
    changes: tuple[Source, ...]
    content_hash: str
    locales: Mapping[str, Branch]
    broken: frozenset[str] = frozenset()


def trees_of(target: str) -> Trees:
    """As `read_trees` gives them; RulesetError where there is nothing to merge."""
    sink = Sink()
    trees = read_trees(target, sink)
    if trees is None:
        raise RulesetError(sink.sorted())
    return trees


def read_trees(target: str, sink: Sink) -> Trees | None:
    """Read, check for form and merge everything a target stands for; None when there is nothing to merge."""
    found = find_target(target, sink)
    if found is None:
        return None
    folder = read_folder(found.root, sink)
    documents, broken = read_base(folder, sink)
    kinds = dict.fromkeys(SECTIONS, EMPTY) | gather(documents, sink)
    kinds |= {section: with_row_labels(section, kinds[section]) for section in CHARTS}
    changes = []
    locales = gather_locales(documents, sink)
    for variant in found.variants:
        faults = len(sink.items)
        locales = lay_over(locales, variant.document.root.branch("locale"))
        kinds = _apply(kinds, variant, sink)
        if len(sink.items) > faults:
            broken |= {e.key.text for e in variant.document.root if e.key.text in SECTIONS}
        block = variant.document.root.get("rules")
        source = read_rules_block(block, sink) if block is not None else None
        changes += [source] if source else []
    faults = len(sink.items)
    if found.scenario is not None:
        kinds["scenarios"] = with_named(kinds["scenarios"], found.scenario.document.root, sink)
    layers = Sink()
    kinds["scenarios"] = extended(kinds["scenarios"], layers)
    for fault in layers.items:  # a scenario that cannot be read is not unknown to those that extend it
        if fault.code != "unknown-scenario" or "scenario" not in broken:
            sink.add(fault)
    broken |= {"scenario"} if len(sink.items) > faults else set()
    broken |= _check_merged(kinds, found.variants, sink) | _check_grid(kinds["map"], sink)
    return Trees(
        kinds=kinds,
        heads=tuple(v.document.root for v in found.variants),
        rules=tuple(f.source for f in folder.rules),
        changes=tuple(changes),
        content_hash=_digest(folder, found),
        locales=locales,
        broken=broken,
    )


def content_hash(target: str, *, as_told: bool = False, sink: Sink | None = None) -> str | None:
    """The hash that `read_trees` would give. Cheap: only variants are parsed, nothing is checked.

    Translations, and what files are called in messages, make no difference to a game and none to its hash, unless
    it is asked `as_told`. What is wrong with the files themselves goes to `sink`.
    """
    sink = Sink() if sink is None else sink
    found = find_target(target, sink, checked=False)
    if found is None:
        return None
    return _digest(read_folder(found.root, sink), found, as_told)


def _digest(folder: Folder, found: Found, as_told: bool = False) -> str:
    def named(file: TextFile, otherwise: str) -> str:
        return file.source.name if as_told else otherwise

    digest = hashlib.sha256()
    read = folder.documents + folder.rules + (folder.locales if as_told else ())
    files = [(named(f, f.inside), f.data) for f in read]
    layers = [(f"variant {n} {named(v.file, v.file.path.name)}", v.file.data) for n, v in enumerate(found.variants)]
    if found.scenario is not None:
        file = found.scenario.file
        layers.append((f"scenario {named(file, file.path.name)}", file.data))
    for name, data in sorted(files) + layers:
        shown = name.encode("utf-8", "surrogateescape")
        digest.update(b"%d %d " % (len(shown), len(data)))
        digest.update(shown + data)
    return digest.hexdigest()


def _apply(kinds: dict[str, Branch], variant: Variant, sink: Sink) -> dict[str, Branch]:
    result = dict(kinds)
    for section in sorted(SECTIONS, key=lambda s: s in ("tables", "activation")):  # charts are read by the others
        change = variant.document.root.get(section)
        if isinstance(change, Branch):
            change = with_one_order(change, sink) if section == "map" else change
            change = with_row_labels(section, with_charts_read(section, change, sink, kinds[section]), kinds[section])
            below = all_without_moved(kinds[section], change) if section == "scenarios" else kinds[section]
            result[section] = overlay(section, below, change, sink, words=_base_words(result, section))
    return result


def _check_merged(kinds: dict[str, Branch], variants: tuple[Variant, ...], sink: Sink) -> frozenset[str]:
    """Check the form of what overlays changed; the kinds in which they broke it."""
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
            if not (isinstance(entry.value, Branch) and validate("scenario", _with_id(entry), sink)):
                broken.add("scenario")
    return frozenset(broken)


def _check_grid(map_: Branch, sink: Sink) -> frozenset[str]:
    """Several documents may say something of one grid: what it must have is looked for when they are together."""
    grid = map_.branch("grid")
    missing = [key for key in GRID_KEYS if key not in grid] if grid.entries else []
    for key in missing:
        sink.error(
            "missing-key",
            _("`grid` lacks the key `{key}`", key=key),
            map_.entries["grid"].key.span,
            help=_("one of the documents of the map must give it"),
        )
    return frozenset({"map"} if missing else ())


def _with_id(entry: Entry) -> Branch:
    tree = entry.value
    assert isinstance(tree, Branch)
    return replace(tree, entries={"id": Entry(entry.key, entry.key), **tree.entries})


def _base_words(kinds: Mapping[str, Branch], section: str) -> BaseWords:
    """What an overlay of a section may be told of the base."""

    def meant(path: Path, name: str) -> Sentence:
        if (section, path) != ("map", ("places", "members")) or not is_number_like(name):
            return Sentence("")
        plan = plan_grid(kinds["map"].branch("grid"), Sink())
        spaces = {space.id for space in plan.spaces} if plan else set()
        if name in spaces:
            return _("nothing is said of this space yet: write `new {name}`", name=name)
        return did_you_mean(name, spaces)

    return BaseWords(chart_headings(kinds, section), meant)


def chart_headings(kinds: Mapping[str, Branch], section: str) -> Headings:
    """For the way to a row: the headings of the last axis; () where no row lies at its end."""
    context = cache(lambda: Context(kinds, collect_names(kinds, Sink()), ("en",), Sink()))

    def headings(path: Path) -> tuple[str, ...]:
        axes = list(kinds[section].branch(CHARTS[section]).branch(path[1]).branch("axes"))
        if charts_depth(section, path) != len(axes) - 1:
            return ()
        plan = read_axis(axes[-1], context())
        return plan.axis.labels if plan else ()

    return headings
