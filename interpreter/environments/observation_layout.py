"""Layout of an observation: blocks of rows and named channels, as data that can be read and printed.

Derived from the ruleset's kinds and attributes. Does not need numpy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.environments.encodings import ONE_HOT, EncodedField, build_field
from interpreter.environments.env_config import EnvConfig
from interpreter.environments.word_actions import name_piece_sorts
from interpreter.runtime.program import Program

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIDE = ["thing", "side"]


@dataclass(frozen=True, slots=True)
class FeatureBlock:
    """A part of an observation: numbers in rows of equal length, row after row, from index `start` on.

    `about`: what it holds, in words; `rows`: the names of its rows, such as the places; `channels`: the names of the
    numbers in each row; `left_out`: attributes that cannot be encoded.
    """

    name: str
    about: str
    start: int
    rows: tuple[str, ...]
    channels: tuple[str, ...]
    left_out: tuple[str, ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        """Return the numbers of rows and channels."""
        return len(self.rows), len(self.channels)

    @property
    def stop(self) -> int:
        """Return the index after the last number of the block."""
        return self.start + len(self.rows) * len(self.channels)


@dataclass(frozen=True, slots=True)
class ObservationLayout:
    """The blocks of an observation, in order; `size` is how many numbers they have together.

    `cells`: on a grid, (column, line) of each row of the block `place`, both from 0; None for a place off the grid.
    """

    blocks: tuple[FeatureBlock, ...]
    cells: tuple[tuple[int, int] | None, ...] = ()

    @property
    def size(self) -> int:
        """Return how many numbers an observation has."""
        return self.blocks[-1].stop

    @property
    def grid(self) -> tuple[int, int] | None:
        """Return the numbers of rows and columns of the grid, or None without a grid."""
        cells = [cell for cell in self.cells if cell is not None]
        if not cells:
            return None
        return max(line for _, line in cells) + 1, max(column for column, _ in cells) + 1

    def block(self, name: str) -> FeatureBlock:
        """Return the block with this name. Raises `KeyError` if no block has that name."""
        for block in self.blocks:
            if block.name == name:
                return block
        raise KeyError(name)

    def index(self, name: str, row: str, channel: str) -> int:
        """Return the index of a number by block, row and channel.

        Raises `KeyError` or `ValueError` if none matches.
        """
        block = self.block(name)
        return block.start + block.rows.index(row) * len(block.channels) + block.channels.index(channel)

    def parts(self, observation: NDArray[np.float32]) -> dict[str, Any]:
        """Split an observation into its blocks, each an array of shape (rows, channels)."""
        return {b.name: observation[b.start : b.stop].reshape(b.shape) for b in self.blocks}

    def planes(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the places of a grid as an array of shape (channels, rows, columns), 0 where the map has no place."""
        import numpy

        grid, block = self.grid, self.block("place")
        if grid is None:
            raise KeyError("grid")
        block_planes = observation[block.start : block.stop].reshape(block.shape)
        planes = numpy.zeros((len(block.channels), *grid), block_planes.dtype)
        for row, cell in enumerate(self.cells):
            if cell is not None:
                planes[:, cell[1], cell[0]] = block_planes[row]
        return planes

    def data(self) -> list[dict[str, Any]]:
        """Return the layout as plain data."""
        return [
            {
                "name": b.name,
                "about": b.about,
                "start": b.start,
                "stop": b.stop,
                "rows": list(b.rows),
                "channels": list(b.channels),
                "left_out": list(b.left_out),
            }
            for b in self.blocks
        ]

    def __str__(self) -> str:
        return "\n".join(self._iter_lines())

    def _iter_lines(self) -> Iterator[str]:
        yield f"{self.size} numbers"
        for b in self.blocks:
            yield f"{b.start}..{b.stop - 1} {b.name}: {b.about}; {len(b.rows)} rows of {len(b.channels)}"
            yield f"    rows: {_shorten_names(b.rows)}"
            yield f"    channels: {_shorten_names(b.channels)}"
            if b.left_out:
                yield f"    left out: {', '.join(b.left_out)}"


def _shorten_names(names: tuple[str, ...]) -> str:
    return ", ".join(names) if len(names) <= 24 else f"{', '.join(names[:20])} ... {names[-1]}"


@dataclass(frozen=True, slots=True)
class FeatureColumn:
    """An attribute of the things of a kind: its column in the state (`slot`), its encoding and its first channel."""

    slot: str
    field: EncodedField
    offset: int


@dataclass(frozen=True, slots=True)
class CountedPieces:
    """Pieces of one sort, counted per place.

    `pieces`: their handles; `offset`: the channel of the count, which the changing attributes in `columns` follow.
    """

    name: str
    pieces: tuple[int, ...]
    offset: int
    columns: tuple[FeatureColumn, ...]


