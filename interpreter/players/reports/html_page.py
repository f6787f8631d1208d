"""Render a report as one self-contained HTML page that loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from interpreter.diagnostics.html_markup import Inner, Markup, build_tag, join_parts
from interpreter.diagnostics.terminal_text import escape_text
from interpreter.i18n.translator import ENGLISH, Translator
from interpreter.play.lines import format_citations
from interpreter.players.reports.report_model import (
    Block,
    ReportFigure,
    ReportHeading,
    ReportItem,
    ReportParagraph,
    ReportTable,
)

_STYLE = """\
:root{color-scheme:light dark;--ink:#1d1c18;--paper:#fbfaf5;--quiet:#5f5a4c;--edge:#d3cdbb;--raised:#f2eede}
@media (prefers-color-scheme:dark){:root{--ink:#ece8db;--paper:#1a1916;--quiet:#b3ac99;--edge:#45423a;--raised:#25231e}
svg.map{filter:brightness(.86)}}
*{box-sizing:border-box}
body{max-width:64rem;margin:0 auto;padding:1rem;background:var(--paper);color:var(--ink);
font:1rem/1.55 system-ui,"Noto Sans","Noto Sans CJK JP","Hiragino Sans",sans-serif;overflow-wrap:anywhere}
h1{font-size:2rem;line-height:1.2}h2{margin-top:2.5rem;padding-top:.4rem;border-top:2px solid var(--edge)}
h3{margin-top:2rem}h4{margin:1.4rem 0 .3rem;color:var(--quiet)}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding:0;list-style:none}
a{color:inherit}:focus-visible{outline:3px solid currentColor;outline-offset:2px}
table{border-collapse:collapse;margin:.8rem 0}th,td{padding:.2rem .8rem .2rem 0;border-bottom:1px solid var(--edge);
text-align:left;vertical-align:top}.n{text-align:right;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}
ul.told{padding-left:1.2rem}ul.told ul{padding-left:1.2rem;color:var(--quiet)}.choice{font-weight:600}
small{color:var(--quiet);font-weight:400;font-size:.75em}
figure{margin:1rem 0}figcaption{color:var(--quiet);font-size:.95rem;margin-top:.3rem}
svg.map,svg.curve{display:block;width:100%;height:auto}
svg.map{max-height:92vh;background:#fbfaf5;border:1px solid var(--edge);border-radius:.4rem}
svg.curve{background:var(--raised);border-radius:.4rem;fill:currentColor}
.curve .grid,.curve .tick{stroke:currentColor;stroke-width:.7;opacity:.35;fill:none}
figure.course{overflow-x:auto}svg.curve{min-width:38rem}
.definitions{position:absolute;width:0;height:0}
@media print{:root{--ink:#000;--paper:#fff;--quiet:#333;--edge:#999;--raised:#fff}svg.map{filter:none}
body{max-width:none;padding:0;font-size:10pt}nav{display:none}figure,tr{break-inside:avoid}h2,h3,h4{break-after:avoid}
figure.phase svg.map{max-height:12cm}}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render_html_page(blocks: Sequence[Block], definitions: str, lang: str, say: Translator = ENGLISH) -> str:
    """Render a report as an HTML page; `definitions` is SVG markup shared by the figures.

    `lang`: the language code of the page.
    """
    title = next((block.text for block in blocks if isinstance(block, ReportHeading)), "")
    numbered = list(enumerate(blocks))
    parts = [(n, block) for n, block in numbered if isinstance(block, ReportHeading) and block.level in (2, 3)]
    links = [build_tag("li", build_tag("a", block.text, href=f"#part-{n}")) for n, block in parts]
    head = build_tag(
        "head",
        build_tag("meta", charset="utf-8"),
        build_tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        "\n",
        build_tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        "\n",
        build_tag("title", title),
        "\n",
        build_tag("style", Markup(_STYLE)),
    )
    contents = build_tag("nav", build_tag("ul", links), aria_label=say("contents"))
    main = build_tag("main", "\n", *((part, "\n") for part in _iter_body(numbered, contents)))
    body = build_tag("body", "\n", Markup(definitions), "\n", main, "\n")
    return "<!DOCTYPE html>\n" + build_tag("html", "\n", head, "\n", body, lang=lang or "en") + "\n"


def _iter_body(numbered: Iterable[tuple[int, Block]], contents: Markup | None) -> Iterator[Markup]:
    """Yield the markup of the blocks of a report, given with their numbers.

    `contents`: the table of contents, put before the first heading of level 2; None for none.
    """
    for is_list, run in groupby(numbered, key=lambda entry: isinstance(entry[1], ReportItem)):
        if is_list:
            yield _render_list([block for _, block in run if isinstance(block, ReportItem)])
            continue
        for n, block in run:
            if isinstance(block, ReportHeading) and block.level == 2 and contents is not None:
                yield contents
                contents = None
            yield _render_block(n, block)


def _render_list(items: Sequence[ReportItem]) -> Markup:
    """Render a list; the results of a choice form a nested list."""
    outer: list[Inner] = []
    for above, below in _group_results(items):
        results = build_tag("ul", [build_tag("li", _render_item(item)) for item in below]) if below else None
        outer.append(build_tag("li", _render_item(above), results))
    return build_tag("ul", outer, class_="told")


def _group_results(items: Sequence[ReportItem]) -> list[tuple[ReportItem, list[ReportItem]]]:
    """Pair each item with its results; a result without an item before it is an item itself."""
    groups: list[tuple[ReportItem, list[ReportItem]]] = []
    for item in items:
        if item.is_below and groups:
            groups[-1][1].append(item)
        else:
            groups.append((item, []))
    return groups


def _render_item(item: ReportItem) -> Markup:
    """Render the text of an item with its citations in small print."""
    cited = format_citations(item.citations).strip()
    text = join_parts(escape_text(item.text), (" ", build_tag("small", cited)) if cited else None)
    return build_tag("span", text, class_="choice") if item.is_choice else text


def _render_block(number: int, block: Block) -> Markup:
    """Render block `number` of a report that is not an item of a list."""
    match block:
        case ReportHeading(level=level, text=text):
            return build_tag(f"h{level}", escape_text(text), id=f"part-{number}" if level in (2, 3) else None)
        case ReportParagraph(text=text):
            return build_tag("p", escape_text(text))
        case ReportTable():
            return _render_table(block)
        case ReportFigure(drawing=drawing, caption=caption, sort=sort):
            labelled_drawing = Markup(drawing.replace("<svg ", f'<svg aria-labelledby="caption-{number}" ', 1))
            figcaption = build_tag("figcaption", escape_text(caption), id=f"caption-{number}")
            return build_tag(
                "figure", labelled_drawing, figcaption, class_=sort, tabindex="0" if sort == "course" else None
            )
    return Markup()


def _render_table(table: ReportTable) -> Markup:
    """Render a table with a scroll bar."""

    def build_row(cells: Sequence[str], name: str) -> Markup:
        cells_with_class = [(escape_text(cell), "n" if n >= table.numbers else None) for n, cell in enumerate(cells)]
        return build_tag("tr", [build_tag(name, cell, class_=cls) for cell, cls in cells_with_class])

    body = build_tag("tbody", [build_row(cells, "td") for cells in table.rows])
    return build_tag(
        "div", build_tag("table", build_tag("thead", build_row(table.heads, "th")), body), class_="wide", tabindex="0"
    )
