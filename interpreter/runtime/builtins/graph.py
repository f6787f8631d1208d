"""The map as a graph: neighbours, edges, grid directions and bounded searches.

`Links` is built once for a ruleset and never changes. Searches visit every place at most
once and in a fixed order, so equal maps give equal answers everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from typing import Any

from interpreter.runtime.builtins.registry import OperationFacts, builtin
from interpreter.runtime.builtins.values import normalize_number
from interpreter.runtime.errors import RuntimeFault
from interpreter.runtime.limits import charge_items, spend
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Number

Test = Callable[[int, int], Any]  # of entering a place from another one
Visit = tuple[int, Any, int | None]  # a place that a search visits, its cost, the place before it or None


@dataclass(frozen=True, slots=True)
class Links:
    """The map as a graph: neighbours and edges by place handle.

    `edges`: the edge between two places. `ends`: the two places of each edge. `directions`: the directions of the grid,
    clockwise. `by_direction`: for each place, the neighbour in each direction, or None. `cells`: (column, row) of each
    place, or None off the grid. `shape`: the shape of the grid. `steps` memoizes, by start place, the number of steps
    to every reachable place.
    """

    neighbours: tuple[tuple[int, ...], ...]
    edges: dict[tuple[int, int], int]
    ends: tuple[tuple[int, int], ...]
    directions: tuple[str, ...]
    by_direction: tuple[tuple[int | None, ...], ...]
    cells: tuple[tuple[int, int] | None, ...]
    shape: str
    steps: dict[int, Distances] = field(default_factory=dict, compare=False)


@builtin("linked(place: place, place: place) -> flag", needs="links", code="(_1, _2) in EDGES")
def linked(links: Links, a: int, b: int) -> bool:
    """Return whether two places are adjacent."""
    return (a, b) in links.edges


@builtin("edge(place: place, place: place) -> maybe edge", needs="links", code="EDGES.get((_1, _2))")
def edge(links: Links, a: int, b: int) -> int | None:
    """Return the edge between two places, or None."""
    return links.edges.get((a, b))


@builtin("neighbours(place: place) -> set of place", needs="links", code="NEIGHBOURS[_1]")
def neighbours(links: Links, place: int) -> tuple[int, ...]:
    """Return the places adjacent to a place."""
    return links.neighbours[place]


@builtin("edges_of(place: place) -> set of edge", needs="links")
def edges_of(links: Links, place: int) -> tuple[int, ...]:
    """Return the edges of a place, in handle order."""
    return tuple(sorted(links.edges[(place, n)] for n in links.neighbours[place]))


@builtin("ends_of(edge: edge) -> set of place", needs="links")
def ends_of(links: Links, number: int) -> tuple[int, ...]:
    """Return the two places of an edge, in handle order."""
    return tuple(sorted(links.ends[number]))


@builtin(
    "step(place: maybe place, direction: maybe direction) -> maybe place",
    needs="links",
    code="STEPS.get((_1, _2))",
    facts=OperationFacts(faults=True, takes_missing=True),
)
def step(links: Links, place: int | None, direction: str | None) -> int | None:
    """Return the neighbour in a direction, or None at the map's edge or for a missing place or direction."""
    if place is None or direction is None:
        return None
    if not links.by_direction:
        raise RuntimeFault("the map has no grid, so it has no directions")
    return links.by_direction[place][links.directions.index(direction)] if place < len(links.by_direction) else None


@builtin(
    "ray(place: place, direction: direction) -> list of place",
    needs="links",
    code="RAYS[(_1, _2)]",
    facts=OperationFacts(faults=True),
)
def ray(links: Links, place: int, direction: str) -> tuple[int, ...]:
    """Return the places in one direction up to the edge of the map, nearest first."""
    out: list[int] = []
    here = step(links, place, direction)
    while here is not None:
        out.append(here)
        here = step(links, here, direction)
    return tuple(out)


class GraphMemo(dict[Any, Any]):
    """Memoized results of a function of the map, by its argument or tuple of arguments; computed on first access."""

    __slots__ = ("_compute",)
    MAX_ENTRIES = 100_000

    def __init__(self, compute: Callable[..., Any], known: dict[Any, Any] | None = None) -> None:
        super().__init__(known or {})
        self._compute = compute

    def __missing__(self, key: object) -> object:
        value = self._compute(*key) if isinstance(key, tuple) else self._compute(key)
        if len(self) < self.MAX_ENTRIES:
            self[key] = value
        return value


class NoGrid(dict[Any, Any]):
    """A substitute for the table of neighbours by direction, for maps without a grid; a lookup is a rules fault."""

    def get(self, key: tuple[object, ...], default: object = None) -> object:
        """Return `default` for a key (place, direction) in which either is missing; otherwise raise RuntimeFault."""
        if None not in key:
            raise RuntimeFault("the map has no grid, so it has no directions")
        return default


