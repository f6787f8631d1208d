"""Test which rows and columns of a table are settled before dice fall, from the rules, without a simulated throw."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules, load
from interpreter.play.game import Game
from interpreter.queries.game_queries import GameQueries
from interpreter.runtime.errors import SetupError
from interpreter.runtime.localizer import Localizer
from interpreter.tools.odds.readings import (
    FixedRoll,
    TableReading,
    find_common_lookups,
    find_readings,
    get_unshifted_rows,
)
from tests.recordings import assert_recorded
from tests.tiny import build

RULES = """
    event hit(n: int)

    turn:
        phase fighting:
            for a in armies:
                fights(a)

    procedure fights(a: army):
        choose fight by a repeat until done:
            option attack(column in 1..3): strike(a, column)
            option careful:
                choose how by a:
                    option low: strike(a, 1)
                    option high: strike(a, 3)
            option provoke:
                for b in armies:
                    if b != a: answer(b)
                strike(a, if a.spirit == broken then 1 else 4)
            option gamble:
                roll gamble: coin for a -> c
                strike(a, 2 + c)
            option count_up: raise a.score by columns[(a.score + 1) / 2]
            option rest

    procedure answer(b: army):
        choose answer by b:
            option hold
            option shoot:
                roll shot: die for b -> n
                for a in armies:
                    if a != b and n > 2: set a.spirit = broken

    procedure strike(a: army, column: int):
        roll strike: die for a -> n
        let hits = results[n, column]
        report hit(hits)
        if hits == 2: strike_again(a)

    procedure strike_again(a: army):
        roll strike: die for a -> n
        report hit(results[n, 1])
"""
TABLES = """\
kind: tables
format: 1
tables:
  results:
    axes: {die: die, column: {range: 1..4}}
    gives: int
    cells:
      1: [0, 0, 0, 0]
      2: [0, 0, 0, 1]
      3: [0, 0, 1, 1]
      4: [0, 1, 1, 1]
      5: [0, 1, 1, 2]
      6: [1, 1, 2, 2]
  columns:
    axes: {odds: {ratio: ["1-2", "1-1", "2-1"], round: down, below: clamp, above: clamp}}
    gives: int
    cells: {1-2: 1, 1-1: 2, 2-1: 3}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    return build(tmp_path, RULES, {"tables.yaml": TABLES})


def found(rules: Rules, game: Game, table: str, *keys: str) -> dict[str, Any]:
    before = game.hash()
    made = find_readings(rules.form("ledger"), game, table, keys)
    assert game.hash() == before
    return {" > ".join(option.key for option in reading.way): reading.rows for reading in made}


def chart(rules: Rules, game: Game, table: str, *keys: str) -> list[str]:
    return list(map(str, GameQueries(rules, Localizer(rules.program, "en")).render_chart(table, game, keys)))


def test_row_of_die_is_left_open(rules: Rules) -> None:
    """Check the row of each axis; that of a die is open until it has fallen."""
    assert found(rules, rules.start(seed=1), "results", "attack(2)") == {"attack(2)": ((None, 1),)}


def test_chart_separates_decisions_of_side_before_dice(rules: Rules) -> None:
    assert found(rules, rules.start(seed=1), "results", "careful") == {
        "careful > low": ((None, 0),),
        "careful > high": ((None, 2),),
    }


def test_decision_of_another_side_keeps_column(rules: Rules) -> None:
    """Check that the way with the fewest dice before the look-up counts, for the position as it is."""
    assert found(rules, rules.start(seed=1), "results", "provoke") == {"provoke": ((None, 3),)}


def test_column_that_depends_on_dice_is_open(rules: Rules) -> None:
    assert found(rules, rules.start(seed=1), "results", "gamble") == {"gamble": ((None, None),)}


def test_chart_of_option_without_dice_is_exact(rules: Rules) -> None:
    assert found(rules, rules.start(seed=1), "columns", "count_up") == {"count_up": ((0,),)}


def test_options_that_do_not_read_table_are_left_out(rules: Rules) -> None:
    ways = found(rules, rules.start(seed=1), "results")
    assert list(ways) == ["attack(1)", "attack(2)", "attack(3)", "careful > low", "careful > high", "provoke", "gamble"]
    assert found(rules, rules.start(seed=1), "columns", "rest") == {}


def test_chart_for_unknown_option_is_rejected(rules: Rules) -> None:
    with pytest.raises(SetupError, match="option"):
        found(rules, rules.start(seed=1), "results", "flee")


def test_common_looks_are_those_of_all_ways() -> None:
    ways = [
        TableReading((), tuple(tuple((row, None) for row in rows) for rows in looks))
        for looks in (((None, 1), (2, 2)), ((None, 1), (3, 2)), ((None, 1),))
    ]
    assert [get_unshifted_rows(look) for look in find_common_lookups(ways)] == [(None, 1)]
    assert [get_unshifted_rows(look) for look in find_common_lookups(ways[:2])] == [(None, 1), (None, 2)]
    assert find_common_lookups([]) == ()


