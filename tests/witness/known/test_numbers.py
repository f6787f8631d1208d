"""A whole number is one value, however it came about; a range is a list of whole numbers."""

from __future__ import annotations

from pathlib import Path

from interpreter.play.game import Game
from tests.tiny import build
from tests.witness.comparing import Match

NUMBERS = """
    define same(n: number, m: number) = n + m
    define crowd(n: number) = n + sum(count(v in units where v.at == u.at and v.condition == u.condition and
                                            any w in units where w.at == v.at and w.army == u.army) for u in units)
    turn:
        set game.first = crowd(0)
        choose way by reds:
            option whole: set game.share = same(1, 1)
            option parts: set game.share = same(game.half + game.half, 1)
            option whole_crowd: set game.share = crowd(1)
            option crowd_of_parts: set game.share = crowd(game.half + game.half)
        choose end by reds:
            option yes
        end game drawn
"""
GIVEN = {
    "share": "{type: number, default: 0}",
    "first": "{type: number, default: 0}",
    "half": "{type: number, default: 1/2}",
}


def after(game: Game, key: str) -> str:
    """Return the hash after a choice."""
    game.choose(key)
    return game.hash()


def test_sum_that_comes_out_even_is_whole_number(tmp_path: Path) -> None:
    game = build(tmp_path, NUMBERS, game=GIVEN).start()
    game.choose("parts")
    assert type(getattr(game.state, game.program.game_slot["share"])) is int


def test_game_does_not_depend_on_other_games(tmp_path: Path) -> None:
    alone = after(build(tmp_path, NUMBERS, game=GIVEN).start(record=False), "whole")
    rules = build(tmp_path, NUMBERS, game=GIVEN)
    after(rules.start(record=False), "parts")
    assert after(rules.start(record=False), "whole") == alone


def test_independent_clone_changes_no_later_hash(tmp_path: Path) -> None:
    alone = after(build(tmp_path, NUMBERS, game=GIVEN).start(record=False), "whole_crowd")
    game = build(tmp_path, NUMBERS, game=GIVEN).start(record=False)
    after(game.clone(), "crowd_of_parts")
    assert after(game, "whole_crowd") == alone


def test_half_number_is_not_in_range(tmp_path: Path) -> None:
    model = build(
        tmp_path,
        """
        turn:
            choose go_on by reds:
                option yes(n in {m in 0..9 where m / 2 in 1..4}): report note(n)
            end game drawn
    """,
    ).model
    assert model is not None
    Match(model).play(1)
