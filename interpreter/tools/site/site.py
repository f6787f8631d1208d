"""Assemble all files of a book: its pages in every language, one file to print, a search index."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from itertools import groupby

from interpreter.api.rules import Rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.html_markup import Inner, Markup, build_tag, join_parts, join_with
from interpreter.diagnostics.record_walk import iter_records
from interpreter.diagnostics.source_text import Source
from interpreter.documents.listing import list_resolved_values
from interpreter.documents.pipeline import read_trees
from interpreter.documents.target import find_base
from interpreter.i18n.translator import Translator, get_translator, mark as _
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Provenance, Ruleset
from interpreter.model.texts import collect_translatable_names
from interpreter.tools.cases.case_documents import collect_cases
from interpreter.tools.describe.descriptions import describe_overview, describe_player_texts
from interpreter.tools.describe.ruleset_names import add_names
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.diff.comparison import compare, format_comparison, read_snapshot
from interpreter.tools.maps.counter_faces import render_counter_css
from interpreter.tools.maps.piece_groups import build_initial_position
from interpreter.tools.site.book_context import BookContext, ShownIn, list_book_languages
from interpreter.tools.site.chart_pages import render_charts
from interpreter.tools.site.counter_pages import render_counter_sheets, render_pieces
from interpreter.tools.site.map_pages import render_briefing, render_ground_page, render_scenarios, tile_map
from interpreter.tools.site.player_aid import render_aid, render_sequence
from interpreter.tools.site.references import BookAnchors, format_anchor, format_line_name, index_citations
from interpreter.tools.site.rulebook_pages import render_rulebook

# Render the sources: the cases, and the rules and data with citations, line by line.
_CITED = re.compile(r"(?<=\[)[^\[\]\n]+(?=\])|(?<=cite: )[^\s,}\[\]]+")


def render_cases(book: BookContext, pages: BookAnchors) -> Markup:
    """Render the cases by file, each with the paragraphs it is about."""
    if not book.cases:
        return build_tag("p", book.say("no cases"))
    sections: list[Inner] = []
    for file, group in groupby(book.cases, lambda case: case.span.file):
        rows = [
            build_tag(
                "tr",
                build_tag("th", case.id, scope="row"),
                build_tag("td", case.title),
                build_tag("td", join_with(", ", [pages.render_paragraph_link(n) for n in case.rules])),
                build_tag("td", build_tag("small", f"{case.span.file.rpartition('/')[2]}:{case.span.line}")),
                id=format_anchor("c", case.id),
            )
            for case in group
        ]
        sections.append(
            build_tag(
                "section",
                build_tag("h2", file),
                build_tag("div", build_tag("table", build_tag("tbody", rows)), class_="wide"),
            )
        )
    return join_parts(sections)


def find_sources(book: BookContext) -> list[Source]:
    """Return the rules files, then the documents that contain citations, each file once."""
    ruleset = book.ruleset
    sources = {source.name: source for source in (*ruleset.rules, *ruleset.changes)}
    for spans in book.model.cited.values():
        sources.update({span.source.name: span.source for _what, span in spans if span.source.name not in sources})
    for origin in (x for x in iter_records(ruleset) if isinstance(x, Provenance)):
        if origin.cite:
            sources.setdefault(origin.span.source.name, origin.span.source)
    return [source for name, source in sources.items() if source.text]


def render_sources(book: BookContext, pages: BookAnchors) -> Markup:
    """Return HTML of all source files of the ruleset with line numbers; citations in them link to the paragraphs."""
    sources = find_sources(book)
    links = [build_tag("a", source.name, href=f"#{format_anchor('f', source.name)}") for source in sources]
    parts: list[Inner] = [build_tag("nav", join_with(" · ", links), class_="chapters")]
    for source in sources:
        lines = source.text.rstrip("\n").split("\n")
        inner = [_render_line(source.name, n, line, pages) for n, line in enumerate(lines, 1)]
        parts.append(build_tag("h2", source.name, id=format_anchor("f", source.name)))
        parts.append(build_tag("pre", inner, class_="listing"))
    return join_parts(parts)


def _render_line(file: str, number: int, text: str, pages: BookAnchors) -> Markup:
    parts: list[Inner] = []
    position = 0
    for match in _CITED.finditer(text):
        names = [name.strip(" \"'") for name in match[0].split(",")]
        if all(name in pages.paragraphs for name in names):
            parts += [text[position : match.start()], join_with(", ", [pages.render_paragraph_link(n) for n in names])]
            position = match.end()
    code = join_parts(parts, text[position:])
    code_markup = build_tag("i", code) if text.lstrip().startswith("#") else code
    name = format_anchor("s", format_line_name(file, number))
    return join_parts(build_tag("a", f"{number:4}", href=f"#{name}", id=name, class_="line"), " ", code_markup, "\n")


_TITLES = {
    "index": _("the game"),
    "rules": _("rulebook"),
    "charts": _("charts"),
    "map": _("map"),
    "pieces": _("counters"),
    "scenarios": _("scenarios"),
    "cases": _("cases"),
    "source": _("rules as written"),
    "aid": _("player's aid"),
    "sheets": _("sheets to cut out"),
    "book": _("all in one, to print"),
}
_IN_BOOK = frozenset({"rules", "charts", "map", "pieces", "scenarios"})
_PAGES: dict[str, Callable[[BookContext, BookAnchors], Markup]] = {
    "charts": render_charts,
    "map": render_ground_page,
    "pieces": render_pieces,
    "scenarios": render_scenarios,
    "cases": render_cases,
    "source": render_sources,
}


def _iter_site_files(books: list[BookContext]) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of every file of a book.

    `books`: the book in each language; the first lies at the top level, others in folders.
    """
    own = files(__package__)
    for name, more in (("book.css", render_counter_css()), ("book.js", "")):
        yield name, own.joinpath(name).read_text(encoding="utf-8") + more
    for n, book in enumerate(books):
        above, folder = ("", "") if n == 0 else ("../", f"{book.lang}/")
        for name, body in _iter_pages(book):
            yield f"{folder}{name}.html", _render_document(book, books, name, body, above)
        yield f"{folder}search.js", _render_search_index(book)


