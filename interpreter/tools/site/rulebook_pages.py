"""Render the rulebook: paragraphs by chapter, each with its citations."""

from __future__ import annotations

import re
from itertools import groupby

from interpreter.diagnostics.html_markup import Inner, Markup, build_tag, join_parts, join_with
from interpreter.tools.describe.description_lines import format_condition
from interpreter.tools.describe.descriptions import describe_paragraph
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.site.book_context import BookContext
from interpreter.tools.site.references import BookAnchors, CitationIndex, format_anchor, format_line_name

_CHAPTER = re.compile(r"[A-Za-z]+|\d+|.")


def render_rulebook(book: BookContext, pages: BookAnchors, cited: dict[str, CitationIndex]) -> Markup:
    """Render all paragraphs in the order of the documents, with a heading for each chapter."""
    say = book.say
    if not book.ruleset.rulebook:
        return build_tag("p", say("no rulebook"))
    parts: list[Inner] = []
    chapters = [(key, list(group)) for key, group in groupby(book.ruleset.rulebook, find_chapter)]
    links = [build_tag("a", name, href=f"#ch-{n}") for n, (name, _numbers) in enumerate(chapters)]
    parts.append(build_tag("nav", join_with(" ", links), class_="chapters", aria_label=say("chapters")))
    for n, (name, numbers) in enumerate(chapters):
        title = say("chapter {name}", name=name)
        inside = [_render_paragraph(book, number, pages, cited[number]) for number in numbers]
        parts.append(build_tag("section", build_tag("h2", title, id=f"ch-{n}"), *inside))
    return join_parts(parts)


def find_chapter(number: str) -> str:
    """Return the chapter of a paragraph: the leading letters or digits of its number."""
    match = _CHAPTER.match(number)
    return match[0] if match else number


def _render_paragraph(book: BookContext, number: str, pages: BookAnchors, cited: CitationIndex) -> Markup:
    say, data = book.say, describe_paragraph(book.ruleset, number, book.lang)
    title = "" if data["title"] == number else data["title"]
    marks: list[Inner] = []
    if data["ruling"]:
        marks.append(build_tag("span", say("ruling"), class_="mark"))
    if data["definition"]:
        marks.append(build_tag("span", say("definition"), class_="mark"))
    head = build_tag(
        "h3",
        build_tag("a", number, href=f"#{format_anchor('p', number)}", class_="number"),
        " ",
        title,
        *[(" ", m) for m in marks],
    )
    text = [build_tag("p", part) for part in data["text"].split("\n\n")]
    if data["replaced_when"]:
        condition = say("not in effect while: {condition}", condition=format_condition(data["replaced_when"], book.say))
        text.append(build_tag("p", condition, class_="note"))
    return build_tag(
        "article", head, text, _render_citing(book, pages, cited), class_="paragraph", id=format_anchor("p", number)
    )


def _render_citing(book: BookContext, pages: BookAnchors, cited: CitationIndex) -> Inner:
    """Render the links to what cites a paragraph, charts first, as these are wanted most.

    A book in one file has the charts only. Return None without links.
    """
    say, known, lines = book.say, book.ruleset.tables, []
    if cited.charts:
        names = [pages.render_link("t", c, format_label(known[c].label, book.lang) or c) for c in cited.charts]
        lines.append((say("charts"), names))
    if not pages.inside:
        if cited.rules:
            lines.append((say("rules"), [_render_line_link(pages, *place) for place in cited.rules]))
        if cited.data:
            lines.append((say("data"), [_render_line_link(pages, *place) for place in cited.data]))
        if cited.cases:
            lines.append((say("cases"), [pages.render_link("c", c, c) for c in cited.cases]))
    paragraphs = [
        build_tag("p", build_tag("b", say("{what}:", what=heading)), " ", join_with(", ", links))
        for heading, links in lines
    ]
    return build_tag("div", paragraphs, class_="citing") if paragraphs else None


def _render_line_link(pages: BookAnchors, text: str, file: str, line: int) -> Markup:
    return join_parts(
        pages.render_link("s", format_line_name(file, line), text),
        build_tag("small", f" {file.rpartition('/')[2]}:{line}"),
    )
