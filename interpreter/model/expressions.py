"""Checked expressions: every name resolved, every part typed; one frozen record for each shape.

What goes through expressions asks `children`, `scoped` and `rebuilt` here and need not know a single shape; what
is known of each operation stands in `operations`. Must not know syntax, nor how anything is run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, TypeGuard

from interpreter.diagnostics.source_text import Span
from interpreter.model.types import Type

Value = None | bool | int | str | Fraction | tuple["Value", ...]


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A value: of a thing its handle, of a rung its number; None for what is missing.

    `datum` names the part of the data that the rules name in its place, such as "value.loss"; '' where they write it.
    """

    value: Value
    type: Type
    span: Span
    datum: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """What a name of the rules holds here."""

    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """All things of a kind, or all pieces of a class; of places those on the map."""

    kind: str
    cls: str | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class AttributeOf:
    """An attribute of a thing; with `lenient` of one that may be missing, and then is missing too."""

    kind: str
    name: str
    owner: Core
    lenient: bool
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class PiecesAt:
    """The pieces at a place, all or those of a class."""

    cls: str | None
    place: Core
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class GameValue:
    """A value of the game itself."""

    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """An operator or a builtin function with its operands; `operations.OPERATIONS` has all there are."""

    name: str
    operands: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """What the rules call by name: a define, rule, tally, draft (can it be finished?) or condition.

    `sort` is "define", "rule", "tally", "draft" or "condition"; "marks" are the places that a define holds for, asked
    without its last argument.
    """

    sort: str
    name: str
    args: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class LookUp:
    """What a table says; a ratio is a list of two numbers, an axis that is shifted the operation `shifted`."""

    table: str
    axes: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class HasCell:
    """Whether a table says anything."""

    table: str
    axes: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Playing:
    """Whether an optional rule is played, or its value."""

    option: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CanAdvance:
    """Whether there is a rung above; without an owner a value of the game (kind "game")."""

    kind: str
    name: str
    owner: Core | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Comprehension:
    """What goes through a set: sort "set", "list", "count", "sum", "min", "max", "any", "no" or "every".

    `result` is what is taken of each member (of "every" what it must satisfy); of members with the `extreme` ("least",
    "most") `measure` only those are taken.
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
class Search:
    """A "distance", a "path" or the "reach" over the map; `where` and `cost` know a place and the one before it."""

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
class Closure:
    """Everything that a relation of two members joins to a set, directly or through others."""

    start: Core
    everything: Core
    first: str
    second: str
    where: Core
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class MakeRecord:
    """A record of a declared sort."""

    id: str
    items: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class FieldAccess:
    """A field of a record, by its number; of one that may be missing, missing too."""

    record: Core
    index: int
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class RecordUpdate:
    """A record with some fields changed: their numbers, and the value of each."""

    record: Core
    indices: tuple[int, ...]
    values: tuple[Core, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class HoldingPlace:
    """One of several holding places of a family `word`, from handle `first` on: by its owner, or by one of `count`."""

    first: int
    count: int
    owner: Core
    word: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Exists:
    """Whether a value that may be missing is there, and of a class where one is named."""

    item: Core
    cls: str | None
    type: Type
    span: Span


Core = (
    Literal
    | Local
    | Things
    | AttributeOf
    | PiecesAt
    | GameValue
    | Operation
    | Call
    | LookUp
    | HasCell
    | Playing
    | CanAdvance
    | Comprehension
    | Search
    | Closure
    | MakeRecord
    | FieldAccess
    | RecordUpdate
    | HoldingPlace
    | Exists
)
SHAPES: tuple[type, ...] = Core.__args__
_SHAPES = frozenset(SHAPES)


def is_core(node: object) -> TypeGuard[Core]:
    """True for a checked expression."""
    return type(node) in _SHAPES


# For each shape the fields that hold expressions, in the order in which they are worked out.
_PARTS: dict[type, tuple[str, ...]] = {
    shape: tuple(f.name for f in fields(shape) if "Core" in str(f.type)) for shape in SHAPES
}
# For each shape that binds names the fields that name them, and the parts in which they hold.
_BINDING: dict[type, tuple[tuple[str, ...], tuple[str, ...]]] = {
    Comprehension: (("var",), ("where", "result", "measure")),
    Search: (("var", "previous"), ("where", "cost")),
    Closure: (("first", "second"), ("where",)),
}
_NAMED: dict[type, tuple[str, ...]] = {shape: tuple(f.name for f in fields(shape)) for shape in SHAPES}


def children(core: Core) -> tuple[Core, ...]:
    """The expressions directly inside an expression."""
    found: list[Core] = []
    for part in _PARTS[type(core)]:
        held = getattr(core, part)
        if held is None:
            continue
        if type(held) is tuple:
            found.extend(held)
        else:
            found.append(held)
    return tuple(found)


def bound(core: Core) -> tuple[str, ...]:
    """The names that an expression binds for some of its parts."""
    binding = _BINDING.get(type(core))
    return () if binding is None else tuple([getattr(core, n) for n in binding[0]])


def scoped(core: Core) -> tuple[tuple[Core, tuple[str, ...]], ...]:
    """The expressions directly inside an expression, each with the names that are bound in it alone."""
    binding = _BINDING.get(type(core))
    if binding is None:
        return tuple([(child, ()) for child in children(core)])
    names = bound(core)
    held = ((part, getattr(core, part)) for part in _PARTS[type(core)])
    return tuple([(x, names if part in binding[1] else ()) for part, x in held if x is not None])


def rebuilt(
    core: Core,
    change: Callable[[Core], Core],
    span: Span | None = None,
    names: tuple[str, ...] | None = None,
    inside: Callable[[Core], Core] | None = None,
) -> Core:
    """The expression with its direct parts changed; the same one where nothing is.

    `names` are new names for those it binds; `inside` changes the parts in which they hold.
    """
    shape: Any = type(core)
    new: dict[str, Any] = {}
    binding = _BINDING.get(shape)
    for part in _PARTS[shape]:
        held = getattr(core, part)
        if held is None:
            continue
        made = change if inside is None or binding is None or part not in binding[1] else inside
        if type(held) is tuple:
            changed = tuple([made(x) for x in held])
            if any(a is not b for a, b in zip(changed, held, strict=True)):
                new[part] = changed
        elif (single := made(held)) is not held:
            new[part] = single
    if names is not None and binding is not None:
        new.update(zip(binding[0], names, strict=True))
    if span is not None and span is not core.span:
        new["span"] = span
    if not new:
        return core
    made_anew: Core = shape(*[new[n] if n in new else getattr(core, n) for n in _NAMED[shape]])
    return made_anew


def replaced(core: Core, name: str, by: Core) -> Core:
    """The expression with another in place of a name that it reads from around it."""
    if isinstance(core, Local):
        return by if core.name == name else core
    if name in bound(core):
        return rebuilt(core, lambda child: replaced(child, name, by), inside=lambda child: child)
    return rebuilt(core, lambda child: replaced(child, name, by))


FEW = 4  # numbers that are as good as written one by one


def few_numbers(core: Comprehension) -> tuple[Literal, ...]:
    """The whole numbers that an expression goes through, where they are written and few; else ()."""
    match core.domain:
        case Operation("range", (Literal(int() as low, type_), Literal(int() as high))) if 0 <= high - low < FEW:
            return tuple([Literal(number, type_, core.span) for number in range(low, high + 1)])
    return ()


def descendants(core: Core) -> list[Core]:
    """The expression and every expression inside it, in no order that matters."""
    found = [core]
    for node in found:
        found.extend(children(node))
    return found


def is_local(core: Core, name: str) -> bool:
    """True for this name, and nothing more."""
    return isinstance(core, Local) and core.name == name


def free(core: Core) -> frozenset[str]:
    """The names that an expression reads from around it."""
    if isinstance(core, Local):
        return frozenset((core.name,))
    found: set[str] = set()
    for child, names in scoped(core):
        found |= free(child) - frozenset(names) if names else free(child)
    return frozenset(found)


def locals_of(core: Core) -> set[str]:
    """The names that an expression reads, its own bound names included."""
    return {node.name for node in descendants(core) if isinstance(node, Local)}


def said(core: Core, names: dict[str, int] | None = None) -> Any:
    """What an expression says, whatever the names bound inside: equal for two that say the same."""
    names = names or {}
    if isinstance(core, Local):
        return ("local", names.get(core.name, core.name))
    if isinstance(core, Literal):
        return ("literal", type(core.value).__name__, repr(core.value))
    shape = type(core)
    binding = _BINDING.get(shape)
    inner = names if binding is None else {**names, **{n: len(names) + i for i, n in enumerate(bound(core))}}
    out: list[Any] = [shape.__name__]
    for field in _NAMED[shape]:
        if field in ("type", "span") or binding is not None and field in binding[0]:
            continue
        held = getattr(core, field)
        if field not in _PARTS[shape]:
            out.append(held)
            continue
        known = inner if binding is not None and field in binding[1] else names
        out.append(
            tuple([said(x, known) for x in held])
            if type(held) is tuple
            else None
            if held is None
            else said(held, known)
        )
    return tuple(out)


def written_alike(one: Core, other: Core) -> bool:
    """Whether two expressions are written with the same words, wherever they stand."""
    return bool(said(one) == said(other))


def retyped(core: Core, type_: Type) -> Core:
    """The same expression, known to be of another type."""
    return replace(core, type=type_)
