"""Checked expressions: every name resolved, every part typed; one frozen record for each shape.

Code that traverses expressions uses `list_children`, `list_scoped_children` and `rebuild` and needs no knowledge of the
shapes; the facts of each operation are in `checker/operations.py`. Independent of syntax and of execution. A record
that the intermediate representation has under the same name starts with `Checked` here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, TypeGuard

from interpreter.diagnostics.source_text import Span
from interpreter.model.types import Type

Value = None | bool | int | str | Fraction | tuple["Value", ...]


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A constant: for a thing its handle, for a rung its index; None for a missing value.

    `datum` names the part of the data that the rules refer to, such as "value.loss"; '' for a literal in the rules.
    """

    value: Value
    type: Type
    span: Span
    datum: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class CheckedLocal:
    """The value of a local name."""

    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """All things of a kind, or all pieces of a class; for places only those on the map."""

    kind: str
    cls: str | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class AttributeOf:
    """An attribute of a thing; with `lenient` the thing may be missing, and so may the attribute."""

    kind: str
    name: str
    owner: Core
    lenient: bool
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedPiecesAt:
    """The pieces at a place: all of them, or those of a class."""

    cls: str | None
    place: Core
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class GameValue:
    """A game-wide value."""

    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """An operator or builtin function with its operands; `checker.operations.OPERATIONS` lists all of them."""

    name: str
    operands: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedCall:
    """A call of a define, rule, tally, draft (can it be finished?) or condition.

    `sort` is "define", "rule", "tally", "draft" or "condition".
    """

    sort: str
    name: str
    args: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class LookUp:
    """A table look-up; `axes`: the key on each axis.

    The key on a ratio axis is a list of two numbers; a shifted key is an `Operation` named `shifted`.
    """

    table: str
    axes: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class HasCell:
    """A test whether a table has a cell for the keys `axes`, one on each axis."""

    table: str
    axes: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Playing:
    """A test whether an optional rule is in use, or the value of one with several values."""

    option: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CanAdvance:
    """A test whether there is a higher rung; `owner` is None for a game-wide value (kind "game")."""

    kind: str
    name: str
    owner: Core | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Comprehension:
    """A comprehension: sort "set", "list", "count", "sum", "min", "max", "any", "no" or "every".

    `result` is computed for each member (for "every": the condition it must satisfy). With `extreme` ("least", "most")
    only the members with the extreme `measure` are included.
    """

    sort: str
    var: str
    domain: Core
    where: Core | None
    result: Core | None
    extreme: str | None
    measure: Core | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedSearch:
    """A "distance", "path" or "reach" search over the map from `start` to `goal`, to a distance of at most `within`.

    `where` and `cost` are evaluated for each step, with the place as `var` and its predecessor as `previous`.
    """

    sort: str
    start: Core
    goal: Core | None
    within: Core | None
    var: str
    previous: str
    where: Core | None
    cost: Core | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedClosure:
    """The members of `everything` linked to the set `start`, directly or through others.

    Two members are linked if `where` holds with them as the local names `first` and `second`.
    """

    start: Core
    everything: Core
    first: str
    second: str
    where: Core
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CheckedMakeRecord:
    """A new record of a declared type; `items` are the values of its fields, in order."""

    id: str
    items: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class FieldAccess:
    """A field of a record, by its index; missing if the record is."""

    record: Core
    index: int
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class RecordUpdate:
    """A copy of a record with the fields of the given indexes replaced."""

    record: Core
    indices: tuple[int, ...]
    values: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class HoldingPlace:
    """One of several holding places of a family `word`, selected by owner or as one of `count`.

    `first` is the handle of the first of them.
    """

    first: int
    count: int
    owner: Core
    word: str
    type: Type
    span: Span


Core = (
    Literal
    | CheckedLocal
    | Things
    | AttributeOf
    | CheckedPiecesAt
    | GameValue
    | Operation
    | CheckedCall
    | LookUp
    | HasCell
    | Playing
    | CanAdvance
    | Comprehension
    | CheckedSearch
    | CheckedClosure
    | CheckedMakeRecord
    | FieldAccess
    | RecordUpdate
    | HoldingPlace
)
SHAPES: tuple[type, ...] = Core.__args__
_SHAPES = frozenset(SHAPES)


def is_core(node: object) -> TypeGuard[Core]:
    """Return whether a node is a checked expression."""
    return type(node) in _SHAPES


# For each shape the fields that hold expressions, in order of evaluation.
_PARTS: dict[type, tuple[str, ...]] = {
    shape: tuple(f.name for f in fields(shape) if "Core" in str(f.type)) for shape in SHAPES
}
# For each binding shape: the fields with the bound names, and the parts in their scope.
_BINDING: dict[type, tuple[tuple[str, ...], tuple[str, ...]]] = {
    Comprehension: (("var",), ("where", "result", "measure")),
    CheckedSearch: (("var", "previous"), ("where", "cost")),
    CheckedClosure: (("first", "second"), ("where",)),
}
_NAMED: dict[type, tuple[str, ...]] = {shape: tuple(f.name for f in fields(shape)) for shape in SHAPES}


