"""The types of the rules language. Must not hold values or know about syntax."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.i18n.translator import mark as _


@dataclass(frozen=True, slots=True)
class IntType:
    """Whole numbers."""

    def __str__(self) -> str:
        return "int"


@dataclass(frozen=True, slots=True)
class NumberType:
    """Exact fractions; every int is one."""

    def __str__(self) -> str:
        return "number"


@dataclass(frozen=True, slots=True)
class FlagType:
    """Yes or no."""

    def __str__(self) -> str:
        return "flag"


@dataclass(frozen=True, slots=True)
class TextType:
    """Words."""

    def __str__(self) -> str:
        return "text"


@dataclass(frozen=True, slots=True)
class DirectionType:
    """A direction of the map's grid."""

    def __str__(self) -> str:
        return "direction"


@dataclass(frozen=True, slots=True)
class ThingType:
    """A thing of a kind: "side", "seat", "place", "edge", "piece", or a kind of the ruleset's own.

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
    """A set of values of one type, kept in canonical order. `item` None: the empty set."""

    item: Type | None

    def __str__(self) -> str:
        return f"set of {self.item}" if self.item else "empty set"


@dataclass(frozen=True, slots=True)
class ListType:
    """An ordered list of values of one type. `item` None: the empty list."""

    item: Type | None

    def __str__(self) -> str:
        return f"list of {self.item}" if self.item else "empty list"


DRAFT = "draft:"  # before the name of a draft, the id of the record that it makes
STAGES = "stages"  # the field of such a record that tells what was done step by step


@dataclass(frozen=True, slots=True)
class RecordType:
    """A record by its id; its fields stand in the model."""

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
    """A value that may be missing; needs `else` on the spot."""

    item: Type

    def __str__(self) -> str:
        return f"{self.item}, which may be missing"


@dataclass(frozen=True, slots=True)
class NeverType:
    """The type of an expression in which a fault was already reported; fits everywhere."""

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

INT, NUMBER, FLAG, TEXT, DIRECTION, NEVER = (
    IntType(),
    NumberType(),
    FlagType(),
    TextType(),
    DirectionType(),
    NeverType(),
)
SIDE, SEAT, PLACE, EDGE, PIECE = (
    ThingType("side"),
    ThingType("seat"),
    ThingType("place"),
    ThingType("edge"),
    ThingType("piece"),
)


def fits(given: Type, wanted: Type) -> bool:
    """True when a value of type `given` may stand where `wanted` is expected."""
    if given == wanted or isinstance(given, NeverType) or isinstance(wanted, NeverType):
        return True
    match given, wanted:
        case IntType(), NumberType():
            return True
        case ThingType(kind=a), ThingType(kind=b, cls=None):
            return a == b
        case OneOfType(values=a), OneOfType(values=b):
            return set(a) <= set(b)
        case (SetType(item=a), SetType(item=b)) | (ListType(item=a), ListType(item=b)):
            return a is None or (b is not None and fits(a, b))
        case _, MaybeType(item=b):
            return fits(given.item if isinstance(given, MaybeType) else given, b)
    return False


def join(a: Type, b: Type) -> Type | None:
    """The narrowest type that both fit, or None."""
    if fits(a, b):
        return b if not isinstance(b, NeverType) else a
    if fits(b, a):
        return a
    match a, b:
        case OneOfType(values=x), OneOfType(values=y):
            return OneOfType(x + tuple(v for v in y if v not in x))
        case ThingType(kind=x), ThingType(kind=y) if x == y:
            return ThingType(x)
        case (SetType(item=x) as made, SetType(item=y)) | (ListType(item=x) as made, ListType(item=y)) if x and y:
            item = join(x, y)
            return type(made)(item) if item else None
    return None


PLAIN: dict[str, Type] = {str(type): type for type in (INT, NUMBER, FLAG, TEXT, DIRECTION)}
CALLED_ELSEWHERE = {
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
}  # what other languages and players call some of the types


def type_words(type_: Type, inside: Callable[[Type], str] | None = None) -> str:
    """A type in words that can be said in any language; its own names stay as they are written.

    `inside` says of what a set or a list is; this function does where nothing else is given.
    """
    inside = inside or type_words
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
