"""Every record that lies inside others, and whatever can be reached from something, whatever these are.

Must not know any of them but places in texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

from interpreter.source.text import Source, Span

_T = TypeVar("_T")
_PLAIN = frozenset(
    (str, int, bool, Fraction, type(None), Span, Source)
)  # what has no parts, or none that are asked for


def records_within(whole: Any, closed: tuple[type, ...] = (), but_for: tuple[str, ...] = ("span",)) -> Iterator[Any]:
    """Every record inside tuples, lists, mappings and records, itself among them: the outer first, in their order.

    What is of a `closed` type is neither given nor looked into; of all records the fields `but_for` are passed over.
    """
    stack = [whole]
    known = _sorts(closed, but_for)
    while stack:
        one = stack.pop()
        kind: Any = type(one)
        if kind in _PLAIN:
            continue
        if kind is tuple or kind is list or isinstance(one, (tuple, list)):
            stack.extend(one[::-1])
            continue
        names = known[kind] if kind in known else known.setdefault(kind, _parts(kind, closed, but_for))
        if names is not None:
            yield one
            stack.extend([getattr(one, name) for name in names])
        elif isinstance(one, Mapping):
            stack.extend(reversed([*one.values()]))


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
def _sorts(closed: tuple[type, ...], but_for: tuple[str, ...]) -> dict[Any, tuple[str, ...] | None]:
    """What `_parts` has said of each type so far: hundreds of thousands of records are of few types."""
    return {}


def _parts(kind: Any, closed: tuple[type, ...], but_for: tuple[str, ...]) -> tuple[str, ...] | None:
    """The names of a record's fields, the last first; None for what is no record, or a closed one."""
    if issubclass(kind, closed) or not hasattr(kind, "__dataclass_fields__"):
        return None
    return tuple(name for name in reversed([*kind.__dataclass_fields__]) if name not in but_for)
