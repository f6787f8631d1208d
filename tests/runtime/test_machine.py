"""Suspended procedures: every control structure with a decision in its middle.

Each case is played with `closely`, which saves and takes up the game at every decision, clones it, and goes back
and forth through the hashes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.runtime.faults import IllegalAction, RuleFault
from tests.tiny import build, closely, notes, option_keys, said, started

# Name, the rules (the procedure `run` is called for the reds), the choices, the numbers reported.
CASES: list[tuple[str, str, list[str], list[int]]] = [
    ("a straight line", """
        procedure run(a: army):
            report note(1)
            ask(a) -> n
            report note(n)
            ask(blues) -> m
            report note(n * 10 + m)
     """, ["say(2)", "say(3)"], [1, 2, 23]),
    ("if", """
        procedure run(a: army):
            ask(a) -> n
            if n == 1:
                ask(a) -> m
                report note(m)
            report note(n)
     """, ["say(1)", "say(3)"], [3, 1]),
    ("if that is not taken", """
        procedure run(a: army):
            ask(a) -> n
            if n == 1:
                ask(a) -> m
                report note(m)
            report note(n)
     """, ["say(2)"], [2]),
    ("else if", """
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
     """, ["say(1)", "say(2)"], [202, 1]),
    ("else", """
        procedure run(a: army):
            ask(a) -> n
            if n == 0: report note(0)
            else if n == 1: report note(1)
            else:
                ask(a) -> m
                report note(300 + m)
                ask(a) -> k
                report note(k)
     """, ["say(3)", "say(0)", "say(1)"], [300, 1]),
    ("ifs inside ifs", """
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
     """, ["say(2)", "say(1)"], [1, 8, 9]),
    ("for", """
        procedure run(a: army):
            for b in armies:
                ask(b) -> n
                report note(n)
            report note(9)
     """, ["say(1)", "say(2)"], [1, 2, 9]),
    ("for inside for, over sets that change", """
        procedure run(a: army):
            let left = {u in units where u.army == a}
            for u in left:
                set left = left - {u}
                for n in 1..count(left):
                    ask(a) -> m
                    report note(count(left) * 100 + n * 10 + m)
     """, ["say(0)", "say(1)", "say(2)"], [210, 221, 112]),
    ("for while still", """
        procedure run(a: army):
            for u in units while still u on map:
                ask(u.army) -> n
                for v in take(n, units at u.at):
                    move v to pile
                report note(count(units at pile))
     """, ["say(2)", "say(1)", "say(3)"], [2, 3, 6]),
    ("for with nothing to go through", """
        procedure run(a: army):
            for u in units at b:
                ask(a) -> n
            report note(9)
     """, [], [9]),
    ("while", """
        procedure run(a: army):
            let n = 0
            while n < 3:
                ask(a) -> m
                set n = n + m
                report note(n)
            report note(9)
     """, ["say(0)", "say(2)", "say(3)"], [0, 2, 5, 9]),
    ("while that reads the state", """
        procedure run(a: army):
            while game.total < 2:
                ask(a) -> m
                raise game.total by m
            report note(game.total)
     """, ["say(1)", "say(1)"], [2]),
    ("repeat times, counted once", """
        procedure run(a: army):
            set game.total = 2
            repeat game.total times:
                ask(a) -> n
                set game.total = n
                report note(n)
     """, ["say(3)", "say(3)"], [3, 3]),
    ("match on words of a ladder", """
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
     """, ["say(1)", "say(2)"], [102, 9]),
    ("match with numbers", """
        procedure run(a: army):
            for part in results[3]:
                match part:
                    loss(n):
                        ask(a) -> m
                        report note(n * 10 + m)
                    rout:
                        ask(a) -> m
                        report note(m)
     """, ["say(1)", "say(2)"], [21, 2]),
    ("phases", """
        procedure run(a: army):
            phase outer:
                ask(a) -> n
                phase inner:
                    ask(a) -> m
                    report note(n * 10 + m)
                ask(a) -> n_again
                report note(n_again)
     """, ["say(1)", "say(2)", "say(3)"], [12, 3]),
    ("calls with results", """
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
     """, ["say(1)", "say(2)", "say(3)"], [5123, 5]),
    ("a call that does not decide between calls that do", """
        procedure quiet(n: int) -> int:
            report note(n)
            return n + 1
        procedure run(a: army):
            ask(a) -> n
            quiet(n) -> m
            ask(a) -> k
            quiet(m + k) -> last_one
            report note(last_one)
     """, ["say(1)", "say(2)"], [1, 4, 5]),
    ("recursion", """
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
     """, ["say(1)", "say(2)", "say(3)", "say(1)"], [13, 22, 31, 6, 11, 1]),
    ("decisions inside options", """
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
     """, ["left(2)", "deeper(1)", "say(3)"], [2, 21, 3, 8, 9]),
    ("repeat until done", """
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
     """, ["add(2)", "asked", "say(1)", "add(3)", "done"], [2, 6, 106]),
    ("repeat until done ends when nothing is left", """
        procedure run(a: army):
            let n = 0
            choose adding by a repeat until done:
                option add:
                    require n < 2  "enough"
                    set n = n + 1
            report note(n)
     """, ["add", "add"], [2]),
    ("repeat until done with something to finish", """
        procedure run(a: army):
            let n = 0
            choose adding by a repeat until done:
                option add(m in 1..3):
                    set n = n + m
                finish require n > 3  "more is needed"
            report note(n)
     """, ["add(2)", "add(3)", "done"], [5]),
    ("alone takes itself", """
        procedure run(a: army):
            choose only_one by a alone:
                option take(n in 4..4):
                    report note(n)
                    ask(a) -> m
                    report note(m)
            report note(9)
     """, ["say(2)"], [4, 2, 9]),
    ("without alone a single option is asked", """
        procedure run(a: army):
            choose only_one by a:
                option take(n in 4..4): report note(n)
     """, ["take(4)"], [4]),
    ("otherwise", """
        procedure run(a: army):
            choose none by a:
                option take(n in 1..0): report note(n)
                otherwise:
                    ask(a) -> m
                    report note(m)
            report note(9)
     """, ["say(2)"], [2, 9]),
    ("later and settle", """
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
     """, ["say(0)", "say(1)", "say(2)", "say(3)"], [0, 11, 22, 53, 9]),
    ("the end of a phase settles", """
        procedure put_off(a: army, n: int):
            ask(a) -> m
            report note(n * 10 + m)
        procedure run(a: army):
            phase one:
                later put_off(a, 1)
                report note(0)
            report note(9)
     """, ["say(3)"], [0, 13, 9]),
    ("return from deep inside", """
        procedure search(a: army) -> int:
            for u in units where_not_needed:
                nothing
            return 0
        procedure run(a: army):
            nothing
     """.replace(" where_not_needed", ""), [], []),
    ("return out of loops and options", """
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
     """, ["stay", "stay", "stay", "leave", "say(1)"], [21]),
    ("a draft in a loop", """
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
     """, ["go(b) > go(c)", "go(b)"], [2, 1, 1]),
    ("together", """
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
     """, ["say(2)"], [213, 6]),
    ("whenever", """
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
     """, ["say(1)", "say(3)"], [50, 1, 3, 3]),
    ("values of every sort survive", """
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
     """, ["say(2)", "say(1)"], [25, 7, 3]),
    ("a local first set inside a branch", """
        procedure run(a: army):
            for n in 1..2:
                if n == 2:
                    let inside = n * 7
                    ask(a) -> m
                    report note(inside + m)
                else:
                    ask(a) -> m
                    report note(m)
     """, ["say(1)", "say(3)"], [1, 17]),
]
TABLES = {"tables.yaml": """
    kind: tables
    format: 1
    tables:
      results:
        axes: {die: die}
        gives: {parts: {n: {loss: int}, R: rout}}
        cells: ["-", "1", "2R", "R", "R", "3"]
