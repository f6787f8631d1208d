"""Cross-references: anchors of places in a book, and everything that cites each paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interpreter.diagnostics.html_markup import Inner, Markup, build_tag, join_parts, join_with
from interpreter.tools.site.book_context import BookContext

_NO_ANCHOR = re.compile(r"[^A-Za-z0-9_.-]+")
_CITED = re.compile(r"\.cite(\[\d+\])?$")
_CHART = re.compile(r"^(tables\.tables|activation\.orders)\.([^.\[]+)")
SORTS = {"p": "rules", "t": "charts", "v": "charts", "c": "cases", "s": "source", "sc": "scenarios", "o": "scenarios"}


@dataclass(frozen=True, slots=True)
class BookAnchors:
    """A builder of links between places of a book.

    `paragraphs`: the rulebook by number. Links lead to separate pages or, if `inside` is not empty, into one file that
    holds only the pages named there.
    """

    paragraphs: Mapping[str, object]
    inside: frozenset[str] = frozenset()

    def find_href(self, sort: str, name: str) -> str | None:
        """Return the address of the entry `name` of a sort, or None if the book does not contain the sort's page."""
        page = SORTS[sort]
        if not self.inside:
            return f"{page}.html#{format_anchor(sort, name)}"
        return f"#{format_anchor(sort, name)}" if page in self.inside else None

    def render_link(self, sort: str, name: str, *inner: Inner) -> Markup:
        """Render a link to the entry `name` of a sort around `inner`, or only the text if the book has no such page."""
        href = self.find_href(sort, name)
        return build_tag("a", *inner, href=href) if href else build_tag("span", *inner)

    def render_paragraph_link(self, number: str) -> Inner:
        """Render a paragraph number as a link, or as text if the rulebook does not have it."""
        return self.render_link("p", number, number) if number in self.paragraphs else number

    def render_cites(self, numbers: Iterable[str]) -> Markup:
        """Render paragraph numbers in brackets, each as a link; empty without numbers."""
        links = [self.render_paragraph_link(number) for number in numbers]
        return build_tag("span", " [", join_with(", ", links), "]", class_="cites") if links else join_parts()


def format_anchor(sort: str, name: str) -> str:
    """Return the anchor of the entry `name` of a sort; characters other than plain ones become hexadecimal codes."""
    return f"{sort}-" + _NO_ANCHOR.sub(lambda match: "".join(f"_{ord(c):x}" for c in match[0]), name)


def format_line_name(file: str, line: int) -> str:
    """Return the name of a line for `format_anchor`, from the name of its file and its number."""
    return f"{file}-{line}"


@dataclass(frozen=True, slots=True)
class CitationIndex:
    """The places that cite a paragraph of the rulebook.

    `rules`: (name of the item, file, line) of each; `data`: (path in the documents, file, line) of each; `charts` and
    `cases`: their ids.
    """

    rules: tuple[tuple[str, str, int], ...] = ()
    data: tuple[tuple[str, str, int], ...] = ()
    charts: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()


def index_citations(book: BookContext) -> dict[str, CitationIndex]:
    """Return the places that cite each paragraph, by its number."""
    rules: dict[str, list[tuple[str, str, int]]] = {}
    for number, places in book.model.cited.items():
        rules[number] = sorted(
            {(name, span.file, span.line) for name, span in places}, key=lambda x: (x[1], x[2], x[0])
        )
    data: dict[str, list[tuple[str, str, int]]] = {}
    charts: dict[str, list[str]] = {}
    for leaf in (leaf for leaves in book.listing.values() for leaf in leaves):
        if not _CITED.search(leaf.path):
            continue
        number, path = str(leaf.value), _CITED.sub("", leaf.path)
        chart = _CHART.match(path)
        if chart and chart[2] in book.ruleset.tables:
            charts.setdefault(number, []).append(chart[2])
        else:
            data.setdefault(number, []).append((path, leaf.file, leaf.line))
    cases: dict[str, list[str]] = {}
    for case in book.cases:
        for number in case.rules:
            cases.setdefault(number, []).append(case.id)
    return {
        number: CitationIndex(
            tuple(rules.get(number, ())),
            tuple(data.get(number, ())),
            tuple(dict.fromkeys(charts.get(number, ()))),
            tuple(dict.fromkeys(cases.get(number, ()))),
        )
        for number in book.ruleset.rulebook
    }
