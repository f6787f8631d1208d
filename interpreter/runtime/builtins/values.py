"""Builtins on numbers, sets, lists and records that depend only on their arguments.

Compiled code calls them with a leading underscore. Values are immutable; a set is a sorted tuple.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from inspect import isfunction
from math import ceil, floor
from typing import Any, NoReturn, TypeVar

from interpreter.runtime.builtins.registry import OperationFacts, builtin
from interpreter.runtime.errors import RuntimeFault
from interpreter.runtime.limits import require_digits
from interpreter.runtime.type_aliases import Number

T = TypeVar("T")


def quotient(a: Number, b: Number) -> object:
    """Divide exactly; return an int if the result is integral, else a Fraction."""
    if b == 0:
        no_divisor()
    exact = Fraction(a) / b
    return exact.numerator if exact.denominator == 1 else require_digits(exact)


@cache
def written_fraction(numerator: int, denominator: int) -> Fraction:
    """Return a fraction literal of the rules (memoized)."""
    return Fraction(numerator, denominator)


def normalize_number(number: Number) -> Number:
    """Return the number, with an integral fraction converted to int, so that equal numbers have one representation."""
    return number.numerator if type(number) is Fraction and number.denominator == 1 else number


def no_divisor() -> NoReturn:
    """Raise the fault for a division by 0."""
    raise RuntimeFault("division by zero")


@builtin("round_near(number: number) -> int")
def round_near(x: Number) -> int:
    """Round to the nearest integer, halves up."""
    near: int = floor(x + Fraction(1, 2))
    return near


@builtin("round_down(number: number) -> int")
def round_down(x: Number) -> int:
    """Round down to an integer."""
    below: int = floor(x)
    return below


@builtin("round_up(number: number) -> int")
def round_up(x: Number) -> int:
    """Round up to an integer."""
    above: int = ceil(x)
    return above


@builtin("abs(number: number) -> same", code="abs(_1)")
def absolute(x: Number) -> object:
    """Return the absolute value."""
    return abs(x)


@builtin(
    "remainder(number: int, by: int) -> int",
    code="_1 % (_2 or _no_divisor())",
    facts=OperationFacts(faults=True, is_short=True),
)
def remainder(number: int, by: int) -> int:
    """Return the remainder of an integer division."""
    return number % (by or no_divisor())


def as_set(items: Iterable[Any]) -> tuple[Any, ...]:
    """Return the distinct members in canonical order."""
    members = set(items)
    try:
        return tuple(sorted(members))
    except TypeError:  # a member is missing or contains a missing value
        return tuple(sorted(members, key=_sort_key))


def _sort_key(value: object) -> tuple[Any, ...]:
    """Return a sort key that orders missing values first."""
    inside = tuple([_sort_key(v) for v in value]) if isinstance(value, tuple) else value
    return (0,) if value is None else (1, inside)


def union(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the union of two sets."""
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
    """Return the members of the first collection that are not in the second, in the same order."""
    if not b or not a:
        return a
    removed = set(b)
    return tuple([x for x in a if x not in removed])


@builtin("both(set: members, set: members) -> same")
def both(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the intersection of two sets."""
    second = set(b)
    return tuple([x for x in a if x in second])


@builtin(
    "count(set: members) -> int", gathers="count", code="len(_1)", facts=OperationFacts(any_order=True, is_short=True)
)
def count(items: tuple[Any, ...]) -> int:
    """Return the number of members."""
    return len(items)


@builtin("sum(set: numbers) -> member", gathers="sum", code="sum(_1)", facts=OperationFacts(any_order=True, grows=True))
def total(items: tuple[Any, ...]) -> object:
    """Return the sum of all members."""
    return sum(items)


@builtin(
    "min(set: numbers) -> maybe member",
    gathers="min",
    code="min(_1, default=None)",
    facts=OperationFacts(any_order=True),
)
def smallest(items: tuple[Any, ...]) -> object:
    """Return the smallest member, or None."""
    return min(items, default=None)


@builtin(
    "max(set: numbers) -> maybe member",
    gathers="max",
    code="max(_1, default=None)",
    facts=OperationFacts(any_order=True),
)
def largest(items: tuple[Any, ...]) -> object:
    """Return the largest member, or None."""
    return max(items, default=None)


@builtin("take(number: int, set: members) -> same")
def take(number: int, items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the first `number` members, or all if there are fewer."""
    return tuple(items[:number]) if number > 0 else ()


@builtin("first(set: members) -> maybe member", gathers="list")
def first(items: tuple[T, ...]) -> T | None:
    """Return the first member, or None."""
    return items[0] if items else None


@builtin("last(set: members) -> maybe member", gathers="list")
def last(items: tuple[T, ...]) -> T | None:
    """Return the last member, or None."""
    return items[-1] if items else None


def item(items: tuple[T, ...], number: int) -> T | None:
    """Return the n-th member, counted from 1, or None."""
    return items[number - 1] if 1 <= number <= len(items) else None


def with_fields(record: tuple[Any, ...], changes: tuple[tuple[int, Any], ...]) -> tuple[Any, ...]:
    """Return the record with some fields replaced. `changes`: pairs of field index and new value."""
    new = list(record)
    for index, value in changes:
        new[index] = value
    return tuple(new)


def or_value(value: object, fallback: object) -> object:
    """Return the value, or the fallback if it is missing."""
    return fallback if value is None else value


def or_call(value: object, fallback: Callable[[], Any]) -> object:
    """Return the value, or call the fallback if it is missing."""
    return fallback() if value is None else value


def least(pairs: list[tuple[Any, Any]]) -> tuple[Any, ...]:
    """Return the members with the least measure, () for no members. `pairs`: (measure, member) of each."""
    if not pairs:
        return ()
    best = min([m for m, _ in pairs])
    return tuple([x for m, x in pairs if m == best])


def most(pairs: list[tuple[Any, Any]]) -> tuple[Any, ...]:
    """Return the members with the greatest measure, () for no members. `pairs`: (measure, member) of each."""
    if not pairs:
        return ()
    best = max([m for m, _ in pairs])
    return tuple([x for m, x in pairs if m == best])


def list_compiled_functions(namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Return the functions of a namespace under the names that compiled rules use, with a leading `_`."""
    return {"_" + name: function for name, function in namespace.items() if isfunction(function)}


NAMESPACE: dict[str, Any] = {
    **list_compiled_functions(vars()),
    "_fraction": written_fraction,
    "_once": dict.fromkeys,  # removes duplicates, keeps the order
    "_with": with_fields,
    "_or": or_value,
}