def test_scripted_roll_shows_given_face() -> None:
    assert FixedRoll(3).roll_faces("x", "", (1, 2, 3, 4, 5, 6), 2) == [4, 4]
    in_turn = FixedRoll(None)
    assert in_turn.roll_faces("x", "", (1, 2, 3), 2) + in_turn.clone().roll_faces("x", "", (1, 2, 3), 2) == [1, 2, 3, 1]


# --- the chart -------------------------------------------------------------------------------------


def test_column_of_option_is_in_brackets(rules: Rules) -> None:
    lines = chart(rules, rules.start(seed=1), "results", "attack(3)")
    assert lines[2].split() == ["die", "1", "2", "[3]", "4"]
    assert [line.split()[3] for line in lines[3:9]] == ["[0]", "[0]", "[1]", "[1]", "[1]", "[2]"]
    assert lines[-1] == "in brackets: cells that attack 3 would read: die not yet known, column 3"


def test_differing_options_are_listed_separately(rules: Rules) -> None:
    lines = chart(rules, rules.start(seed=1), "results")
    assert "[" not in "".join(lines[2:9])
    at = lines.index("no brackets: these would read different cells:")
    assert lines[at + 1 :] == [
        "  die not yet known, column 1 (attack 1; careful: low)",
        "  die not yet known, column 2 (attack 2)",
        "  die not yet known, column 3 (attack 3; careful: high)",
        "  die not yet known, column 4 (provoke)",
        "  die not yet known, column not yet known (gamble)",
    ]


def test_chart_reports_option_that_does_not_read_it(rules: Rules) -> None:
    assert_recorded(chart(rules, rules.start(seed=1), "results", "rest")[-1])


def test_chart_falls_back_to_last_choice() -> None:
    rules = load("napoleon")
    game = rules.start(dice={"order_roll": [1]})
    assert chart(rules, game, "morale_table")[-1] == ("in brackets: cells that reinforcement would read: morale 11–20")
    game.choose("reinforcement")
    lines = chart(rules, game, "morale_table")
    assert "[11–20]" in lines[1]
    assert_recorded(lines[-1])
    assert_recorded(chart(rules, game, "combat_table")[-1])


def test_cell_is_found_by_its_row_and_its_column(rules: Rules) -> None:
    """Check the last choice, as the ledger records it: the headings of its row and column are in brackets too."""
    from interpreter.tools.describe.chart_lines import format_chart
    from interpreter.tools.describe.chart_view import build_program_chart

    lines = list(map(str, format_chart(build_program_chart(rules.program, "results", "en", {(2, 3)}))))
    assert lines[2].split() == ["die", "1", "2", "3", "[4]"]
    assert lines[5].split() == ["[3]", "0", "0", "1", "[1]"]


# --- shipped games ---------------------------------------------------------------------------------


def test_columns_of_all_attacks_of_combat() -> None:
    rules = load("denain-1712")
    game = rules.start(empty=True)
    game.edit(
        pieces={
            "douglas": {"at": "3201", "facing": "sw"},
            "piemont": {"at": "3202", "facing": "nw", "in_command": True},
            "picardie": {"at": "3101", "facing": "e", "in_command": True},
        },
        formations={name: {"acting": True} for name in game.program.ids["formation"]},
    )
    game.call("combats", s="french")
    ways = found(rules, game, "odds_columns", "attack")
    game.choose("attack")
    assert game.decision is not None
    assert len(ways) == len(game.decision.options) == 3  # each alone, and both
    assert len(found(rules, game, "odds_columns", "join(picardie, 3201)")) == 1
    game.choose(game.draft_steps()[0])  # a draft built step by step: where a step may lead
    assert len(found(rules, game, "odds_columns", "join(piemont, 3201)")) == 1
    assert len(found(rules, game, "odds_columns")) == 2
    game.undo()
    assert game.decision is not None
    for option in game.decision.options:
        before = game.clone()
        rows = found(rules, game, "odds_columns", option.key)[option.key]
        assert ways[f"attack > {option.key}"] == rows
        before.choose(option.key)
        while before.decision is not None and before.decision.name == "reaction":
            before.choose("hold_fire")
        column = next(e.args["column"] for e in before.log if e.name == "melee_fought")
        crt = found(rules, game, "crt", option.key)[option.key]
        assert {row[0] for row in crt} == {0, 1}  # attacker and defender
        assert {row[2] for row in crt} == {None}
        assert {row[3] for row in crt} == {column - 1}


@pytest.mark.parametrize("name", ["denain-1712", "napoleon"])
def test_any_table_may_be_asked_for(name: str) -> None:
    """Check any table in any position, without changing the game."""
    rules = load(name)
    ledger = rules.form("ledger")
    game = rules.start(seed=4)
    for step in range(120):
        if game.decision is None:
            break
        if step % 20 == 0:
            before = game.hash()
            for table in list(rules.program.charts)[:6]:
                assert find_readings(ledger, game, table) is not None
            assert game.hash() == before
        game.pick(step * 7 % game.count())
