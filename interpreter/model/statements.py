"""The checked rules: every name resolved, every expression typed.

The checker writes it, the compiler and the tools read it. Must not know syntax
nodes or how anything is run. Expressions stand in `nodes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from interpreter.diagnostics.record_walk import records_within
from interpreter.diagnostics.source_text import Span
from interpreter.model.expressions import Comprehension, Core as Core, children as children, is_core as is_core
from interpreter.model.ruleset import Ruleset
from interpreter.model.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class TextTemplate:
    """Words with holes: texts and checked expressions in order."""

    parts: tuple[str | Core, ...]
    span: Span


Cites = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Requirement:
    """A requirement; `witness` is the former (no/any) whose member the words may name."""

    address: str
    test: Core
    words: TextTemplate | None
    cites: Cites
    span: Span
    witness: Comprehension | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Preference:
    """A test ("test") or a measure to be "least" or "most"."""

    sort: str
    value: Core
    words: TextTemplate | None
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Param:
    """A parameter of an option: its domain may use the parameters before it."""

    name: str
    domain: Core
    type: Type
    alike: bool


# --- statements: (sort, parts) records -----------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class SetLocal:
    """A local name takes a value."""

    name: str
    value: Core
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SetAttribute:
    """An attribute of `owner` (None: game-wide, kind "game") takes a value.

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
    """A ladder value moves `by` (+1 or -1) rungs; past the end is a fault unless `if_possible`."""

    kind: str
    name: str
    owner: Core | None
    by: int
    if_possible: bool
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class MovePieces:
    """A piece, or every piece of a set, goes to a place."""

    what: Core
    many: bool
    to: Core
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """if / else if / else."""

    branches: tuple[tuple[Core, Body], ...]
    otherwise: Body | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """sort "for" (var, domain, still), "while" (test), "times" (count)."""

    sort: str
    var: str | None
    head: Core
    still: Core | None
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class RollDice:
    """Dice are thrown, by a side where the rules say so; `count` None gives one number, else a list."""

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
    """Members are drawn from a set by chance, none twice; `count` None gives one member, else a list."""

    name: str
    count: Core | None
    source: Core
    subject: Core | None
    var: str
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ReportEvent:
    """An event happens; its watchers run."""

    event: str
    args: tuple[Core, ...]
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class EndGame:
    """The game ends: drawn (winner None) or won by a seat or a set of seats."""

    winner: Core | None
    level: Core | None
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SkipTo:
    """Leave everything up to the sequence and go on at a phase."""

    phase: str
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CallProcedure:
    """A procedure runs; `var` takes its result. `later`: at the next settling."""

    procedure: str
    args: tuple[Core, ...]
    var: str | None
    later: bool
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SettleNow:
    """What was put off is carried out."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ReturnValue:
    """The procedure ends."""

    value: Core | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class AssertThat:
    """A fault of the ruleset unless the test holds."""

    test: Core
    words: TextTemplate
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class DoTogether:
    """Effects whose expressions are all read before any is applied."""

    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CiteOnly:
    """No effect."""

    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class MatchPart:
    """One arm (name, variable, body) for each result the subject can be; `otherwise` for all others."""

    subject: Core
    arms: tuple[tuple[str, str | None, Body], ...]
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
    """An option of a decision."""

    name: str
    address: str
    params: tuple[Param, ...]
    label: TextTemplate | None
    cites: Cites
    requires: tuple[Requirement, ...]
    prefers: tuple[Preference, ...]
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Decide:
    """A side decides among options. `names` are the locals its expressions may use."""

    name: str
    address: str
    decider: Core
    prompt: TextTemplate | None
    cites: Cites
    alone: bool
    until_done: bool
    choices: tuple[CheckedOption, ...]
    finish: tuple[Requirement, ...]
    otherwise: Body | None
    names: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class DecideDraft:
    """A side builds a draft; `var` takes the finished value. `alone`: its only end takes itself."""

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
    | If
    | Loop
    | RollDice
    | DrawMembers
    | ReportEvent
    | EndGame
    | SkipTo
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
    """A procedure; `setup` and `turn` are procedures without parameters."""

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
    requires: tuple[Requirement, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedLine:
    """A line of a tally: `sign` is 1 or -1."""

    sign: int
    amount: Core
    condition: Core | None
    words: TextTemplate
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedTally:
    """A sum of lines with bounds ("least" | "most", value, cites)."""

    name: str
    params: tuple[tuple[str, Type], ...]
    type: Type
    cites: Cites
    lines: tuple[CheckedLine, ...]
    bounds: tuple[tuple[str, Core, Cites], ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedStep:
    """A step of a draft: what each changed field becomes (field index, value); `because` is why it stops there."""

    name: str
    address: str
    params: tuple[Param, ...]
    now: tuple[tuple[int, Core], ...]
    stops: bool
    stops_if: Core | None
    label: TextTemplate | None
    cites: Cites
    requires: tuple[Requirement, ...]
    prefers: tuple[Preference, ...]
    span: Span
    because: TextTemplate | None = None
    because_cites: Cites = ()


@dataclass(frozen=True, slots=True, eq=False)
class CheckedDraft:
    """A draft: its fields (name, type, start), steps, conditions to finish, what tells offers apart, words of ends."""

    name: str
    params: tuple[tuple[str, Type], ...]
    unordered: bool
    fields: tuple[tuple[str, Type, Core], ...]
    steps: tuple[CheckedStep, ...]
    finish: tuple[Requirement, ...]
    prefers: tuple[Preference, ...]
    offer: tuple[tuple[str, Core], ...]
    cites: Cites
    span: Span
    cheapest: Core | None = None
    ending: TextTemplate | None = None
    staged: bool = False  # somebody reads what was done step by step


@dataclass(frozen=True, slots=True, eq=False)
class CheckedEvent:
    """An event: its parameters and the words for it."""

    name: str
    params: tuple[tuple[str, Type], ...]
    words: TextTemplate | None
    cites: Cites
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedWatcher:
    """What follows an event."""

    event: str
    params: tuple[tuple[str, Type], ...]
    where: Core | None
    cites: Cites
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedModel:
    """The whole ruleset, checked: data and rules. `kept`: names that no author wrote, for what a variant builds on, and
    the author's own name of each."""

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
    kept: dict[str, str] = field(default_factory=dict)