"""}


@pytest.mark.parametrize(("rules", "keys", "wanted"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_decision_inside(rules: str, keys: list[str], wanted: list[int], tmp_path: Path) -> None:
    game = started(build(tmp_path, rules, TABLES), seed=3)
    game.call("run", a="reds")
    closely(game, keys)
    assert game.idle, option_keys(game)
    assert notes(game) == wanted


def test_the_phase_is_told_and_put_back(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        procedure run(a: army):
            phase outer:
                ask(a) -> n
                phase inner:
                    ask(a) -> m
                ask(a) -> k
            ask(a) -> l
    """))
    game.call("run", a="reds")
    seen = []
    for _ in range(4):
        seen.append(game.phase)
        game.choose("say(0)")
    assert seen == ["outer", "inner", "outer", None]
    assert game.phase is None


def test_a_decision_belongs_to_the_side_named_when_it_is_reached(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        procedure run(a: army):
            for b in armies:
                choose mine by b "what will {b} do, {a}?":
                    option x(n in 1..2) "take {n}": nothing
    """))
    game.call("run", a="reds")
    assert game.decision is not None
    assert (game.decision.side, game.decision.seat, game.decision.prompt) == (
        "reds", "red_seat", "what will reds do, reds?")
    assert [o.label for o in game.decision.options] == ["take 1", "take 2"]
    game.choose("x(1)")
    assert game.decision is not None
    assert (game.decision.side, game.decision.prompt) == ("blues", "what will blues do, reds?")


LASTING = {"shots": "{type: int, default: 3, lasts: outer}", "aims": "{type: int, default: 4, lasts: inner}",
           "tries": "{type: int, default: 5, lasts: work}", "round": "{type: int, default: 6, lasts: turn}"}
SPENDING = """
    define spent(a: army) -> int = a.shots * 1000 + a.aims * 100 + a.tries * 10 + a.round
    procedure spend_all(a: army):
        set a.shots = 0
        set a.aims = 0
        set a.tries = 0
        set a.round = 0
"""


@pytest.mark.parametrize(("leave", "wanted"), [
    ("nothing", [0, 400, 450, 3456]),  # leaves inner, then work, then outer
    ("return", [0, 450, 3456]),        # out of work and with it out of inner
    ("skip to after", [0, 3456, 3456]),
])
def test_values_that_last_end_with_their_scope(leave: str, wanted: list[int], tmp_path: Path) -> None:
    game = started(build(tmp_path, SPENDING + f"""
    procedure work(a: army):
        phase inner:
            spend_all(a)
            report note(spent(a))
            ask(a) -> n
            {leave}
        report note(spent(a))
    turn:
        phase outer:
            work(reds)
            report note(spent(reds))
        phase after:
            set reds.round = 6
            report note(spent(reds))
            ask(reds) -> last_one
            end game drawn
    """, side=LASTING))
    game.call("turn")
    closely(game, ["say(0)"])
    told = notes(game)
    assert told[0] == 0
    assert told[-1] == 3456
    if leave == "nothing":
        assert told == [0, 400, 450, 3456]
    elif leave == "return":
        assert told == [0, 450, 3456]
    else:
        assert told == [0, 3456]


def test_the_turn_ends_what_lasts_a_turn(tmp_path: Path) -> None:
    game = build(tmp_path, """
    turn:
        phase only_phase:
            report note(reds.round)
            set reds.round = turn
            ask(reds) -> n
            if turn == 3: end game drawn
    """, side={"round": "{type: int, default: 6, lasts: turn}"}).start()
    closely(game, ["say(0)", "say(0)", "say(0)"])
    assert game.over
    assert notes(game) == [6, 6, 6]


SKIPPING = """
    procedure deeper(a: army, n: int) at most 9 deep:
        for u in units:
            if n > 0: deeper(a, n - 1)
            choose leave by a:
                option forward: skip to last_phase
                option back: skip to first_phase
                option inward: skip to nested_phase
                option stay: nothing
    turn:
        phase first_phase:
            report note(1)
            raise game.total by 1
            if game.total < 3: deeper(reds, 2)
        phase second_phase:
            report note(2)
            phase before_nested: report note(21)
            phase nested_phase:
                report note(22)
            report note(23)
        phase last_phase:
            report note(3)
            end game drawn
"""


@pytest.mark.parametrize(("keys", "wanted"), [
    (["forward"], [1, 3]), (["stay", "stay", "forward"], [1, 3]), (["inward"], [1, 22, 23, 3]),
    (["back", "forward"], [1, 1, 3]), (["stay", "back", "back"], [1, 1, 1, 2, 21, 22, 23, 3]),
])
def test_skipping_out_of_nested_calls(keys: list[str], wanted: list[int], tmp_path: Path) -> None:
    game = build(tmp_path, SKIPPING).start()
    closely(game, keys)
    assert game.over
    assert notes(game) == wanted
    assert set(game.state.depth.values()) <= {0}, "a skip leaves no nested call counted"


def test_a_skip_drops_what_was_put_off(tmp_path: Path) -> None:
    game = build(tmp_path, """
    procedure put_off(n: int):
        report note(n)
    turn:
        phase first_phase:
            later put_off(1)
            ask(reds) -> n
            if n == 1: skip to last_phase
        phase last_phase:
            report note(3)
            ask(reds) -> n
            end game drawn
    """).start()
    closely(game, ["say(1)", "say(0)"])
    assert notes(game) == [3]


def test_a_called_procedure_tells_where_it_skipped_to(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        procedure run(a: army):
            ask(a) -> n
            if n == 1: skip to only_phase
        procedure quiet(a: army):
            skip to only_phase
    """))
    game.call("run", a="reds")
    game.choose("say(1)")
    assert (game.idle, game.skipped) == (True, "only_phase")
    game.call("run", a="reds")
    game.choose("say(2)")
    assert (game.idle, game.skipped) == (True, None)
    game.call("quiet", a="reds")
    assert (game.idle, game.skipped) == (True, "only_phase")


