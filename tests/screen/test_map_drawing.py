"""Test the map on a canvas, character by character: pieces, highlights, and no meaning by colour alone."""

from __future__ import annotations

from dataclasses import replace

from interpreter.ui.tui.map.background_layer import BackgroundFill, BackgroundLayer, BackgroundLine
from interpreter.ui.tui.map.canvas import CellCanvas, CellStyle
from interpreter.ui.tui.map.grid_layout import Lattice, layout_grid
from interpreter.ui.tui.map.rendering import Highlights, Legend, choose_arrow, format_counter, render_map
from interpreter.ui.tui.selection import format_cost
from interpreter.view_model.records import ShownPiece

CELLS = {"11": (1, 1), "21": (2, 1), "12": (1, 2), "22": (2, 2)}
NEAR = {
    "11": {"se": "21", "s": "12"},
    "21": {"nw": "11", "sw": "12", "s": "22"},
    "12": {"n": "11", "ne": "21", "se": "22"},
    "22": {"n": "21", "nw": "12"},
}
GRID = Lattice("flat", 0, CELLS, NEAR, 2)
BACKDROP = BackgroundLayer(
    {name: BackgroundFill(".", "#f4f0e0", "open", "") for name in CELLS}
    | {"22": BackgroundFill("w", "#a9cf95", "woods", "*")},
    (BackgroundLine(("11", "12"), "~", "#3f7fc0", True), BackgroundLine(("12", "21"), ":", "#8a5a2b", False)),
    ((".", "open"), ("w", "woods"), ("~", "river"), (":", "road")),
)
LEGEND = Legend({"red": ("R", "#b33a2e"), "blue": ("B", "#2c5aa8")}, {name: name for name in CELLS})


def piece(id: str, side: str, place: str, short: str = "", count: int = 1, **more) -> ShownPiece:
    own = {"turned": None, "orderable": False, **more}
    return ShownPiece(
        id, place, side, id, short, count, (id,), id, None, 0.0, own["turned"], "", "", orderable=own["orderable"]
    )


def rows(zoom: int, *pieces: ShownPiece, pointed: Highlights | None = None, legend: Legend = LEGEND) -> list[str]:
    counters: dict[str, list[ShownPiece]] = {}
    for one in pieces:
        counters.setdefault(one.place, []).append(one)
    canvas = render_map(layout_grid(GRID, zoom), BACKDROP, counters, legend, pointed or Highlights())
    return [canvas.text(y).rstrip() for y in range(canvas.height)]


def test_spaces_lines_and_counters_have_their_signs() -> None:
    drawn = rows(1, piece("guard", "red", "11", "4-3", turned=60.0), piece("foot", "blue", "22", count=3))
    assert drawn == [
        " _____",
        "/11   \\_____",
        "\\.R↗~~/21   \\",
        "/12   :.____/",
        "\\.____/22   \\",
        "      \\w*B3_/",
    ]


def test_counter_without_room_for_name_keeps_condition() -> None:
    guard = replace(piece("guard", "red", "11", turned=60.0), conditions=(("D", "disordered"),))
    assert [format_counter(guard, LEGEND, room) for room in (12, 5, 3, 2)] == ["R guard D↗", "RD↗", "RD↗", "R↗"]


def test_highlighted_space_has_sign() -> None:
    guard = piece("guard", "red", "11", "4-3", orderable=True)
    assert rows(1, guard)[1].startswith("/11  !")
    pointed = Highlights({"21": "+3", "22": "+"}, {"22": "O"}, "guard", frozenset({"12"}))
    drawn = "\n".join(rows(1, guard, pointed=pointed))
    for told in ("21 +3", "22  O", "12  '"):
        assert told in drawn


def test_larger_places_name_each_counter_and_count_rest() -> None:
    stack = [piece(f"u{n}", "red", "11", f"{n}-{n}") for n in range(1, 5)]
    drawn = "\n".join(rows(2, *stack))
    assert "R 1-1" in drawn and "R 2-2" in drawn
    assert "R 3-3" not in drawn and ".__+2" in drawn.replace(" +2", "__+2")


def test_stack_that_is_too_small_to_list_is_counted_by_side() -> None:
    stack = [piece("a", "red", "11", "4-3", turned=180.0), piece("b", "red", "11"), piece("c", "blue", "11")]
    assert ".R2↓B" in "\n".join(rows(1, *stack))
    assert "R2↓" in "\n".join(rows(0, *stack[:2]))


def test_plain_letters_alone_where_that_is_asked() -> None:
    guard = piece("guard", "red", "11", "4-3", turned=60.0)
    for zoom in range(4):
        assert "\n".join(rows(zoom, guard, legend=replace(LEGEND, is_plain=True))).isascii()
    assert len({choose_arrow(float(angle), True) for angle in range(0, 360, 45)}) == 8, (
        "each way has a letter of its own"
    )


def test_pale_counter_is_distinguished_from_ground() -> None:
    pale = replace(LEGEND, sides={"red": ("R", "#f4f0e0")})
    canvas = render_map(layout_grid(GRID, 1), BACKDROP, {"11": [piece("g", "red", "11")]}, pale, Highlights())
    x = canvas.text(2).index("R")
    assert canvas.looks[2][x].paper != canvas.looks[2][x - 1].paper


def test_wide_letters_take_two_cells() -> None:
    canvas = CellCanvas(5, 1)
    assert canvas.write(0, 0, "歩兵x", CellStyle(), 5) == 5
    assert canvas.text(0) == "歩兵x"
    assert canvas.write(0, 0, "歩兵", CellStyle(), 3) == 2, "half a letter is not written"


def test_highlight_stays_in_its_space() -> None:
    for zoom in (0, 1, 2):
        bare = rows(zoom, pointed=Highlights())
        drawn = rows(zoom, pointed=Highlights({"11": "+1234567890"}))
        room = layout_grid(GRID, zoom).spots["11"].rows[0][2]
        changed = sum(a != b for one, other in zip(drawn, bare, strict=True) for a, b in zip(one, other, strict=False))
        assert changed <= room


def test_costs_are_as_short_as_space_is_narrow() -> None:
    costs = ("2", "2 1/2", "1/2", "1/3", "")
    assert [format_cost(cost) for cost in costs] == ["+2", "+2.5", "+.5", "+.4", "+"]
