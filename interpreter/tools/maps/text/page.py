"""The page of a text map: everything but the pieces, and rendering with them.

A page is plain data, so that it can be cached without reading the ruleset. Prints nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from interpreter.diagnostics.terminal_text import escape_text, measure_cells
from interpreter.i18n.translator import ENGLISH, Translator
from interpreter.tools.maps.provenance_notes import ProvenanceNotes, list_reconstructed
from interpreter.tools.maps.text.grid_cells import Cell, compute_space_cells

_WIDE = 100  # characters in a line of the lists
_NOBODY = "*"  # letter of unowned pieces
_AROUND = 11  # columns and rows of the part around a space
_BESIDE = 9  # lines of a window reserved besides the grid
_LONGEST = 9  # characters in a space before truncation
_LONGEST_USUAL = "A2"  # typical content of a space

_Cells = dict[tuple[int, int], tuple[str, str]]
_Sheet = dict[Cell, str]
_Place = tuple[int, int]
_Banks = Mapping[tuple[_Place, _Place], str]


@dataclass(frozen=True, slots=True)
class TextMap:
    """Names of the sides and pieces of a ruleset in one language, for a text map that can be cached.

    `sides`: [letter, name] by handle; `colours`: [letter, colour] of sides; `classes`: [singular, plural] for each
    class whose pieces are alike; `owners`: by class, the attribute of pieces that names a side.
    """

    content_hash: str
    lang: str
    sides: Sequence[Sequence[str]]
    colours: Sequence[Sequence[str]]
    classes: Mapping[str, Sequence[str]]
    owners: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TextPage(TextMap):
    """A map on a grid as text, in one language, as data that can be cached.

    `form` and `shifted` as for `render_grid`. `spaces`: [place handle, column, row, id, mark] each; a mark is the sign
    in a space, and `marks` explains them, a line each. If the marks show a value that changes in play, `fill` is its
    key (else ""), `fill_title` its name in words, and `filling` has [value, mark, text of the ruleset or ""] for each
    value; `fill_page` sets the marks. `sides_title`: the heading of the sides. `names`: names of spaces. `links`:
    [attribute, places with it]. `places`: ids by handle. `pieces`: names by handle. `rows`: [key of the condition,
    character, text] of each mark drawn as a character. `ours`: notes on reconstructed data. `banks`: [column, row,
    column, row, sign] for each pair of spaces with a line along the side that they share; `bank_names`: [sign, text].
    """

    title: str
    form: str
    shifted: int
    spaces: Sequence[Sequence[int | str]]
    marks: Sequence[str]
    fill: str
    fill_title: str
    filling: Sequence[Sequence[str]]
    sides_title: str
    names: Sequence[str]
    links: Sequence[tuple[str, Sequence[str]]]
    places: Sequence[str]
    pieces: Sequence[str]
    rows: Sequence[Sequence[str]]
    ours: ProvenanceNotes
    banks: Sequence[Sequence[int | str]]
    bank_names: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class TextGroup:
    """`count` pieces that look alike at one place: the handle of one of them, its class, and its side or None.

    `short` is the short form.
    """

    piece: int
    cls: str
    side: int | None
    count: int
    short: str = ""


def fill_page(page: TextPage, values: Sequence[str | None], words: Mapping[str, str]) -> TextPage:
    """Return the page with each space marked by its value of the key `page.fill`.

    `values`: the value of each place by handle; `words`: the text of each value, used where the page states none.
    """
    marks = {value: mark for value, mark, _ in page.filling}
    legend = [f"{mark} {written or words.get(value, value)}" for value, mark, written in page.filling]
    spaces = [(*space[:4], marks.get(values[int(space[0])] or "", " ")) for space in page.spaces]
    return replace(page, spaces=spaces, marks=legend)


Standing = Mapping[int, Sequence[TextGroup]]


def render_page(
    page: TextPage,
    standing: Standing,
    brief: bool = False,
    say: Translator = ENGLISH,
    when: str = "",
    width: int = 0,
    around: str = "",
    marked: Mapping[int, str] | None = None,
    size: tuple[int, int] = (_AROUND, _AROUND),
) -> list[str]:
    """Render the page with its legend, its lists and notes on reconstructed data.

    `standing`: the pieces by place handle. `brief` omits the lists; `say` translates the texts of the interface;
    `when` names the moment shown. A grid wider than `width` cells is cut into parts, one below the other; 0 cuts
    nothing. `around`: only the part around the space with this id. `marked`: by place handle the characters of the
    marks drawn there. `size`: the columns and rows of the part around a space.
    """
    more, wide = marked or {}, min(_WIDE, width - 1) if width else _WIDE
    cells: _Cells = {}
    for handle, column, row, place, mark in page.spaces:
        letters = format_side_letters(standing.get(int(handle), ()), page.sides)
        cells[int(column), int(row)] = str(place), f"{mark}{more.get(int(handle), '')}{letters}"[:_LONGEST]
    banks = {((int(a), int(b)), (int(c), int(d))): str(sign) for a, b, c, d, sign in page.banks}
    grid = render_grid(page.form, cells, page.shifted, width, around, say, size, banks)
    if brief or around:
        return [*grid, "", *_render_legend(page, standing, say, wide)]
    return [
        say("{title} ({when})", title=page.title, when=when) if when else page.title,
        "",
        *grid,
        "",
        *_render_legend(page, standing, say, wide),
        *(_add_blank_line(format_list(say("names"), page.names, width=wide, say=say)) if page.names else []),
        *_add_blank_line(
            [x for title, where in page.links for x in format_list(str(title), where, "  ", width=wide, say=say)]
        ),
        *_list_forces(page, standing, say("the position:") if when else say("the set-up:"), wide, say),
        *_add_blank_line(list_reconstructed(page.ours, bool(standing), say)),
    ]


def format_list(
    title: str,
    items: Sequence[str],
    parting: str = ", ",
    indent: int = 2,
    width: int = _WIDE,
    say: Translator = ENGLISH,
) -> list[str]:
    """Format "title: one, two" in lines of at most `width` cells; an item is split only if it exceeds a line.

    `parting`: the text between items; `indent`: the indentation of all lines after the first, in cells.
    """
    parting, head = say(parting), say("{what}: {values}", what=title, values="")
    lines, line, gap = [], escape_text(head.rstrip()), " " * (len(head) - len(head.rstrip()))
    for number, item in enumerate(items):
        text = escape_text(item) + (parting.rstrip() if number + 1 < len(items) else "")
        if line.strip() and measure_cells(line) + len(gap) + measure_cells(text) > width:
            lines.append(line)
            line = " " * indent + text
        else:
            line += gap + text
        gap = " " * (len(parting) - len(parting.rstrip()))
    return [*lines, line]


def render_grid(
    form: str,
    cells: _Cells,
    shifted: int,
    width: int,
    around: str = "",
    say: Translator = ENGLISH,
    size: tuple[int, int] = (_AROUND, _AROUND),
    banks: _Banks | None = None,
) -> list[str]:
    """Render a grid in parts of as many columns as fit into `width` cells, each under a heading.

    `around`: if a space has this id, only the part around it, of `size` columns and rows. The other parameters are as
    for `render_hexes`.
    """
    if not cells:
        return []
    wide = max(measure_cells(w) for pair in cells.values() for w in pair)
    columns = sorted({column for column, _ in cells})
    most = _count_fitting_columns(form, wide, width) if width else len(columns)
    centre = next((position for position, (upper, _) in cells.items() if upper == around), None)
    if around and centre is not None:
        number, rows = min(most, size[0]), sorted({row for _, row in cells})
        left = max(columns[0], min(centre[0] - number // 2, columns[-1] - number + 1))
        top = max(rows[0], min(centre[1] - size[1] // 2, rows[-1] - size[1] + 1))
        window = {
            position: cell
            for position, cell in cells.items()
            if left <= position[0] < left + number and top <= position[1] < top + size[1]
        }
        return render_hexes(form, window, shifted, wide, banks)
    if len(columns) <= most:
        return render_hexes(form, cells, shifted, wide, banks)
    parts = -(-len(columns) // most)
    part_size = -(-len(columns) // parts)
    lines: list[str] = []
    for part in range(parts):
        part_columns = columns[part * part_size : (part + 1) * part_size]
        lines += [
            *([""] if lines else []),
            say("part {number} of {all}:", number=part + 1, all=parts),
            *render_hexes(
                form,
                {position: cell for position, cell in cells.items() if position[0] in part_columns},
                shifted,
                wide,
                banks,
            ),
        ]
    return lines


def compute_fitting_size(page: TextPage, width: int, height: int) -> tuple[int, int]:
    """Return how many columns and rows of a page's grid fit into a window, above the lists.

    `width`: the width of the window in cells; `height`: its height in lines.
    """
    wide = max((measure_cells(f"{mark}{_LONGEST_USUAL}") for *_, mark in page.spaces), default=1)
    wide = max(wide, *(measure_cells(str(space[3])) for space in page.spaces))
    high = 2 if page.form == "flat" else 3
    return _count_fitting_columns(page.form, wide, width), max(3, (height - _BESIDE) // high)


def _count_fitting_columns(form: str, wide: int, width: int) -> int:
    """Return the number of grid columns that fit into a line of `width` cells, at least 1.

    `form`: the form of the grid; `wide`: the width of a space's text in cells.
    """
    step = _compute_upright_step(form, wide)
    return max(1, (width - 2 - (step // 2 if form == "pointed" else 0)) // step)


def _compute_upright_step(form: str, wide: int) -> int:
    """Return the distance of neighbours in a row in cells: for texts `wide` cells wide; even for pointed hexes."""
    return wide + 1 + ((wide + 1) % 2 if form == "pointed" else 0)


def render_hexes(form: str, cells: _Cells, shifted: int, wide: int = 0, banks: _Banks | None = None) -> list[str]:
    """Render a grid from two short texts for each space, by column and row.

    `form` is "flat", "pointed" or "square"; `shifted` is the parity of the columns (rows) that are shifted down
    (right); `wide` is the width of a text in cells, by default that of the widest; `banks`: the sign of the line along
    the side between two spaces, drawn if the form is "flat" or "square".
    """
    wide = wide or max((measure_cells(w) for pair in cells.values() for w in pair), default=1)
    left, top = min(c for c, _ in cells), min(r for _, r in cells)
    size = (1, wide) if form == "flat" else (2, _compute_upright_step(form, wide))
    sheet: _Sheet = {}
    borders: dict[_Place, Mapping[Cell, str]] = {}
    for (column, row), texts in sorted(cells.items(), key=lambda cell: (cell[0][1], cell[0][0])):
        is_shifted = (column if form == "flat" else row) % 2 == shifted
        space_cells = compute_space_cells(form, column - left, row - top, is_shifted, size)
        space_cells.draw_border(sheet)
        borders[column, row] = space_cells.border
        for (x, y, length), text, fill in zip(
            space_cells.rows, texts, (" ", "_" if form == "flat" else " "), strict=True
        ):
            sheet.update({(x + n, y): character for n, character in enumerate(text.center(length, fill))})
    for (a, b), sign in (banks or {}).items() if form == "flat" else ():
        for cell in borders[a].keys() & borders[b].keys() if a in cells and b in cells else ():
            if a[0] != b[0] or sheet[cell] == "_":  # the side to the north or south may hold text
                sheet[cell] = sign
    return _list_sheet_lines(sheet)


def _list_sheet_lines(sheet: _Sheet) -> list[str]:
    if not sheet:
        return []
    rows: dict[int, dict[int, str]] = {}
    for (x, y), character in sheet.items():
        rows.setdefault(y, {})[x] = character
    lines = []
    for y in range(max(rows) + 1):
        row = rows.get(y, {})
        lines.append("".join(row.get(x, " ") for x in range(max(row, default=-1) + 1)).rstrip())
    return lines


def format_side_letters(groups: Sequence[TextGroup], sides: Sequence[Sequence[str]], always: bool = False) -> str:
    """Return the letter of each side with pieces here, followed by their number if it is above 1.

    `sides`: [letter, name] by handle; `always`: include every number and separate the sides by a blank.
    """
    counts: dict[str, int] = {}
    for group in groups:
        letter = sides[group.side][0] if group.side is not None else _NOBODY
        counts[letter] = counts.get(letter, 0) + group.count
    texts = [letter + (str(n) if n > 1 or always else "") for letter, n in counts.items()]
    return (" " if always else "").join(texts)


def _render_legend(page: TextPage, standing: Standing, say: Translator, width: int) -> list[str]:
    marks = format_list(page.fill_title, page.marks, width=width, say=say) if page.marks else []
    if page.rows:
        told = [f"{mark} {words}" for _, mark, words in page.rows]
        marks += format_list(say("written on the map"), told, width=width, say=say)
    if page.bank_names:
        told = [f"{sign} {words}" for sign, words in page.bank_names]
        marks += format_list(say("along the sides of spaces"), told, width=width, say=say)
    if not standing:
        return marks
    named = [f"{letter} {words}" for letter, words in page.sides]
    return [*marks, *format_list(page.sides_title, [*named, say("a number: number of pieces")], width=width, say=say)]


def _list_forces(page: TextPage, standing: Standing, title: str, width: int, say: Translator) -> list[str]:
    """Return lines that list the pieces of each place by name under the heading `title`; or [] without pieces."""
    lines = []
    for place, groups in standing.items():
        words = [format_group(group, page.pieces[group.piece], page.classes, page.sides) for group in groups]
        lines += format_list("  " + page.places[place], words, indent=4, width=width, say=say)
    return ["", title, *lines] if lines else []


def format_group(
    group: TextGroup, name: str, classes: Mapping[str, Sequence[str]], sides: Sequence[Sequence[str]]
) -> str:
    """Format a group of pieces: a single piece by its name; interchangeable ones by number, class and side.

    `name`: the name of a single piece; `classes`: [singular, plural] of each class whose pieces are alike; `sides`:
    [letter, name] by handle.
    """
    short = f" {group.short}" if group.short else ""
    if group.cls not in classes:
        return f"{name}{short}"
    single, several = classes[group.cls]
    owner = f" ({sides[group.side][1]})" if group.side is not None else ""
    return f"{group.count} {single if group.count == 1 else several}{short}{owner}"


def _add_blank_line(lines: Sequence[str]) -> list[str]:
    return ["", *lines] if lines else []
