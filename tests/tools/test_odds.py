"""Exact odds on cases counted by hand: dice, pools, draws, decisions, what belongs to a resolution."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules
from interpreter.play.game import Game
from interpreter.queries.resolutions import preview_option
from interpreter.runtime.errors import SetupError
from interpreter.runtime.localizer import Localizer
from interpreter.tools.odds.odds_lines import (
    format_exact_probability,
    format_odds,
    format_percent,
    format_share,
    serialize_odds,
)
from interpreter.tools.odds.resolution import Odds, compute_call_odds, compute_option_odds
from tests import tiny
from tests.tiny import build, started

RULES = """
    event lost(u: unit) "{u} is lost"
    event nobody()

    procedure single(a: army):
        roll one: die for a -> n
        if n > 4:
            for u in take(1, units at a.home):
                move u to pile
                report lost(u)

    procedure volley(number: int):
        roll volley: number of die -> thrown
        set game.total = hits_of(thrown)

    define hits_of(thrown: list of int) -> int = sum(1 for d in thrown where d > 4)

    procedure runs():
        roll run: 3 of coin -> thrown
        let before = 0
        let longest = 0
        for c in thrown:
            if c == 1:
                set before = before + 1
                set longest = max(longest, before)
            else:
                set before = 0
        set game.total = longest

    procedure highest():
        roll two: 2 of die -> thrown
        let best = max(d for d in thrown) else 0
        set game.total = best

    procedure fate(a: army):
        draw victim: (units at a.home) -> u
        move u to pile

    procedure wear_one(a: army):
        for u in take(1, units at a.home):
            set u.condition = worn

    procedure brave(a: army):
        choose brave by a:
            option charge:
                roll charge: die -> n
                set a.score = n
            option hold:
                set a.score = 3

    procedure each_one(a: army):
        for u in units at a.home:
            roll fate: die for u -> n
            if n == 6: set u.condition = worn

    procedure again(a: army):
        let going = true
        while going:
            roll again: coin -> c
            if c == 1: set going = false
            report note(1)

    procedure fight(a: army):
        choose fire by a repeat until done:
            option shoot:
                roll shot: die -> n
                if n == 6:
                    choose aim by a:
                        option low: raise a.score by 1
                        option high: raise a.score by 2
            option pray:
                report nobody()

    turn:
        phase fighting:
            for a in armies:
                fight(a)
        phase after:
            roll after: die -> n
            set game.total = n
"""


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    victory = """\
        kind: victory
        format: 1
        levels:
          small: {title: Small}
        score: {of: s, value: "sum(a.score for a in armies where a.seat == s)"}
    """
    return build(tmp_path, RULES, {"victory.yaml": victory})


def by_total(odds: Odds) -> dict[Any, Fraction]:
    """Probability of each value that the game's total ends with (None: unchanged)."""
    found: dict[Any, Fraction] = {}
    for result in odds.results:
        after = next((c.after for c in result.changes if c.name == "total"), None)
        found[after] = found.get(after, Fraction(0)) + result.probability
    return found


def called(rules: Rules, procedure: str, **arguments: Any) -> Odds:
    game = started(rules)
    before = game.hash()
    odds = compute_call_odds(rules, game, procedure, arguments)
    assert game.hash() == before
    assert odds.exact
    assert sum(r.probability for r in odds.results) == 1
    return odds


def test_odds_of_one_die(rules: Rules) -> None:
    odds = called(rules, "single", a="reds")
    assert [r.probability for r in odds.results] == [Fraction(2, 3), Fraction(1, 3)]
    lost = odds.results[1]
    assert [(c.kind, c.name, c.before, c.after, c.count, c.lost) for c in lost.changes] == [
        ("piece", "at", "a", "pile", 1, True)
    ]
    assert [(c.event, c.probability, c.best, c.worst) for c in odds.chances] == [("lost", *[Fraction(1, 3)] * 3)]
    assert [(x.side, x.name, x.amount) for x in odds.losses] == [("reds", "", Fraction(1, 3))]


def test_pool_that_is_read_die_by_die(rules: Rules) -> None:
    odds = called(rules, "volley", number=2)
    assert by_total(odds) == {None: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}
    odds = called(rules, "volley", number=24)
    assert by_total(odds)[24] == Fraction(1, 3) ** 24
    assert odds.positions < 40  # two sorts of faces, not six


def test_odds_without_dice_are_certain(rules: Rules) -> None:
    assert by_total(called(rules, "volley", number=0)) == {None: 1}


def test_odds_of_ordered_pool_are_exact(rules: Rules) -> None:
    assert by_total(called(rules, "runs")) == {
        None: Fraction(1, 8),
        1: Fraction(1, 2),
        2: Fraction(1, 4),
        3: Fraction(1, 8),
    }


def test_odds_of_highest_of_two_dice(rules: Rules) -> None:
    assert by_total(called(rules, "highest")) == {n: Fraction(2 * n - 1, 36) for n in range(1, 7)}


