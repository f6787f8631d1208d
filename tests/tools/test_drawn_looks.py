"""Test colours, signs, stripes, arrows, owners and lines of a map that depend on expressions and on changing values."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from interpreter.api.game import Rules, check, load
from interpreter.cli.main import main
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.model.drawing import MarkerStyle
from interpreter.play.game import Game
from interpreter.tools.maps.counter_faces import FACE, Condition, Face, draw_front
from interpreter.tools.maps.piece_groups import build_current_position, build_initial_position
from interpreter.tools.maps.style import resolve_style
from interpreter.tools.maps.svg import render_map
from interpreter.tools.maps.text.characters import create_page, render_text_map
from interpreter.tools.maps.text.live_maps import render_live_map
from tests.first_game import spoil, write_first_game
from tests.recordings import assert_recorded
from tests.tiny import build, write

CLASSICS = Path(__file__).resolve().parents[1] / "bench" / "classics"
RULES = """
define crowded(p: place) -> flag = count(units at p) > 2
define force(u: unit) -> int = if u.condition == fresh then 7 else 4
define foe(u: unit) -> army = if u.army == reds then blues else reds
"""
LOOKS = """
drawing:
  places:
    fill: if crowded(it) then full else if count(units at it) == 0 then bare else held_by_some
    name: Who is there
    values:
      full: {colour: "#aa0001", mark: F}
      bare: {colour: "#aa0002", mark: b, name: Nobody}
      held_by_some: {colour: "#aa0003", pattern: lines, mark: s}
    numbers: [height]
  links:
    open: {when: it.river and turn > 0, course: over, colour: "#aa0004", name: Ford}
    whose: {when: if it.river then reds else blues, values: {reds: {colour: "#aa0005"}}}
  pieces:
    unit:
      owner: foe(it)
      sign: {name: Strong, by: "force(it) > 5", values: {true: star, false: slash}}
      band: {by: force, values: {4: "#aa0007", 7: "#aa0008"}}
      arrow: if it.army == reds then ahead else behind
      angles: {ahead: 0, behind: 180}
