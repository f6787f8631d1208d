"""More procedures that stop in their middle: options inside options, ends, queues, draws, what survives."""

from __future__ import annotations

CASES: list[tuple[str, str, list[str], list[int]]] = [
    (
        "decisions inside options",
        """
        procedure run(a: army):
            choose first_one by a:
                option left(n in 1..2):
                    report note(n)
                    choose second_one by blues:
                        option deeper(m in 1..2):
                            report note(n * 10 + m)
                            ask(a) -> k
                            report note(k)
                        option shallow: report note(7)
                    report note(8)
                option right: report note(6)
            report note(9)
     """,
        ["left(2)", "deeper(1)", "say(3)"],
        [2, 21, 3, 8, 9],
    ),
    (
        "repeat until done",
        """
        procedure run(a: army):
            let n = 0
            choose adding by a repeat until done:
                option add(m in 1..3):
                    require n + m <= 6  "too much"
                    set n = n + m
                    report note(n)
                option asked:
                    ask(a) -> k
                    set n = n + k
            report note(100 + n)
     """,
        ["add(2)", "asked", "say(1)", "add(3)", "done"],
        [2, 6, 106],
    ),
    (
        "repeat until done ends when nothing is left",
        """
        procedure run(a: army):
            let n = 0
            choose adding by a repeat until done:
                option add:
                    require n < 2  "enough"
                    set n = n + 1
            report note(n)
     """,
        ["add", "add"],
        [2],
    ),
    (
        "repeat until done with something to finish",
        """
        procedure run(a: army):
            let n = 0
            choose adding by a repeat until done:
                option add(m in 1..3):
                    set n = n + m
                finish require n > 3  "more is needed"
            report note(n)
     """,
        ["add(2)", "add(3)", "done"],
        [5],
    ),
    (
        "alone takes itself",
        """
        procedure run(a: army):
            choose only_one by a alone:
                option take(n in 4..4):
                    report note(n)
                    ask(a) -> m
                    report note(m)
            report note(9)
     """,
        ["say(2)"],
        [4, 2, 9],
    ),
    (
        "alone and repeat until done: what must be done is done, and then asked again",
        """
        procedure run(a: army):
            let n = 0
            choose adding by a alone repeat until done:
                option add(m in 1..2):
                    require n > 1 or m == 1  "one first"
                    set n = n + m
                    report note(n)
                finish require n > 2  "more is needed"
            report note(100 + n)
     """,
        ["add(2)", "done"],
        [1, 2, 4, 104],
    ),
    (
        "alone and repeat until done: nothing left, and done is refused",
        """
        procedure run(a: army):
            let n = 0
            choose adding by a alone repeat until done:
                option add:
                    require n < 2  "enough"
                    set n = n + 1
                    report note(n)
                finish require n > 2  "more is needed"
                otherwise: report note(50)
            report note(100 + n)
     """,
        [],
        [1, 2, 50, 102],
    ),
    (
        "alone and repeat until done: where done is an option, nothing is alone",
        """
        procedure run(a: army):
            choose adding by a alone repeat until done:
                option add: report note(1)
     """,
        ["add", "done"],
        [1],
    ),
    (
        "the only end of a draft takes itself",
        """
        draft climb(a: army, limit: int) starting here = a.home, steps = 0:
            option go(p in neighbours(here)) now here = p, steps = steps + 1:
                require steps < limit  "far"
            finish require steps == limit  "not there yet"
            offer distinct by here
        procedure run(a: army):
            climb(a, 1) by a "where to?" alone -> way
            report note(way.steps)
            climb(a, 3) by a alone -> second_way
            report note(second_way.steps)
     """,
        ["go(b) > go(c) > go(d)"],
        [1, 3],
    ),
    (
        "without alone a single option is asked",
        """
        procedure run(a: army):
            choose only_one by a:
                option take(n in 4..4): report note(n)
     """,
        ["take(4)"],
        [4],
    ),
    (
        "otherwise",
        """
        procedure run(a: army):
            choose none by a:
                option take(n in 1..0): report note(n)
                otherwise:
                    ask(a) -> m
                    report note(m)
            report note(9)
     """,
        ["say(2)"],
        [2, 9],
    ),
    (
        "later and settle",
        """
        procedure put_off(a: army, n: int):
            ask(a) -> m
            report note(n * 10 + m)
            if n == 1: later put_off(a, 5)
        procedure run(a: army):
            later put_off(a, 1)
            ask(a) -> n
            later put_off(a, 2)
            report note(n)
            settle
            report note(9)
     """,
        ["say(0)", "say(1)", "say(2)", "say(3)"],
        [0, 11, 22, 53, 9],
    ),
    (
        "the end of a phase settles",
        """
        procedure put_off(a: army, n: int):
            ask(a) -> m
            report note(n * 10 + m)
        procedure run(a: army):
            phase one:
                later put_off(a, 1)
                report note(0)
            report note(9)
     """,
        ["say(3)"],
        [0, 13, 9],
    ),
    (
        "return from deep inside",
        """
        procedure search(a: army) -> int:
            for u in units where_not_needed:
                nothing
            return 0
        procedure run(a: army):
            nothing
     """.replace(" where_not_needed", ""),
        [],
        [],
    ),
    (
        "return out of loops and options",
        """
        procedure find(a: army) -> int:
            for n in 1..3:
                repeat 2 times:
                    choose stop by a:
                        option leave:
                            ask(a) -> m
                            return n * 10 + m
                        option stay: nothing
            return 99
        procedure run(a: army):
            find(a) -> n
            report note(n)
     """,
        ["stay", "stay", "stay", "leave", "say(1)"],
        [21],
    ),
    (
        "a draft in a loop",
        """
        draft walk(u: unit) starting here = u.at, steps = 0:
            option go(p in neighbours(here)) now here = p, steps = steps + 1:
                require steps < 2  "far"
            finish require steps > 0  "stay"
            offer distinct by here
        procedure run(a: army):
            for u in take(2, {v in units where v.army == a}):
                walk(u) by a "where?" -> way
                move u to way.here
                report note(way.steps)
            report note(count(units at c))
     """,
        ["go(b) > go(c)", "go(b)"],
        [2, 1, 1],
    ),
    (
        "together",
        """
        procedure run(a: army):
            set reds.score = 1
            set blues.score = 2
            ask(a) -> n
            together:
                set reds.score = blues.score
                set blues.score = reds.score
                raise game.total by n
                raise game.total by 1
                move {u in units where u.army == reds} to blues.home
            report note(reds.score * 100 + blues.score * 10 + game.total)
            report note(count(units at d))
     """,
        ["say(2)"],
        [213, 6],
    ),
    (
        "whenever",
        """
        whenever moved(u, origin, target) where target == pile:
            raise u.army.score by 1
            if u.army.score == 2: report note(50)
        whenever note(n) where n == 50:
            later ask_and_tell(blues)
        procedure ask_and_tell(a: army):
            ask(a) -> n
            report note(n)
        procedure run(a: army):
            move unit("red-1") to pile
            ask(a) -> n
            move {u in units at a.home} to pile
            report note(n)
            settle
            report note(a.score)
     """,
        ["say(1)", "say(3)"],
        [50, 1, 3, 3],
    ),
    (
        "a draw",
        """
        procedure run(a: army):
            ask(a) -> n
            draw several: n of units at a.home for a -> drawn
            report note(count(drawn))
            ask(a) -> m
            draw one: 5..5 -> number
            report note(number + m)
     """,
        ["say(2)", "say(1)"],
        [2, 6],
    ),
    (
        "match with else",
        """
        procedure run(a: army):
            ask(a) -> n
            repeat n times: advance a.spirit if possible
            match a.spirit:
                steady: report note(1)
                else:
                    ask(a) -> m
                    report note(m)
            report note(9)
     """,
        ["say(2)", "say(3)"],
        [3, 9],
    ),
    (
        "values of every sort survive",
        """
        record plan: goal: place, share: number, who: set of unit
        procedure run(a: army):
            let half = 1 / 2
            let made = plan(b, half, {u in units where u.army == a})
            let places_seen = [a.home, c]
            let word = "a word"
            let yes = true
            let nobody = {u in units at c}
            roll pair: 2 of die -> thrown
            ask(a) -> n
            set made = made with (share = made.share + n)
            ask(a) -> m
            report note(round_down(made.share * 10))
            report note(count(made.who) + count(places_seen) + count(nobody) + count(thrown))
            if yes and word == "a word" and made.goal == b: report note(n + m)
     """,
        ["say(2)", "say(1)"],
        [25, 7, 3],
    ),
    (
        "a local first set inside a branch",
        """
        procedure run(a: army):
            for n in 1..2:
                if n == 2:
                    let inside = n * 7
                    ask(a) -> m
                    report note(inside + m)
                else:
                    ask(a) -> m
                    report note(m)
     """,
        ["say(1)", "say(3)"],
        [1, 17],
    ),
]
