"""Test the limits on everything that rules can make grow: exceeding one is a rule fault with its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from interpreter import load
from interpreter.runtime import limits
from interpreter.runtime.errors import RuleFault, SetupError
from interpreter.runtime.limits import LIMITS
from interpreter.tools.odds.previews import Previewer
from tests.tiny import build, called, notes, started, write
from tests.witness.budgets import budget

VALUES = {"many": "{type: {set_of: int}, default: []}", "part": "{type: number, default: 1}"}


@pytest.fixture
def few_steps() -> Iterator[None]:
    """Lower the step budget, which shows the same counting sooner."""
    with budget(100_000):
        yield


def stopped(tmp_path: Path, body: str, more: str = "", record: bool = False) -> RuleFault:
    """Return the fault that ends a procedure with these statements."""
    lines = "\n".join("    " + line for line in body.strip("\n").splitlines())
    game = started(
        build(tmp_path, f"{dedent(more)}\nprocedure run(army_of: army):\n{lines}\n", game=VALUES), record=record
    )
    with pytest.raises(RuleFault) as caught:
        game.call("run", army_of="reds")
    assert caught.value.file == "tiny/own.rules" and caught.value.line
    return caught.value


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize(
    "body",
    [
        "if any x in 1..9999 where any y in 1..9999 where any z in 1..9999 where x + y + z == 0: set game.total = 1",
        "set game.total = count(x in 1..9999 where any y in 1..9999 where x + y == 1)",
        "let l = {x + 1 for x in 1..9999 where any y in 1..9999 where x + y == 1}",
        "set game.total = sum(count(y in 1..9999 where y > x) for x in 1..9999)",
        "for x in 1..9999:\n    for y in 1..9999:\n        for z in 1..9999: set game.total = x",
        "for x in 1..9999:\n    for y in 1..9999:\n        move units at a to b\n        move units at b to a",
        "repeat 9999 times:\n    repeat 9999 times: report note(1)",
        "for x in 1..9999:\n    for y in 1..9999: let way = count(reach from a)",
        "for x in 1..9999:\n    for y in 1..9999: let way = distance from a to d through p cost x + y else 0",
        "for x in 1..9999:\n    for y in 1..9999: let all = closure of take(1, units) over v, w where x > y",
        "for x in 1..9999: roll dice: 9000 of die -> thrown",
    ],
)
def test_loops_inside_one_another_are_counted(body: str, tmp_path: Path) -> None:
    fault = stopped(tmp_path, body, "procedure put_off(n: int): set game.total = n")
    assert "without end" in fault.message and f"{LIMITS.steps:,} steps" in fault.message


@pytest.mark.usefixtures("few_steps")
def test_work_is_counted_through_defines_rules_and_tallies(tmp_path: Path) -> None:
    more = """
define far(n: int) = any y in 1..900 where y + n == 0
rule apart(n: int):
    require so: any y in 1..900 where y + n == 0 or far(y) "no"
tally odd(n: int):
    + 1 if far(n) or apart(n) "odd"
