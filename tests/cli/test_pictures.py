"""Test pictures of a saved game: the page with maps and curves, a picture for each phase, the map in the viewer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interpreter.api.game import load
from interpreter.api.resume import open_replay
from interpreter.play.game import Game
from interpreter.players.reports.figures import draw_line_chart
from interpreter.players.reports.html_page import render_html_page
from interpreter.players.reports.replay_log import record_replay
from interpreter.players.reports.replay_viewer import ReplayViewer
from interpreter.players.reports.report_model import (
    Block,
    ReportFigure,
    ReportHeading,
    ReportItem,
    ReportParagraph,
    ReportTable,
)
from interpreter.queries.map_pictures import save_picture
from interpreter.runtime.localizer import Localizer
from tests.recordings import assert_recorded

from .conftest import Run

VOID = {"meta", "br", "hr", "link"}


class Page(HTMLParser):
    """The elements and words of a page; fails if its elements do not nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "title"):
            self.words.append(data)

    def of_class(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for _, attributes in self.elements if attributes.get("class") == name]


class Typed:
    """A screen at which these lines are typed."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def read(self, prompt: str) -> str | None:
        return self.lines.pop(0) if self.lines else None

    def write(self, lines: Sequence[str]) -> None:
        pass


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the saved file of a whole game between bots."""
    from interpreter.cli.main import main

    file = tmp_path_factory.mktemp("games") / "game.journal"
    bots = ["--side", "france=random", "--side", "allies=random"]
    assert main(["play", "napoleon", *bots, "--seed", "5", "--save", str(file)]) == 0
    return file


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_report_is_self_contained_page(run: Run, game: Path, tmp_path: Path, lang: str) -> None:
    out = tmp_path / "report.html"
    assert run("report", game, "--html", out, "--lang", lang).code == 0
    text = out.read_text(encoding="utf-8")
    page = Page(text)
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed"}
    assert not [a for _, a in page.elements if any(name.startswith("on") for name in a)]
    assert all((a["href"] or "").startswith("#") for _, a in page.elements if "href" in a)
    assert "@import" not in text and "url(http" not in text
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(ids) == len(set(ids))
    wanted = {(a["href"] or "")[1:] for _, a in page.elements if "href" in a}
    wanted |= set(re.findall(r"url\(#([^)]+)\)", text))
    assert wanted <= set(ids), "what a drawing uses is on the page"
    assert next(a for tag, a in page.elements if tag == "html")["lang"] == lang
    expected = ("Outcome", "Strength on", "Losses", "Luck"), ("結果", "地図上の戦力", "損害", "運")
    for heading in expected[lang == "ja"]:
        assert any(heading in words for words in page.words)
    assert len(page.of_class("phase")) > 3
    pictures = [a for _, a in page.elements if a.get("role") == "img"]
    assert pictures and all(a.get("aria-labelledby") in ids for a in pictures)
    told = " ".join(page.words)
    assert ("at the start" in told) == (lang == "en")


