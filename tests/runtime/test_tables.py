"""Look-ups in charts: odds and how they are rounded, bands, ranges, and what happens past the ends."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules
from interpreter.runtime.errors import RuleFault, RuntimeFault
from interpreter.runtime.tables import Chart, ShiftedKey
from tests.tiny import build, notes, started

ODDS = ["1-3", "1-2", "1-1", "2-1", "3-1", "4-1"]


def axis(
    sort: str, keys: list[Any], below: Any = "refuse", above: Any = "refuse", rounding: str = ""
) -> dict[str, Any]:
    return {
        "name": "row",
        "sort": sort,
        "keys": keys,
        "labels": [str(k) for k in keys],
        "below": below,
        "above": above,
        "rounding": rounding,
        "show": ["plain"],
        "headings": [],
    }


def chart(*axes: dict[str, Any], cells: list[Any] | None = None, blanks: bool = False) -> Chart:
    """Return a chart whose cells are the row's number, or a list of (rows, value)."""
    if cells is None:
        cells = [[[n], n] for n in range(len(axes[0]["keys"]))]
    data = {"fields": [], "signs": [], "show": ["plain"], "label": {}, "cites": [], "source": "", "note": {}}
    return Chart.from_data("chart", {"axes": list(axes), "blanks": blanks, "cells": cells, **data})


def odds(rounding: str, below: Any = "refuse", above: Any = "refuse") -> Chart:
    keys = [{"fraction": [int(o[0]), int(o[2])]} for o in ODDS]
    return chart(axis("ratio", keys, below, above, rounding), cells=[[[n], o] for n, o in enumerate(ODDS)])


# Attack, defence, and the column when odds are rounded for the defender, down, up, to the nearest.
ROUNDED = [
    (1, 3, "1-3", "1-3", "1-3", "1-3"),
    (2, 5, "1-3", "1-3", "1-2", "1-3"),  # 1 : 2.5, a half is for the weaker
    (3, 7, "1-3", "1-3", "1-2", "1-2"),  # 1 : 2.33
    (1, 2, "1-2", "1-2", "1-2", "1-2"),
    (2, 3, "1-2", "1-2", "1-1", "1-2"),  # 1 : 1.5
    (3, 4, "1-2", "1-2", "1-1", "1-1"),  # 1 : 1.33
    (5, 5, "1-1", "1-1", "1-1", "1-1"),
    (4, 3, "1-1", "1-1", "2-1", "1-1"),  # 1.33 : 1
    (3, 2, "1-1", "1-1", "2-1", "2-1"),  # 1.5 : 1, a half goes up
    (7, 4, "1-1", "1-1", "2-1", "2-1"),
    (2, 1, "2-1", "2-1", "2-1", "2-1"),
    (11, 4, "2-1", "2-1", "3-1", "3-1"),  # 2.75 : 1
    (9, 4, "2-1", "2-1", "3-1", "2-1"),  # 2.25 : 1
    (4, 1, "4-1", "4-1", "4-1", "4-1"),
]


@pytest.mark.parametrize("row", ROUNDED, ids=lambda r: f"{r[0]}-{r[1]}")
def test_odds_are_rounded_as_axis_says(row: tuple[Any, ...]) -> None:
    attack, defence, *wanted = row
    assert [odds(r).look((attack, defence)) for r in ("for_defender", "down", "up", "near")] == wanted


def test_odds_of_fractions_are_exact() -> None:
    assert odds("for_defender").look((Fraction(3, 2), Fraction(3, 4))) == "2-1"
    assert odds("for_defender").look((Fraction(3, 2), Fraction(3, 4) + Fraction(1, 10**12))) == "1-1"


