"""Who cites what: places in a book by their anchors, and for each paragraph all that cites it. Must not lay out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interpreter.tools.site.book_context import BookContext
from interpreter.tools.site.markup import Inner, Markup, between, joined, tag

_NO_ANCHOR = re.compile(r"[^A-Za-z0-9_.-]+")
_CITED = re.compile(r"\.cite(\[\d+\])?$")
_CHART = re.compile(r"^(tables\.tables|activation\.orders)\.([^.\[]+)")
SORTS = {"p": "rules", "t": "charts", "v": "charts", "c": "cases", "s": "source", "sc": "scenarios", "o": "scenarios"}


@dataclass(frozen=True, slots=True)
class BookAnchors:
    """How one place of a book is reached from another: on its own page, or, where `inside` is not empty, in one file
    that holds only the pages of these names."""

    inside: frozenset[str] = frozenset()

    def href(self, sort: str, name: str) -> str | None:
        """Where something is found; None where the book has no such page."""
        page = SORTS[sort]
        if not self.inside:
            return f"{page}.html#{anchor(sort, name)}"
        return f"#{anchor(sort, name)}" if page in self.inside else None

    def link(self, sort: str, name: str, *inner: Inner) -> Markup:
        """A link to it, or its words alone."""
        href = self.href(sort, name)
        return tag("a", *inner, href=href) if href else tag("span", *inner)

    def cites(self, numbers: Iterable[str], known: Mapping[str, object]) -> Markup:
        """The numbers of paragraphs in brackets, each a link; nothing where there are none."""
        links = [self.link("p", n, n) if n in known else n for n in numbers]
        return tag("span", " [", between(", ", links), "]", class_="cites") if links else joined()


def anchor(sort: str, name: str) -> str:
    """The anchor of something in a book; letters that are not of the plain alphabet by their numbers."""
    return f"{sort}-" + _NO_ANCHOR.sub(lambda found: "".join(f"_{ord(c):x}" for c in found[0]), name)


def line_name(file: str, line: int) -> str:
    """The name under which a line of a listed file is found."""
    return f"{file}-{line}"


@dataclass(frozen=True, slots=True)
class CitationIndex:
    """Who cites a paragraph: lines of rules (what, file, line), data (path, file, line), charts and cases by id."""

    rules: tuple[tuple[str, str, int], ...] = ()
    data: tuple[tuple[str, str, int], ...] = ()
    charts: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()


def citations(matter: BookContext) -> dict[str, CitationIndex]:
    """For each paragraph what cites it, in order."""
    rules: dict[str, list[tuple[str, str, int]]] = {}
    for number, found in matter.model.cited.items():
        rules[number] = sorted({(what, span.file, span.line) for what, span in found}, key=lambda x: (x[1], x[2], x[0]))
    data: dict[str, list[tuple[str, str, int]]] = {}
    charts: dict[str, list[str]] = {}
    for leaf in (leaf for leaves in matter.listing.values() for leaf in leaves):
        if not _CITED.search(leaf.path):
            continue
        number, path = str(leaf.value), _CITED.sub("", leaf.path)
        chart = _CHART.match(path)
        if chart and chart[2] in matter.ruleset.tables:
            charts.setdefault(number, []).append(chart[2])
        else:
            data.setdefault(number, []).append((path, leaf.file, leaf.line))
    cases: dict[str, list[str]] = {}
    for case in matter.cases:
        for number in case.rules:
            cases.setdefault(number, []).append(case.id)
    return {
        number: CitationIndex(
            tuple(rules.get(number, ())),
            tuple(data.get(number, ())),
            tuple(dict.fromkeys(charts.get(number, ()))),
            tuple(dict.fromkeys(cases.get(number, ()))),
        )
        for number in matter.ruleset.rulebook
    }