def _iter_pages(book: BookContext) -> Iterator[tuple[str, Markup]]:
    separate, cited = BookAnchors(book.ruleset.rulebook), index_citations(book)
    yield "index", _render_front(book, separate)
    yield "rules", render_rulebook(book, separate, cited)
    for name, render in _PAGES.items():
        yield name, render(book, separate)
    yield "aid", render_aid(book, separate)
    yield "sheets", _render_cut_sheets(book)
    combined = BookAnchors(book.ruleset.rulebook, _IN_BOOK)
    parts: list[tuple[str, Markup]] = [("rules", render_rulebook(book, combined, cited))]
    parts += [(name, render(book, combined)) for name, render in _PAGES.items() if name in _IN_BOOK]
    yield (
        "book",
        join_parts(
            _render_front(book, combined),
            [build_tag("section", build_tag("h1", book.say(_TITLES[n])), body, class_="part") for n, body in parts],
        ),
    )


def _render_front(book: BookContext, pages: BookAnchors) -> Markup:
    """Render the front page: the game, the seats' goals, the end of the game, and what was not printed."""
    say, ruleset, data = book.say, book.ruleset, describe_overview(book.ruleset, book.lang)
    parts: list[Inner] = [build_tag("h1", book.title, class_="title")]
    parts += [build_tag("p", part, class_="about") for part in data["about"].split("\n\n") if part]
    if book.differs:
        base = say("differences from {base}:", base=str(ruleset.extends))
        parts += [build_tag("h2", base), build_tag("ul", [build_tag("li", line.strip()) for line in book.differs])]
    victory = ruleset.victory
    parts += render_briefing(describe_player_texts(victory.texts, ruleset, book.lang), book, pages)
    for level in victory.levels:
        parts.append(
            build_tag("p", format_label(level.title, book.lang) or level.id, pages.render_cites(level.origin.cite))
        )
    parts.append(render_sequence(book, pages))
    documents = [e for e in data["reconstructed"] if "." not in e["what"]]
    if data["reconstructed"]:
        parts.append(build_tag("h2", say("not as printed")))
        parts += [build_tag("p", entry["note"] or entry["what"], class_="note reconstructed") for entry in documents]
        number = len(data["reconstructed"]) - len(documents)
        text = say("entries marked as reconstructed: {number}", number=number)
        parts.append(build_tag("p", text))
    if not pages.inside:
        pages_listed = [(name, title) for name, title in _TITLES.items() if name != "index"]
        parts.append(
            build_tag(
                "ul", [build_tag("li", build_tag("a", say(title), href=f"{name}.html")) for name, title in pages_listed]
            )
        )
    return build_tag("section", parts, class_="front")


