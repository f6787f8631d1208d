"""Test maps as `map` shows them: the pieces at a given time, the width, and the language."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interpreter.api.game import load
from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.runtime.localizer import Localizer
from interpreter.tools.maps import png as drawing_png
from interpreter.tools.maps.text.page import MapWindow, render_grid

from .conftest import Run

TOLD = ("standard", "jena", "no_alarm")  # scenarios whose maps are told in words and data too
TEXT = re.compile(r"<text [^>]*>([^<]*)</text>")


def counted(svg: str, part: str) -> int:
    """Count the pieces on the counters of a part of the sheet."""
    groups = [g for g in ElementTree.fromstring(svg).iter() if g.get("class") == part]
    return sum(int(e.get("data-count", 0)) for group in groups for e in group.iter())


@pytest.mark.parametrize("ruleset", ["napoleon", "denain-1712"])
def test_map_shows_pieces_placed_by_rules(run: Run, ruleset: str, tmp_path: Path) -> None:
    rules = load(ruleset)
    for scenario in [s["id"] for s in rules.program.data["scenarios"]]:
        game = rules.start(scenario, seed=0)
        standing = sum(rules.program.on_map[place] for place in game.state.at)
        assert standing
        file = tmp_path / f"{scenario}.svg"
        assert run("show", ruleset, "map", "--scenario", scenario, "--svg", file).code == 0
        picture = file.read_text(encoding="utf-8")
        assert counted(picture, "map") == standing
        assert counted(picture, "below") == len(game.state.at) - standing
        if scenario not in TOLD:
            continue
        data = run("show", ruleset, "map", "--scenario", scenario, "--format", "json").json()
        pieces = [sum(p["count"] for place in data[part] for p in place["pieces"]) for part in ("standing", "beside")]
        assert pieces == [standing, len(game.state.at) - standing]
        told = run("show", ruleset, "map", "--scenario", scenario).out.partition("waiting off the map:")[2]
        assert len([line for line in told.splitlines() if line.startswith("  ") and line[2] != " "]) == len(
            data["beside"]
        )


@pytest.mark.parametrize(("lang", "when"), [("en", "first decision"), ("ja", "最初の決定の時点")])
def test_map_heading_names_moment(run: Run, lang: str, when: str, tmp_path: Path) -> None:
    told = run("show", "napoleon", "map", "--lang", lang).out
    run("show", "napoleon", "map", "--lang", lang, "--svg", tmp_path / "map.svg")
    written = TEXT.findall((tmp_path / "map.svg").read_text(encoding="utf-8"))
    heading = told.splitlines()[0]
    assert when in heading
    shown = [text for text in written if text in heading and when in text]
    assert shown and any(text in heading for text in written if when not in text)


def test_map_reports_rules_it_cannot_run(run: Run, tiny: Path) -> None:
    rules = next(p for p in tiny.glob("*.rules"))
    rules.write_text(rules.read_text() + "\nprocedure broken():\n    nonsense\n")
    assert "(the set-up" in run("show", tiny, "map").out


def test_map_of_saved_game_names_its_moment(run: Run) -> None:
    out = run("play", "denain-1712", "--seed", "4", fed="done anyway\n" * 2 + "map all\nquit\n").out
    assert "Eugene of Savoy (turn 1, Preparatory artillery)" in out
    assert "the position:" in out
    assert "the set-up:" not in out


@pytest.mark.parametrize("ruleset", ["napoleon", "denain-1712"])
def test_lists_beside_map_are_parted_as_language_parts_them(run: Run, ruleset: str) -> None:
    told = run("show", ruleset, "map", "--lang", "ja", "--format", "text").out
    fed = "map all\nquit\n"
    played = run("play", ruleset, "--lang", "ja", "--seed", "1", fed=fed).out
    lists = [line for line in (told + played).split("\n") if re.search("[ぁ-んァ-ヶ一-龯]", line)]
    assert len(lists) > 20
    assert not [line for line in lists if re.search("[ぁ-んァ-ヶ一-龯], |[ぁ-んァ-ヶ一-龯]: ", line)]


def test_map_command_draws_surroundings_of_place(run: Run) -> None:
    out = run("play", "denain-1712", fed="map 1610\nmap nowhere\nquit\n").out
    drawn = [line for line in out.splitlines() if line.startswith(("/", "\\"))]
    assert any("/1610\\" in line for line in drawn)
    assert not any("3001" in line for line in drawn)
    assert "`nowhere` is not a place" in out
    listed = run("play", "napoleon", fed="map france\nquit\n").out
    assert "touches: South France" in listed
    assert "West Russia:" not in listed.partition("French player> ")[2]


@pytest.mark.parametrize("form", ["flat", "pointed", "square"])
@pytest.mark.parametrize("width", [20, 40, 80])
def test_grid_in_parts_respects_width(form: str, width: int) -> None:
    cells = {(c, r): (f"{c:02}{r:02}", "." if (c + r) % 5 else ".F2") for c in range(1, 33) for r in range(1, 4)}
    lines = render_grid(form, cells, 0, MapWindow(width))
    assert max(map(measure_cells, lines)) < width
    shown = "\n".join(lines)
    assert all(shown.count(name) == 1 for name, _ in cells.values())
    assert max(map(measure_cells, render_grid(form, cells, 0, MapWindow()))) > width
    assert all(name in "\n".join(render_grid(form, cells, 0, MapWindow(width, name))) for name, _ in cells.values())


def test_japanese_picture_holds_no_english(run: Run, tmp_path: Path) -> None:
    for ruleset in ("napoleon", "denain-1712"):
        run("show", ruleset, "map", "--lang", "ja", "--svg", tmp_path / "map.svg")
        found = TEXT.findall((tmp_path / "map.svg").read_text(encoding="utf-8"))
        assert found and not [text for text in found if re.search("[A-Za-z]", text)]


@pytest.mark.parametrize(("lang", "told"), [("ja", "フォントが無い"), ("en", "no font here has the letters")])
def test_missing_glyphs_are_reported(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, told: str
) -> None:
    resvg = pytest.importorskip("resvg_py")
    drawn = resvg.svg_to_bytes
    monkeypatch.setattr(resvg, "svg_to_bytes", lambda **asked: drawn(**asked, skip_system_fonts=True))
    out = run("show", "napoleon", "map", "--lang", lang, "--png", tmp_path / "map.png").out
    assert told in out and "fonts-noto-cjk" in out
    monkeypatch.setattr(drawing_png, "render_png", str.encode)  # every letter another picture
    assert told not in run("show", "napoleon", "map", "--lang", lang, "--png", tmp_path / "map.png").out


def test_table_by_its_whole_name(run: Run) -> None:
    program = load("denain-1712").program
    localizer = Localizer(program, "ja")
    names = Counter(localizer.translate_label(chart.label) for chart in program.charts.values())
    asked = [name for name, tables in names.items() if tables == 1]
    out = run("play", "denain-1712", "--lang", "ja", fed="".join(f"表 {name}\n" for name in asked)).out
    assert asked and out.count("プレイヤー> ") > len(asked)
    assert "に当てはまるのは" not in out
