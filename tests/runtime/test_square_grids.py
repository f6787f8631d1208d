"""Directions, turns, rays and distances on a square grid whose spaces touch at their corners too."""

from __future__ import annotations

import pytest

from interpreter.api.game import Rules
from tests.tiny import build, started

GRID = """
    kind: map
    format: 1
    grid:
      shape: square
      columns: [1, 5]
      rows: [1, 5]
      numbering: CCRR
      diagonals: true
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return build(tmp_path_factory.mktemp("squares"), "define x = 1\n", {"grid.yaml": GRID})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("turned(n, 1)", "ne"),
        ("turned(nw, 1)", "n"),
        ("turned(n, -3)", "sw"),
        ("turns_between(n, sw)", 5),
        ('direction_to(place("0202"), place("0303"))', "se"),
        ('direction_to(place("0202"), place("0301"))', "ne"),
        ('direction_to(place("0202"), place("0404"))', None),
        ('ray(place("0202"), se)', ("0303", "0404", "0505")),
        ('ray(place("0202"), nw)', ("0101",)),
        ('ray(place("0101"), n)', ()),
        ('step(step(place("0303"), ne), sw)', "0303"),
        ('spaces_between(place("0101"), place("0402"))', 3),
        ('line_between(place("0101"), place("0404"))', ("0202", "0303")),
        ('distance from place("0101") to place("0505")', 4),
        ('count(neighbours(place("0101")))', 3),
    ],
)
def test_square_grid_with_diagonals(rules: Rules, text: str, value: object) -> None:
    found = rules.ask(started(rules), text)
    assert (tuple(found) if isinstance(found, list | tuple) else found) == value
