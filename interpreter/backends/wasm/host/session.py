"""Positions of one ruleset in the memory of its module: one is live, others are saved in slots or as bytes.

A module keeps what it has memoized between positions; versions in each position say what of it is still valid.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import ref

from interpreter.backends.wasm.assembly.session_text import REQUEST
from interpreter.backends.wasm.host.frame_transfer import FrameTransfer
from interpreter.backends.wasm.host.state_transfer import SEED_BYTES, StateTransfer
from interpreter.backends.wasm.host.trials import TrialRunner
from interpreter.backends.wasm.memory_layout import SLOT_HEAD
from interpreter.ir.expression_records import SEAT_OF
from interpreter.model import types as t
from interpreter.play import setup
from interpreter.runtime.dice import MIN_SEED, SeededDice
from interpreter.runtime.errors import NotNativeError

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.wasm_host import Instance
    from interpreter.runtime.program import Program
    from interpreter.runtime.state import State

_read_facts = Struct("<5q").unpack_from  # the machine's first values
_pack_request = Struct(f"<{len(REQUEST)}q").pack_into
_DEAL_TEXT = 48  # most bytes of the text that begins each digest of a deal
_MIN_INT64, _MAX_INT64 = -(1 << 63), (1 << 63) - 1


class NotInsideError(NotNativeError):
    """Raised for an operation on a game that only Python can do."""


class SessionFacts(NamedTuple):
    """The pending decision of a position.

    `pending`: its number; `side`: the handle of the deciding side; `options`: how many options it has; `is_partial`:
    only some of them are listed; `is_over`: the game is over.
    """

    pending: int
    side: int
    options: int
    is_partial: bool
    is_over: bool


def no_game() -> None:
    """Return None, like a weak reference to a game that no longer exists."""


class Position:
    """A saved position, immutable: in a slot of the module, or as bytes."""

    __slots__ = ("slot", "data", "__weakref__")

    def __init__(self, slot: int) -> None:
        self.slot = slot
        self.data = b""


class NativeSession:
    """The module of one ruleset with its memory. Use `lock` where threads share it."""

    def __init__(self, program: Program, transfer: StateTransfer, instance: Instance) -> None:
        self.program = program
        self.transfer = transfer
        self.sheet = sheet = transfer.sheet
        self.memory = instance.memory
        self.words, self.ints = instance.memory.cast("q"), instance.memory.cast("i")
        self._halves = instance.memory.cast("h")
        self.function = instance.get_function
        self._seat_of = next(c.base for c in transfer.columns if c.slot == SEAT_OF) // 2
        self.lock = RLock()
        self.start = instance.get_function("start")
        self.play = instance.get_function("play", 1)
        self.play_turn = instance.get_function("play_turn", 1)
        self.pick = instance.get_function("pick", 1)
        self.end_series = instance.get_function("end_row")
        self.list_options = instance.get_function("list_options")
        self.waiting = instance.get_function("waiting")
        self.seed = instance.get_function("seed", 3)
        self.renew = instance.get_function("renew_versions")
        self._save = instance.get_function("save", 1)
        self._load = instance.get_function("load", 1)
        self._resume = instance.get_function("resume")
        self._worth = instance.get_function("worth", 1)
        self.begin_lane = instance.get_function("begin_lane", 3)
        self.step_lanes = instance.get_function("step_lanes", 3)
        self.settle_lane = instance.get_function("settle_lane", 2)
        self._perft = instance.get_function("perft", 2)
        self._frames = FrameTransfer(transfer, program)
        self.live: Callable[[], object] = no_game  # a reference to the game whose position is in the block
        self.marked: frozenset[tuple[str, str]] = frozenset()  # decisions that are marked as known
        self._owners: list[ref[Position] | None] = [None] * sheet.session.slot_count
        self._next = 0
        self._blocks: dict[tuple[Any, ...], tuple[bytes, State]] = {}  # first positions by scenario and options
        self._facts_at = sheet.position.machine["pending"]
        self.turn_at = sheet.position.turn // 8
        self.used_at = (sheet.position.dice + SEED_BYTES) // 8, (sheet.session.chooser + SEED_BYTES) // 8
        self.addresses = {d.address: d.address_number for d in sheet.rules.decisions}
        self._scale = 0
        worth = sheet.rules.worth
        self.has_worth = isinstance(worth, t.IntType | t.NumberType)
        if isinstance(worth, t.NumberType):
            self._scale = sheet.values.scale
        self.trials = TrialRunner(self) if sheet.session.trials else None

    # --- beginning ---------------------------------------------------------------------------------------

    def begin(self, scenario: str | None, options: tuple[str, ...], seed: int) -> State:
        """Copy the starting position of a game into memory as the live position and return it as a Python state.

        `options`: the optional rules in use; `seed`: the seed of the dice. The module's function `start` then runs the
        game to its first decision.
        """
        if not MIN_SEED <= seed < -MIN_SEED:
            raise NotInsideError("such a seed")  # Python reports the invalid seed
        key = (scenario, options)
        if key not in self._blocks:
            option_values = setup.read_options(self.program, options) if options else {}
            begun = setup.build_first_state(self.program, scenario, option_values, False)
            self._blocks[key] = self.transfer.serialize_state(begun), begun
        block, begun = self._blocks[key]
        memory, sheet, dice = self.memory, self.sheet, self.transfer.serialize_dice(seed)
        memory[sheet.position.state : sheet.position.state + len(block)] = block
        memory[sheet.position.dice : sheet.position.dice + len(dice)] = dice
        self.live = no_game
        return begun

    def set_chooser(self, stream: tuple[int, int]) -> None:
        """Set the dice for choices by chance inside the module. `stream`: their seed and counter."""
        chooser = self.transfer.serialize_dice(*stream)
        self.memory[self.sheet.session.chooser : self.sheet.session.chooser + len(chooser)] = chooser

    def read_state(self, begun: State, seed: int) -> State:
        """Return the live position as a Python state, without the suspended procedures.

        `begun`: a Python state of the game, copied and then overwritten. `seed`: the seed of the dice.
        """
        left = SeededDice(seed, self.transfer.read_dice_counter(self.memory))
        state: State = self.program.copy_state(begun, self.program.state_type, left)
        self.transfer.read(self.memory, state)
        return state

    def read_suspended_state(self, begun: State, seed: int) -> State:
        """Return the live position as a Python state that can be played on, at the pending decision.

        `begun`: a Python state of the game, copied and then overwritten. `seed`: the seed of the dice.
        """
        state = self.read_state(begun, seed)
        self._frames.read(self.memory, state)
        return state

    def enter(self, state: State, side: int, options: int) -> None:
        """Make a Python state the live position.

        `side`: the deciding side's handle. `options`: its number of options.
        """
        dice = state.dice
        if not isinstance(dice, SeededDice):
            raise NotInsideError("dice that are not seeded")
        self.live = no_game
        self._frames.write(self.memory, state, side, options)
        stream = self.transfer.serialize_dice(dice.seed, dice.counter)
        self.memory[self.sheet.position.dice : self.sheet.position.dice + len(stream)] = stream
        self._resume()

    def enter_end(self, state: State) -> None:
        """Make a Python state of a finished game the live position."""
        self.live = no_game
        self._frames.write_end(self.memory, state)

    def read_lane_state(self, address: int, begun: State, seed: int) -> State:
        """Return the position of a lane as a Python state that can be played on.

        `address`: the address of the lane. `begun`: a Python state of the game, copied and then overwritten. `seed`:
        the seed of the dice.
        """
        self.memory[address + 12 : address + 16] = b"\xff" * 4  # its options are not in the buffer
        self.live = no_game
        self._load(address)
        return self.read_suspended_state(begun, seed)

    def count_choices(self) -> tuple[int, int]:
        """Return how many choices `play` or `play_turn` made, and how many at the end had no alternative."""
        return self.words[self.sheet.session.request // 8], self.words[self.sheet.session.request // 8 + 1]

    # --- saved positions -----------------------------------------------------------------------------------

    def save_position(self) -> Position:
        """Copy the live position into a slot."""
        position = Position(self._find_free_slot())
        self._owners[position.slot] = ref(position)
        self._save(self._get_address(position.slot))
        return position

    def load_position(self, position: Position) -> None:
        """Make a position the live one."""
        self.place_in_slot(position)
        self._load(self._get_address(position.slot))

    def place_in_slot(self, position: Position) -> int:
        """Return the address of the slot of a position, after copying it there if it was moved out."""
        if position.slot < 0:
            slot = self._find_free_slot()
            self._owners[slot] = ref(position)
            at = self._get_address(slot)
            self.memory[at : at + len(position.data)] = position.data
            position.slot, position.data = slot, b""
        return self._get_address(position.slot)

    def evict_positions(self) -> None:
        """Copy every position out of its slot."""
        for slot in range(len(self._owners)):
            self._move_out(slot)

    def measure_position(self, position: Position) -> tuple[int, int]:
        """Return (bytes of a position saved in a slot, bytes of the listed options among them)."""
        at = self._get_address(position.slot)
        sizes = self.memory[at : at + 16].cast("i")
        rows = max(0, sizes[3])
        return SLOT_HEAD + sizes[0] + sizes[1] + sizes[2] + rows, rows

    def _get_address(self, slot: int) -> int:
        return self.sheet.session.slots + slot * self.sheet.session.slot_size

    def _find_free_slot(self) -> int:
        """Return a free slot; if all are in use, move the oldest position out."""
        for slot, owner in enumerate(self._owners):
            if owner is None or owner() is None:
                return slot
        self._next = (self._next + 1) % len(self._owners)
        self._move_out(self._next)
        return self._next

    def _move_out(self, slot: int) -> None:
        owner = self._owners[slot]
        position = None if owner is None else owner()
        self._owners[slot] = None
        if position is not None:
            at, (size, _) = self._get_address(slot), self.measure_position(position)
            position.data, position.slot = bytes(self.memory[at : at + size]), -1

    def deal(self, prefix: str, number: int) -> None:
        """Give the live position the dice of round `number` of a deal named `prefix` (stratified sampling).

        A deal is a block of consecutive rounds with evenly spread faces; see `players.bots.search.mcts_player`.
        """
        sheet, text = self.sheet.position, prefix.encode()
        if len(text) > _DEAL_TEXT:
            raise NotInsideError("a deal with so long a prefix")
        memory, at = self.memory, sheet.dealt
        memory[at : at + 8] = (number + 1).to_bytes(4, "little") + len(text).to_bytes(4, "little")
        memory[at + 8 : at + 8 + len(text)] = text
        memory[sheet.rolled : sheet.rolled + 4 * sheet.roll_count] = bytes(4 * sheet.roll_count)

    # --- questions ---------------------------------------------------------------------------------------

    def read_facts(self) -> SessionFacts:
        """Return the number, side and option count of the pending decision of the live position."""
        pending, side, count, partial, is_over = _read_facts(self.memory, self._facts_at)
        return SessionFacts(pending, side, count, partial != 0, is_over != 0)

    def get_seat(self, side: int) -> int:
        """Return the seat that holds a side in the live position."""
        return self._halves[self._seat_of + side]

    def evaluate(self, seat: int) -> float:
        """Return the evaluation of the live position for a seat."""
        return self._as_float(self._worth(seat))

    def count_sequences(self, depth: int) -> int:
        """Return the number of sequences of `depth` choices from the live position.

        A sequence that ends the game earlier counts as one.
        """
        self.evict_positions()
        self.live = no_game
        return self._perft(depth, self.sheet.session.slots)

    def request(self, *request: int) -> None:
        """Write the arguments of the next call into the module, which are not about a saved position.

        `request`: 64-bit numbers, in the order of `session_text.REQUEST` after the slot.
        """
        _pack_request(self.memory, self.sheet.session.request, 0, *request)

    def write_request(self, position: Position, request: tuple[int, ...]) -> None:
        """Write the arguments of the next call into the module: the slot of a position, then `request`.

        `request`: 64-bit numbers, in the order of `session_text.REQUEST` after the slot. Raises NotInsideError if a
        seed (`dice`, `chooser`) has more than 64 bits.
        """
        if not (_MIN_INT64 <= request[1] <= _MAX_INT64 and _MIN_INT64 <= request[2] <= _MAX_INT64):
            raise NotInsideError("seeds of more than 64 bits")
        _pack_request(self.memory, self.sheet.session.request, self.place_in_slot(position), *request)

    def _as_float(self, number: int) -> float:
        return number / self._scale if self._scale else float(number)
