"""Render the map, the places on it, the scenarios with their set-ups, and the map as sheets of paper to scale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, hypot

from interpreter.diagnostics.html_markup import Inner, Markup, build_tag, join_parts, join_with
from interpreter.diagnostics.svg_markup import build_element, format_coordinate
from interpreter.tools.describe.description_lines import describe_exchanges
from interpreter.tools.describe.descriptions import describe_map, describe_options, describe_scenarios
from interpreter.tools.maps.counters import LARGEST
from interpreter.tools.maps.drawing_context import create_context
from interpreter.tools.maps.geometry import MapGeometry
from interpreter.tools.maps.shapes import FONT
from interpreter.tools.maps.svg import render_ground, render_map
from interpreter.tools.site.book_context import BookContext, Data
from interpreter.tools.site.chart_pages import render_note, render_source_mark, render_unprinted
from interpreter.tools.site.counter_pages import SIZE
from interpreter.tools.site.references import BookAnchors, format_anchor


def render_picture(book: BookContext, scenario: str | None) -> Markup:
    """Return the map with the set-up of a scenario, or without pieces for None. Memoized for all pages."""
    if scenario not in book.map_cache:
        position = book.start_positions[scenario] if scenario else None
        if position is None:
            first = next(iter(book.start_positions.values()))
            position = replace(first, groups={}, off_map_groups={}, when="", turn=0)
        svg = render_map(book.ruleset, position.scenario, book.lang, position, book.say)
        book.map_cache[scenario] = svg.partition("?>\n")[2]
    return build_tag("div", Markup(book.map_cache[scenario]), class_="picture")


def render_ground_page(book: BookContext, pages: BookAnchors) -> Markup:
    """Render the map without pieces, then its places: all areas, or the named spaces of a grid."""
    say, data = book.say, describe_map(book.ruleset, book.lang)
    is_grid = book.ruleset.grid is not None
    places = [p for p in data["places"] if not p["holding"] and (not is_grid or _has_name(p))]
    parts: list[Inner] = [render_picture(book, None)]
    parts.append(render_unprinted([*data["attributes"], *data["edge_attributes"]], book))
    if places:
        parts += [build_tag("h2", say("places")), _render_places(places, book, pages, with_links=not is_grid)]
    off_map = [p for p in data["places"] if p["holding"]]
    if off_map:
        names = [p["label"] or book.say.translate_name(p["id"]) for p in off_map]
        parts.append(build_tag("p", build_tag("b", say("off the map:")), " ", join_with(", ", names)))
    return join_parts(parts)


def _has_name(place: Data) -> bool:
    return bool(place["label"]) and place["label"] != place["id"]


def _render_places(places: list[Data], book: BookContext, pages: BookAnchors, with_links: bool) -> Markup:
    say = book.say
    names = [n for n in dict.fromkeys(n for p in places for n in p["attributes"]) if _has_values(n, places)]
    head = [say("place"), *(say.translate_name(n).replace("_", " ") for n in names)]
    if with_links:
        head.append(say("adjacent places"))
    rows = []
    for place in places:
        name = place["label"] or say.translate_name(place["id"])
        cells = [build_tag("td", say.format_value(place["attributes"].get(n))) for n in names]
        if with_links:
            near = [_render_neighbour(n, book) for n in place["neighbours"]]
            cells.append(build_tag("td", join_with(", ", near)))
        head_cell = build_tag(
            "th", name, render_source_mark(place["source"], book, True), pages.render_cites(place["cite"]), scope="row"
        )
        rows.append(build_tag("tr", head_cell, cells))
    table = build_tag(
        "table",
        build_tag("thead", build_tag("tr", [build_tag("th", h, scope="col") for h in head])),
        build_tag("tbody", rows),
    )
    return build_tag("div", table, class_="wide")


def _has_values(name: str, places: list[Data]) -> bool:
    """Return True if any place has a value other than no, zero or empty for the attribute `name`."""
    return any(p["attributes"].get(name) not in (None, False, "", [], 0) for p in places)


def _render_neighbour(neighbour: Data, book: BookContext) -> Markup:
    name = neighbour["label"] or book.say.translate_name(neighbour["id"])
    values = [book.say.format_value(v) for v in neighbour["attributes"].values() if v not in (None, False, "", [])]
    value_list = [" (", join_with(", ", values), ")"] if values else []
    return join_parts(name, render_source_mark(neighbour["source"], book, True), value_list)


def render_scenarios(book: BookContext, pages: BookAnchors) -> Markup:
    """Render each scenario with its map, then the optional rules."""
    say, parts = book.say, list[Inner]()
    for data in describe_scenarios(book.ruleset, book.lang)["scenarios"]:
        head = build_tag(
            "h2",
            data["title"] or data["id"],
            pages.render_cites(data["cite"]),
            render_source_mark(data["source"], book),
        )
        about = [build_tag("p", data["about"])] if data["about"] else []
        facts = [say("length: {number} (turn|turns)", number=data["turns"])] if data["turns"] else []
        if data["options"]:
            facts.append(say("options: {names}", names=book.say.format_value(data["options"])))
        paragraphs = [build_tag("p", fact) for fact in facts]
        paragraphs += render_briefing(data["told"], book, pages)
        inner = [
            head,
            about,
            render_note(data["source"], data["note"], book),
            paragraphs,
            render_picture(book, data["id"]),
        ]
        parts.append(build_tag("section", inner, id=format_anchor("sc", data["id"]), class_="scenario"))
    options = describe_options(book.ruleset, book.lang)["options"]
    if options:
        parts += [
            build_tag("h2", say("optional rules")),
            build_tag("dl", [_render_option(o, book, pages) for o in options]),
        ]
    return join_parts(parts) if parts else build_tag("p", say("no scenarios"))


def render_briefing(texts: list[Data], book: BookContext, pages: BookAnchors) -> list[Markup]:
    """Render a paragraph for each text for players: what each seat plays for, how points count, how the game ends.

    `texts`: the texts as `describe_player_texts` returns them.
    """
    addressees = [[build_tag("b", x["label"]), " "] if x["seat"] else [] for x in texts]
    return [
        build_tag("p", addressee, x["text"], pages.render_cites(x["cite"]))
        for addressee, x in zip(addressees, texts, strict=True)
    ]


def _render_option(option: Data, book: BookContext, pages: BookAnchors) -> Markup:
    say, name = book.say, option["label"] or book.say.translate_name(option["id"]).replace("_", " ")
    facts = [build_tag("code", f"--option {option['id']}")]
    if option["needs"]:
        facts.append(build_tag("span", " ", say("needs {options}", options=book.say.join_list(option["needs"]))))
    if option["excludes"]:
        facts.append(build_tag("span", " ", say("excludes {options}", options=book.say.join_list(option["excludes"]))))
    facts += [build_tag("span", " ", words) for words in describe_exchanges(option, say)]
    cites = pages.render_cites(option["cite"])
    title = build_tag(
        "dt", name, cites, render_source_mark(option["source"], book), id=format_anchor("o", option["id"])
    )
    facts += render_briefing(option["told"], book, pages)
    return join_parts(title, build_tag("dd", facts, render_note(option["source"], option["note"], book)))


TILE = (190.0, 262.0)  # printable size of a sheet in millimetres
_SPACE = 20.0  # width of a grid space in millimetres: a counter and a margin


@dataclass(frozen=True, slots=True)
class Tile:
    """A sheet of a map cut for printing: its row and column, counted from 1, and its picture as SVG."""

    row: int
    column: int
    picture: Markup


@dataclass(frozen=True, slots=True)
class MapTiling:
    """The map cut into sheets: the whole map as a shared SVG group, the numbers of rows and columns, and each sheet."""

    markup: Markup
    rows: int
    columns: int
    tiles: tuple[Tile, ...]


def tile_map(book: BookContext) -> MapTiling:
    """Return the map cut into sheets of paper, each of which refers to the whole map."""
    context = create_context(book.ruleset, next(iter(book.start_positions.values())), book.lang, book.say)
    ground_markup, layout = render_ground(context), context.geometry
    inside = ground_markup[ground_markup.index(">") + 1 : ground_markup.rindex("</svg>")]
    map_markup = build_element(
        "svg",
        build_element("defs", build_element("g", inside, id="whole")),
        width=0,
        height=0,
        style="position:absolute",
        aria_hidden="true",
        font_family=FONT,
    )
    unit = compute_print_scale(layout)
    wide, high = TILE[0] * unit, TILE[1] * unit
    columns, rows = ceil(layout.size[0] / wide), ceil(layout.size[1] / high)
    tiles = tuple(
        Tile(row + 1, column + 1, _render_tile(column * wide, row * high, wide, high))
        for row in range(rows)
        for column in range(columns)
    )
    return MapTiling(Markup(map_markup), rows, columns, tiles)


def compute_print_scale(layout: MapGeometry) -> float:
    """Return how many pixels of a map are printed per millimetre, so that its spaces hold the printed counters."""
    if not layout.corners:
        return LARGEST / SIZE
    across = min(hypot(a[0] + b[0], a[1] + b[1]) for a, b in zip(layout.corners, layout.corners[1:], strict=False))
    return across / _SPACE


def _render_tile(x: float, y: float, wide: float, high: float) -> Markup:
    return Markup(
        build_element(
            "svg",
            build_element("use", href="#whole"),
            viewBox=" ".join(format_coordinate(n) for n in (x, y, wide, high)),
            style=f"width:{TILE[0]:.0f}mm;height:{TILE[1]:.0f}mm",
            class_="tile",
            font_family=FONT,
        )
    )
