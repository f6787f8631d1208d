"""Test the ledger of a choice: recorded from the run, complete, in order, and without effect on the game."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from interpreter.api.game import Rules, load
from interpreter.play.game import Game
from interpreter.play.ledger import LedgerEntry, build_last_ledger, build_ledger_entries, compute_score_tallies, ledger
from interpreter.play.ledger_lines import format_ledger
from interpreter.play.position_editing import convert_procedure_arguments
from interpreter.play.state_transfer import transfer_state
from interpreter.runtime import machine
from interpreter.runtime.errors import SetupError
from interpreter.runtime.log_entries import TraceLog
from tests.tiny import build, started, write

TABLES = """
    kind: tables
    format: 1
    values: {bonus: 2}
    tables:
      odds:
        axes: {ratio: {ratio: ["1-1", "2-1", "3-1"], round: for_defender}}
        gives: int
        cells: [1, 2, 3]
      ground:
        cite: "1.2"
        source: reconstructed
        axes: {height: {range: 0..2}}
        gives: int
        cells: [0, 0, -1]
      hit:
        axes: {die: {range: 1..8, below: clamp, above: clamp}, column: {range: 1..3}}
        gives: int
        cells:
          1: [0, 0, 1]
          2: [0, 1, 1]
          3: [1, 1, 1]
          4: [1, 1, 2]
          5: [1, 2, 2]
          6: [2, 2, 2]
          7: [2, 2, 3]
          8: [3, 3, 3]
"""
RULES = """
    tally modifiers(p: place, die: int) -> int [1.1]:
        + die "die"
        + ground[p.height] "ground" [1.2]
        + value.bonus if p == place("c") "the bonus of {p}" [1.1]

    define column_of_ratio(mine: int, his: int) [1.2] = odds[mine / his]

    procedure storm(a: army):
        choose storm by a repeat until done:
            option at(p in {x in places where ground[x.height] < 5}):
                let column = column_of_ratio(5, 2)
                roll storm: die for a -> die
                if modifiers(p, die) > 3:
                    let hits = hit[modifiers(p, die), column]
                    raise game.total by hits
                    report note(hits)
            option volley(number in 1..3):
                roll volley: number of die for a -> thrown
                let sum_of_hits = hits_of(thrown)
                raise game.total by sum_of_hits

    define hits_of(thrown: list of int) -> int = sum(hit[d, 1] for d in thrown)
