"""Encode a position as an array of float32, following an observation layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from interpreter.environments.encodings import COUNT, NUMBER, ONE_OF, PART, SET, WHICH, EncodedField
from interpreter.environments.env_config import EnvConfig
from interpreter.environments.env_state import EnvState
from interpreter.environments.observation_layout import (
    CountedPieces,
    EncodingPlan,
    FeatureColumn,
    ObservationLayout,
    build_plan,
)
from interpreter.runtime.pending import get_pending_decision
from interpreter.runtime.state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float32]


_RECENT = 4  # positions cached: all players observe one, and OpenSpiel the initial one in between


class ObservationEncoder:
    """Encoder of positions as observations, following `layout`."""

    def __init__(self, setting: EnvConfig) -> None:
        self._setting = setting
        self._plan: EncodingPlan = build_plan(setting)
        self.layout: ObservationLayout = self._plan.layout
        self._starts = {block.name: block.start for block in self.layout.blocks}
        self._recent: list[tuple[Any, Numbers]] = []
        cells = self.layout.cells
        self._cells = np.array([(0, 0) if c is None else (c[0] + 1, c[1] + 1) for c in cells], np.float32)
        self._sorts = np.zeros(len(setting.program.ids["piece"]), np.intp)
        for sort in self._plan.counted:
            self._sorts[list(sort.pieces)] = sort.offset
        self._groups = _group_alike(self._plan.counted)
        self._shapes = [(block.name, block.start, block.stop, block.shape) for block in self.layout.blocks]
        self._rows = [self._get_working_rows(pieces, columns) for pieces, columns in self._groups]
        self._base: Numbers = np.zeros(self.layout.size, np.float32)
        parts = self.layout.parts(self._base)
        self._columns = [
            (column.slot, column.field, _get_part(parts[kind], column), self._plan.single if kind == "piece" else None)
            for kind, columns in self._plan.kinds
            if kind in parts
            for column in columns
        ]
        self._known: list[Any] = [None] * len(self._columns)

    def _get_working_rows(
        self, pieces: list[int], columns: tuple[FeatureColumn, ...]
    ) -> tuple[Numbers, list[Any], Any]:
        """Return (values, known, channels), the working arrays for counting a group of interchangeable pieces.

        The values have a row for each piece, with its encoded changing attributes; known are the columns of the state
        from which they were encoded, None at first; the channels are those of a place to which a row is added.
        """
        width = columns[-1].offset + columns[-1].field.width
        channels = self._sorts[pieces][:, None] + np.arange(1, width)
        return np.zeros((len(pieces), width), np.float32), [None] * len(columns), channels

    def observation(self, env_state: EnvState, player: int | None) -> Numbers:
        """Return a new array of `layout.size` float32 with the position as `player` sees it.

        If `player` is None, the position has no viewpoint.
        """
        out: Numbers = self._get_encoded(env_state.state).copy()
        starts, seats = self._starts, len(self._setting.players)
        if player is not None:
            out[starts["players"] + player] = 1
        if env_state.player >= 0:
            self._write_decision(env_state, out)
            out[starts["players"] + seats + env_state.player] = 1
            if self._plan.words:
                out[[starts["said"] + word for word in env_state.words_so_far]] = 1
        return out

    def _get_encoded(self, state: State) -> Numbers:
        """Return the encoding of a position without viewpoint and decision; the most recent ones are cached."""
        for numbers, base in self._recent:
            if numbers is state:
                return base
        base = self._encode_position(state)
        self._recent = [(state, base), *self._recent[: _RECENT - 1]]
        return base

    def _write_decision(self, env_state: EnvState, out: Numbers) -> None:
        """Write the pending decision, the side that makes it, and the decision's parameters into `out`."""
        starts, pending = self._starts, get_pending_decision(env_state.state)
        out[starts["sides"] + env_state.side] = 1
        out[starts["decision"] + pending.number] = 1
        for column, value in zip(self._plan.given[pending.number], pending.values, strict=True):
            if column is not None:
                index = starts["given"] + column.offset
                fill(column.field, [value], out[index : index + column.field.width].reshape(1, -1))

    def _encode_position(self, state: State) -> Numbers:
        """Return the encoding of a position without viewpoint and decision."""
        out: Numbers = self._encode_things(state).copy()
        parts = {name: out[start:stop].reshape(shape) for name, start, stop, shape in self._shapes}
        plan = self._plan
        self._encode_pieces(state, parts)
        game = parts["game"]
        game[0, 0] = state.turn
        if state.phase in plan.phases:
            game[0, 1 + plan.phases.index(state.phase)] = 1
        for column in plan.game:
            fill(column.field, [getattr(state, column.slot)], _get_part(game, column))
        return out

    def _encode_things(self, state: State) -> Numbers:
        """Return the encoded attributes of things; only columns that have changed since the last call are encoded."""
        for number, (slot, field, part, rows) in enumerate(self._columns):
            values = getattr(state, slot)
            if values is not self._known[number] and values != self._known[number]:
                part[:] = 0
                fill(field, values if rows is None else [values[row] for row in rows], part)
            self._known[number] = values
        return self._base

    def _encode_pieces(self, state: State, parts: dict[str, Numbers]) -> None:
        """Write the number of pieces of each sort at each place, and the place of each piece alone of its sort.

        `parts`: the arrays of the blocks to write to, by name.
        """
        plan = self._plan
        if plan.counted:
            at = np.array(state.at, np.intp)
            np.add.at(parts["place"], (at, self._sorts), 1)
            for number in range(len(self._groups)):
                self._count_values(state, number, at, parts["place"])
        if not plan.single:
            return
        part = parts["piece"]
        if plan.where.field is not None:
            fill(plan.where.field, [state.at[p] for p in plan.single], part[:, : plan.where.field.width])
        else:
            self._encode_on_grid(state, part)

    def _count_values(self, state: State, number: int, at: NDArray[np.intp], block: Numbers) -> None:
        """Add the changing values of interchangeable pieces to the rows of the places where they are.

        `number`: the index of the group of pieces. `at`: the place of every piece. `block`: the array to add to.
        """
        pieces, columns = self._groups[number]
        rows, row_of_value, channels = self._rows[number]
        for index, column in enumerate(columns):
            values = getattr(state, column.slot)
            if values is not row_of_value[index] and values != row_of_value[index]:
                part = _get_part(rows, column)
                part[:] = 0
                fill(column.field, [values[p] for p in pieces], part)
            row_of_value[index] = values
        np.add.at(block, (at[pieces][:, None], channels), rows[:, 1:])

    def _encode_on_grid(self, state: State, part: Numbers) -> None:
        """Write the column and line of each single piece, or its place beside the grid, into `part`."""
        plan, handles = self._plan, self._setting.program.handles["place"]
        places = [state.at[p] for p in plan.single]
        part[:, :2] = self._cells[places]
        off = {handles[name]: n + 2 for n, name in enumerate(plan.where.off_grid)}
        for row, place in enumerate(places):
            if place in off:
                part[row, off[place]] = 1


