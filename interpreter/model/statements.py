"""The checked rules: every name resolved, every expression typed.

Written by the checker, read by the compiler and the tools. Independent of syntax and of execution. Expressions are in
`expressions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, NamedTuple

from interpreter.diagnostics.record_walk import iter_records
from interpreter.diagnostics.source_text import Span
from interpreter.model.expressions import (
    Comprehension,
    Core as Core,
    is_core as is_core,
    list_children as list_children,
)
from interpreter.model.ruleset import Ruleset
from interpreter.model.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class TextTemplate:
    """A text template: texts and checked expressions in order."""

    parts: tuple[str | Core, ...]
    span: Span


Cites = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CheckedRequirement:
    """A requirement of an option, step, rule or end.

    `test`: what must be true; `words`: the message for players when it is not, or None. `witness`: the comprehension
    ("no" or "any") in the test whose member the message may name, or None.
    """

    address: str
    test: Core
    words: TextTemplate | None
    cites: Cites
    span: Span
    witness: Comprehension | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CheckedPreference:
    """A preference among options.

    `sort`: "test" to keep the options for which `value` is true, "least" or "most" to keep those for which it is lowest
    or highest. `words`: the explanation for players, or None.
    """

    sort: str
    value: Core
    words: TextTemplate | None
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Param:
    """A parameter of an option; its domain may use the parameters before it.

    `alike`: it may be an interchangeable piece.
    """

    name: str
    domain: Core
    type: Type
    alike: bool


# --- statements: (sort, parts) records -----------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class SetLocal:
    """An assignment to a local name."""

    name: str
    value: Core
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SetAttribute:
    """An assignment to an attribute of `owner`, or to a game-wide value (`owner` None, `kind` "game").

    `amount` is what a `raise` or `lower` adds (negative for `lower`).
    """

    kind: str
    name: str
    owner: Core | None
    value: Core
    cites: Cites
    span: Span
    amount: Core | None = None


@dataclass(frozen=True, slots=True, eq=False)
class StepRung:
    """A move of a ladder value by `by` (+1 or -1) rungs; past the end is an error unless `if_possible`."""

    kind: str
    name: str
    owner: Core | None
    by: int
    if_possible: bool
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class MovePieces:
    """A move of `what`, a piece, or every piece of a set if `many`, to a place."""

    what: Core
    many: bool
    to: Core
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedIf:
    """An `if` statement: its branches in order, each a test and a body; `otherwise`: the body of `else`, or None."""

    branches: tuple[tuple[Core, Body], ...]
    otherwise: Body | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A loop over members ("for"), as long as a test is true ("while") or a number of times ("times").

    `head`: the collection, the test or the number. `var`: the variable of a "for", else None. `still`: a test,
    or None; a member is skipped if it is false when its turn comes.
    """

    sort: str
    var: str | None
    head: Core
    still: Core | None
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class RollDice:
    """A roll of dice; its result, assigned to `var`, is a list of `count` numbers, or one number if `count` is None.

    `thrower`: the side that rolls, or None; `subject`: the thing it is rolled for, or None.
    """

    name: str
    count: Core | None
    die: str
    thrower: Core | None
    subject: Core | None
    var: str
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class DrawMembers:
    """A random draw from the set `source` without replacement, whose result is assigned to `var`.

    The result is a list of `count` members, or one member if `count` is None. `subject`: the thing for which they are
    drawn, or None.
    """

    name: str
    count: Core | None
    source: Core
    subject: Core | None
    var: str
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ReportEvent:
    """A report of an event, which triggers its watchers."""

    event: str
    args: tuple[Core, ...]
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedEndGame:
    """The end of the game: drawn (winner None) or won by a seat or a set of seats. `level`: the victory level."""

    winner: Core | None
    level: Core | None
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedSkipTo:
    """A jump out of all enclosing blocks up to the sequence of play, which continues at the phase named `phase`."""

    phase: str
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CallProcedure:
    """A call of a procedure; `var` receives its result. `later`: deferred until the next `settle`."""

    procedure: str
    args: tuple[Core, ...]
    var: str | None
    later: bool
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SettleNow:
    """A run of all deferred calls."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ReturnValue:
    """A return from the procedure; `value`: its result, or None."""

    value: Core | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class AssertThat:
    """An assertion: an error of the ruleset is raised unless the test holds."""

    test: Core
    words: TextTemplate
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class DoTogether:
    """A block that evaluates the expressions of all its effects before it applies any."""

    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CiteOnly:
    """A statement without effect that carries citations."""

    cites: Cites
    span: Span


class MatchArm(NamedTuple):
    """A case of a `match`: the name of the part, the variable that receives its number (or None), and the body."""

    name: str
    var: str | None
    body: Body


@dataclass(frozen=True, slots=True, eq=False)
class MatchPart:
    """A branch on the part that a composite result consists of; `otherwise`: the body for all other parts, or None."""

    subject: Core
    arms: tuple[MatchArm, ...]
    otherwise: Body | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class PhaseBlock:
    """A phase of the sequence of play."""

    name: str
    title: TextTemplate | None
    cites: Cites
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedOption:
    """An option of a decision.

    `address`: the name by which variants find it. `params`: its parameters, each with its domain. `label`: its text for
    players, or None. `body`: the statements that carry it out.
    """

    name: str
    address: str
    params: tuple[Param, ...]
    label: TextTemplate | None
    cites: Cites
    requires: tuple[CheckedRequirement, ...]
    prefers: tuple[CheckedPreference, ...]
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Decide:
    """A decision of a side among options.

    `address`: the name by which variants and bots know it. `alone`: a single option is chosen automatically.
    `until_done`: it is repeated until the side ends it, which is legal while all requirements in `finish` hold.
    `otherwise`: what happens if no option is legal, or None. `names`: the locals that its expressions may use.
    """

    name: str
    address: str
    decider: Core
    prompt: TextTemplate | None
    cites: Cites
    alone: bool
    until_done: bool
    choices: tuple[CheckedOption, ...]
    finish: tuple[CheckedRequirement, ...]
    otherwise: Body | None
    names: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class DecideDraft:
    """A decision in which a side builds a draft; `var` receives the finished draft.

    `alone`: a single result is chosen automatically. `names`: the locals that its expressions may use.
    """

    draft: str
    args: tuple[Core, ...]
    decider: Core
    prompt: TextTemplate | None
    alone: bool
    var: str | None
    cites: Cites
    names: tuple[str, ...]
    span: Span


Stmt = (
    SetLocal
    | SetAttribute
    | StepRung
    | MovePieces
    | CheckedIf
    | Loop
    | RollDice
    | DrawMembers
    | ReportEvent
    | CheckedEndGame
    | CheckedSkipTo
    | CallProcedure
    | SettleNow
    | ReturnValue
    | AssertThat
    | DoTogether
    | CiteOnly
    | MatchPart
    | PhaseBlock
    | Decide
    | DecideDraft
)
STATEMENTS: tuple[type, ...] = Stmt.__args__
Body = tuple[Stmt, ...]

# --- items ----------------------------------------------------------------------------------


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
    """Return the field names of a record class of this module; () for any other class."""
    return tuple(f.name for f in fields(kind)) if kind.__module__ == __name__ else ()


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