def test_ground_is_drawn_once(run: Run, game: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    run("report", game, "--html", out, "--no-luck")
    text = out.read_text(encoding="utf-8")
    places = re.findall(r'class="place" data-place="([^"]+)"', text)
    assert sorted(places) == sorted(set(places)) and len(places) > 10
    maps = text.count('class="map"')
    assert text.count('href="#layer-ground-0"') == maps > 5
    run("show", "napoleon", "map", "--svg", tmp_path / "map.svg")
    assert len(text) < maps * (tmp_path / "map.svg").stat().st_size / 2


def test_texts_of_game_stay_texts_on_page() -> None:
    hostile = "<script>alert(1)</script> & <img src=x onerror=y> \"' \x1b[2J [1.2]"
    blocks: list[Block] = [
        ReportHeading(1, hostile),
        ReportHeading(2, hostile),
        ReportParagraph(hostile),
        ReportItem(hostile),
        ReportItem(hostile, is_choice=True),
        ReportItem(hostile, is_below=True),
        ReportTable((hostile, hostile), ((hostile, hostile),), 1),
        ReportFigure(draw_line_chart({hostile: [Fraction(0), Fraction(1, 2)]}, {0: hostile}), hostile, "course"),
    ]
    page = Page(render_html_page(blocks, "", hostile))
    told = [words for words in page.words if "alert(1)" in words]
    assert len(told) == 14 and all(words.startswith("<script>alert") for words in told)
    assert not {"script", "img"} & {tag for tag, _ in page.elements}
    assert "\x1b" not in "".join(page.words)


@pytest.mark.parametrize("below", [(), (True,), (False, True, True, False), (True, True, False), (False, True)])
def test_report_nests_results_under_choices(below: tuple[bool, ...]) -> None:
    items = [ReportItem(str(n), is_below=is_below) for n, is_below in enumerate(below)]
    page = Page(render_html_page([ReportHeading(1, "title"), *items], "", ""))
    assert sum(tag == "li" for tag, _ in page.elements) == len(below)


def test_curve_shows_all_values_and_distinguishes_lines_without_colour() -> None:
    lines = {"Reds": [Fraction(n) for n in (0, 3, 3, -2)], "Blues": [Fraction(5)] * 4, "Greens": [Fraction(5)] * 4}
    root = ElementTree.fromstring(draw_line_chart(lines, {0: "turn 1", 2: "turn 2"}))
    drawn = [g for g in root.iter() if g.get("class") == "line"]
    assert len({next(g.iter("path")).get("stroke-dasharray") for g in drawn}) == 3
    names = [t for g in drawn for t in g.iter("text")]
    assert [t.text for t in names] == ["Reds -2", "Blues 5", "Greens 5"]
    heights = sorted(float(t.get("y", "")) for t in names)
    assert all(b - a > 12 for a, b in zip(heights, heights[1:], strict=False))
    assert drawn[0][0].get("d", "").count("V") == 2  # the value changes twice
    grid = [t.text for t in root.findall("text")]
    assert {"-2", "0", "4", "6", "turn 1", "turn 2"} <= set(grid)


def test_files_that_page_may_not_be(run: Run, game: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    out.write_text("mine", encoding="utf-8")
    assert run("report", game, "--html", out, "--no-luck").code == 2
    assert out.read_text(encoding="utf-8") == "mine"
    for wrong in (out / "x.html", tmp_path, "x" * 400):
        assert run("report", game, "--html", wrong, "--no-luck").code == 2
    assert run("report", game, "--html", tmp_path / "a", "--luck").code == 2
    assert run("report", game, "--html", tmp_path / "a", "--format", "json").code == 2
    assert run("report", game, "--html", tmp_path / "a", "--out", tmp_path / "a").code == 2
    assert not (tmp_path / "a").exists()
    both = run("report", game, "--html", out, "--out", tmp_path / "report.md", "--force", "--no-luck")
    assert both.code == 0 and both.out.count("Wrote ") == 2


def test_picture_for_each_phase_that_changed_something(run: Run, game: Path, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "pictures"
    told = run("replay", game, "--pictures", folder).out.splitlines()
    files = sorted(folder.iterdir())
    assert len(files) == len(told) > 5
    assert str(files[0]) in told[0]
    assert_recorded(told, FOLDER=folder)
    pictures = [file.read_text(encoding="utf-8") for file in files]
    assert all(a != b for a, b in zip(pictures, pictures[1:], strict=False))
    roots = [ElementTree.fromstring(picture) for picture in pictures]
    assert not [e for e in roots[0].iter() if e.get("class") == "way"]
    assert any(e.get("class") == "way" for root in roots for e in root.iter())
    for wrong in (["--to", "3"], ["--step"], ["--format", "json"]):
        assert run("replay", game, "--pictures", tmp_path / "no", *wrong).code == 2
    assert run("replay", game, "--png").code == 2
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert run("replay", game, "--pictures", tmp_path / "file").code == 2


def test_present_position_as_picture(tmp_path: Path) -> None:
    rules = load("denain-1712")
    localizer, game = Localizer(rules.program), rules.start(seed=1)
    name = tmp_path / "Now.SVG"
    assert save_picture(rules, game, localizer, str(name)) == [f"wrote {name}"]
    root = ElementTree.fromstring(name.read_text(encoding="utf-8"))
    on_map = next(g for g in root.iter() if g.get("class") == "map")
    standing = sum(rules.program.on_map[place] for place in game.state.at)
    assert sum(int(e.get("data-count", 0)) for e in on_map.iter()) == standing
    title = next(g for g in root.iter() if g.get("class") == "cartouche")
    assert any("turn 1" in (e.text or "") for e in title.iter())
    before = game.hash()
    assert_recorded(save_picture(rules, game, localizer, str(name)), FOLDER=tmp_path)
    for wrong in ("map.txt", ".svg", "", str(tmp_path / "none" / "map.svg"), "a\0b.svg", "x" * 400 + ".svg"):
        told = save_picture(rules, game, localizer, wrong)
        assert len(told) == 1 and "wrote" not in told[0]
    assert game.hash() == before


def test_map_is_written_from_prompt(run: Run, tmp_path: Path) -> None:
    fed = [f"map {tmp_path}/Now.svg", f"map --svg {tmp_path}/Two Words.svg", f"map {tmp_path}/none/x.svg", "map x.txt"]
    out = run("play", "napoleon", "--seed", "4", fed="\n".join([*fed, "quit"]) + "\n").out
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == ["Now.svg", "Two Words.svg"]
    for file in tmp_path.glob("*.svg"):
        root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
        assert [e for e in root.iter() if e.get("class") == "counter"]
        assert f"Wrote {file}" in out
    assert "Cannot write" in out and "`x.txt`" in out


def test_viewer_writes_current_position(tmp_path: Path, game: Path) -> None:
    asked: list[tuple[int, str]] = []
    story = record_replay(open_replay(game))
    screen = Typed(["3", "map Three.SVG", "map", "map a b.png", "quit"])

    def save(position: Game, name: str) -> list[str]:
        asked.append((len(position.keys), name))
        return ["wrote"]

    ReplayViewer(story, Localizer(story.game.program), screen, save=save).run()
    assert asked == [(3, "Three.SVG"), (3, "a b.png")]
