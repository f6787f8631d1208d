"""Odds of attacks with exchanges, retreats, losses and advances: counted by hand, and against dice.

The game is `games/skirmish`: every result of an odds table is carried out in procedures of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from interpreter.api.game import Rules, load
from interpreter.play.game import Game
from interpreter.queries.game_queries import GameQueries
from interpreter.runtime import machine
from interpreter.runtime.decisions import Decision
from interpreter.runtime.drafts import DraftEnd
from interpreter.runtime.localizer import Localizer
from interpreter.tools.odds import resolution_scope as odds_reach
from interpreter.tools.odds.odds_lines import format_odds, serialize_odds
from interpreter.tools.odds.resolution import Odds, compute_option_odds
from interpreter.tools.odds.table_odds import compute_table_odds, format_table
from tests.recordings import assert_recorded
from tests.tools.test_odds_agreement import assert_agreement, run_with_dice

FOLDER = Path(__file__).parent / "games" / "skirmish"
FAR = {"b4": "0505"}  # touches no other piece there


@cache
def rules() -> Rules:
    return load(str(FOLDER), checked=True)


def standing(side: str = "red", **pieces: str) -> Game:
    """Return a side's attacks with these pieces in their hexes."""
    game = rules().start(empty=True)
    game.edit(pieces={piece: {"at": place} for piece, place in pieces.items()})
    game.call("attacks", s=side)
    return game


def asked(game: Game, key: str = "strike(b2)", most: int = 40_000, throws: int = 2_000) -> Odds:
    before = game.hash()
    odds = compute_option_odds(rules(), game, key, most=most, throws=throws)
    assert game.hash() == before
    assert sum(r.probability for r in odds.results) == sum(u.probability for u in odds.until) == 1
    return odds


def chances(odds: Odds) -> dict[tuple[str, str], tuple[Fraction, Fraction | None, Fraction | None]]:
    """Return each event with its first argument: probability, worst and best."""
    return {(c.event, c.first): (c.probability, c.worst, c.best) for c in odds.chances}


def share(odds: Odds, *moves: tuple[str, str]) -> Fraction:
    """Return the probability of exactly these moves."""
    return sum(
        (r.probability for r in odds.results if sorted((c.id, str(c.after)) for c in r.changes) == sorted(moves)),
        Fraction(0),
    )


# --- counted by hand ----------------------------------------------------------------------------------


def test_odds_of_single_attacker_at_two_to_one_equal_table() -> None:
    """Check Ar, Al, Ex, Dr2, Dr2, De: each face has one chance in six; the side that holds may advance or stay."""
    odds = asked(standing(r4="0303", b2="0302"))
    assert odds.exact
    assert [(u.sort, u.left_out) for u in odds.until] == [("chosen", False)]
    sixth, half = Fraction(1, 6), Fraction(1, 2)
    assert chances(odds) == {
        ("eliminated", "b2"): (2 * sixth, 2 * sixth, 2 * sixth),
        ("eliminated", "r4"): (sixth, sixth, sixth),
        ("advanced", "r4"): (3 * sixth * half, 0, 3 * sixth),
    }
    assert share(odds, ("r4", "lost"), ("b2", "lost")) == sixth  # the exchange
    assert share(odds, ("r4", "1")) == sixth  # a step
    assert share(odds, ("r4", "0304")) == sixth / 3  # one of three hexes that no piece threatens
    assert share(odds, ("b2", "lost")) == sixth * half  # De, and the victor stays
    assert share(odds, ("b2", "0101")) == 2 * sixth / 4 * half  # one of four hexes that lie two away


def test_defender_in_corner_is_eliminated_instead_of_retreating() -> None:
    """Check that two more of the six faces eliminate a defender in a corner."""
    odds = asked(standing(r4="0102", b2="0101"))
    assert chances(odds)["eliminated", "b2"] == (Fraction(4, 6),) * 3
    assert {(x.side, x.name): x.amount for x in odds.losses} == {
        ("red", ""): Fraction(1, 6),
        ("red", "steps"): Fraction(3, 6),
        ("blue", ""): Fraction(4, 6),
        ("blue", "steps"): Fraction(8, 6),
    }


