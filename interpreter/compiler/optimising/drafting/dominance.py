"""Dominance between states of a draft: a state is pruned if one seen before offers the same.

Fields that are never read do not distinguish states; a counter that is only compared with numbers distinguishes them
up to the largest of these; and where every test is harder to pass at a higher cost, the cheaper of two otherwise equal
states dominates.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.checker.operations import COMPARISONS
from interpreter.compiler.optimising.flattening import conjuncts
from interpreter.model import expressions as n, types as t
from interpreter.model.expressions import free_names
from interpreter.model.statements import CheckedDraft, Core, children

Parts = tuple[list[Core], list[Core], dict[str, Core]]  # a step's tests, what else it reads, new values of fields


@dataclass(frozen=True, slots=True)
class Compared:
    """`live` fields tell states apart, those in `caps` up to a number; `price` is the field to be least, if any."""

    live: frozenset[str]
    caps: dict[str, int]
    price: str | None


def compared(
    fields: list[str],
    types: dict[str, t.Type],
    steps: list[Parts],
    finish: list[Core],
    offer: list[Core],
    price: Core | None,
) -> Compared | None:
    """Return how states of a draft compare, or None unless its cost is a field whose growth only fails tests."""
    tests = [p for parts in (*(s[0] for s in steps), finish) for x in parts for p in conjuncts(x)]
    others = [x for _, rest, _ in steps for x in rest]
    cheapest = None
    if price is not None:
        cheapest = price.name if isinstance(price, n.CheckedLocal) and price.name in fields else None
        if cheapest is None or not _only_hinders(cheapest, tests, [*others, *offer], steps):
            return None
    reads = [*tests, *others]
    live = _live(fields, reads, steps, offer, cheapest)
    caps = {
        f: cap
        for f in fields
        if f in live and isinstance(types[f], t.IntType)
        if (cap := _cap(f, [*reads, *offer], steps)) is not None
    }
    return Compared(live, caps, cheapest)


def read_fields(draft: CheckedDraft) -> tuple[int, ...]:
    """Return the indices of the fields that decide steps and ends; the others only describe the path."""
    fields = [n for n, _, _ in draft.fields]
    if not draft.offer:
        return tuple(range(len(fields)))
    reads = [r.test for r in draft.finish] + [p.value for p in draft.prefers]
    reads += [] if draft.cheapest is None else [draft.cheapest]
    for step in draft.steps:
        reads += [p.domain for p in step.params] + [r.test for r in step.requires] + [p.value for p in step.prefers]
        reads += [] if step.stops_if is None else [step.stops_if]
    steps: list[Parts] = [([], [], {fields[i]: value for i, value in s.now}) for s in draft.steps]
    live = _live(fields, reads, steps, [v for _, v in draft.offer], None)
    return tuple(i for i, n in enumerate(fields) if n in live)


def _only_hinders(price: str, tests: list[Core], others: list[Core], steps: list[Parts]) -> bool:
    if any(price in free_names(x) for x in others):
        return False
    for test in tests:
        if price in free_names(test) and not _is_limit(test, price):
            return False
    for _, _, now in steps:
        for field, value in now.items():
            if price in free_names(value) and (field != price or not _is_sum(value, price)):
                return False
    return all(price not in now or price in free_names(now[price]) for _, _, now in steps)


def _is_limit(test: Core, price: str) -> bool:
    match test:
        case n.Operation("<" | "<=", (low, high)) | n.Operation(">" | ">=", (high, low)):
            return price not in free_names(high) and _is_sum(low, price)
    return False


def _is_sum(core: Core, price: str) -> bool:
    """Return whether an expression is the cost plus a term that does not read it."""
    match core:
        case n.CheckedLocal(name):
            return name == price
        case n.Operation("add", (a, b)):
            return price not in free_names(b) and _is_sum(a, price) or price not in free_names(a) and _is_sum(b, price)
        case n.Operation("sub", (a, b)):
            return price not in free_names(b) and _is_sum(a, price)
    return False


def _live(
    fields: list[str], reads: list[Core], steps: list[Parts], offer: list[Core], cheapest: str | None
) -> frozenset[str]:
    live: set[str] = set()
    waiting = {n for x in [*reads, *offer] for n in free_names(x)} | ({cheapest} if cheapest else set())
    while waiting:
        found = waiting.pop()
        if found not in fields or found in live:
            continue
        live.add(found)
        waiting |= {n for _, _, now in steps if found in now for n in free_names(now[found])}
    return frozenset(live - {cheapest})


def _cap(field: str, reads: list[Core], steps: list[Parts]) -> int | None:
    """Return the number from which on all values of a counter are equivalent, or None."""
    others = [v for _, _, now in steps for f, v in now.items() if f != field]
    own = [now[field] for _, _, now in steps if field in now]
    caps = [_compared_with(field, x) for x in [*reads, *others]] + [_counts(field, x) for x in own]
    return None if any(x is None for x in caps) else max([x for x in caps if x is not None], default=0)


def _compared_with(field: str, core: Core) -> int | None:
    """Return the number above which no comparison of the field changes, or None if it has other uses."""
    if field not in free_names(core):
        return 0
    match core:
        case n.Operation(symbol, (n.CheckedLocal(name), n.Literal(int() as number))) if (
            name == field and symbol in COMPARISONS
        ):
            return number + (symbol not in (">=", "<"))
        case n.Operation(symbol, (n.Literal(int() as number), n.CheckedLocal(name))) if (
            name == field and symbol in COMPARISONS
        ):
            return number + 1
        case n.CheckedLocal():
            return None
    return _most([_compared_with(field, child) for child in children(core)])


def _counts(field: str, core: Core) -> int | None:
    """Return that number for the field's own new value, which may be incremented or reset."""
    match core:
        case n.CheckedLocal(name):
            return 0 if name == field else None
        case n.Literal(int() as value):
            return 0 if value >= 0 else None
        case n.Operation("add", (n.CheckedLocal(name), step)) if name == field:
            return 0 if isinstance(step, n.Literal) and isinstance(step.value, int) and step.value >= 0 else None
        case n.Operation("cond", (test, yes, no)):
            return _most([_compared_with(field, test), _counts(field, yes), _counts(field, no)])
    return None


def _most(found: list[int | None]) -> int | None:
    return None if any(x is None for x in found) else max([x for x in found if x is not None], default=0)
