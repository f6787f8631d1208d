"""Render the map, the places on it, and the scenarios with their set-ups."""

from __future__ import annotations

from dataclasses import replace

from interpreter.diagnostics.html_markup import Inner, Markup, join_parts, join_with, tag
from interpreter.tools.describe.description_lines import exchange_words
from interpreter.tools.describe.descriptions import map_data, options_data, scenarios_data
from interpreter.tools.maps.svg import render_map
from interpreter.tools.site.book_context import BookContext, Data
from interpreter.tools.site.chart_pages import authority, render_unprinted, source_mark
from interpreter.tools.site.references import BookAnchors, anchor


def picture(book: BookContext, scenario: str | None) -> Markup:
    """Return the map with the set-up of a scenario, or without pieces for None. Memoized for all pages."""
    if scenario not in book.map_cache:
        shown = book.start_positions[scenario] if scenario else None
        if shown is None:
            first = next(iter(book.start_positions.values()))
            shown = replace(first, groups={}, off_map_groups={}, when="", turn=0)
        drawn = render_map(book.ruleset, shown.scenario, book.lang, shown, book.say)
        book.map_cache[scenario] = drawn.partition("?>\n")[2]
    return tag("div", Markup(book.map_cache[scenario]), class_="picture")


def render_ground_page(book: BookContext, pages: BookAnchors) -> Markup:
    """Render the map without pieces, then its places: all areas, or the named spaces of a grid."""
    say, data = book.say, map_data(book.ruleset, book.lang)
    is_grid = book.ruleset.grid is not None
    places = [p for p in data["places"] if not p["holding"] and (not is_grid or _has_name(p))]
    found: list[Inner] = [picture(book, None)]
    found.append(render_unprinted([*data["attributes"], *data["edge_attributes"]], book))
    if places:
        found += [tag("h2", say("places")), _table(places, book, pages, with_links=not is_grid)]
    off_map = [p for p in data["places"] if p["holding"]]
    if off_map:
        names = [p["label"] or book.formatter.name_of(p["id"]) for p in off_map]
        found.append(tag("p", tag("b", say("off the map:")), " ", join_with(", ", names)))
    return join_parts(found)


def _has_name(place: Data) -> bool:
    return bool(place["label"]) and place["label"] != place["id"]


def _table(places: list[Data], book: BookContext, pages: BookAnchors, with_links: bool) -> Markup:
    say, formatter = book.say, book.formatter
    names = [n for n in dict.fromkeys(n for p in places for n in p["attributes"]) if _has_values(n, places)]
    head = [say("place"), *(formatter.name_of(n).replace("_", " ") for n in names)]
    if with_links:
        head.append(say("touches"))
    rows = []
    for place in places:
        name = place["label"] or formatter.name_of(place["id"])
        cells = [tag("td", formatter.value(place["attributes"].get(n))) for n in names]
        if with_links:
            near = [_neighbour(n, book) for n in place["neighbours"]]
            cells.append(tag("td", join_with(", ", near)))
        cites = pages.cites(place["cite"], book.ruleset.rulebook)
        rows.append(tag("tr", tag("th", name, source_mark(place, book, brief=True), cites, scope="row"), cells))
    table = tag("table", tag("thead", tag("tr", [tag("th", h, scope="col") for h in head])), tag("tbody", rows))
    return tag("div", table, class_="wide")


def _has_values(name: str, places: list[Data]) -> bool:
    """Return True if any place has a value for this attribute."""
    return any(p["attributes"].get(name) not in (None, False, "", [], 0) for p in places)


def _neighbour(neighbour: Data, book: BookContext) -> Markup:
    formatter = book.formatter
    values = [formatter.value(v) for v in neighbour["attributes"].values() if v not in (None, False, "", [])]
    told = [" (", join_with(", ", values), ")"] if values else []
    return join_parts(
        neighbour["label"] or formatter.name_of(neighbour["id"]), source_mark(neighbour, book, True), told
    )


def scenarios(book: BookContext, pages: BookAnchors) -> Markup:
    """Render each scenario with its map, then the optional rules."""
    say, found = book.say, list[Inner]()
    for data in scenarios_data(book.ruleset, book.lang)["scenarios"]:
        known = book.ruleset.rulebook
        head = tag("h2", data["title"] or data["id"], pages.cites(data["cite"], known), source_mark(data, book))
        about = [tag("p", data["about"])] if data["about"] else []
        facts = [say("length: {number} turns", number=data["turns"])] if data["turns"] else []
        if data["options"]:
            facts.append(say("options: {names}", names=book.formatter.value(data["options"])))
        told = [tag("p", fact) for fact in facts]
        told += render_briefing(data["told"], book, pages)
        inner = [head, about, authority(data, book), told, picture(book, data["id"])]
        found.append(tag("section", inner, id=anchor("sc", data["id"]), class_="scenario"))
    options = options_data(book.ruleset, book.lang)["options"]
    if options:
        found += [tag("h2", say("optional rules")), tag("dl", [_option(o, book, pages) for o in options])]
    return join_parts(found) if found else tag("p", say("no scenarios"))


def render_briefing(tellings: list[Data], book: BookContext, pages: BookAnchors) -> list[Markup]:
    """Render the briefing of the players: what each seat plays for, how points are counted, how the game ends."""
    known = book.ruleset.rulebook
    whom = [[tag("b", x["label"]), " "] if x["seat"] else [] for x in tellings]
    return [tag("p", who, x["text"], pages.cites(x["cite"], known)) for who, x in zip(whom, tellings, strict=True)]


def _option(option: Data, book: BookContext, pages: BookAnchors) -> Markup:
    say, name = book.say, option["label"] or book.formatter.name_of(option["id"]).replace("_", " ")
    told = [tag("code", f"--option {option['id']}")]
    if option["needs"]:
        told.append(tag("span", " ", say("needs {options}", options=book.formatter.join_list(option["needs"]))))
    if option["excludes"]:
        told.append(tag("span", " ", say("excludes {options}", options=book.formatter.join_list(option["excludes"]))))
    told += [tag("span", " ", words) for words in exchange_words(option, say)]
    cites = pages.cites(option["cite"], book.ruleset.rulebook)
    title = tag("dt", name, cites, source_mark(option, book), id=anchor("o", option["id"]))
    told += render_briefing(option["told"], book, pages)
    return join_parts(title, tag("dd", told, authority(option, book)))
