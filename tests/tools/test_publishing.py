"""Test a ruleset as a book: every link leads somewhere, citations go both ways, and no text becomes markup."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from interpreter.cli.main import main
from tests.browsers import BROWSER, NO_BROWSER
from tests.tiny import write

ROOT = Path(__file__).resolve().parents[2]
SKIRMISH = ROOT / "tests" / "tools" / "games" / "skirmish"
ELEMENTS = set(
    "html head meta title link body a header nav main script section article h1 h2 h3 p b i ul ol li span small div "
    "table caption thead tbody tr th td pre code dl dt dd figure figcaption br input svg g rect path text tspan circle "
    "line defs pattern use polygon polyline ellipse image style "
    "clippath radialgradient stop textpath".split()
)


class Page(HTMLParser):
    """The content of a page: its elements, attributes, ids and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id" and value:
                self.ids.add(value)
            if name in ("href", "src", "xlink:href") and value:
                self.links.append(value)


page_of = cache(Page)  # each page is parsed once


def made(target: str | Path, folder: Path) -> dict[str, str]:
    assert main(["docs", str(target), "--out", str(folder)]) == 0
    return {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in sorted(folder.rglob("*.*"))}


@pytest.fixture(scope="module")
def napoleon(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return made("napoleon", tmp_path_factory.mktemp("book") / "napoleon")


def targets(files: dict[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Yield every link: the page it is on, its text, the file it points to, and the anchor there."""
    for name, text in files.items():
        if name.endswith(".html"):
            for link in page_of(text).links:
                path, _sign, anchor = link.partition("#")
                meant = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
                yield name, link, meant, anchor


def test_every_link_leads_to_page_and_place_of_book(napoleon):
    ids = {name: page_of(text).ids for name, text in napoleon.items() if name.endswith(".html")}
    broken = [
        (name, link)
        for name, link, meant, anchor in targets(napoleon)
        if meant not in napoleon or (anchor and anchor not in ids[meant])
    ]
    assert not broken, broken[:10]
    assert sum(1 for _ in targets(napoleon)) > 5000


def test_published_pages_are_self_contained(napoleon):
    for name, link, _meant, _anchor in targets(napoleon):
        assert "://" not in link and not link.startswith("//"), (name, link)
    assert "url(http" not in napoleon["book.css"] and "@import" not in napoleon["book.css"]
    assert not re.search(r"fetch\(|XMLHttp|import\(|https?:", napoleon["book.js"])


def paragraph(rules: str, number: str) -> str:
    found = re.search(rf'<article class="paragraph" id="p-{re.escape(number)}">.*?</article>', rules, re.DOTALL)
    assert found is not None
    return found[0]


def test_paragraph_links_to_its_citations_and_back(napoleon):
    told = paragraph(napoleon["rules.html"], "10.21-c")
    assert 'href="charts.html#t-combat_table"' in told
    assert 'href="cases.html#c-C068"' in paragraph(napoleon["rules.html"], "10.11-d")
    line = re.search(r'href="source.html#(s-napoleon_2fbattle.rules-\d+)"', told)
    assert line is not None
    listed = next(x for x in napoleon["source.html"].split("\n") if f'id="{line[1]}"' in x)
    assert 'href="rules.html#p-10.21-c"' in listed
    chart = napoleon["charts.html"].partition('id="t-combat_table"')[2].partition("</section>")[0]
    assert 'href="rules.html#p-10.21-c"' in chart
    case = napoleon["cases.html"].partition('id="c-C068"')[2].partition("</tr>")[0]
    assert 'href="rules.html#p-10.11-d"' in case


def test_reconstructed_data_is_marked(napoleon):
    charts = napoleon["charts.html"]
    ours = charts.partition('id="t-combat_table"')[2].partition("</section>")[0]
    printed = charts.partition('id="t-declaration_table"')[2].partition("</section>")[0]
    assert 'class="mark reconstructed"' in ours and "One die in three hits" in ours
    assert "reconstructed" not in printed


def test_book_has_both_languages_with_links_between_them(napoleon):
    assert 'lang="ja"' in napoleon["ja/rules.html"] and "本国エリア" in napoleon["ja/rules.html"]
    assert 'href="ja/rules.html"' in napoleon["rules.html"]
    assert 'href="../rules.html"' in napoleon["ja/rules.html"]
    assert "本国エリア" not in napoleon["rules.html"]
    assert "rulebook" not in napoleon["ja/rules.html"].partition("<main")[0]


def test_language_that_is_asked_for_has_pages(tmp_path, capsys):
    folder = write(
        tmp_path,
        'turn:\n    for a in armies:\n        phase march "March of {a}": nothing\n',
        {"book.yaml": 'kind: rulebook\nformat: 1\nparagraphs: {"9.1": {text: One, definition: true}}\n'},
    )
    ruleset = folder / "ruleset.yaml"
    ruleset.write_text(ruleset.read_text().replace("languages: [en]", "languages: [en, ja]"))
    assert main(["docs", str(folder), "--out", str(tmp_path / "plain")]) == 0
    assert "plain/index.html" in capsys.readouterr().out and not (tmp_path / "plain/ja").exists()
    assert main(["--lang", "ja", "docs", str(folder), "--out", str(tmp_path / "asked")]) == 0
    assert "asked/ja/index.html" in capsys.readouterr().out
    assert 'lang="ja"' in (tmp_path / "asked/ja/rules.html").read_text()
    assert "March of …" in (tmp_path / "asked/aid.html").read_text()


def test_sheets_to_cut_out_are_true_to_size(napoleon):
    sheets = napoleon["sheets.html"]
    counters = re.findall(r'<svg viewBox="[^"]*" style="width:(\d+)mm;height:(\d+)mm"', sheets)
    assert len(counters) == 2 + 6  # fronts and backs of 78 counters; the map in six pieces
    wide, high, *_ = re.findall(r'<svg viewBox="-?[\d.]+ -?[\d.]+ ([\d.]+) ([\d.]+)" style="width:188mm', sheets)[0]
    assert float(wide) / 188 == pytest.approx(44 / 15, abs=0.01)  # a counter is 44 units and 15 mm
    assert float(high) / 44 == pytest.approx(7, abs=0.7)  # 78 counters in rows of twelve


def test_counter_that_is_turned_shows_its_other_state(napoleon):
    fronts, backs = re.findall(r'<section class="cut">.*?</section>', napoleon["sheets.html"], re.DOTALL)[:2]
    band = 'fill="#111111"'  # how the drawing shows units that are face-down
    assert fronts.count(band) == 0
    assert backs.count(band) == 78


def test_back_of_counter_of_two_steps_bears_other_step_and_no_mark_of_turn(tmp_path):
    moved = {"moved": "{type: flag, lasts: turn}"}
    folder = write(tmp_path, "turn:\n    end game drawn\n", unit=moved)  # worn or fresh
    drawing = "drawing:\n  pieces:\n    unit: {band: {by: moved, values: {true: '#111111'}}}\n"
    plan = folder / "map.yaml"
    plan.write_text(plan.read_text(encoding="utf-8") + drawing, encoding="utf-8")
    assert main(["docs", str(folder), "--out", str(tmp_path / "book")]) == 0
    sheets = (tmp_path / "book/sheets.html").read_text(encoding="utf-8")
    _fronts, backs = re.findall(r'<section class="cut">.*?</section>', sheets, re.DOTALL)[:2]
    assert backs.count("worn<") == 6 and "#111111" not in backs


def test_aid_holds_turn_and_every_chart(napoleon):
    aid = napoleon["aid.html"]
    for words in ("Order Phase", "Spanish attrition", "War-footing chart", "Activity table"):
        assert words in aid
    assert aid.count("<table>") == 10


def test_same_ruleset_gives_same_bytes(tmp_path):
    first = made(SKIRMISH, tmp_path / "here")
    environment = {**os.environ, "PYTHONHASHSEED": str(1 + (os.environ.get("PYTHONHASHSEED") == "1"))}
    command = [sys.executable, "-m", "interpreter", "docs", str(SKIRMISH), "--out", str(tmp_path / "there")]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    there = tmp_path / "there"
    assert first == {p.relative_to(there).as_posix(): p.read_text(encoding="utf-8") for p in there.rglob("*.*")}


def test_texts_of_ruleset_stay_texts(tmp_path):
    evil = "<img src=x onerror=alert(1)></script><script>alert(2)</script>&amp;\"'"
    game = tmp_path / "game"
    shutil.copytree(SKIRMISH, game)
    for name, pattern in (("ruleset.yaml", r"^title: .*$"), ("scenarios/meeting.yaml", r"^title: .*$")):
        file = game / name
        text, changed = re.subn(
            pattern, "title: '" + evil.replace("'", "''") + "'", file.read_text(), flags=re.MULTILINE
        )
        assert changed
        file.write_text(text)
    pages = made(game, tmp_path / "book")
    for name, text in pages.items():
        if name.endswith(".html"):
            page = Page(text)
            assert page.elements <= ELEMENTS, (name, page.elements - ELEMENTS)
            assert not [a for a in page.attributes if a.startswith("on")]
            assert text.count("<script") == 2
            assert "onerror=alert(1)&gt;" in text or name in ("charts.html",)
    assert "<" not in pages["search.js"]


def test_variant_begins_with_its_changes(tmp_path):
    shutil.copytree(SKIRMISH, tmp_path / "skirmish")
    variant = tmp_path / "crimson.yaml"
    about = "kind: variant\nformat: 1\nid: crimson\ntitle: Other colours\nextends: skirmish\n"
    variant.write_text(about + "ruleset: {sides: {members: {red: {name: Crimson}}}}\n", encoding="utf-8")
    index = made(variant, tmp_path / "book")["index.html"]
    assert "differences from" in index and "Crimson" in index.partition("differences from")[2]


def test_publish_refuses_non_empty_folder(tmp_path, capsys):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "letter.txt").write_text("dear diary")
    assert main(["docs", str(SKIRMISH), "--out", str(folder)]) == 2
    assert "letter.txt" in capsys.readouterr().err
    assert [p.name for p in folder.iterdir()] == ["letter.txt"]
    assert main(["docs", str(SKIRMISH), "--out", str(folder / "letter.txt")]) == 2
    assert main(["docs", "no-such-game", "--out", str(tmp_path / "none")]) == 2
    assert not (tmp_path / "none").exists()
    made(SKIRMISH, tmp_path / "twice")
    assert made(SKIRMISH, tmp_path / "twice")


@pytest.mark.skipif(BROWSER is None, reason=NO_BROWSER)
def test_browser_prints_page_to_scale_offline(tmp_path):
    sync_api = pytest.importorskip("playwright.sync_api")
    pages = tmp_path / "book"
    made(SKIRMISH, pages)
    made("denain-1712", tmp_path / "large")
    asked: list[str] = []
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER)
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: asked.append(str(error)))
        sizes = {}
        for name in ("book/aid", "large/aid", "large/ja/aid", "book/sheets"):
            page.goto((tmp_path / f"{name}.html").as_uri())
            printed = page.pdf(prefer_css_page_size=True)
            boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
            sizes[name] = [(round(float(w) / 72 * 25.4), round(float(h) / 72 * 25.4)) for w, h in boxes]
        page.goto((tmp_path / "large" / "index.html").as_uri())
        page.fill("#seek", "all round front")
        page.locator("#found a").first.wait_for()
        found = page.locator("#found a").all_inner_texts()
        page.click("#found a >> nth=0")
        page.wait_for_url("**/rules.html#p-*")
        where = page.url
        browser.close()
    assert sizes["book/aid"] == sizes["large/aid"] == sizes["large/ja/aid"] == [(297, 210)]
    assert set(sizes["book/sheets"]) == {(210, 297)} and len(sizes["book/sheets"]) == 3
    assert found == ["2-d All-round fronts"] or "2-d All-round fronts" in found
    assert "rules.html#p-" in where
    assert not [url for url in asked if not url.startswith("file:")]
