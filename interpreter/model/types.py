"""The types of the rules language. Must not hold values or know about syntax."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.words.speech import mark as _


@dataclass(frozen=True, slots=True)
class Int:
    """Whole numbers."""

    def __str__(self) -> str:
        return "int"


@dataclass(frozen=True, slots=True)
class Number:
    """Exact fractions; every int is one."""

    def __str__(self) -> str:
        return "number"


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    def __str__(self) -> str:
        return "flag"


@dataclass(frozen=True, slots=True)
class Text:
    """Words."""

    def __str__(self) -> str:
        return "text"


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction of the map's grid."""

    def __str__(self) -> str:
        return "direction"


@dataclass(frozen=True, slots=True)
class ThingOf:
    """A thing of a kind: "side", "seat", "place", "edge", "piece", or a kind of the ruleset's own.

    `cls` narrows a piece to a class of pieces.
    """

    kind: str
    cls: str | None = None

    def __str__(self) -> str:
        return self.cls or self.kind


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung of a ladder."""

    ladder: str

    def __str__(self) -> str:
        return self.ladder


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a fixed list of words."""

    values: tuple[str, ...]

    def __str__(self) -> str:
        return "one of " + ", ".join(self.values)


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set of values of one type, kept in canonical order. `item` None: the empty set."""

    item: Type | None

    def __str__(self) -> str:
        return f"set of {self.item}" if self.item else "empty set"


@dataclass(frozen=True, slots=True)
class ListOf:
    """An ordered list of values of one type. `item` None: the empty list."""

    item: Type | None

    def __str__(self) -> str:
        return f"list of {self.item}" if self.item else "empty list"


DRAFT = "draft:"  # before the name of a draft, the id of the record that it makes
STAGES = "stages"  # the field of such a record that tells what was done step by step


@dataclass(frozen=True, slots=True)
class RecordOf:
    """A record by its id; its fields stand in the model."""

    id: str

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a composite table result; arms are (name, whether it carries a number)."""

    arms: tuple[tuple[str, bool], ...]

    def __str__(self) -> str:
        return "result of " + ", ".join(n for n, _ in self.arms)


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value that may be missing; needs `else` on the spot."""

    item: Type

    def __str__(self) -> str:
        return f"{self.item}, which may be missing"


@dataclass(frozen=True, slots=True)
class Never:
    """The type of an expression in which a fault was already reported; fits everywhere."""

    def __str__(self) -> str:
        return "unknown"


Type = (
    Int | Number | Flag | Text | Direction | ThingOf | Rung | OneOf | SetOf | ListOf | RecordOf | Part | Maybe | Never
)

INT, NUMBER, FLAG, TEXT, DIRECTION, NEVER = Int(), Number(), Flag(), Text(), Direction(), Never()
SIDE, SEAT, PLACE, EDGE, PIECE = (ThingOf("side"), ThingOf("seat"), ThingOf("place"), ThingOf("edge"), ThingOf("piece"))


def fits(given: Type, wanted: Type) -> bool:
    """True when a value of type `given` may stand where `wanted` is expected."""
    if given == wanted or isinstance(given, Never) or isinstance(wanted, Never):
        return True
    match given, wanted:
        case Int(), Number():
            return True
        case ThingOf(kind=a), ThingOf(kind=b, cls=None):
            return a == b
        case OneOf(values=a), OneOf(values=b):
            return set(a) <= set(b)
        case (SetOf(item=a), SetOf(item=b)) | (ListOf(item=a), ListOf(item=b)):
            return a is None or (b is not None and fits(a, b))
        case _, Maybe(item=b):
            return fits(given.item if isinstance(given, Maybe) else given, b)
    return False


def join(a: Type, b: Type) -> Type | None:
    """The narrowest type that both fit, or None."""
    if fits(a, b):
        return b if not isinstance(b, Never) else a
    if fits(b, a):
        return a
    match a, b:
        case OneOf(values=x), OneOf(values=y):
            return OneOf(x + tuple(v for v in y if v not in x))
        case ThingOf(kind=x), ThingOf(kind=y) if x == y:
            return ThingOf(x)
        case (SetOf(item=x) as made, SetOf(item=y)) | (ListOf(item=x) as made, ListOf(item=y)) if x and y:
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
        case SetOf(item=item):
            return _("set of {what}", what=inside(item)) if item else _("empty set")
        case ListOf(item=item):
            return _("list of {what}", what=inside(item)) if item else _("empty list")
        case Maybe(item=item):
            return _("{what} that may be missing", what=inside(item))
        case OneOf(values=words):
            return _("one of {words}", words=", ".join(words))
        case Part(arms=arms):
            return _("result of {words}", words=", ".join(name for name, _carries in arms))
    return str(type_)
