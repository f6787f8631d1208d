"""Marches and zones of control of Denain 1712 in plain Python, as one would write them for this game alone.

`Ground` holds what the map and the charts say and never changes; `Position` is one position. Movement points
are counted in halves, so that they are whole numbers.
"""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush
from typing import Any

INFANTRY, CAVALRY, DRAGOONS, ARTILLERY, TRAIN = range(5)
COMPASS = ("n", "ne", "se", "s", "sw", "nw")
# facings ne e se sw w nw: the two hexes ahead, beside and behind, as places in COMPASS
AHEAD = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0))
BESIDE = ((5, 2), (0, 3), (1, 4), (2, 5), (3, 0), (4, 1))
BEHIND = ((3, 4), (4, 5), (5, 0), (0, 1), (1, 2), (2, 3))
# terrain: open woods slope marsh town entrenchment ruined redoubt other_redoubt; None is closed ground
COSTS = (
    (1, 1, 1, 1, 1),
    (2, None, None, None, None),
    (2, 2, 2, 2, None),
    (2, None, None, None, None),
    (1, 2, 2, 1, None),
    (1, 2, 2, 2, None),
    (1, 2, 2, 2, None),
    (1, 2, 2, 2, None),
    (0, 0, 0, 0, None),
)
WOODS, TOWN, ENTRENCHMENT, REDOUBT, OTHER_REDOUBT = 1, 4, 5, 7, 8
SHELTERED = (WOODS, TOWN, REDOUBT, OTHER_REDOUBT)  # no zone of control reaches in
GUARDS = (INFANTRY, DRAGOONS)
CHARGE_RUN = 2
End = tuple[int, int, bool, tuple[int, ...]]


class Ground:
    """The map, from the ruleset's own data; a hex is its handle there."""

    def __init__(self, program: Any) -> None:
        self.count = program.place_count
        self.neighbours: list[list[int]] = [[] for _ in range(self.count)]
        self.around: list[list[int | None]] = [[None] * 6 for _ in range(self.count)]
        self.terrain = list(program.constants[("place", "terrain")])
        self.bridge = list(program.constants[("place", "bridge")])
        self.passage = list(program.constants[("place", "passage")])
        self.points = list(program.constants[("place", "points")])
        self.panics = list(program.constants[("place", "panics")])
        self.links: dict[tuple[int, int], tuple[Any, ...]] = {}
        names = ("river", "stream", "road", "bridge", "wall")
        columns = [program.constants[("edge", n)] for n in names]
        for number, thing in enumerate(program.kinds["edge"]["things"]):
            a, b = thing["ends"]
            self.links[(a, b)] = self.links[(b, a)] = tuple(c[number] for c in columns)
            self.neighbours[a].append(b)
            self.neighbours[b].append(a)
        directions = [COMPASS.index(d) for d in program.data["grid"]["directions"]]
        for a, row in enumerate(program.data["grid"]["neighbours"]):
            for d, b in zip(directions, row, strict=True):
                self.around[a][d] = b if b is not None and (a, b) in self.links else None
        for row in self.neighbours:
            row.sort()
        self.distance = [self._distances(a) for a in range(self.count)]
        self.ahead = [[self._there(a, AHEAD[f]) for f in range(6)] for a in range(self.count)]
        self.behind = [[self._there(a, BEHIND[f]) for f in range(6)] for a in range(self.count)]
        self.fronts = [[[self._zone(arm, a, f, True) for f in range(6)] for a in range(self.count)] for arm in range(5)]
        self.sides = [[[self._zone(arm, a, f, False) for f in range(6)] for a in range(self.count)] for arm in range(5)]
        self.steps = [[self._steps(arm, a, self.neighbours[a]) for a in range(self.count)] for arm in range(5)]
        self.forward = [
            [
                [self._steps(arm, a, self.neighbours[a] if arm == TRAIN else self.ahead[a][f]) for f in range(6)]
                for a in range(self.count)
            ]
            for arm in range(5)
        ]
        self.back = [
            [[self._steps(arm, a, self.behind[a][f]) for f in range(6)] for a in range(self.count)] for arm in range(5)
        ]

    def _distances(self, start: int) -> list[int]:
        far = [-1] * self.count
        far[start] = 0
        waiting = deque([start])
        while waiting:
            a = waiting.popleft()
            for b in self.neighbours[a]:
                if far[b] < 0:
                    far[b] = far[a] + 1
                    waiting.append(b)
        return far

    def _there(self, a: int, directions: tuple[int, ...]) -> list[int]:
        return sorted(b for d in directions if (b := self.around[a][d]) is not None)

    def _zone(self, arm: int, a: int, facing: int, front: bool) -> tuple[int, ...]:
        """Return the hexes before (or beside) a counter that its zone of control can reach."""
        terrain = self.terrain[a]
        if arm > DRAGOONS:
            return ()
        if terrain in (REDOUBT, OTHER_REDOUBT) or terrain == TOWN and arm == INFANTRY:
            directions: tuple[int, ...] = tuple(range(6)) if front else ()
        elif arm == INFANTRY:
            directions = AHEAD[facing] if front else BESIDE[facing]
        else:
            directions = AHEAD[facing] + BESIDE[facing] if front else ()
        out = []
        for b in self._there(a, directions):
            river, stream, *_ = self.links[(a, b)]
            if self.terrain[b] not in SHELTERED and not river and not stream:
                out.append(b)
        return tuple(out)

    def _steps(self, arm: int, a: int, towards: list[int]) -> list[tuple[Any, ...]]:
        """Return the legal steps: hex, cost, halves, by road, river, bridge crossed, bridge of the hex, work, run."""
        out = []
        for b in towards:
            river, stream, road, bridge, wall = self.links[(a, b)]
            terrain = self.terrain[b]
            cost = COSTS[terrain][arm]
            if not road and (cost is None or stream and arm == TRAIN):
                continue
            halves = terrain == OTHER_REDOUBT and not road
            points = 2 if road else 2 * (cost or 0) + (2 if stream else 0)
            work = (terrain == ENTRENCHMENT and wall == b or terrain == REDOUBT) and not self.passage[b]
            run = terrain == 0 and not river and not stream
            out.append((b, points, halves, bool(road), bool(river), bridge, self.bridge[b], work, run))
        return out