@dataclass(frozen=True, slots=True)
class FieldSource:
    """Encoding of a piece's location: row and column on a grid, or one-hot if there are few places.

    `field`: the one-hot encoding, or None for a grid. `off_grid`: the places beside the grid.
    """

    field: EncodedField | None
    off_grid: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the channels that encode a piece's location."""
        if self.field is not None:
            return self.field.names
        return ("column", "line", *(f"at {place}" for place in self.off_grid))


@dataclass(frozen=True, slots=True)
class EncodingPlan:
    """An observation layout together with the columns of the state that fill it.

    `kinds`: the columns of the things of each kind; `counted`: the sorts of pieces that are counted per place;
    `single`: the pieces that are encoded one by one; `where`: how their location is encoded; `game`: the columns of the
    game's values; `phases`: the phases that are encoded; `given`: for each decision, the column of each of its
    parameters, or None; `words`: the number of different words that options are spelled with, 0 if actions are not
    words.
    """

    layout: ObservationLayout
    kinds: tuple[tuple[str, tuple[FeatureColumn, ...]], ...]
    counted: tuple[CountedPieces, ...]
    single: tuple[int, ...]  # pieces with a separate row
    where: FieldSource
    game: tuple[FeatureColumn, ...]
    phases: tuple[str, ...]
    given: tuple[tuple[FeatureColumn | None, ...], ...]  # for each decision, the columns of the values that it reads
    words: int


class LayoutBuilder:
    """Builder of an observation layout, which appends one block after another."""

    def __init__(self) -> None:
        self.blocks: list[FeatureBlock] = []
        self.at = 0

    def add(
        self, name: str, about: str, rows: tuple[str, ...], channels: tuple[str, ...], left_out: tuple[str, ...] = ()
    ) -> None:
        """Add a block unless it would be empty.

        `about`: what it holds. `left_out`: attributes that cannot be encoded.
        """
        if rows and channels:
            self.blocks.append(FeatureBlock(name, about, self.at, rows, channels, left_out))
            self.at = self.blocks[-1].stop


def build_plan(setting: EnvConfig) -> EncodingPlan:
    """Return the layout of a ruleset's observations, together with the columns of the state that fill it."""
    program, builder = setting.program, LayoutBuilder()
    counted, names = _list_counted_channels(program)
    place_columns, place_names, omitted = _list_columns(program, "place", len(names))
    builder.add(
        "place",
        "the changing values of each place, and the number of pieces of each sort there",
        tuple(program.ids["place"]),
        (*names, *place_names),
        omitted,
    )
    kinds = [("place", place_columns)]
    where = _build_location_field(program)
    single = tuple(piece for piece, is_alike in enumerate(program.is_alike) if not is_alike)
    columns, channels, omitted = _list_columns(program, "piece", len(where.names), single)
    rows = tuple(program.ids["piece"][piece] for piece in single)
    builder.add("piece", "the location and changing values of each piece", rows, (*where.names, *channels), omitted)
    kinds.append(("piece", columns))
    for kind in program.kinds:
        if kind not in ("place", "piece"):
            columns, channels, omitted = _list_columns(program, kind, 0)
            builder.add(kind, "the changing values of each", tuple(program.ids[kind]), channels, omitted)
            kinds.append((kind, columns))
    game, phases = _add_game_block(builder, program)
    columns_of_decision = _add_decision_blocks(builder, setting)
    words = setting.codec.size if setting.codec.sort == "words" else 0
    builder.add(
        "said", "the words so far of the option being chosen", ("",), tuple(map(setting.codec.meaning, range(words)))
    )
    layout = ObservationLayout(tuple(builder.blocks), _list_cells(program))
    return EncodingPlan(layout, tuple(kinds), counted, single, where, game, phases, columns_of_decision, words)


def _list_cells(program: Program) -> tuple[tuple[int, int] | None, ...]:
    """Return the column and line of each place, from 0; None off the grid, () for a map without a grid."""
    cells = program.links.cells
    on_map = [cell for cell in cells if cell is not None]
    if not on_map:
        return ()
    column, line = min(c for c, _ in on_map), min(r for _, r in on_map)
    shifted = [None if cell is None else (cell[0] - column, cell[1] - line) for cell in cells]
    return (*shifted, *(None for _ in range(program.place_count - len(shifted))))


