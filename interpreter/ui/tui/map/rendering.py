"""Rendering of a position on a canvas: terrain, lines, pieces and highlights, with a sign for each colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from interpreter.diagnostics.terminal_text import count_fitting, measure_cells
from interpreter.ui.tui.map.background_layer import BackgroundFill, BackgroundLayer
from interpreter.ui.tui.map.canvas import INK, PAPER, CellCanvas, CellStyle, choose_ink, is_similar_colour
from interpreter.ui.tui.map.map_layout import MapLayout, PlaceCells
from interpreter.view_model.records import ShownPiece

_ARROWS = "↑↗→↘↓↙←↖"
_PLAIN_ARROWS = "^'>.v,<`"
_NOBODY = "*"
BORDER, OUTSIDE = "#8d8770", "#d9d2bb"
REACH, PATH, CHOSEN, LAID = "#b4ec9a", "#ffd86b", "#ffe94d", "#d7c3f2"
ABLE, PICKED, WENT, OVER = "!", ">", "'", "*"
_TALL = 4  # rows from which a place gives each piece its own row
_NO_GROUND = BackgroundFill("", "", "", "")


@dataclass(frozen=True, slots=True)
class Highlights:
    """Highlights of the map: `reach` and `path` map places to their text ("+3"), `picked` is the picked piece.

    `went` holds the places of the last events; `overlay` the overlay's text by place.
    """

    reach: Mapping[str, str] = field(default_factory=dict)
    path: Mapping[str, str] = field(default_factory=dict)
    picked: str = ""
    went: frozenset[str] = frozenset()
    overlay: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Legend:
    """Notation of the map: letter and colour by side, label by place; `is_plain`: ASCII only."""

    sides: Mapping[str, tuple[str, str]]
    labels: Mapping[str, str]
    is_plain: bool = False


def choose_arrow(angle: float | None, is_plain: bool) -> str:
    """Return the arrow for an angle in degrees clockwise from the top, or '' for None; `is_plain`: ASCII only.

    >>> choose_arrow(100.0, False), choose_arrow(100.0, True), choose_arrow(None, False)
    ('→', '>', '')
    """
    if angle is None:
        return ""
    return (_PLAIN_ARROWS if is_plain else _ARROWS)[round(angle % 360 / 45) % 8]


_Rows = Sequence[tuple[int, int, int]]  # column, row and length of each


class _Sheet(NamedTuple):
    """The canvas of a map that is being drawn, with its notation and highlights."""

    canvas: CellCanvas
    legend: Legend
    highlights: Highlights


class _Space(NamedTuple):
    """A place to draw: its id, cells (`spot`), pieces (`here`), terrain, background colour and highlight signs."""

    name: str
    spot: PlaceCells
    here: Sequence[ShownPiece]
    ground: BackgroundFill
    paper: str
    signs: str

    @property
    def look(self) -> CellStyle:
        """Return a style whose text is readable on the place's background."""
        return CellStyle(choose_ink(self.paper), self.paper)


def render_map(
    plan: MapLayout,
    background: BackgroundLayer,
    counters: Mapping[str, Sequence[ShownPiece]],
    legend: Legend,
    highlights: Highlights,
) -> CellCanvas:
    """Render the whole map; `counters` holds the pieces by place."""
    canvas = CellCanvas(plan.width, plan.height, CellStyle(BORDER, OUTSIDE))
    sheet = _Sheet(canvas, legend, highlights)
    for (x, y), mark in plan.borders.items():
        canvas.put(x, y, mark, CellStyle(BORDER, OUTSIDE))
    _draw_lines(canvas, plan, background)
    for name, spot in plan.spots.items():
        ground = background.places.get(name, _NO_GROUND)
        pieces = counters.get(name, ())
        space = _Space(
            name, spot, pieces, ground, _choose_paper(name, ground, highlights), _choose_signs(name, pieces, highlights)
        )
        _draw_ground(canvas, spot, CellStyle(INK, space.paper))
        draw = _draw_box if spot.is_box else _draw_bare if plan.is_bare else _draw_space
        draw(sheet, space)
    return canvas


def _choose_paper(name: str, ground: BackgroundFill, highlights: Highlights) -> str:
    """Return the background colour of a place: path, reach and overlay cover its ground."""
    if name in highlights.path:
        return PATH
    if name in highlights.reach:
        return REACH
    return LAID if name in highlights.overlay else ground.colour or PAPER


