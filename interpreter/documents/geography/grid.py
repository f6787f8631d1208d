"""Spaces and links of a regular grid, generated from its description.

Flat-topped hexes form columns, pointy-topped ones rows; every other column (row) is shifted half a hex down (right).

A side between two spaces has one key, whichever order the two numbers are written in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.edge_names import reverse_edge_name
from interpreter.documents.reading.tree import EMPTY, MappingEntry, MappingNode, Node, SequenceNode, read_integer
from interpreter.i18n.translator import mark as _

MAX_SPACES = 20_000
DIRECTIONS = {
    "flat": ("n", "ne", "se", "s", "sw", "nw"),
    "pointed": ("ne", "e", "se", "sw", "w", "nw"),
    "square": ("n", "e", "s", "w"),
    "diagonal": ("n", "ne", "e", "se", "s", "sw", "w", "nw"),
}
NEEDED = ("shape", "columns", "rows", "numbering")
_Offsets = dict[str, tuple[int, int]]
_FLAT_HIGH: _Offsets = {"n": (0, -1), "ne": (1, -1), "se": (1, 0), "s": (0, 1), "sw": (-1, 0), "nw": (-1, -1)}
_FLAT_LOW: _Offsets = {"n": (0, -1), "ne": (1, 0), "se": (1, 1), "s": (0, 1), "sw": (-1, 1), "nw": (-1, 0)}
_POINTED_LEFT: _Offsets = {"ne": (0, -1), "e": (1, 0), "se": (0, 1), "sw": (-1, 1), "w": (-1, 0), "nw": (-1, -1)}
_POINTED_RIGHT: _Offsets = {"ne": (1, -1), "e": (1, 0), "se": (1, 1), "sw": (0, 1), "w": (-1, 0), "nw": (0, -1)}
_SQUARE: _Offsets = {
    "n": (0, -1), "ne": (1, -1), "e": (1, 0), "se": (1, 1), "s": (0, 1), "sw": (-1, 1), "w": (-1, 0), "nw": (-1, -1),
}  # fmt: skip
_NEW = "new "


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the grid: id, column and row."""

    id: str
    column: int
    row: int


class GridLink(NamedTuple):
    """Two adjacent spaces, the first one before the second in the order of spaces, and the direction between them."""

    first: str
    second: str
    direction: str


@dataclass(frozen=True, slots=True)
class GridPlan:
    """The spaces of a grid in order (column by column), for each its neighbours by direction, and each link once."""

    shape: str
    directions: tuple[str, ...]
    spaces: tuple[Space, ...]
    neighbours: tuple[tuple[str | None, ...], ...]
    links: tuple[GridLink, ...]

    def list_edge_ids(self) -> tuple[str, ...]:
        """Return the ids of the links, such as "0101/0102"."""
        return tuple(f"{link.first}/{link.second}" for link in self.links)


def format_adjacent_spaces(plan: GridPlan | None, space: str) -> str:
    """Return the spaces adjacent to a space as text, or '' if it is not a space of the grid."""
    adjacent = [
        neighbour
        for own, neighbours in zip(plan.spaces if plan else (), plan.neighbours if plan else (), strict=True)
        if own.id == space
        for neighbour in neighbours
        if neighbour is not None
    ]
    return ", ".join(f"`{neighbour}`" for neighbour in sorted(adjacent))


def build_grid_plan(tree: MappingNode, sink: Sink) -> GridPlan | None:
    """Return the plan of a map's `grid`, or None if it has none or a faulty one (reported)."""
    if tree is EMPTY or not tree.entries:
        return None
    shape = tree.get_text("shape")
    form = tree.get_text("orientation") if shape != "square" else "diagonal" if tree.is_true("diagonals") else "square"
    cells = _list_cells(tree)
    if form not in DIRECTIONS or cells is None:
        return None
    if not 0 < len(cells) <= MAX_SPACES:
        sink.add_error(
            "grid-too-large" if cells else "grid-empty",
            _(
                "the grid would have {number} spaces; the limit is {max_spaces}",
                number=len(cells),
                max_spaces=MAX_SPACES,
            )
            if cells
            else _("the grid has no spaces"),
            tree.entries["columns"].key.span,
            help=_("write the first and the last column and row: `columns: [1, 20]`"),
        )
        return None
    ids = _number_cells(tree, cells, sink)
    low_parity = 1 if tree.get_text("stagger") == "odd_low" else 0
    neighbours = tuple(
        tuple(
            ids.get((c + dc, r + dr))
            for dc, dr in (_compute_offsets(form, c, r, low_parity)[d] for d in DIRECTIONS[form])
        )
        for c, r in cells
    )
    spaces = tuple(Space(ids[c, r], c, r) for c, r in cells)
    return GridPlan(shape, DIRECTIONS[form], spaces, neighbours, _build_links(spaces, neighbours, DIRECTIONS[form]))


