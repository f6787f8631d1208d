"""Authors' names cannot meet names that are made, and values that may be missing have an order."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import load
from interpreter.api.loading import read_model
from interpreter.diagnostics.diagnostic import Sink
from interpreter.runtime.errors import RuleFault
from tests.tiny import RULESET, build, write
from tests.witness.comparing import Match

KIND = """\
kinds:
  piece_unit:
    many: supplies
    members: {bread: {}, wine: {}}
"""


def agrees(folder: Path, rules: str, documents: dict[str, str] | None = None, **attributes: dict[str, str]) -> None:
    """Check that every form plays a game of these rules as they are written."""
    model = build(folder, rules, documents, **attributes).model
    assert model is not None
    Match(model).play(1)


def refused_or_played(
    folder: Path, rules: str, documents: dict[str, str] | None = None, **attributes: dict[str, str]
) -> None:
    """Check that the checker reports an error, or that the game ends or reaches a decision."""
    target = write(folder, rules, documents, **attributes)
    sink = Sink()
    read_model(str(target), sink)
    if not sink.has_errors:
        game = load(target).start()
        assert game.over or game.decision is not None


def test_chart_named_like_cells_of_another(tmp_path: Path) -> None:
    agrees(
        tmp_path,
        """
        turn:
            set game.total = hits[1] + hits_cells[2 / 1]
            end game drawn
    """,
        {
            "tables.yaml": """\
        kind: tables
        format: 1
        tables:
          hits_cells:
            axes: {ratio: {ratio: ["1-1", "2-1"], round: down, below: clamp, above: clamp}}
            gives: int
            cells: {1-1: 1, 2-1: 2}
          hits:
            axes: {number: {range: 1..2}}
            gives: int
            cells: {1: 1, 2: 2}
    """
        },
    )


def test_kind_named_like_class(tmp_path: Path) -> None:
    agrees(
        tmp_path,
        """
        turn:
            set game.total = count(units) * 100 + count(supplies)
            end game drawn
    """,
        {"ruleset.yaml": RULESET.format(side="", game="") + KIND},
    )


def test_set_of_values_that_may_be_missing(tmp_path: Path) -> None:
    refused_or_played(
        tmp_path,
        """
        define friends = {u.friend for u in units}
        turn:
            let one = first(units) else piece("red-1")
            set one.friend = one
            if count(friends) == 2: end game drawn
            end game won by red_seat
    """,
        unit={"friend": "{type: {maybe: unit}, changes: true, default: null}"},
    )


def test_comparing_attribute_of_holding_place_is_a_fault(tmp_path: Path) -> None:
    """It has none: to compare it with something is a fault that names the place, told where it is read."""
    target = write(
        tmp_path,
        """
        turn:
            for u in units: move u to pile
            choose go_on by reds:
                option yes(u in {x in units where x.at.height < 1}): nothing
                otherwise: nothing
            end game drawn
    """,
        {
            "map.yaml": """\
        kind: map
        format: 1
        places:
          attributes:
            height: int
          members:
            a: {height: 1}
            d: {height: 2}
        links:
          members:
            a-d: {between: [a, d]}
        holding:
          pile: {}
    """
        },
    )
    with pytest.raises(RuleFault, match="`pile` is off the map and has no `height`; check `on map` first") as told:
        load(target).start()
    assert (told.value.file, told.value.line) == ("tiny/own.rules", 5)
