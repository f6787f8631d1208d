"""Test how far odds reach: through forced choices, to the end of the resolution that throws dice."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules
from interpreter.play.game import Game
from interpreter.tools.odds.odds_lines import format_odds, serialize_odds
from interpreter.tools.odds.resolution import Odds, compute_option_odds
from tests.recordings import assert_recorded
from tests.tiny import build

RULES = """
    event camped(a: army)
    event struck(a: army)

    turn:
        phase fighting:
            for a in armies:
                campaign(a)
        phase weather:
            roll weather: die -> n
            set game.total = n
        phase camp:
            for a in armies:
                camp(a)

    procedure campaign(a: army):
        march(a)
        fights(a)
        plunder(a)

    procedure march(a: army):
        choose marching by a repeat until done:
            option step(number in 1..3): raise a.score by number
            option force:
                roll forced: coin -> c
                if c == 1: set a.spirit = broken

    procedure fights(a: army):
        for f in 1..(if a.score > 5 then 2 else 1):
            choose which by a:
                option strike: strike(a)
                option storm:
                    require strong: a.score > 0 "{a} has not moved"
                    strike(a)

    procedure strike(a: army):
        roll strike: die for a -> n
        report struck(a)
        if n > 2:
            choose hurt by a:
                option bleed: lower a.score by 1
                option run: set a.spirit = broken
            if n == 6: aftermath(a)

    procedure aftermath(a: army):
        choose loot by a repeat until done:
            option take(number in 1..6): raise a.score by number

    procedure plunder(a: army):
        choose plunder by a:
            option burn: raise a.score by 10
            option spare

    procedure camp(a: army):
        report camped(a)
        choose guard by a:
            option sleep
            option watch: raise a.score by 1
        roll night: coin for a -> c
        if c == 1: lower a.score by 1
