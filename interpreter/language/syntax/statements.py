"""Syntax of statements: the bodies of procedures, options and watchers.

Nodes are immutable and compare by identity. Names are not resolved.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.syntax.expressions import CiteClause, ComprehensionExpr, Expr, NamedNode, SyntaxNode, Template


@dataclass(frozen=True, slots=True, eq=False)
class BlockStmt(SyntaxNode):
    """Statements in order."""

    items: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PhaseStmt(NamedNode):
    """A named section of the sequence of play."""

    title: Template | None
    cites: tuple[CiteClause, ...]
    body: BlockStmt


@dataclass(frozen=True, slots=True, eq=False)
class LetStmt(NamedNode):
    """`let name = value`: define a local constant."""

    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class AssignStmt(SyntaxNode):
    """`set`, `raise ... by`, `lower ... by`: `op` is "set", "raise" or "lower"."""

    op: str
    target: Expr
    value: Expr
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AdvanceStmt(SyntaxNode):
    """`advance target` or `drop target`: move a ladder value up or down by one rung.

    `op`: "advance" or "drop"; `if_possible`: nothing happens at the end of the ladder, instead of an error.
    """

    op: str
    target: Expr
    if_possible: bool
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MoveStmt(SyntaxNode):
    """`move pieces to place`: change where the pieces are."""

    what: Expr
    to: Expr
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SomeTest(SyntaxNode):
    """`some var in domain where condition` or `some var = value`: a test that binds what it finds."""

    var: str
    value: Expr | ComprehensionExpr


@dataclass(frozen=True, slots=True, eq=False)
class IfStmt(SyntaxNode):
    """Branches in order, each a test and a block; `otherwise` last."""

    branches: tuple[tuple[Expr | SomeTest, BlockStmt], ...]
    otherwise: BlockStmt | None


@dataclass(frozen=True, slots=True, eq=False)
class ForStmt(SyntaxNode):
    """`for var in domain`; `still` is tested again before each iteration."""

    var: str
    domain: Expr
    still: Expr | None
    body: BlockStmt


@dataclass(frozen=True, slots=True, eq=False)
class WhileStmt(SyntaxNode):
    """`while test`: repeat a block as long as the test is true."""

    test: Expr
    body: BlockStmt


@dataclass(frozen=True, slots=True, eq=False)
class RepeatStmt(SyntaxNode):
    """`repeat n times`: run a block n times."""

    count: Expr
    body: BlockStmt


@dataclass(frozen=True, slots=True, eq=False)
class RollStmt(NamedNode):
    """`roll name: count of die by thrower for subject -> var`; without a count the result is one number."""

    count: Expr | None
    die: str
    thrower: Expr | None
    subject: Expr | None
    var: str
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DrawStmt(NamedNode):
    """`draw name: count of set for subject -> var`; without a count the result is one member."""

    count: Expr | None
    source: Expr
    subject: Expr | None
    var: str
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ReportStmt(SyntaxNode):
    """`report event(args)`: add a declared event to the log of the game."""

    event: str
    args: tuple[Expr, ...]
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class EndGameStmt(SyntaxNode):
    """`end game drawn as level` (winner None) or `end game won by winner as level`."""

    winner: Expr | None
    level: Expr | None
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SkipStmt(SyntaxNode):
    """`skip to phase`: continue at the beginning of another phase."""

    phase: str
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LaterStmt(SyntaxNode):
    """`later procedure(args)`: defer a call until the next `settle`."""

    procedure: str
    args: tuple[Expr, ...]
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SettleStmt(SyntaxNode):
    """`settle`: run all deferred calls."""


@dataclass(frozen=True, slots=True, eq=False)
class ReturnStmt(SyntaxNode):
    """`return value`: return from the procedure, with a result unless `value` is None."""

    value: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class AssertStmt(SyntaxNode):
    """`assert test "words"`: an invariant; a failure is an error of the ruleset."""

    test: Expr
    words: Template


@dataclass(frozen=True, slots=True, eq=False)
class TogetherStmt(SyntaxNode):
    """`together`: evaluate the expressions of all effects before applying any."""

    body: BlockStmt


@dataclass(frozen=True, slots=True, eq=False)
class NothingStmt(SyntaxNode):
    """`nothing`: a statement without effect, to cite a rule that forbids or changes nothing."""

    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MatchArm(NamedNode):
    """An arm of `match`: a result's name, the variable for its number, and its block."""

    var: str | None
    body: BlockStmt


@dataclass(frozen=True, slots=True, eq=False)
class MatchStmt(SyntaxNode):
    """`match part`: one arm for every result that the table can give; `otherwise`: the block for all other results."""

    subject: Expr
    arms: tuple[MatchArm, ...]
    otherwise: BlockStmt | None


@dataclass(frozen=True, slots=True, eq=False)
class CallStmt(NamedNode):
    """A call of a procedure, or of a draft decided `by` a side.

    `var` receives the result. `alone`: a single result is chosen automatically.
    """

    args: tuple[Expr, ...]
    decider: Expr | None
    prompt: Template | None
    alone: bool
    var: str | None
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RequireClause(SyntaxNode):
    """A requirement: `name` is its address, `words` the message for the player."""

    name: str | None
    test: Expr
    words: Template | None
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PreferClause(SyntaxNode):
    """A preference among options: `test` is a condition, or a number if `extreme` is not None.

    `extreme`: "least" to minimize the number, "most" to maximize it. `words`: the explanation for players, or None.
    """

    extreme: str | None
    test: Expr
    words: Template | None
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ParameterDecl(NamedNode):
    """`name in domain`: a parameter and the values it may have."""

    domain: Expr


@dataclass(frozen=True, slots=True, eq=False)
class OptionDecl(NamedNode):
    """An option of a decision: parameters, requirements, preferences and, in `body`, its effects.

    `label`: its text for players, or None.
    """

    parameters: tuple[ParameterDecl, ...]
    label: Template | None
    cites: tuple[CiteClause, ...]
    requires: tuple[RequireClause, ...]
    prefers: tuple[PreferClause, ...]
    body: BlockStmt | None


@dataclass(frozen=True, slots=True, eq=False)
class ChooseStmt(NamedNode):
    """`choose`: a decision of a side, the `decider`, among options.

    `alone`: a single option is chosen automatically. `until_done`: it is repeated until the side ends it, which is
    legal while all requirements in `finish` hold. `otherwise`: the block to run if no option is legal, or None.
    """

    decider: Expr
    prompt: Template | None
    cites: tuple[CiteClause, ...]
    alone: bool
    until_done: bool
    options: tuple[OptionDecl, ...]
    finish: tuple[RequireClause, ...]
    otherwise: BlockStmt | None
    otherwise_cites: tuple[CiteClause, ...]


Statement = (
    PhaseStmt
    | LetStmt
    | AssignStmt
    | AdvanceStmt
    | MoveStmt
    | IfStmt
    | ForStmt
    | WhileStmt
    | RepeatStmt
    | RollStmt
    | DrawStmt
    | ReportStmt
    | EndGameStmt
    | SkipStmt
    | LaterStmt
    | SettleStmt
    | ReturnStmt
    | AssertStmt
    | TogetherStmt
    | NothingStmt
    | MatchStmt
    | CallStmt
    | ChooseStmt
)
