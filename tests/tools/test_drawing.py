"""Test maps drawn with characters and as SVG."""

from __future__ import annotations

import builtins
import importlib.util
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from interpreter.cli.main import main
from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.building.ruleset_builder import read_documents
from interpreter.files.installing import get_install_command
from interpreter.model.ruleset import Ruleset
from interpreter.tools.maps.geometry import AREA, compute_geometry
from interpreter.tools.maps.piece_groups import find_default_scenario, group_starting_pieces
from interpreter.tools.maps.png import NoPngError, render_png
from interpreter.tools.maps.shapes import draw_text
from interpreter.tools.maps.style import resolve_style
from interpreter.tools.maps.svg import render_map
from interpreter.tools.maps.text.characters import render_text_map
from interpreter.tools.maps.text.page import render_hexes
from tests.recordings import assert_recorded

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"

RULESET = """\
kind: ruleset
format: 1
id: tiny
title: Two Fords
sides: {members: {reds: {name: Reds}, blues: {name: Blues}}}
seats: {red_seat: {sides: [reds]}, blue_seat: {sides: [blues]}}
"""
PIECES = """\
kind: pieces
format: 1
classes:
  band:
    many: bands
    attributes: {owner: side, strength: int, looks: {type: {maybe: direction}, default: null}}
  mob:
    many: mobs
    alike: true
    counters: [side_of]
    attributes: {side_of: side}
pieces:
  guards: {class: band, owner: reds, strength: 3, looks: se, at: "0101"}
  rangers: {class: band, owner: blues, strength: 2, at: "0202"}
  crowd: {class: mob, count: 4, side_of: blues, at: pool}
"""
MAP = """\
kind: map
format: 1
places:
  attributes: {ground: {one_of: [grass, swamp]}, worth: {type: int, default: 0, source: reconstructed}}
  members:
    "0102": {name: Green Ford 0102, ground: swamp, worth: 7}
links:
  attributes: {brook: flag, lane: flag, plank: flag}
grid:
  shape: hex
  orientation: flat
  columns: [1, 3]
  rows: [1, 2]
  numbering: CCRR
  stagger: even_low
  default: {ground: grass}
  edges:
    "0101/0102": {brook: true, plank: true}
    "0101/0201": {lane: true}
holding: {pool: {name: the pool}}
"""
SCENARIO = """\
kind: scenario
format: 1
id: usual
title: The usual start
default: true
setup: {pieces: {"0302": {blues: 3}}}
"""
DRAWING = """\
drawing:
  places: {fill: ground, values: {swamp: {colour: "#123456", pattern: dashes, mark: "~"}}, numbers: [worth]}
  links:
    brook: {course: along, colour: "#0000ff", width: 7}
    lane: {course: through, colour: "#aa7700", stroke: dashed}
    plank: {course: over}
  sides: {reds: "#ff0000"}
  pieces:
    band: {numbers: [strength], arrow: looks, sign: cross}
"""

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return a function that writes the small ruleset, with other documents where they are given."""

    def write(**documents: str) -> Path:
        folder = tmp_path / "tiny"
        folder.mkdir(exist_ok=True)
        texts = {"ruleset": RULESET, "map": MAP + DRAWING, "pieces": PIECES, "scenario": SCENARIO, **documents}
        for name, text in texts.items():
            (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        return folder

    return write


def loaded(target: Path | str) -> Ruleset:
    sink = Sink()
    ruleset = read_documents(str(target), sink)
    assert ruleset is not None and not sink.has_errors, [d.message for d in sink.list_sorted()]
    return ruleset


def picture(ruleset: Ruleset, **more: Any) -> ElementTree.Element:
    return ElementTree.fromstring(render_map(ruleset, find_default_scenario(ruleset), **more))


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [e for e in root.iter() if name in (e.get("class") or "").split()]


def texts(root: ElementTree.Element) -> list[str]:
    return [e.text or "" for e in root.iter(f"{SVG}text")]


def codes(target: Path) -> list[str]:
    sink = Sink()
    read_documents(str(target), sink)
    return [d.code for d in sink.list_sorted()]


# ----- with characters


def test_small_grid_of_hexes(make: Make) -> None:
    ruleset = loaded(make())
    lines = render_text_map(ruleset, find_default_scenario(ruleset))
    assert lines[:10] == [
        "Two Fords: The usual start",
        "",
        " ____      ____",
        r"/0101\____/0301" + "\\",
        r"\=.R=/0201\_.__/",
        r"/0102\_.__/0302" + "\\",
        r"\_~__/0202\.B3_/",
        r"     \_.B_/",
        "",
        "ground: . grass, ~ swamp",
    ]
    assert lines[10:] == [
        "along the sides of spaces: = brook",
        "sides: R Reds, B Blues, a number: number of pieces",
        "",
        "names: 0102 Green Ford",
        "",
        "brook: 0101/0102",
        "lane: 0101/0201",
        "plank: 0101/0102",
        "",
        "the set-up:",
        "  0101: guards",
        "  0202: rangers",
        "  0302: 3 mobs (Blues)",
        "",
        "reconstructed, the printed game may differ:",
        "- of all places: worth",
    ]


def test_hexes_with_point_up() -> None:
    cells = {(1, 1): ("11", "a"), (2, 1): ("21", "b"), (1, 2): ("12", "c")}
    assert render_hexes("pointed", cells, 0) == [
        " / \\ / \\",
        "| 11| 21|",
        "| a | b |",
        " \\ / \\ /",
        "  | 12|",
        "  | c |",
        "   \\ /",
    ]


def test_squares_are_drawn_with_borders() -> None:
    cells = {(1, 1): ("11", "a"), (2, 1): ("21", "b")}
    assert render_hexes("square", cells, 0) == ["+--+--+", "|11|21|", "|a |b |", "+--+--+"]


def test_marks_are_all_different_and_commonest_is_point(make: Make) -> None:
    found = resolve_style(loaded(make(map=MAP.replace("swamp", "gorse")))).fills
    assert [f.look.mark for f in found] == [".", "g"]


def test_areas_keep_their_words(make: Make) -> None:
    areas = (
        "kind: map\nformat: 1\nplaces: {members: {hill: {name: Green Hill}, ford: {}}}\n"
        "links: {members: {way: {between: [hill, ford]}}}\nholding: {pool: {}}\n"
    )
    pieces = "kind: pieces\nformat: 1\nclasses: {band: {many: bands, attributes: {owner: side}}}\n" + (
        "pieces: {guards: {class: band, owner: reds, at: ford}}\n"
    )
    scenario = "kind: scenario\nformat: 1\nid: usual\ntitle: Start\ndefault: true\n"
    ruleset = loaded(make(map=areas, pieces=pieces, scenario=scenario))
    assert render_text_map(ruleset, find_default_scenario(ruleset)) == [
        "Two Fords: Start",
        "",
        "Green Hill (hill)",
        "  touches ford",
        "",
        "ford",
        "  touches hill",
        "  here: guards",
        "",
        "off the map:",
        "  pool",
    ]


# ----- the SVG


def test_every_space_of_map_is_drawn_once(make: Make) -> None:
    root = picture(loaded(make()))
    places = [e.get("data-place") for e in of_class(root, "place")]
    assert places == ["0101", "0102", "0201", "0202", "0301", "0302"]
    assert [t.text for t in of_class(root, "id")] == places
    assert [t.text for t in of_class(root, "name")] == ["Green Ford"]
    assert "7" in texts(root)


def test_looks_come_from_data(make: Make) -> None:
    root = picture(loaded(make()))
    rules = "".join(e.text or "" for e in root.iter(f"{SVG}style"))
    assert "#123456" in rules and "#0000ff" in rules
    (patterned,) = [e for e in of_class(root, "g-pattern") if "legend" not in (e.get("class") or "")][:1]
    assert patterned.get("fill") == "url(#pattern-dashes)"
    assert "pattern-dashes" in [e.get("id") for e in root.iter(f"{SVG}pattern")]


def test_lines_run_along_shared_side_or_through_it(make: Make) -> None:
    ruleset = loaded(make())
    layout, root = compute_geometry(ruleset), picture(ruleset)
    ids = [p.id for p in ruleset.kinds["place"].things]
    upper, lower, right = (layout.middles[ids.index(name)] for name in ("0101", "0102", "0201"))
    side = ((upper[0] + lower[0]) / 2, (upper[1] + lower[1]) / 2)
    crossed = ((upper[0] + right[0]) / 2, (upper[1] + right[1]) / 2)
    ground = of_class(root, "ground")[0]
    assert nearest(of_class(ground, "g-water"), side) < 12
    roads = of_class(ground, "g-road") or of_class(ground, "g-line")
    assert nearest([*roads, *defined(root, roads)], crossed) < 12
    assert nearest(of_class(ground, "g-parapet"), side) < 20


def defined(root: ElementTree.Element, uses: list[ElementTree.Element]) -> list[ElementTree.Element]:
    """Return the shapes that some elements refer to."""
    names = {(e.get("href") or "").removeprefix("#") for e in uses}
    return [e for e in root.iter() if e.get("id") in names]


def nearest(shapes: list[ElementTree.Element], to: tuple[float, float]) -> float:
    """Return the smallest distance of the points of some paths from a point."""
    pairs = [re.findall(r"(-?[0-9.]+) (-?[0-9.]+)", e.get("d") or "") for e in shapes]
    return min(((float(x) - to[0]) ** 2 + (float(y) - to[1]) ** 2) ** 0.5 for found in pairs for x, y in found)


def test_counters_of_set_up(make: Make) -> None:
    root = picture(loaded(make()))
    found = {e.get("data-piece"): e for e in of_class(root, "counter")}
    assert {name: e.get("data-count") for name, e in found.items()} == {"guards": "1", "rangers": "1", "crowd-1": "3"}
    guards, rangers = found["guards"], found["rangers"]
    assert any(shape.get("fill") == "#ff0000" for shape in of_class(guards, "c-body"))
    assert "3" in texts(guards)
    assert (len(of_class(guards, "arrow")), len(of_class(rangers, "arrow"))) == (1, 0)
    assert "strength 3" in (guards.findtext(f"{SVG}title") or "")
    assert "×3" in texts(found["crowd-1"])


def test_reconstructed_data_is_reported(make: Make) -> None:
    told = " ".join(e.text or "" for e in of_class(picture(loaded(make())), "note"))
    assert_recorded(told)


def test_without_drawing_everything_is_chosen(make: Make) -> None:
    ruleset = loaded(make(map=MAP))
    root = picture(ruleset)
    assert len(of_class(root, "place")) == 6
    assert len(of_class(root, "counter")) == 3
    assert resolve_style(ruleset).fill == "ground"
    assert [look.line.course for look in resolve_style(ruleset).lines] == ["along", "through", "over"]
    assert {fill.value: fill.look.style for fill in resolve_style(ruleset).fills} == {
        "grass": "fields",
        "swamp": "marsh",
    }
    assert of_class(root, "g-marsh") and of_class(root, "g-bank") and of_class(root, "g-parapet")


def test_hostile_names_stay_text(make: Make) -> None:
    hostile = "</text><script>alert(1)</script>&\\\"'"
    root = picture(
        loaded(
            make(
                map=MAP.replace("Green Ford 0102", f'"{hostile}"'),
                pieces=PIECES.replace("{class: band, owner: blues", f'{{name: "{hostile}", class: band, owner: blues'),
                ruleset=RULESET.replace("Two Fords", f'"{hostile}"').replace("name: Reds", f'name: "{hostile}"'),
            )
        )
    )
    assert not [e for e in root.iter() if e.tag.endswith("script")]
    assert any(text.startswith("</text><script>") for text in texts(root))


def test_invalid_xml_characters_are_escaped() -> None:
    drawn = draw_text("a\x1b\x00\ud800\uffff<b>&", 1.0, 2.0, 3.0, class_="\"'<>\x07")
    found = ElementTree.fromstring(drawn)
    assert found.text == r"a\x1b\x00\ud800?<b>&"
    assert found.get("class") == "\"'<>\\x07"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("{swamp:", "{swam:", "unknown-word"),
        ("brook: {course", "brok: {course", "unknown-attribute"),
        ("{reds:", "{red:", "unknown-side"),
        ("band: {numbers", "bund: {numbers", "unknown-class"),
        ("numbers: [strength]", "numbers: [strenth]", "unknown-attribute"),
        ("#123456", "red", "bad-text"),
        ("pattern: dashes", "pattern: tartan", "unknown-word"),
    ],
)
def test_drawing_with_unknown_name_is_reported(make: Make, old: str, new: str, code: str) -> None:
    assert old in DRAWING
    assert codes(make(map=MAP + DRAWING.replace(old, new))) == [code]


# ----- layouts


def test_areas_without_positions_never_cover_each_other(make: Make) -> None:
    names = [f"a{n}" for n in range(17)]
    ways = {f"w{n}": f"{{between: [{names[n // 3]}, {names[n]}]}}" for n in range(1, 15)}
    text = "kind: map\nformat: 1\nplaces: {members: {" + ", ".join(f"{n}: {{}}" for n in names) + "}}\n"
    text += "links: {members: {" + ", ".join(f"{w}: {b}" for w, b in ways.items()) + "}}\n"
    pieces = "kind: pieces\nformat: 1\nclasses: {band: {many: bands, attributes: {owner: side}}}\n"
    scenario = "kind: scenario\nformat: 1\nid: usual\ntitle: Start\ndefault: true\n"
    layout = compute_geometry(loaded(make(map=text, pieces=pieces, scenario=scenario)))
    at = [*layout.middles.values()]
    assert len(at) == 17
    for n, (x, y) in enumerate(at):
        assert not [1 for a, b in at[:n] if abs(a - x) < AREA[0] * 0.9 and abs(b - y) < AREA[1] * 0.9]


@pytest.mark.parametrize("orientation", ["flat", "pointed"])
@pytest.mark.parametrize("stagger", ["odd_low", "even_low"])
def test_neighbours_lie_equally_far_apart(make: Make, orientation: str, stagger: str) -> None:
    text = MAP.replace("flat", orientation).replace("even_low", stagger).replace("columns: [1, 3]", "columns: [1, 4]")
    text = text[: text.index("  edges:")].replace("rows: [1, 2]", "rows: [1, 4]") + "holding: {pool: {}}\n"
    ruleset = loaded(make(map=text))
    layout = compute_geometry(ruleset)
    far = set()
    for edge in ruleset.kinds["edge"].things:
        assert edge.ends is not None
        (ax, ay), (bx, by) = (layout.middles[e] for e in edge.ends)
        far.add(round(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5, 3))
        side = layout.find_shared_side(*edge.ends)
        assert side is not None
        assert (side[0][0] + side[1][0]) / 2 == pytest.approx((ax + bx) / 2)
    assert len(far) == 1


# ----- the shipped ones


@pytest.mark.parametrize("target", [p.parent.name for p in sorted((ROOT / "rulesets").glob("*/ruleset.yaml"))])
def test_shipped_maps_show_every_place_and_counter(target: str) -> None:
    ruleset = loaded(target)
    spaces = [p for p in ruleset.kinds["place"].things if p.holding is None]
    for scenario in ruleset.scenarios.values():
        root = ElementTree.fromstring(render_map(ruleset, scenario))
        assert len(of_class(root, "place")) == len(spaces)
        standing = sum(s.count for here in group_starting_pieces(ruleset, scenario).values() for s in here)
        assert sum(int(e.get("data-count", "")) for e in of_class(root, "counter")) == standing
        assert render_text_map(ruleset, scenario)
    for language in ruleset.languages:
        ElementTree.fromstring(render_map(ruleset, None, language))


@pytest.mark.parametrize("target", ["", "denain-1712"])
def test_picture_is_independent_of_hash_seed(make: Make, target: str) -> None:
    folder = target or str(make())
    code = (
        "from interpreter.documents.building.ruleset_builder import read_documents as load\n"
        "from interpreter.diagnostics.diagnostic import Sink\n"
        "from interpreter.tools.maps.svg import render_map\n"
        "from interpreter.tools.maps.piece_groups import find_default_scenario\n"
        f"r = load({folder!r}, Sink())\n"
        "print(render_map(r, find_default_scenario(r)))\n"
    )
    pictures = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(pictures) == 1


# ----- the command


def test_pictures_are_written(make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "map.svg"
    assert main(["show", str(make()), "map", "--svg", str(file)]) == 0
    assert capsys.readouterr().out == f"wrote {file}\n"
    assert ElementTree.fromstring(file.read_text(encoding="utf-8")).tag == f"{SVG}svg"


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["tables", "--svg", "x.svg"], "grognard show RULESET map --svg FILE"),
        (["map", "--scenario", "usul"], "did you mean `usual`"),
        (["map", "--svg", f"{__file__}/x.svg"], "is not a folder"),
    ],
)
def test_pictures_that_cannot_be(
    make: Make, capsys: pytest.CaptureFixture[str], arguments: list[str], hint: str
) -> None:
    assert main(["show", str(make()), *arguments]) == 2
    assert hint in capsys.readouterr().err


def test_png_without_library_is_clear_sentence(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name == "resvg_py":
            raise ImportError(name)
        return there(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(NoPngError, match=r"pip install .*\[png\]"):
        render_png("<svg/>")
    assert main(["show", str(make()), "map", "--png", str(tmp_path / "map.png")]) == 2
    assert get_install_command("png") in capsys.readouterr().err
    assert not (tmp_path / "map.png").exists()


@pytest.mark.skipif(importlib.util.find_spec("resvg_py") is None, reason="the extra `png` is not installed")
def test_picture_is_written_as_png(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "map.png"
    assert main(["show", str(make()), "map", "--png", str(file)]) == 0
    assert file.read_bytes().startswith(b"\x89PNG")