define wide(n: int) = count(x in 1..900 where far(x) or apart(x) or odd(x) > 1) + count(units) + game.total
"""
    assert "without end" in stopped(tmp_path, "set game.total = wide(1) + wide(2)", more).message


@pytest.mark.usefixtures("few_steps")
def test_calls_that_double_are_counted(tmp_path: Path) -> None:
    more = "define twice0(n: int) = n + game.total\n" + "".join(
        f"define twice{k}(n: int) = twice{k - 1}(n) + twice{k - 1}(n + 1) * count(units)\n" for k in range(1, 40)
    )
    assert "without end" in stopped(tmp_path, "set game.total = twice39(1)", more).message
    more = "procedure call0(): set game.total = 1\n" + "".join(
        f"procedure call{k}():\n    call{k - 1}()\n    call{k - 1}()\n" for k in range(1, 40)
    )
    assert "without end" in stopped(tmp_path / "calls", "call39()", more).message


def test_costly_constant_work_is_counted(tmp_path: Path) -> None:
    more = "define never(n: int) = any x in 1..9999 where any y in 1..9999 where any z in 1..9999 where x + y + z == n"
    assert "without end" in stopped(tmp_path, "if never(0): set game.total = 1", more).message


def doubling(first: str, rest: str, levels: int) -> str:
    """Return defines each of which calls the one before twice."""
    return first + "\n" + "".join(rest.format(own=k, last=k - 1) + "\n" for k in range(1, levels))


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize("levels", [40, 60, 90, 91, 92, 93, 200])
@pytest.mark.parametrize(
    ("first", "rest", "value"),
    [
        ("define f0 = 1", "define f{own} = f{last} + f{last}", "(if f{top} > 9 then 1 else 0)"),
        ("define f0 = true", "define f{own} = f{last} and f{last}", "(if f{top} then 1 else 0)"),
        (
            "define f0(p: place) = p.height",
            "define f{own}(p: place) = f{last}(p) + (if p.height > 0 then f{last}(p) else 1)",
            "(if any p in places where f{top}(p) > 9 then 1 else 0)",
        ),
        (
            "define f0(s: set of int) = count(s)",
            "define f{own}(s: set of int) = f{last}(s) + f{last}(s + {{{own}}})",
            "(if f{top}({{1}}) > 9 then 1 else 0)",
        ),
        ("define f0 = game.total", "define f{own} = f{last} + f{last}", "(if f{top} > 9 then 1 else 0)"),
        (
            "define f0(u: unit) = u.at == a",
            "define f{own}(u: unit) = f{last}(u) and (f{last}(u) or u.at == b)",
            "count(u in units where f{top}(u))",
        ),
    ],
    ids=["number", "flag", "place", "set", "state", "piece"],
)
def test_doubling_defines_are_counted_however_they_are_inlined(
    tmp_path: Path, first: str, rest: str, value: str, levels: int
) -> None:
    body = f"set game.total = {value.format(top=levels - 1)}"
    assert "without end" in stopped(tmp_path, body, doubling(first, rest, levels)).message


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize(
    "rules",
    [
        """
        draft d(s: army) starting n = 0, m = 0:
            option go(x in 1..999, y in 1..999) now n = n + 1, m = x:
                require a: x * y == 99999999 "?"
                require b: n < 3 "?"
            finish require n > 0 "?"
        """,
        """
        draft d(s: army) starting n = 0:
            option go(x in 1..9) now n = n + 1:
                require a: count(y in 1..999 where any z in 1..999 where y * z == 99999999) < x "?"
                require b: n < 3 "?"
            finish require n > 0 "?"
        """,
        """
        draft d(s: army) starting n = 0, m = 0, l = [k for k in 1..900]:
            option go(x in l, y in l) now n = n + 1, m = x:
                require a: x * y == 99999999 "?"
                require b: n < 3 "?"
            finish require n > 0 "?"
        """,
    ],
    ids=["table of steps", "constants", "loops in the search"],
)
def test_tables_of_drafts_are_counted(tmp_path: Path, rules: str) -> None:
    assert "without end" in stopped(tmp_path, "if possible d(reds): d(reds) by reds", rules).message


@pytest.mark.usefixtures("few_steps")
def test_tests_of_searches_that_read_no_state_are_counted(tmp_path: Path) -> None:
    body = (
        "let far = reach from a through p where any x in 1..999 where any y in 1..999 where x * y == 99999 + p.height"
    )
    assert "without end" in stopped(tmp_path, body).message


def test_rows_that_take_too_long_to_prepare_are_fault_of_play(tmp_path: Path) -> None:
    rules = """
        define far(n: int) = any y in 1..900 where y + n == 0
        procedure run(a: army):
            set game.total = count(x in 1..900 where far(x)) + game.total
    """
    with budget(20_000):
        game = started(build(tmp_path, rules))
        with pytest.raises(RuleFault, match="without end"):
            game.call("run", a="reds")


def test_constant_work_is_not_part_of_choice(tmp_path: Path) -> None:
    rules = """
        define f(p: place) = count(x in 1..90 where any y in 1..90 where x * y == 0 - p.height)
        procedure run(a: army):
            set game.total = sum(f(p) for p in places)
            ask(a) -> n
    """
    game = called(build(tmp_path, rules), "run", a="reds")
    first, meter = game.state.spent, game.program.meter.spent
    game.call("run", a="reds")
    assert game.state.spent == first and game.program.meter.spent < meter


def test_large_constant_memo_is_evicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_MEMOIZED_MEMBERS", 5_000)
    rules = """
        define big(n: int) = {x for x in 1..900 where x > n}
        procedure run(a: army):
            set game.total = sum(count(big(n)) for n in 1..100)
            ask(a) -> n
    """
    game = called(build(tmp_path, rules), "run", a="reds")
    assert game.state.g0 == sum(900 - n for n in range(1, 101))
    assert game.program.namespace["d_big"].cache_info().currsize < 10
    assert game.program.meter.held <= 5_000


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("set game.total = 3\nrepeat 60 times: set game.total = game.total * game.total", "1,000 digits"),
        ("let n = 3\nrepeat 60 times: set n = n * n", "1,000 digits"),
        ("set game.total = 3\nwhile game.total > 0: raise game.total by game.total", "1,000 digits"),
        ("set game.part = 3\nrepeat 99 times: set game.part = game.part / 7 + 1 / (game.part + 1)", "1,000 digits"),
        ("let l = [1, 2]\nrepeat 60 times: set l = l + l", "10,000"),
        ("for n in 1..9999:\n    set game.many = game.many + {m + n * 1000 for m in 1..900}", "10,000"),
        ("let s = {1}\nfor n in 1..9999: set s = s + {m + n * 1000 for m in 1..900}", "10,000"),
        ("let l = [[1]]\nrepeat 60 times: set l = l + [first(l) else []] + l", "10,000"),
        ("roll dice: 999999999 of die -> thrown", "999,999,999 dice"),
        ("while game.total < 5: later put_off(1)", "`later` postpones more than 10,000"),
        ("for n in 1..100001: nothing", "100,001 numbers"),
    ],
)
def test_growing_values_have_limit(body: str, told: str, tmp_path: Path) -> None:
    assert told in stopped(tmp_path, body, "procedure put_off(n: int): set game.total = n").message


def test_procedure_that_puts_itself_off_ends(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        procedure again(n: int): later again(n + 1)
        turn:
            phase only_phase:
                later again(1)
    """,
    )
    with pytest.raises(RuleFault, match="without end"):
        rules.start(record=False)


