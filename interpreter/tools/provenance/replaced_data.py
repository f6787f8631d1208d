"""Find the reconstructed data that a copy of a shipped ruleset has replaced, and restore some of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from interpreter.api.loading import parse_rules
from interpreter.api.rules import Rules
from interpreter.checker.module_checker import check_rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import build_ruleset
from interpreter.documents.listing import resolved_listing
from interpreter.documents.pipeline import SECTIONS, Trees, read_trees
from interpreter.documents.target import find_target
from interpreter.files.assets import shipped_rulesets
from interpreter.runtime.program import Program
from interpreter.tools.describe.origins import source_of, sources_of
from interpreter.tools.diff.value_changes import changed_paths

NOT_DATA = ("source", "note", "cite", "name", "title", "credits", "about", "version", "reconstructed", "text", "help")


@dataclass(frozen=True, slots=True)
class TypedOver:
    """A folder whose ruleset is a copy of the shipped one with the same id.

    `groups`: the paths of replaced reconstructed data, by the entry that they belong to ("tables.tables.NAME").
    """

    target: str
    trees: Trees
    shipped: Trees
    groups: dict[str, tuple[tuple[str, ...], ...]]


def find_replaced_data(target: str) -> TypedOver | None:
    """Return the reconstructed data that a copy of a shipped ruleset has replaced.

    Returns None if nothing was replaced or if the target is not such a copy.
    """
    found = find_target(target, Sink(), checked=False)
    if found is None or target in shipped_rulesets():
        return None
    own = read_trees(target, Sink())
    name = "" if own is None else own.kinds["ruleset"].text("id")
    folder = shipped_rulesets().get(name)
    if own is None or folder is None or _is_same(folder, found.root):
        return None
    shipped = read_trees(name, Sink())
    if shipped is None:
        return None
    leaves = [leaf for section in resolved_listing(shipped).values() for leaf in section]
    sources = sources_of(leaves)
    groups: dict[str, list[tuple[str, ...]]] = {}
    for section in SECTIONS:
        for path in changed_paths(shipped.kinds[section], own.kinds[section], section):
            if not any(key in NOT_DATA for key in path):
                entry, source = source_of(".".join((section, *path)), sources)
                if source == "reconstructed":
                    groups.setdefault(entry, []).append((section, *path))
    return TypedOver(target, own, shipped, {e: tuple(paths) for e, paths in groups.items()}) if groups else None


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def restore_data(found: TypedOver, entries: Iterable[str]) -> Rules | None:
    """Return the folder's rules with the shipped data of some entries, or None if the result is invalid.

    `found`: the replaced data; `entries`: keys of its groups.
    """
    kinds = dict(found.trees.kinds)
    for entry in entries:
        for section, *path in found.groups[entry]:
            kinds[section] = kinds[section].with_value(path, found.shipped.kinds[section].at(path))
    sink = Sink()
    ruleset = build_ruleset(replace(found.trees, kinds=kinds), sink)
    modules = None if sink.has_errors else parse_rules(ruleset, sink)
    model = None if modules is None else check_rules(ruleset, modules, sink)
    if model is None or sink.has_errors:
        return None
    from interpreter.backends.python.program_printer import print_model  # large: only where something is replaced

    compiled = print_model(model)
    return Rules(Program(compiled.codes, json.loads(json.dumps(compiled.data))), model, found.target)