def test_odds_past_ends_are_refused_or_clamped() -> None:
    refuse, clamp = odds("for_defender"), odds("for_defender", "clamp", "clamp")
    with pytest.raises(RuntimeFault, match="table `chart` has no row for 1 : 4"):
        refuse.look((1, 4))
    with pytest.raises(RuntimeFault, match="no row for 5 : 1"):
        refuse.look((5, 1))
    assert (clamp.look((1, 4)), clamp.look((9, 1)), clamp.look((0, 4))) == ("1-3", "4-1", "1-3")
    assert (refuse.has((1, 4)), refuse.has((1, 3)), refuse.has((5, 1))) == (False, True, False)
    assert clamp.has((1, 9))
    # 4.5 : 1 is rounded before the end is looked for
    assert refuse.look((9, 2)) == "4-1"
    assert not odds("up").has((9, 2))


def test_odds_past_ends_with_result() -> None:
    table = odds("for_defender", ["result", "no effect"], ["result", "all lost"])
    assert (table.look((1, 9)), table.look((9, 1)), table.look((2, 1))) == ("no effect", "all lost", "2-1")
    assert table.has((1, 9)) and table.has((9, 1))


@pytest.mark.parametrize("pair", [(3, 0), (0, 0), (-1, 2), (2, -1)])
def test_zero_strength_has_no_odds(pair: tuple[int, int]) -> None:
    with pytest.raises(RuntimeFault, match="a strength of zero needs a rule of its own"):
        odds("for_defender", "clamp", "clamp").look(pair)
    assert not odds("for_defender", "clamp", "clamp").has(pair)


def test_columns_that_are_not_whole_odds(tmp_path: Path) -> None:
    """Check that 3-2 is a column of its own: odds are rounded to existing columns."""
    keys = [{"fraction": f} for f in ([1, 2], [1, 1], [3, 2], [2, 1], [4, 1])]
    labels = ["1-2", "1-1", "3-2", "2-1", "4-1"]

    def table(rounding: str) -> Chart:
        return chart(axis("ratio", keys, "clamp", "clamp", rounding), cells=[[[n], o] for n, o in enumerate(labels)])

    down, up, near = table("down"), table("up"), table("near")
    assert [down.look(p) for p in ((3, 2), (5, 3), (7, 4), (3, 1))] == ["3-2", "3-2", "3-2", "2-1"]
    assert [up.look(p) for p in ((5, 4), (3, 2), (5, 3), (3, 1))] == ["3-2", "3-2", "2-1", "4-1"]
    assert [near.look(p) for p in ((3, 2), (5, 4), (7, 2))] == ["3-2", "3-2", "4-1"]


# low, low closed, high, high closed
BANDS = [[None, False, 10, True], [10, False, 25, True], [25, False, None, True]]


@pytest.mark.parametrize(
    ("value", "row"),
    [(-5, 0), (0, 0), (10, 0), (Fraction(21, 2), 1), (11, 1), (25, 1), (Fraction(101, 4), 2), (26, 2), (999, 2)],
)
def test_open_bands_have_no_end(value: Any, row: int) -> None:
    assert chart(axis("bands", BANDS)).look(value) == row


@pytest.mark.parametrize(
    ("below", "above", "value", "wanted"),
    [
        ("clamp", "clamp", 0, 0),
        ("clamp", "clamp", 99, 1),
        (["result", "low"], ["result", "high"], 0, "low"),
        (["result", "low"], ["result", "high"], 21, "high"),
        ("refuse", "clamp", 20, 1),
        ("clamp", "refuse", 1, 0),
    ],
)
def test_closed_bands_past_their_ends(below: Any, above: Any, value: int, wanted: Any) -> None:
    assert chart(axis("bands", [[1, True, 10, True], [11, True, 20, True]], below, above)).look(value) == wanted


def test_bands_refuse_value_beyond_ends() -> None:
    table = chart(axis("bands", [[1, True, 10, True], [11, True, 20, True]]))
    for value in (0, 21):
        assert not table.has(value)
        with pytest.raises(RuntimeFault, match=f"no row for {value}"):
            table.look(value)