def test_end_game_from_deep_inside(tmp_path: Path) -> None:
    game = build(tmp_path, """
    procedure deeper(a: army, n: int) at most 5 deep:
        if n > 0:
            for u in units: deeper(a, n - 1)
        ask(a) -> m
        if m == 3: end game won by a.seat as great [1.1]
        report note(m)
    turn:
        phase only_phase:
            deeper(reds, 2)
    """).start()
    closely(game, ["say(1)", "say(3)"])
    assert game.over
    assert game.decision is None
    assert notes(game) == [1]
    assert game.outcome is not None
    assert (game.outcome.winner, game.outcome.level, game.outcome.title) == ("red_seat", "great", "Great")
    with pytest.raises(IllegalAction, match="over"):
        game.choose("say(1)")
    game.undo()
    assert not game.over


def test_several_winners_and_none(tmp_path: Path) -> None:
    rules = build(tmp_path, """
    procedure all_win():
        end game won by seats
    procedure nobody():
        end game drawn
    """)
    game = started(rules)
    game.call("all_win")
    assert game.outcome is not None and game.outcome.winner == ("red_seat", "blue_seat")
    game.call("nobody")
    assert game.outcome is not None and game.outcome.winner == "draw"


def test_the_set_up_may_decide(tmp_path: Path) -> None:
    game = build(tmp_path, """
    setup:
        ask(blues) -> n
        set game.total = n
    turn:
        phase only_phase:
            ask(reds) -> n
            report note(game.total * 10 + n)
            if turn == 2: end game drawn
    """).start()
    assert game.decision is not None and game.decision.side == "blues"
    closely(game, ["say(3)", "say(1)", "say(2)"])
    assert notes(game) == [31, 32]
    assert game.turn == 2


