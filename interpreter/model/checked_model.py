"""The checked rules: every name resolved, every expression typed; the items of the rules and the whole model.

Written by the checker, read by the compiler and the tools. Independent of syntax and of execution. Statements are in
`statements`, expressions in `expressions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, NamedTuple

from interpreter.diagnostics.record_walk import iter_records
from interpreter.diagnostics.source_text import Span
from interpreter.model import statements
from interpreter.model.expressions import Core, is_core
from interpreter.model.ruleset import Ruleset
from interpreter.model.statements import (
    STATEMENTS,
    Body,
    CheckedPreference,
    CheckedRequirement,
    Cites,
    Param,
    Stmt,
    TextTemplate,
)
from interpreter.model.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class CheckedProcedure:
    """A procedure; `setup` and `turn` are procedures without parameters.

    `deep`: the maximum depth of its recursion, or None if it does not call itself.
    """

    name: str
    params: tuple[tuple[str, Type], ...]
    result: Type | None
    cites: Cites
    deep: Core | None
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedDefine:
    """A named expression."""

    name: str
    params: tuple[tuple[str, Type], ...]
    type: Type
    cites: Cites
    value: Core
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedRule:
    """A named group of requirements."""

    name: str
    params: tuple[tuple[str, Type], ...]
    cites: Cites
    requires: tuple[CheckedRequirement, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedLine:
    """A line of a tally: an `amount` that is added (`sign` 1) or subtracted (`sign` -1) if `condition` holds.

    `condition`: None for always; `words`: the text of the line for players.
    """

    sign: int
    amount: Core
    condition: Core | None
    words: TextTemplate
    cites: Cites
    span: Span


class TallyBound(NamedTuple):
    """A bound of a tally: its value is the "least" or the "most" that the sum can be."""

    sort: str
    value: Core
    cites: Cites


@dataclass(frozen=True, slots=True, eq=False)
class CheckedTally:
    """A sum of lines, raised or lowered to its bounds."""

    name: str
    params: tuple[tuple[str, Type], ...]
    type: Type
    cites: Cites
    lines: tuple[CheckedLine, ...]
    bounds: tuple[TallyBound, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedStep:
    """A step of a draft.

    `now`: (field index, new value) of each changed field; `stops`: the draft ends after it if `stops_if` holds (None:
    always), and `because` is why.
    """

    name: str
    address: str
    params: tuple[Param, ...]
    now: tuple[tuple[int, Core], ...]
    stops: bool
    stops_if: Core | None
    label: TextTemplate | None
    cites: Cites
    requires: tuple[CheckedRequirement, ...]
    prefers: tuple[CheckedPreference, ...]
    span: Span
    because: TextTemplate | None = None
    because_cites: Cites = ()


class DraftField(NamedTuple):
    """A field of a draft with its value before the first step."""

    name: str
    type: Type
    start: Core


@dataclass(frozen=True, slots=True, eq=False)
class CheckedDraft:
    """A draft: its fields, steps and finish conditions.

    `offer`: (name, value) of the key that distinguishes finished drafts; for equal keys the draft with the least
    `cheapest` is offered. `ending`: the text of a finished draft. `unordered`: the steps may be named in any order.
    `staged`: the rules read the stages of the draft.
    """

    name: str
    params: tuple[tuple[str, Type], ...]
    unordered: bool
    fields: tuple[DraftField, ...]
    steps: tuple[CheckedStep, ...]
    finish: tuple[CheckedRequirement, ...]
    prefers: tuple[CheckedPreference, ...]
    offer: tuple[tuple[str, Core], ...]
    cites: Cites
    span: Span
    cheapest: Core | None = None
    ending: TextTemplate | None = None
    staged: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CheckedEvent:
    """An event: its parameters and its text."""

    name: str
    params: tuple[tuple[str, Type], ...]
    words: TextTemplate | None
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedWatcher:
    """Effects triggered by an event if `where` holds; `params` are the values of the event."""

    event: str
    params: tuple[tuple[str, Type], ...]
    where: Core | None
    cites: Cites
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedModel:
    """The whole ruleset, checked: data and rules.

    `conditions`: the victory conditions by name; `levels`: the condition of each victory level, or None; `score`,
    `evaluation`: the expressions for a seat, or None; `phases`: their names in order. `cited`: for each cited paragraph
    the (item, span) that cite it. `worded`: the texts of documents by key and language. `original_names`: maps the
    generated names of replaced definitions to the author's names.
    """

    ruleset: Ruleset
    procedures: dict[str, CheckedProcedure]
    defines: dict[str, CheckedDefine]
    rules: dict[str, CheckedRule]
    tallies: dict[str, CheckedTally]
    drafts: dict[str, CheckedDraft]
    events: dict[str, CheckedEvent]
    watchers: tuple[CheckedWatcher, ...]
    records: dict[str, tuple[tuple[str, Type], ...]]
    conditions: dict[str, Core]
    levels: tuple[Core | None, ...]
    score: Core | None
    evaluation: Core | None
    views: dict[str, Core]
    phases: tuple[str, ...]
    cited: dict[str, tuple[tuple[str, Span], ...]] = field(default_factory=dict)
    worded: dict[str, dict[str, TextTemplate]] = field(default_factory=dict)
    setup_checks: dict[str, Core] = field(default_factory=dict)
    original_names: dict[str, str] = field(default_factory=dict)


def list_fields(model: CheckedModel, skipped_fields: tuple[str, ...] = ("ruleset",)) -> list[Any]:
    """Return the fields of a model except the named ones."""
    return [getattr(model, part.name) for part in fields(model) if part.name not in skipped_fields]


def iter_items(model: CheckedModel) -> Iterator[tuple[str, str, Any]]:
    """Yield (sort, name, item) for each named item of the rules; sort is "procedure", "define" and so on."""
    sorts = ("procedure", "define", "rule", "tally", "draft", "event")
    for sort, table_name in zip(sorts, ("procedures", "defines", "rules", "tallies", "drafts", "events"), strict=True):
        yield from ((sort, name, item) for name, item in getattr(model, table_name).items())


def list_child_parts(part: object) -> Iterable[Any]:
    """Return the direct parts of a rules object: items of tuples, lists and mappings, or field values."""
    if isinstance(part, dict):
        return part.values()
    if isinstance(part, tuple | list):
        return part
    kind: Any = type(part)
    return [getattr(part, name) for name in _list_field_names(kind)]


@cache
def _list_field_names(kind: type) -> tuple[str, ...]:
    """Return the field names of a class of the statements or of this module; () for any other class."""
    return tuple(f.name for f in fields(kind)) if kind.__module__ in (statements.__name__, __name__) else ()


def iter_expressions_in(part: object, closed: tuple[type, ...] = ()) -> Iterator[Core]:
    """Yield the outermost expressions in one or several parts of the rules, without entering `closed` types."""
    if is_core(part):
        yield part
    elif not isinstance(part, closed):
        for child in list_child_parts(part):
            yield from iter_expressions_in(child, closed)


def iter_expressions_of(stmt: Stmt) -> Iterator[Core]:
    """Yield the expressions of a statement itself, without those of nested statements."""
    return iter_expressions_in(tuple(list_child_parts(stmt)), STATEMENTS)


def iter_model_records(model: CheckedModel, skipped_fields: tuple[str, ...] = ("ruleset",)) -> Iterator[Any]:
    """Yield every record of the rules in unspecified order, except in the named fields of the model."""
    return iter_nested_records(list_fields(model, skipped_fields))


def iter_nested_records(whole: object) -> Iterator[Any]:
    """Yield every record inside a part of the rules, except types."""
    return iter_records(whole, skipped_fields=("span", "type"))
