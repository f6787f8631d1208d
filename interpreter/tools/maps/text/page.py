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
_BESIDE = 9  # lines of a window reserved besides the grid
_MAX_SPACE_TEXT = 9  # characters in a space before truncation
_WIDEST_USUAL_SIGN = "A2"  # typical content of a space

_Cells = dict[Cell, tuple[str, str]]  # two short texts by column and row of the grid
_Sheet = dict[Cell, str]
_Banks = Mapping[tuple[Cell, Cell], str]


@dataclass(frozen=True, slots=True)
class TextLegend:
    """Names of the sides and pieces of a ruleset in one language.

    `sides`: (letter, name) by handle; `colours`: (letter, colour as "#rrggbb") of each side; `classes`: (singular,
    plural) for each class whose pieces are alike; `owners`: by class, the attribute of pieces that names a side.
    """

    lang: str
    sides: Sequence[tuple[str, str]]
    colours: Sequence[tuple[str, str]]
    classes: Mapping[str, tuple[str, str]]
    owners: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PageSpace:
    """A space of a grid on a page: its handle, its cell of the grid, its id and the sign of its value."""

    handle: int
    column: int
    row: int
    id: str
    mark: str


@dataclass(frozen=True, slots=True)
class FillMark:
    """A value that marks spaces: its sign, and its text in the ruleset or ""."""

    value: str
    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class ConditionMark:
    """A mark drawn as a character where the condition with the key `when` holds, and its meaning."""

    when: str
    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Bank:
    """A line along the side that two spaces share: the grid cells of both, and its sign."""

    first: Cell
    second: Cell
    sign: str


@dataclass(frozen=True, slots=True)
class TextPage:
    """A map on a grid as text, in one language, as data that can be cached.

    `content_hash`: the hash of the ruleset; `form` and `shifted`: see `render_grid`. `marks`: the meanings of the signs
    of spaces, a line each. If they show a value that changes in play, `fill` is its key (else ""), `fill_title` its
    name in words, and `filling` has the sign of each value; `fill_page` sets the marks. `sides_title`: the heading of
    the sides. `names`: names of spaces. `links`: (attribute, places with it). `places`: ids by handle. `pieces`: names
    by handle. `conditions`: the marks drawn as characters. `provenance`: notes on reconstructed data. `banks`: the
    lines along sides of spaces; `bank_names`: (sign, text).
    """

    content_hash: str
    legend: TextLegend
    title: str
    form: str
    shifted: int
    spaces: Sequence[PageSpace]
    marks: Sequence[str]
    fill: str
    fill_title: str
    filling: Sequence[FillMark]
    sides_title: str
    names: Sequence[str]
    links: Sequence[tuple[str, Sequence[str]]]
    places: Sequence[str]
    pieces: Sequence[str]
    conditions: Sequence[ConditionMark]
    provenance: ProvenanceNotes
    banks: Sequence[Bank]
    bank_names: Sequence[tuple[str, str]]


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


Standing = Mapping[int, Sequence[TextGroup]]


@dataclass(frozen=True, slots=True)
class MapWindow:
    """The part of a grid that is rendered.

    `width`: the cells of a line, 0 for unlimited; a wider grid is cut into parts, one below the other. `around`: the id
    of the space around which `columns` and `rows` are shown, or "" for the whole grid.
    """

    width: int = 0
    around: str = ""
    columns: int = 11
    rows: int = 11


WHOLE = MapWindow()


def fill_page(page: TextPage, values: Sequence[str | None], words: Mapping[str, str]) -> TextPage:
    """Return the page with each space marked by its value of the key `page.fill`.

    `values`: the value of each place by handle; `words`: the text of each value, used where the page states none.
    """
    marks = {fill.value: fill.mark for fill in page.filling}
    legend = [f"{fill.mark} {fill.text or words.get(fill.value, fill.value)}" for fill in page.filling]
    spaces = [replace(space, mark=marks.get(values[space.handle] or "", " ")) for space in page.spaces]
    return replace(page, spaces=spaces, marks=legend)