def _list_columns(
    program: Program, kind: str, offset: int, things: tuple[int, ...] | None = None
) -> tuple[tuple[FeatureColumn, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the changing attributes of a kind as columns, their channels, and the names of those without encoding.

    `offset`: the index of the first channel. `things`: only attributes that one of these things has; None for all.
    """
    data = program.kinds[kind]
    had = None
    if things is not None:
        had = {a for thing in things for a in program.classes[data["things"][thing]["cls"]]["attributes"]}
    columns: list[FeatureColumn] = []
    names: list[str] = []
    omitted = []
    for slot, of, name, _start in program.columns:
        if of != kind or had is not None and name not in had:
            continue
        field = build_field(program, name, data["attributes"][name]["show"])
        if field is None:
            omitted.append(name)
        else:
            columns.append(FeatureColumn(slot, field, offset + len(names)))
            names += field.names
    return tuple(columns), tuple(names), tuple(omitted)


def _list_counted_channels(program: Program) -> tuple[tuple[CountedPieces, ...], tuple[str, ...]]:
    """Return the sorts of pieces that are counted per place, and the names of all channels."""
    members: dict[str, list[int]] = {}
    alike = name_piece_sorts(program)
    for piece in range(len(program.ids["piece"])):
        members.setdefault(alike.get(piece) or _get_sort_of_unique_piece(program, piece), []).append(piece)
    out, names = [], list[str]()
    for name, pieces in members.items():
        offset = len(names)
        names.append(name)
        columns: tuple[FeatureColumn, ...] = ()
        if pieces[0] in alike:
            columns, channels, _left = _list_columns(program, "piece", len(names), (pieces[0],))
            names += [f"{name}: {channel}" for channel in channels]
        out.append(CountedPieces(name, tuple(pieces), offset, columns))
    return tuple(out), tuple(names)


def _get_sort_of_unique_piece(program: Program, piece: int) -> str:
    """Return the name of the sort of a piece that is not interchangeable: class, and side if that never changes."""
    data = program.kinds["piece"]
    cls = program.classes[data["things"][piece]["cls"]]
    for name in cls["attributes"]:
        attribute = data["attributes"][name]
        if attribute["show"] == SIDE and not attribute["changes"]:
            side = program.get_constant(piece, name)
            return f"{cls['one']} {program.ids['side'][side]}"
    return str(cls["one"])


def _build_location_field(program: Program) -> FieldSource:
    """Return the encoding of a piece's location: one channel for each place or, for a large grid, column and line."""
    places = program.ids["place"]
    if len(places) <= ONE_HOT or not program.links.cells:
        return FieldSource(build_field(program, "at", ["thing", "place"]), ())
    cells = _list_cells(program)
    return FieldSource(None, tuple(place for place, cell in zip(places, cells, strict=True) if cell is None))


def _add_game_block(builder: LayoutBuilder, program: Program) -> tuple[tuple[FeatureColumn, ...], tuple[str, ...]]:
    """Add the block of the game's values; return the columns that fill it, and the phases."""
    names, columns, omitted = ["turn"], [], []
    phases = tuple(program.data["phases"])
    names += [f"phase = {phase}" for phase in phases]
    for slot, name, attribute in program.game:
        field = build_field(program, name, attribute["show"])
        if field is None:
            omitted.append(name)
        else:
            columns.append(FeatureColumn(slot, field, len(names)))
            names += field.names
    builder.add("game", "the turn, the phase, the values of the whole game", ("",), tuple(names), tuple(omitted))
    return tuple(columns), phases


def _add_decision_blocks(builder: LayoutBuilder, setting: EnvConfig) -> tuple[tuple[FeatureColumn | None, ...], ...]:
    """Add the blocks for the viewpoint, the deciding player, the decision and its parameters.

    Returns, by decision, the column of each of its parameters, or None for one that cannot be encoded.
    """
    program = setting.program
    seats = tuple(f"{label} = {seat}" for label in ("you", "to decide") for seat in setting.seats)
    builder.add("players", "the observing player and the deciding player", ("",), seats)
    builder.add("sides", "the deciding side", ("",), tuple(program.ids["side"]))
    builder.add("decision", "the pending decision", ("",), tuple(d.address for d in program.decisions))
    names: list[str] = []
    omitted: list[str] = []
    laid: dict[Any, FeatureColumn | None] = {}
    columns = []
    for decision in program.decisions:
        row = []
        for name, show in decision.given:
            key = (name, str(show))
            if key not in laid:
                field = build_field(program, name, show)
                laid[key] = None if field is None else FeatureColumn("", field, len(names))
                names += () if field is None else field.names
                omitted += [name] if field is None else []
            row.append(laid[key])
        columns.append(tuple(row))
    builder.add(
        "given", "the parameters of the decision, by their names in the rules", ("",), tuple(names), tuple(omitted)
    )
    return tuple(columns)
