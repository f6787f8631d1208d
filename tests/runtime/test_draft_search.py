"""A draft's search, written as one function, finds what going state by state finds: ends, order, ways, numbers."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.api.game import Rules, load
from interpreter.runtime import drafts
from interpreter.runtime.dice import SeededDice
from tests.tiny import started

RULES = """
    define price(p: place, q: place) -> number = if q.height > p.height then 1 / 2 else 1 / 3
    define beset(a: army, p: place) = any n in neighbours(p) where any v in units at n where v.army != a
    define others(a: army, p: place) = {v in units at p where v.army != a}
    rule free(u: unit, p: place):
        require nobody: others(u.army, p) == {}  "{p} is held"

    define high(p: place) = p.height
    define fee(u: unit, p: place, q: place) = price(p, q) + (if beset(u.army, p) then 1 / 4 else 0)

    draft trek(u: unit, pay: number, t: flag) starting here = u.at, spent = 0 / 1, steps = 0, rests = 0, x = 0, up = 0:
        option go(p in neighbours(here)) now here = p, spent = spent + fee(u, here, p), steps = steps + 1, up = high(p):
            require purse: spent + fee(u, here, p) <= pay + (if up > 1 then 1 else 0)  "{p} is too dear"
            require free(u, p)
            require steps: steps < 4  "too far"
        option rest now rests = rests + 1, x = x + 2, spent = spent + 1 / 6 then stop if beset(u.army, here):
            require some: rests < 2 and not t  "no more rests"
        finish require moved: steps > 0  "not moved"
        offer distinct by here, long = steps >= 2, rested = rests == 1
        offer cheapest spent

    draft roam(u: unit) starting here = u.at, steps = 0, seen = {u.at}:
        option go(p in neighbours(here)) now here = p, steps = steps + 1, seen = seen + {p}:
            require steps: steps < 3  "too far"
            require apart: not beset(u.army, p) or p not in seen  "{p} was seen"
        option jump(p in places) now here = p, steps = 3:
            require high: p.height > here.height and p in {q in places where q.height > 0}  "{p} is no higher"
        finish require moved: here != u.at  "not moved"
        offer distinct by here, steps

    draft buy(a: army) starting sum_so_far = 0, count_so_far = 0:
        option add(n in 1..3) now sum_so_far = sum_so_far + n, count_so_far = count_so_far + 1 then stop if n == 3:
            require sum_so_far + n < 8  "too much"
        offer distinct by even = count_so_far == 2
        offer cheapest sum_so_far

    draft haggle(a: army) starting sum_so_far = 0, count_so_far = 0:
        option add(n in 1..3) now sum_so_far = sum_so_far + n, count_so_far = count_so_far + 1:
            require much: sum_so_far * n >= 0 and count_so_far < 3  "too much"
        offer distinct by even = count_so_far == 2
        offer cheapest sum_so_far
"""


def both(state: Any, name: str, args: tuple[Any, ...]) -> tuple[Any, Any]:
    """The ends by the search's function and state by state, with the types of their numbers."""
    draft, functions = state.program.drafts[name], state.program.functions
    fields = functions["start_" + name](state, *args)

    def told(found: tuple[dict[Any, Any], bool]) -> Any:
        return [(offer, list(end[:-1]), [type(x) for x in end], end[-1]) for offer, end in found[0].items()], found[1]

    return (
        told(functions["search_" + name](state, False, drafts.LIMIT, *args, *fields)),
        told(drafts._search(state, draft, args, (fields, False))),
    )


@pytest.mark.parametrize("name", ["trek", "roam", "buy"])
def test_a_draft_is_searched_by_its_function(rules: Rules, name: str) -> None:
    state = started(rules).state
    functions, third = state.program.functions, functions_third(state)
    assert "search_" + name in functions
    sides = range(2)
    cases: list[tuple[Any, ...]] = [(s,) for s in sides]
    if name != "buy":
        units = [u for u, thing in enumerate(state.program.kinds["piece"]["things"]) if thing["cls"] == "unit"]
        cases = (
            [(u,) for u in units]
            if name == "roam"
            else [(u, purse, tired) for u in units for purse in (1, third, 2 * third, 2) for tired in (False, True)]
        )
    for args in cases:
        by_function, by_states = both(state, name, args)
        assert by_function == by_states
        assert functions["_possible"](state, name, args) == bool(by_states[0])


def test_where_a_dearer_state_might_do_more_each_state_is_looked_at(rules: Rules) -> None:
    assert "search_haggle" not in rules.program.functions


def functions_third(state: Any) -> Any:
    """A third, as the rules have it."""
    return state.program.functions["_quotient"](1, 3)


@pytest.mark.parametrize("target", ["denain-1712", "napoleon"])
def test_the_drafts_of_games_are_searched_alike(target: str) -> None:
    game, choices = load(target).start(seed=3, record=False), SeededDice(1)
    looked = 0
    for _ in range(250):
        if game.over:
            break
        pending = game.state.pending
        if game.program.is_draft(pending[0]):
            name = game.program.decisions[pending[0]].draft
            if "search_" + name in game.program.functions:
                by_function, by_states = both(game.state, name, pending[2])
                assert by_function == by_states
                looked += 1
        options = game.count()
        game.pick(choices.roll(options) if options > 1 else 0)
    assert looked > 3
