"""Requirements and conditions are read in the order written: a later one may rely on an earlier one; none is hidden."""

from __future__ import annotations

from pathlib import Path

from tests.tiny import build
from tests.witness.comparing import Match

TABLES = {
    "tables.yaml": """\
    kind: tables
    format: 1
    tables:
      owner:
        axes: {number: {range: 1..2}}
        gives: army
        cells: {1: reds, 2: blues}
      gap:
        axes: {number: {range: 1..3}}
        gives: int
        blanks: true
        cells: {1: 1, 3: 3}
      odds:
        axes: {ratio: {ratio: ["1-2", "1-1", "2-1"], round: down, below: clamp, above: clamp}}
        gives: int
        blanks: true
        cells: {1-2: 1, 1-1: 2}
"""
}


def agrees(folder: Path, rules: str) -> None:
    """Check that every form plays a game of these rules as they are written."""
    model = build(folder, rules, TABLES).model
    assert model is not None
    Match(model).play(1)


def test_guard_in_filter_precedes_lookup_in_all_forms(tmp_path: Path) -> None:
    agrees(
        tmp_path,
        """
        turn:
            for n in 0..3:
                for u in {x in units where n in 1..2 and x.army == owner[n]}: report note(n)
            end game drawn
    """,
    )


def test_guard_before_ratio_of_chart_with_blanks(tmp_path: Path) -> None:
    agrees(
        tmp_path,
        """
        turn:
            choose attack by reds:
                option go(n in 0..2, p in places):
                    require some: n > p.height  "nobody is there"
                    require good: (odds[2 / n] else 0) > 1  "the odds are bad"
                    report note(n)
            end game drawn
    """,
    )


def test_guard_before_set_that_parameter_must_be_in(tmp_path: Path) -> None:
    agrees(
        tmp_path,
        """
        turn:
            choose target by reds:
                option go(n in 0..2, p in places):
                    require some: n > p.height  "nobody is there"
                    require meant: p in {q in places where q.height < 2 / n}  "another place is meant"
                    report note(n)
            end game drawn
    """,
    )


def test_narrowing_moved_up_hides_no_fault(tmp_path: Path) -> None:
    agrees(
        tmp_path,
        """
        define nowhere(p: place) -> set of place = if p.held then {p} else {}
        turn:
            choose where_to by reds:
                option go(n in 0..1, p in places):
                    require even: 2 / n + p.height > 0  "it is not even"
                    require open: p in nowhere(a)  "nothing is held"
                    report note(n)
                otherwise: nothing
            end game drawn
    """,
    )
