"""The map as a graph: edges, directions, searches with limits, tests and costs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter.api.game import Rules
from interpreter.runtime.builtins import graph
from interpreter.runtime.builtins.graph import Links
from interpreter.runtime.errors import RuleFault, RuntimeFault
from tests.tiny import build, started


def links_of(count: int, pairs: list[tuple[int, int]]) -> Links:
    """Return the links of places 0 to count - 1 without a grid."""
    edges = {}
    around: list[list[int]] = [[] for _ in range(count)]
    for number, (a, b) in enumerate(pairs):
        edges[(a, b)] = edges[(b, a)] = number
        around[a].append(b)
        around[b].append(a)
    return Links(tuple(tuple(sorted(x)) for x in around), edges, tuple(pairs), (), (), (), "")


#   0 - 1 - 2 - 3        4 is isolated
#    \     /
#     5 - 6
SIX = links_of(7, [(0, 1), (1, 2), (2, 3), (0, 5), (5, 6), (6, 2)])


def test_edges_are_found_from_both_ends() -> None:
    assert graph.linked(SIX, 0, 1) and graph.linked(SIX, 1, 0) and not graph.linked(SIX, 0, 2)
    assert (graph.edge(SIX, 2, 1), graph.edge(SIX, 1, 3)) == (1, None)
    assert graph.edges_of(SIX, 2) == (1, 2, 5)
    assert graph.edges_of(SIX, 4) == ()
    assert graph.ends_of(SIX, 5) == (2, 6)


def test_distance_counts_steps_or_is_none() -> None:
    assert graph.distance(SIX, (0,), (3,), None, None, None) == 3
    assert graph.distance(SIX, (0,), (0,), None, None, None) == 0
    assert graph.distance(SIX, (0,), (4,), None, None, None) is None
    assert graph.distance(SIX, (0,), (), None, None, None) is None
    assert graph.distance(SIX, (), (0,), None, None, None) is None
    assert graph.distance(SIX, (0, 6), (3, 1), None, None, None) == 1


@pytest.mark.parametrize(
    ("within", "wanted"),
    [(0, (0,)), (1, (0, 1, 5)), (2, (0, 1, 2, 5, 6)), (3, (0, 1, 2, 3, 5, 6)), (None, (0, 1, 2, 3, 5, 6))],
)
def test_reach_within_steps(within: int | None, wanted: tuple[int, ...]) -> None:
    assert graph.reach(SIX, (0,), None, within, None, None) == wanted
    # every step at a cost of one is the same
    assert graph.reach(SIX, (0,), None, within, None, lambda h, before: 1) == wanted


def test_path_start_is_not_tested_and_costs_nothing() -> None:
    assert graph.reach(SIX, (0,), None, None, lambda h, before: h != 0 and h != 1, None) == (0, 2, 3, 5, 6)
    assert graph.distance(SIX, (0,), (3,), None, lambda h, before: h != 1, None) == 4
    assert graph.distance(SIX, (0,), (2,), None, None, lambda h, before: 10 if h == 0 else 2) == 4


def test_step_cost_may_depend_on_origin() -> None:
    def downhill(h: int, before: int) -> bool:
        return h > before

    assert graph.path(SIX, (0,), (3,), None, downhill, None) == (0, 1, 2, 3)
    assert graph.path(SIX, (3,), (0,), None, downhill, None) is None


def test_path_prefers_cheaper_route_over_shorter_one() -> None:
    def cost(h: int, before: int) -> Any:
        return 5 if h == 1 else Fraction(1, 2)

    assert graph.path(SIX, (0,), (2,), None, None, None) == (0, 1, 2)
    assert graph.path(SIX, (0,), (2,), None, None, cost) == (0, 5, 6, 2)
    assert graph.distance(SIX, (0,), (2,), None, None, cost) == Fraction(3, 2)
    assert graph.reach(SIX, (0,), None, 1, None, cost) == (0, 5, 6)
    assert graph.distance(SIX, (0,), (2,), 1, None, cost) is None


def test_equal_paths_prefer_first_in_map_order() -> None:
    square = links_of(4, [(0, 2), (0, 1), (1, 3), (2, 3)])
    assert graph.path(square, (0,), (3,), None, None, None) == (0, 1, 3)
    assert graph.path(square, (0,), (3,), None, None, lambda h, before: 1) == (0, 1, 3)
    assert graph.path(square, (2, 1), (3,), None, None, None) == (1, 3)


def test_negative_cost_is_fault() -> None:
    with pytest.raises(RuntimeFault, match="may not be negative"):
        graph.reach(SIX, (0,), None, None, None, lambda h, before: -1)


def test_closure_follows_links_in_both_directions() -> None:
    pairs = {(1, 2), (3, 2), (5, 6)}
    assert graph.closure((2,), (1, 2, 3, 4, 5, 6), lambda a, b: (a, b) in pairs) == (1, 2, 3)
    assert graph.closure((), (1, 2), lambda a, b: True) == ()
    assert graph.closure((5, 1), (1, 2, 3, 5, 6), lambda a, b: (a, b) in pairs) == (1, 2, 3, 5, 6)


def test_map_without_grid_has_no_directions() -> None:
    with pytest.raises(RuntimeFault, match="no grid"):
        graph.step(SIX, 0, "n")
    with pytest.raises(RuntimeFault, match="not on the map's grid"):
        graph.column_of(SIX, 0)
    assert graph.direction_to(SIX, 0, 1) is None


# --- hexes ----------------------------------------------------------------------------------
#
#  01    02    03    04      columns; the even ones lie half a hex lower
#  0101        0301
#        0201        0401
#  0102        0302
#        0202        0402
#  0103        0303
#        0203        0403

HEXES = """
    kind: map
    format: 1
    places:
      attributes: {height: {type: int, default: 0}, held: {type: flag, changes: true}}
      members: {a: {}, b: {}, c: {}, d: {}}
    links:
      attributes: {river: {type: flag}}
      members: {a-0101: {between: [a, "0101"]}}
    grid:
      shape: hex
      orientation: flat
      columns: [1, 4]
      rows: [1, 3]
      numbering: CCRR
      stagger: even_low
    holding: {box: {one_per: army}, pile: {}}