def inline_tables(links: Links) -> dict[str, Any]:
    """Return the lookup tables that replace calls of builtins, by the names that compiled code uses for them."""
    steps: dict[tuple[int, str], int] = {
        (a, direction): b
        for a, row in enumerate(links.by_direction)
        for direction, b in zip(links.directions, row, strict=True)
        if b is not None
    }
    cells = {place: cell for place, cell in enumerate(links.cells) if cell is not None}
    return {
        "NEIGHBOURS": links.neighbours,
        "EDGES": links.edges,
        "DIRECTIONS": directions_between(links),
        "STEPS": steps if links.by_direction else NoGrid(),
        "RAYS": GraphMemo(partial(ray, links)),
        "TURNED": GraphMemo(partial(turned, links)),
        "TURNS": GraphMemo(partial(turns_between, links)),
        "SPACES": GraphMemo(partial(steps_to_all, links)),
        "COLUMNS": GraphMemo(partial(column_of, links), {place: column for place, (column, _) in cells.items()}),
        "ROWS": GraphMemo(partial(row_of, links), {place: row for place, (_, row) in cells.items()}),
    }


def directions_between(links: Links) -> dict[tuple[int, int], str]:
    """Return, for each place and each neighbour on the grid, the direction of the neighbour."""
    out: dict[tuple[int, int], str] = {}
    for a, row in enumerate(links.by_direction):
        for direction, b in zip(links.directions, row, strict=True):
            if b is not None:
                out.setdefault((a, b), direction)
    return out


@builtin(
    "direction_to(place: place, neighbour: place) -> maybe direction", needs="links", code="DIRECTIONS.get((_1, _2))"
)
def direction_to(links: Links, a: int, b: int) -> str | None:
    """Return the direction of a neighbour, or None if the places are not adjacent on the grid."""
    if a >= len(links.by_direction) or b not in links.by_direction[a]:
        return None
    return links.directions[links.by_direction[a].index(b)]


@builtin("turned(direction: direction, steps clockwise: int) -> direction", needs="links", code="TURNED[(_1, _2)]")
def turned(links: Links, direction: str, steps: int) -> str:
    """Return a direction turned clockwise by a number of steps (counterclockwise if negative)."""
    at = links.directions.index(direction)
    return links.directions[(at + steps) % len(links.directions)]


@builtin(
    "turns_between(direction: direction, direction: direction) -> int",
    needs="links",
    code="TURNS[(_1, _2)]",
    facts=OperationFacts(is_short=True),
)
def turns_between(links: Links, a: str, b: str) -> int:
    """Return the number of clockwise steps from one direction to another, 0 or more."""
    return (links.directions.index(b) - links.directions.index(a)) % len(links.directions)


def _get_cell(links: Links, place: int) -> tuple[int, int]:
    cell = links.cells[place] if place < len(links.cells) else None
    if cell is None:
        raise RuntimeFault("this place is not on the map's grid")
    return cell


@builtin(
    "column_of(place: place) -> int",
    needs="links",
    code="COLUMNS[_1]",
    facts=OperationFacts(faults=True, is_short=True),
)
def column_of(links: Links, place: int) -> int:
    """Return the column of a place on the grid."""
    return _get_cell(links, place)[0]


@builtin(
    "row_of(place: place) -> int", needs="links", code="ROWS[_1]", facts=OperationFacts(faults=True, is_short=True)
)
def row_of(links: Links, place: int) -> int:
    """Return the row of a place on the grid."""
    return _get_cell(links, place)[1]


@builtin(
    "spaces_between(place: place, place: place) -> int",
    needs="links",
    code="SPACES[_1][_2]",
    facts=OperationFacts(faults=True, is_short=True),
)
def spaces_between(links: Links, a: int, b: int) -> int:
    """Return the number of steps between two places over the whole map, ignoring pieces and terrain."""
    return steps_to_all(links, a)[b]


class Distances(dict[int, int]):
    """The number of steps from one place to every reachable place."""

    __slots__ = ()

    def __missing__(self, place: int) -> int:
        raise RuntimeFault("no way leads from one place to the other")


def steps_to_all(links: Links, start: int) -> Distances:
    """Return the number of steps from a place to every reachable place, computed on first use."""
    row = links.steps.get(start)
    if row is None:
        row = links.steps[start] = _compute_all_steps(links, start)
    return row


def _compute_all_steps(links: Links, start: int) -> Distances:
    distances, waiting, neighbours = Distances({start: 0}), [start], links.neighbours
    for place in waiting:
        steps = distances[place] + 1
        for n in neighbours[place]:
            if n not in distances:
                distances[n] = steps
                waiting.append(n)
    return distances


