"""Test minimal rulesets for the faults that random ones have found, and for related cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.small import agrees

FOUND = {
    "the most of something in a draft": """
        draft way(k: int) starting x = 0:
            option go(j in 0..2) now x = x + j:
                require x < 2 "no"
            finish require red_one in {u in units having most u.strength - x} "no"
            finish require (first(u in units where u.strength > x) else red_two) == red_one "no"
        turn:
            phase first:
                way(1) by reds -> y
    """,
    "an option by a value that stands twice in a list": """
        turn:
            phase first:
                choose c by reds:
                    option o(k in [2, 0, 2]):
                        raise game.total by k
    """,
    "an end beside a step that is at fault": """
        draft way() starting x = 0, p = pile:
            option past now x = x + 1:
                require x < 1 "no"
            option over(q in places) now x = x + 1, p = q:
                require column_of(p) > 0 "no"
            finish require x == 1 "no"
        turn:
            phase first:
                if possible way(): raise game.total by 1
                choose c by reds:
                    option o(k in 0..1)
    """,
    "a step that is at fault, and no end": """
        draft way() starting x = 0, p = pile:
            option over(q in places) now x = x + 1, p = q:
                require column_of(p) > 0 "no"
            option past now x = x + 1:
                require x < 1 "no"
            finish require x == 2 "no"
        turn:
            phase first:
                if possible way(): raise game.total by 1
                choose c by reds:
                    option o(k in 0..1)
    """,
    "a step behind a domain, a value and a preference that are at fault": """
        draft way() starting x = 0, p = pile:
            option domain(k in 0..column_of(p)) now x = x + 5
            option value now x = column_of(p)
            option preferred(q in places) now x = 5:
                prefer most column_of(q)
            option stopped(q in hills) now x = x + 1, p = q then stop if column_of(q) > 5:
                require x < 3 "no"
            finish require x == 2 "no"
            finish require column_of(p) > 0 "no"
        turn:
            phase first:
                if possible way(): raise game.total by 1
                choose c by reds:
                    option o(k in 0..1)
    """,
    "the side that decides is a fault": """
        turn:
            phase first:
                choose c by owners[game.total]:
                    option o
    """,
    "what an event tells is a fault": """
        event told(k: int)
        turn:
            phase first:
                report told(round_down(1 / game.total))
    """,
    "the words of an event are a fault": """
        event told(k: int) "{1 / k}"
        turn:
            phase first:
                report told(0)
    """,
    "what is the same all along a loop is asked of each two that a closure joins": """
        turn:
            phase first:
                choose c by reds:
                    option o(h in hills):
                        require alone: units != (
                            closure of units over v, w where (edge(h, h).river else false) and v.army == w.army
                        ) "no"
    """,
    "one of alike pieces is picked out": """
        turn:
            phase first:
                choose c by reds:
                    option o(m in militias):
                        require m == piece("red_band-2") "no"
                        move m to pile
                    otherwise: nothing
    """,
    "one of alike pieces is picked out by a define": """
        define second = militias[2]
        turn:
            phase first:
                choose c by reds:
                    option o(m in militias):
                        require m == (second else piece("blue_band-1")) "no"
                        move m to pile
                    otherwise: nothing
    """,
    "the owner is read before the value": """
        turn:
            phase first:
                set arrives(game.total).mark = round_down(1 / game.total)
    """,
    "a phase inside of a called procedure": """
        procedure inner(k: int):
            phase third:
                raise game.total by 1
                if k > 1:
                    choose e by reds:
                        option o
        turn:
            phase first:
                inner(1)
                choose c by reds:
                    option o
    """,
    "a phase inside of a procedure that rolls": """
        procedure inner(k: int):
            phase third:
                roll throw: die -> y
                raise game.total by y
        turn:
            phase first:
                inner(1)
                choose c by reds:
                    option o
    """,
    "a return out of a phase": """
        procedure tick(k: int):
            raise game.total by k
        procedure main(k: int):
            phase third:
                later tick(2)
                if k == 1: return
                raise game.total by 100
        turn:
            phase first:
                main(1)
                set game.share = game.total
                choose c by reds:
                    option o
    """,
    "a skip to the phase that runs": """
        turn:
            phase first:
                set place("0101").burnt = true
                choose c by reds:
                    option o
                if game.total < 2:
                    raise game.total by 1
                    skip to first
                choose d by reds:
                    option o
    """,
    "a draft that takes itself": """
        draft way(k: int) starting x = 0:
            option go(p in hills) now x = k then stop:
                require p == place("0102") "no"
            finish require x > 0 "no"
        turn:
            phase first:
                way(2) by reds alone -> y
                raise game.total by y.x
    """,
    "what is put off is carried out in order": """
        procedure tick(k: int):
            set game.total = game.total * 2 + k
            if k > 2: later tick(1)
        turn:
            phase first:
                later tick(3)
                later tick(2)
                settle
                choose c by reds:
                    option o
    """,
    "watchers see the moves of a block together": """
        whenever moved(p, o, goal):
            raise game.total by count(units at pile)
        turn:
            phase first:
                together:
                    move units to pile
                    raise reds.weariness by 9
                    lower reds.weariness by 7
                    set place("0101").mark = count(units at pile)
                choose c by reds:
                    option o
    """,
    "a chart with blanks has no row for every number": """
        turn:
            phase first:
                choose c by reds:
                    option o(k in 0..4):
                        require (few[k] else 0) == 0 "no"
    """,
    "a chart with blanks has no row for every thing": """
        define known(p: place) = if whose has [p] then 1 else 0
        define mine(p: place) = whose[p] else 0
    """,
    "a place beside the map that is not there": """
        event seen(p: place)
        turn:
            phase first:
                report seen(arrives(game.total))
    """,
    "the most of a list": """
        define most_of(k: int) = {x in [3, 1, 3, k] having most x}
        define all_but(k: int) = {x in [3, 1, 3, k] where x > 1} - {k}
    """,
    "what is rarely asked": """
        define highest = highest_level(red_seat)
        define last_of_all = last_turn
        define greatest = (max([1, 2]) else 0) - (min([3, 1]) else 0)
        define shot(p: place) = ray(p, se)
        define between(p: place, q: place) = line_between(p, q)
    """,
    "a search whose steps are known in part": """
        define free_for(a: army, p: place) =
            (no e in units at p where e.army != a) and (a.home == p or militias at p != {} or not p.burnt)
        define quiet_for(a: army, p: place) = (no e in units at p where e.army != a) and not (p in game.seen)
        define guarded_for(a: army, p: place) =
            (no e in units at p where e.army != a) and ((any m in militias at p where m.army == a) or p.terrain == woods
                or (any u in units at p where u.army == a and u.strength > 1) or {u in units at p where u.moved} == {})
        define guarded_way(a: army, p: place) = distance from p to a.home through q where guarded_for(a, q) else 99
        define guarded_price(a: army, p: place) =
            distance from p to a.home through q after r where guarded_for(a, q) cost (edge(r, q).toll else 1) else 99
        define open_to(a: army, p: place, q: place) =
            free_for(a, q) and (not (edge(p, q).river else false) or q.mark > 0) and (p.terrain == woods or q.worth < 3)
        define steps_for(a: army, p: place) = distance from p to a.home through q after r where open_to(a, r, q) else 99
        define steps_in(a: army, p: place, s: set of place) =
            distance from s to p through q after r where q != a.home and r not in s else 99
        define around(a: army, p: place) = reach from p within 2 through q after r where open_to(a, r, q)
        define quiet_around(a: army, p: place) = reach from p within 2 through q where quiet_for(a, q)
        define leads_on(a: army, p: place) =
            steps_for(a, p) + guarded_way(a, p) < 198 or quiet_around(a, p) != {}
        define price_for(a: army, p: place) =
            distance from p to a.home through q after r where quiet_for(a, q)
                cost (if not (edge(r, q).river else false) or r.burnt then 1 else 3) else 99
        define within_price(u: unit) =
            reach from u.at within u.pace through q after r where not (edge(r, q).river else false) or q.mark > 0
                cost (costs[q.terrain, u.army] else 1) * (1 / 2)
        turn:
            phase first:
                for u in units:
                    choose c by u.army:
                        option stay
                        option go(p in around(u.army, u.at)):
                            require leads_on(u.army, p) "no"
                            set u.at.burnt = true
                            set game.seen = game.seen + {u.at}
                            raise p.mark by 1
                            move u to p
    """,
    "who is beset, and marches of which more is told than matters": """
        define beset(a: army, p: place) =
            any n in neighbours(p) where any u in units at n where u.army != a and u.strength > 1
        draft march(u: unit, most: int) starting here = u.at, steps = 0, felt = 0:
            option go(p in neighbours(here)) now here = p, steps = steps + 1, felt = felt + p.worth:
                require far: steps < most "no"
                require free: not beset(u.army, p) "no"
            finish require moved: steps > 0 "no"
            offer distinct by here
        turn:
            phase first:
                for u in units:
                    choose c by u.army:
                        option stay
                        option join(v in units, p in {q in places where not beset(v.army, q)}):
                            require mate: v in units at u.at "no"
                            require near: p in neighbours(v.at) "no"
                            move v to p
                        option go:
                            require possible march(u, 2) "no"
                            march(u, 2) by u.army -> way
                            move u to way.here
    """,
    "what is never allowed is passed over, but for what may fault": """
        turn:
            phase first:
                choose c by reds:
                    option a(p in places):
                        require p.worth > 1 and p.mark == 0 "no"
                        require any w in wings where w.rank < p.worth and w.rank > game.total "no"
                    option b(p in places, q in places):
                        require q.worth > 0 and not q.burnt and p.worth > q.worth "no"
                choose d by reds:
                    option a(p in places):
                        require p.worth > 5 and few[p.mark] == 0 or p.worth > 6 "no"
                    otherwise: nothing
                choose e by reds:
                    option a(p in places):
                        require p.worth > 2 and few[p.mark] == 0 "no"
    """,
    "what may fault comes before what is never allowed": """
        turn:
            phase first:
                choose c by reds:
                    option a(p in places):
                        require few[p.mark] == 0 and p.worth > 5 "no"
                    otherwise: nothing
    """,
    "a few numbers": """
        define due(u: unit) = any n in 1..2 where u.at == arrives(n) and n <= turn
        define held(u: unit) = no n in 1..3 where u.strength == n
        define even(k: int) = every n in 1..4 satisfies n > k or steps[n - 1] > k
        define over(u: unit) = any n in 1..3 where u.at == arrives(n)
        define under(k: int) = any n in -1..1 where round_down(6 / n) == k
        turn:
            phase first:
                choose c by reds:
                    option o(u in units, v in units):
                        require not due(u) and not due(v) and held(v) and u.army != v.army "no"
    """,
    "a sum that comes out even, asked for again": """
        define worth(n: int, a: army, u: unit) -> number = sum(a.points for v in {w in units} where true)
    """,
}


@pytest.mark.parametrize("name", list(FOUND))
def test_case_found_earlier_agrees(name: str, tmp_path: Path) -> None:
    agrees(tmp_path, FOUND[name])