def test_calls_inside_one_another_have_limit(tmp_path: Path) -> None:
    fault = stopped(
        tmp_path,
        "down(1)",
        """
procedure down(n: int) at most 1000000 deep:
    down(n + 1)
""",
    )
    assert f"at most {LIMITS.deep} deep" in fault.message and fault.line


def test_options_have_limit(tmp_path: Path) -> None:
    body = 'choose spot by army_of "where":\n    option go(x in 1..999, y in 1..999, z in 1..999): nothing'
    fault = stopped(tmp_path, body)
    assert "`run.spot.go`" in fault.message and "100,000 options" in fault.message


def test_draft_without_end_is_answered_step_by_step(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        draft pile(a: army) starting high = 0:
            option up now high = high + 1
            finish require some: high > 0 "nothing is piled up"
        procedure run(a: army):
            pile(a) by a "pile up" -> p
            report note(p.high)
    """,
    )
    game = called(rules, "run", a="reds")
    assert game.decision is not None and [o.key for o in game.decision.options] == ["up"]
    game.choose("up > up > finish")
    assert notes(game) == [2]


def test_budget_restarts_with_each_answer(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        procedure run(a: army):
            repeat 8 times:
                ask(a) -> n
                set game.total = count(x in 1..900 where any y in 1..900 where x + y == 1)
    """,
    )
    game = called(rules, "run", a="reds")
    for _ in range(8):
        game.choose("say(1)")
    assert game.idle


def test_long_computation_stays_below_limits(tmp_path: Path) -> None:
    """Check that a computation an author may well write stays far below the limits."""
    body = "set game.total = count(x in 1..500 where any y in 1..500 where x * y == 250001)"
    game = called(build(tmp_path, f"procedure run(a: army):\n    {body}\n"), "run", a="reds")
    assert game.idle


def test_long_chain_of_defines_is_played_without_its_odds(tmp_path: Path) -> None:
    """Check that only the odds are refused where a chain of defines is too deep to compile for them."""
    chain = "define f0 = 1\n" + "".join(f"define f{n} = f{n - 1} + f{n - 1}\n" for n in range(1, 201))
    rules = "turn:\n    phase only_phase:\n        ask(reds) -> n\n        set game.total = if n > 9 then f200 else n\n"
    loaded = load(write(tmp_path, chain + rules))
    game = loaded.start(seed=1)
    assert Previewer(loaded).preview(game, "say(1)") is None
    with pytest.raises(SetupError, match="chain too long"):
        loaded.form("odds")
    game.pick(1)
    assert game.count() == 4
