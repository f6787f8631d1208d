"""Generic traversal of nested records, and reachability in a graph.

Skips spans by default; otherwise independent of the record types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from interpreter.diagnostics.source_text import Source, Span

_T = TypeVar("_T")
_TraversalPlan = tuple[bool, Callable[[Any], Iterable[Any]] | None]  # (is a record, function that lists its parts)
_LEAVES: frozenset[type] = frozenset(
    (str, int, bool, Fraction, type(None), Span, Source)
)  # types without parts to traverse


def iter_records(
    root: object, closed: tuple[type, ...] = (), skipped_fields: tuple[str, ...] = ("span",)
) -> Iterator[Any]:
    """Yield all records in nested tuples, lists, mappings and records, including `root`, in pre-order.

    Objects of a `closed` type are neither yielded nor entered; in all records the fields named in `skipped_fields` are
    skipped.
    """
    plans = _create_traversal_table(closed, skipped_fields)
    stack = [root]
    while stack:
        node = stack.pop()
        kind = type(node)
        is_record, list_parts = plans.get(kind) or plans.setdefault(kind, _plan_traversal(kind, closed, skipped_fields))
        if is_record:
            yield node
        if list_parts is not None:
            stack += list_parts(node)


def select_fields(record: object, *names: str) -> dict[str, Any]:
    """Return the named fields of a record, in the given order."""
    return {name: getattr(record, name) for name in names}


def find_reachable(start: Iterable[_T], list_successors: Callable[[_T], Iterable[_T]]) -> dict[_T, None]:
    """Return the distinct nodes reachable from `start`, including those of `start`, in the order of discovery."""
    visited = dict.fromkeys(start)
    pending = [*visited]
    while pending:
        new = [item for item in dict.fromkeys(list_successors(pending.pop())) if item not in visited]
        visited.update(dict.fromkeys(new))
        pending += new
    return visited


@cache
def _create_traversal_table(_closed: tuple[type, ...], _but_for: tuple[str, ...]) -> dict[type, _TraversalPlan]:
    """Return the table of traversal plans by type (see `_plan_traversal`), filled when a type is first met.

    There is one table for each combination of `_closed` and `_but_for`, as for `iter_records`.
    """
    return dict.fromkeys(_LEAVES, (False, None))


def _plan_traversal(kind: type, closed: tuple[type, ...], skipped_fields: tuple[str, ...]) -> _TraversalPlan:
    """Return (is a record to yield, function) for a type; the function lists an object's parts, last first.

    The function is None for a type without parts. `closed` and `skipped_fields`: see `iter_records`.
    """
    if issubclass(kind, tuple | list):
        return False, reversed
    if hasattr(kind, "__dataclass_fields__") and not issubclass(kind, closed):
        names = [name for name in reversed([*kind.__dataclass_fields__]) if name not in skipped_fields]
        if len(names) == 1:
            return True, lambda record: (getattr(record, names[0]),)
        return True, attrgetter(*names) if names else None
    if issubclass(kind, Mapping):
        return False, lambda mapping: reversed([*mapping.values()])
    return False, None