@builtin("line_between(place: place, place: place) -> list of place", needs="links", facts=OperationFacts(faults=True))
def line_between(links: Links, a: int, b: int) -> tuple[int, ...]:
    """Return the places that a straight line from `a` to `b` passes through, without `a` and `b`.

    Of the shortest paths on the grid, the one nearest to the straight line between the centres is taken; if the line
    runs along a side of two places, the one that comes first in map order is taken.
    """
    ax, ay = _compute_centre(links, a)
    bx, by = _compute_centre(links, b)
    here, out = a, []
    left = spaces_between(links, a, b)
    while left > 1:
        best: tuple[int, int, int] | None = None
        for n in links.neighbours[here]:
            if n < len(links.cells) and links.cells[n] is not None and spaces_between(links, n, b) == left - 1:
                x, y = _compute_centre(links, n)
                off = abs((bx - ax) * (ay - y) - (ax - x) * (by - ay))
                if best is None or (off, n) < best[:2]:
                    best = (off, n, 0)
        if best is None:
            raise RuntimeFault("no straight line leads from one place to the other")
        here = best[1]
        out.append(here)
        left -= 1
    return tuple(out)


def _compute_centre(links: Links, place: int) -> tuple[int, int]:
    """Return the centre of a place on the grid, see `cell_centre`."""
    cell = _get_cell(links, place)
    return cell_centre(cell, links.shape, links.directions, links.by_direction[place], links.cells)


def cell_centre(
    cell: tuple[int, int],
    shape: str,
    directions: tuple[str, ...],
    around: tuple[int | None, ...],
    cells: tuple[tuple[int, int] | None, ...],
) -> tuple[int, int]:
    """Return the centre of a grid cell as (x, y), in units that make all coordinates integers.

    A column or a row is two units wide; a half-hex shift is one unit. `cell`: its column and row. `around`: the
    neighbouring place in each of the grid's `directions`, or None. `cells`: the column and row of each place.
    """
    column, row = cell
    if shape != "hex":
        return column * 2, row * 2
    is_pointed = "e" in directions
    for name, n in zip(directions, around, strict=True):
        there = cells[n] if n is not None and n < len(cells) else None
        if there is None or len(name) == 1:
            continue
        # a diagonal neighbour shows whether this cell lies half a hex lower or further right
        if is_pointed:
            return column * 2 + (there[0] > column if "e" in name else there[0] == column), row * 2
        return column * 2, row * 2 + (there[1] > row if "s" in name else there[1] == row)
    return column * 2, row * 2


def distance(
    links: Links,
    start: tuple[int, ...],
    goal: tuple[int, ...] | None,
    within: int | None,
    where: Test | None,
    cost: Test | None,
    state: State | None = None,
    steps: int = 1,
) -> object:
    """Return the cost of the cheapest path from any of `start` to any of `goal`, or None if `goal` is unreachable.

    `within`: the greatest cost allowed, None for no limit. `where(place, before)` tells whether `place` may be entered
    from `before`; `cost(place, before)` is the cost of entering it (1 if None; never negative). Starting places cost
    nothing and are not tested. `steps`: the budget steps to charge `state` for each place visited.
    """
    goals, answer, seen = frozenset(goal or ()), None, 0
    for place, spent, _ in _search(links, start, within, where, cost):
        seen += 1
        if place in goals:
            answer = spent
            break
    if state is not None:
        spend(state, seen * steps)
    return None if answer is None else normalize_number(answer)


class GraphSearch:
    """A resumable Dijkstra search: places in order of cost, expanded only as far as needed.

    One search answers queries for any goal as long as nothing that its tests read changes. Copies of a position share
    it, because each call supplies its own tests.
    """

    __slots__ = ("_visits", "_costs", "_where", "_cost")

    def __init__(self, links: Links, start: tuple[int, ...], where: Test | None, cost: Test | None) -> None:
        self._where, self._cost = where, cost
        self._visits = _search(
            links,
            start,
            None,
            None if where is None else self._may_enter,
            None if cost is None else self._compute_price,
        )
        self._costs: dict[int, Any] = {}

    def _may_enter(self, place: int, before: int) -> object:
        assert self._where is not None
        return self._where(place, before)

    def _compute_price(self, place: int, before: int) -> object:
        assert self._cost is not None
        return self._cost(place, before)

    def find_cost(
        self, goal: tuple[int, ...], where: Test | None, cost: Test | None, state: State, steps: int
    ) -> Number | None:
        """Return the cost of the cheapest path to any place of `goal`, or None if none is reachable.

        `where` and `cost` are the tests the search began with, bound to the caller's position. `steps`: the budget
        steps to charge `state` for each place visited.
        """
        self._where, self._cost = where, cost
        costs = self._costs
        if len(goal) == 1 and goal[0] in costs:
            return normalize_number(costs[goal[0]])
        known = [costs[g] for g in goal if g in costs]
        if known:
            return normalize_number(min(known))
        answer, before = None, len(costs)
        for place, spent, _ in self._visits:
            costs[place] = spent
            if place in goal:
                answer = spent
                break
        spend(state, (len(costs) - before) * steps)
        return None if answer is None else normalize_number(answer)


