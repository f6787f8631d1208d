"""The stages of a draft: what was done step by step, walked through by the rules afterwards."""

from __future__ import annotations

from interpreter.api.game import Rules
from interpreter.play.game import Game
from interpreter.play.ledger import ledger
from interpreter.players.luck.luck_analysis import find_answer
from interpreter.runtime import drafts
from interpreter.tools.odds.resolution import compute_option_odds
from tests.tiny import called, closely, notes, option_keys, reborn

RULES = """
    event told(p: place, n: int, m: int) "{p} {n} {m}"

    draft walk(u: unit, most_steps: int) starting here = u.at, steps = 0 [1.1]:
        option go(p in neighbours(here)) now here = p, steps = steps + 1:
            require far: steps < most_steps  "{p} is too far"
        finish require moved: steps > 0  "stand still and you get nowhere"
        offer distinct by here, home = here == u.army.home

    draft pick(a: army) unordered starting taken = {}:
        option add(n in 1..3) now taken = taken + {n}
        finish require two: count(taken) == 2  "two are due"

    draft wave(a: army) starting here = a.home:
        option go(p in neighbours(here)) now here = p then stop if p.height > 1

    draft trace(u: unit) starting here = u.at, before = u.at, spent = 0, weary = false [1.1]:
        option go(p in neighbours(here)) now here = p, before = here, spent = spent + 1, weary = spent > 1:
            require not weary  "weary"
        offer distinct by here

    define ends(w: walk) -> place = w.here
    define length(w: walk) -> int = count(w.stages)
    define heights(w: walk) -> int = sum(s.here.height for s in w.stages)

    procedure run(a: army, n: int) [1.1]:
        let u = first(units at a.home) else unit("red-1")
        walk(u, n) by a "where to?" -> way
        report told(way.here, count(way.stages), way.steps)
        for stage in way.stages:
            move u to stage.here
            report told(ends(stage), stage.steps, count(stage.stages))
            if stage.here.height > 1: wait(a)
        report note(length(way))
        report note(heights(way))
        let other = way with (here = a.home)
        report told(other.here, count(other.stages), other.steps)

    procedure wait(a: army):
        choose go by a "on?":
            option on
            option back: report note(99)

    procedure pick_two(a: army):
        pick(a) by a -> result
        for stage in result.stages: report note(sum(n for n in stage.taken))

    procedure surge(a: army):
        wave(a) by a -> result
        for p in [stage.here for stage in result.stages]: report told(p, 0, 0)

    procedure trace_back(a: army):
        trace(first(units at a.home) else unit("red-1")) by a -> way
        for stage in way.stages: report told(stage.before, stage.spent, 0)

    procedure plain(a: army):
        gather(a) by a -> result
        report note(result.total)
    draft gather(a: army) starting total = 0:
        option add(n in 1..2) now total = total + n then stop
        finish require total > 0  "one at least"
"""


def told(game: Game) -> list[str]:
    """Return the events `told` so far."""
    return [" ".join(str(v) for v in e.args.values()) for e in game.log if e.sort == "event" and e.name == "told"]


def test_stages_come_in_order_of_steps(rules: Rules) -> None:
    game = closely(called(rules, "run", a="reds", n=3), ["go(b) > go(a) > go(b)"])
    assert told(game) == ["b 3 3", "b 1 0", "a 2 0", "b 3 0", "a 3 3"]
    assert notes(game) == [3, 1]


def test_listed_way_is_walked(rules: Rules) -> None:
    game = called(rules, "run", a="reds", n=3)
    assert option_keys(game) == ["go(b)", "go(b) > go(a)", "go(b) > go(c)", "go(b) > go(c) > go(d)"]
    game.choose("go(b) > go(a)")
    assert told(game) == ["a 2 2", "b 1 0", "a 2 0", "a 2 2"]


def test_steps_taken_one_by_one_have_same_stages(rules: Rules) -> None:
    game = called(rules, "run", a="reds", n=2)
    for _ in range(2):
        game.choose(game.draft_steps()[0])
    game.choose("finish")
    assert told(game)[:3] == ["a 2 2", "b 1 0", "a 2 0"]


def test_suspended_walk_resumes_after_save(rules: Rules) -> None:
    game = closely(called(rules, "run", a="reds", n=3), ["go(b) > go(c) > go(d)"])
    assert option_keys(game) == ["on", "back"] and told(game)[-1] == "c 2 0"
    twin = reborn(game)
    for each in (game, twin):
        each.choose("back")
    assert told(game)[-2:] == ["d 3 0", "a 3 3"] and game.hash() == twin.hash()


def test_sets_and_drafts_that_stop_show_their_stages_too(rules: Rules) -> None:
    game = called(rules, "pick_two", a="reds")
    game.choose("add(1) > add(3)")
    assert notes(game) == [1, 4]
    game = called(rules, "surge", a="reds")
    game.choose("go(b) > go(c)")
    assert told(game) == ["b 0 0", "c 0 0"]
    game = called(rules, "surge", a="reds")
    game.choose("finish")
    assert told(game) == []


def test_stages_are_created_on_demand(rules: Rules) -> None:
    game = called(rules, "plain", a="reds")
    assert drafts.to_answer(game.state, game.decision.list_raw_options()[0]) == (1,)  # type: ignore[union-attr]
    game = called(rules, "run", a="reds", n=1)
    b = game.decision.list_raw_options()[0].fields[0]  # type: ignore[union-attr]
    assert drafts.to_answer(game.state, game.decision.list_raw_options()[0]) == (b, 1, ((b, 1, ()),))  # type: ignore[union-attr]
    assert find_answer(game.state, "go(b)") == (b, 1, ((b, 1, ()),))


def test_ledger_and_odds_follow_stages(rules: Rules) -> None:
    game = called(rules, "run", a="reds", n=2)
    entries = ledger(game, "go(b) > go(a)", rules.program)
    assert [e.args["n"] for e in entries if e.name == "told"] == [2, 1, 2, 2]
    found = compute_option_odds(rules, game, "go(b) > go(a)")
    assert found.exact and len(found.results) == 1


def test_fields_that_only_show_of_way_show_no_states_apart(rules: Rules) -> None:
    draft = rules.program.drafts["trace"]
    assert [draft.fields[i] for i in draft.read_fields] == ["here", "spent", "weary"]
    game = called(rules, "trace_back", a="reds")
    game.choose("go(b) > go(c)")
    assert told(game) == ["a 1 0", "b 2 0"]
    assert [r.text for r in called(rules, "trace_back", a="reds").why_not("trace", here="d")] == []
