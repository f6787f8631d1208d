"""Procedures that stop at a decision in the middle of every control structure, with what they report."""

from __future__ import annotations

# Name, the rules (the procedure `run` is called for the reds), the choices, the numbers reported.
CASES: list[tuple[str, str, list[str], list[int]]] = [
    (
        "a straight line",
        """
        procedure run(a: army):
            report note(1)
            ask(a) -> n
            report note(n)
            ask(blues) -> m
            report note(n * 10 + m)
     """,
        ["say(2)", "say(3)"],
        [1, 2, 23],
    ),
    (
        "if",
        """
        procedure run(a: army):
            ask(a) -> n
            if n == 1:
                ask(a) -> m
                report note(m)
            report note(n)
     """,
        ["say(1)", "say(3)"],
        [3, 1],
    ),
    (
        "if that is not taken",
        """
        procedure run(a: army):
            ask(a) -> n
            if n == 1:
                ask(a) -> m
                report note(m)
            report note(n)
     """,
        ["say(2)"],
        [2],
    ),
    (
        "else if",
        """
        procedure run(a: army):
            ask(a) -> n
            if n == 0:
                ask(a) -> m
                report note(100 + m)
            else if n == 1:
                ask(a) -> m
                report note(200 + m)
            else:
                ask(a) -> m
                report note(300 + m)
            report note(n)
     """,
        ["say(1)", "say(2)"],
        [202, 1],
    ),
    (
        "else",
        """
        procedure run(a: army):
            ask(a) -> n
            if n == 0: report note(0)
            else if n == 1: report note(1)
            else:
                ask(a) -> m
                report note(300 + m)
                ask(a) -> k
                report note(k)
     """,
        ["say(3)", "say(0)", "say(1)"],
        [300, 1],
    ),
    (
        "ifs inside ifs",
        """
        procedure run(a: army):
            if a == reds:
                if a.score == 0:
                    ask(a) -> n
                    if n > 1:
                        ask(a) -> m
                        report note(m)
                    else: report note(7)
                report note(8)
            report note(9)
     """,
        ["say(2)", "say(1)"],
        [1, 8, 9],
    ),
    (
        "for",
        """
        procedure run(a: army):
            for b in armies:
                ask(b) -> n
                report note(n)
            report note(9)
     """,
        ["say(1)", "say(2)"],
        [1, 2, 9],
    ),
    (
        "for inside for, over sets that change",
        """
        procedure run(a: army):
            let left = {u in units where u.army == a}
            for u in left:
                set left = left - {u}
                for n in 1..count(left):
                    ask(a) -> m
                    report note(count(left) * 100 + n * 10 + m)
     """,
        ["say(0)", "say(1)", "say(2)"],
        [210, 221, 112],
    ),
    (
        "for while still",
        """
        procedure run(a: army):
            for u in units while still u on map:
                ask(u.army) -> n
                for v in take(n, units at u.at):
                    move v to pile
                report note(count(units at pile))
     """,
        ["say(2)", "say(1)", "say(3)"],
        [2, 3, 6],
    ),
    (
        "for with nothing to go through",
        """
        procedure run(a: army):
            for u in units at b:
                ask(a) -> n
            report note(9)
     """,
        [],
        [9],
    ),
    (
        "while",
        """
        procedure run(a: army):
            let n = 0
            while n < 3:
                ask(a) -> m
                set n = n + m
                report note(n)
            report note(9)
     """,
        ["say(0)", "say(2)", "say(3)"],
        [0, 2, 5, 9],
    ),
    (
        "while that reads the state",
        """
        procedure run(a: army):
            while game.total < 2:
                ask(a) -> m
                raise game.total by m
            report note(game.total)
     """,
        ["say(1)", "say(1)"],
        [2],
    ),
    (
        "repeat times, counted once",
        """
        procedure run(a: army):
            set game.total = 2
            repeat game.total times:
                ask(a) -> n
                set game.total = n
                report note(n)
     """,
        ["say(3)", "say(3)"],
        [3, 3],
    ),
    (
        "match on words of a ladder",
        """
        procedure run(a: army):
            ask(a) -> n
            repeat n times: drop a.spirit if possible
            match a.spirit:
                broken:
                    ask(a) -> m
                    report note(100 + m)
                steady: report note(200)
                proud: report note(300)
            report note(9)
     """,
        ["say(1)", "say(2)"],
        [102, 9],
    ),
    (
        "match with numbers",
        """
        procedure run(a: army):
            for part in results[3]:
                match part:
                    loss(n):
                        ask(a) -> m
                        report note(n * 10 + m)
                    rout:
                        ask(a) -> m
                        report note(m)
     """,
        ["say(1)", "say(2)"],
        [21, 2],
    ),
    (
        "phases",
        """
        procedure run(a: army):
            phase outer:
                ask(a) -> n
                phase inner:
                    ask(a) -> m
                    report note(n * 10 + m)
                ask(a) -> n_again
                report note(n_again)
     """,
        ["say(1)", "say(2)", "say(3)"],
        [12, 3],
    ),
    (
        "calls with results",
        """
        procedure twice(a: army) -> int:
            ask(a) -> n
            ask(a) -> m
            return n * 10 + m
        procedure thrice(a: army, first_one: int) -> int:
            twice(a) -> n
            ask(a) -> m
            return first_one * 1000 + n * 10 + m
        procedure run(a: army):
            let n = 5
            thrice(a, n) -> m
            report note(m)
            report note(n)
     """,
        ["say(1)", "say(2)", "say(3)"],
        [5123, 5],
    ),
    (
        "a call that does not decide between calls that do",
        """
        procedure quiet(n: int) -> int:
            report note(n)
            return n + 1
        procedure run(a: army):
            ask(a) -> n
            quiet(n) -> m
            ask(a) -> k
            quiet(m + k) -> last_one
            report note(last_one)
     """,
        ["say(1)", "say(2)"],
        [1, 4, 5],
    ),
    (
        "recursion",
        """
        procedure down(a: army, n: int) -> int at most 5 deep:
            if n == 0: return 0
            ask(a) -> m
            down(a, n - 1) -> below_this
            report note(n * 10 + m)
            return below_this + m
        procedure run(a: army):
            down(a, 3) -> n
            report note(n)
            down(a, 1) -> k
            report note(k)
     """,
        ["say(1)", "say(2)", "say(3)", "say(1)"],
        [13, 22, 31, 6, 11, 1],
    ),
]
TABLES = {
    "tables.yaml": """
    kind: tables
    format: 1
    tables:
      results:
        axes: {die: die}
        gives: {parts: {n: {loss: int}, R: rout}}
        cells: ["-", "1", "2R", "R", "R", "3"]
"""
}