def _render_cut_sheets(book: BookContext) -> Markup:
    """Render sheets of counters, then the parts of the map; each page has a ruler to check its scale."""
    say, tiling = book.say, tile_map(book)
    parts: list[Inner] = []
    for n, sheet in enumerate(render_counter_sheets(book)):
        side = _("counters {number}: fronts") if n % 2 == 0 else _("counters {number}: backs")
        parts.append(_render_sheet(book, say(side, number=n // 2 + 1), sheet))
    parts.append(tiling.markup)
    for tile in tiling.tiles:
        text = say(
            "map: row {row} of {rows}, column {column} of {columns}",
            row=tile.row,
            rows=tiling.rows,
            column=tile.column,
            columns=tiling.columns,
        )
        parts.append(_render_sheet(book, text, tile.picture))
    return join_parts(parts)


def _render_sheet(book: BookContext, title: str, markup: Markup) -> Markup:
    ruler = build_tag("span", book.say("100 mm when printed at full size"), class_="ruler")
    return build_tag(
        "section", build_tag("p", book.title, " · ", title, " ", ruler, class_="label"), markup, class_="cut"
    )


def _render_document(book: BookContext, books: list[BookContext], name: str, body: Markup, root_prefix: str) -> str:
    say, title = book.say, book.say(_TITLES[name])
    head = build_tag(
        "head",
        build_tag("meta", charset="utf-8"),
        build_tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        build_tag("title", f"{title}: {book.title}"),
        build_tag("link", rel="stylesheet", href=f"{root_prefix}book.css"),
    )
    heading = build_tag("h1", title) if name not in ("index", "book", "aid", "sheets") else None
    page = build_tag(
        "body",
        build_tag("a", say("to the text"), href="#text", class_="skip"),
        build_tag("header", _render_menu(book, name), _render_languages(books, book, name, root_prefix)),
        build_tag("main", heading, body, id="text"),
        build_tag("script", src="search.js"),
        build_tag("script", src=f"{root_prefix}book.js"),
        class_=f"page-{name}",
    )
    return "<!DOCTYPE html>\n" + build_tag("html", head, "\n", page, lang=book.lang) + "\n"


def _render_menu(book: BookContext, name: str) -> Markup:
    links = [
        build_tag("a", book.say(title), href=f"{page}.html", aria_current="page" if page == name else None)
        for page, title in _TITLES.items()
    ]
    say = book.say
    seek = build_tag("input", type="search", id="seek", placeholder=say("search"), aria_label=say("search"))
    results = build_tag("ul", id="found", aria_live="polite", hidden=True, data_none=say("nothing found"))
    return join_parts(
        build_tag("nav", join_with(" ", links), aria_label=say("pages")), build_tag("div", seek, results, class_="seek")
    )


def _render_languages(books: list[BookContext], book: BookContext, name: str, root_prefix: str) -> Inner:
    if len(books) < 2:
        return None
    links = []
    for n, other in enumerate(books):
        folder = "" if n == 0 else f"{other.lang}/"
        is_current = other.lang == book.lang
        href = f"{root_prefix}{folder}{name}.html"
        links.append(
            build_tag("a", other.lang, href=href, hreflang=other.lang, aria_current="true" if is_current else None)
        )
    return build_tag("nav", join_with(" ", links), class_="languages", aria_label=book.say("languages"))


def _render_search_index(book: BookContext) -> str:
    """Render the search index as JavaScript: (address, title, text) of each entry."""
    ruleset, lang = book.ruleset, book.lang
    entries = [
        (f"rules.html#{format_anchor('p', p.id)}", f"{p.id} {format_label(p.title, lang)}", format_label(p.text, lang))
        for p in ruleset.rulebook.values()
    ]
    for table in ruleset.tables.values():
        text = " ".join(label for axis in table.axes for label in axis.labels)
        entries.append(
            (f"charts.html#{format_anchor('t', table.id)}", format_label(table.label, lang) or table.id, text)
        )
    for scenario in ruleset.scenarios.values():
        title = format_label(scenario.title, lang) or scenario.id
        entries.append(
            (f"scenarios.html#{format_anchor('sc', scenario.id)}", title, format_label(scenario.about, lang))
        )
    for option in ruleset.options.values():
        title = format_label(option.label, lang) or option.id
        entries.append((f"scenarios.html#{format_anchor('o', option.id)}", title, ""))
    entries += [(f"cases.html#{format_anchor('c', case.id)}", f"{case.id} {case.title}", "") for case in book.cases]
    listed = json.dumps(entries, ensure_ascii=True, indent=0).replace("<", "\\u003c")
    return f"const ENTRIES = {listed};\n"


def build_book(rules: Rules, shown_in: ShownIn, wanted_lang: str = "") -> dict[str, str]:
    """Return the text of every file of the book by the name of the file.

    `shown_in` returns the starting position of a scenario in a language. `wanted_lang`: a language to include even if
    little of the rulebook is translated.
    """
    assert rules.model is not None
    model = replace(rules.model, ruleset=rules.documents())  # a cached model may name pictures of another folder
    ruleset, target = model.ruleset, rules.target
    trees = read_trees(target, Sink())
    listing = list_resolved_values(trees) if trees else {}
    cases = tuple(collect_cases(target, Sink()))
    books = []
    for lang in list_book_languages(ruleset, wanted_lang):
        say = _build_translator_with_names(model, lang)
        positions = {name: shown_in(name, lang) for name in ruleset.scenarios} or {
            "": build_initial_position(ruleset, None)
        }
        differs = _describe_differences(ruleset, target, lang)
        books.append(BookContext(model, listing, cases, positions, differs, lang, say))
    return dict(_iter_site_files(books))


def _build_translator_with_names(model: CheckedModel, lang: str) -> Translator:
    """Return a translator with the ruleset's names; an id without one is written with blanks for underscores."""
    known = add_names(get_translator(lang), model.ruleset, lang, always=True)
    plain = {
        name: name.replace("_", " ")
        for name in sorted(collect_translatable_names(model))
        if "_" in name and "." not in name
    }
    return replace(known, names={**plain, **known.names})


def _describe_differences(ruleset: Ruleset, target: str, lang: str) -> tuple[str, ...]:
    """Return lines that describe what a variant changes in its base; () if the ruleset is not a variant."""
    below = find_base(target) if ruleset.extends is not None else None
    if below is None:
        return ()
    say = get_translator(lang)
    return tuple(format_comparison(compare(read_snapshot(below), read_snapshot(target), lang, say), say, False))