def test_the_turns_of_a_scenario_end_the_game(tmp_path: Path) -> None:
    game = build(tmp_path, """
    turn:
        phase only_phase:
            ask(reds) -> n
    """, {"scenarios/plain.yaml": """
    kind: scenario
    format: 1
    id: plain
    title: Plain
    default: true
    turns: 2
    """}).start()
    closely(game, ["say(0)", "say(0)"])
    assert game.over and game.turn == 2
    assert game.outcome is not None and game.outcome.winner == "draw"


def test_nothing_to_choose_is_a_fault_of_the_rules(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        procedure run(a: army):
            choose none by a:
                option take(n in 1..0): nothing
    """))
    with pytest.raises(RuleFault) as caught:
        game.call("run", a="reds")
    assert "nothing can be chosen at `run.none`" in caught.value.message
    assert (caught.value.file, caught.value.line) == ("tiny/own.rules", 3)


def test_a_fault_after_a_choice_leaves_the_game_as_it_was(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        procedure run(a: army):
            ask(a) -> n
            set game.total = 5
            assert n < 2 "{n} is too much"
            report note(n)
    """))
    game.call("run", a="reds")
    before = game.hash()
    with pytest.raises(RuleFault, match="3 is too much"):
        game.choose("say(3)")
    assert game.hash() == before
    game.choose("say(1)")
    assert notes(game) == [1]


def test_the_stack_of_the_rules_is_told(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        procedure worse(n: int):
            assert n > 9 "no"
        procedure bad(a: army):
            ask(a) -> n
            worse(n)
        procedure run(a: army):
            bad(a)
    """), seed=11)
    game.call("run", a="reds")
    with pytest.raises(RuleFault) as caught:
        game.choose("say(1)")
    assert caught.value.line == 3
    assert caught.value.stack == ("tiny/own.rules:6 in bad", "tiny/own.rules:3 in worse")
    assert caught.value.seed == 11


def test_recursion_ends_at_its_bound(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        procedure down(n: int) at most 3 deep:
            report note(n)
            down(n + 1)
        procedure run(a: army):
            down(1)
    """))
    with pytest.raises(RuleFault, match="calls itself more than 3 deep"):
        game.call("run", a="reds")
    assert notes(game) == [1, 2, 3]


