"""Grounds of maps: drawn once, cached on disk between starts, light for a browser, prepared without delaying a page."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from interpreter.api.game import load
from interpreter.documents.learning import has_tutorial
from interpreter.files.assets import list_shipped_rulesets
from interpreter.ui.web.page_files import PageFiles
from interpreter.view_model.dynamic_view import ViewBuilder, build_viewer
from interpreter.view_model.view_context import build_view_context
from tests.docs.blocks import write_all
from tests.patience import wait_until

MAP = (
    "kind: map\nformat: 1\nplaces:\n  members:\n{places}links:\n  members:\n{links}"
    "holding:\n  reserve: {{name: reserve}}\n"
)
FILES = {
    "pieces.yaml": "kind: pieces\nformat: 1\nclasses:\n  unit: {many: units, attributes: {side: side}}\n"
    "pieces:\n  u: {class: unit, side: reds, at: reserve}\n",
    "scenario.yaml": "kind: scenario\nformat: 1\nid: start\ntitle: Start\ndefault: true\nturns: 2\n"
    "setup:\n  each: {u: {at: t0}}\n",
    "ruleset.yaml": "kind: ruleset\nformat: 1\nid: counties\ntitle: Counties\ndice:\n  die: {faces: 6}\n"
    "sides:\n  members: {reds: {}}\nseats:\n  player: {sides: [reds]}\n",
    "rulebook.yaml": 'kind: rulebook\nformat: 1\nparagraphs:\n  "1.1": {text: Go.}\n',
    "turn.rules": 'turn [1.1]:\n    choose moving by reds "go where?" [1.1]:\n'
    '        option go(a in neighbours(piece("u").at)):\n            move piece("u") to a\n'
    "    if turn == last_turn: end game drawn [1.1]\n",
}


def counties(folder: Path, count: int, width: int) -> Path:
    """Return a ruleset with this number of areas in rows, each linked with the next and with the one below."""
    links = [(n, n + d) for n in range(count) for d in (1, width) if n + d < count and (d == width or (n + 1) % width)]
    places = "".join(f"    t{n}: {{}}\n" for n in range(count))
    linked = "".join(f"    t{a}-t{b}: {{between: [t{a}, t{b}]}}\n" for a, b in links)
    folder.mkdir()
    for name, text in {**FILES, "map.yaml": MAP.format(places=places, links=linked)}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def ground_of(target: str) -> str:
    """Return the ground of a map as a newly opened page receives it."""
    rules = load(target)
    game, builder = rules.start(seed=1), ViewBuilder(build_view_context(rules, "en"))
    name = builder.build_view(game, build_viewer(game, ()), "1").ground
    drawing = builder.find_drawing(name)
    assert drawing is not None and gzip.decompress(drawing.packed).decode() == drawing.plain.decode()
    return drawing.plain.decode()


def test_ground_is_read_from_disk_at_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GROGNARD_NO_CACHE", raising=False)
    folder = counties(tmp_path / "counties", 6, 3)
    drawn = ground_of(str(folder))
    monkeypatch.setattr("interpreter.view_model.dynamic_view.render_ground", lambda *_, **__: "drawn again")
    assert ground_of(str(folder)) == drawn


def test_ground_on_disk_is_not_used_after_change_of_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GROGNARD_NO_CACHE", raising=False)
    folder = counties(tmp_path / "counties", 6, 3)
    before = ground_of(str(folder))
    path = folder / "map.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("t5: {}", "t5: {name: Rutland}"), encoding="utf-8")
    after = ground_of(str(folder))
    assert 'aria-label="Rutland"' in after and 'aria-label="Rutland"' not in before


def test_ground_of_many_areas_has_few_references_and_no_clip_for_each(tmp_path: Path) -> None:
    """References and clips are slow: browsers clone each target and clip each area, in seconds on a large map."""
    small = ground_of(str(counties(tmp_path / "small", 20, 5)))
    large = ground_of(str(counties(tmp_path / "large", 210, 15)))
    assert small.count("<clipPath") > 20 and large.count("<clipPath") < 5
    assert large.count("<use") < 210
    for name in ("t0", "t209"):
        assert f'data-place="{name}"' in large and f">{name}</text>" in large


def test_server_starts_without_modules_of_queries() -> None:
    """Their import takes as long as the rest of the server; pages need them only for queries."""
    late = ("interpreter.view_model.queries", "interpreter.tools.cases")
    script = (
        "import sys, interpreter.ui.web.application, interpreter.ui.web.game_factory\n"
        f"print([name for name in sys.modules if name.startswith({late!r})])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_opened_page_has_places_and_ground_prepared_before_it_asks(tmp_path: Path, serve: Callable[..., Any]) -> None:
    table = serve(str(counties(tmp_path / "counties", 6, 3)))
    views = table.served.views
    assert table.client.get(f"/?seat={table.secrets['host']}&lang=en").status_code == 200
    names = wait_until(lambda: views.get_builder("en").list_drawing_names(), "the scene is built")
    assert views.get_cached_static_json("en") is not None
    drawings = views.get_builder("en")._drawings
    wait_until(lambda: set(names) <= drawings._made.keys(), "the ground is drawn")
    assert table.scene(lang="en")["ground"] in names


def test_page_file_is_served_as_it_is_after_a_change(tmp_path: Path) -> None:
    file = tmp_path / "a.js"
    file.write_text("let a = 1;", encoding="utf-8")
    client = TestClient(PageFiles(str(tmp_path)))
    for plain in ({"accept-encoding": "identity"}, {"accept-encoding": "gzip"}):
        assert client.get("/a.js", headers=plain).text == "let a = 1;"
    file.write_text("let a = 22;", encoding="utf-8")
    answer = client.get("/a.js")
    assert (answer.text, answer.headers["content-encoding"]) == ("let a = 22;", "gzip")


def test_ruleset_checked_before_has_documents_without_reading_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROGNARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GROGNARD_NO_CACHE", raising=False)
    folder = counties(tmp_path / "counties", 6, 3)
    script = (
        "import sys\nfrom interpreter.api.game import load\n"
        f"print(load({str(folder)!r}).documents().content_hash, 'yaml' in sys.modules)"
    )
    said = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert said[0].replace("True", "False") == said[1] and "False" in said[1]


def test_tutorial_is_found_without_reading_it() -> None:
    taught = {name for name in list_shipped_rulesets() if has_tutorial(name)}
    rules = [load(name) for name in list_shipped_rulesets()]
    assert taught == {one.id for one in rules if one.source.load_lesson(one.program.languages) is not None} != set()


def test_area_beside_grid_has_name_and_dark_colour(tmp_path: Path) -> None:
    rules = load(str(write_all("documents.md", tmp_path)))
    game, builder = rules.start(seed=1), ViewBuilder(build_view_context(rules, "en"))
    drawing = builder.find_drawing(builder.build_view(game, build_viewer(game, ()), "1").ground)
    assert drawing is not None and ">The Gulf</text>" in drawing.plain.decode()
    assert 'data-place="gulf"><rect class="g-water"' in drawing.plain.decode()
    dark = drawing.plain.decode().partition("prefers-color-scheme:dark")[2]
    assert ".g-water{fill:var(--map-water)}" in dark and "--map-water:#34749a" in dark