class Position:
    """The places and conditions of all pieces."""

    def __init__(self, ground: Ground, state: Any) -> None:
        program = state.program
        self.ground = ground

        def column(kind: str, name: str) -> list[Any]:
            slot = program.slot_of.get((kind, name))
            return list(program.constants[(kind, name)] if slot is None else getattr(state, slot))

        self.is_unit = [x["cls"] == "unit" for x in program.kinds["piece"]["things"]]
        self.at = list(state.at)
        self.side, self.arm = column("piece", "side"), column("piece", "arm")
        self.formation = column("piece", "formation")
        self.facing, self.condition = column("piece", "facing"), column("piece", "condition")
        self.in_command = column("piece", "in_command")
        self.allowance = [0 if x is None else int(2 * x) for x in column("piece", "allowance")]
        self.commander, self.breached = column("formation", "commander"), column("place", "breached")
        self.destroyed = column("bridge", "destroyed")
        self.needs_breach = column("side", "needs_breach")
        self.control = column("place", "control")
        self.fallen = bool(getattr(state, program.game_slot["denain_fallen"]))
        self.here: list[list[int]] = [[] for _ in range(ground.count)]
        for u, place in enumerate(self.at):
            if self.is_unit[u]:
                self.here[place].append(u)
        self.on_map = list(program.on_map)
        self.led = [
            {
                p
                for u, p in enumerate(self.at)
                if program.kinds["piece"]["things"][u]["cls"] == "leader" and self.side[u] == s
            }
            for s in (0, 1)
        ]

    def copy(self) -> Position:
        """Return a copy with lists of its own and nothing computed yet."""
        new = object.__new__(Position)
        new.__dict__.update(self.__dict__)
        new.at, new.facing, new.condition = self.at[:], self.facing[:], self.condition[:]
        new.in_command, new.breached, new.destroyed = self.in_command[:], self.breached[:], self.destroyed[:]
        new.here = [x[:] for x in self.here]
        return new

    def zones(self) -> tuple[list[set[int]], list[set[int]]]:
        """Return, for each side, the hexes in enemy zones of control and those in enemy flanks."""
        zone: list[set[int]] = [set(), set()]
        flank: list[set[int]] = [set(), set()]
        fronts, beside = self.ground.fronts, self.ground.sides
        at, facing = self.at, self.facing
        for u, arm in enumerate(self.arm):
            if self.is_unit[u] and arm <= DRAGOONS and self.condition[u] > 0:
                a, f, enemy = at[u], facing[u], 1 - self.side[u]
                zone[enemy].update(fronts[arm][a][f])
                flank[enemy].update(beside[arm][a][f])
        return zone, flank

    def marches(self, u: int, zone: set[int]) -> dict[End, int]:
        """Return the least cost, in half points, of each end of a march: hex, facing, charge, and prizes taken."""
        arm, side, start, faced = self.arm[u], self.side[u], self.at[u], self.facing[u]
        full, ordered = self.allowance[u], self.in_command[u]
        half = full // 2
        mounted = arm in (CAVALRY, DRAGOONS)
        ground = self.ground
        forward, steps, ahead = ground.forward[arm], ground.steps[arm], ground.ahead
        terrain = ground.terrain
        held_by = self.here
        prizes, falls = self._prizes(u), self._falls(u)
        ends: dict[End, int] = {}
        done: set[tuple[int, int, bool, bool, int, bool, tuple[int, ...]]] = set()
        heap: list[tuple[int, int, int, bool, bool, int, bool, tuple[int, ...]]] = [
            (0, start, faced, False, True, 0, False, ())
        ]
        while heap:
            spent, here, facing, entered, road, run, stopped, takes = heappop(heap)
            state = (here, facing, entered, road, run, stopped, takes)
            if state in done:
                continue
            done.add(state)
            held = here in zone
            if here != start or facing != faced:
                end = (here, facing, run >= CHARGE_RUN, takes)
                if spent < ends.get(end, 1000):  # a turn in a zone may have been noted at a higher price
                    ends[end] = spent
                if here in falls and entered and here != start:
                    continue
            if arm != TRAIN:
                limit = (full if ordered else half) + (2 if road and entered and ordered else 0)
                price = 4 if held else 2
                for f in range(6):
                    if f != facing:
                        corners = (f - facing) % 6
                        points = spent + price * (corners if corners <= 3 else 6 - corners)
                        if points <= limit:
                            if held:
                                end = (here, f, False, takes)
                                if (here != start or f != faced) and points < ends.get(end, 1000):
                                    ends[end] = points
                            elif (here, f, entered, road, 0, stopped, takes) not in done:
                                heappush(heap, (points, here, f, entered, road, 0, stopped, takes))
            if not stopped:
                for b, cost, halves, paved, river, bridge, gate, work, runs in forward[here][facing]:
                    if (
                        river
                        and (bridge is None or self.destroyed[bridge])
                        or work
                        and self._barred(side, b)
                        or (held_by[b] and self._closed(u, b))
                    ):
                        continue
                    over = bridge is not None and gate is not None and not self.destroyed[gate]
                    if entered and bridge is not None and not over:
                        if gate is None or self.destroyed[gate]:
                            continue
                    points = spent + cost + (half if halves else 0)
                    into = b in zone
                    if not entered and held:
                        if into:
                            continue
                        points += 2
                    by_road = road and paved
                    limit = full + (2 if by_road else 0) if ordered else full if held else half
                    if points > limit or not ordered and self._strays(u, b):
                        continue
                    on = min(run + 1, CHARGE_RUN) if mounted and runs else 0
                    new = (b, facing, True, by_road, on, into or over, _with(takes, b, prizes))
                    if new not in done:
                        heappush(heap, (points, *new))
                if terrain[here] in (TOWN, REDOUBT, OTHER_REDOUBT) and arm == INFANTRY and not held:
                    for b, cost, halves, paved, river, bridge, gate, work, _ in steps[here]:
                        if (
                            river
                            and (bridge is None or self.destroyed[bridge])
                            or work
                            and self._barred(side, b)
                            or (held_by[b] and self._closed(u, b))
                        ):
                            continue
                        over = bridge is not None and gate is not None and not self.destroyed[gate]
                        if entered and bridge is not None and not over:
                            continue
                        points = spent + cost + (half if halves else 0)
                        by_road = road and paved
                        if points > (full + (2 if by_road else 0) if ordered else half):
                            continue
                        if not ordered and self._strays(u, b):
                            continue
                        for f in range(6):
                            if f != facing and b in ahead[here][f]:
                                new = (b, f, True, by_road, 0, b in zone or over, _with(takes, b, prizes))
                                if new not in done:
                                    heappush(heap, (points, *new))
            if held and not entered:
                for b, cost, halves, _, river, bridge, _, work, _ in ground.back[arm][here][facing]:
                    if river and (bridge is None or self.destroyed[bridge]) or work and self._barred(side, b):
                        continue
                    if b in zone or self.here[b]:
                        continue
                    points = spent + half + cost + (half if halves else 0)
                    if points > full or not ordered and self._strays(u, b):
                        continue
                    new = (b, facing, True, False, 0, True, _with(takes, b, prizes))
                    if new not in done:
                        heappush(heap, (points, *new))
        return ends

    def _prizes(self, u: int) -> set[int]:
        """Return the hexes that the unit takes, or drives a leader out of, by entering them."""
        side = self.side[u]
        held = {h for h, p in enumerate(self.ground.points) if p and self.control[h] != side}
        return (held if self.arm[u] <= DRAGOONS else set()) | self.led[1 - side]

    def _falls(self, u: int) -> set[int]:
        """Return the hexes whose capture ends the march."""
        if self.fallen or self.arm[u] > DRAGOONS or not self.needs_breach[self.side[u]]:
            return set()
        return {h for h, panics in enumerate(self.ground.panics) if panics}

    def _closed(self, u: int, b: int) -> bool:
        """Return True if the pieces in a hex keep the unit out."""
        side, arm = self.side[u], self.arm[u]
        for v in self.here[b]:
            if v != u:
                other = self.arm[v]
                if self.side[v] != side or not (
                    other in GUARDS and arm == ARTILLERY or other == ARTILLERY and arm in GUARDS
                ):
                    return True
        return False

    def _barred(self, side: int, b: int) -> bool:
        return self.needs_breach[side] and not self.breached[b]

    def _strays(self, u: int, b: int) -> bool:
        """Return True if a step takes a unit out of command farther from its commander."""
        leader = self.commander[self.formation[u]]
        if leader is None or not self.on_map[self.at[leader]]:
            return False
        far = self.ground.distance[self.at[leader]]
        return far[b] > far[self.at[u]]


def _with(takes: tuple[int, ...], b: int, prizes: set[int]) -> tuple[int, ...]:
    return tuple(sorted({*takes, b})) if b in prizes else takes
