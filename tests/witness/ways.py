"""Paths over the map: breadth-first search, or Dijkstra's algorithm where entering has a cost.

A place is settled when it is reached; among places of equal cost those that were found first come first, or those that
come first on the map where entering has a cost. Keeps no data between two searches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.model.ruleset import Ruleset

Test = Callable[[int, int], Any]
Settled = dict[int, tuple[Any, int | None]]  # place -> what it cost to come there, and from where


class Links:
    """The links of the map: the places around each place in the order of the map, and the link between two places.

    Of several links between two places the last in the documents is meant.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.edges: dict[tuple[int, int], int] = {}
        around: list[set[int]] = [set() for _ in ruleset.kinds["place"].things]
        for number, edge in enumerate(ruleset.kinds["edge"].things):
            assert edge.ends is not None
            one, other = edge.ends
            self.edges[one, other] = self.edges[other, one] = number
            around[one].add(other)
            around[other].add(one)
        self.neighbours = [tuple(sorted(near)) for near in around]


def settled(
    links: Links,
    start: tuple[int, ...],
    goal: tuple[int, ...] | None,
    within: Any,
    where: Test | None,
    cost: Test | None,
) -> tuple[Settled, int | None]:
    """Return every settled place in order, and the goal that was reached first or None; the search ends there."""
    return (
        by_rings(links, start, goal, within, where)
        if cost is None
        else by_price(links, start, goal, within, where, cost)
    )


def by_rings(
    links: Links, start: tuple[int, ...], goal: tuple[int, ...] | None, within: Any, where: Test | None
) -> tuple[Settled, int | None]:
    """Search breadth-first: each step costs 1."""
    found: Settled = dict.fromkeys(sorted(set(start)), (0, None))
    ring, spent = list(found), 0
    while ring:
        for place in ring:
            if goal is not None and place in goal:
                return found, place
        spent += 1
        if within is not None and spent > within:
            break
        following = []
        for place in ring:
            for other in links.neighbours[place]:
                if other not in found and (where is None or where(other, place)):
                    found[other] = (spent, place)
                    following.append(other)
        ring = following
    return found, None


class NegativeCost(Exception):
    """Entering a place may not cost less than nothing."""


def by_price(
    links: Links, start: tuple[int, ...], goal: tuple[int, ...] | None, within: Any, where: Test | None, cost: Test
) -> tuple[Settled, int | None]:
    """Search by least cost: each step has a cost."""
    done: Settled = {}
    open_: list[tuple[Any, int, int]] = [(0, place, -1) for place in sorted(set(start))]
    while open_:
        nearest = min(open_)
        open_.remove(nearest)
        spent, place, before = nearest
        if place in done:
            continue
        done[place] = (spent, None if before < 0 else before)
        if goal is not None and place in goal:
            return done, place
        for other in links.neighbours[place]:
            if other in done or (where is not None and not where(other, place)):
                continue
            price = cost(other, place)
            if price < 0:
                raise NegativeCost
            if within is None or spent + price <= within:
                open_.append((spent + price, other, place))
    return done, None
