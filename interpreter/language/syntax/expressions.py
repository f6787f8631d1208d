"""Syntax of expressions, and of the texts and citations that accompany them.

Nodes are immutable and compare by identity. Names are not resolved.
"""

from __future__ import annotations

from dataclasses import Field, dataclass
from typing import Any, ClassVar, Protocol

from interpreter.diagnostics.source_text import Span


class SyntaxNode(Protocol):
    """A node of the syntax, whichever its class: an immutable record with a span."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def span(self) -> Span:
        """Return the source text that the node was parsed from."""


class NamedNode(SyntaxNode, Protocol):
    """A node that is addressed by its name."""

    @property
    def name(self) -> str:
        """Return the name in the rules."""


@dataclass(frozen=True, slots=True, eq=False)
class CiteClause:
    """A citation of a rulebook paragraph."""

    id: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A text template: `parts` are texts and expressions in order."""

    parts: tuple[str | Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NameExpr:
    """A bare word."""

    id: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class LiteralExpr:
    """A number, a text, true or false."""

    value: int | str | bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class AttrExpr:
    """`owner.name`: an attribute of a thing, or a field of a record."""

    owner: Expr
    name: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class IndexExpr:
    """`owner[a, b]`: a look-up in a table or a list."""

    owner: Expr
    args: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ShiftedExpr:
    """`value shifted by n`: moves n columns to the right along an axis; allowed in a look-up only."""

    value: Expr
    by: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ComprehensionExpr:
    """`x in domain where condition`, or `result for x in domain where condition`.

    With `extreme`, only the members with the least or most `measure` are included.
    """

    result: Expr | None
    var: str
    domain: Expr
    where: Expr | None
    span: Span
    extreme: str | None = None
    measure: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CallExpr:
    """`name(args)`; an argument may be a comprehension."""

    name: str
    args: tuple[Expr | ComprehensionExpr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class UnaryExpr:
    """`not e`, `-e` or `+e`: an operator `op` before its operand."""

    op: str
    operand: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class BinaryExpr:
    """An operator `op` between two operands: arithmetic, comparison, membership, `below`, `above` or `..`."""

    op: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class LogicExpr:
    """`and` / `or` over two or more operands."""

    op: str
    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class QuantifiedExpr:
    """`any` / `no` / `every` x in domain where condition (satisfies `then`)."""

    sort: str
    var: str
    domain: Expr
    where: Expr | None
    then: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ConditionalExpr:
    """`if c then a else b`: one of two values, chosen by a test."""

    test: Expr
    yes: Expr
    no: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class OrElseExpr:
    """`value else fallback`, for values that may be missing."""

    value: Expr
    fallback: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class PiecesAtExpr:
    """`pieces at place`: the set of pieces at a place."""

    pieces: Expr
    place: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class OnMapExpr:
    """`piece on map`: true if the piece is at a place of the map."""

    piece: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CollectionExpr:
    """`{a, b}` (sort "set") or `[a, b]` (sort "list"); a single `x in s` is a comprehension."""

    sort: str
    items: tuple[Expr | ComprehensionExpr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class PlayingExpr:
    """`playing option`: true if the optional rule is in use."""

    option: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class HasCellExpr:
    """`table has [a, b]`: true if the table has a cell for these keys."""

    table: str
    args: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CanAdvanceExpr:
    """`can advance owner.ladder`: true if the ladder value has a next rung."""

    target: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class PossibleExpr:
    """`possible draft(args)`: some draft can be finished."""

    draft: str
    args: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SearchExpr:
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
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ClosureExpr:
    """`closure of s over a, b where c`: everything linked to `s`, directly or through others.

    `start` is `s`; `first` and `second` are the names `a` and `b`; `where` is `c`.
    """

    start: Expr
    first: str
    second: str
    where: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """`name = value`: a named expression."""

    name: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class WithFieldsExpr:
    """`record with (field = value, ...)`: a copy of a record with some fields changed."""

    record: Expr
    bindings: tuple[Binding, ...]
    span: Span


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
