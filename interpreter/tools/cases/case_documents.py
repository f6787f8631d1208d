"""Read the `cases` documents of a ruleset into `Case` records, each part with its span.

`name_checks` looks names up; `case_runs` runs the cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.documents.learning import read_answer
from interpreter.documents.reading.merge_files import SourceDocument
from interpreter.documents.reading.tree import (
    EMPTY,
    MappingEntry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    to_plain_data,
)
from interpreter.documents.target import read_case_layers
from interpreter.i18n.translator import mark as _
from interpreter.model.answers import CaseAnswer

Sort = Literal["call", "ask", "try", "edit", "go on"]
_SORTS: tuple[Sort, ...] = ("call", "ask", "try", "edit")  # the schema allows one of them in a step


@dataclass(frozen=True, slots=True)
class CaseStep:
    """One step of a case: call a procedure, ask for the value of an expression, try a draft, edit, or go on with play.

    `name` is the procedure, the draft or the text of the expression. `moves` are the steps of a draft to try, `tree` is
    the step as written.
    """

    sort: Sort
    name: str
    args: Mapping[str, Any]
    dice: Mapping[str, Any]
    answers: tuple[CaseAnswer, ...]
    moves: tuple[str, ...]
    tree: MappingNode
    span: Span


@dataclass(frozen=True, slots=True)
class Case:
    """A case: a test of a ruleset.

    `rules`: the paragraphs it tests; `uses`: the names of the data on which its numbers depend. `scenario`, `options`:
    how its game starts; `is_empty`: the setup is not run; `prepare`: the procedures to run before the steps. `given`,
    `then`: the position before the steps and the expectations after them, as written; `tree`: the whole case as
    written.
    """

    id: str
    title: str
    rules: tuple[str, ...]
    uses: tuple[str, ...]
    scenario: str | None
    options: Mapping[str, Any]
    is_empty: bool
    prepare: tuple[str, ...]
    given: MappingNode
    steps: tuple[CaseStep, ...]
    then: MappingNode
    tree: MappingNode
    span: Span


@dataclass(frozen=True, slots=True)
class RetiredCase:
    """A case of the base that a variant replaces or retires, with the reason.

    `file` and `line` locate the entry in the variant.
    """

    id: str
    title: str
    is_replaced: bool
    because: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class CaseBook:
    """The active cases of a target, and the cases of its base that it replaces or retires."""

    cases: tuple[Case, ...]
    set_aside: tuple[RetiredCase, ...]


@dataclass(frozen=True, slots=True)
class CaseFault:
    """An error in a case or a failed expectation, with the span that states it.

    `figure`: a tuple with the actual value if another value was expected, None for any other error.
    """

    message: str
    span: Span
    figure: tuple[Any] | None = None


def collect_cases(target: str, sink: Sink, case_id: str = "") -> list[Case]:
    """Return all active cases of a target, by file and source order.

    `case_id`: the id of a case; if given, cases with other ids may be left out.
    """
    return list(read_case_book(target, sink, case_id).cases)


def read_case_book(target: str, sink: Sink, case_id: str = "") -> CaseBook:
    """Read the cases of a target; a variant may replace or retire cases of its base if it gives a reason.

    Reports to `sink` an id that occurs twice in one layer, and an id to be retired that does not exist. `case_id`: see
    `collect_cases`.
    """
    base_cases: dict[str, Case] = {}
    retired: list[RetiredCase] = []
    positions: dict[str, MappingNode] = {}
    for layer in read_case_layers(target, sink, case_id):
        positions |= _collect_positions(layer, sink)
        spans: dict[str, Span] = {}
        layer_cases: list[Case] = []
        for document in layer:
            reason = _read_title(document.root.get("because"))
            for entry in document.root.get_mapping("cases"):
                name, tree = entry.key.text, entry.value if isinstance(entry.value, MappingNode) else None
                entry_reason = reason if tree is None else _read_title(tree.get("because")) or reason
                claims = tree is None or "because" in tree
                if name in spans:
                    text = _("the case `{case}` is defined twice", case=name)
                    sink.report_duplicate(text, entry.key.span, spans[name], _("give it another id"))
                    continue
                spans[name] = entry.key.span
                old = base_cases.pop(name, None)
                if old is not None or claims:
                    retired += _read_retired(entry, old, entry_reason, base_cases, sink)
                if tree is not None:
                    layer_cases.append(_build_case(entry, positions, sink))
        base_cases |= {case.id: case for case in layer_cases}
    return CaseBook(tuple(base_cases.values()), tuple(retired))


def _read_retired(
    entry: MappingEntry, old: Case | None, because: str, cases_by_id: Mapping[str, Case], sink: Sink
) -> list[RetiredCase]:
    name, span, is_replaced = entry.key.text, entry.key.span, isinstance(entry.value, MappingNode)
    if old is None:
        text = (
            _("the base has no case `{name}` to replace", name=name)
            if is_replaced
            else _("the base has no case `{name}` to retire", name=name)
        )
        cure = _("remove `because` from a new case") if is_replaced else ""
        sink.add_error("unknown-case", text, span, help=did_you_mean(name, cases_by_id) or cure)
        return []
    if not because:
        text = _("the base also has a case `{name}`, and nothing says why it no longer applies", name=name)
        cure = _("write `because:` in the case or at the head of the document; if the case is new, give it another id")
        sink.add_error("missing-reason", text, span, help=cure, related=(Related(_("the case of the base"), old.span),))
    return [RetiredCase(name, old.title, is_replaced, because, span.file, span.line)]


def parse_cases(document: SourceDocument) -> list[Case]:
    """Return the cases of one document that has passed the schema check."""
    positions = _collect_positions([document], Sink())
    cases = [entry for entry in document.root.get_mapping("cases") if isinstance(entry.value, MappingNode)]
    return [_build_case(entry, positions, Sink()) for entry in cases]


def _collect_positions(documents: Iterable[SourceDocument], sink: Sink) -> dict[str, MappingNode]:
    """Return the named positions that cases share, by name; report to `sink` a name that occurs twice."""
    positions: dict[str, MappingEntry] = {}
    for document in documents:
        for entry in document.root.get_mapping("positions"):
            if entry.key.text in positions:
                text = _("two positions have the name `{name}`", name=entry.key.text)
                sink.report_duplicate(
                    text, entry.key.span, positions[entry.key.text].key.span, _("give it another name")
                )
            else:
                positions[entry.key.text] = entry
    return {name: entry.value for name, entry in positions.items() if isinstance(entry.value, MappingNode)}


def _merge_given(tree: MappingNode, positions: Mapping[str, MappingNode], sink: Sink) -> MappingNode:
    """Return `tree`, the `given` of a case, merged over the position that it names with `like`, recursively.

    `positions`: the named positions that cases share. Reports to `sink` an unknown position or one based on itself.
    """
    layers: list[MappingNode] = []
    seen: set[str] = set()
    while isinstance(node := tree.get("like"), ScalarNode):
        layers.append(tree.copy_without("like"))
        below = positions.get(node.text)
        if below is None or node.text in seen:
            text = (
                _("unknown position `{name}`", name=node.text)
                if below is None
                else _("the position `{name}` is based on itself", name=node.text)
            )
            cure = did_you_mean(node.text, positions) or _("positions belong under `positions:` in a document of cases")
            sink.add_error("unknown-name", text, node.span, help=cure)
            break
        seen.add(node.text)
        tree = below
    else:
        layers.append(tree)
    merged = layers.pop()
    while layers:
        merged = _merge_case(merged, layers.pop())
    return merged


def _merge_case(base: MappingNode, overriding: MappingNode) -> MappingNode:
    """Return `overriding` merged over `base`: inner mappings are merged recursively, other values are replaced."""
    entries = dict(base.entries)
    for key, entry in overriding.entries.items():
        old = entries.get(key)
        if old is not None and isinstance(old.value, MappingNode) and isinstance(entry.value, MappingNode):
            entries[key] = MappingEntry(entry.key, _merge_case(old.value, entry.value))
        else:
            entries[key] = entry
    return MappingNode(entries, overriding.span)


def _build_case(entry: MappingEntry, positions: Mapping[str, MappingNode], sink: Sink) -> Case:
    tree = entry.value if isinstance(entry.value, MappingNode) else EMPTY
    given = _merge_given(tree.get_mapping("given"), positions, sink)
    return Case(
        id=entry.key.text,
        title=_read_title(tree.get("title")),
        rules=tuple(n.text for n in tree.list_scalars("rules")),
        uses=tuple(n.text for n in tree.list_scalars("uses")),
        scenario=given.get_text("scenario") or None,
        options=_read_options(given.get("options")),
        is_empty=(given.get_text("position") or ("empty" if "pieces" in given else "start")) == "empty",
        prepare=tuple(n.text for n in given.list_scalars("prepare")),
        given=given,
        steps=tuple(_build_step(node) for node in tree.list_nodes("when") if isinstance(node, MappingNode)),
        then=tree.get_mapping("then"),
        tree=tree,
        span=entry.key.span,
    )


def _read_title(node: Node | None) -> str:
    if isinstance(node, MappingNode):
        node = next((e.value for e in node), None)
    return node.text if isinstance(node, ScalarNode) else ""


def _read_options(node: Node | None) -> dict[str, Any]:
    if isinstance(node, SequenceNode):
        return {item.text: True for item in node.items if isinstance(item, ScalarNode)}
    return dict(to_plain_data(node)) if isinstance(node, MappingNode) else {}


def _build_step(tree: MappingNode) -> CaseStep:
    sort: Sort = next((sort for sort in _SORTS if sort in tree), "go on")
    return CaseStep(
        sort,
        tree.get_text(sort),
        to_plain_data(tree.get_mapping("args")),
        to_plain_data(tree.get_mapping("dice")),
        tuple(read_answer(node) for node in tree.list_nodes("choices") if isinstance(node, MappingNode)),
        tuple(n.text for n in tree.list_scalars("steps")),
        tree,
        tree.span,
    )
