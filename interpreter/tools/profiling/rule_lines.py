"""Index of the rules by line: every define, requirement, option, decision, step and line of a tally."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from interpreter.diagnostics.record_walk import iter_records
from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import mark as _
from interpreter.model import statements as c
from interpreter.model.checked_model import CheckedModel, CheckedStep
from interpreter.model.expressions import SHAPES

SORTS = {
    "define": _("define"),
    "tally": _("tally"),
    "rule": _("rule"),
    "procedure": _("procedure"),
    "draft": _("draft"),
    "watcher": _("watcher"),
    "decision": _("decision"),
    "option": _("option"),
    "step": _("step of a draft"),
    "requirement": _("requirement"),
    "line": _("line of a tally"),
    "evaluation": _("evaluation"),
    "condition": _("condition"),
    "view": _("view"),
}
_DEPTHS = {"requirement": 0, "line": 1, "step": 2, "option": 3, "decision": 4}  # sorts nested in other items


@dataclass(frozen=True, slots=True)
class RuleItem:
    """An item written by an author, with its lines; `node` is its checked form.

    `name` is the internal name; `title` is the author's name, which differs if a variant replaces the item.
    """

    sort: str
    name: str
    title: str
    file: str
    first: int
    last: int
    node: Any

    @property
    def place(self) -> str:
        """Return the file and first line of the item, as FILE:LINE."""
        return f"{self.file}:{self.first}"


def list_items(model: CheckedModel) -> tuple[RuleItem, ...]:
    """Return every item of the rules, and the conditions, views and evaluation of the documents, by file and line."""
    items: list[RuleItem] = []
    nodes_by_sort: tuple[tuple[str, Any], ...] = (
        ("define", model.defines.values()),
        ("tally", model.tallies.values()),
        ("rule", model.rules.values()),
        ("procedure", model.procedures.values()),
        ("draft", model.drafts.values()),
    )
    for sort, nodes in nodes_by_sort:
        items += [_build_item_at(sort, node.name, node.span, node) for node in nodes]
    items += [_build_item_at("watcher", node.event, node.span, node) for node in model.watchers]
    items += list(_iter_inner_items(model))
    victory = model.ruleset.victory
    embedded = [("condition", name, e.span) for name, e in victory.conditions.items()]
    embedded += [("view", name, view.value.span) for name, view in model.ruleset.views.items()]
    if victory.evaluation is not None:
        embedded.append(("evaluation", "evaluation", victory.evaluation.span))
    if victory.score is not None:
        embedded.append(("evaluation", "score", victory.score.span))
    items += [_build_item_at(sort, name, span, None) for sort, name, span in embedded]
    items = [replace(i, title=_format_address(i.name, model)) for i in items]
    return tuple(sorted((i for i in items if i.file), key=lambda i: (i.file, i.first, i.last, i.sort, i.name)))


def _format_address(address: str, model: CheckedModel) -> str:
    first, dot, key = address.partition(".")
    return model.original_names.get(first, first) + dot + key


def find_item_at(items: Sequence[RuleItem], file: str, line: int) -> RuleItem | None:
    """Return the innermost item whose lines contain this line of the file, or None."""
    around = [item for item in items if item.file == file and item.first <= line <= item.last]
    return min(around, key=lambda i: (_DEPTHS.get(i.sort, len(_DEPTHS)), i.last - i.first), default=None)


def _iter_inner_items(model: CheckedModel) -> Iterator[RuleItem]:
    """Yield the items inside other items: requirements, decisions, options, steps and tally lines."""
    roots = (
        *model.procedures.values(),
        *model.rules.values(),
        *model.drafts.values(),
        *model.watchers,
        *model.tallies.values(),
    )
    for node in iter_records(roots, closed=SHAPES):
        match node:
            case c.CheckedRequirement():
                yield _build_item_at("requirement", node.address, node.span, node)
            case c.Decide():
                yield _build_item_at("decision", node.name, node.span, node)
            case c.DecideDraft():
                yield _build_item_at("decision", node.draft, node.span, node)
            case c.CheckedOption():
                yield _build_item_at("option", node.address, node.span, node)
            case CheckedStep():
                yield _build_item_at("step", node.address, node.span, node)
    for tally in model.tallies.values():
        for line in tally.lines:
            yield _build_item_at("line", tally.name, line.span, line)


def _build_item_at(sort: str, name: str, span: Span, node: object) -> RuleItem:
    return RuleItem(sort, name, name, span.file, span.line, span.last_line, node)