"""


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    return build(tmp_path, RULES, {"tables.yaml": TABLES})


def stormed(rules: Rules, key: str, faces: list[int]) -> Game:
    game = started(rules, dice=faces)
    game.call("storm", a="reds")
    game.choose(key)
    return game


def flat(entries: tuple[LedgerEntry, ...]) -> list[LedgerEntry]:
    return [e for entry in entries for e in (entry, *flat(entry.inside))]


def test_ledger_lists_every_step_of_resolution(rules: Rules) -> None:
    game = stormed(rules, "at(c)", [5])
    assert game.view()["game"]["total"] == 2
    program = rules.form("ledger")
    assert list(map(str, format_ledger(program, build_last_ledger(game, program)))) == [
        "column (column of ratio): 2 [1.2]",
        "  odds: ratio 5 : 2 → 2-1 = 2",
        "storm (reds): 5",
        "modifiers 6 > 3: yes",
        "  modifiers: 6 [1.1]",
        "    +5 die",
        "    −1 ground [1.2]",
        "      ground (reconstructed): height 2 = -1 [1.2]",
        "    +2 the bonus of c [1.1]",
        "hit: die 6, column 2 = 2",
        "2",
    ]


def test_line_that_did_not_apply_is_left_out(rules: Rules) -> None:
    program = rules.form("ledger")
    entries = flat(build_last_ledger(stormed(rules, "at(b)", [2]), program))
    assert [(e.args["words"], e.value) for e in entries if e.sort == "line"] == [("die", 2)]
    assert not [e for e in entries if e.sort == "look" and e.name == "hit"]
    assert next(e for e in entries if e.sort == "test").value is False


def test_members_of_sum_are_counted(rules: Rules) -> None:
    program = rules.form("ledger")
    entries = build_last_ledger(stormed(rules, "volley(3)", [6, 1, 6]), program)
    value = next(e for e in entries if e.sort == "value")
    assert (value.name, value.value) == ("sum_of_hits", 4)
    assert [(e.args["die"]["value"], e.value, e.times) for e in value.inside] == [(6, 2, 2), (1, 0, 1)]


def test_option_listing_leaves_ledger_empty(rules: Rules) -> None:
    program = rules.form("ledger")
    entries = flat(build_last_ledger(stormed(rules, "at(c)", [1]), program))
    assert [e.args["height"]["value"] for e in entries if e.name == "ground"] == [2]


def test_trial_ledger_leaves_game_unchanged(rules: Rules) -> None:
    game = started(rules, seed=4)
    game.call("storm", a="reds")
    before = game.hash()
    program = rules.form("ledger")
    entries = ledger(game, "at(c)", program)
    assert game.hash() == before
    game.choose("at(c)")
    assert build_last_ledger(game, program) == entries


def test_missing_ledger_is_reported(rules: Rules) -> None:
    program = rules.form("ledger")
    game = started(rules, seed=4)
    with pytest.raises(SetupError, match="has been recorded"):
        build_last_ledger(game, program)
    game.call("storm", a="reds")
    with pytest.raises(SetupError, match="option"):
        ledger(game, "at(moon)", program)


# --- the shipped games ---------------------------------------------------------------------------


@cache
def shipped(name: str) -> Rules:
    return load(name, checked=True)


def test_ledger_of_melee_lists_lookups() -> None:
    rules = shipped("denain-1712")
    game = rules.start(empty=True, dice={"melee": [6], "small_arms": [3], "disorder_check": [2]})
    game.edit(
        pieces={
            "douglas": {"at": "3201", "facing": "sw"},
            "piemont": {"at": "3202", "facing": "nw"},
            "picardie": {"at": "3101", "facing": "e"},
        }
    )
    game.call("melee", s="french", attackers=["piemont", "picardie"], targets=["3201"])
    game.choose("fire(piemont)")
    program = rules.form("ledger")
    entries = flat(build_last_ledger(game, program))
    odds = next(e for e in entries if e.name == "odds_columns")
    assert odds.args["odds"]["value"] == [6, 3]
    assert odds.args["odds"]["row"] == "2-1"
    assert odds.source == "reconstructed"
    assert [e for e in entries if e.sort == "tally" and e.name == "shifts"]
    column = next(e for e in entries if e.sort == "value" and e.name == "column")
    assert column.cite
    results = [e for e in entries if e.name == "crt"]
    assert [e.args["affected"]["value"] for e in results] == ["attacker", "defender"]
    assert all(e.args["column"]["value"] == column.value for e in results)
    assert [t[1] for t in results[0].args["die"]["terms"]] == ["die", "bonus"]
    musketry = next(e for e in entries if e.sort == "tally" and e.name == "musketry")
    assert [line.args["words"] for line in musketry.inside] == ["die"]
    sorts = [(e.sort, e.name) for e in entries]
    assert sorts.index(("roll", "small_arms")) < sorts.index(("value", "column")) < sorts.index(("roll", "melee"))


def test_shifts_say_their_rules() -> None:
    rules = shipped("denain-1712")
    program = rules.form("ledger")
    twin = rules.start(empty=True, dice={"melee": [3], "retreat_check": [4] * 9})
    twin.edit(
        pieces={
            "douglas": {"at": "3201", "facing": "ne", "condition": "routed"},
            "piemont": {"at": "3202", "facing": "nw"},
        }
    )
    state = transfer_state(program, twin.state)
    state.log = log = TraceLog()
    given = {"s": "french", "mine": ["piemont"], "his": ["douglas"]}
    machine.call(state, "resolve", convert_procedure_arguments(twin.state, "resolve", given))
    shifts = next(e for e in flat(build_ledger_entries(program, log)) if e.name == "shifts")
    assert [(line.args["words"], line.value) for line in shifts.inside] == [("flank, rear, routed", shifts.value)]
    assert shifts.value >= 2
    assert "11.5-d" in shifts.inside[0].cite


def test_ledger_of_battle_lists_lookups() -> None:
    rules = shipped("napoleon")
    game = rules.start(empty=True, dice={"leading_attack": [1, 6, 6, 2] + [3] * 8, "answering_attack": [1, 6, 6, 6]})
    game.edit(
        groups={
            "italy": {"france": {"face_up": 2}, "austria": {"face_up": 2}},
            "rhine": {"france": {"face_up": 4}, "austria": {"face_up": 1}},
        },
        sides={"austria": {"war_status": "war"}},
    )
    game.call("battles", n="france")
    game.choose("fight(italy)")
    program = rules.form("ledger")
    entries = build_last_ledger(game, program)
    dice = next(e for e in entries if e.sort == "value" and e.name == "dice")
    assert (dice.value, dice.args["rule"], dice.args["of"]) == (4, "dice_of", "austria")
    assert {e.name for e in dice.inside} == {"attack_dice"}
    thrown = next(e for e in entries if e.sort == "roll")
    assert thrown.args["faces"] == [1, 6, 6, 2]
    hits = next(e for e in entries if e.sort == "value" and e.name == "hits")
    assert hits.value == 2
    assert sum(e.value * e.times for e in hits.inside if e.name == "combat_table") == 2
    assert all(e.source == "reconstructed" and e.cite for e in hits.inside)


@pytest.mark.parametrize("name", ["denain-1712", "napoleon"])
def test_every_choice_of_game_has_its_ledger(name: str) -> None:
    """Check that each choice, repeated on the program that records, leads to an identical position."""
    rules = shipped(name)
    program = rules.form("ledger")
    chance = random.Random(5)
    game = rules.start(seed=5)
    notes = 0
    for _ in range(60):
        if game.over:
            break
        game.pick(chance.randrange(game.count()))
        if game.keys:
            notes += len(format_ledger(program, build_last_ledger(game, program)))
    assert notes


def test_shifted_column_is_reported_with_both_headings(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        tally shift(a: army) -> int [1.1]:
            - 2 "over the water"

        procedure storm(a: army):
            choose storm by a repeat until done:
                option attack(mine in 1..9):
                    let column = odds[mine / 1 shifted by shift(a)]
                    raise game.total by column
        """,
        {"tables.yaml": TABLES},
    )
    program = rules.form("ledger")
    look = next(e for e in flat(build_last_ledger(stormed(rules, "attack(3)", []), program)) if e.sort == "look")
    assert look.args["ratio"] == {"value": [3, 1], "row": "1-1", "terms": [], "base": "3-1", "shift": -2}
    assert look.value == 1
    assert [e.name for e in look.inside] == ["shift"]
    lines = list(map(str, format_ledger(program, build_last_ledger(stormed(rules, "attack(3)", []), program))))
    assert "odds: ratio 3 : 1 → 3-1, 2 shifts left: 1-1 = 1" in "\n".join(lines)