def parts_of(model: CheckedModel, but_for: tuple[str, ...] = ("ruleset",)) -> list[Any]:
    """What a model holds, but for the fields named."""
    return [getattr(model, part.name) for part in fields(model) if part.name not in but_for]


def items_of(model: CheckedModel) -> Iterator[tuple[str, str, Any]]:
    """What the rules declare by name: of which sort ("procedure", "define" ...), its name, and what it is."""
    sorts = ("procedure", "define", "rule", "tally", "draft", "event")
    for sort, held in zip(sorts, ("procedures", "defines", "rules", "tallies", "drafts", "events"), strict=True):
        yield from ((sort, name, item) for name, item in getattr(model, held).items())


def held_in(part: Any) -> Iterable[Any]:
    """What a part of the rules holds right inside: members of tuples, lists and mappings, values of fields."""
    if isinstance(part, dict):
        return part.values()
    if isinstance(part, tuple | list):
        return part
    kind: Any = type(part)
    return [getattr(part, name) for name in _fields_of(kind)]


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    """The names of the fields of a sort of part; none for what is no part of the rules."""
    return tuple(f.name for f in fields(kind)) if kind.__module__ == __name__ else ()


def expressions_in(part: Any, closed: tuple[type, ...] = ()) -> Iterator[Core]:
    """The outermost expressions in a part of the rules, or in several; `closed` sorts of parts are passed over."""
    if is_core(part):
        yield part
    elif not isinstance(part, closed):
        for held in held_in(part):
            yield from expressions_in(held, closed)


def expressions_of(stmt: Stmt) -> Iterator[Core]:
    """The expressions of a statement itself, without those of statements inside it."""
    return expressions_in(tuple(held_in(stmt)), STATEMENTS)


def records_of(model: CheckedModel, but_for: tuple[str, ...] = ("ruleset",)) -> Iterator[Any]:
    """Every record of the rules, in no order that means anything; of the model's fields those named are left out."""
    return records_inside(parts_of(model, but_for))


def records_inside(whole: Any) -> Iterator[Any]:
    """Every record inside a part of the rules, types apart."""
    return records_within(whole, but_for=("span", "type"))
