"""Draw a map as text for a terminal: grids as hexes or squares, areas as a list.

Each space shows its id, the mark of its sort and the letters of the sides there. Most lines are hard to draw with
characters, so links with values are listed below. Prints nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.i18n.translator import ENGLISH, Translator, get_translator
from interpreter.model import types as t
from interpreter.model.ruleset import Grid, Ruleset, Scenario, Thing
from interpreter.tools.describe.description_lines import format_map
from interpreter.tools.describe.descriptions import describe_map
from interpreter.tools.describe.ruleset_names import add_names
from interpreter.tools.describe.value_format import format_label, get_thing, to_plain_value, translate_name
from interpreter.tools.maps.counters import get_name
from interpreter.tools.maps.geometry import compute_geometry, get_grid_form, get_shifted_parity
from interpreter.tools.maps.legend import collect_notes, format_title
from interpreter.tools.maps.piece_groups import PlacedGroup, ShownPosition, build_initial_position
from interpreter.tools.maps.style import (
    MapStyle,
    find_written_value,
    format_attribute,
    format_fill_name,
    format_mark_name,
    get_inner_type,
    list_spaces,
    resolve_style,
)
from interpreter.tools.maps.text.area_sketch import AreaSketch, SketchArea
from interpreter.tools.maps.text.page import (
    Bank,
    ConditionMark,
    FillMark,
    MapWindow,
    PageSpace,
    TextGroup,
    TextLegend,
    TextPage,
    fill_page,
    format_group,
    format_list,
    render_page,
)

_SIGNS = "~=#+%&"  # signs of lines along sides, in drawing order


def render_text_map(
    ruleset: Ruleset,
    scenario: Scenario | None = None,
    lang: str = "",
    say: Translator = ENGLISH,
    position: ShownPosition | None = None,
    width: int = 0,
) -> list[str]:
    """Render the shown position as text lines, with legend, lists and notes on reconstructed data.

    `position` defaults to what the documents place. `say` translates the texts of the interface; `width` in cells, 0
    for unlimited.
    """
    position = position or build_initial_position(ruleset, scenario)
    looks = resolve_style(ruleset, lang, position.look_values)
    if ruleset.grid is None:
        title = format_title(ruleset, position.scenario, lang, position.when, say)
        areas = _render_areas(ruleset, looks, position, lang, say)
        return [title, "", *areas, *_list_places_beside(ruleset, looks, position, lang, say)]
    page, standing = create_page(ruleset, ruleset.grid, position.scenario, lang), _build_groups(position.groups, looks)
    if page.fill:
        values = [find_written_value(ruleset, "place", page.fill, values) for values in position.places]
        page = fill_page(page, values, position.look_values.get(page.fill, {}))
    when, marked = say(position.when) if position.when else "", position.mark_characters(ruleset.drawing)
    lines = render_page(page, standing, marked, MapWindow(width), say, when)
    return [*lines, *_list_places_beside(ruleset, looks, position, lang, say)]


def _list_places_beside(
    ruleset: Ruleset, style: MapStyle, position: ShownPosition, lang: str, say: Translator
) -> list[str]:
    """Return lines that list the pieces in places off the map; or [] if all are on it."""
    places = ruleset.kinds["place"].things
    lines: list[str] = []
    for handle, groups in position.off_map_groups.items():
        name = format_label(places[handle].label, lang) or places[handle].id
        lines += format_list(f"  {name}", _format_pieces(groups, ruleset, style, lang), indent=4, say=say)
    return ["", say("waiting off the map:"), *lines] if lines else []


def create_page(ruleset: Ruleset, grid: Grid, scenario: Scenario | None = None, lang: str = "") -> TextPage:
    """Return the page of a grid map without pieces; `scenario` gives only the title and the notes on reconstruction."""
    looks = resolve_style(ruleset, lang)
    kinds = ruleset.kinds
    attributes = kinds["place"].attributes
    is_fixed = looks.fill in attributes and not attributes[looks.fill].changes
    marks = [f"{f.look.mark} {f.words}" for f in looks.fills]
    banks, bank_names = _list_banks(ruleset, grid, looks)
    return TextPage(
        content_hash=ruleset.content_hash,
        legend=_build_legend(ruleset, looks, lang),
        title=format_title(ruleset, scenario, lang, say=get_translator(lang)),
        form=get_grid_form(grid),
        shifted=get_shifted_parity(grid),
        spaces=_list_spaces(ruleset, grid, looks),
        marks=marks,
        fill="" if is_fixed or not marks else looks.fill,
        fill_title=format_fill_name(ruleset, looks.fill, lang),
        filling=[FillMark(f.value, f.look.mark, format_label(f.look.name, lang)) for f in looks.fills],
        sides_title=translate_name(ruleset, kinds["side"].many, lang),
        names=_list_names(ruleset, grid, lang),
        links=_list_links(ruleset, lang),
        places=[place.id for place in kinds["place"].things],
        pieces=[format_label(piece.label, lang) or piece.id for piece in kinds["piece"].things],
        conditions=[
            ConditionMark(mark.when, mark.mark, format_mark_name(ruleset, mark, lang))
            for mark in ruleset.drawing.marks
            if mark.mark
        ],
        provenance=collect_notes(ruleset, scenario, lang),
        banks=banks,
        bank_names=bank_names,
    )


def _build_legend(ruleset: Ruleset, style: MapStyle, lang: str) -> TextLegend:
    """Return the names of sides and pieces that a text map in a language uses."""
    return TextLegend(
        lang=lang,
        sides=[(style.sides[n][1], format_label(s.label, lang)) for n, s in enumerate(ruleset.kinds["side"].things)],
        colours=[(letter, colour) for _, (colour, letter) in sorted(style.sides.items())],
        classes={
            cls.id: (translate_name(ruleset, cls.one, lang), translate_name(ruleset, cls.many, lang))
            for cls in ruleset.classes.values()
            if cls.alike
        },
        owners={cls: look.owner for cls, look in style.counters.items()},
    )


def create_sketch(ruleset: Ruleset, lang: str = "") -> AreaSketch:
    """Create the text sketch of a map of areas."""
    looks, layout = resolve_style(ruleset, lang), compute_geometry(ruleset)
    width, height = layout.size
    spaces = [(n, format_label(p.label, lang) or p.id) for n, p in list_spaces(ruleset) if n in layout.middles]
    return AreaSketch(
        content_hash=ruleset.content_hash,
        legend=_build_legend(ruleset, looks, lang),
        areas=[SketchArea(n, layout.middles[n][0] / width, layout.middles[n][1] / height, name) for n, name in spaces],
        links=[edge.ends for edge in ruleset.kinds["edge"].things if edge.ends is not None],
    )


def _list_banks(ruleset: Ruleset, grid: Grid, style: MapStyle) -> tuple[list[Bank], list[tuple[str, str]]]:
    """Return the lines along sides of spaces, such as rivers, and (sign, text) for each sign that draws them."""
    used = {f.look.mark for f in style.fills} | {letter for _, letter in style.sides.values()}
    signs = iter([sign for sign in _SIGNS if sign not in used])
    along = [look for look in style.lines if look.line.course == "along"]
    named = {(look.attribute, look.value): sign for look, sign in zip(along, signs, strict=False)}
    words = [(named[look.attribute, look.value], look.words) for look in along if (look.attribute, look.value) in named]
    banks = []
    for edge in ruleset.kinds["edge"].things:
        ends = [grid.column_row[end] for end in edge.ends or ()]
        shown_looks = style.list_lines(ruleset, edge.values)
        sign = next((named[key] for x in shown_looks if (key := (x.attribute, x.value)) in named), None)
        if sign is not None and len(ends) == 2 and ends[0] is not None and ends[1] is not None:
            banks.append(Bank(ends[0], ends[1], sign))
    return banks, words


def _build_groups(groups: Mapping[int, Sequence[PlacedGroup]], style: MapStyle) -> dict[int, list[TextGroup]]:
    return {place: [_build_group(group, style) for group in members] for place, members in groups.items()}


def _build_group(group: PlacedGroup, style: MapStyle) -> TextGroup:
    return TextGroup(
        group.handle, group.piece.cls or "", style.find_side(group.piece.cls, group.values), group.count, group.short
    )


def _list_spaces(ruleset: Ruleset, grid: Grid, style: MapStyle) -> list[PageSpace]:
    spaces = []
    for handle, place in list_spaces(ruleset):
        where = grid.column_row[handle]
        if where is not None:
            look = style.find_fill(ruleset, place.values)
            spaces.append(PageSpace(handle, *where, place.id, look.look.mark if look else " "))
    return spaces


def _list_names(ruleset: Ruleset, grid: Grid, lang: str) -> list[str]:
    """Return "id name" for each space that has a name of its own, and for each place beside the grid."""
    names = []
    for handle, place in list_spaces(ruleset):
        name = format_label(place.label, lang)
        own_name = name.replace(place.id, "").strip()
        if grid.column_row[handle] is None or own_name:
            names.append(f"{place.id} {own_name}".strip())
    return names


def _list_links(ruleset: Ruleset, lang: str) -> list[tuple[str, list[str]]]:
    """Return (attribute name, texts of its links) for each attribute that some link has.

    The text of a link names its places and, unless the value is just yes, the value.
    """
    kind = ruleset.kinds["edge"]
    links = []
    for name, attribute in kind.attributes.items():
        where = [w for edge in kind.things if (w := _format_location(edge, name, attribute.type, ruleset, lang))]
        if where:
            links.append((format_attribute(attribute, lang), where))
    return links


def _format_location(edge: Thing, name: str, type: t.Type, ruleset: Ruleset, lang: str) -> str:
    value = edge.values.get(name)
    if value is None or value is False or value == "" or value == ():
        return ""
    return edge.id if value is True else f"{edge.id} ({_format_value(value, type, ruleset, lang)})"


def _format_value(value: object, type: t.Type, ruleset: Ruleset, lang: str) -> str:
    inner = get_inner_type(type)
    if isinstance(inner, t.ThingType) and isinstance(value, int):
        thing = get_thing(ruleset, inner.kind, value)
        return format_label(thing.label, lang) or thing.id
    return ENGLISH.format_value(to_plain_value(value, type, ruleset))


def _list_area_texts(ruleset: Ruleset, handle: int, style: MapStyle, position: ShownPosition, lang: str) -> list[str]:
    """Return the words shown on an area that the position determines.

    They are the meaning of its colour (if an expression gives the colour), its written texts, and the words of its
    marks. `handle`: the handle of the area.
    """
    is_expression = style.fill not in ruleset.kinds["place"].attributes
    fill = style.find_fill(ruleset, position.places[handle]) if is_expression else None
    texts = [fill.words] if fill is not None else []
    texts += position.texts.get(handle, {}).values()
    marks = ruleset.drawing.marks
    return texts + [
        text or format_mark_name(ruleset, marks[n], lang) for n, text in position.marked.get(handle, {}).items()
    ]


def _format_pieces(groups: Sequence[PlacedGroup], ruleset: Ruleset, style: MapStyle, lang: str) -> list[str]:
    """Return the text of each group of pieces; identical pieces are counted, such as "3 units (Reds)"."""
    legend = _build_legend(ruleset, style, lang)
    return [format_group(_build_group(group, style), get_name(group, lang), legend) for group in groups]


def _render_areas(ruleset: Ruleset, style: MapStyle, position: ShownPosition, lang: str, say: Translator) -> list[str]:
    """Return lines that list the places, separated by blank lines, with their texts and pieces."""
    data, say = describe_map(ruleset, lang), add_names(say, ruleset, lang)
    handles = {place.id: handle for handle, place in enumerate(ruleset.kinds["place"].things)}
    lines = format_map({**data, "places": []}, say)
    bare = {**data, "attributes": [], "edge_attributes": []}
    for place in data["places"]:
        if place["holding"]:
            continue
        lines += [*([""] if lines else []), *format_map({**bare, "places": [place]}, say)]
        handle = handles[place["id"]]
        if written := _list_area_texts(ruleset, handle, style, position, lang):
            lines += format_list("  " + say("written on the map"), written, say=say)
        if handle in position.groups:
            pieces = _format_pieces(position.groups[handle], ruleset, style, lang)
            lines += format_list("  " + say("here"), pieces, say=say)
    return [*lines, *format_map({**bare, "places": [p for p in data["places"] if p["holding"]]}, say)]
