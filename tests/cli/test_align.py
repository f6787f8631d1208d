"""The page on which a scan is laid under a map: one file, and clicks on it give the lines of the drawing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.browsers import BROWSER, NO_BROWSER
from tests.tools.test_drawing import MAP, PIECES, RULESET, SCENARIO
from tests.tools.test_scans import png

from .conftest import Run


@pytest.fixture
def scanned(tmp_path: Path) -> Path:
    folder = tmp_path / "scanned"
    folder.mkdir()
    for name, text in {"ruleset": RULESET, "map": MAP, "pieces": PIECES, "scenario": SCENARIO}.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    (folder / "pictures").mkdir()
    (folder / "pictures" / "map.png").write_bytes(png(800, 600))
    return folder


def test_align_page_embeds_scan_and_all_spaces(run: Run, scanned: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("align", scanned, scanned / "pictures" / "map.png", "--out", page)
    assert done.code == 0 and "into a map document" in done.out
    text = page.read_text(encoding="utf-8")
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert held is not None
    data = json.loads(held[1])
    assert data["image"] == "pictures/map.png" and data["size"] == [800, 600] and data["isGrid"]
    assert len(data["places"]) == 6 and data["source"].startswith("data:image/png;base64,")
    assert not re.search(r'(?:src|href)="(?!data:)', text) and "http://" not in text.replace("http://www.w3.org", "")


def test_names_of_places_cannot_change_the_page(run: Run, scanned: Path, tmp_path: Path) -> None:
    map_file = scanned / "map.yaml"
    evil = "{script} {data} {title} </script><script>alert(1)</script>"
    map_file.write_text(MAP.replace("name: Green Ford 0102", f"name: '{evil}'"), encoding="utf-8")
    page = tmp_path / "page.html"
    done = run("align", scanned, scanned / "pictures" / "map.png", "--out", page)
    assert done.code == 0, done.err
    text = page.read_text(encoding="utf-8")
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert held is not None
    assert evil in [place["name"] for place in json.loads(held[1])["places"]]
    assert text.count("</script>") == 2
    assert "default-src 'none'" in text


def test_invalid_picture_is_refused_with_cure(run: Run, scanned: Path) -> None:
    (scanned / "map.svg").write_text("<svg/>", encoding="utf-8")
    done = run("align", scanned, scanned / "map.svg")
    assert done.code == 2 and "not a PNG" in done.err and "save it as PNG" in done.err


@pytest.mark.skipif(BROWSER is None, reason=NO_BROWSER)
def test_clicks_give_lines_that_ruleset_takes(run: Run, scanned: Path, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    page_file = tmp_path / "page.html"
    run("align", scanned, scanned / "pictures" / "map.png", "--out", page_file)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER)
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.goto(page_file.as_uri())
        for place, at in (("0101", [100, 100]), ("0302", [700, 500])):
            page.select_option("#place", place)
            to_screen = (
                "([x, y]) => { const p = new DOMPoint(x, y)"
                ".matrixTransform(document.querySelector('svg').getScreenCTM()); return [p.x, p.y]; }"
            )
            page.mouse.click(*page.evaluate(to_screen, at))
        lines = page.input_value("#lines")
        assert page.locator("polygon.space").count() == 6
        browser.close()
    assert lines.splitlines()[3:] == [
        "    points:",
        '      - {at: [100, 100], place: "0101"}',
        '      - {at: [700, 500], place: "0302"}',
    ]
    (scanned / "map.yaml").write_text(MAP + lines, encoding="utf-8")
    assert "bad-picture" not in run("check", scanned).out