def _get_part(block: Numbers, column: FeatureColumn) -> Numbers:
    """Return the channels of a block that hold one column, as a view."""
    return block[:, column.offset : column.offset + column.field.width]


def _group_alike(counted: tuple[CountedPieces, ...]) -> list[tuple[list[int], tuple[FeatureColumn, ...]]]:
    """Group the sorts of pieces whose channels have equal layouts, so that they are counted together.

    Returns (pieces, columns) of each group; the offset of a column is relative to its sort.
    """
    groups: dict[Any, tuple[list[int], tuple[FeatureColumn, ...]]] = {}
    for sort in counted:
        if sort.columns:
            key = tuple((c.slot, c.offset - sort.offset) for c in sort.columns)
            pieces, _columns = groups.setdefault(
                key, ([], tuple(FeatureColumn(c.slot, c.field, c.offset - sort.offset) for c in sort.columns))
            )
            pieces += sort.pieces
    return list(groups.values())


def fill(field: EncodedField, values: list[Any], part: Numbers) -> None:
    """Write encoded values into `part`, one row for each value; `part` must be all 0."""
    places = field.places or {}
    if field.sort == ONE_OF:
        filled = [(row, places[value]) for row, value in enumerate(values) if value is not None]
        if filled:
            part[tuple(zip(*filled, strict=True))] = 1
    elif field.sort == SET:
        for row, value in enumerate(values):
            part[row, [places[v] for v in value or ()]] = 1
    elif field.sort == PART:
        for row, value in enumerate(values):
            if value is not None:
                part[row, places[value[0]]] = 1
                part[row, len(places)] = value[1]
    elif field.sort == WHICH:
        part[:, 0] = [0 if value is None else places[value] for value in values]
    elif field.sort == COUNT:
        part[:, 0] = [len(value or ()) for value in values]
    elif field.sort == NUMBER:
        part[:, 0] = [0 if value is None else float(value) for value in values]
    else:
        part[:, 0] = [1 if value else 0 for value in values]
    if field.has_presence:
        part[:, -1] = [value is not None for value in values]
