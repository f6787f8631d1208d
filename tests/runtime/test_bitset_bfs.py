"""Places as bits: a flood finds what going from place to place finds, on maps of every shape."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.runtime.builtins.bitset_bfs import MOST_STRIDES, Moves, bits_of, flood, moves_of, places_of


def by_hand(pairs: set[tuple[int, int]], start: set[int], entered: set[int], left: set[int]) -> list[set[int]]:
    rings = [set(start)]
    while True:
        reached = {b for a, b in pairs if a in rings[-1] & left and b in entered} | rings[-1]
        if reached == rings[-1]:
            return rings
        rings.append(reached)


def wild(chance: Random) -> set[tuple[int, int]]:
    """A map without any order among its places."""
    return {(chance.randrange(60), chance.randrange(60)) for _ in range(120)}


def board(chance: Random) -> set[tuple[int, int]]:
    """A square map, some of whose steps are closed in one direction."""
    pairs = {(p, p + far) for p in range(64) for far in (1, -1, 8, -8) if 0 <= p + far < 64}
    return {pair for pair in sorted(pairs) if chance.random() < 0.9}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("shape", [wild, board])
def test_a_flood_is_a_search_ring_by_ring(shape: object, seed: int) -> None:
    assert callable(shape)
    chance = Random(seed)
    pairs: set[tuple[int, int]] = shape(chance)
    entered, left = ({p for p in range(64) if chance.random() < 0.8} for _ in range(2))
    start = {chance.randrange(60)}
    doubtful = {pair for pair in sorted(pairs) if chance.random() < 0.1}
    moves = moves_of(sorted(pairs - doubtful))
    assert (moves.rows is not None) is (shape is wild), f"more than {MOST_STRIDES} distances"
    further = [(1 << a, 1 << b) for a, b in sorted(doubtful)]
    first = bits_of(start)
    wanted = by_hand(pairs, start, entered, left)
    rings = flood([[first], first, moves, further, bits_of(entered), bits_of(left)], 0, None)
    assert [set(places_of(ring)) for ring in rings] == wanted


def test_a_flood_stops_at_its_goal_and_goes_on_from_there() -> None:
    moves = moves_of([(p, p + 1) for p in range(9)])
    kept = [[1], 1, moves, [], ~0, ~0]
    assert len(flood(kept, bits_of([3]), None)) == 4
    assert len(flood(kept, bits_of([2]), None)) == 4
    assert len(flood(kept, bits_of([40]), 6)) == 7
    assert places_of(flood(kept, bits_of([40]), None)[-1]) == tuple(range(10))


def test_search_without_links_reaches_only_start() -> None:
    assert moves_of([]) == Moves((), ())
    assert flood([[5], 5, moves_of([]), [], ~0, ~0], 0, None) == [5]