def test_losses_that_attacker_shares_out() -> None:
    """Check odds of 5 to 2: one of two attackers loses a step, or is given up for the defender's two."""
    game = standing(r3="0303", r2="0202", b2="0302")
    game.choose("strike(b2)")
    odds = asked(game, "join(r2) > join(r3)")
    sixth = Fraction(1, 6)
    assert chances(odds)["eliminated", "r3"] == (sixth / 2, 0, sixth)
    assert share(odds, ("r3", "1")) == share(odds, ("r2", "1")) == sixth / 2
    loss = next(x for x in odds.losses if (x.side, x.name) == ("red", ""))
    assert (loss.amount, loss.least, loss.most) == (sixth, sixth, sixth)


def test_losses_are_bounded_by_attackers() -> None:
    """Check that the defender flees on one face of six at 1-1, and is hit by every face at 3-1."""
    odds = asked(standing(r4="0303", r2="0202", b2="0302"))
    assert [d.name for d in odds.decisions][:1] == ["force"]
    probability, worst, best = chances(odds)["eliminated", "b2"]
    assert (worst, best) == (Fraction(1, 6), Fraction(4, 6))  # Ex alone, or Ex, Ex, De, De
    assert probability == (Fraction(1, 6) + Fraction(2, 6) + Fraction(4, 6)) / 3


# --- an attack does not depend on others -------------------------------------------------------------------


ATTACKS: list[dict[str, str]] = [
    {"r4": "0303", "b2": "0302"},
    {"r3": "0303", "r2": "0202", "b2": "0302"},
    {"r4": "0102", "b2": "0101"},
    {"r2": "0303", "b2": "0302"},
]


def told(odds: Odds) -> object:
    return (
        [(r.probability, r.changes, r.events, r.ended) for r in odds.results],
        odds.losses,
        [(u.sort, u.name, u.probability) for u in odds.until],
    )


@pytest.mark.parametrize("pieces", ATTACKS)
def test_last_attack_is_reported_like_others(pieces: dict[str, str]) -> None:
    """Another attack that can be made, the enemy's attacks and the dice of the next phase change nothing."""
    last = asked(standing(**pieces))
    others = {"r2": "0404"} if "r2" not in pieces else {"r3": "0404"} if "r3" not in pieces else {"r4": "0404"}
    more = asked(standing(**pieces, **others, b4="0505"))
    assert told(last) == told(more)


def test_odds_stop_before_next_phase() -> None:
    game = rules().start(seed=1, empty=True)
    game.edit(pieces={"r4": {"at": "0303"}, "b2": {"at": "0302"}})
    game.call("turn")
    assert told(asked(game)) == told(asked(standing(r4="0303", b2="0302")))


def test_other_side_attacks() -> None:
    odds = asked(standing("blue", r4="0303", b2="0302"), "strike(r4)")
    assert odds.exact  # 1-2: Ae, Ae, Ar, Ar, Al, Ex
    assert chances(odds)["eliminated", "b2"][0] == Fraction(3, 6)
    assert chances(odds)["eliminated", "r4"][0] == Fraction(1, 6)


# --- what is left out ---------------------------------------------------------------------------------------


def test_unexamined_branch_is_shown_with_probability(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds_reach, "MAX_ENUMERATED", 3)  # four hexes to flee to are too many
    odds = asked(standing(r4="0303", b2="0302"))
    assert not odds.exact
    assert not odds.throws
    assert [(u.name, u.side, u.probability) for u in odds.left_out] == [("flight", "blue", Fraction(2, 6))]
    lines = format_odds(odds)
    assert_recorded(lines)
    assert not any("exact" in line for line in lines)
    assert serialize_odds(odds)["exact"] is False


def test_odds_beyond_budget_are_not_exact() -> None:
    odds = asked(standing(r4="0303", b2="0302"), most=5, throws=500)
    assert not odds.exact
    assert not any("exact" in line for line in format_odds(odds))
    lost = next(c.probability for c in odds.chances if (c.event, c.first) == ("eliminated", "b2"))
    assert abs(float(lost) - 1 / 3) < 4.5 * odds.compute_standard_error(Fraction(1, 3))


