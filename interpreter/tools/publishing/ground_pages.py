"""The map, the places on it, and the scenarios with their set-ups. Must not draw."""

from __future__ import annotations

from dataclasses import replace

from interpreter.tools.handbook.description_lines import exchange_words
from interpreter.tools.handbook.descriptions import map_data, options_data, scenarios_data
from interpreter.tools.maps.svg import svg_map
from interpreter.tools.publishing.chart_pages import authority, ours, source_mark
from interpreter.tools.publishing.markup import Inner, Markup, between, joined, tag
from interpreter.tools.publishing.matter import Data, Matter
from interpreter.tools.publishing.references import Pages, anchor


def picture(matter: Matter, scenario: str | None) -> Markup:
    """The map with the set-up of a scenario; without pieces where none is named. Drawn once for all pages."""
    if scenario not in matter.drawn:
        shown = matter.shown[scenario] if scenario else None
        if shown is None:
            first = next(iter(matter.shown.values()))
            shown = replace(first, standing={}, beside={}, when="", turn=0)
        drawn = svg_map(matter.ruleset, shown.scenario, matter.lang, shown, matter.say)
        matter.drawn[scenario] = drawn.partition("?>\n")[2]
    return tag("div", Markup(matter.drawn[scenario]), class_="picture")


def ground(matter: Matter, pages: Pages) -> Markup:
    """The map without pieces, then the places: all of a map of areas, those with a name of their own on a grid."""
    say, data = matter.say, map_data(matter.ruleset, matter.lang)
    is_grid = matter.ruleset.grid is not None
    places = [p for p in data["places"] if not p["holding"] and (not is_grid or _has_name(p))]
    found: list[Inner] = [picture(matter, None)]
    found.append(ours([*data["attributes"], *data["edge_attributes"]], matter))
    if places:
        found += [tag("h2", say("places")), _table(places, matter, pages, with_links=not is_grid)]
    off_map = [p for p in data["places"] if p["holding"]]
    if off_map:
        names = [p["label"] or matter.tongue.called(p["id"]) for p in off_map]
        found.append(tag("p", tag("b", say("off the map:")), " ", between(", ", names)))
    return joined(found)


def _has_name(place: Data) -> bool:
    return bool(place["label"]) and place["label"] != place["id"]


def _table(places: list[Data], matter: Matter, pages: Pages, with_links: bool) -> Markup:
    say, tongue = matter.say, matter.tongue
    names = [n for n in dict.fromkeys(n for p in places for n in p["attributes"]) if _is_told(n, places)]
    head = [say("place"), *(tongue.called(n).replace("_", " ") for n in names)]
    if with_links:
        head.append(say("touches"))
    rows = []
    for place in places:
        name = place["label"] or tongue.called(place["id"])
        cells = [tag("td", tongue.value(place["attributes"].get(n))) for n in names]
        if with_links:
            near = [_neighbour(n, matter) for n in place["neighbours"]]
            cells.append(tag("td", between(", ", near)))
        cites = pages.cites(place["cite"], matter.ruleset.rulebook)
        rows.append(tag("tr", tag("th", name, source_mark(place, matter, brief=True), cites, scope="row"), cells))
    table = tag("table", tag("thead", tag("tr", [tag("th", h, scope="col") for h in head])), tag("tbody", rows))
    return tag("div", table, class_="wide")


def _is_told(name: str, places: list[Data]) -> bool:
    """Whether anybody has something there."""
    return any(p["attributes"].get(name) not in (None, False, "", [], 0) for p in places)


def _neighbour(neighbour: Data, matter: Matter) -> Markup:
    tongue = matter.tongue
    values = [tongue.value(v) for v in neighbour["attributes"].values() if v not in (None, False, "", [])]
    told = [" (", between(", ", values), ")"] if values else []
    return joined(neighbour["label"] or tongue.called(neighbour["id"]), source_mark(neighbour, matter, True), told)


def scenarios(matter: Matter, pages: Pages) -> Markup:
    """Each scenario with its map, then the optional rules."""
    say, found = matter.say, list[Inner]()
    for data in scenarios_data(matter.ruleset, matter.lang)["scenarios"]:
        known = matter.ruleset.rulebook
        head = tag("h2", data["title"] or data["id"], pages.cites(data["cite"], known), source_mark(data, matter))
        about = [tag("p", data["about"])] if data["about"] else []
        facts = [say("length: {number} turns", number=data["turns"])] if data["turns"] else []
        if data["options"]:
            facts.append(say("options: {names}", names=matter.tongue.value(data["options"])))
        told = [tag("p", fact) for fact in facts]
        told += told_before(data["told"], matter, pages)
        inner = [head, about, authority(data, matter), told, picture(matter, data["id"])]
        found.append(tag("section", inner, id=anchor("sc", data["id"]), class_="scenario"))
    options = options_data(matter.ruleset, matter.lang)["options"]
    if options:
        found += [tag("h2", say("optional rules")), tag("dl", [_option(o, matter, pages) for o in options])]
    return joined(found) if found else tag("p", say("no scenarios"))


def told_before(tellings: list[Data], matter: Matter, pages: Pages) -> list[Markup]:
    """What players are told before they begin: who plays for what, how points are counted, how it ends."""
    known = matter.ruleset.rulebook
    whom = [[tag("b", x["label"]), " "] if x["seat"] else [] for x in tellings]
    return [tag("p", who, x["text"], pages.cites(x["cite"], known)) for who, x in zip(whom, tellings, strict=True)]


def _option(option: Data, matter: Matter, pages: Pages) -> Markup:
    say, name = matter.say, option["label"] or matter.tongue.called(option["id"]).replace("_", " ")
    told = [tag("code", f"--option {option['id']}")]
    if option["needs"]:
        told.append(tag("span", " ", say("needs {options}", options=matter.tongue.listed(option["needs"]))))
    if option["excludes"]:
        told.append(tag("span", " ", say("excludes {options}", options=matter.tongue.listed(option["excludes"]))))
    told += [tag("span", " ", words) for words in exchange_words(option, say)]
    cites = pages.cites(option["cite"], matter.ruleset.rulebook)
    title = tag("dt", name, cites, source_mark(option, matter), id=anchor("o", option["id"]))
    told += told_before(option["told"], matter, pages)
    return joined(title, tag("dd", told, authority(option, matter)))