def test_odds_merge_draws_of_interchangeable_pieces(rules: Rules) -> None:
    odds = called(rules, "fate", a="blues")
    assert [(r.probability, r.changes[0].count) for r in odds.results] == [(1, 1)]


def test_odds_count_losses_of_interchangeable_pieces_together(rules: Rules) -> None:
    odds = called(rules, "each_one", a="reds")
    worn = {sum(c.count for c in r.changes): r.probability for r in odds.results}
    assert worn == {n: Fraction((1, 3, 3, 1)[n] * 5 ** (3 - n), 216) for n in range(4)}
    assert odds.losses[0].amount == Fraction(1, 2)


def test_results_name_state_of_lost_piece_where_it_differs(rules: Rules) -> None:
    game = started(rules)
    game.call("wear_one", a="reds")
    lines = [line[20:].strip() for line in format_odds(compute_call_odds(rules, game, "fate", {"a": "reds"}))]
    lost = sorted(line for line in lines if line.endswith("lost"))
    assert lost == ["1 unit (reds) in a (fresh) lost", "1 unit (reds) in a (worn) lost"]


def test_results_count_alike_pieces_in_plural(rules: Rules) -> None:
    assert any("3 units (reds) in a:" in line for line in format_odds(called(rules, "each_one", a="reds")))


def test_only_certain_chance_is_shown_as_all_or_nothing(rules: Rules) -> None:
    odds, localizer = called(rules, "each_one", a="reds"), rules.program.get_localizer()
    tiny_chance = Fraction(1, 10**6)
    assert [format_percent(p, localizer) for p in (Fraction(0), tiny_chance, Fraction(1, 250))] == [
        "0%",
        "under 1%",
        "under 1%",
    ]
    assert [format_percent(p, localizer) for p in (Fraction(1), 1 - tiny_chance, Fraction(249, 250))] == [
        "100%",
        "over 99%",
        "over 99%",
    ]
    assert [format_percent(p, localizer, 2) for p in (tiny_chance, 1 - tiny_chance)] == ["under 0.01%", "over 99.99%"]
    assert [
        format_exact_probability(p).split()[0] for p in (Fraction(0), tiny_chance, 1 - tiny_chance, Fraction(1))
    ] == ["0.00%", "<0.01%", ">99.99%", "100.00%"]
    assert format_share(odds, Fraction(1), localizer) == "100.00%"
    sampled = compute_call_odds(rules, started(rules), "each_one", {"a": "reds"}, most=5, throws=400)
    assert format_share(sampled, Fraction(1), localizer).startswith(">99%"), "no sample proves certainty"


def test_decisions_are_bounded(rules: Rules) -> None:
    odds = called(rules, "brave", a="reds")
    value = next(v for v in odds.values if v.seat == "red_seat")
    assert (value.before, value.best, value.worst) == (0, Fraction(7, 2), 3)
    assert value.expected == Fraction(13, 4)
    assert [(d.name, d.side) for d in odds.decisions] == [("brave", "reds")]
    first = compute_call_odds(rules, started(rules), "brave", {"a": "reds"}, policy="first")
    assert {r.probability for r in first.results} == {Fraction(1, 6)}


# --- options ---------------------------------------------------------------------------------------


def test_odds_end_at_repeated_decision(rules: Rules) -> None:
    game = rules.start(seed=9)
    before = game.hash()
    odds = compute_option_odds(rules, game, "shoot")
    assert game.hash() == before
    assert odds.side == "reds"
    score = {next((c.after for c in r.changes if c.name == "score"), 0): r.probability for r in odds.results}
    assert score == {0: Fraction(5, 6), 1: Fraction(1, 12), 2: Fraction(1, 12)}
    value = next(v for v in odds.values if v.seat == "red_seat")
    assert (value.expected, value.best, value.worst) == (Fraction(1, 4), Fraction(1, 3), Fraction(1, 6))


def test_without_evaluation_same_follows(rules: Rules) -> None:
    game = rules.start(seed=9)
    whole, quick = (compute_option_odds(rules, game, "shoot", valued=is_valued) for is_valued in (True, False))
    assert whole.values and not quick.values
    assert quick.losses == whole.losses and quick.until == whole.until
    assert [(r.probability, r.changes) for r in quick.results] == [(r.probability, r.changes) for r in whole.results]


