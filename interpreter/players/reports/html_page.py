"""Render a report as one self-contained HTML page that loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from interpreter.diagnostics.terminal_text import escape_text
from interpreter.i18n.translator import ENGLISH, Translate
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


def html_page(blocks: Sequence[Block], definitions: str, lang: str, say: Translate = ENGLISH) -> str:
    """Render the page; `definitions` is SVG markup shared by the figures."""
    title = next((block.text for block in blocks if isinstance(block, ReportHeading)), "")
    numbered = list(enumerate(blocks))
    contents = [(n, block) for n, block in numbered if isinstance(block, ReportHeading) and block.level in (2, 3)]
    links = "".join(f'<li><a href="#part-{n}">{_text(block.text)}</a></li>' for n, block in contents)
    named = say("contents")
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{_text(lang or "en")}">',
            '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            f"<title>{_text(title)}</title>",
            f"<style>{_STYLE}</style></head>",
            "<body>",
            definitions,
            "<main>",
            *_body(numbered, f'<nav aria-label="{_text(named)}"><ul>{links}</ul></nav>'),
            "</main>",
            "</body></html>",
            "",
        ]
    )


def _body(numbered: Iterable[tuple[int, Block]], contents: str) -> list[str]:
    parts: list[str] = []
    for is_list, run in groupby(numbered, key=lambda entry: isinstance(entry[1], ReportItem)):
        if is_list:
            parts.append(_list([block for _, block in run if isinstance(block, ReportItem)]))
            continue
        for n, block in run:
            if isinstance(block, ReportHeading) and block.level == 2 and contents:
                parts.append(contents)
                contents = ""
            parts.append(_render_block(n, block))
    return parts


def _list(items: Sequence[ReportItem]) -> str:
    """Render a list; the results of a choice are a nested list."""
    lines = ['<ul class="told">']
    is_inside = False
    for n, item in enumerate(items):
        if item.is_below and n and not is_inside:
            lines.append("<ul>")
        elif is_inside and not item.is_below:
            lines.append("</ul></li>")
        elif n and not item.is_below:
            lines.append("</li>")
        is_inside = item.is_below and (is_inside or n > 0)
        text = _text(item.text)
        if item.citations:
            text += f" <small>{_text(format_citations(item.citations).strip())}</small>"
        text = f'<span class="choice">{text}</span>' if item.is_choice else text
        lines.append(f"<li>{text}</li>" if is_inside else f"<li>{text}")
    lines.append("</ul></li></ul>" if is_inside else "</li></ul>")
    return "".join(lines)


def _render_block(number: int, block: Block) -> str:
    match block:
        case ReportHeading(level=level, text=text):
            name = f' id="part-{number}"' if level in (2, 3) else ""
            return f"<h{level}{name}>{_text(text)}</h{level}>"
        case ReportParagraph(text=text):
            return f"<p>{_text(text)}</p>"
        case ReportTable():
            return _table(block)
        case ReportFigure(drawing=drawing, caption=caption, sort=sort):
            scrolled = ' tabindex="0"' if sort == "course" else ""
            opened = f'<figure class="{_text(sort)}"{scrolled}>'
            named = drawing.replace("<svg ", f'<svg aria-labelledby="caption-{number}" ', 1)
            return f'{opened}{named}<figcaption id="caption-{number}">{_text(caption)}</figcaption></figure>'
    return ""


def _table(table: ReportTable) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        return "".join(
            f'<{tag} class="n">{_text(cell)}</{tag}>' if n >= table.numbers else f"<{tag}>{_text(cell)}</{tag}>"
            for n, cell in enumerate(cells)
        )

    rows = "".join(f"<tr>{row(cells, 'td')}</tr>" for cells in table.rows)
    head = f"<thead><tr>{row(table.heads, 'th')}</tr></thead>"
    return f'<div class="wide" tabindex="0"><table>{head}<tbody>{rows}</tbody></table></div>'


def _text(text: str) -> str:
    return escape(escape_text(text))
