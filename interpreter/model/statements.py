"""The statements of the checked rules, with the requirements and options in them.

The items that contain them are in `checked_model`, expressions in `expressions`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from interpreter.diagnostics.source_text import Span
from interpreter.model.expressions import (
    Comprehension,
    Core as Core,
    is_core as is_core,
    list_children as list_children,
)
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


class CheckedArm(NamedTuple):
    """A case of a `match`: the name of the part, the variable that receives its number (or None), and the body."""

    name: str
    var: str | None
    body: Body


@dataclass(frozen=True, slots=True, eq=False)
class MatchPart:
    """A branch on the part that a composite result consists of; `otherwise`: the body for all other parts, or None."""

    subject: Core
    arms: tuple[CheckedArm, ...]
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
