"""Reconstructed data: what a copy of a shipped ruleset has replaced, what is left, and the cases that depend on it.

A case that depends on reconstructed data is found by trial, not by annotation: it fails, and holds again with the
shipped values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from interpreter.api.loading import FileSource, parse_rules
from interpreter.api.rules import Rules
from interpreter.checker.module_checker import check_rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import build_ruleset
from interpreter.documents.listing import Leaf, list_resolved_values
from interpreter.documents.pipeline import SECTIONS, MergedDocuments, read_trees
from interpreter.documents.target import find_target
from interpreter.files.assets import list_shipped_rulesets
from interpreter.i18n.translator import Translator, mark as _
from interpreter.model.ruleset import Provenance, Ruleset
from interpreter.runtime.program import Program
from interpreter.tools.cases.case_documents import Case, collect_cases
from interpreter.tools.cases.suite import CaseResult, DependentCase, run_case
from interpreter.tools.describe.descriptions import describe_origin
from interpreter.tools.describe.origins import collect_sources, find_source
from interpreter.tools.describe.value_format import format_cites, format_label
from interpreter.tools.diff.value_changes import iter_changed_paths

NOT_DATA = ("source", "note", "cite", "name", "title", "credits", "about", "version", "reconstructed", "text", "help")
_MAX_SINGLE_RESTORES = 24  # entries restored one by one
_Data = dict[str, Any]
_SORTS = ("charts", "values", "map", "pieces", "scenarios", "other")
_HEADINGS = {
    "charts": _("charts:"),
    "values": _("single values:"),
    "map": _("map:"),
    "pieces": _("pieces:"),
    "scenarios": _("scenarios:"),
    "other": _("other data:"),
}
_MAX_SEPARATE_ENTRIES = 6  # entries of one sort above which they share a line
_LANGUAGE_KEYS = ("note", "name", "names", "title", "about", "text", "cite", "source")


@dataclass(frozen=True, slots=True)
class ReplacedData:
    """The reconstructed data that a copy of a shipped ruleset has replaced.

    `target`: the folder of the copy; `trees`: its documents; `shipped`: the documents of the shipped ruleset with the
    same id; `groups`: the paths of the replaced data, by the entry that contains them ("tables.tables.NAME").
    """

    target: str
    trees: MergedDocuments
    shipped: MergedDocuments
    groups: dict[str, tuple[tuple[str, ...], ...]]


def find_replaced_data(target: str) -> ReplacedData | None:
    """Return the reconstructed data that a copy of a shipped ruleset has replaced.

    Returns None if nothing was replaced or if the target is not such a copy.
    """
    read_target = find_target(target, Sink(), checked=False)
    if read_target is None or target in list_shipped_rulesets():
        return None
    own_trees = read_trees(target, Sink())
    name = "" if own_trees is None else own_trees.kinds["ruleset"].get_text("id")
    folder = list_shipped_rulesets().get(name)
    if own_trees is None or folder is None or _is_same_folder(folder, read_target.root):
        return None
    shipped = read_trees(name, Sink())
    if shipped is None:
        return None
    leaves = [leaf for section in list_resolved_values(shipped).values() for leaf in section]
    sources = collect_sources(leaves)
    groups: dict[str, list[tuple[str, ...]]] = {}
    for section in SECTIONS:
        for path in iter_changed_paths(shipped.kinds[section], own_trees.kinds[section], section):
            if not any(key in NOT_DATA for key in path):
                entry, source = find_source(".".join((section, *path)), sources)
                if source == "reconstructed":
                    groups.setdefault(entry, []).append((section, *path))
    return (
        ReplacedData(target, own_trees, shipped, {e: tuple(paths) for e, paths in groups.items()}) if groups else None
    )


def _is_same_folder(folder: Path, other_folder: Path) -> bool:
    try:
        return folder.samefile(other_folder)
    except OSError:
        return False


def restore_data(replaced: ReplacedData, entries: Iterable[str]) -> Rules | None:
    """Return the folder's rules with the shipped data of some entries, or None if the result is invalid.

    `replaced`: the replaced data; `entries`: keys of its groups.
    """
    kinds = dict(replaced.trees.kinds)
    for entry in entries:
        for section, *path in replaced.groups[entry]:
            kinds[section] = kinds[section].copy_with_value(path, replaced.shipped.kinds[section].find_node(path))
    sink = Sink()
    ruleset = build_ruleset(replace(replaced.trees, kinds=kinds), sink)
    modules = None if sink.has_errors else parse_rules(ruleset, sink)
    model = None if modules is None else check_rules(ruleset, modules, sink)
    if model is None or sink.has_errors:
        return None
    # large: only where something is replaced
    from interpreter.backends.python.program_printer import compile_program
    from interpreter.lowering.model_lowering import lower_model

    compiled = compile_program(lower_model(model, explained=True), model)
    return Rules(
        Program(compiled.codes, json.loads(json.dumps(compiled.data))),
        model,
        replaced.target,
        FileSource(replaced.target),
    )


def find_dependent_cases(target: str, failed: Iterable[CaseResult]) -> list[DependentCase]:
    """Return the failed cases of a copied ruleset that depend on data its owner has replaced."""
    ids = [result.case.id for result in failed]
    replaced = find_replaced_data(target) if ids else None
    if replaced is None:
        return []
    restored = restore_data(replaced, replaced.groups)
    cases = {case.id: case for case in collect_cases(target, Sink())}
    resting = [cases[id] for id in ids if restored is not None and id in cases and run_case(cases[id], restored).ok]
    names = (
        _find_entries(replaced, resting)
        if len(replaced.groups) > 1
        else {case.id: tuple(replaced.groups) for case in resting}
    )
    return [DependentCase(case.id, case.title, names.get(case.id) or tuple(replaced.groups)) for case in resting]


def _find_entries(replaced: ReplacedData, cases: list[Case]) -> dict[str, tuple[str, ...]]:
    """Map each case to the entries whose restoration alone makes the case pass again."""
    names: dict[str, tuple[str, ...]] = {}
    for entry in list(replaced.groups)[:_MAX_SINGLE_RESTORES] if cases else ():
        rules = restore_data(replaced, [entry])
        for case in cases:
            if rules is not None and run_case(case, rules).ok:
                names[case.id] = (*names.get(case.id, ()), entry)
    return names


def list_reconstructed(ruleset: Ruleset, listing: Mapping[str, tuple[Leaf, ...]], lang: str = "") -> list[_Data]:
    """Return the entries marked as reconstructed, by sort, with the number and location of their values.

    `listing`: all values of the merged documents by section.
    """
    leaves = [leaf.path for section in listing.values() for leaf in section]
    entries = [
        _describe_entry(path, origin, leaves, ruleset, lang) for path, origin in ruleset.reconstructed if "." in path
    ]
    return sorted(entries, key=lambda e: _SORTS.index(e["sort"]))


def _describe_entry(path: str, origin: Provenance, leaves: list[str], ruleset: Ruleset, lang: str) -> _Data:
    section, name = path.partition(".")[0], path.rpartition(".")[2]
    if path.startswith(("tables.tables.", "activation.orders.")) and name in ruleset.tables:
        table = ruleset.tables[name]
        sort, label, number = "charts", format_label(table.label, lang), len(table.cells)
    else:
        sort = {"tables": "values", "map": "map", "pieces": "pieces", "scenarios": "scenarios"}.get(section, "other")
        label, number = "", sum(1 for leaf in _iter_values(path, leaves))
    return {"sort": sort, "path": path, "id": name, "label": label, "values": number, **describe_origin(origin, lang)}


def _iter_values(path: str, leaves: list[str]) -> Iterator[str]:
    """Yield the paths among `leaves` whose values the entry at `path` marks as reconstructed.

    They are the values inside the entry; for an attribute, its values in the members of the kind.
    """
    kind, parted, attribute = path.rpartition(".attributes.")
    if parted:
        kind_name = kind.partition(".classes.")[0]
        yield from (leaf for leaf in leaves if leaf.startswith(f"{kind_name}.") and _is_value_of(leaf, attribute))
        return
    inside = len(path) + 1
    yield from (
        leaf
        for leaf in leaves
        if leaf.startswith(f"{path}.") and not any(k in _LANGUAGE_KEYS for k in re.split(r"[.\[]", leaf[inside:]))
    )


def _is_value_of(leaf: str, attribute: str) -> bool:
    return leaf.rpartition(".")[2].partition("[")[0] == attribute and ".attributes." not in leaf


def format_todo_list(entries: list[_Data], target: str, say: Translator) -> list[str]:
    """Return lines that list the entries for the author; many similar entries share a line."""
    if not entries:
        return [say("nothing here is reconstructed")]
    lines = [say("to copy from the printed game; then change `source` to printed and remove the note")]
    for sort in _SORTS:
        sort_entries = [e for e in entries if e["sort"] == sort]
        lines += ["", say(_HEADINGS[sort])] if sort_entries else []
        groups: dict[str, list[_Data]] = {}
        for entry in sort_entries:
            groups.setdefault(entry["path"].rpartition(".")[0], []).append(entry)
        for group, members in groups.items():
            if len(members) > _MAX_SEPARATE_ENTRIES:
                lines += _format_group(group, members, say)
            else:
                lines += [line for entry in members for line in _format_entry(entry, target, say)]
    return lines


def _format_group(group: str, members: list[_Data], say: Translator) -> list[str]:
    first_member = members[0]
    names = [e["id"] for e in members]
    listed = say(", ").join(say.translate_name(n) for n in names[:_MAX_SEPARATE_ENTRIES])
    text = say(
        "{group}: {number} entries, from {file}:{line}: {names} and {more} more",
        group=group,
        number=len(members),
        file=first_member["file"],
        line=first_member["line"],
        names=listed,
        more=len(names) - _MAX_SEPARATE_ENTRIES,
    )
    return ["  " + text]


def _format_entry(entry: _Data, target: str, say: Translator) -> list[str]:
    name = say("{name} ({id})", name=entry["label"], id=entry["id"]) if entry["label"] else entry["path"]
    cite = format_cites(entry["cite"])
    place = f"{entry['file']}:{entry['line']}"
    text = (
        say("{name}{cite}: {number} (value|values), {place}", name=name, cite=cite, number=entry["values"], place=place)
        if entry["values"] > 1
        else say("{name}{cite}: {place}", name=name, cite=cite, place=place)
    )
    lines = ["  " + text] + (["    " + entry["note"]] if entry["note"] else [])
    if entry["sort"] == "charts":
        lines.append(f"    grognard table export {target} {entry['id']} {entry['id']}.xlsx")
    return lines