"""
PLACES = {
    "height": "{type: int, default: 0, changes: true}",
    "keeper": "{type: {maybe: army}, changes: true, default: null}",
}
GRID = "grid: {shape: square, numbering: CCRR, columns: [1, 2], rows: [1, 2]}\n"


def made(folder: Path, looks: str, more: str = "", **attributes: Any) -> Rules:
    text = (write(folder, RULES, **attributes) / "map.yaml").read_text(encoding="utf-8")
    if "height" in attributes.get("place", {}):
        text = text.replace("    height: {type: int, default: 0}\n", "", 1)
    return build(folder, RULES, {"map.yaml": text + looks.lstrip("\n") + more}, **attributes)


def drawn(rules: Rules, game: Game) -> str:
    ruleset = rules.model.ruleset
    return render_map(ruleset, position=build_current_position(ruleset, None, game, ""))


def space(picture: str, place: str) -> str:
    found = re.search(rf'<g class="place" data-place="{place}">.*?</g>', picture, re.DOTALL)
    assert found is not None
    return found[0]


def counter(picture: str, piece: str) -> str:
    root = ElementTree.fromstring(picture.partition("?>")[2])
    return ElementTree.tostring(next(e for e in root.iter() if e.get("data-piece") == piece), encoding="unicode")


def test_looks_depend_on_current_values(tmp_path: Path) -> None:
    rules = made(tmp_path, LOOKS)
    game = rules.start(empty=True)
    picture = drawn(rules, game)
    assert "#aa0001" in space(picture, "a") and "#aa0002" in space(picture, "b")
    game.edit(pieces={"red-1": {"at": "b", "condition": "worn"}})
    picture = drawn(rules, game)
    assert "#aa0003" in space(picture, "a") and "pattern-lines" in space(picture, "b")
    for words in ("Who is there", "full", "Nobody", "held by some", "Ford", "whose: reds", "Strong: yes", "force: 7"):
        assert f">{words}<" in picture, words  # the legend
    worn, fresh = counter(picture, "red-1"), counter(picture, "blue-1")
    assert "#aa0007" in worn and "#aa0008" in fresh
    assert 'fill="#2f5fb3"' in worn and 'fill="#c0392b"' in fresh  # each in the colours of its foe
    for one, is_up in ((worn, True), (fresh, False)):
        arrow = re.search(r'class="c-arrow" d="([^"]*)"', one)
        assert arrow is not None
        _, tip, _ = [float(y) for _, y in re.findall(r"[ML](\S+) ([^LMZ]+)", arrow[1])]
        assert (tip < -FACE / 2) == is_up and (tip > FACE / 2) == (not is_up)


def test_link_lines_depend_on_expressions(tmp_path: Path) -> None:
    rules = made(tmp_path, LOOKS)
    picture = drawn(rules, rules.start(empty=True))
    links = re.findall(r'data-link="([^"]*)" data-attribute="([^"]*)"', picture)
    assert [link for link, what in links if what == "drawn.link.open"] == ["b-c"]
    assert [link for link, what in links if what == "drawn.link.whose"] == ["b-c"]
    assert picture.count('stroke="#aa0005"') == 2  # the line and the legend


def test_in_terminal_character_is_that_of_now(tmp_path: Path) -> None:
    rules = made(tmp_path, LOOKS, GRID)
    game, ruleset = rules.start(empty=True), rules.model.ruleset
    assert ruleset.grid is not None
    game.edit(
        pieces={"red-1": {"at": "0102"}, "blue-1": {"at": "0201"}, "blue-2": {"at": "0201"}, "red-2": {"at": "0201"}}
    )
    page = create_page(ruleset, ruleset.grid)
    lines = render_live_map(page, game)
    assert "Who is there: F full, b Nobody, s held by some" in lines
    assert any("sB" in line for line in lines) and any("FBR2" in line for line in lines)  # by the foe's letter
    assert sum(line.count(" b ") for line in lines if line[:1] == "|") == 2
    assert lines == render_text_map(ruleset, position=build_current_position(ruleset, None, game, ""))


def test_terminal_areas_show_same_as_picture(tmp_path: Path) -> None:
    marks = '    marks: [{when: held, sign: star, name: Kept}, {when: crowded, text: "{count(units at it)}!"}]\n'
    rules = made(tmp_path, LOOKS.replace("  links:\n", marks + "  links:\n"))
    game, ruleset = rules.start(empty=True), rules.model.ruleset
    game.edit(places={"b": {"held": True}})
    lines = render_text_map(ruleset, position=build_current_position(ruleset, None, game, ""))
    assert_recorded(line for line in lines if "full, 3!" in line or "Nobody, Kept" in line)


@pytest.mark.parametrize("grid", ["", GRID])
def test_attributes_that_change_are_shown_as_they_are_now(tmp_path: Path, grid: str) -> None:
    colours = '{reds: "#aa0001", blues: "#aa0002"}'
    looks = f"\ndrawing: {{places: {{fill: keeper, values: {colours}, numbers: [height, keeper, held]}}}}\n"
    rules = made(tmp_path, looks, grid, place=PLACES)
    game, ruleset = rules.start(empty=True), rules.model.ruleset
    game.edit(places={"c": {"height": 77, "keeper": "reds", "held": True}, "a": {"height": 0}})
    picture = drawn(rules, game)
    for text in ("77", "reds · held"):  # letters without a grid are outlines, with their text beside them
        assert f">{text}<" in picture or f'aria-label="{text}"' in picture
    assert "#aa0001" in space(picture, "c")
    for text in (">1<", 'aria-label="1"'):
        assert text not in picture.partition('class="legend"')[0]
    if ruleset.grid is not None:
        game.edit(places={"0102": {"keeper": "blues"}})
        lines = render_live_map(create_page(ruleset, ruleset.grid), game)
        assert "keeper: r reds, b blues" in lines
        assert sum(line.count(" b ") for line in lines if line[:1] == "|") == 1
        assert lines == render_text_map(ruleset, position=build_current_position(ruleset, None, game, ""))


def test_ruleset_map_shows_scenario_set_up(tmp_path: Path) -> None:
    made(tmp_path, LOOKS)
    scenario = tmp_path / "tiny/scenarios/plain.yaml"
    text = scenario.read_text(encoding="utf-8")
    scenario.write_text(text + "setup: {pieces: {c: {reds: 3}, b: {blues: 1}}}\n", encoding="utf-8")
    file = tmp_path / "map.svg"
    assert main(["show", str(tmp_path / "tiny"), "map", "--svg", str(file)]) == 0
    picture = file.read_text(encoding="utf-8")
    assert "#aa0001" in space(picture, "c") and "#aa0002" in space(picture, "a") and "#aa0003" in space(picture, "b")


def test_looks_without_game_use_defaults(tmp_path: Path) -> None:
    rules = made(tmp_path, LOOKS)
    picture = render_map(rules.model.ruleset, position=build_initial_position(rules.model.ruleset, None))
    assert "#aa0001" not in space(picture, "a")
    assert ">Who is there<" in picture


@pytest.mark.parametrize(
    ("places", "unit", "code", "where"),
    [
        ("{fill: crowdet}", "", "unknown-name", (24, 18)),
        ('{fill: "it.hight"}', "", "unknown-attribute", (24, 19)),
        ("{fill: units at it}", "", "wrong-type", (24, 18)),
        ('{fill: crowded, values: {yes: "#aa0001"}}', "", "wrong-type", (24, 36)),
        ('{fill: it.height + 1, values: {high: "#aa0001"}}', "", "wrong-type", (24, 42)),
        ('{fill: it.height / 3, values: {2/6: "#aa0001"}}', "", "wrong-type", (24, 42)),
        ('{fill: "it.keeper else reds", values: {greens: "#aa0001"}}', "", "unknown-side", (24, 50)),
        ('{fill: keeper, values: {greens: "#aa0001"}}', "", "unknown-side", (24, 35)),
        ('{fill: if it.held then full else empty, values: {full: "#aa0001"}}', "", "unknown-name", (24, 44)),
        ("{}", "{sign: {by: condition, values: {tired: dot}}}", "unknown-rung", (26, 43)),
        ("{}", '{band: {by: "it.condition", values: {tired: "#aa0001"}}}', "unknown-rung", (26, 48)),
        ("{}", "{owner: condition}", "wrong-type", (26, 19)),
        ("{}", "{owner: force}", "wrong-type", (26, 19)),
        ("{}", "{arrow: army, angles: {greens: 3}}", "unknown-side", (26, 34)),
    ],
)
def test_drawing_error_is_reported_at_its_place(
    tmp_path: Path, places: str, unit: str, code: str, where: tuple[int, int]
) -> None:
    text = (write(tmp_path, RULES, place={"keeper": PLACES["keeper"]}) / "map.yaml").read_text(encoding="utf-8")
    text += f"drawing:\n  places: {places}\n" + (f"  pieces:\n    unit: {unit}\n" if unit else "")
    found = check(write(tmp_path, RULES, {"map.yaml": text}, place={"keeper": PLACES["keeper"]}))
    told = [(d.code, (d.line, d.column)) for d in found if d.span.file.endswith("map.yaml") and d.severity == "error"]
    assert told == [(code, where)]


def test_places_without_pieces_are_coloured_by_side_that_holds_them() -> None:
    """Check that an attribute that is a side colours the map of a game that states no style."""
    rules = load(str(CLASSICS / "connect_four"))
    ruleset, game = rules.documents(), rules.start()
    looks = resolve_style(ruleset)
    assert {look.value for look in looks.fills} == {"yellow", "red"}
    before = render_map(ruleset, None, position=build_current_position(ruleset, None, game, ""))
    game.pick(0)
    after = render_map(ruleset, None, position=build_current_position(ruleset, None, game, ""))
    colour = next(look.look.colour for look in looks.fills if look.value == "yellow")
    assert after.count(colour) == before.count(colour) + 1


def test_side_named_for_a_colour_has_it(tmp_path: Path) -> None:
    folder = write_first_game(tmp_path)
    spoil(folder / "map.yaml", '  sides: {reds: "#b03a2e", blues: "#2e5fa3"}\n', "")
    spoil(folder / "ruleset.yaml", "    reds: {name: the Reds}", "    greens: {name: the Greens}")
    spoil(folder / "ruleset.yaml", "[reds]", "[greens]")
    (folder / "scenario.yaml").write_text("kind: scenario\nformat: 2\nid: bare\ntitle: Bare\n", encoding="utf-8")
    (folder / "pieces.yaml").unlink()
    ruleset = read_documents(str(folder), Sink())
    assert ruleset is not None
    assert [colour for colour, _ in resolve_style(ruleset).sides.values()] == ["#3d8b4a", "#2f5fb3"]


def test_back_of_counter_and_acted_counter_have_different_marks() -> None:
    def face(sign: str) -> str:
        shown = Condition(MarkerStyle(sign=sign), "moved", "M")
        return draw_front(Face("", "#3355aa", False, "R", "", "", (), (shown,), 1, None, None, False, ""))

    signs = {sign: {look for look in ("c-hatching", "c-fold") if look in face(sign)} for sign in ("dim", "corner")}
    assert signs == {"dim": {"c-hatching"}, "corner": {"c-fold"}}
