"""Syntax of expressions, and of the words and citations that stand beside them.

Nodes are immutable and compare by identity. Must not know what names mean.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.source.text import Span


@dataclass(frozen=True, slots=True, eq=False)
class Cite:
    """A citation of a rulebook paragraph."""

    id: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """Words with holes: `parts` are texts and expressions in order."""

    parts: tuple[str | Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A bare word."""

    id: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A number, a text, true or false."""

    value: int | str | bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Attr:
    """`owner.name`."""

    owner: Expr
    name: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """`owner[a, b]`: a look-up in a table or a list."""

    owner: Expr
    args: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Shifted:
    """`value shifted by n`: so many columns of an axis to the right; stands in a look-up only."""

    value: Expr
    by: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Former:
    """`x in domain where condition`, or `result for x in domain where condition`.

    With `extreme`, only the members for which `measure` is least or most.
    """

    result: Expr | None
    var: str
    domain: Expr
    where: Expr | None
    span: Span
    extreme: str | None = None
    measure: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """`name(args)`; an argument may be a former."""

    name: str
    args: tuple[Expr | Former, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """`not e`, `-e`, `+e`."""

    op: str
    operand: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """Arithmetic, comparison, membership, `below`, `above`, `..`."""

    op: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Logic:
    """`and` / `or` over two or more operands."""

    op: str
    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Quantified:
    """`any` / `no` / `every` x in domain where condition (satisfies `then`)."""

    sort: str
    var: str
    domain: Expr
    where: Expr | None
    then: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """`if c then a else b`."""

    test: Expr
    yes: Expr
    no: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class OrElse:
    """`value else fallback`, for values that may be missing."""

    value: Expr
    fallback: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class At:
    """`pieces at place`."""

    pieces: Expr
    place: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class OnMap:
    """`piece on map`."""

    piece: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """`{a, b}` (sort "set") or `[a, b]` (sort "list"); a single former is a comprehension."""

    sort: str
    items: tuple[Expr | Former, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Playing:
    """`playing option`."""

    option: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class HasCell:
    """`table has [a, b]`."""

    table: str
    args: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CanAdvance:
    """`can advance owner.ladder`."""

    target: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Possible:
    """`possible draft(args)`: some draft can be finished."""

    draft: str
    args: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """`distance|path|reach from a to b within n through x after p where c cost e`."""

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
class Closure:
    """`closure of s over a, b where c`: everything linked to s, directly or through others."""

    start: Expr
    first: str
    second: str
    where: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """`name = value`."""

    name: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class WithFields:
    """`record with (field = value, ...)`."""

    record: Expr
    bindings: tuple[Binding, ...]
    span: Span


Expr = (
    Name
    | Literal
    | Attr
    | Index
    | Call
    | Unary
    | Binary
    | Logic
    | Quantified
    | Conditional
    | OrElse
    | At
    | OnMap
    | Collection
    | Playing
    | HasCell
    | CanAdvance
    | Possible
    | Search
    | Closure
    | WithFields
    | Shifted
)
