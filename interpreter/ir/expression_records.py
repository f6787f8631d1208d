"""Typed expressions of the intermediate representation, one frozen record for each shape.

Monomorphic: conversions are explicit (`widen`), operands of an operation have one type, and every read of the
position is a `Read` that names its slot. Pure: evaluating an expression never changes the position.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from interpreter.diagnostics.source_text import Span
from interpreter.ir.record_fields import Bound, list_fields_holding, list_held_names
from interpreter.model.expressions import Value
from interpreter.model.types import Type


class Slot(NamedTuple):
    """A column of the position (kind, attribute), or a single value of it ("game", name) or ("", "turn")."""

    kind: str
    name: str


AT = Slot("piece", "at")
SEAT_OF = Slot("side", "seat")
TURN, LAST_TURN = Slot("", "turn"), Slot("", "last_turn")


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """The item of the rules that a table or function comes from.

    `sort`: "attribute" (`kind` is the kind of thing), "builtin", "chart", "chart question", "define", "rule", "tally"
    or "condition".
    """

    sort: str
    name: str
    kind: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class StaticTable:
    """Values that never change, by index; None is a missing value, or a fault if the item type is not a maybe type.

    `item`: the type of the values. `origin`: the item of the rules it comes from, or None. `has_gaps`: a value is None.
    """

    name: str
    values: tuple[Value, ...]
    item: Type
    origin: Origin | None = None
    has_gaps: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "has_gaps", None in self.values)


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """A literal value."""

    value: Value
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """The value of a local variable."""

    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A read of the position: a column by its owner, or a single value where `owner` is None."""

    slot: Slot
    owner: Expr | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class PiecesAt:
    """The pieces at a place, in order, narrowed to a class unless `cls` is None."""

    cls: str | None
    place: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class StaticItem:
    """An element of a static table by indices below `sizes`, the last one fastest. Faults on a gap."""

    table: StaticTable
    indices: tuple[Expr, ...]
    sizes: tuple[int, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class IndexOf:
    """The position of a value among constants, or -1."""

    value: Expr
    among: tuple[Value, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """A primitive operation; `primitives.PRIMITIVES` lists every one."""

    op: str
    operands: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Logic:
    """A conjunction ("and") or disjunction ("or") with short-circuit evaluation."""

    op: str
    operands: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """A conditional expression."""

    test: Expr
    yes: Expr
    no: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class OrElse:
    """A value, or the fallback if the value is missing."""

    value: Expr
    fallback: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class IfPresent:
    """Bind a value to a name and evaluate `body`, or give a missing result if the value is missing."""

    name: Bound
    value: Expr
    body: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """Bind a value to a name for `body`."""

    name: Bound
    value: Expr
    body: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Bounded:
    """A value within bounds; outside them the nearest bound if `clamps`, else a fault.

    `name` is the attribute that the fault names, or the family of holding places if `is_holding`.
    """

    value: Expr
    low: Expr | None
    high: Expr | None
    clamps: bool
    type: Type
    span: Span
    name: str = ""
    is_holding: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A call of a pure function."""

    function: str
    args: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """An iteration over a set or list: sort "set", "list", "count", "sum", "min", "max", "any", "no" or "every".

    `where` selects members, `result` maps them (for "every" it is the test). With `extreme` ("least", "most") only
    members whose `measure` is extreme are kept. `charge`: budget steps for each member, spent before the iteration.
    """

    sort: str
    var: Bound
    domain: Expr
    where: Expr | None
    result: Expr | None
    extreme: str | None
    measure: Expr | None
    type: Type
    span: Span
    charge: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A search over the map; breadth first, or cheapest first with a `cost`.

    `sort`: "distance", "path" or "reach". `start`, `goal`: the places where it begins and ends, or None for no goal.
    `within`: the greatest distance, None for no limit. `var`, `previous`: the variables that hold the place entered and
    the place before it while `where`, the test of a step, and `cost` are evaluated. `charge`: budget steps for each
    place visited.
    """

    sort: str
    start: Expr
    goal: Expr | None
    within: Expr | None
    var: Bound
    previous: Bound
    where: Expr | None
    cost: Expr | None
    type: Type
    span: Span
    charge: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """The members of `everything` that a relation joins to the set `start`, directly or through other members.

    Two members are joined if `where` holds with them in the variables `first` and `second`, in either order. `charge`:
    budget steps for each pair compared.
    """

    start: Expr
    everything: Expr
    first: Bound
    second: Bound
    where: Expr
    type: Type
    span: Span
    charge: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Possible:
    """Test whether a draft can be completed."""

    draft: str
    args: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class MakeRecord:
    """A record from the values of its fields."""

    items: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class GetField:
    """A field of a record that is present."""

    record: Expr
    index: int
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class WithFields:
    """A copy of a record with some fields changed."""

    record: Expr
    indices: tuple[int, ...]
    values: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CountedTest:
    """The test of a requirement, by its number; its results are counted for coverage."""

    requirement: int
    test: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CitedTest:
    """A test; if it holds, its paragraphs are recorded as covered."""

    test: Expr
    cites: tuple[str, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CoveredLookUp:
    """A look-up of a chart; the cell read is recorded as covered."""

    look: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The terms of a sum: their signs, their names in the rules and their values; empty if the operand is not a sum."""

    signs: tuple[int, ...]
    names: tuple[str, ...]
    values: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NotedLookUp:
    """A look-up of a chart that a ledger (`play.ledger`) records.

    `look`: the look-up itself. `terms`: the terms that each axis is computed from. `column`: (index, name, type) of the
    field to take if a cell is a record, else None.
    """

    look: Expr
    terms: tuple[Expr, ...]
    column: tuple[int, str, Type] | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NotedTest:
    """A comparison of two numbers that a ledger (`play.ledger`) records.

    `symbol`: the operator as rules write it. `names`: the names of the left and the right side. `terms`: the terms that
    each side is computed from. `rolled`: whether each side is computed from dice that the same procedure rolled.
    """

    symbol: str
    left: Expr
    right: Expr
    names: tuple[str, str]
    terms: tuple[Expr, ...]
    rolled: tuple[bool, bool]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NotedEach:
    """The value of one member of a sum, minimum or maximum, which a ledger (`play.ledger`) records."""

    value: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NotedValue:
    """The value of a define that a ledger (`play.ledger`) records, under the variable or attribute it is assigned to.

    `name`: the variable or attribute. `kind` and `owner`: the kind of the thing that has the attribute, and the thing,
    both None for a variable. `define`, `cites`: the define and its paragraphs. `shown`: the value's type in the
    rules, which decides how it is displayed. `type`: its type after lowering.
    """

    value: Expr
    name: str
    define: str
    cites: tuple[str, ...]
    shown: Type
    kind: str | None
    owner: Expr | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NotedTally:
    """A call of a tally, which a ledger (`play.ledger`) records with the lines of the tally."""

    tally: str
    args: tuple[Expr, ...]
    type: Type
    span: Span


Expr = (
    Const
    | Local
    | Read
    | PiecesAt
    | StaticItem
    | IndexOf
    | Apply
    | Logic
    | Conditional
    | OrElse
    | IfPresent
    | Let
    | Bounded
    | Call
    | Fold
    | Search
    | Closure
    | Possible
    | MakeRecord
    | GetField
    | WithFields
    | CountedTest
    | CitedTest
    | CoveredLookUp
    | Terms
    | NotedLookUp
    | NotedTest
    | NotedEach
    | NotedValue
    | NotedTally
)
SHAPES: tuple[type, ...] = Expr.__args__


def list_children(expr: Expr) -> tuple[Expr, ...]:
    """Return the direct operands of an expression, in order of evaluation."""
    children: list[Expr] = []
    shape: type = type(expr)
    for part in list_fields_holding(shape, "expression"):
        child = getattr(expr, part)
        if type(child) is tuple:
            children.extend(child)
        elif child is not None:
            children.append(child)
    return tuple(children)


def list_descendants(expr: Expr) -> list[Expr]:
    """Return an expression and every expression inside it, parents first."""
    nodes = [expr]
    for node in nodes:
        nodes.extend(list_children(node))
    return nodes


def list_bound_names(expr: Expr) -> tuple[str, ...]:
    """Return the names that an expression binds for some of its operands."""
    return list_held_names(expr, "bound")


def find_free_names(expr: Expr) -> frozenset[str]:
    """Return the local variables that an expression reads and does not bind; names are unique in a function."""
    inside = list_descendants(expr)
    read = {x.name for x in inside if isinstance(x, Local)}
    return frozenset(read - {name for x in inside for name in list_bound_names(x)})
