"""Numbers, sets, lists and records: the functions of the language that need nothing but what they are given.

In compiled code they are called with a leading underscore. Values never change in place; a set is in order.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from inspect import isfunction
from math import ceil, floor
from typing import Any, NoReturn

from interpreter.runtime.builtins.registry import OperationFacts, builtin
from interpreter.runtime.errors import RuntimeFault
from interpreter.runtime.limits import sized

BINARY = 2**20  # sums of some binary fractions with parts below this are exact


def quotient(a: Any, b: Any) -> Any:
    """An exact fraction; a whole number when it comes out even."""
    if b == 0:
        no_divisor()
    made = Fraction(a) / b
    return made.numerator if made.denominator == 1 else sized(made)


@cache
def written_fraction(numerator: int, denominator: int) -> Fraction:
    """A fraction that stands in the rules, made once."""
    return Fraction(numerator, denominator)


def normal(number: Any) -> Any:
    """The same number; a fraction that comes out even as a whole one, so that equal numbers are one."""
    return number.numerator if type(number) is Fraction and number.denominator == 1 else number


def is_among(number: Any, low: Any, high: Any) -> bool:
    """Whether a number is one of the whole numbers of a range."""
    return low <= number <= high and (type(number) is int or number.denominator == 1)


def no_divisor() -> NoReturn:
    """Nothing is divided by 0."""
    raise RuntimeFault("division by zero")


def comparable(number: Any) -> Any:
    """A number that compares (and adds up with others of its sort) as this one does, and faster where it can.

    Whole numbers stand for fractions that come out even; halves, quarters ... of moderate size are exact in binary.
    """
    below = number.denominator
    if below == 1:
        return number.numerator
    if below & (below - 1) == 0 and below <= BINARY and -BINARY < number.numerator < BINARY:
        return number.numerator / below
    return number


@builtin("round_near(number: number) -> int")
def round_near(x: Any) -> int:
    """To the nearest whole number, halves up."""
    near: int = floor(x + Fraction(1, 2))
    return near


@builtin("round_down(number: number) -> int")
def round_down(x: Any) -> int:
    """To the whole number below."""
    below: int = floor(x)
    return below


@builtin("round_up(number: number) -> int")
def round_up(x: Any) -> int:
    """To the whole number above."""
    above: int = ceil(x)
    return above


@builtin("abs(number: number) -> same", code="abs(_1)")
def absolute(x: Any) -> Any:
    """The number without its sign."""
    return abs(x)


@builtin(
    "remainder(number: int, by: int) -> int",
    code="_1 % (_2 or _no_divisor())",
    facts=OperationFacts(faults=True, is_short=True),
)
def remainder(number: int, by: int) -> int:
    """What is left when a whole number is divided."""
    return number % (by or no_divisor())


def as_set(items: Iterable[Any]) -> tuple[Any, ...]:
    """Members once, in canonical order."""
    members = set(items)
    try:
        return tuple(sorted(members))
    except TypeError:  # something is missing, in a member or for one
        return tuple(sorted(members, key=_place_in_order))


def _place_in_order(value: Any) -> Any:
    """What is missing comes before all that is there."""
    inside = tuple([_place_in_order(v) for v in value]) if isinstance(value, tuple) else value
    return (0,) if value is None else (1, inside)


def union(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Members of either."""
    if not a:
        return b
    if not b:
        return a
    try:
        if len(b) == 1:
            if b[0] in a:
                return a
            place = bisect(a, b[0])
            return a[:place] + b + a[place:]
        return tuple(sorted({*a, *b}))
    except TypeError:
        return as_set((*a, *b))


def minus(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Members of the first that are not in the second; the order stays."""
    if not b or not a:
        return a
    gone = set(b)
    return tuple([x for x in a if x not in gone])


@builtin("both(set: members, set: members) -> same")
def both(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Members of both."""
    there = set(b)
    return tuple([x for x in a if x in there])


def on_map(places: Iterable[int], shown: tuple[bool, ...]) -> tuple[int, ...]:
    """Those of the places that lie on the map, in its order."""
    return tuple(sorted([p for p in places if shown[p]]))


@builtin(
    "count(set: members) -> int", gathers="count", code="len(_1)", facts=OperationFacts(any_order=True, is_short=True)
)
def count(items: tuple[Any, ...]) -> int:
    """How many members."""
    return len(items)


@builtin("sum(set: numbers) -> member", gathers="sum", code="sum(_1)", facts=OperationFacts(any_order=True, grows=True))
def total(items: tuple[Any, ...]) -> Any:
    """All members added up."""
    return sum(items)


@builtin(
    "min(set: numbers) -> maybe member",
    gathers="min",
    code="min(_1, default=None)",
    facts=OperationFacts(any_order=True),
)
def smallest(items: tuple[Any, ...]) -> Any:
    """The smallest member, or None."""
    return min(items, default=None)


@builtin(
    "max(set: numbers) -> maybe member",
    gathers="max",
    code="max(_1, default=None)",
    facts=OperationFacts(any_order=True),
)
def largest(items: tuple[Any, ...]) -> Any:
    """The largest member, or None."""
    return max(items, default=None)


@builtin("take(number: int, set: members) -> same")
def take(number: int, items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The first members; fewer when there are not so many."""
    return tuple(items[:number]) if number > 0 else ()


@builtin("first(set: members) -> maybe member", gathers="list")
def first(items: tuple[Any, ...]) -> Any:
    """The first member, or None."""
    return items[0] if items else None


@builtin("last(set: members) -> maybe member", gathers="list")
def last(items: tuple[Any, ...]) -> Any:
    """The last member, or None."""
    return items[-1] if items else None


def item(items: tuple[Any, ...], number: int) -> Any:
    """The n-th member, counted from 1, or None."""
    return items[number - 1] if 1 <= number <= len(items) else None


def field(record: Any, index: int) -> Any:
    """A field of a record that may be missing."""
    return None if record is None else record[index]


def with_fields(record: tuple[Any, ...], changes: tuple[tuple[int, Any], ...]) -> tuple[Any, ...]:
    """The record with some fields changed."""
    new = list(record)
    for index, value in changes:
        new[index] = value
    return tuple(new)


def or_value(value: Any, fallback: Any) -> Any:
    """The value unless it is missing."""
    return fallback if value is None else value


def or_call(value: Any, fallback: Callable[[], Any]) -> Any:
    """The value unless it is missing; the fallback is worked out only then."""
    return fallback() if value is None else value


def least(pairs: list[tuple[Any, Any]]) -> tuple[Any, ...]:
    """Members whose measure is least."""
    if not pairs:
        return ()
    best = min([m for m, _ in pairs])
    return tuple([x for m, x in pairs if m == best])


def most(pairs: list[tuple[Any, Any]]) -> tuple[Any, ...]:
    """Members whose measure is greatest."""
    if not pairs:
        return ()
    best = max([m for m, _ in pairs])
    return tuple([x for m, x in pairs if m == best])


def called_by(found: Mapping[str, Any]) -> dict[str, Any]:
    """The functions among some names, as compiled rules call them: by their own names with `_` before."""
    return {"_" + name: function for name, function in found.items() if isfunction(function)}


NAMESPACE: dict[str, Any] = {
    **called_by(vars()),
    "_fraction": written_fraction,
    "_once": dict.fromkeys,  # members once, in the order in which they came
    "_with": with_fields,
    "_or": or_value,
}