def list_children(core: Core) -> tuple[Core, ...]:
    """Return the direct subexpressions of an expression."""
    children: list[Core] = []
    for part in _PARTS[type(core)]:
        child = getattr(core, part)
        if child is None:
            continue
        if type(child) is tuple:
            children.extend(child)
        else:
            children.append(child)
    return tuple(children)


def list_bound_names(core: Core) -> tuple[str, ...]:
    """Return the names that an expression binds in some of its parts."""
    binding = _BINDING.get(type(core))
    return () if binding is None else tuple([getattr(core, n) for n in binding[0]])


def list_scoped_children(core: Core) -> tuple[tuple[Core, tuple[str, ...]], ...]:
    """Return the direct subexpressions, each with the names bound in it."""
    binding = _BINDING.get(type(core))
    if binding is None:
        return tuple([(child, ()) for child in list_children(core)])
    names = list_bound_names(core)
    children = ((part, getattr(core, part)) for part in _PARTS[type(core)])
    return tuple([(x, names if part in binding[1] else ()) for part, x in children if x is not None])


def rebuild(core: Core, change: Callable[[Core], Core], inside: Callable[[Core], Core] | None = None) -> Core:
    """Return the expression with `change` applied to its direct parts, or the expression itself if nothing changes.

    `inside`: applied instead of `change` to the parts in the scope of its bound variables.
    """
    shape: Any = type(core)
    new: dict[str, Any] = {}
    binding = _BINDING.get(shape)
    for part in _PARTS[shape]:
        child = getattr(core, part)
        if child is None:
            continue
        change_child = change if inside is None or binding is None or part not in binding[1] else inside
        if type(child) is tuple:
            changed = tuple([change_child(x) for x in child])
            if any(a is not b for a, b in zip(changed, child, strict=True)):
                new[part] = changed
        elif (single := change_child(child)) is not child:
            new[part] = single
    if not new:
        return core
    rebuilt: Core = shape(*[new[n] if n in new else getattr(core, n) for n in _NAMED[shape]])
    return rebuilt


def substitute(core: Core, name: str, by: Core) -> Core:
    """Return an expression with the free name `name` replaced by the expression `by`."""
    if isinstance(core, CheckedLocal):
        return by if core.name == name else core
    if name in list_bound_names(core):
        return rebuild(core, lambda child: substitute(child, name, by), inside=lambda child: child)
    return rebuild(core, lambda child: substitute(child, name, by))


MAX_UNROLLED_RANGE = 4  # ranges up to this length can be unrolled


def find_unrollable_range(core: Comprehension) -> tuple[Literal, ...]:
    """Return the integers that a comprehension iterates over if its range is literal and short, else ()."""
    match core.domain:
        case Operation("range", (Literal(int() as low, type_), Literal(int() as high))) if (
            0 <= high - low < MAX_UNROLLED_RANGE
        ):
            return tuple([Literal(number, type_, core.span) for number in range(low, high + 1)])
    return ()


def list_descendants(core: Core) -> list[Core]:
    """Return the expression and all its subexpressions, in unspecified order."""
    nodes = [core]
    for node in nodes:
        nodes.extend(list_children(node))
    return nodes


def is_local(core: Core, name: str) -> bool:
    """Return whether an expression is exactly the local name `name`."""
    return isinstance(core, CheckedLocal) and core.name == name


def find_free_names(core: Core) -> frozenset[str]:
    """Return the free names of an expression."""
    if isinstance(core, CheckedLocal):
        return frozenset((core.name,))
    free_names: set[str] = set()
    for child, names in list_scoped_children(core):
        free_names |= find_free_names(child) - frozenset(names) if names else find_free_names(child)
    return frozenset(free_names)


def find_local_names(core: Core) -> set[str]:
    """Return all local names that an expression reads, including those it binds itself."""
    return {node.name for node in list_descendants(core) if isinstance(node, CheckedLocal)}


def build_canonical_form(core: Core, names: dict[str, int] | None = None) -> object:
    """Return a canonical form of an expression, equal for expressions that differ in bound names only.

    `names`: the number that replaces each name bound around the expression.
    """
    names = names or {}
    if isinstance(core, CheckedLocal):
        return ("local", names.get(core.name, core.name))
    if isinstance(core, Literal):
        return ("literal", type(core.value).__name__, repr(core.value))
    shape = type(core)
    binding = _BINDING.get(shape)
    inner = names if binding is None else {**names, **{n: len(names) + i for i, n in enumerate(list_bound_names(core))}}
    out: list[Any] = [shape.__name__]
    for field in _NAMED[shape]:
        if field in ("type", "span") or binding is not None and field in binding[0]:
            continue
        value = getattr(core, field)
        if field not in _PARTS[shape]:
            out.append(value)
            continue
        scope = inner if binding is not None and field in binding[1] else names
        out.append(
            tuple([build_canonical_form(x, scope) for x in value])
            if type(value) is tuple
            else None
            if value is None
            else build_canonical_form(value, scope)
        )
    return tuple(out)


def is_equivalent(left: Core, right: Core) -> bool:
    """Return whether two expressions have the same canonical form."""
    return bool(build_canonical_form(left) == build_canonical_form(right))