"""


@pytest.fixture(scope="module")
def hexes(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return build(
        tmp_path_factory.mktemp("hexes"),
        """
        define hex(p: place) = p
        procedure run(a: army):
            let far = spaces_between(place("0101"), b)
    """,
        {"map.yaml": HEXES},
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('neighbours(place("0202"))', ("0102", "0103", "0201", "0203", "0302", "0303")),
        ('neighbours(place("0101"))', ("a", "0102", "0201")),
        ('step(place("0202"), n) else a', "0201"),
        ('step(place("0202"), ne) else a', "0302"),
        ('step(place("0202"), se) else a', "0303"),
        ('step(place("0202"), s) else a', "0203"),
        ('step(place("0202"), sw) else a', "0103"),
        ('step(place("0202"), nw) else a', "0102"),
        ('step(place("0101"), n) else a', "a"),
        ('step(place("0301"), ne) else a', "a"),
        ('direction_to(place("0302"), place("0201")) else s', "nw"),
        ('direction_to(place("0302"), place("0402")) else s', "se"),
        ('direction_to(place("0101"), place("0303")) else s', "s"),
        ('direction_to(a, place("0101")) else s', "s"),
        ("turned(n, 1)", "ne"),
        ("turned(n, -1)", "nw"),
        ("turned(ne, 6)", "ne"),
        ("turned(s, 8)", "nw"),
        ('spaces_between(place("0101"), place("0403"))', 4),
        ('spaces_between(place("0102"), place("0402"))', 3),
        ('spaces_between(a, place("0401"))', 4),
        ("spaces_between(a, a)", 0),
        ('column_of(place("0302"))', 3),
        ('row_of(place("0302"))', 2),
        ('line_between(place("0101"), place("0103"))', ("0102",)),
        ('line_between(place("0101"), place("0102"))', ()),
        ('line_between(place("0101"), place("0303"))', ("0201", "0202")),
        ('line_between(place("0303"), place("0101"))', ("0202", "0201")),
        ('line_between(place("0102"), place("0302"))', ("0201",)),
        ('linked(place("0102"), place("0202"))', True),
        ('linked(place("0101"), place("0202"))', False),
    ],
)
def test_hex_grid_answers_geometry_queries(hexes: Rules, text: str, wanted: Any) -> None:
    assert hexes.ask(started(hexes), text) == wanted


def test_places_off_grid_are_fault(hexes: Rules) -> None:
    with pytest.raises(RuleFault, match="no way leads"):
        started(hexes).call("run", a="reds")


def test_turns_and_steps_come_round() -> None:
    """Six steps round a hex lead back to where they began."""
    names = ("n", "ne", "se", "s", "sw", "nw")
    links = Links((), {}, (), names, (), (), "hex")
    for name in names:
        assert graph.turned(links, graph.turned(links, name, 2), 4) == name


# --- square grids -----------------------------------------------------------------------------

SQUARES = HEXES.replace("shape: hex\n      orientation: flat", "shape: square").replace("\n      stagger: even_low", "")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('neighbours(place("0202"))', ("0102", "0201", "0203", "0302")),
        ('spaces_between(place("0101"), place("0403"))', 5),
        ('direction_to(place("0202"), place("0201")) else s', "n"),
        ('step(place("0202"), e) else a', "0302"),
        ("turned(n, 1)", "e"),
        ("turned(n, 2)", "s"),
        ('line_between(place("0101"), place("0401"))', ("0201", "0301")),
    ],
)
def test_square_grid_answers_geometry_queries(text: str, wanted: Any, tmp_path: Path) -> None:
    rules = build(tmp_path, "", {"map.yaml": SQUARES})
    assert rules.ask(started(rules), text) == wanted


@pytest.mark.parametrize("stagger", ["even_low", "odd_low"])
@pytest.mark.parametrize("orientation", ["flat", "pointed"])
def test_lines_pass_through_hexes_that_ruler_crosses(orientation: str, stagger: str, tmp_path: Path) -> None:
    text = HEXES.replace("flat", orientation).replace("even_low", stagger).replace("[1, 3]", "[1, 4]")
    links = build(tmp_path, "", {"map.yaml": text}).program.links
    low = 0 if stagger == "even_low" else 1

    def centre(place: int) -> tuple[float, float]:
        cell = links.cells[place]
        assert cell is not None
        if orientation == "flat":
            return 1.5 * cell[0], 3**0.5 * (cell[1] + (0.5 if cell[0] % 2 == low else 0))
        return 3**0.5 * (cell[0] + (0.5 if cell[1] % 2 == low else 0)), 1.5 * cell[1]

    hexes = [p for p, cell in enumerate(links.cells) if cell is not None]
    for a in hexes:
        for b in hexes:
            steps = graph.spaces_between(links, a, b)
            for number, place in enumerate(graph.line_between(links, a, b), 1):
                (ax, ay), (bx, by) = centre(a), centre(b)
                x, y = ax + (bx - ax) * number / steps, ay + (by - ay) * number / steps
                near = {h: (centre(h)[0] - x) ** 2 + (centre(h)[1] - y) ** 2 for h in hexes}
                assert near[place] <= min(near.values()) + 1e-9