def render_page(
    page: TextPage,
    standing: Standing,
    marked: Mapping[int, str],
    window: MapWindow,
    say: Translator = ENGLISH,
    when: str = "",
    brief: bool = False,
) -> list[str]:
    """Render the page with its legend, its lists and notes on reconstructed data.

    `standing`: the pieces by place handle; `marked`: by place handle the characters of the marks drawn there; `say`:
    translates the texts of the interface; `when`: names the moment shown. `brief`, or a window around a space, omits
    the lists.
    """
    width = min(_WIDE, window.width - 1) if window.width else _WIDE
    cells: _Cells = {}
    for space in page.spaces:
        letters = format_side_letters(standing.get(space.handle, ()), page.legend.sides)
        text = f"{space.mark}{marked.get(space.handle, '')}{letters}"
        cells[space.column, space.row] = space.id, text[:_MAX_SPACE_TEXT]
    banks = {(bank.first, bank.second): bank.sign for bank in page.banks}
    grid = render_grid(page.form, cells, page.shifted, window, say, banks)
    if brief or window.around:
        return [*grid, "", *_render_legend(page, standing, say, width)]
    return [
        say("{title} ({when})", title=page.title, when=when) if when else page.title,
        "",
        *grid,
        "",
        *_render_legend(page, standing, say, width),
        *(_add_blank_line(format_list(say("names"), page.names, width=width, say=say)) if page.names else []),
        *_add_blank_line(
            [x for title, where in page.links for x in format_list(title, where, "  ", width=width, say=say)]
        ),
        *_list_forces(page, standing, say("the position:") if when else say("the set-up:"), width, say),
        *_add_blank_line(list_reconstructed(page.provenance, bool(standing), say)),
    ]


def format_list(
    title: str,
    items: Sequence[str],
    separator: str = ", ",
    indent: int = 2,
    width: int = _WIDE,
    say: Translator = ENGLISH,
) -> list[str]:
    """Format "title: one, two" in lines of at most `width` cells; an item is split only if it exceeds a line.

    `separator`: the text between items; `indent`: the indentation of all lines after the first, in cells.
    """
    separator, head = say(separator), say("{what}: {values}", what=title, values="")
    lines, line, gap = [], escape_text(head.rstrip()), " " * (len(head) - len(head.rstrip()))
    for number, item in enumerate(items):
        text = escape_text(item) + (separator.rstrip() if number + 1 < len(items) else "")
        if line.strip() and measure_cells(line) + len(gap) + measure_cells(text) > width:
            lines.append(line)
            line = " " * indent + text
        else:
            line += gap + text
        gap = " " * (len(separator) - len(separator.rstrip()))
    return [*lines, line]


