"""Areas on the board have their own outlines, and scans of counters are served by name, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.first_game import write_first_game
from tests.tools.test_scans import png


@pytest.fixture
def scanned(tmp_path: Path) -> Path:
    folder = write_first_game(tmp_path, "scanned")
    with (folder / "map.yaml").open("a", encoding="utf-8") as file:
        file.write("  pieces: {unit: {image: own.png}}\n")
    (folder / "own.png").write_bytes(png(40, 40))
    return folder


def test_areas_come_with_outlines_and_water_first(serve) -> None:
    places = serve("napoleon").get("/api/still").json()["places"]
    areas = {p["id"]: p for p in places if p["kind"] == "area"}
    assert len(areas) == 14 and all(re.fullmatch(r"[Mlz0-9 .-]+", p["outline"]) for p in areas.values())
    first = sorted(areas.values(), key=lambda p: p["order"])[:3]
    assert {p["id"] for p in first} == {"atlantic", "baltic", "mediterranean"}, "land lies over water"
    spain = areas["spain"]
    xs = [x + spain["middle"][0] for x, _ in spain["shape"]]
    assert min(xs) > 100 and max(xs) < 560, "the box around the outline"


def test_scene_of_areas_is_built_before_its_ground_is_drawn(serve, monkeypatch) -> None:
    from interpreter.view_model import dynamic_view, ground_drawings

    monkeypatch.setattr(ground_drawings.disk_cache, "find", lambda _namespace, _key: None)
    drawn, draw = [], dynamic_view.render_ground
    monkeypatch.setattr(dynamic_view, "render_ground", lambda *given, **more: drawn.append(1) or draw(*given, **more))
    table = serve("napoleon")
    scene = table.scene()
    assert scene["ground"] and not drawn
    assert table.client.get(f"/ground/{scene['ground']}.svg").status_code == 200 and drawn
    assert table.scene()["ground"] == scene["ground"]


def test_scan_of_counter_is_served_by_its_name_alone(serve, scanned: Path) -> None:
    table = serve(str(scanned))
    drawn = "".join(piece["drawn"] for piece in table.scene()["pieces"])
    names = set(re.findall(r'href="pictures/([0-9a-f]+\.png)"', drawn))
    assert len(names) == 1 and "data:image" not in drawn
    answer = table.client.get(f"/pictures/{names.pop()}")
    assert answer.status_code == 200 and answer.content == png(40, 40)
    assert answer.headers["content-type"] == "image/png" and answer.headers["x-content-type-options"] == "nosniff"
    for name in ("own.png", "map.yaml", "..%2Fmap.yaml", "0" * 24 + ".png"):
        assert table.client.get(f"/pictures/{name}").status_code == 404


def test_scan_that_is_replaced_while_served_is_sniffed_again(serve, scanned: Path) -> None:
    table = serve(str(scanned))
    drawn = table.scene()["pieces"][0]["drawn"]
    (scanned / "own.png").write_bytes(b"<svg onload='alert(1)'/>")
    name = re.search(r'href="pictures/([^"]+)"', drawn)
    assert name is not None
    answer = table.client.get(f"/pictures/{name[1]}")
    assert answer.status_code == 404, (answer.headers, answer.content[:60])
