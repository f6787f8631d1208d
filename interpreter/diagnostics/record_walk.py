"""Every record that lies inside others, and whatever can be reached from something, whatever these are.

Must not know any of them but places in texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from interpreter.diagnostics.source_text import Source, Span

_T = TypeVar("_T")
_Way = tuple[bool, Callable[[Any], Iterable[Any]] | None]
_PLAIN: frozenset[type] = frozenset(
    (str, int, bool, Fraction, type(None), Span, Source)
)  # what has no parts, or none that are asked for


def records_within(whole: Any, closed: tuple[type, ...] = (), but_for: tuple[str, ...] = ("span",)) -> Iterator[Any]:
    """Every record inside tuples, lists, mappings and records, itself among them: the outer first, in their order.

    What is of a `closed` type is neither given nor looked into; of all records the fields `but_for` are passed over.
    """
    ways = _ways(closed, but_for)
    stack = [whole]
    while stack:
        one = stack.pop()
        kind = type(one)
        is_record, parts = ways[kind] if kind in ways else ways.setdefault(kind, _way(kind, closed, but_for))
        if is_record:
            yield one
        if parts is not None:
            stack += parts(one)


def parts_called(record: object, *names: str) -> dict[str, Any]:
    """Some of the fields of a record by their names, in this order."""
    return {name: getattr(record, name) for name in names}


def reached(start: Iterable[_T], ways: Callable[[_T], Iterable[_T]]) -> dict[_T, None]:
    """What there is to begin with and all that `ways` lead to from there, by any number of steps; each once."""
    found = dict.fromkeys(start)
    waiting = [*found]
    while waiting:
        new = [one for one in dict.fromkeys(ways(waiting.pop())) if one not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return found


@cache
def _ways(_closed: tuple[type, ...], _but_for: tuple[str, ...]) -> dict[type, _Way]:
    """How sorts of things are gone through, filled as they are met."""
    return dict.fromkeys(_PLAIN, (False, None))


def _way(kind: Any, closed: tuple[type, ...], but_for: tuple[str, ...]) -> _Way:
    """Whether a sort of thing is a record that is given, and what its parts are, the last first; None for no parts."""
    if issubclass(kind, tuple | list):
        return False, reversed
    if hasattr(kind, "__dataclass_fields__") and not issubclass(kind, closed):
        names = [name for name in reversed([*kind.__dataclass_fields__]) if name not in but_for]
        if len(names) == 1:
            return True, lambda record: (getattr(record, names[0]),)
        return True, attrgetter(*names) if names else None
    if issubclass(kind, Mapping):
        return False, lambda mapping: reversed([*mapping.values()])
    return False, None
