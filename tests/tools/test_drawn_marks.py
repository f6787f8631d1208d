"""Signs and words that a map draws in the spaces of which something holds."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from interpreter.api.game import check
from interpreter.tools.maps.piece_groups import build_current_position, build_initial_position
from interpreter.tools.maps.svg import render_map
from interpreter.tools.maps.text.characters import create_page, render_text_map
from interpreter.tools.maps.text.live_maps import render_live_map
from tests.recordings import assert_recorded
from tests.tiny import build, write

RULES = """
define crowded(p: place) -> flag = count(units at p) > 2
"""
MARKS = """
drawing:
  places:
    marks:
      - {when: it.height > 0, sign: square, colour: "#aa0000", name: Capital}
      - {when: crowded, sign: star, name: Full}
      - {when: held, sign: ring, mark: "!"}
      - {when: it.height == 2, text: "h{height}", name: Height}
"""
_SVG = "{http://www.w3.org/2000/svg}"


def documents(folder: Path, marks: str = MARKS) -> dict[str, str]:
    return {"map.yaml": (write(folder, RULES) / "map.yaml").read_text(encoding="utf-8") + marks.lstrip("\n")}


def drawn(picture: str) -> dict[str, list[tuple[str, float, float]]]:
    """Return, by space, the number, left edge and width of each sign, and the place of each text."""
    found: dict[str, list[tuple[str, float, float]]] = {}
    for space in ElementTree.fromstring(picture.split("?>", 1)[1]).iter(f"{_SVG}g"):
        if space.get("class") == "marks":
            here = found.setdefault(space.get("data-place") or "", [])
            for mark in space.iter(f"{_SVG}g"):
                if mark.get("class") == "mark":
                    box = mark.find(f"{_SVG}rect")
                    box = mark.find(f"{_SVG}text") if box is None else box
                    assert box is not None
                    here.append((mark.get("data-mark") or "", float(box.get("x") or 0), float(box.get("width") or 0)))
    return found


def test_marks_are_side_by_side(tmp_path: Path) -> None:
    rules = build(tmp_path, RULES, documents(tmp_path))
    game, ruleset = rules.start(empty=True), rules.model.ruleset
    game.edit(places={"c": {"held": True}})
    shown = build_current_position(ruleset, None, game, "")
    assert shown.marked == {
        0: {0: "", 1: ""},
        1: {},
        2: {0: "", 2: "", 3: "h2"},
        3: {1: ""},
        **dict.fromkeys(range(4, len(ruleset.kinds["place"].things)), {}),
    }
    picture = render_map(ruleset, position=shown)
    found = drawn(picture)
    assert {place: [n for n, _, _ in marks] for place, marks in found.items()} == {
        "a": ["0", "1"],
        "c": ["0", "2", "3"],
        "d": ["1"],
    }
    for marks in found.values():
        for (_, left, wide), (_, after, _) in zip(marks, marks[1:], strict=False):
            assert left + wide < after
    assert ">h2<" in picture and '"#aa0000"' in picture
    for words in ("Capital", "Full", "held", "Height"):
        assert f">{words}<" in picture  # the legend
    game.edit(places={"c": {"held": False}})
    assert [
        n for n, _, _ in drawn(render_map(ruleset, position=build_current_position(ruleset, None, game, "")))["c"]
    ] == [
        "0",
        "3",
    ]


def test_without_game_only_attributes_are_drawn(tmp_path: Path) -> None:
    ruleset = build(tmp_path, RULES, documents(tmp_path)).model.ruleset
    assert drawn(render_map(ruleset, position=build_initial_position(ruleset, None))) == {}
    text = documents(tmp_path)["map.yaml"].replace("    c: {height: 2}", "    c: {height: 2, held: true}")
    ruleset = build(tmp_path / "held", RULES, {"map.yaml": text}).model.ruleset
    assert [*drawn(render_map(ruleset, position=build_initial_position(ruleset, None)))] == ["c"]


def test_maps_in_terminal_show_character_of_mark(tmp_path: Path) -> None:
    grid = "grid: {shape: square, numbering: CCRR, columns: [1, 2], rows: [1, 2], default: {height: 3}}\n"
    rules = build(tmp_path, RULES, {"map.yaml": documents(tmp_path)["map.yaml"] + grid})
    game, ruleset = rules.start(empty=True), rules.model.ruleset
    assert ruleset.grid is not None
    game.edit(places={"0102": {"held": True}})
    page = create_page(ruleset, ruleset.grid)
    lines = render_live_map(page, game)
    assert sum(line.count("!") for line in lines) == 2
    assert_recorded(line for line in lines if "held" in line)
    assert render_text_map(ruleset, position=build_current_position(ruleset, None, game, "")) == lines


@pytest.mark.parametrize(
    ("mark", "code", "where"),
    [
        ('{when: "it.hight > 0"}', "unknown-attribute", (26, 17)),
        ("{when: crowdet}", "unknown-name", (26, 16)),
        ("{when: height}", "wrong-type", (26, 16)),
        ('{when: held, text: "{hight}"}', "unknown-name", (26, 30)),
        ("{when: held, sign: moon}", "unknown-word", (26, 28)),
    ],
)
def test_drawing_error_is_reported_at_its_place(tmp_path: Path, mark: str, code: str, where: tuple[int, int]) -> None:
    marks = f"\ndrawing:\n  places:\n    marks:\n      - {mark}\n"
    found = [d for d in check(write(tmp_path, RULES, documents(tmp_path, marks))) if d.severity == "error"]
    assert [(d.code, (d.line, d.column)) for d in found] == [(code, where)]