def test_results_equal_except_evaluation_are_merged(tmp_path: Path) -> None:
    rules = """
        procedure storm(a: army):
            choose storm by a:
                option charge:
                    roll charge: die -> n
                    for u in units at a.home:
                        if n > 2: set u.tired = true
                        if n == 6:
                            move u to pile
                option wait:
                    roll wait: die -> n
                    for u in units at a.home:
                        if n > 2: set u.tired = true

        turn:
            phase storming:
                for a in armies:
                    storm(a)
    """
    victory = """\
        kind: victory
        format: 1
        levels:
          small: {title: Small}
        score: {of: s, value: "sum(1 for u in units where u.tired and u.army.seat == s)"}
    """
    made = build(tmp_path, rules, {"victory.yaml": victory}, unit={"tired": "{type: flag, lasts: turn}"})
    game = made.start()
    for key, told in (("charge", 2), ("wait", 1)):  # who is tired ends by itself: no result, though it counts
        whole, quick = (compute_option_odds(made, game, key, valued=is_valued) for is_valued in (True, False))
        tired = {value.seat: value.expected for value in whole.values}
        assert tired == {"red_seat": 3 * Fraction(2, 3), "blue_seat": 0} and not quick.values
        assert len(whole.results) == len(quick.results) == told
        for mine, other in zip(whole.results, quick.results, strict=True):
            assert (mine.probability, mine.changes) == (other.probability, other.changes)
            assert mine.outcome.losses == other.outcome.losses


def test_odds_inside_nested_decision(rules: Rules) -> None:
    game = rules.start(dice=[6])
    game.choose("shoot")
    assert game.decision is not None
    assert game.decision.name == "aim"
    odds = compute_option_odds(rules, game, "high")
    assert [(r.probability, [c.after for c in r.changes]) for r in odds.results] == [(1, [2])]


def test_dice_that_follow_without_choice_belong_to_option(rules: Rules) -> None:
    game = rules.start(seed=9)
    assert compute_option_odds(rules, game, "done").until[0].name == "fire"  # of the other army
    game.choose("done")
    odds = compute_option_odds(rules, game, "done")  # the last decision of the phase
    assert [r.probability for r in odds.results] == [Fraction(1, 6)] * 6
    assert [(u.sort, u.name, u.side) for u in odds.until] == [("decision", "fire", "reds")]  # of the next turn


# --- what cannot be counted ------------------------------------------------------------------------


def test_odds_over_position_limit_are_estimated(rules: Rules) -> None:
    odds = compute_call_odds(rules, started(rules), "each_one", {"a": "reds"}, most=5, throws=400)
    assert not odds.exact
    assert odds.throws == 400
    share = next(r.probability for r in odds.results if not r.changes)
    assert abs(float(share) - 125 / 216) < 4.5 * odds.compute_standard_error(share)
    assert odds.compute_standard_error(Fraction(1)) == odds.compute_standard_error(Fraction(0)) > 0, "not certain"
    assert "from 400 " in "\n".join(format_odds(odds))
    assert odds == compute_call_odds(rules, started(rules), "each_one", {"a": "reds"}, most=5, throws=400)


def test_endless_rules_are_estimated(rules: Rules) -> None:
    odds = compute_call_odds(rules, started(rules), "again", {"a": "reds"}, throws=100)
    assert not odds.exact
    assert [c.event for c in odds.chances] == ["note"]


def test_rules_that_never_end_have_no_odds(rules: Rules) -> None:
    with pytest.raises(SetupError, match="does not end"):
        compute_call_odds(rules, started(rules), "fight", {"a": "reds"}, policy="first", most=50, throws=1)


def test_invalid_odds_question_is_reported(rules: Rules) -> None:
    game = rules.start(seed=9)
    with pytest.raises(SetupError, match="shoot"):
        compute_option_odds(rules, game, "shot")
    with pytest.raises(SetupError, match="unknown procedure"):
        compute_call_odds(rules, game, "figt", {})
    with pytest.raises(SetupError, match="takes a"):
        compute_call_odds(rules, game, "fight", {})


# --- words and data ---------------------------------------------------------------------------------


def test_odds_are_printed_in_words(rules: Rules) -> None:
    lines = format_odds(called(rules, "single", a="reds"))
    assert lines[0] == "single(a=reds)"
    assert "   66.67%  2/3        no change" in lines
    assert "   33.33%  1/3        1 unit (reds) in a lost" in lines


def test_odds_are_given_as_data(rules: Rules) -> None:
    data = serialize_odds(called(rules, "brave", a="reds"))
    assert data["exact"] is True
    assert data["results"][0]["probability"] == {"exact": "7/12", "value": 7 / 12}
    assert data["values"][0]["best"]["exact"] == "7/2"


def test_seeded_game_throws_same_dice_afterwards(rules: Rules) -> None:
    asked, twin = started(rules, seed=3), started(rules, seed=3)
    compute_call_odds(rules, asked, "volley", {"number": 3})
    for game in (asked, twin):
        game.call("volley", number=5)
    assert _faces(asked) == _faces(twin)


def _faces(game: Game) -> list[Any]:
    return [e.args["faces"] for e in game.log if e.sort == "roll"]


def test_preview_names_place_that_only_the_rules_know(tmp_path: Path) -> None:
    storm = """
        procedure run():
            choose attack by reds "what now?":
                option storm(s in armies):
                    roll luck: die -> n
                    if n > 4: set b.held = true
                option wait: nothing
    """
    rules = build(tmp_path, storm)
    game, localizer = tiny.called(rules, "run"), Localizer(rules.program)
    assert list(preview_option(rules, game, "storm(reds)", localizer)) == ["chance in b, held: 33.33%"]
