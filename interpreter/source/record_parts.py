"""Every record that lies inside others, whatever they are records of. Must not know any of them but places in texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from interpreter.source.text import Source, Span

PLACES: tuple[type, ...] = (Span, Source)


def records_within(whole: Any, closed: tuple[type, ...] = (), but_for: tuple[str, ...] = ("span",)) -> Iterator[Any]:
    """Every record inside tuples, lists, mappings and records, itself among them: the outer first, in their order.

    What is of a `closed` type is neither given nor looked into; of all records the fields `but_for` are passed over.
    """
    closed = (*PLACES, *closed)
    stack = [whole]
    while stack:
        one = stack.pop()
        if isinstance(one, tuple | list):
            stack.extend(reversed(one))
        elif isinstance(one, Mapping):
            stack.extend(reversed([*one.values()]))
        elif hasattr(one, "__dataclass_fields__") and not isinstance(one, closed):
            yield one
            kind: Any = type(one)
            stack.extend(getattr(one, name) for name in _parts(kind, but_for))


@cache
def _parts(kind: Any, but_for: tuple[str, ...]) -> tuple[str, ...]:
    """The names of a record's fields, the last first."""
    return tuple(name for name in reversed([*kind.__dataclass_fields__]) if name not in but_for)