def _draw_ground(canvas: CellCanvas, spot: PlaceCells, style: CellStyle) -> None:
    """Fill the cells of a place with its background; border characters keep their ink."""
    for x, y, length in spot.rows:
        for n in range(length):
            mark = canvas.letters[y][x + n] if 0 <= y < canvas.height and x + n < canvas.width else " "
            is_border = canvas.looks[y][x + n].paper == OUTSIDE
            ink = canvas.looks[y][x + n] if is_border else style
            canvas.put(x + n, y, mark, CellStyle(ink.ink, style.paper, ink.bold))


def _draw_lines(canvas: CellCanvas, plan: MapLayout, background: BackgroundLayer) -> None:
    """Draw lines: one along a side covers it, one across is a sign in the middle of the side."""
    for x, y in (cell for cells in plan.lines.values() for cell in cells):
        canvas.put(x, y, ".", CellStyle(BORDER, OUTSIDE))
    for line in sorted(background.lines, key=lambda line: not line.is_along):
        a, b = line.ends
        cells = plan.lines.get((a, b)) or plan.lines.get((b, a)) or ()
        if not cells and a in plan.spots:
            cells = plan.spots[a].sides.get(b, ())
            border_cells = [cell for cell in cells if cell in plan.borders]
            if border_cells and not line.is_along:
                cells = (border_cells[len(border_cells) // 2],)
        for x, y in cells:
            paper = canvas.get_background(x, y)
            canvas.put(x, y, line.sign, CellStyle(line.colour, paper, bold=True))


def _choose_signs(name: str, pieces: Sequence[ShownPiece], highlights: Highlights) -> str:
    """Return the signs that highlight a place: overlay, path or reach or an orderable piece, and recent events.

    `name`: the id of the place; `pieces`: the pieces in it.
    """
    label = highlights.path.get(name) or highlights.reach.get(name, "")
    if not label and any(piece.orderable for piece in pieces):
        label = ABLE
    return highlights.overlay.get(name, "") + label + (WENT if name in highlights.went else "")


def _draw_space(sheet: _Sheet, space: _Space) -> None:
    """Draw a place with borders: label and signs first, then the pieces, the ground last if there is room."""
    canvas, spot, pieces, ground = sheet.canvas, space.spot, space.here, space.ground
    x, y, room = spot.rows[0]
    signs = space.signs[:room]
    look, label = space.look, sheet.legend.labels.get(space.name, space.name)
    is_tall = len(spot.rows) >= _TALL
    below = "" if is_tall or measure_cells(label) + len(signs) <= room else signs
    signs = "" if below else signs
    canvas.write(x, y, label, look, max(0, room - len(signs)))
    canvas.write(x + room - len(signs), y, signs, look._replace(bold=True), room)
    rows = spot.rows[1:-1] if is_tall else spot.rows[1:]
    if is_tall:
        x, y, room = spot.rows[-1]
        more = len(pieces) - len(rows)
        tail = ground.sign + ground.marks + (f" +{more}" if more > 0 else "")
        canvas.write(x, y, tail, look, room)
    else:
        x, y, room = rows[0]
        width_used = canvas.write(x, y, ground.sign + ground.marks, look, room)
        canvas.write(x + room - len(below), y, below, look._replace(bold=True), len(below))
        rows = ((x + width_used, y, room - width_used - len(below)), *rows[1:])
    _draw_counters(sheet, rows, pieces)


def _draw_bare(sheet: _Sheet, space: _Space) -> None:
    """Draw a place without borders: pieces or marks in the first row, ground and highlight signs in the last."""
    canvas, spot, look = sheet.canvas, space.spot, space.look
    (x, y, room), (x2, y2, room2) = spot.rows[0], spot.rows[-1]
    if space.here:
        _draw_counters(sheet, (spot.rows[0],), space.here)
    else:
        canvas.write(x, y, space.ground.marks, look, room)
    used = canvas.write(x2, y2, space.ground.sign, look, room2)
    canvas.write(x2 + used, y2, space.signs, look._replace(bold=True), room2 - used)


def _draw_box(sheet: _Sheet, space: _Space) -> None:
    """Draw a place beside the map: its underlined name, signs at the right, and its pieces below."""
    canvas, spot, look = sheet.canvas, space.spot, space.look
    x, y, room = spot.rows[0]
    canvas.fill_cells(x, y, room, look)
    tail, is_open = space.signs + space.ground.sign, len(spot.rows) == 2
    name_width = room if is_open else room - len(tail) - 1
    canvas.write(x, y, sheet.legend.labels.get(space.name, space.name), look._replace(underlined=True), name_width)
    rows = spot.rows[1:]
    if is_open:  # no room beside the name
        x, y, room = rows[0]
        rows = ((x, y, room - len(tail)),)
    canvas.write(x + room - len(tail), y, tail, look._replace(bold=bool(space.signs)), room)
    _draw_counters(sheet, rows, space.here)


def _draw_counters(sheet: _Sheet, rows: _Rows, pieces: Sequence[ShownPiece]) -> None:
    """Draw one piece per row, more beside each other if they fit, or only their number if there are too many."""
    if len(pieces) > len(rows) and rows[0][2] < 8 or len(rows) == 1 and len(pieces) > 1:
        _draw_counts(sheet, rows, pieces)
        return
    for n, (x, y, room) in enumerate(rows):
        row_pieces = pieces[n :: len(rows)] if len(rows) > 1 else pieces
        used = 0
        for piece in row_pieces:
            text = format_counter(piece, sheet.legend, room)
            if used and used + 1 + measure_cells(text) > room:
                break
            column = used + bool(used)
            look = _choose_counter_style(piece, sheet, sheet.canvas.get_background(x + column, y))
            used = column + sheet.canvas.write(x + column, y, text, look, room - column)


def _draw_counts(sheet: _Sheet, rows: _Rows, pieces: Sequence[ShownPiece]) -> None:
    """Draw the number of pieces per side in the first row, with the facing of one piece, the picked one if possible."""
    by_side: dict[str, list[ShownPiece]] = {}
    for piece in pieces:
        by_side.setdefault(piece.side, []).append(piece)
    x, y, room = rows[0]
    used = 0
    for side_pieces in by_side.values():
        first = next((p for p in side_pieces if p.id == sheet.highlights.picked), side_pieces[0])
        letter = sheet.legend.sides.get(first.side, (_NOBODY, ""))[0]
        text = f"{letter}{sum(p.count for p in side_pieces)}{choose_arrow(first.turned, sheet.legend.is_plain)}"
        look = _choose_counter_style(first, sheet, sheet.canvas.get_background(x + used, y))
        used += sheet.canvas.write(x + used, y, text, look, room - used)


def format_counter(piece: ShownPiece, legend: Legend, room: int) -> str:
    """Format a piece in at most `room` cells: side letter, count, name (or short form), conditions, and facing.

    Without room for both, the conditions take the place of the name.
    """
    letter = legend.sides.get(piece.side, (_NOBODY, ""))[0]
    number = str(piece.count) if piece.count > 1 else ""
    pointer = choose_arrow(piece.turned, legend.is_plain)
    head = f"{letter}{number}"
    text = piece.short or ("" if number else piece.name)
    letters = "".join(letter for letter, _ in piece.conditions)
    full_text = f"{head} {text} {letters}{pointer}"
    if text and letters and measure_cells(full_text) <= room:
        return full_text
    if letters and measure_cells(head + letters + pointer) <= room:  # a condition matters more than a name
        return head + letters + pointer
    for parting in (" ", ""):
        if text and measure_cells(head + parting + text + pointer) <= room:
            return head + parting + text + pointer
    remaining = room - measure_cells(head + pointer) - 1
    cut = text[: count_fitting(text, remaining)] if remaining > 2 and not piece.short else ""
    return f"{head} {cut}{pointer}" if cut else head + pointer


def _choose_counter_style(piece: ShownPiece, sheet: _Sheet, paper: str) -> CellStyle:
    """Return the colours of a counter; marked if picked, bold and underlined if it can be ordered."""
    if piece.id == sheet.highlights.picked:
        return CellStyle(INK, CHOSEN, bold=True, underlined=True)
    colour = sheet.legend.sides.get(piece.side, ("", ""))[1] or "#6b6b6b"
    if is_similar_colour(colour, paper):
        return CellStyle(colour, INK, bold=piece.orderable, underlined=piece.orderable)
    return CellStyle(choose_ink(colour), colour, bold=piece.orderable, underlined=piece.orderable)
