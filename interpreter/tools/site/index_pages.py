"""Render the sources: the cases, and the rules and data with citations, line by line."""

from __future__ import annotations

import re
from itertools import groupby

from interpreter.diagnostics.record_walk import records_within
from interpreter.diagnostics.source_text import Source
from interpreter.model.ruleset import Origin
from interpreter.tools.site.book_context import BookContext
from interpreter.tools.site.markup import Inner, Markup, join_parts, join_with, tag
from interpreter.tools.site.references import BookAnchors, anchor, line_name

_CITED = re.compile(r"(?<=\[)[^\[\]\n]+(?=\])|(?<=cite: )[^\s,}\[\]]+")


def cases(book: BookContext, pages: BookAnchors) -> Markup:
    """Render the cases by file, each with the paragraphs it is about."""
    if not book.cases:
        return tag("p", book.say("no cases"))
    found: list[Inner] = []
    for file, group in groupby(book.cases, lambda case: case.span.file):
        rows = [
            tag(
                "tr",
                tag("th", case.id, scope="row"),
                tag("td", case.title),
                tag("td", join_with(", ", [_paragraph(n, book, pages) for n in case.rules])),
                tag("td", tag("small", f"{case.span.file.rpartition('/')[2]}:{case.span.line}")),
                id=anchor("c", case.id),
            )
            for case in group
        ]
        found.append(tag("section", tag("h2", file), tag("div", tag("table", tag("tbody", rows)), class_="wide")))
    return join_parts(found)


def _paragraph(number: str, book: BookContext, pages: BookAnchors) -> Inner:
    return pages.link("p", number, number) if number in book.ruleset.rulebook else number


def find_sources(book: BookContext) -> list[Source]:
    """Return the files of rules, then those of data with citations, each once."""
    ruleset = book.ruleset
    found = {source.name: source for source in (*ruleset.rules, *ruleset.changes)}
    for spans in book.model.cited.values():
        found.update({span.source.name: span.source for _what, span in spans if span.source.name not in found})
    for origin in (x for x in records_within(ruleset) if isinstance(x, Origin)):
        if origin.cite:
            found.setdefault(origin.span.source.name, origin.span.source)
    return [source for name, source in found.items() if source.text]


def listing(book: BookContext, pages: BookAnchors) -> Markup:
    """Render the files with line numbers; every cited paragraph is a link."""
    sources = find_sources(book)
    links = [tag("a", source.name, href=f"#{anchor('f', source.name)}") for source in sources]
    found: list[Inner] = [tag("nav", join_with(" · ", links), class_="chapters")]
    for source in sources:
        lines = source.text.rstrip("\n").split("\n")
        inner = [_line(source.name, n, line, book, pages) for n, line in enumerate(lines, 1)]
        found.append(tag("h2", source.name, id=anchor("f", source.name)))
        found.append(tag("pre", inner, class_="listing"))
    return join_parts(found)


def _line(file: str, number: int, text: str, book: BookContext, pages: BookAnchors) -> Markup:
    parts: list[Inner] = []
    at = 0
    for found in _CITED.finditer(text):
        names = [name.strip(" \"'") for name in found[0].split(",")]
        if all(name in book.ruleset.rulebook for name in names):
            parts += [text[at : found.start()], join_with(", ", [pages.link("p", n, n) for n in names])]
            at = found.end()
    code = join_parts(parts, text[at:])
    shown = tag("i", code) if text.lstrip().startswith("#") else code
    name = anchor("s", line_name(file, number))
    return join_parts(tag("a", f"{number:4}", href=f"#{name}", id=name, class_="line"), " ", shown, "\n")
