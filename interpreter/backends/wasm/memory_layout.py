"""Layout of linear memory: addresses and sizes of the state, of working memory and of static data.

The state is one block, so copying it copies the position. `value_encoding` says how a value is represented.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.backends.wasm.assembly import trial_text
from interpreter.backends.wasm.value_encoding import NotEncodableError, ValueEncoding, is_plain, pack_words
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.traversal import list_all_statements
from interpreter.model import types as t
from interpreter.model.expressions import Value
from interpreter.model.ruleset import Ruleset
from interpreter.model.types import strip_maybe

FRAME_HEAD = 24  # bytes of a frame before its variables: procedure, block, frame below, heap top, flags
WAS_SUSPENDED, RESULT_KEPT = 1, 2  # flags of a frame: it was suspended; the machine keeps its result
STATE = 4096
FRAMES_SIZE, HEAP_SIZE = 16 << 10, 256 << 10
QUEUE_LENGTH, QUEUE_ARGS, QUEUE_HEAP_SIZE = 64, 6, 8 << 10
OPTIONS_SIZE, ROWS_SIZE = 4 << 20, 2 << 20
DRAFT_DEPTH, DRAFT_STATES = 3, 20_000
NODES_SIZE, ENDS_SIZE, KEPT_SIZE = 8 << 20, 4 << 20, 2 << 20
ROW_TABLE, INTERN_TABLE = 8 * 65536, 8 * 16384
ARENA_SIZE, MEMO_SIZE = 16 << 20, 16 << 20
DICE_SIZE = 144
ROLL_TEXT = 64  # bytes kept for the name of a roll
DEAL_SIZE = 64  # 0 round + 1, or 0 without dealt dice; 4 length of the text that begins each digest; 8 the text
VERSIONS = 1024
REQUEST_WORDS = 16  # arguments of a call from the host that takes many
LIST_ROOM = 30  # members that a list in a column can hold; what has more is played by Python
SLOT_HEAD = 32  # bytes before a saved position
MAX_LANES, LANES_SIZE = 4096, 48 << 20  # games of a batch
SLOTS, SLOT_ROWS = 12, 256 << 10  # saved positions; bytes of listed options that each may hold


@dataclass(frozen=True, slots=True)
class MemoryColumn:
    """A column in memory: the address of its first value, bytes of each, and their type.

    `is_list`: each value is a list, with room for the longest that fits.
    """

    base: int
    width: int
    type: t.Type
    is_list: bool = False


class MemoryLayout:
    """Addresses and sizes in the memory of one program, its static data, and the encoding of its values."""

    def __init__(self, program: ir.LoweredProgram, ruleset: Ruleset) -> None:
        self.program = program
        self.ruleset = ruleset
        self.values = ValueEncoding.from_program(program, ruleset)
        self.static = bytearray()
        self._known: dict[tuple[bytes, int], int] = {}
        self._placed: dict[tuple[str, str], int] = {}
        self._placed_cells: dict[tuple[str, t.Type], tuple[MemoryColumn, int]] = {}
        self._top = STATE
        self.versions_end = self._take(VERSIONS, 4) + 4 * VERSIONS  # taken downwards, so that a copy begins at the last
        self.version_count = 0
        self.columns: dict[e.Slot, MemoryColumn] = {}
        for slot, column in program.columns.items():
            width = self.get_stored_width(column.type)
            bare_type = strip_maybe(column.type)
            is_list = isinstance(bare_type, t.SetType | t.ListType) and not self.values.count_set_words(bare_type)
            self.columns[slot] = MemoryColumn(self._take(column.count, width), width, column.type, is_list)
        for option in ruleset.options:
            self.columns[e.Slot("option", option)] = MemoryColumn(self._take(1, 8), 8, t.INT)
        self.columns[e.TURN] = MemoryColumn(self._take(1, 8), 8, t.INT)
        self.columns[e.LAST_TURN] = MemoryColumn(self._take(1, 8), 8, t.MaybeType(t.INT))
        self.pieces = len(ruleset.kinds["piece"].things)
        self.places = len(ruleset.kinds["place"].things)
        self.first_at = self._take(self.places, 2)  # the first piece of each place, or -1
        self.next_at = self._take(self.pieces, 2)  # the piece that follows in its place, or -1
        self.machine = {name: self._take(1, 8) for name in _MACHINE}
        self.depths = {name: self._take(1, 8) for name in program.procedures}
        self.draft_args = self._take(max([len(d.params) for d in program.drafts.values()], default=0), 8)
        self.dice = self._take(DICE_SIZE // 8, 8)
        self.roll_names = sorted({x.name for x in list_all_statements(program) if isinstance(x, s.Roll | s.Draw)})
        self.dealt = self._take(DEAL_SIZE // 8, 8)
        self.rolled = self._take((len(self.roll_names) + 1) // 2 * 2, 4)
        self.frames = self._take(FRAMES_SIZE // 8, 8)
        self.frames_end = self._top
        self.queue = self._take(QUEUE_LENGTH * (1 + QUEUE_ARGS), 8)
        self.queue_heap = self._take(QUEUE_HEAP_SIZE // 8, 8)
        self.queue_heap_end = self._top
        self.heap = self._take(HEAP_SIZE // 8, 8)
        self.state_end = self._top
        self.answer = self._take(1 + self.count_most_params(), 8)
        self.chooser = self._take(DICE_SIZE // 8, 8)
        self.request = self._take(REQUEST_WORDS, 8)
        self.deal_text = self._take(16, 8)
        self.options = self._allocate_region(OPTIONS_SIZE)
        self.rows = self._allocate_region(ROWS_SIZE)
        searches = DRAFT_DEPTH + 1  # questions inside one another, and behind them the draft that is asked
        self.nodes = self._allocate_region(NODES_SIZE * searches)
        self.ends = self._allocate_region(ENDS_SIZE * searches)
        self.row_tables = self._allocate_region(ROW_TABLE * 4 * searches)
        self.intern_tables = self._allocate_region(INTERN_TABLE * searches)
        self.kept = self._allocate_region(KEPT_SIZE)
        self.kept_asked = self._allocate_region(KEPT_SIZE)
        self.spare = self._allocate_region(4096)
        self.slots = self._allocate_region(SLOTS * self.slot_size)
        sides = program.columns[e.SEAT_OF].count
        self.lane_inputs = self._allocate_region(64 + 12 * MAX_LANES)  # the lane being played, actions, seeds
        self.lanes = self._allocate_region(LANES_SIZE)
        self.known = self._allocate_region(
            max(1, len(program.decisions)) * sides
        )  # decisions a policy knows, by address and side
        self.trial_regions = {
            name: self._allocate_region(size) for name, size in _compute_trial_sizes(self.slot_size).items()
        }
        self.arena = self._allocate_region(ARENA_SIZE)
        self.memo = self._allocate_region(MEMO_SIZE)
        self._memo_top = self.memo
        self.static_base = self._allocate_region(0)

    def _take(self, count: int, width: int) -> int:
        at = (self._top + width - 1) // width * width
        self._top = at + max(count, 1) * width
        return at

    def _allocate_region(self, size: int) -> int:
        at = (self._top + 63) // 64 * 64
        self._top = at + size
        return at

    def count_most_params(self) -> int:
        """Return the maximum number of parameters of an option."""
        options = [o for d in self.program.decisions for o in d.options]
        options += [step.option for d in self.program.drafts.values() for step in d.steps]
        return max([len(o.params) for o in options], default=0)

    @property
    def asked_ends(self) -> int:
        """Return the address of the finished drafts among which the pending decision chooses."""
        return self.ends + DRAFT_DEPTH * ENDS_SIZE

    @property
    def option_size(self) -> int:
        """Return the bytes of a listed option: its number, its arguments and one word for a measure."""
        return 8 * (2 + self.count_most_params())

    @property
    def slot_size(self) -> int:
        """Return the bytes of a saved position with its listed options."""
        return (self.state_end - STATE + SLOT_ROWS + 127) // 64 * 64

    def take_memo(self, size: int) -> int:
        """Allocate memory for a memo table of `size` bytes; return its address."""
        at = self._memo_top
        self._memo_top = (at + size + 7) // 8 * 8
        if self._memo_top > self.memo + MEMO_SIZE:
            raise NotEncodableError("memo tables that are too large")
        return at

    def has_memo(self, size: int) -> bool:
        """Return whether a memo table of `size` bytes still fits."""
        return self._memo_top + size <= self.memo + MEMO_SIZE and self.version_count < VERSIONS

    @property
    def memo_size(self) -> int:
        """Return the size in bytes of the memo tables allocated so far."""
        return self._memo_top - self.memo

    def take_version(self) -> int:
        """Allocate a cell for the version of a table's inputs, and return its address."""
        self.version_count += 1
        return self.versions_end - 4 * self.version_count

    @property
    def copied_from(self) -> int:
        """Return the address of the first byte that a copy of a position includes.

        Valid only after the last call of `take_version`.
        """
        return self.versions_end - 8 * ((self.version_count + 1) // 2)

    def constants(self) -> dict[str, int]:
        """Return the constants that texts in the language of `function_compiler` may use, by name in capitals.

        They are the addresses and sizes of this layout, of the values of the machine, and of the columns that every
        ruleset has.
        """
        own = {name.upper(): number for name, number in vars(self).items() if isinstance(number, int)}
        columns = {"AT": e.AT, "SEAT_OF": e.SEAT_OF, "TURN": e.TURN, "LAST_TURN": e.LAST_TURN}
        return {
            **own,
            "SCALE": self.values.scale,
            **{name.upper(): at for name, at in self.machine.items()},
            **{name: self.columns[slot].base for name, slot in columns.items()},
            "SIDES": self.program.columns[e.SEAT_OF].count,
            "OPTION_SIZE": self.option_size,
            "OPTIONS_END": self.options + OPTIONS_SIZE,
            "IS_DRAFT": self.put(bytes(d.draft is not None for d in self.program.decisions) or b"\0", 1),
        }

    def count_pages(self) -> int:
        """Return the size of memory in pages of 64 KiB."""
        return (self.static_base + len(self.static) + 0xFFFF) // 0x10000 + 1

    # --- static data ------------------------------------------------------------------------------

    def put(self, raw: bytes, align: int = 8) -> int:
        """Return the address of constant bytes; equal ones share it. `align`: the alignment in bytes."""
        key = raw, align
        if key not in self._known:
            self.static += bytes(-len(self.static) % align)
            self._known[key] = self.static_base + len(self.static)
            self.static += raw
        return self._known[key]

    def put_words(self, values: list[int]) -> int:
        """Return the address of constant 64-bit numbers."""
        return self.put(pack_words(values))

    def place_table(self, table: str, form: str, place: Callable[[], int]) -> int:
        """Return the address of a static table in memory, written at the first request.

        `form`: "addresses" or "rows", the two ways in which elements are stored. `place`: writes the table and returns
        its address.
        """
        if (table, form) not in self._placed:
            self._placed[table, form] = place()
        return self._placed[table, form]

    def place_cells(
        self, table: str, type_: t.Type, place: Callable[[], tuple[MemoryColumn, int]]
    ) -> tuple[MemoryColumn, int]:
        """Return the cell of a static table and the number that marks an empty element.

        `place`: writes the table at the first request.
        """
        if (table, type_) not in self._placed_cells:
            self._placed_cells[table, type_] = place()
        return self._placed_cells[table, type_]

    # --- values ---------------------------------------------------------------------------------------

    def get_stored_width(self, type_: t.Type) -> int:
        """Return the bytes that a value of a type takes in a column."""
        match strip_maybe(type_):
            case t.SetType() as held if self.values.count_set_words(held) and not isinstance(type_, t.MaybeType):
                return 8 * self.values.count_set_words(held)
            case t.SetType(item) | t.ListType(item) if self.values.count_set_words(
                strip_maybe(type_)
            ) == 0 and is_plain(item):
                return 8 * (1 + LIST_ROOM)
            case t.RecordType(id=record) if not isinstance(type_, t.MaybeType):
                if all(is_plain(field) for _, field in self.list_fields(record)):
                    return 8 * max(1, len(self.list_fields(record)))
                raise NotEncodableError(f"a column of {type_}")
            case t.SetType() | t.ListType() | t.RecordType():
                raise NotEncodableError(f"a column of {type_}")
            case t.IntType() | t.NumberType() | t.PartType():
                return 8
            case t.FlagType():
                return 1
        return 2

    def list_fields(self, record: str) -> tuple[tuple[str, t.Type], ...]:
        """Return the fields of a record."""
        return self.program.records[record]

    def encode(self, value: Value, type_: t.Type) -> int:
        """Return the number that represents a constant; for a compound value, its address in static memory."""
        return self.values.encode(value, type_, self.put)


_MACHINE = (  # the host reads the first five at once
    "pending",
    "side",
    "count",
    "partial",
    "over",
    "fp",
    "sp",
    "heap_top",
    "queued",
    "phase",
    "winner",
    "level",
    "site",
    "stage",
    "ret_kind",
    "ret",
    "queue_top",
    "asked",
    "ends",  # the number of the search that listed the ends of the pending draft
)


def _compute_trial_sizes(slot: int) -> dict[str, int]:
    """Return the size in bytes of each memory area for trials of options, by its name in `trial_text`.

    `slot`: the bytes of a saved position.
    """
    return {
        "BASE": 8 * REQUEST_WORDS,
        "TRIALS": trial_text.TRIAL_SIZE * trial_text.MAX_TRIALS,
        "REPLY_SLOT": slot,
        "REPLY_DICE": DICE_SIZE,
        "KEPT_CHOOSER": DICE_SIZE,
        "FLAGS": trial_text.MAX_OPTIONS,
        "DRAWN": 4 * trial_text.MAX_OPTIONS,
        "LOOKED": 24 * trial_text.MAX_LOOKED,
        "PROMISING": 16 * trial_text.MAX_PROMISING,
        "COUNTS": 8 * trial_text.MAX_SEATS,
        "KEYS": trial_text.KEYS_SIZE,
        "POLICY": trial_text.POLICY_SIZE,
    }