def path(
    links: Links,
    start: tuple[int, ...],
    goal: tuple[int, ...] | None,
    within: int | None,
    where: Test | None,
    cost: Test | None,
    state: State | None = None,
    steps: int = 1,
) -> tuple[int, ...] | None:
    """Return the cheapest path from `start` to `goal` as places, including both ends, or None if `goal` is unreachable.

    `within`: the greatest cost allowed. `where`: tests whether a link can be used. `cost`: the cost of a link, 1 if
    None. `steps`: the budget steps to charge `state` for each place visited.
    """
    goals = frozenset(goal or ())
    before: dict[int, int | None] = {}
    for place, _, came in _search(links, start, within, where, cost):
        before[place] = came
        if place in goals:
            out = [place]
            while (previous := before[out[-1]]) is not None:
                out.append(previous)
            break
    else:
        out = []
    if state is not None:
        spend(state, len(before) * steps)
    return tuple(reversed(out)) or None


def reach(
    links: Links,
    start: tuple[int, ...],
    goal: tuple[int, ...] | None,
    within: int | None,
    where: Test | None,
    cost: Test | None,
    state: State | None = None,
    steps: int = 1,
) -> tuple[int, ...]:
    """Return every place reachable from `start`, the starting places included, in map order.

    `goal` is ignored. `within`: the greatest cost allowed. `where`: tests whether a link can be used. `cost`: the
    cost of a link, 1 if None. `steps`: the budget steps to charge `state` for each place found.
    """
    reached = sorted([place for place, _, _ in _search(links, start, within, where, cost)])
    if state is not None:
        spend(state, len(reached) * steps)
    return tuple(reached)


def _search(
    links: Links, start: tuple[int, ...], within: int | None, where: Test | None, cost: Test | None
) -> Iterator[Visit]:
    """Visit places in order of cost from `start`, each once: breadth-first, or by Dijkstra's algorithm with a `cost`.

    `within`: the greatest cost allowed. `where`: tests whether a link can be used. `cost`: the cost of a link, 1 if
    None.
    """
    return (
        _search_breadth_first(links, start, within, where)
        if cost is None
        else _search_cheapest(links, start, within, where, cost)
    )


def _search_cheapest(
    links: Links, start: tuple[int, ...], within: int | None, where: Test | None, cost: Test
) -> Iterator[Visit]:
    visited: set[int] = set()
    heap: list[tuple[Any, int, int]] = [(0, p, -1) for p in sorted(set(start))]
    while heap:
        spent, place, came = heappop(heap)
        if place in visited:
            continue
        visited.add(place)
        yield place, spent, (None if came < 0 else came)
        for n in links.neighbours[place]:
            if n in visited or (where is not None and not where(n, place)):
                continue
            price = cost(n, place)
            if price < 0:
                raise RuntimeFault("the cost of a search may not be negative")
            if within is None or spent + price <= within:
                heappush(heap, (spent + price, n, place))


def _search_breadth_first(
    links: Links, start: tuple[int, ...], within: int | None, where: Test | None
) -> Iterator[Visit]:
    seen = dict.fromkeys(sorted(set(start)))
    ring: list[tuple[int, int | None]] = [(p, None) for p in seen]
    spent = 0
    while ring:
        following: list[tuple[int, int | None]] = []
        for place, came in ring:
            yield place, spent, came
        if within is not None and spent + 1 > within:
            return
        for place, _ in ring:
            for n in links.neighbours[place]:
                if n not in seen and (where is None or where(n, place)):
                    seen[n] = None
                    following.append((n, place))
        ring = following
        spent += 1


def closure(
    start: tuple[int, ...],
    everything: tuple[int, ...],
    related: Callable[[int, int], Any],
    state: State | None = None,
    steps: int = 1,
) -> tuple[int, ...]:
    """Return every member of `everything` linked to `start`, directly or transitively.

    `related`: tested in both directions. `steps`: the budget steps to charge `state` for each pair compared.
    """
    members = dict.fromkeys(start)
    waiting = list(members)
    while waiting:
        a = waiting.pop()
        for b in everything if state is None else charge_items(state, everything, steps):
            if b not in members and (related(a, b) or related(b, a)):
                members[b] = None
                waiting.append(b)
    return tuple(sorted(members))
