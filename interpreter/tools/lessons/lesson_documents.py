"""Build the tutorial of a ruleset from its document: steps with texts, highlights, orders and fixed choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Span
from interpreter.documents.learning import label_of, learning_documents
from interpreter.documents.reading.tree import MappingNode, ScalarNode, integer_of, to_plain_data
from interpreter.i18n.translator import mark as _
from interpreter.model.ruleset import Label
from interpreter.tools.cases.case_documents import CaseAnswer, answer_of

_SEED = 1  # of lessons that state none


@dataclass(frozen=True, slots=True)
class Highlight:
    """Something to point out: `kind` is "place", "piece" or "part", `id` names it."""

    kind: str
    id: str
    span: Span


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step of a lesson.

    It is done when the player has pointed at `look`, has given one of `orders`, or, without either, has read it.
    `dice` are the faces of the rolls from the order on; `meanwhile` answers the decisions after it.
    """

    title: Label
    text: Label
    highlights: tuple[Highlight, ...]
    look: Highlight | None
    orders: tuple[CaseAnswer, ...]
    advice: Label
    dice: Mapping[str, Any]
    meanwhile: tuple[CaseAnswer, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Lesson:
    """A tutorial. `begin` is the tree of its position, as a case gives it; `before` is answered before the first step.

    `minutes` is 0 if the document states no duration.
    """

    title: Label
    about: Label
    minutes: int
    seat: str
    begin: MappingNode
    seed: int
    dice: Mapping[str, Any]
    before: tuple[CaseAnswer, ...]
    steps: tuple[LessonStep, ...]
    tree: MappingNode
    span: Span


def read_lesson(target: str, languages: Sequence[str], sink: Sink | None = None) -> Lesson | None:
    """Return the tutorial of a target, or None if it has none; report a second one."""
    sink = Sink() if sink is None else sink
    found: Lesson | None = None
    for document in learning_documents(target, sink):
        if document.kind != "tutorial":
            continue
        span = document.root.entries["kind"].value.span
        if found is not None:
            told = _("there is a second tutorial; a ruleset has one")
            sink.report_duplicate(
                told, span, found.span, _("put the steps into one document, or take one of the two away")
            )
            continue
        found = _lesson(document.root, languages, span)
    return found


def _lesson(tree: MappingNode, languages: Sequence[str], span: Span) -> Lesson:
    seed = integer_of(tree.get("seed"))
    return Lesson(
        title=label_of(tree.get("title"), languages),
        about=label_of(tree.get("about"), languages),
        minutes=integer_of(tree.get("minutes")) or 0,
        seat=tree.text("seat"),
        begin=tree.branch("begin"),
        seed=_SEED if seed is None else seed,
        dice=to_plain_data(tree.branch("dice")),
        before=_answers(tree, "before"),
        steps=tuple(_step(node, languages) for node in tree.items("steps") if isinstance(node, MappingNode)),
        tree=tree,
        span=span,
    )


def _step(tree: MappingNode, languages: Sequence[str]) -> LessonStep:
    look = tree.branch("look")
    title = tree.entries["title"].key.span if "title" in tree else tree.span
    return LessonStep(
        title=label_of(tree.get("title"), languages),
        text=label_of(tree.get("text"), languages),
        highlights=tuple(
            _highlight(node) for node in tree.items("show") if isinstance(node, MappingNode) and node.entries
        ),
        look=_highlight(look) if look.entries else None,
        orders=_answers(tree, "order"),
        advice=label_of(tree.get("other"), languages),
        dice=to_plain_data(tree.branch("dice")),
        meanwhile=_answers(tree, "meanwhile"),
        span=title,
    )


def _highlight(tree: MappingNode) -> Highlight:
    entry = next(iter(tree))
    text = entry.value.text if isinstance(entry.value, ScalarNode) else ""
    return Highlight(entry.key.text, text, entry.value.span)


def _answers(tree: MappingNode, key: str) -> tuple[CaseAnswer, ...]:
    return tuple(answer_of(node) for node in tree.items(key) if isinstance(node, MappingNode) and node.entries)