def test_odds_lines_show_losses_of_each_side() -> None:
    lines = format_odds(asked(standing(r4="0102", b2="0101")))
    assert "  losses, Red: pieces 0.17, steps 0.5" in lines
    assert "  losses, Blue: pieces 0.67, steps 1.33" in lines


# --- against dice -------------------------------------------------------------------------------------------


POSITIONS: list[tuple[str, dict[str, str], str]] = [
    ("red", {"r4": "0303", "b2": "0302"}, "strike(b2)"),
    ("red", {"r3": "0303", "r2": "0202", "b2": "0302"}, "strike(b2)"),
    ("red", {"r4": "0303", "r3": "0202", "r2": "0403", "b2": "0302", "b1": "0301"}, "strike(b2)"),
    ("blue", {"r4": "0303", "r2": "0202", "b2": "0302", "b4": "0304"}, "strike(r4)"),
]


@pytest.mark.parametrize(("side", "pieces", "key"), POSITIONS)
def test_odds_agree_with_dice(side: str, pieces: dict[str, str], key: str) -> None:
    agree(lambda: standing(side, **pieces), key, 2_000)


@pytest.mark.soak
@pytest.mark.parametrize(("side", "pieces", "key"), POSITIONS)
def test_odds_agree_with_many_dice(side: str, pieces: dict[str, str], key: str) -> None:
    agree(lambda: standing(side, **pieces), key, 60_000)


def agree(position: Callable[[], Game], key: str, times: int) -> None:
    """Played from the option to where the attacks are asked for again."""
    game = position()
    odds = asked(game, key)
    assert odds.exact
    assert game.decision is not None
    answer = game.decision.find(key)
    counted = run_with_dice((game, "", {}), times, lambda state: machine.answer(state, answer), ("attack",))
    assert_agreement(odds, counted, times)


def test_whole_attacks_of_both_sides_sum_to_one() -> None:
    """Check that each option and each decision inside may be asked, in any position with attacks."""
    game = standing(r4="0303", r3="0202", r2="0403", b2="0302", b1="0301", b4="0304")
    for seed in range(6):
        state = game.clone()
        while state.decision is not None:
            options = Decision(state.state).list_raw_options()
            key = state.decision.options[seed % len(options)].key
            assert isinstance(options[0], DraftEnd | tuple)
            asked(state, key)
            state.choose(key)


# --- columns and their shifts ---------------------------------------------------------------------------------


def test_shifted_column_is_marked_under_its_own_headings() -> None:
    game = standing(r4="0303", b2="0304")
    lines = GameQueries(rules(), Localizer(rules().program)).render_chart("crt", game)
    assert lines[-1] == ("in brackets: cells that attack b2 would read: odds 2-1, 1 shift left: 1-1, die not yet known")
    assert any("[1-1]" in str(line) for line in lines)


def test_shift_counts_in_odds() -> None:
    """Check that 1-1 has an Ae beside the exchange, and one De less."""
    assert chances(asked(standing(r4="0303", b2="0304")))["eliminated", "r4"][0] == Fraction(2, 6)


@pytest.mark.parametrize(
    ("odds", "told"),
    [
        ("3-1", "odds 3-1, die die"),
        ("7:3", "odds 7:3 → 2-1, die die"),
        ("9-2", "odds 9-2 → 3-1, die die"),
        ("3-1 shifted by -2", "odds 3-1, 2 shifts left: 1-1, die die"),
        ("7:3 shifted by 9", "odds 7:3 → 2-1, 9 shifts right: 3-1, die die"),
    ],
)
def test_table_is_asked_by_its_own_headings(odds: str, told: str) -> None:
    lines = format_table(compute_table_odds(rules().program, "crt", {"odds": odds}))
    assert lines[0] == f"Combat results: {told}"
    assert lines[1].split()[0].endswith("%")  # a source without a name is not mentioned
