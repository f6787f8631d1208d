"""Syntax of statements: the bodies of procedures, options and watchers.

Nodes are immutable and compare by identity. Must not know what names mean.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.syntax.expressions import Cite, Expr, Former, Template
from interpreter.source.text import Span


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Statements in order."""

    items: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """A named stretch of the sequence of play."""

    name: str
    title: Template | None
    cites: tuple[Cite, ...]
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """`let name = value`."""

    name: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """`set`, `raise ... by`, `lower ... by`: `op` is "set", "raise" or "lower"."""

    op: str
    target: Expr
    value: Expr
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class RungMove:
    """`advance` or `drop` a ladder value by one rung."""

    op: str
    target: Expr
    if_possible: bool
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """`move pieces to place`."""

    what: Expr
    to: Expr
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Some:
    """`some var in domain where condition` (a former) or `some var = value`: a test that names what it finds."""

    var: str
    value: Expr | Former
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """Branches in order, each a test and a block; `otherwise` last."""

    branches: tuple[tuple[Expr | Some, Block], ...]
    otherwise: Block | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """`for var in domain`; `still` is tested again before each turn."""

    var: str
    domain: Expr
    still: Expr | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """`while test`."""

    test: Expr
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """`repeat n times`."""

    count: Expr
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """`roll name: count of die by thrower for subject -> var`; without a count the result is one number."""

    name: str
    count: Expr | None
    die: str
    thrower: Expr | None
    subject: Expr | None
    var: str
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """`draw name: count of set for subject -> var`; without a count the result is one member."""

    name: str
    count: Expr | None
    source: Expr
    subject: Expr | None
    var: str
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """`report event(args)`."""

    event: str
    args: tuple[Expr, ...]
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class EndGame:
    """`end game drawn as level` (winner None) or `end game won by winner as level`."""

    winner: Expr | None
    level: Expr | None
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Skip:
    """`skip to phase`."""

    phase: str
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Later:
    """`later procedure(args)`."""

    procedure: str
    args: tuple[Expr, ...]
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Settle:
    """`settle`: carry out what was put off."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """`return value`."""

    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Assert:
    """`assert test "words"`: what must hold; a failure is a fault of the ruleset."""

    test: Expr
    words: Template
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Effects whose expressions are all read before any is applied."""

    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Nothing:
    """`nothing`: a statement without effect, to cite a rule that forbids or leaves things alone."""

    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """An arm of `match`: a result's name, the variable for its number, what to do."""

    name: str
    var: str | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """`match part`: one arm for every result the table can give."""

    subject: Expr
    arms: tuple[Arm, ...]
    otherwise: Block | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CallStatement:
    """A call of a procedure, or of a draft decided `by` a side (`alone`: its only end takes itself).

    `var` takes what it returns.
    """

    name: str
    args: tuple[Expr, ...]
    decider: Expr | None
    prompt: Template | None
    alone: bool
    var: str | None
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Require:
    """A requirement: `name` is its address, `words` what a player is told."""

    name: str | None
    test: Expr
    words: Template | None
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Prefer:
    """A preference: a test (extreme None) or a measure to be least or most."""

    extreme: str | None
    test: Expr
    words: Template | None
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """`name in domain`."""

    name: str
    domain: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceOption:
    """An option of a decision: parameters, requirements, preferences, effects."""

    name: str
    parameters: tuple[Parameter, ...]
    label: Template | None
    cites: tuple[Cite, ...]
    requires: tuple[Require, ...]
    prefers: tuple[Prefer, ...]
    body: Block | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Choose:
    """A decision of a side among options."""

    name: str
    decider: Expr
    prompt: Template | None
    cites: tuple[Cite, ...]
    alone: bool
    until_done: bool
    options: tuple[ChoiceOption, ...]
    finish: tuple[Require, ...]
    otherwise: Block | None
    otherwise_cites: tuple[Cite, ...]
    span: Span


Statement = (
    Phase
    | Let
    | Assign
    | RungMove
    | Move
    | If
    | For
    | While
    | Times
    | Roll
    | Draw
    | Report
    | EndGame
    | Skip
    | Later
    | Settle
    | Return
    | Assert
    | Together
    | Nothing
    | Match
    | CallStatement
    | Choose
)
