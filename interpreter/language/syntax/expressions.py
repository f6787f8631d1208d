"""Syntax of expressions, and of the texts and citations that accompany them.

Nodes are immutable and compare by identity. Names are not resolved.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.diagnostics.source_text import Span


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SyntaxNode:
    """A node of the syntax; `span`: the source text that it was parsed from."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NamedNode(SyntaxNode):
    """A node that is addressed by its name in the rules."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class CiteClause(SyntaxNode):
    """A citation of a rulebook paragraph."""

    id: str


@dataclass(frozen=True, slots=True, eq=False)
class Template(SyntaxNode):
    """A text template: `parts` are texts and expressions in order."""

    parts: tuple[str | Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NameExpr(SyntaxNode):
    """A bare word."""

    id: str


@dataclass(frozen=True, slots=True, eq=False)
class LiteralExpr(SyntaxNode):
    """A number, a text, true or false."""

    value: int | str | bool


@dataclass(frozen=True, slots=True, eq=False)
class AttrExpr(SyntaxNode):
    """`owner.name`: an attribute of a thing, or a field of a record."""

    owner: Expr
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class IndexExpr(SyntaxNode):
    """`owner[a, b]`: a look-up in a table or a list."""

    owner: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ShiftedExpr(SyntaxNode):
    """`value shifted by n`: moves n columns to the right along an axis; allowed in a look-up only."""

    value: Expr
    by: Expr


@dataclass(frozen=True, slots=True, eq=False)
class ComprehensionExpr(SyntaxNode):
    """`x in domain where condition`, or `result for x in domain where condition`.

    With `extreme`, only the members with the least or most `measure` are included.
    """

    result: Expr | None
    var: str
    domain: Expr
    where: Expr | None
    extreme: str | None = None
    measure: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CallExpr(NamedNode):
    """`name(args)`; an argument may be a comprehension."""

    args: tuple[Expr | ComprehensionExpr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class UnaryExpr(SyntaxNode):
    """`not e`, `-e` or `+e`: an operator `op` before its operand."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class BinaryExpr(SyntaxNode):
    """An operator `op` between two operands: arithmetic, comparison, membership, `below`, `above` or `..`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class LogicExpr(SyntaxNode):
    """`and` / `or` over two or more operands."""

    op: str
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class QuantifiedExpr(SyntaxNode):
    """`any` / `no` / `every` x in domain where condition (satisfies `then`)."""

    sort: str
    var: str
    domain: Expr
    where: Expr | None
    then: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class ConditionalExpr(SyntaxNode):
    """`if c then a else b`: one of two values, chosen by a test."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True, eq=False)
class OrElseExpr(SyntaxNode):
    """`value else fallback`, for values that may be missing."""

    value: Expr
    fallback: Expr


@dataclass(frozen=True, slots=True, eq=False)
class PiecesAtExpr(SyntaxNode):
    """`pieces at place`: the set of pieces at a place."""

    pieces: Expr
    place: Expr


@dataclass(frozen=True, slots=True, eq=False)
class OnMapExpr(SyntaxNode):
    """`piece on map`: true if the piece is at a place of the map."""

    piece: Expr


@dataclass(frozen=True, slots=True, eq=False)
class CollectionExpr(SyntaxNode):
    """`{a, b}` (sort "set") or `[a, b]` (sort "list"); a single `x in s` is a comprehension."""

    sort: str
    items: tuple[Expr | ComprehensionExpr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PlayingExpr(SyntaxNode):
    """`playing option`: true if the optional rule is in use."""

    option: str


@dataclass(frozen=True, slots=True, eq=False)
class HasCellExpr(SyntaxNode):
    """`table has [a, b]`: true if the table has a cell for these keys."""

    table: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CanAdvanceExpr(SyntaxNode):
    """`can advance owner.ladder`: true if the ladder value has a next rung."""

    target: Expr


@dataclass(frozen=True, slots=True, eq=False)
class PossibleExpr(SyntaxNode):
    """`possible draft(args)`: some draft can be finished."""

    draft: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SearchExpr(SyntaxNode):
    """A graph search on the map: `distance`, `path` or `reach`, which `sort` names, with its clauses.

    `start`, `goal`: the places where it begins and ends, or None for no goal. `within`: the greatest distance. `var`,
    `previous`: the names of the place entered and of the place before it in `where`, the test of a step, and in `cost`,
    its cost. A clause that is not written is None.
    """

    sort: str
    start: Expr
    goal: Expr | None
    within: Expr | None
    var: str | None
    previous: str | None
    where: Expr | None
    cost: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class ClosureExpr(SyntaxNode):
    """`closure of s over a, b where c`: everything linked to `s`, directly or through others.

    `start` is `s`; `first` and `second` are the names `a` and `b`; `where` is `c`.
    """

    start: Expr
    first: str
    second: str
    where: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Binding(NamedNode):
    """`name = value`: a named expression."""

    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class WithFieldsExpr(SyntaxNode):
    """`record with (field = value, ...)`: a copy of a record with some fields changed."""

    record: Expr
    bindings: tuple[Binding, ...]


Expr = (
    NameExpr
    | LiteralExpr
    | AttrExpr
    | IndexExpr
    | CallExpr
    | UnaryExpr
    | BinaryExpr
    | LogicExpr
    | QuantifiedExpr
    | ConditionalExpr
    | OrElseExpr
    | PiecesAtExpr
    | OnMapExpr
    | CollectionExpr
    | PlayingExpr
    | HasCellExpr
    | CanAdvanceExpr
    | PossibleExpr
    | SearchExpr
    | ClosureExpr
    | WithFieldsExpr
    | ShiftedExpr
)
