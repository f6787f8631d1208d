"""Lay out areas that have no position so that linked areas touch: stress minimization, then separation.

Stress is minimized by stochastic gradient descent over pairs of areas (Zheng, Pawar and Goodman 2018); on a large map
only over close pairs and pairs with a few pivots. Afterwards each link is made a Gabriel edge where possible: no other
area lies in the circle over the link, so the Voronoi cells of its ends share a border. Deterministic: the pseudo-random
order has a fixed seed, and only operations with one result on every platform are used. The work is bounded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from random import Random

from interpreter.model.area_drawing import Point

_STEP = (212.0, 172.0)  # distance of linked areas in pixels, across and down
_WHOLE = 120  # areas up to which every pair has a term
_PIVOTS = 12  # areas with which each area of a larger map is paired
_CLOSE = 2  # links between areas that are paired on a larger map
_UPDATES = 300_000  # of terms, over all epochs of one descent
_ALL_UPDATES = 60_000  # of terms, over all starts
_STARTS, _EPOCHS = 8, 40
_DECAY = 0.8  # of the step size from epoch to epoch
_LAST_STEP = 0.1  # step size, in squared distances, at which a descent ends
_CHECKS = 400_000  # comparisons of an area with a link or another area, over all separations of one map
_ROUNDS = 60  # of a separation
_SWAPS = 4  # times that the best exchange of two areas is made
_LINKED, _APART = 0.85, 1.2  # shortest distances, in links: of linked areas, and of areas that are not
_NEAREST = 0.72  # shortest distance of any two areas, in links: their boxes do not overlap
_ROOMY = 1.1  # radius of the circle that is kept free over a link, relative to half its length
_HALF = ((1, -1), (1, 0), (1, 1), (0, 1))  # buckets after one, so that each pair of neighbours is met once
_SHAPE = 1.5  # width of a map relative to its height, if it has several parts
_GAP = 1.25  # between the parts of a map, in links

Neighbours = Mapping[int, Sequence[int]]
Links = Sequence[tuple[int, int]]


def lay_out_areas(
    places: Sequence[int], neighbours: Neighbours, fixed: Mapping[int, Point] | None = None
) -> dict[int, Point]:
    """Return a middle in pixels for each place that has none in `fixed`.

    `neighbours`: the linked places by place. Without fixed places, parts that are not connected lie side by side.
    """
    known = fixed or {}
    near = {n: [m for m in dict.fromkeys(neighbours.get(n, ())) if m != n] for n in (*known, *places)}
    near = {n: [m for m in others if m in near] for n, others in near.items()}
    parts = _find_connected_parts([n for n in places if n not in known], near)
    if not known:
        return _pack_parts([_orient_positions(_lay_out_part(part, near, {})) for part in parts])
    step = _compute_scale(near, known)
    pinned = {n: (x / step[0], y / step[1]) for n, (x, y) in known.items()}
    positions: dict[int, Point] = {}
    below = max(y for _, y in pinned.values()) + _GAP
    for part in parts:
        ends = {n: pinned[n] for n in pinned if any(m in part for m in near[n])}
        laid = _lay_out_part(part, near, pinned if ends else {})
        if not ends:
            left, top = min(x for x, _ in laid.values()), min(y for _, y in laid.values())
            first = min(x for x, _ in pinned.values())
            laid = {n: (x - left + first, y - top + below) for n, (x, y) in laid.items()}
            below = max(y for _, y in laid.values()) + _GAP
        positions.update({n: (x * step[0], y * step[1]) for n, (x, y) in laid.items()})
        pinned.update(laid)
    return positions


def _compute_scale(near: Neighbours, known: Mapping[int, Point]) -> Point:
    """Return the distance of linked areas across and down, in pixels.

    It is the median distance of linked places that are fixed, but at least the usual distance. `near`: the linked
    places by place; `known`: the positions of the fixed places.
    """
    lengths = sorted(
        sqrt(((known[n][0] - known[m][0]) / _STEP[0]) ** 2 + ((known[n][1] - known[m][1]) / _STEP[1]) ** 2)
        for n in known
        for m in near[n]
        if m in known and n < m
    )
    factor = max(1.0, lengths[len(lengths) // 2]) if lengths else 1.0
    return _STEP[0] * factor, _STEP[1] * factor


def _find_connected_parts(places: Sequence[int], near: Neighbours) -> list[list[int]]:
    """Return the connected components of `places`, the largest first; other places connect nothing.

    `near`: the linked places by place.
    """
    left, parts = dict.fromkeys(places), []
    while left:
        part = [next(iter(left))]
        del left[part[0]]
        for n in part:
            for m in near[n]:
                if m in left:
                    del left[m]
                    part.append(m)
        parts.append(part)
    return sorted(parts, key=lambda part: (-len(part), part[0]))


# --- one part, with links of length 1 ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Term:
    """A pair of areas and the distance wanted between them."""

    a: int
    b: int
    length: float


def _lay_out_part(part: Sequence[int], near: Neighbours, pinned: Mapping[int, Point]) -> dict[int, Point]:
    """Return the positions of a connected part, in lengths of a link; `pinned`: positions that stay as they are."""
    if len(part) == 1 and not pinned:
        return {part[0]: (0.0, 0.0)}
    nodes = [*part, *pinned]
    terms = list(_iter_terms(part, nodes, near))
    links = sorted({(min(n, m), max(n, m)) for n in part for m in near[n]})
    starts = max(1, min(_STARTS, _ALL_UPDATES // max(1, len(terms) * _EPOCHS)))
    checks = _CHECKS // starts
    best: tuple[tuple[int, int], dict[int, Point]] | None = None
    for start in range(starts):
        positions = _minimize_stress(part, near, pinned, terms, Random(start))
        _separate_areas(positions, links, pinned, checks)
        if len(part) <= _WHOLE // 2:
            _exchange_areas(positions, links, part, pinned, checks)
        _spread(positions, pinned)
        grade = _count_intrusions(positions, links), round(100 * _compute_stress(positions, terms))
        if best is None or grade < best[0]:
            best = grade, positions
        if not best[0][0] and start >= starts // 4:
            break
    assert best is not None
    return {n: best[1][n] for n in part}


def _count_hops(start: int, near: Neighbours, farthest: int = 0) -> dict[int, int]:
    """Return the number of links from `start` to each place that can be reached.

    `near`: the linked places by place; `farthest`: the greatest number of links to follow, 0 for no limit.
    """
    hops, front = {start: 0}, [start]
    while front:
        following = []
        for n in front:
            for m in near[n]:
                if m not in hops:
                    hops[m] = hops[n] + 1
                    following.append(m)
        front = following if not farthest or following and hops[following[0]] < farthest else []
    return hops


def _iter_terms(part: Sequence[int], nodes: Sequence[int], near: Neighbours) -> Iterator[_Term]:
    """Yield the pairs whose distances count: on a small map all, else close pairs and pairs with a pivot area.

    `part`: the places to lay out; `nodes`: the same places and the fixed ones; `near`: the linked places by place.
    """
    order = {n: k for k, n in enumerate(nodes)}
    is_whole = len(nodes) <= _WHOLE
    for n in part:
        for m, links in _count_hops(n, near, 0 if is_whole else _CLOSE).items():
            if m in order and order[n] < order[m]:
                yield _Term(n, m, float(links))
    if is_whole:
        return
    farthest = dict.fromkeys(part, len(nodes))
    for _ in range(_PIVOTS):  # each pivot is the area farthest from those before it
        pivot = max(part, key=lambda n: (farthest[n], -order[n]))
        hops = _count_hops(pivot, near)
        farthest = {n: min(farthest[n], hops.get(n, farthest[n])) for n in part}
        for n in part:
            if hops.get(n, 0) > _CLOSE:
                yield _Term(pivot, n, float(hops[n]))


def _minimize_stress(
    part: Sequence[int], near: Neighbours, pinned: Mapping[int, Point], terms: Sequence[_Term], random: Random
) -> dict[int, Point]:
    """Return positions of low stress by stochastic gradient descent from a random start.

    `part`: the places to lay out; `near`: the linked places by place; `pinned`: positions that stay as they are;
    `terms`: the distances wanted.
    """
    across = sqrt(len(part))
    positions = {n: (random.random() * across, random.random() * across) for n in part}
    positions.update(pinned)
    for n in part:
        if ends := [pinned[m] for m in near[n] if m in pinned]:
            x, y = sum(p[0] for p in ends) / len(ends), sum(p[1] for p in ends) / len(ends)
            positions[n] = x + random.random() - 0.5, y + random.random() - 0.5
    order = list(terms)
    epochs = max(6, min(_EPOCHS, _UPDATES // max(1, len(terms))))
    size = max((term.length for term in terms), default=1.0) ** 2
    decay = _DECAY if epochs >= _EPOCHS // 2 else _DECAY**3
    for _ in range(epochs):
        random.shuffle(order)
        for term in order:
            a, b, length = term.a, term.b, term.length
            (ax, ay), (bx, by) = positions[a], positions[b]
            dx, dy = ax - bx, ay - by
            distance = sqrt(dx * dx + dy * dy) or 1e-6
            share = min(1.0, size / (length * length)) * (length - distance) / distance / 2
            if a in pinned or b in pinned:
                share *= 2
            if a not in pinned:
                positions[a] = ax + dx * share, ay + dy * share
            if b not in pinned:
                positions[b] = bx - dx * share, by - dy * share
        size *= decay
        if size < _LAST_STEP:
            break
    return positions


def _compute_stress(positions: Mapping[int, Point], terms: Sequence[_Term]) -> float:
    """Return the sum of the squared relative errors of all distances."""
    total = 0.0
    for term in terms:
        (ax, ay), (bx, by) = positions[term.a], positions[term.b]
        distance = sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by))
        total += (distance - term.length) * (distance - term.length) / (term.length * term.length)
    return total


def _separate_areas(positions: dict[int, Point], links: Links, pinned: Collection[int], checks: int) -> None:
    """Move areas out of the circles over links, and linked areas to a distance of about 1; changes `positions`.

    `checks`: the comparisons allowed; a map so large that it allows few rounds stays as it is.
    """
    nodes = sorted(positions)
    linked = set(links)
    rounds = min(_ROUNDS, checks // max(1, len(nodes) * (len(nodes) // 2 + len(links))))
    for _ in range(rounds):
        moved = {n: [0.0, 0.0] for n in nodes}

        def push(n: int, x: float, y: float, moved: dict[int, list[float]] = moved) -> None:
            moved[n][0] += x
            moved[n][1] += y

        for a, b in combinations(nodes, 2):
            (ax, ay), (bx, by) = positions[a], positions[b]
            dx, dy = ax - bx, ay - by
            least = _LINKED if (a, b) in linked else _APART
            if abs(dx) >= least or abs(dy) >= least:
                continue
            distance = sqrt(dx * dx + dy * dy) or 1e-6
            if distance < least:
                share = (least - distance) / distance * 0.25
                push(a, dx * share, dy * share)
                push(b, -dx * share, -dy * share)
        for a, b in links:
            (ax, ay), (bx, by) = positions[a], positions[b]
            dx, dy, mx, my = ax - bx, ay - by, (ax + bx) / 2, (ay + by) / 2
            distance = sqrt(dx * dx + dy * dy) or 1e-6
            if distance > 1:
                share = (1 - distance) / distance * 0.12
                push(a, dx * share, dy * share)
                push(b, -dx * share, -dy * share)
            radius = distance / 2 * _ROOMY
            for c in nodes:
                ux, uy = positions[c][0] - mx, positions[c][1] - my
                if abs(ux) >= radius or abs(uy) >= radius or c == a or c == b:
                    continue
                away = sqrt(ux * ux + uy * uy)
                if away >= radius:
                    continue
                if away < 1e-6:
                    ux, uy, away = -dy / distance, dx / distance, 1.0
                share = (radius - min(away, radius)) / away * 0.3
                push(c, ux * share, uy * share)
                push(a, -ux * share / 2, -uy * share / 2)
                push(b, -ux * share / 2, -uy * share / 2)
        for n in nodes:
            if n not in pinned:
                positions[n] = positions[n][0] + moved[n][0], positions[n][1] + moved[n][1]


def _spread(positions: dict[int, Point], pinned: Collection[int]) -> None:
    """Move areas that lie too close together, whatever their links; changes `positions`."""
    for _ in range(_ROUNDS):
        buckets: dict[tuple[int, int], list[int]] = {}
        for n, (x, y) in positions.items():
            buckets.setdefault((int(x // _NEAREST), int(y // _NEAREST)), []).append(n)
        is_still = True
        for (column, row), members in buckets.items():
            around = [m for dx, dy in _HALF for m in buckets.get((column + dx, row + dy), ())]
            for k, a in enumerate(members):
                for b in (*members[k + 1 :], *around):
                    (ax, ay), (bx, by) = positions[a], positions[b]
                    dx, dy = ax - bx, ay - by
                    distance = sqrt(dx * dx + dy * dy)
                    if distance > _NEAREST * 0.98 or (a in pinned and b in pinned):
                        continue
                    is_still = False
                    if not distance:
                        dx, dy, distance = 1e-3 * (k + 1), 1e-3, 1e-3
                    share = (_NEAREST - distance) / distance / (1 if a in pinned or b in pinned else 2)
                    if a not in pinned:
                        positions[a] = ax + dx * share, ay + dy * share
                    if b not in pinned:
                        positions[b] = bx - dx * share, by - dy * share
        if is_still:
            return


def _count_intrusions(positions: Mapping[int, Point], links: Links) -> int:
    """Return the number of areas that lie within the circle over a link between two others."""
    intrusions = 0
    points = list(positions.values())
    for a, b in links:
        (ax, ay), (bx, by) = positions[a], positions[b]
        mx, my = (ax + bx) / 2, (ay + by) / 2
        limit = ((ax - bx) * (ax - bx) + (ay - by) * (ay - by)) / 4 * 0.98
        for x, y in points:
            if (x - mx) * (x - mx) + (y - my) * (y - my) < limit:
                intrusions += 1
    return intrusions


def _exchange_areas(
    positions: dict[int, Point], links: Links, part: Sequence[int], pinned: Collection[int], checks: int
) -> None:
    """Exchange pairs of areas in `positions` as long as that reduces the intrusions, and separate areas after each.

    An intrusion is an area inside the circle whose diameter is the link of two others.

    `part`: the areas that may be exchanged; `pinned`: the areas that stay in place; `checks`: the comparisons allowed.
    """
    remaining_checks = checks
    for _ in range(_SWAPS):
        intrusions = _count_intrusions(positions, links)
        if not intrusions:
            return
        best, pair = intrusions, None
        for a, b in combinations(part, 2):
            remaining_checks -= len(positions) * len(links)
            if remaining_checks < 0:
                break
            positions[a], positions[b] = positions[b], positions[a]
            if (count := _count_intrusions(positions, links)) < best:
                best, pair = count, (a, b)
            positions[a], positions[b] = positions[b], positions[a]
        if pair is None:
            return
        a, b = pair
        old_positions = dict(positions)
        positions[a], positions[b] = positions[b], positions[a]
        _separate_areas(positions, links, pinned, checks)
        if _count_intrusions(positions, links) >= intrusions:
            positions.update(old_positions)
            return


# --- parts on the sheet -----------------------------------------------------------------------------


def _orient_positions(positions: Mapping[int, Point]) -> dict[int, Point]:
    """Return positions turned so that the longest extent runs across, with the first place at the upper left."""
    count = len(positions)
    cx, cy = sum(x for x, _ in positions.values()) / count, sum(y for _, y in positions.values()) / count
    centred = {n: (x - cx, y - cy) for n, (x, y) in positions.items()}
    xx = sum(x * x for x, _ in centred.values())
    yy = sum(y * y for _, y in centred.values())
    xy = sum(x * y for x, y in centred.values())
    largest = (xx + yy) / 2 + sqrt(((xx - yy) / 2) ** 2 + xy * xy)
    ux, uy = (xy, largest - xx) if abs(xy) > 1e-9 else (1.0, 0.0) if xx >= yy else (0.0, 1.0)
    length = sqrt(ux * ux + uy * uy) or 1.0
    ux, uy = ux / length, uy / length
    turned = {n: (x * ux + y * uy, y * ux - x * uy) for n, (x, y) in centred.items()}
    x, y = turned[min(turned)]
    across, down = -1 if x > 0 else 1, -1 if y > 0 else 1
    return {n: (x * across, y * down) for n, (x, y) in turned.items()}


def _pack_parts(parts: Sequence[Mapping[int, Point]]) -> dict[int, Point]:
    """Place parts in rows from the upper left, and return all positions in pixels."""
    sizes = []
    for part in parts:
        xs, ys = [x for x, _ in part.values()], [y for _, y in part.values()]
        sizes.append((min(xs), min(ys), max(xs) - min(xs) + _GAP, max(ys) - min(ys) + _GAP))
    widest = max(max((width for *_, width, _ in sizes), default=1.0), sqrt(sum(w * h for *_, w, h in sizes) * _SHAPE))
    positions: dict[int, Point] = {}
    x = y = row = 0.0
    for part, (left, top, width, height) in zip(parts, sizes, strict=True):
        if x and x + width > widest:
            x, y, row = 0.0, y + row, 0.0
        for n, (px, py) in part.items():
            positions[n] = round((px - left + x) * _STEP[0]), round((py - top + y) * _STEP[1])
        x, row = x + width, max(row, height)
    return positions
