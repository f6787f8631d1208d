"""Read two targets and compare them part by part; return every difference as data and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from interpreter.api.loading import parse_rules
from interpreter.diagnostics.diagnostic import Diagnostic, RulesetError, Sink
from interpreter.diagnostics.source_text import NOWHERE
from interpreter.documents.building.ruleset_builder import build_ruleset
from interpreter.documents.pipeline import MergedDocuments, read_trees
from interpreter.documents.reading.tree import MappingNode
from interpreter.i18n.translator import ENGLISH, Translator, mark as _
from interpreter.language.syntax import Item
from interpreter.model.ruleset import Ruleset
from interpreter.tools.diff.chart_changes import iter_chart_changes
from interpreter.tools.diff.difference import Difference, Part
from interpreter.tools.diff.rule_changes import iter_rule_changes
from interpreter.tools.diff.value_changes import build_path_labels, iter_value_changes

_HEADINGS: dict[Part, str] = {
    "values": _("in the documents:"),
    "charts": _("in the charts:"),
    "rules": _("in the rules:"),
    "translations": _("in the translations:"),
    "cases": _("in the cases:"),
}


def compare(
    before: RulesetSnapshot, now: RulesetSnapshot, lang: str = "", say: Translator = ENGLISH
) -> list[Difference]:
    """Return every difference between two rulesets except their cases: documents, charts, rules, translations."""
    labels = build_path_labels(now.ruleset, lang, say)
    differences = list(iter_value_changes(before.trees.kinds, now.trees.kinds, labels))
    differences += iter_chart_changes(before.ruleset, now.ruleset, labels.say, lang, now.trees.kinds)
    if before.items is not None and now.items is not None:
        differences += iter_rule_changes(before.items, now.items)
    differences += iter_value_changes(_list_locales(before), _list_locales(now), labels, "translations")
    return differences


def _list_locales(snapshot: RulesetSnapshot) -> dict[str, MappingNode]:
    """Return the translations of a ruleset under the heading "locale LANGUAGE" for each language."""
    return {
        f"locale {language}": MappingNode(
            {k: e for k, e in tree.entries.items() if isinstance(e.value, MappingNode)}, tree.span
        )
        for language, tree in snapshot.trees.locales.items()
    }


def _group_translations(differences: list[Difference]) -> Iterator[Difference]:
    """Yield the differences, with consecutive new translations of one sort merged into one that counts them."""
    for parent, group in groupby(differences, key=_get_translation_list):
        members = list(group)
        if not parent or len(members) == 1:
            yield from members
        else:
            text = _("new in {where}: {number} (translation|translations)", where=parent, number=len(members))
            yield replace(members[0], message=text)


def _get_translation_list(difference: Difference) -> str:
    if difference.part != "translations" or difference.what != "new":
        return ""
    return ".".join(difference.path.split(".")[:2])


def serialize_comparison(differences: Iterable[Difference]) -> list[dict[str, Any]]:
    """Return the differences as plain data, in English."""
    return [_serialize_difference(difference) for difference in differences]


def _serialize_difference(difference: Difference) -> dict[str, Any]:
    data: dict[str, Any] = {
        "part": difference.part,
        "what": difference.what,
        "path": difference.path,
        "words": str(difference.message),
    }
    if difference.what != "new":
        data["was"] = difference.was
    if difference.what != "gone":
        data["is"] = difference.now
    if difference.span is not NOWHERE:
        data |= {"file": difference.span.file, "line": difference.span.line}
    return data


def format_comparison(
    differences: Iterable[Difference], say: Translator = ENGLISH, with_place: bool = True
) -> list[str]:
    """Format the differences under a heading for each part, with file and line if `with_place`."""
    listed = list(differences)
    lines: list[str] = []
    for part, heading in _HEADINGS.items():
        in_part = [difference for difference in listed if difference.part == part]
        lines += [say(heading)] if in_part else []
        for difference in _group_translations(in_part):
            place = (
                f"{difference.span.file}:{difference.span.line}: " if with_place and difference.span.source.text else ""
            )
            lines.append(f"  {place}{say(difference.message)}")
    return lines or [say("no differences")]


@dataclass(frozen=True, slots=True)
class RulesetSnapshot:
    """The contents of one of the two rulesets.

    `items` are its rules with the changes of variants applied, or None if they cannot be read. `faults` are the
    diagnostics of its documents; `is_faulty` says that `check` would report an error.
    """

    target: str
    trees: MergedDocuments
    ruleset: Ruleset
    items: tuple[Item, ...] | None
    faults: tuple[Diagnostic, ...]
    is_faulty: bool


def read_snapshot(target: str) -> RulesetSnapshot:
    """Read everything a comparison needs of a target. Raises RulesetError if its documents cannot be read."""
    sink = Sink()
    trees = read_trees(target, sink)
    if trees is None:
        raise RulesetError(sink.list_sorted())
    ruleset = build_ruleset(trees, sink)
    if trees.broken:
        raise RulesetError(sink.list_errors() or sink.list_sorted())
    faults = sink.list_sorted()
    modules = parse_rules(ruleset, sink)
    items = None if modules is None else tuple(item for module in modules for item in module.items)
    return RulesetSnapshot(target, trees, ruleset, items, faults, sink.has_errors)
