"""A batch of games of one ruleset inside WebAssembly, stepped by one call; each game has a lane of the memory.

Arrays are views of the lanes: reading them copies nothing, and they show the present positions after each step.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from interpreter.backends.wasm.host.session import NativeSession, NotInsideError, no_game
from interpreter.backends.wasm.host.wasm_host import TrapError
from interpreter.backends.wasm.memory_layout import LANES_SIZE, MAX_LANES, SLOT_HEAD
from interpreter.backends.wasm.value_encoding import NotEncodableError
from interpreter.play.game import Game
from interpreter.runtime.errors import RuleFault

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from interpreter.backends.wasm.host.state_transfer import Column

_ROOM = 4  # times the bytes of the first position that a lane can hold
_MIN_ROWS = 256  # options that a lane can hold at least
_ODD = 64  # added to the bytes of a lane, so that lanes do not share the same lines of a cache
_PAGE = 4096
_ACTIONS = 64  # bytes of the inputs before the actions


class Lanes:
    """A batch of `count` games in one WebAssembly module, advanced together by `step`.

    A lane is the part of the module's memory that holds one game. `actions`: for each lane, the number of the option
    that the next `step` takes (an int32 array to write into).
    """

    def __init__(
        self, session: NativeSession, count: int, seed: int, scenario: str | None, options: tuple[str, ...]
    ) -> None:
        import numpy

        if not 1 <= count <= MAX_LANES:
            raise NotInsideError(f"{count} lanes")
        self._session = session
        self.count = count
        sheet = session.sheet
        session.evict_positions()
        self._begun = session.begin(scenario, options, seed)
        self._scenario = scenario
        session.renew()
        self._first = session.save_position()
        assert self._first.slot == 0
        session.start()
        self._stride = self._measure_lane()
        session.words[self._seeds_at // 8 : self._seeds_at // 8 + count] = memoryview(
            (numpy.arange(count, dtype=numpy.int64) + seed).tobytes()
        ).cast("q")
        self.actions: NDArray[np.int32] = numpy.ndarray(
            (count,), numpy.int32, session.memory, sheet.session.lane_inputs + _ACTIONS
        )
        self.actions[:] = 0
        self.options, self.decisions, self.sides = (self._view_machine(name) for name in ("count", "pending", "side"))
        self.over, self.winners, self.levels = (self._view_machine(name) for name in ("over", "winner", "level"))
        self.turns: NDArray[np.int64] = self._view_values(sheet.position.turn, numpy.dtype(numpy.int64), ())
        self.columns = {f"{c.slot.kind}.{c.slot.name}": self._view_column(c) for c in session.transfer.columns}
        self.broken: NDArray[np.bool_] = numpy.zeros(count, dtype=bool)
        for lane in range(count):
            session.begin_lane(lane, count, self._stride)
        session.live = no_game

    @property
    def _seeds_at(self) -> int:
        return self._session.sheet.session.lane_inputs + _ACTIONS + 4 * MAX_LANES

    def step(self) -> None:
        """Take the option in `actions` in every game; a game that was over starts again with its next seed.

        A choice at which the module traps is made in Python. A game that cannot be continued exactly in the module is
        over without a winner, and marked in `broken`. Raises NotInsideError for a number that is not one of an option.
        """
        session, at = self._session, 0
        session.live = no_game
        if self._any_broken:
            self.broken[:] = self._any_broken = False
        session.place_in_slot(self._first)
        while True:
            try:
                session.step_lanes(at, self.count, self._stride)
            except TrapError:
                at = int.from_bytes(
                    session.memory[session.sheet.session.lane_inputs : session.sheet.session.lane_inputs + 4], "little"
                )
                if not self.over[at] and not 0 <= self.actions[at] < self.options[at]:
                    raise NotInsideError(f"option {self.actions[at]} of {self.options[at]} in lane {at}") from None
                if not self._choose_in_python(at):
                    self.over[at], self.winners[at], self.broken[at], self._any_broken = 1, -1, True, True
                at += 1
            else:
                return

    _any_broken = False

    def _choose_in_python(self, lane: int) -> bool:
        """Take in Python the option of a lane in which the module trapped; return False if that is impossible.

        On success, the resulting position is in the lane again.
        """
        session, sheet = self._session, self._session.sheet
        if self.over[lane]:
            return False  # the game could not begin
        seed = session.words[self._seeds_at // 8 + lane] - self.count
        with suppress(NotEncodableError, TrapError, RuleFault):
            state = session.read_lane_state(sheet.session.lanes + lane * self._stride, self._begun, seed)
            game = Game(session.program, state, self._scenario, seed, False)
            game.pick(int(self.actions[lane]))
            if game.decision is None:
                session.enter_end(game.state)
            else:
                side = session.program.handles["side"][game.decision.side]
                session.enter(game.state, side, game.count())
            session.settle_lane(lane, self._stride)
            return True
        return False

    def _measure_lane(self) -> int:
        """Return the size of a lane in bytes, and pass to the module how many of them the position may take.

        Raises NotInsideError if `count` lanes that are large enough for the game do not fit into the memory.
        """
        session = self._session
        position = session.save_position()
        whole, rows = session.measure_position(position)
        offered = max(_ROOM * rows, _MIN_ROWS * session.sheet.session.option_size)
        used = _ROOM * (whole - rows) + offered
        room = min((used + _PAGE - 1) // _PAGE * _PAGE + _ODD, LANES_SIZE // self.count // 64 * 64)
        if room < whole + offered:
            raise NotInsideError(f"{self.count} games of this size")
        session.words[session.sheet.session.lane_inputs // 8 + 1] = (room - offered) // 64 * 64
        return room

    def _view_machine(self, name: str) -> NDArray[np.int64]:
        import numpy

        return self._view_values(self._session.sheet.position.machine[name], numpy.dtype(numpy.int64), ())

    def _view_column(self, column: Column) -> NDArray[Any]:
        import numpy

        if not column.is_compound:
            return self._view_values(column.base, numpy.dtype(f"<i{column.width}"), (column.count,))
        kind = numpy.dtype(numpy.uint8 if column.has_bits else numpy.int64)
        return self._view_values(column.base, kind, (column.count, column.width // kind.itemsize))

    def _view_values(self, address: int, kind: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        """Return the values at an address of the position, one row for each lane, as a view of the memory.

        `kind`: the type of a value. `shape`: the shape within a lane.
        """
        import numpy

        sheet = self._session.sheet
        strides: list[int] = []
        size = kind.itemsize
        for extent in reversed(shape):
            strides.insert(0, size)
            size *= extent
        offset = sheet.session.lanes + SLOT_HEAD + address - sheet.position.copied
        return numpy.ndarray((self.count, *shape), kind, self._session.memory, offset, (self._stride, *strides))
