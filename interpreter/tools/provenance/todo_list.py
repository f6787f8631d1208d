"""List what is still reconstructed, in the order to replace it: charts, values, map, pieces and the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from interpreter.documents.listing import Leaf
from interpreter.i18n.translator import Translator, mark as _
from interpreter.model.ruleset import Provenance, Ruleset
from interpreter.tools.describe.descriptions import origin_data
from interpreter.tools.describe.value_format import label_words

Data = dict[str, Any]
_SORTS = ("charts", "values", "map", "pieces", "scenarios", "other")
_HEADINGS = {
    "charts": _("charts:"),
    "values": _("single values:"),
    "map": _("map:"),
    "pieces": _("pieces:"),
    "scenarios": _("scenarios:"),
    "other": _("other data:"),
}
_MANY = 6  # entries of one sort above which they share a line
_LANGUAGE_KEYS = ("note", "name", "names", "title", "about", "text", "cite", "source")


def list_reconstructed(ruleset: Ruleset, listing: Mapping[str, tuple[Leaf, ...]], lang: str = "") -> list[Data]:
    """Return the entries marked as reconstructed, by sort, with the number and location of their values.

    `listing`: all values of the merged documents by section.
    """
    leaves = [leaf.path for section in listing.values() for leaf in section]
    entries = [_entry(path, origin, leaves, ruleset, lang) for path, origin in ruleset.reconstructed if "." in path]
    return sorted(entries, key=lambda e: _SORTS.index(e["sort"]))


def _entry(path: str, origin: Provenance, leaves: list[str], ruleset: Ruleset, lang: str) -> Data:
    section, name = path.partition(".")[0], path.rpartition(".")[2]
    if path.startswith(("tables.tables.", "activation.orders.")) and name in ruleset.tables:
        table = ruleset.tables[name]
        sort, label, number = "charts", label_words(table.label, lang), len(table.cells)
    else:
        sort = {"tables": "values", "map": "map", "pieces": "pieces", "scenarios": "scenarios"}.get(section, "other")
        label, number = "", sum(1 for leaf in _values_of(path, leaves))
    return {"sort": sort, "path": path, "id": name, "label": label, "values": number, **origin_data(origin, lang)}


def _values_of(path: str, leaves: list[str]) -> Iterator[str]:
    """Yield those of the paths `leaves` that the entry at `path` marks: its own, or those of its kind's members.

    An attribute marks the values of its kind's members.
    """
    kind, parted, attribute = path.rpartition(".attributes.")
    if parted:
        whole = kind.partition(".classes.")[0]
        yield from (leaf for leaf in leaves if leaf.startswith(f"{whole}.") and _is_of(leaf, attribute))
        return
    inside = len(path) + 1
    yield from (
        leaf
        for leaf in leaves
        if leaf.startswith(f"{path}.") and not any(k in _LANGUAGE_KEYS for k in re.split(r"[.\[]", leaf[inside:]))
    )


def _is_of(leaf: str, attribute: str) -> bool:
    return leaf.rpartition(".")[2].partition("[")[0] == attribute and ".attributes." not in leaf


def todo_lines(entries: list[Data], target: str, say: Translator) -> list[str]:
    """Return lines that list the entries for the author; many similar entries share a line."""
    if not entries:
        return [say("nothing here is reconstructed")]
    lines = [say("to copy from the printed game; then change `source` to printed and remove the note")]
    for sort in _SORTS:
        own = [e for e in entries if e["sort"] == sort]
        lines += ["", say(_HEADINGS[sort])] if own else []
        groups: dict[str, list[Data]] = {}
        for entry in own:
            groups.setdefault(entry["path"].rpartition(".")[0], []).append(entry)
        for group, members in groups.items():
            if len(members) > _MANY:
                lines += _group_lines(group, members, say)
            else:
                lines += [line for entry in members for line in _one(entry, target, say)]
    return lines


def _group_lines(group: str, members: list[Data], say: Translator) -> list[str]:
    first = members[0]
    names = [e["id"] for e in members]
    shown = say(", ").join(say.name_of(n) for n in names[:_MANY])
    told = say(
        "{group}: {number} entries, from {file}:{line}: {names} and {more} more",
        group=group,
        number=len(members),
        file=first["file"],
        line=first["line"],
        names=shown,
        more=len(names) - _MANY,
    )
    return ["  " + told]


def _one(entry: Data, target: str, say: Translator) -> list[str]:
    name = say("{name} ({id})", name=entry["label"], id=entry["id"]) if entry["label"] else entry["path"]
    cite = f" [{', '.join(entry['cite'])}]" if entry["cite"] else ""
    place = f"{entry['file']}:{entry['line']}"
    told = (
        say("{name}{cite}: {number} (value|values), {place}", name=name, cite=cite, number=entry["values"], place=place)
        if entry["values"] > 1
        else say("{name}{cite}: {place}", name=name, cite=cite, place=place)
    )
    lines = ["  " + told] + (["    " + entry["note"]] if entry["note"] else [])
    if entry["sort"] == "charts":
        lines.append(f"    grognard table export {target} {entry['id']} {entry['id']}.xlsx")
    return lines
