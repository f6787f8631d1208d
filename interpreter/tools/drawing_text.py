"""A map drawn with characters for a terminal: grids as hexes or squares, areas as a list.

Each space shows its id, the mark of its sort and the letters of the sides that stand there. Lines
cannot be drawn well with characters: links with values are listed below. Must not write anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from interpreter.model import types as t
from interpreter.model.ruleset import Grid, Ruleset, Scenario, Thing
from interpreter.source.printing import cell_width, printable
from interpreter.speech import ENGLISH, Say
from interpreter.tools.description_text import map_lines
from interpreter.tools.descriptions import map_data
from interpreter.tools.drawing_layout import form_of, shifted_lines
from interpreter.tools.drawing_legend import reconstructed_lines, title_of
from interpreter.tools.drawing_looks import Looks, attribute_words, looks_of, spaces_of
from interpreter.tools.drawing_setup import Standing, standing_pieces
from interpreter.tools.values import data_text, label_words, name_words, thing_of, value_data

_WIDE = 100  # letters in a line of the lists
_NOBODY = "*"  # stands for pieces without a side
_LONGEST = 9  # letters in a space; what is longer is cut

_Cells = dict[tuple[int, int], tuple[str, str]]


def text_map(
    ruleset: Ruleset,
    scenario: Scenario | None = None,
    lang: str = "",
    standing: Mapping[int, Sequence[Standing]] | None = None,
    brief: bool = False,
    say: Say = ENGLISH,
) -> list[str]:
    """The lines of the drawing with its legend, its lists and what is reconstructed.

    `standing`: who stands where, by place handle; the scenario's set-up where it is not given. `brief`
    leaves the lists out; `say` puts the interface's words into a language.
    """
    looks = looks_of(ruleset, lang)
    if standing is None:
        standing = standing_pieces(ruleset, scenario)
    head = [title_of(ruleset, scenario, lang), ""]
    if ruleset.grid is None:
        return [*head, *_areas(ruleset, looks, standing, lang, say)]
    cells = _cells(ruleset, ruleset.grid, looks, standing)
    if brief:
        return [*_grid(ruleset.grid, cells), "", *_legend(ruleset, looks, standing, lang, say)]
    return [
        *head,
        *_grid(ruleset.grid, cells),
        "",
        *_legend(ruleset, looks, standing, lang, say),
        *_named(ruleset, lang, say),
        *_links(ruleset, lang),
        *_forces(ruleset, looks, standing, lang, say),
        *_blank_before(reconstructed_lines(ruleset, scenario, bool(standing), lang, say)),
    ]


def hex_lines(form: str, cells: _Cells, shifted: int) -> list[str]:
    """A grid drawn from what stands in its spaces: two short texts by column and row.

    `form` is "flat", "pointed" or "square"; `shifted` the remainder by two of the columns (rows)
    that lie farther down (right).
    """
    wide = max((cell_width(w) for pair in cells.values() for w in pair), default=1)
    left, top = min(c for c, _ in cells), min(r for _, r in cells)
    page: dict[tuple[int, int], str] = {}
    for (column, row), (upper, lower) in sorted(cells.items(), key=lambda cell: (cell[0][1], cell[0][0])):
        c, r = column - left, row - top
        if form == "flat":
            _flat(page, c * (wide + 1), r * 2 + (column % 2 == shifted), wide, upper, lower)
        elif form == "pointed":
            step = wide + 1 + (wide + 1) % 2
            _pointed(page, c * step + (step // 2 if row % 2 == shifted else 0), r * 3, step - 1, upper, lower)
        else:
            _square(page, c * (wide + 1), r * 3, wide, upper, lower)
    return _page_lines(page)


def _grid(grid: Grid, cells: _Cells) -> list[str]:
    return hex_lines(form_of(grid), cells, shifted_lines(grid)) if cells else []


def _flat(page: dict[tuple[int, int], str], x: int, y: int, wide: int, upper: str, lower: str) -> None:
    for n in range(wide):
        page.setdefault((x + 1 + n, y), "_")
    _put(page, x, y + 1, "/" + upper.center(wide) + "\\")
    _put(page, x, y + 2, "\\" + lower.center(wide, "_") + "/")


def _pointed(page: dict[tuple[int, int], str], x: int, y: int, wide: int, upper: str, lower: str) -> None:
    step = wide + 1
    quarter = step // 4
    for at, mark in ((quarter, "/"), (step // 2 + quarter, "\\")):
        page.setdefault((x + at, y), mark)
    _put(page, x, y + 1, "|" + upper.center(wide) + "|")
    _put(page, x, y + 2, "|" + lower.center(wide) + "|")
    for at, mark in ((quarter, "\\"), (step // 2 + quarter, "/")):
        page[x + at, y + 3] = mark


def _square(page: dict[tuple[int, int], str], x: int, y: int, wide: int, upper: str, lower: str) -> None:
    _put(page, x, y, "+" + "-" * wide + "+")
    _put(page, x, y + 1, "|" + upper.center(wide) + "|")
    _put(page, x, y + 2, "|" + lower.center(wide) + "|")
    _put(page, x, y + 3, "+" + "-" * wide + "+")


def _put(page: dict[tuple[int, int], str], x: int, y: int, text: str) -> None:
    for n, character in enumerate(text):
        page[x + n, y] = character


def _page_lines(page: Mapping[tuple[int, int], str]) -> list[str]:
    if not page:
        return []
    rows: dict[int, dict[int, str]] = {}
    for (x, y), character in page.items():
        rows.setdefault(y, {})[x] = character
    lines = []
    for y in range(max(rows) + 1):
        row = rows.get(y, {})
        lines.append("".join(row.get(x, " ") for x in range(max(row, default=-1) + 1)).rstrip())
    return lines


def _cells(ruleset: Ruleset, grid: Grid, looks: Looks, standing: Mapping[int, Sequence[Standing]]) -> _Cells:
    found: _Cells = {}
    for handle, place in spaces_of(ruleset):
        where = grid.column_row[handle]
        if where is not None:
            look = looks.fill_of(place)
            mark = look.look.mark if look else " "
            found[where] = (place.id, (mark + _letters(standing.get(handle, ()), looks))[:_LONGEST])
    return found


def _letters(here: Sequence[Standing], looks: Looks) -> str:
    """The letter of each side that stands here, with the number of its pieces from two on."""
    counts: dict[str, int] = {}
    for one in here:
        side = looks.side_of(one.piece.cls, one.values)
        letter = looks.sides[side][1] if side is not None else _NOBODY
        counts[letter] = counts.get(letter, 0) + one.count
    return "".join(letter + (str(n) if n > 1 else "") for letter, n in counts.items())


def _legend(
    ruleset: Ruleset, looks: Looks, standing: Mapping[int, Sequence[Standing]], lang: str, say: Say
) -> list[str]:
    lines = []
    if looks.fills:
        title = attribute_words(ruleset.kinds["place"].attributes[looks.fill], lang)
        lines += _listed(title, [f"{f.look.mark} {f.words}" for f in looks.fills])
    if standing:
        sides = ruleset.kinds["side"]
        named = [f"{looks.sides[n][1]} {label_words(s.label, lang)}" for n, s in enumerate(sides.things)]
        title = name_words(ruleset, sides.many, lang)
        lines += _listed(title, [*named, say("a number: so many pieces")])
    return lines


def _listed(title: str, items: Sequence[str], parting: str = ", ", indent: int = 2) -> list[str]:
    text = f"{title}: {parting.join(items)}"
    return wrap(
        printable(text), _WIDE, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=False
    )


def _named(ruleset: Ruleset, lang: str, say: Say) -> list[str]:
    """The spaces that have a name of their own, and places beside the grid."""
    found = []
    for handle, place in spaces_of(ruleset):
        name = label_words(place.label, lang)
        is_beside = ruleset.grid is None or ruleset.grid.column_row[handle] is None
        own = name.replace(place.id, "").strip()
        if is_beside or own:
            found.append(f"{place.id} {own}".strip())
    return _blank_before(_listed(say("names"), found)) if found else []


def _links(ruleset: Ruleset, lang: str) -> list[str]:
    """For each attribute of links, where it is; values that say more than yes are told with it."""
    kind = ruleset.kinds["edge"]
    lines = []
    for name, attribute in kind.attributes.items():
        where = [w for edge in kind.things if (w := _where(edge, name, attribute.type, ruleset, lang))]
        if where:
            lines += _listed(attribute_words(attribute, lang), where, "  ")
    return _blank_before(lines)


def _where(edge: Thing, name: str, type: t.Type, ruleset: Ruleset, lang: str) -> str:
    value = edge.values.get(name)
    if value is None or value is False or value == "" or value == ():
        return ""
    return edge.id if value is True else f"{edge.id} ({_value_words(value, type, ruleset, lang)})"


def _value_words(value: object, type: t.Type, ruleset: Ruleset, lang: str) -> str:
    inner = type.item if isinstance(type, t.Maybe) else type
    if isinstance(inner, t.ThingOf) and isinstance(value, int):
        thing = thing_of(ruleset, inner.kind, value)
        return label_words(thing.label, lang) or thing.id
    return data_text(value_data(value, type, ruleset))


def _forces(
    ruleset: Ruleset, looks: Looks, standing: Mapping[int, Sequence[Standing]], lang: str, say: Say
) -> list[str]:
    """What stands where, by name."""
    lines = []
    for place, here in standing.items():
        title = "  " + ruleset.kinds["place"].things[place].id
        lines += _listed(title, _standing_words(here, ruleset, looks, lang), indent=4)
    return ["", say("the set-up:"), *lines] if lines else []


def _standing_words(here: Sequence[Standing], ruleset: Ruleset, looks: Looks, lang: str) -> list[str]:
    """Pieces by name; those that are alike by their number, class and side."""
    found = []
    for one in here:
        cls = ruleset.classes[one.piece.cls or ""]
        if not cls.alike:
            found.append(label_words(one.piece.label, lang) or one.piece.id)
            continue
        side = looks.side_of(cls.id, one.values)
        whose = (
            f" ({label_words(ruleset.kinds['side'].things[side].label, lang)})" if side is not None else ""
        )
        found.append(f"{one.count} {name_words(ruleset, cls.one if one.count == 1 else cls.many, lang)}{whose}")
    return found


def _areas(
    ruleset: Ruleset, looks: Looks, standing: Mapping[int, Sequence[Standing]], lang: str, say: Say
) -> list[str]:
    """The map in words, a blank line between places, with what stands in each."""
    data = map_data(ruleset, lang)
    stands = {ruleset.kinds["place"].things[place].id: here for place, here in standing.items()}
    lines = map_lines({**data, "places": []})
    bare = {**data, "attributes": [], "edge_attributes": []}
    for place in data["places"]:
        if place["holding"]:
            continue
        lines += [*([""] if lines else []), *map_lines({**bare, "places": [place]})]
        if place["id"] in stands:
            lines += _listed("  " + say("here"), _standing_words(stands[place["id"]], ruleset, looks, lang))
    return [*lines, *map_lines({**bare, "places": [p for p in data["places"] if p["holding"]]})]


def _blank_before(lines: list[str]) -> list[str]:
    return ["", *lines] if lines else []
