"""The types of the rules language. Independent of values and of syntax."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.i18n.translator import mark as _
from interpreter.runtime.type_aliases import DisplayType


@dataclass(frozen=True, slots=True)
class IntType:
    """Integers."""

    def __str__(self) -> str:
        return "int"


@dataclass(frozen=True, slots=True)
class NumberType:
    """Exact fractions; every int is one."""

    def __str__(self) -> str:
        return "number"


@dataclass(frozen=True, slots=True)
class FlagType:
    """Booleans."""

    def __str__(self) -> str:
        return "flag"


@dataclass(frozen=True, slots=True)
class TextType:
    """Text."""

    def __str__(self) -> str:
        return "text"


@dataclass(frozen=True, slots=True)
class DirectionType:
    """A direction of the map's grid."""

    def __str__(self) -> str:
        return "direction"


@dataclass(frozen=True, slots=True)
class ThingType:
    """A thing of a kind: "side", "seat", "place", "edge", "piece", or a user-defined kind.

    `cls` narrows a piece to a class of pieces.
    """

    kind: str
    cls: str | None = None

    def __str__(self) -> str:
        return self.cls or self.kind


@dataclass(frozen=True, slots=True)
class RungType:
    """A rung of a ladder."""

    ladder: str

    def __str__(self) -> str:
        return self.ladder


@dataclass(frozen=True, slots=True)
class OneOfType:
    """One of a fixed list of words."""

    values: tuple[str, ...]

    def __str__(self) -> str:
        return "one of " + ", ".join(self.values)


@dataclass(frozen=True, slots=True)
class SetType:
    """A set of values of one type, in canonical order. `item` None: the empty set."""

    item: Type | None

    def __str__(self) -> str:
        return f"set of {self.item}" if self.item else "empty set"


@dataclass(frozen=True, slots=True)
class ListType:
    """A list of values of one type. `item` None: the empty list."""

    item: Type | None

    def __str__(self) -> str:
        return f"list of {self.item}" if self.item else "empty list"


DRAFT = "draft:"  # prefix of the record id of a draft
STAGES = "stages"  # field of a draft record that lists its steps


@dataclass(frozen=True, slots=True)
class RecordType:
    """A record, by id; its fields are in the model."""

    id: str

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class PartType:
    """A part of a composite table result; arms are (name, whether it carries a number)."""

    arms: tuple[tuple[str, bool], ...]

    def __str__(self) -> str:
        return "result of " + ", ".join(n for n, _ in self.arms)


@dataclass(frozen=True, slots=True)
class MaybeType:
    """A value of the type `item` that may be missing, so that its use requires `else`."""

    item: Type

    def __str__(self) -> str:
        return f"{self.item}, which may be missing"


@dataclass(frozen=True, slots=True)
class NeverType:
    """The type of an erroneous expression whose error was reported; fits everywhere."""

    def __str__(self) -> str:
        return "unknown"


Type = (
    IntType
    | NumberType
    | FlagType
    | TextType
    | DirectionType
    | ThingType
    | RungType
    | OneOfType
    | SetType
    | ListType
    | RecordType
    | PartType
    | MaybeType
    | NeverType
)

INT, NUMBER, FLAG, TEXT, DIRECTION = IntType(), NumberType(), FlagType(), TextType(), DirectionType()
NEVER = NeverType()
SIDE, SEAT, PLACE, EDGE, PIECE, LEVEL = map(ThingType, ("side", "seat", "place", "edge", "piece", "level"))


def is_assignable(source: Type, target: Type) -> bool:
    """Return whether a value of type `source` is valid where `target` is expected."""
    if source == target or isinstance(source, NeverType) or isinstance(target, NeverType):
        return True
    match source, target:
        case IntType(), NumberType():
            return True
        case ThingType(kind=a), ThingType(kind=b, cls=None):
            return a == b
        case OneOfType(values=a), OneOfType(values=b):
            return set(a) <= set(b)
        case (SetType(item=a), SetType(item=b)) | (ListType(item=a), ListType(item=b)):
            return a is None or (b is not None and is_assignable(a, b))
        case _, MaybeType(item=b):
            return is_assignable(strip_maybe(source), b)
    return False


def strip_maybe(type_: Type) -> Type:
    """Return the type of a value that is known to be present: `item` for a maybe type, any other type unchanged."""
    return type_.item if isinstance(type_, MaybeType) else type_


def get_member_type(type_: Type | None) -> Type | None:
    """Return the type of the members of a set or list, or None for the empty one and for any other type."""
    return type_.item if isinstance(type_, SetType | ListType) else None


def join_types(a: Type, b: Type) -> Type | None:
    """Return the narrowest type that both fit, or None."""
    if is_assignable(a, b):
        return b if not isinstance(b, NeverType) else a
    if is_assignable(b, a):
        return a
    match a, b:
        case OneOfType(values=x), OneOfType(values=y):
            return OneOfType(x + tuple(v for v in y if v not in x))
        case ThingType(kind=x), ThingType(kind=y) if x == y:
            return ThingType(x)
        case (SetType(item=x) as made, SetType(item=y)) | (ListType(item=x) as made, ListType(item=y)) if x and y:
            item = join_types(x, y)
            return type(made)(item) if item else None
    return None


PLAIN: dict[str, Type] = {str(type): type for type in (INT, NUMBER, FLAG, TEXT, DIRECTION)}
FOREIGN_TYPE_NAMES = {
    "string": "text",
    "str": "text",
    "bool": "flag",
    "boolean": "flag",
    "integer": "int",
    "float": "number",
    "decimal": "number",
    "player": "seat",
    "hex": "place",
    "area": "place",
    "space": "place",
    "location": "place",
}  # names of types in other languages and among players


def describe_type(type_: Type, inside: Callable[[Type], str] | None = None) -> str:
    """Return a type as a translatable message; user-defined names stay as written.

    `inside` formats the item type of sets and lists; this function by default.
    """
    inside = inside or describe_type
    match type_:
        case SetType(item=item):
            return _("set of {what}", what=inside(item)) if item else _("empty set")
        case ListType(item=item):
            return _("list of {what}", what=inside(item)) if item else _("empty list")
        case MaybeType(item=item):
            return _("{what} that may be missing", what=inside(item))
        case OneOfType(values=words):
            return _("one of {words}", words=", ".join(words))
        case PartType(arms=arms):
            return _("result of {words}", words=", ".join(name for name, _carries in arms))
    return str(type_)


def to_display_type(type_: Type) -> DisplayType:
    """Return the display type of values: ("thing", kind), ("rung", ladder), ("flag",), ("many", inner), ...

    A set is ("many", inner, "set").
    """
    match type_:
        case ThingType(kind=kind):
            return ("thing", kind)
        case RungType(ladder=ladder):
            return ("rung", ladder)
        case FlagType():
            return ("flag",)
        case IntType() | NumberType():
            return ("int",) if isinstance(type_, IntType) else ("number",)
        case SetType(item=item) | ListType(item=item):
            inner = ("plain",) if item is None else to_display_type(item)
            return ("many", inner, "set") if isinstance(type_, SetType) else ("many", inner)
        case MaybeType(item=item):
            return ("maybe", to_display_type(item))
        case OneOfType(values=words):
            return ("word", words)
        case PartType(arms=arms):
            return ("part", arms)
        case DirectionType():
            return ("direction",)
    return ("plain",)