def test_recursion_with_decisions_ends_at_its_bound(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        procedure down(a: army, n: int) at most 3 deep:
            ask(a) -> m
            down(a, n + 1)
        procedure run(a: army):
            down(a, 1)
    """))
    game.call("run", a="reds")
    closely(game, ["say(0)", "say(0)"])
    with pytest.raises(RuleFault, match="calls itself more than 3 deep"):
        game.choose("say(0)")


def test_two_effects_that_clash_are_a_fault(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        procedure run(a: army):
            together:
                set reds.score = 1
                set reds.score = 2
        procedure fine(a: army):
            together:
                for b in armies:
                    set b.score = count(armies)
                    if b == reds: set b.spirit = proud
        procedure mixed(a: army):
            together:
                set reds.score = 1
                raise reds.score by 1
    """))
    with pytest.raises(RuleFault, match="set the same thing differently"):
        game.call("run", a="reds")
    game.call("fine", a="reds")
    assert game.view()["sides"]["reds"] == {"seat": "red_seat", "score": 2, "spirit": "proud"}
    with pytest.raises(RuleFault, match="both sets a value and changes it"):
        game.call("mixed", a="reds")


@pytest.mark.parametrize("loop", [
    "while game.total < 5: set game.total = 1 - game.total",
    "repeat 1000000000 times: set game.total = 1",
    "for n in 1..1000000000: set game.total = n",
    "let all = count(n in 1..1000000000 where n > 3)",
    "round_and_round(a, 1)",
])
def test_what_never_ends_is_stopped(loop: str, tmp_path: Path) -> None:
    game = started(build(tmp_path, f"""
        procedure round_and_round(a: army, n: int) at most 1000000000 deep:
            round_and_round(a, n + 1)
        procedure run(a: army):
            {loop}
    """), record=False)
    with pytest.raises(RuleFault) as caught:
        game.call("run", a="reds")
    assert caught.value.file == "tiny/own.rules"


def test_turns_without_decisions_are_stopped(tmp_path: Path) -> None:
    with pytest.raises(RuleFault, match="without end"):
        build(tmp_path, "turn:\n    phase only_phase: raise game.total by 1\n").start(record=False)


def test_watchers_run_in_order_of_declaration(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        whenever said(t): report note(1)
        whenever said(t) where t == "b": report note(2)
        whenever said(t):
            for u in units at a: move u to b
        whenever moved(u, origin, target): report note(3)
        procedure run(a: army):
            report said("a")
            report said("b")
            move unit("red-1") to b
            move unit("red-1") to c
    """))
    game.call("run", a="reds")
    assert notes(game) == [1, 3, 3, 3, 1, 2, 3]
    assert said(game) == ["a", "b"]


def test_a_choice_that_took_itself_is_told(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        procedure run(a: army):
            choose only_one by a [1.1] alone:
                option take(u in units at a.home) [1.2]: move u to pile
    """))
    game.call("run", a="reds")
    assert game.idle
    assert ("taken", "only_one") in [(e.sort, e.name) for e in game.log]


def test_keys_of_alike_pieces_go_by_their_group(tmp_path: Path) -> None:
    game = started(build(tmp_path, """
        procedure run(a: army):
            choose which by a repeat until done:
                option wear(u in units): set u.condition = worn
                option go(u in units, p in neighbours(u.at)): move u to p
    """))
    game.call("run", a="reds")
    assert option_keys(game) == [
        "wear(reds.fresh@a)", "wear(blues.fresh@d)", "go(reds.fresh@a, b)", "go(blues.fresh@d, c)", "done"]
    closely(game, ["wear(reds.fresh@a)", "go(reds.worn@a, b)"])
    assert option_keys(game) == [
        "wear(reds.worn@b)", "wear(reds.fresh@a)", "wear(blues.fresh@d)", "go(reds.worn@b, a)", "go(reds.worn@b, c)",
        "go(reds.fresh@a, b)", "go(blues.fresh@d, c)", "done"]