def _build_links(
    spaces: tuple[Space, ...], neighbours: tuple[tuple[str | None, ...], ...], directions: tuple[str, ...]
) -> tuple[GridLink, ...]:
    """Return the link of each pair of adjacent spaces; `neighbours`: of each space by direction."""
    order = {space.id: n for n, space in enumerate(spaces)}
    return tuple(
        GridLink(space.id, neighbour, direction)
        for space, adjacent in zip(spaces, neighbours, strict=True)
        for direction, neighbour in zip(directions, adjacent, strict=True)
        if neighbour is not None and order[space.id] < order[neighbour]
    )


def _compute_offsets(form: str, column: int, row: int, low_parity: int) -> _Offsets:
    if form in ("square", "diagonal"):
        return _SQUARE
    if form == "flat":
        return _FLAT_LOW if column % 2 == low_parity else _FLAT_HIGH
    return _POINTED_RIGHT if row % 2 == low_parity else _POINTED_LEFT


def _read_pair(node: Node | None) -> tuple[int, int] | None:
    if not isinstance(node, SequenceNode) or len(node.items) != 2:
        return None
    first, last = map(read_integer, node.items)
    return None if first is None or last is None else (first, last)


def _read_bounds(node: Node | None) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return ((first, last) of the even lines, (first, last) of the odd lines), or None if `node` states neither."""
    if isinstance(node, MappingNode):
        even, odd = _read_pair(node.get("even")), _read_pair(node.get("odd"))
        return (even, odd) if even and odd else None
    both = _read_pair(node)
    return (both, both) if both else None


def _list_cells(tree: MappingNode) -> list[tuple[int, int]] | None:
    """Return the cells (column, row) of a grid, column by column; None without its bounds."""
    columns, rows = _read_bounds(tree.get("columns")), _read_bounds(tree.get("rows"))
    if columns is None or rows is None:
        return None
    column_range = range(min(p[0] for p in columns), max(p[1] for p in columns) + 1)
    row_range = range(min(p[0] for p in rows), max(p[1] for p in rows) + 1)
    if len(column_range) * len(row_range) > MAX_SPACES * 2:
        return [(0, 0)] * (MAX_SPACES + 1)
    return [
        (c, r)
        for c in column_range
        for r in row_range
        if columns[r % 2][0] <= c <= columns[r % 2][1] and rows[c % 2][0] <= r <= rows[c % 2][1]
    ]


def _number_cells(tree: MappingNode, cells: list[tuple[int, int]], sink: Sink) -> dict[tuple[int, int], str]:
    """Return the id of each cell (column, row), as `numbering` says; report numbers with too many digits."""
    numbering = tree.get_text("numbering", "CCRR")
    c_digits, r_digits = numbering.count("C"), numbering.count("R")
    ids = {}
    for c, r in cells:
        column, row = str(c).zfill(c_digits), str(r).zfill(r_digits)
        ids[c, r] = column + row if numbering.startswith("C") else row + column
        if (len(column) > c_digits or len(row) > r_digits or c < 0 or r < 0) and set(numbering) == {"C", "R"}:
            message = _("column {c}, row {r} cannot be numbered as `{numbering}`", c=c, r=r, numbering=numbering)
            cure = _("write one C or R for every digit")
            sink.add_error("numbering-too-short", message, tree.entries["numbering"].value.span, help=cure)
            break
    return {cell: ids.get(cell, f"{cell[0]}-{cell[1]}") for cell in cells}


def normalize_edge_keys(map_: MappingNode, sink: Sink) -> MappingNode:
    """Normalize every key of `grid.edges` to the smaller number first; merge two entries for one side."""
    edges = map_.get_mapping("grid").get_mapping("edges")
    if not edges.entries:
        return map_
    entries: dict[str, MappingEntry] = {}
    for entry in edges:
        name = _order_spaces(entry.key.text)
        old = entries.get(name)
        if old is None:
            key = entry.key if name == entry.key.text else replace(entry.key, text=name, value=name)
            entries[name] = MappingEntry(key, entry.value)
        elif isinstance(old.value, MappingNode) and isinstance(entry.value, MappingNode):
            entries[name] = MappingEntry(old.key, _merge_mappings(old.value, entry.value, name, sink))
        else:
            _report_defined_twice(_("`{name}` is defined twice", name=name), entry, old, sink)
    return map_.copy_with_value(("grid", "edges"), MappingNode(entries, edges.span))


def _order_spaces(key: str) -> str:
    """Return the key of a link, such as `0102/0101` or `new 0102/0101`, with its two spaces in order."""
    name = key.removeprefix(_NEW)
    ordered = min(name, reverse_edge_name(name))
    return key[: len(key) - len(name)] + ordered


def _merge_mappings(first: MappingNode, second: MappingNode, owner: str, sink: Sink) -> MappingNode:
    """Return two mappings merged; report keys that both have. `owner` names the mapping in messages."""
    entries = dict(first.entries)
    for name, entry in second.entries.items():
        if name in entries:
            message = _("`{name}` of `{whose}` is defined twice", name=name, whose=owner)
            _report_defined_twice(message, entry, entries[name], sink)
        else:
            entries[name] = entry
    return MappingNode(entries, first.span)


def _report_defined_twice(text: str, entry: MappingEntry, old: MappingEntry, sink: Sink) -> None:
    sink.report_duplicate(text, entry.key.span, old.key.span, _("keep one of the two"))
