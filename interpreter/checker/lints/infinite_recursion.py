"""Detect definitions that can never be evaluated: rules, tallies and drafts that call themselves.

Cycles among defines alone are found before types are inferred (`module_checker`); here are the cycles that lead
through requirements, lines and steps. Procedures are exempt: their recursion has a bound.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.i18n.translator import mark as _
from interpreter.model import expressions as n
from interpreter.model.checked_model import CheckedModel, iter_nested_records

Part = tuple[str, str]  # (sort, name)


def check_cycles(model: CheckedModel, sink: Sink) -> None:
    """Report each cycle of drafts, rules, tallies and defines once, at its first item in order of declaration."""
    parts: dict[Part, Any] = {
        **{("draft", n): d for n, d in model.drafts.items()},
        **{("rule", n): r for n, r in model.rules.items()},
        **{("tally", n): x for n, x in model.tallies.items()},
        **{("define", n): d for n, d in model.defines.items()},
    }
    calls = {part: [callee for callee in _iter_calls(item) if callee in parts] for part, item in parts.items()}
    candidates = _find_items_near_cycles(calls)
    reported: set[Part] = set()
    for part, item in parts.items():
        cycle = [] if part in reported or part not in candidates else _find_shortest_cycle(part, calls, candidates)
        if not cycle or all(sort == "define" for sort, _name in cycle):
            continue
        reported.update(cycle)
        path = " → ".join(f"`{name}`" for _sort, name in (*cycle, part))
        if any(sort == "draft" for sort, _name in cycle):
            sink.add_error(
                "recursive-draft",
                _(
                    "`{name}` depends on itself: it tests with `possible` whether it can be finished: {way}",
                    name=cycle[0][1],
                    way=path,
                ),
                item.span,
                help=_("a draft cannot use `possible` on itself, directly or through a call"),
            )
        else:
            sink.add_error(
                "recursive-define",
                _("`{name}` is defined in terms of itself: {way}", name=part[1], way=path),
                item.span,
                help=_("a definition cannot depend on itself; use a procedure with `at most ... deep`"),
            )


def _find_items_near_cycles(calls: Mapping[Part, Iterable[Part]]) -> Collection[Part]:
    """Return the items on a cycle or between two cycles, by removing leaves from both ends of the graph.

    `calls`: the items that each item calls.
    """
    return _remove_leaves(_remove_leaves(calls)).keys()


def _remove_leaves(calls: Mapping[Part, Iterable[Part]]) -> dict[Part, list[Part]]:
    """Return the items that lead to a cycle (topological sort), with the edges of the graph reversed.

    `calls`: the items that each item calls.
    """
    order, removed = TopologicalSorter(calls), set[Part]()
    with suppress(CycleError):
        order.prepare()
    while ready := order.get_ready():
        order.done(*ready)
        removed.update(ready)
    remaining: dict[Part, list[Part]] = {part: [] for part in calls if part not in removed}
    for part in remaining:
        for callee in calls[part]:
            if callee in remaining:
                remaining[callee].append(part)
    return remaining


def _find_shortest_cycle(start: Part, calls: dict[Part, list[Part]], candidates: Collection[Part]) -> list[Part]:
    """Return the items of the shortest cycle through `start`, beginning with it (BFS), or [] if no cycle contains it.

    `calls`: the items that each item calls; `candidates`: the items that may be on a cycle, all others are ignored.
    """
    predecessors: dict[Part, Part] = {}
    frontier = [start]
    while frontier:
        next_frontier = []
        for part in frontier:
            for callee in calls[part]:
                if callee == start:
                    cycle = [part]
                    while cycle[0] != start:
                        cycle.insert(0, predecessors[cycle[0]])
                    return cycle
                if callee not in predecessors and callee in candidates:
                    predecessors[callee] = part
                    next_frontier.append(callee)
        frontier = next_frontier
    return []


def _iter_calls(item: object) -> Iterator[Part]:
    """Yield the (sort, name) of each call in an item's expressions."""
    return ((node.sort, node.name) for node in iter_nested_records(item) if isinstance(node, n.CheckedCall))