"""


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    return build(tmp_path, RULES)


def asked(rules: Rules, game: Game, key: str, **limits: Any) -> Odds:
    before = game.hash()
    odds = compute_option_odds(rules, game, key, **limits)
    assert game.hash() == before
    assert sum(r.probability for r in odds.results) == sum(u.probability for u in odds.until) == 1
    return odds


def ends(odds: Odds) -> dict[tuple[str, str], Fraction]:
    return {(u.sort, u.name): u.probability for u in odds.until}


def events(odds: Odds) -> dict[str, Fraction]:
    return {c.event: c.probability for c in odds.chances}


def test_odds_follow_forced_choice_to_dice(rules: Rules) -> None:
    """Check `done`, which ends the march: the only way to fight is taken, and the wounds belong to the fight."""
    odds = asked(rules, rules.start(seed=1), "done")
    assert [(u.name, u.probability) for u in odds.left_out] == [("hurt", Fraction(1, 6))]
    assert events(odds)["struck"] == 1
    assert [d.name for d in odds.decisions] == ["hurt"]
    broken = sum(r.probability for r in odds.results if any(c.name == "spirit" for c in r.changes))
    assert broken == Fraction(1, 4)  # three faces of six hurt and bring no loot; half of those run


def test_odds_end_at_next_player_decision(rules: Rules) -> None:
    """Check that odds end at the choice of loot after a wound, and at plunder, a choice outside the fight."""
    assert ends(asked(rules, rules.start(seed=1), "done")) == {
        ("decision", "plunder"): Fraction(5, 6),
        ("decision", "hurt"): Fraction(1, 6),
    }


def test_small_choice_before_dice_belongs_to_them(rules: Rules) -> None:
    """Check that odds include a bounded choice after which the same dice fall."""
    game = rules.start(seed=1)
    assert "which" not in [d.name for d in asked(rules, game, "done").decisions]  # one way only
    game.choose("step(1)")
    odds = asked(rules, game, "done")
    assert sorted(d.name for d in odds.decisions) == ["hurt", "which"]
    assert events(odds)["struck"] == 1


def test_consecutive_fights_are_one_resolution(rules: Rules) -> None:
    """Check that two consecutive fights are one resolution, with no end between them."""
    game = rules.start(seed=1)
    for _ in range(2):
        game.choose("step(3)")
    odds = asked(rules, game, "done")
    assert ends(odds)["decision", "plunder"] == Fraction(25, 36)
    assert {c.name for r in odds.results for c in r.changes} == {"score", "spirit"}


def test_option_of_row_reaches_to_its_own_end(rules: Rules) -> None:
    odds = asked(rules, rules.start(seed=1), "force")
    assert ends(odds) == {("chosen", ""): 1}
    assert len(odds.results) == 2


def test_choice_that_is_not_small_is_end(rules: Rules) -> None:
    """Check that plunder, for which nothing is thrown, is a choice of its own."""
    game = plundering(rules)
    assert ends(asked(rules, game, "spare")) == {("decision", "marching"): 1}
    assert asked(rules, game, "spare").positions == 0


def plundering(rules: Rules) -> Game:
    game = rules.start(dice=[1] * 20)
    game.choose("done")
    game.choose("strike")
    assert game.decision is not None
    assert game.decision.name == "plunder"
    return game


def test_odds_include_next_phase_if_option_rolls_none(rules: Rules) -> None:
    game = plundering(rules)
    for key in ("spare", "done", "strike"):
        game.choose(key)
    odds = asked(rules, game, "spare")
    assert [r.probability for r in odds.results] == [Fraction(1, 6)] * 6
    assert ends(odds) == {("decision", "guard"): 1}


def test_dice_after_dice_belong_to_something_else(rules: Rules) -> None:
    """Check that odds end with the night of the reds: neither that of the blues nor another turn belongs to them."""
    game = plundering(rules)
    for key in ("spare", "done", "strike", "spare"):
        game.choose(key)
    assert game.decision is not None
    assert (game.decision.side, game.decision.name) == ("reds", "guard")
    assert ends(asked(rules, game, "watch")) == {("decision", "guard"): 1}
    game.choose("watch")
    assert ends(asked(rules, game, "sleep")) == {("decision", "marching"): 1}


def test_throws_reach_as_far(rules: Rules) -> None:
    exact = asked(rules, rules.start(seed=1), "done")
    thrown = asked(rules, rules.start(seed=1), "done", most=1, throws=600)
    assert thrown.throws
    assert set(ends(thrown)) == set(ends(exact))
    for end, share in ends(thrown).items():
        assert abs(float(share - ends(exact)[end])) < 4.5 * thrown.compute_standard_error(ends(exact)[end])


def test_odds_name_their_end(rules: Rules) -> None:
    odds = asked(rules, rules.start(seed=1), "done")
    assert_recorded(format_odds(odds))
    assert serialize_odds(odds)["until"][0] == {
        "sort": "decision",
        "name": "plunder",
        "side": "reds",
        "left_out": False,
        "probability": {"exact": "5/6", "value": 5 / 6},
    }


LAST_ORDER = """
    event struck(a: army)

    turn:
        phase fighting:
            for a in armies:
                campaign(a)
        phase weather:
            roll weather: die -> n
            set game.total = n

    procedure campaign(a: army):
        march(a)
        fight(a)

    procedure march(a: army):
        choose marching by a repeat until done:
            option step(number in 1..2):
                require fresh: a.score + number < 4 "{a} has moved"
                raise a.score by number
            option sneak:
                require fresh: a.score == 2 "{a} cannot hide"
                raise a.score by 8
            option force:
                require fresh: a.score == 0 "{a} has moved"
                raise a.score by 5
                roll forced: coin -> c
                if c == 1: set a.spirit = broken

    procedure fight(a: army):
        if a.score < 8:
            roll strike: die for a -> n
            report struck(a)
            if n > 4: lower a.score by 1
"""


def test_order_that_ends_its_row_reaches_through_dice_that_follow_at_once(tmp_path: Path) -> None:
    """Check the last march, which the fight follows; a march before it, and one with dice, end with themselves."""
    rules = build(tmp_path, LAST_ORDER)
    game = rules.start(seed=1)
    assert asked(rules, game, "step(2)").positions == 0
    assert ends(asked(rules, game, "force")) == {("chosen", ""): 1}
    assert "struck" not in events(asked(rules, game, "force"))
    game.choose("step(2)")
    last = asked(rules, game, "step(1)")
    assert events(last) == {"struck": 1}
    assert [r.probability for r in last.results] == [Fraction(2, 3), Fraction(1, 3)]
    assert ends(last) == {("chosen", ""): 1}
    thrown = asked(rules, game, "step(1)", most=1, throws=50)
    assert events(thrown) == {"struck": 1}


def test_order_that_ends_its_row_leaves_out_dice_of_the_next_phase(tmp_path: Path) -> None:
    rules = build(tmp_path, LAST_ORDER)
    game = rules.start(seed=1)
    game.choose("step(2)")
    quiet = asked(rules, game, "sneak")
    assert (ends(quiet), len(quiet.results)) == ({("chosen", ""): 1}, 1)