def render_grid(
    form: str,
    cells: _Cells,
    shifted: int,
    window: MapWindow,
    say: Translator = ENGLISH,
    banks: _Banks | None = None,
) -> list[str]:
    """Render the part of a grid that a window shows, in parts of as many columns as fit, each under a heading.

    The whole grid is rendered if no space has the id `window.around`. The other parameters are as for `render_hexes`.
    """
    if not cells:
        return []
    text_width = max(measure_cells(w) for pair in cells.values() for w in pair)
    columns = sorted({column for column, _ in cells})
    most = _count_fitting_columns(form, text_width, window.width) if window.width else len(columns)
    centre = next((position for position, (upper, _) in cells.items() if upper == window.around), None)
    if window.around and centre is not None:
        number, rows = min(most, window.columns), sorted({row for _, row in cells})
        left = max(columns[0], min(centre[0] - number // 2, columns[-1] - number + 1))
        top = max(rows[0], min(centre[1] - window.rows // 2, rows[-1] - window.rows + 1))
        shown_cells = {
            (column, row): cell
            for (column, row), cell in cells.items()
            if left <= column < left + number and top <= row < top + window.rows
        }
        return render_hexes(form, shown_cells, shifted, text_width, banks)
    if len(columns) <= most:
        return render_hexes(form, cells, shifted, text_width, banks)
    parts = -(-len(columns) // most)
    part_size = -(-len(columns) // parts)
    lines: list[str] = []
    for part in range(parts):
        part_columns = columns[part * part_size : (part + 1) * part_size]
        shown_cells = {position: cell for position, cell in cells.items() if position[0] in part_columns}
        lines += [
            *([""] if lines else []),
            say("part {number} of {all}:", number=part + 1, all=parts),
            *render_hexes(form, shown_cells, shifted, text_width, banks),
        ]
    return lines


def compute_fitting_size(page: TextPage, width: int, height: int) -> tuple[int, int]:
    """Return how many columns and rows of a page's grid fit into a window, above the lists.

    `width`: the width of the window in cells; `height`: its height in lines.
    """
    text_width = max((measure_cells(f"{space.mark}{_WIDEST_USUAL_SIGN}") for space in page.spaces), default=1)
    text_width = max(text_width, *(measure_cells(space.id) for space in page.spaces))
    row_height = 2 if page.form == "flat" else 3
    return _count_fitting_columns(page.form, text_width, width), max(3, (height - _BESIDE) // row_height)


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
    borders: dict[Cell, Mapping[Cell, str]] = {}
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


def format_side_letters(groups: Sequence[TextGroup], sides: Sequence[tuple[str, str]], always: bool = False) -> str:
    """Return the letter of each side with pieces here, followed by their number if it is above 1.

    `sides`: (letter, name) by handle; `always`: include every number and separate the sides by a blank.
    """
    counts: dict[str, int] = {}
    for group in groups:
        letter = sides[group.side][0] if group.side is not None else _NOBODY
        counts[letter] = counts.get(letter, 0) + group.count
    texts = [letter + (str(n) if n > 1 or always else "") for letter, n in counts.items()]
    return (" " if always else "").join(texts)


def _render_legend(page: TextPage, standing: Standing, say: Translator, width: int) -> list[str]:
    marks = format_list(page.fill_title, page.marks, width=width, say=say) if page.marks else []
    if page.conditions:
        meanings = [f"{condition.mark} {condition.text}" for condition in page.conditions]
        marks += format_list(say("written on the map"), meanings, width=width, say=say)
    if page.bank_names:
        meanings = [f"{sign} {words}" for sign, words in page.bank_names]
        marks += format_list(say("along the sides of spaces"), meanings, width=width, say=say)
    if not standing:
        return marks
    named = [f"{letter} {words}" for letter, words in page.legend.sides]
    return [*marks, *format_list(page.sides_title, [*named, say("a number: number of pieces")], width=width, say=say)]


def _list_forces(page: TextPage, standing: Standing, title: str, width: int, say: Translator) -> list[str]:
    """Return lines that list the pieces of each place by name under the heading `title`; or [] without pieces."""
    lines = []
    for place, groups in standing.items():
        words = [format_group(group, page.pieces[group.piece], page.legend) for group in groups]
        lines += format_list("  " + page.places[place], words, indent=4, width=width, say=say)
    return ["", title, *lines] if lines else []


def format_group(group: TextGroup, name: str, legend: TextLegend) -> str:
    """Format a group of pieces: a single piece by its name; interchangeable ones by number, class and side.

    `name`: the name of a single piece; `legend`: names the classes of interchangeable pieces, and the sides.
    """
    short = f" {group.short}" if group.short else ""
    if group.cls not in legend.classes:
        return f"{name}{short}"
    single, several = legend.classes[group.cls]
    owner = f" ({legend.sides[group.side][1]})" if group.side is not None else ""
    return f"{group.count} {single if group.count == 1 else several}{short}{owner}"


def _add_blank_line(lines: Sequence[str]) -> list[str]:
    return ["", *lines] if lines else []