def test_score_and_views_have_ledger_lines(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        """
        tally worth(s: seat) -> int [1.1]:
            + count(u in units where u.army.seat == s) "units"
            - 1 if s == blue_seat "being blue"
        tally far(a: army) -> int:
            + round_down(10 / count(units at pile)) "a share of nothing"
        turn:
            phase only_phase:
                for a in armies: ask(a) -> n
        """,
        {"victory.yaml": "kind: victory\nformat: 1\nscore: {of: s, value: 2 * worth(s)}\n"},
    )
    path = folder / "ruleset.yaml"
    path.write_text(
        path.read_text(encoding="utf-8") + "views:\n  far: {of: army, as: a, value: far(a)}\n", encoding="utf-8"
    )
    rules = load(folder)
    game = rules.start()
    before = game.hash()
    assert rules.program.data["tallied"] == [["score", "seat"], ["view_far", "side"]]
    assert load("napoleon").program.data["tallied"] == [], "a form is made only for tallies whose result is shown"
    found = compute_score_tallies(game, rules.form("ledger"))
    assert [(kind, thing, [entry.value for entry in entries]) for kind, thing, entries in found] == [
        ("seat", "red_seat", [3]),
        ("seat", "blue_seat", [2]),
    ], "what cannot be computed here is left out"
    assert [inner.value for inner in found[1][2][0].inside] == [3, -1]
    assert game.hash() == before