def test_range_axis_clamps_and_refuses() -> None:
    table = chart(axis("range", [-1, 0, 1, 2], "clamp", "refuse"))
    assert [table.look(v) for v in (-9, -1, 0, 2)] == [0, 0, 1, 3]
    with pytest.raises(RuntimeFault, match="no row for 3"):
        table.look(3)


def test_two_axes_and_blanks() -> None:
    cells = [[[0, 0], "a"], [[0, 1], "b"], [[1, 0], "c"]]
    full, blank = (chart(axis("keys", [7, 9]), axis("keys", ["x", "y"]), cells=cells, blanks=b) for b in (False, True))
    assert (full.look(7, "y"), full.look(9, "x")) == ("b", "c")
    with pytest.raises(RuntimeFault, match="no cell for 9, y"):
        full.look(9, "y")
    assert blank.look(9, "y") is None
    assert not blank.has(9, "y") and blank.has(9, "x") and not blank.has(8, "x")
    with pytest.raises(RuntimeFault, match="no row for 8, x"):
        blank.look(8, "x")


# --- written in documents, read by rules ----------------------------------------------------

TABLES = {
    "tables.yaml": """
    kind: tables
    format: 1
    values:
      few: 2
      part: "2/3"
    tables:
      crt:
        axes:
          odds: {ratio: ["1-2", "1-1", "2-1"], round: for_defender, below: refuse, above: {result: "E"}}
          die: {range: 1..3, below: clamp, above: clamp}
        gives: {parts: {n: {loss: int}, D: disorder, Rn: {retreat: 1}, "*": star, E: destroyed}}
        cells:
          1-2: ["2D", "DR2", "-"]
          1-1: ["R", "1DR3*", "E"]
          2-1: ["1", "*", "R"]
      fire:
        axes: {die: die}
        gives: int
        cells: [3, 2, 1, 1, 0, 0]
      weight:
        axes: {load: {bands: ["..1/2", "above 1/2 to 2", "above 2"]}}
        gives: {one_of: [light, middling, heavy]}
        cells: [light, middling, heavy]
      worth:
        axes: {army: army, level: spirit}
        gives: {gain: int, most: {maybe: int}}
        blanks: true
        cells:
          reds: {steady: {gain: 1, most: 4}, proud: {gain: 2, most: null}}
"""
}
RULES = """
    define parts(n: number, m: number, d: int) = crt[n / m, d]
    procedure run(a: army):
        report note(fire[5 + game.total])
    procedure run_odds(a: army):
        for part in crt[1 / 3, 1]:
            report note(1)
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return build(tmp_path_factory.mktemp("tables"), RULES, TABLES)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("crt[1 / 2, 1]", ("loss 2", "disorder")),
        ("crt[2 / 2, 2]", ("loss 1", "disorder", "retreat 3", "star")),
        ("crt[1 / 1, 1]", ("retreat 1",)),
        ("crt[1 / 2, 9]", ()),
        ("crt[1 / 2, -4]", ("loss 2", "disorder")),
        ("crt[9 / 1, 1]", ("destroyed",)),
        ("crt has [1 / 3, 1]", False),
        ("crt has [3 / 1, 1]", True),
        ("crt has [1 / 0, 1]", False),
        ("fire[2]", 2),
        ("weight[1 / 2]", "light"),
        ("weight[value.part]", "middling"),
        ("weight[2]", "middling"),
        ("weight[3]", "heavy"),
        ("worth[reds, steady].gain else 0", 1),
        ("worth[reds, broken].gain else 7", 7),
        ("worth[reds, proud].most else 8", 8),
        ("worth has [blues, steady]", False),
        ("worth has [reds, proud]", True),
    ],
)
def test_expression_reads_chart(rules: Rules, text: str, wanted: Any) -> None:
    assert rules.ask(started(rules), text) == wanted


def test_value_off_table_is_fault_with_its_place(rules: Rules) -> None:
    game = started(rules)
    game.call("run", a="reds")
    assert notes(game) == [0]
    game.edit(game={"total": 3})
    with pytest.raises(RuleFault, match="table `fire` has no row for 8") as caught:
        game.call("run", a="reds")
    assert (caught.value.file, caught.value.line) == ("tiny/own.rules", 4)
    with pytest.raises(RuleFault, match="table `crt` has no row for 1 : 3, 1"):
        game.call("run_odds", a="reds")


# --- shifts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pair", "by", "wanted"),
    [((7, 2), -2, "1-1"), ((7, 2), 0, "3-1"), ((7, 2), 1, "4-1"), ((2, 3), 1, "1-1"), ((1, 1), -2, "1-3")],
)
def test_shift_counts_columns_from_one_axis_finds(pair: tuple[int, int], by: int, wanted: str) -> None:
    table = odds("for_defender")
    assert table.look(ShiftedKey(pair, by)) == wanted
    assert table.has(ShiftedKey(pair, by))


def test_shift_past_end_goes_by_that_end() -> None:
    refuse, clamp = odds("for_defender"), odds("for_defender", "clamp", ["result", "all lost"])
    assert not refuse.has(ShiftedKey((3, 1), 2)) and not refuse.has(ShiftedKey((1, 2), -2))
    with pytest.raises(RuntimeFault, match="table `chart` has no row for 3 : 1 shifted by 2"):
        refuse.look(ShiftedKey((3, 1), 2))
    assert (clamp.look(ShiftedKey((1, 2), -5)), clamp.look(ShiftedKey((3, 1), 2))) == ("1-3", "all lost")
    # the ends come first: what is clamped is counted from the last column, what is refused has none to count from
    assert clamp.look(ShiftedKey((1, 9), 1)) == "1-2"
    assert clamp.look(ShiftedKey((9, 1), -3)) == "all lost"
    assert not refuse.has(ShiftedKey((9, 1), -3))
    assert not clamp.has(ShiftedKey((3, 0), 1))


def test_bands_and_ranges_are_shifted_too() -> None:
    bands = chart(axis("bands", BANDS))
    assert [bands.look(ShiftedKey(v, n)) for v, n in ((5, 1), (11, -1), (99, -2))] == [1, 0, 0]
    rows = chart(axis("range", [-1, 0, 1, 2], "clamp", "refuse"))
    assert [rows.look(ShiftedKey(v, n)) for v, n in ((-9, 1), (2, -1), (0, -9))] == [1, 2, 0]
    assert not rows.has(ShiftedKey(2, 1))


def test_rules_shift_rows(tmp_path: Path) -> None:
    rules = build(
        tmp_path,
        """
        tally shift(a: army) -> int [1.1]:
            - 1 if a == blues  "blue"
            + game.total "more"

        define column(a: army, n: int, m: int) = crt[n / m shifted by shift(a), 2 shifted by 1]
        define open_to(a: army, n: int, m: int) = crt has [n / m shifted by shift(a), 1]
        define load(n: int) = weight[n shifted by (if n > 1 then -1 else 1)]

        procedure run(a: army):
            choose strike by a:
                option at(n in 1..4):
                    require odds: crt has [n / 2 shifted by shift(a), 1]  "no column"  [1.1]
                    report note(count(column(a, n, 2)))
        """,
        TABLES,
    )
    game = started(rules)
    assert rules.ask(game, "column(reds, 1, 1)") == rules.ask(game, "crt[1 / 1, 3]")
    assert rules.ask(game, "column(blues, 1, 1)") == rules.ask(game, "crt[1 / 2, 3]")
    assert [rules.ask(game, f"load({n})") for n in (0, 1, 2, 9)] == ["middling", "heavy", "light", "middling"]
    assert [rules.ask(game, f"open_to(blues, {n}, 1)") for n in (1, 2)] == [True, True]
    assert rules.ask(game, "open_to(blues, 1, 2)") is False
    game.call("run", a="blues")
    assert game.decision is not None
    assert [o.key for o in game.decision.options] == ["at(2)", "at(3)", "at(4)"]
