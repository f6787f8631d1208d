"""Test sheets with maps of every form: each piece is drawn once, nothing is covered, names fit, the turn is marked."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interpreter.api.game import load
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.model.area_drawing import AreaMap
from interpreter.play.game import Game
from interpreter.tools.maps.areas.plan import plan_areas
from interpreter.tools.maps.areas.planes import is_inside
from interpreter.tools.maps.counter_faces import FACE
from interpreter.tools.maps.geometry import AREA, MapGeometry, compute_geometry
from interpreter.tools.maps.piece_groups import ShownPosition, add_turn_titles, build_current_position
from interpreter.tools.maps.shapes import break_lines, estimate_text_width
from interpreter.tools.maps.style import resolve_style
from interpreter.tools.maps.svg import render_map
from tests.docs import blocks
from tests.tools.test_drawing import RULESET

SVG = "{http://www.w3.org/2000/svg}"
SHIPPED = ["napoleon", "denain-1712"]
SAMPLES = ["tutorial.md", "hexes.md", "documents.md"]
PIECES = """\
kind: pieces
format: 1
classes: {band: {many: bands, attributes: {owner: side}}}
pieces:
"""
Box = tuple[float, float, float, float]


class Sheet:
    """A position in the middle of a random game, drawn and parsed."""

    def __init__(self, target: str | Path, scenario: str | None = None, choices: int = 40) -> None:
        ruleset = read_documents(target, Sink())
        assert ruleset is not None
        self.ruleset = ruleset
        self.game: Game = load(target).start(scenario, seed=1)
        chance = random.Random(1)
        for _ in range(choices):
            if not self.game.over:
                self.game.pick(chance.randrange(self.game.count()))
        played = ruleset.scenarios.get(self.game.scenario or "")
        self.shown: ShownPosition = add_turn_titles(build_current_position(ruleset, played, self.game, ""), self.game)
        self.layout: MapGeometry = compute_geometry(ruleset)
        self.root = ElementTree.fromstring(render_map(ruleset, played, "", self.shown))

    def part(self, name: str) -> ElementTree.Element:
        return next(g for g in self.root.iter(f"{SVG}g") if g.get("class") == name)

    def of_class(self, name: str, part: str = "") -> list[ElementTree.Element]:
        return [e for e in (self.part(part) if part else self.root).iter() if e.get("class") == name]


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> list[Sheet]:
    """Return sheets of both shipped games with their scenarios, and of the games of the guide."""
    folder = tmp_path_factory.mktemp("samples")
    samples = [blocks.write_all(page, folder / page) for page in SAMPLES]
    found = [Sheet(target) for target in [*SHIPPED, *samples]]
    return found + [Sheet("napoleon", scenario) for scenario in ("jena", "niemen")]


def box_of(counter: ElementTree.Element) -> Box:
    """Return the square that a counter covers."""
    x, y, zoom = placed(counter)
    half = FACE / 2 * zoom
    return x - half, y - half, x + half, y + half


def placed(counter: ElementTree.Element) -> tuple[float, float, float]:
    """Return the middle and the zoom of a counter."""
    found = [float(n) for n in re.findall(r"-?[0-9.]+", counter.get("transform", ""))]
    return found[0], found[1], found[2] if len(found) > 2 else 1.0


def cover(a: Box, b: Box) -> bool:
    slack = 0.25  # coordinates are rounded
    return a[0] < b[2] - slack and b[0] < a[2] - slack and a[1] < b[3] - slack and b[1] < a[3] - slack


def test_counter_sheet_has_each_piece_once(sheets: list[Sheet]) -> None:
    for sheet in sheets:
        drawn = Counter(counter.get("data-piece") for counter in sheet.of_class("counter"))
        assert set(drawn.values()) == {1}
        on_map = sum(int(c.get("data-count", "")) for c in sheet.of_class("counter", "map"))
        assert on_map == sum(sheet.game.program.on_map[place] for place in sheet.game.state.at)
        assert sum(int(c.get("data-count", "")) for c in sheet.of_class("counter")) == len(sheet.game.state.at)


def test_counters_of_areas_and_boxes_lie_side_by_side(sheets: list[Sheet]) -> None:
    looked = 0
    for sheet in sheets:
        parts = ("below",) if sheet.layout.on_grid else ("map", "below")
        for part in [g for g in sheet.root.iter() if g.get("class") in parts]:
            boxes = [box_of(e) for e in part.iter() if e.get("class") == "counter"]
            assert not [pair for pair in combinations(boxes, 2) if cover(*pair)]
            looked += len(boxes)
    assert looked > 70


@pytest.mark.parametrize(
    "grid",
    [
        "shape: hex, orientation: flat, stagger: odd_low",
        "shape: hex, orientation: pointed, stagger: odd_low",
        "shape: square",
    ],
)
@pytest.mark.parametrize("number", [1, 2, 5, 9])
def test_many_in_one_space_form_pile_with_its_number(tmp_path: Path, grid: str, number: int) -> None:
    pieces = "".join(f"  c{n}: {{name: Regiment {n}, class: band, owner: reds, at: '0101'}}\n" for n in range(number))
    (tmp_path / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    (tmp_path / "map.yaml").write_text(
        "kind: map\nformat: 1\nplaces: {attributes: {ground: {one_of: [grass, swamp]}}, members: "
        f"{{'0101': {{name: Long Green Ford, ground: grass}}}}}}\n"
        f"grid: {{{grid}, columns: [1, 2], rows: [1, 2], numbering: CCRR, default: {{ground: grass}}}}\n",
        encoding="utf-8",
    )
    (tmp_path / "pieces.yaml").write_text(PIECES + pieces, encoding="utf-8")
    sink = Sink()
    ruleset = read_documents(tmp_path, sink)
    assert ruleset is not None and [d.code for d in sink.list_sorted()] == ["no-scenario"]
    layout = compute_geometry(ruleset)
    root = ElementTree.fromstring(render_map(ruleset))
    drawn = [e for e in root.iter() if e.get("class") == "counter"]
    assert len(drawn) == number
    told = [e.text for pile in drawn[-1].iter() if pile.get("class") == "c-pile" for e in pile.iter(f"{SVG}text")]
    assert told == ([f"×{number}"] if number > 1 else [])
    x, y = layout.middles[0]
    wide, high = max(c[0] for c in layout.corners), max(c[1] for c in layout.corners)
    for box in map(box_of, drawn):
        assert x - wide <= box[0] and box[2] <= x + wide and y - high <= box[1] and box[3] <= y + high


def test_names_lie_at_their_places_and_apart(sheets: list[Sheet]) -> None:
    for sheet in sheets:
        if (plan := sheet.layout.plan) is not None:
            names = sheet.of_class("name", "map")
            handles = {place.id: n for n, place in enumerate(sheet.ruleset.kinds["place"].things)}
            for name in names:
                spots, own = letter_spots(name), plan.sides[handles[name.get("data-place", "")]]
                assert sum(is_inside(spot, own) for spot in spots) >= 0.75 * len(spots), name.get("data-place")
            assert len(names) == len(plan.outlines)
            continue
        names = [e for e in sheet.part("map").iter() if "name" in (e.get("class") or "").split()]
        middles, boxes = sheet.layout.middles, list[Box]()
        for name in names:
            x, y = float(name.get("x", "")), float(name.get("y", ""))
            size, text = float(name.get("font-size", "")), name.text or ""
            wide = estimate_text_width(text, size) * (0.7 if sheet.layout.on_grid else 1.0)
            boxes.append((x - wide / 2, y - size * 0.7, x + wide / 2, y))
            near = min(abs(a - x) + abs(b - y) for a, b in middles.values())
            assert near <= AREA[0], text
        if sheet.layout.on_grid:
            assert not [pair for pair in combinations(boxes, 2) if cover(*pair)]


def letter_spots(name: ElementTree.Element) -> list[tuple[float, float]]:
    """Return the points at which the letters of a name begin."""
    found = []
    for line in name.iter(f"{SVG}g"):
        at = re.match(r"translate\(([-0-9.]+) ([-0-9.]+)\) scale\(([0-9.]+)\)", line.get("transform", ""))
        for letter in line.findall(f"{SVG}use") if at else ():
            found.append((float(at[1]) + float(letter.get("x", "")) * float(at[3]), float(at[2])))
    for letter in name.iter(f"{SVG}use"):
        at = re.match(r"translate\(([-0-9.]+) ([-0-9.]+)\)", letter.get("transform", ""))
        found += [(float(at[1]), float(at[2]))] if at else []
    return found


def test_names_on_counters_fit_and_their_titles_are_whole(sheets: list[Sheet]) -> None:
    looked = 0
    for sheet in sheets:
        alike = {cls.id for cls in sheet.ruleset.classes.values() if cls.alike}  # these have their side's letter
        letters = {letter for _, letter in resolve_style(sheet.ruleset).sides.values()}
        assert len(letters) == len(sheet.ruleset.kinds["side"].things), "each side has its own"
        pieces = {p.id: p for p in sheet.ruleset.kinds["piece"].things}
        for counter in sheet.of_class("counter", "map"):
            piece = pieces[counter.get("data-piece", "")]
            name = next(iter(piece.label.values()), piece.id)
            assert (counter.findtext(f"{SVG}title") or "").startswith(name)
            lines = [e for e in counter.iter(f"{SVG}text") if "c-name" in (e.get("class") or "").split()]
            told = "".join(e.text or "" for e in lines).replace(" ", "").rstrip("…")
            assert any(known.replace(" ", "").startswith(told) for known in (letters if piece.cls in alike else {name}))
            for line in lines:
                wide = float(
                    line.get("textLength")
                    or estimate_text_width(line.text or "", float(line.get("font-size", ""))) * 0.86
                )
                assert wide <= FACE
                looked += 1
    assert looked > 60


def test_every_crossing_of_sheets_runs_around_other_areas(sheets: list[Sheet]) -> None:
    row = {n: (200.0 * n, 0.0) for n in range(4)}
    linked = {0: [1, 3], 1: [0, 2], 2: [1, 3], 3: [2, 0]}
    plans = [(plan_areas(AreaMap(), (), row, linked, AREA), [(0, 3)])]
    for sheet in sheets:
        if (plan := sheet.layout.plan) is not None:
            ends = [edge.ends for edge in sheet.ruleset.kinds["edge"].things if edge.ends]
            plans.append((plan, [pair for pair in ends if not plan.are_adjacent(*pair)]))
    for plan, apart in plans:
        for pair in apart:
            for point in plan.compute_crossing(*pair)[1:-1]:
                assert not {n for n, own in plan.sides.items() if is_inside(point, own)} - set(pair), pair


def test_present_turn_is_marked_in_row_of_turns() -> None:
    sheet = Sheet("denain-1712", choices=0)
    fields = sheet.of_class("turn")
    assert len(fields) == 10
    marked = [f for f in fields if f.get("data-now")]
    assert [f.get("data-turn") for f in marked] == [str(sheet.game.turn)]
    assert next(marked[0].iter(f"{SVG}path")) is not None


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Royal-Cravates", ["Royal-", "Cravates"]),
        ("Regiment du Roi", ["Regiment", "du Roi"]),
        ("Douglas", ["Douglas"]),
        ("ロワイヤル・イタリアン", ["ロワイヤル・", "イタリアン"]),
        ("アルト＝サヴォア", ["アルト＝", "サヴォア"]),
        ("王立近衛竜騎兵連隊本部", ["王立近衛竜", "騎兵連隊本部"]),
        ("国王連隊", ["国王連隊"]),
        ("", [""]),
    ],
)
def test_name_is_broken_where_it_may_be(name: str, lines: list[str]) -> None:
    cut, size = break_lines(name, (40, 13), 6.6)
    assert cut == lines
    assert max(len(line) for line in lines) * size * (1 if any(c > "\u3000" for c in name) else 0.5) <= 40
    assert len(lines) * size <= 13
