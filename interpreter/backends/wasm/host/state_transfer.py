"""Transfer of positions between Python states and linear memory: columns, pieces by place, machine, dice.

A position is written while no procedure runs, and read when the game is over or suspended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from struct import Struct
from typing import TYPE_CHECKING, Any, Literal

from interpreter.backends.wasm.memory_layout import DICE_SIZE
from interpreter.backends.wasm.module_sheet import ModuleSheet
from interpreter.backends.wasm.value_encoding import (
    NONE_64,
    PART_SHIFT,
    NotEncodableError,
    get_missing_value,
    is_compound,
    is_wide,
    pack_words,
)
from interpreter.backends.wasm.wasm_machine import BY_TIME
from interpreter.ir.expression_records import AT, SEAT_OF, Slot
from interpreter.model import types as t
from interpreter.model.expressions import Value
from interpreter.model.types import DRAFT, strip_maybe
from interpreter.runtime.state import fill_places
from interpreter.runtime.type_aliases import Outcome

if TYPE_CHECKING:
    from interpreter.runtime.state import State

Memory = memoryview
Decoder = Callable[["Memory", int], Value]
ColumnDecoder = Callable[["Memory", list[int]], Sequence[Value]]
SEED_BYTES = 64
_MAX_ROWS = 100_000  # decoded options that a decision keeps
_WORD = Struct("<q").unpack_from
_FORMATS: dict[int, Literal["b", "h", "i", "q"]] = {1: "b", 2: "h", 4: "i", 8: "q"}


class Column:
    """A column of the state: its address, size and type, its decoder and its encoder."""

    __slots__ = (
        "slot",
        "base",
        "width",
        "type",
        "count",
        "name",
        "missing",
        "is_compound",
        "has_bits",
        "is_plain",
        "is_flag",
        "is_word",
    )

    def __init__(self, slot: Slot, base: int, width: int, type_: t.Type, count: int, name: str, has_bits: bool) -> None:
        self.slot = slot
        self.base = base
        self.width = width
        self.type = type_
        self.count = count
        self.name = name
        self.missing = get_missing_value(type_)
        bare_type = strip_maybe(type_)
        self.is_compound = is_compound(type_)
        self.has_bits = has_bits
        self.is_plain = isinstance(bare_type, t.IntType | t.ThingType | t.RungType)
        self.is_flag = isinstance(bare_type, t.FlagType)
        self.is_word = isinstance(bare_type, t.TextType | t.OneOfType | t.DirectionType)


class OptionReader:
    """Decoder of the listed options of a decision: each its number and its arguments; equal ones share one object."""

    __slots__ = ("_decoders", "_known", "_size")

    def __init__(self, decoders: list[list[Decoder]]) -> None:
        self._decoders = decoders  # of the arguments of each option
        self._size = 1 + max([len(row) for row in decoders], default=0)
        self._known: dict[tuple[int, ...], tuple[Any, ...]] = {}

    def read(self, memory: Memory, words: list[int], width: int) -> tuple[Any, ...]:
        """Return (number, arguments) for each option; see `decode_option`.

        `words`: the contents of consecutive options, `width` words each. `memory`: holds the arguments whose word is
        only an address.
        """
        decoded = self._known
        rows = list(zip(*[words[place::width] for place in range(self._size)], strict=True))
        try:
            return tuple([decoded[row] for row in rows])
        except KeyError:
            if len(decoded) > _MAX_ROWS:
                decoded.clear()
            for row in rows:
                if row not in decoded:
                    decoded[row] = self.decode_option(memory, *row)
            return tuple([decoded[row] for row in rows])

    def decode_option(self, memory: Memory, number: int, *values: int) -> tuple[int, tuple[Value, ...]]:
        """Return an option from its number and its encoded arguments; (number, ()) if the number is negative."""
        if number < 0:
            return number, ()
        return number, tuple([decode(memory, n) for decode, n in zip(self._decoders[number], values, strict=False)])


class OfferReader:
    """Decoder of the offers of finished drafts; it decodes the first value of all offers, then the second ones, etc."""

    __slots__ = ("_columns",)

    def __init__(self, columns: list[ColumnDecoder]) -> None:
        self._columns = columns

    def read(self, memory: Memory, words: list[int], width: int) -> tuple[Any, ...]:
        """Return one tuple of decoded values for each offer.

        `words`: the contents of consecutive offers, `width` words each. `memory`: holds the values whose word is
        only an address.
        """
        columns = [decode(memory, words[place::width]) for place, decode in enumerate(self._columns)]
        return tuple(zip(*columns, strict=True))


class StateTransfer:
    """Reader and writer of the state block of one module; `slots` are the names of the columns in Python states."""

    def __init__(self, sheet: ModuleSheet, slots: Mapping[tuple[str, str], str]) -> None:
        self.sheet = sheet
        self.columns: list[Column] = []
        for c in sheet.position.columns:
            slot = Slot(c.kind, c.name)
            name = "at" if slot == AT else "seat_of" if slot == SEAT_OF else slots[slot]
            has_bits = isinstance(c.type, t.SetType) and sheet.values.count_set_words(c.type) > 0
            self.columns.append(Column(slot, c.base, c.width, c.type, c.count, name, has_bits))
        self._option_readers = [
            OptionReader([[self._build_decoder(type_) for type_ in option] for option in d.options])
            for d in sheet.rules.decisions
        ]
        self._offer_readers = {
            name: OfferReader([self._build_column_decoder(type_) for type_ in draft.offer])
            for name, draft in sheet.rules.drafts.items()
        }

    # --- Python -> memory ---------------------------------------------------------------------------

    def serialize_state(self, state: State) -> bytes:
        """Serialize a state without running frames; call `renew_versions` once it is in memory."""
        sheet, values = self.sheet, self.sheet.values
        block = bytearray(sheet.position.frames - sheet.position.state)
        for column in self.columns:
            column_values = getattr(state, column.name)
            self._write_values(block, column, [column_values] if column.slot.kind == "game" else column_values)
        self._write_places(block, state.at)
        for option, value in zip(sheet.position.options, state.options, strict=True):
            assert isinstance(value, bool | str)
            number = int(value != "") if option.is_split else values.encode_scalar(value, t.INT)
            self._write_word(block, option.address, number)
        self._write_word(block, sheet.position.turn, state.turn)
        self._write_word(block, sheet.position.last_turn, NONE_64 if state.last_turn is None else state.last_turn)
        self._write_word(block, sheet.position.machine["sp"], sheet.position.frames)
        self._write_word(block, sheet.position.machine["heap_top"], sheet.position.heap)
        for at in sheet.position.depths.values():
            self._write_word(block, at, -1)
        return bytes(block)

    def serialize_dice(self, seed: int, counter: int = 0) -> bytes:
        """Return the bytes of a dice source in memory that has used `counter` bytes of its stream.

        Its current block is left out; the module computes the block again.
        """
        head = seed.to_bytes(SEED_BYTES, "little", signed=True) + counter.to_bytes(8, "little")
        return head + bytes(DICE_SIZE - len(head))

    def _write_word(self, block: bytearray, at: int, value: int) -> None:
        place = at - self.sheet.position.state
        block[place : place + 8] = value.to_bytes(8, "little", signed=True)

    def _write_values(self, block: bytearray, column: Column, values: Iterable[Value]) -> None:
        at = column.base - self.sheet.position.state
        for value in values:
            block[at : at + column.width] = self._encode_cell(value, column)
            at += column.width

    def _encode_cell(self, value: Value, column: Column) -> bytes:
        """Return a value as the bytes that a column holds; a set, list or record lies in the column itself."""
        encoding, width = self.sheet.values, column.width
        if not column.is_compound:
            return encoding.encode_scalar(value, column.type).to_bytes(width, "little", signed=True)
        if value is None:
            return pack_words([-1]).ljust(width, b"\0")
        raw = pack_words(encoding.encode_words(value, strip_maybe(column.type), _reject_nested))
        if len(raw) > width:
            raise NotEncodableError(f"a collection of {len(raw) // 8} words in a column")
        return raw.ljust(width, b"\0")

    def _write_places(self, block: bytearray, at: list[int]) -> None:
        sheet = self.sheet
        here: list[int] = [-1] * sheet.position.places
        following = [-1] * sheet.position.pieces
        for piece in range(sheet.position.pieces - 1, -1, -1):
            following[piece], here[at[piece]] = here[at[piece]], piece
        for base, values in ((sheet.position.first_at, here), (sheet.position.next_at, following)):
            raw = b"".join(v.to_bytes(2, "little", signed=True) for v in values)
            block[base - sheet.position.state : base - sheet.position.state + len(raw)] = raw

    def list_field_types(self, record: str) -> list[t.Type]:
        """Return the types of the fields of a record as Python represents it.

        Python leaves out the stages in the record of a draft if the rules do not read them.
        """
        types = self.sheet.values.records[record]
        draft = self.sheet.rules.drafts.get(record.removeprefix(DRAFT)) if record.startswith(DRAFT) else None
        return types if draft is None or draft.keeps_stages else types[: len(draft.fields)]

    # --- memory -> Python ---------------------------------------------------------------------------

    def read_word(self, memory: Memory, at: int) -> int:
        """Return the signed 64-bit number at address `at`."""
        word: int = _WORD(memory, at)[0]
        return word

    def read_machine_value(self, memory: Memory, name: str) -> int:
        """Return a 64-bit value of the machine by its name, such as "pending"."""
        return self.read_word(memory, self.sheet.position.machine[name])

    def decode(self, memory: Memory, number: int, type_: t.Type) -> Value:
        """Return the value of a type that a 64-bit number represents; for a collection the number is its address."""
        if number == get_missing_value(type_):
            return None
        bare_type = strip_maybe(type_)
        match bare_type:
            case t.NumberType():
                fraction = Fraction(number, self.sheet.values.scale)
                return fraction.numerator if fraction.denominator == 1 else fraction
            case t.FlagType():
                return bool(number)
            case t.TextType() | t.OneOfType() | t.DirectionType():
                return self.sheet.values.words[number]
            case t.PartType():
                arm, carried = number >> 32, number & 0xFFFFFFFF
                return (self.sheet.values.words[arm], carried - PART_SHIFT if carried else None)
            case t.SetType() if words := self.sheet.values.count_set_words(bare_type):
                return list_bits(int.from_bytes(memory[number : number + 8 * words], "little"))
            case t.SetType(item=item) | t.ListType(item=item):
                length = self.read_word(memory, number)
                inner = item or t.INT
                return tuple(self.read_item(memory, number + 8 + 8 * k, inner) for k in range(length))
            case t.RecordType(id=record):
                return tuple(
                    self.read_item(memory, number + 8 * k, ft) for k, ft in enumerate(self.list_field_types(record))
                )
        return number

    def read_item(self, memory: Memory, at: int, type_: t.Type) -> Value:
        """Return the value of a type in the 64-bit word at address `at`."""
        number = self.read_word(memory, at)
        if not is_wide(type_):
            number = (number & 0xFFFFFFFF) - ((number & 0x80000000) << 1)
        return self.decode(memory, number, type_)

    def read_column(self, memory: Memory, column: Column) -> list[Value]:
        """Return the values of a column, one for each thing."""
        width, base, count = column.width, column.base, column.count
        if column.is_compound:
            places = [base + width * k for k in range(count)]
            if isinstance(column.type, t.MaybeType):
                places = [-1 if self.read_word(memory, at) < 0 else at for at in places]
            return [self.decode(memory, at, column.type) for at in places]
        numbers: list[int] = memory[base : base + width * count].cast(_FORMATS[width]).tolist()
        none = column.missing
        if column.is_plain:
            return [None if n == none else n for n in numbers] if none in numbers else list(numbers)
        if column.is_flag:
            return [None if n == none else n == 1 for n in numbers]
        if column.is_word:
            words = self.sheet.values.words
            return [None if n == none else words[n] for n in numbers]
        return [self.decode(memory, number, column.type) for number in numbers]

    def read(self, memory: Memory, state: State) -> None:
        """Copy the position in memory into `state`, without frames."""
        sheet = self.sheet
        for column in self.columns:
            values = self.read_column(memory, column)
            setattr(state, column.name, values[0] if column.slot.kind == "game" else values)
        state.seat_of = tuple(state.seat_of)
        state.turn = self.read_word(memory, sheet.position.turn)
        phase = self.read_machine_value(memory, "phase")
        state.phase = sheet.rules.phases[phase - 1] if phase else None
        depths = {name: self.read_word(memory, at) for name, at in sheet.position.depths.items()}
        state.depth = {name: depth for name, depth in depths.items() if depth >= 0}
        state.queue = tuple(self._read_queued(memory, k) for k in range(self.read_machine_value(memory, "queued")))
        state.ret = self._read_returned(memory)
        state.outcome = self.read_outcome(memory)
        state.memo = {}  # of another position
        fill_places(state)

    def read_dice_counter(self, memory: Memory) -> int:
        """Return how many bytes of the game's dice have been used."""
        return self.read_word(memory, self.sheet.position.dice + SEED_BYTES)

    def _read_queued(self, memory: Memory, number: int) -> tuple[str, tuple[Value, ...]]:
        at = self.sheet.position.queue + self.sheet.position.queue_entry * number
        procedure = self.read_word(memory, at)
        types = self.sheet.rules.procedures[procedure].params
        args = tuple(self.read_item(memory, at + 8 + 8 * k, type_) for k, type_ in enumerate(types))
        return self.sheet.rules.procedures[procedure].name, args

    def _read_returned(self, memory: Memory) -> Value:
        kind = self.read_machine_value(memory, "ret_kind")
        if not kind:
            return None
        type_ = self.sheet.rules.procedures[kind - 1].result
        assert type_ is not None
        if is_compound(type_):
            raise NotEncodableError("a result that is a set, list or record")
        return self.read_item(memory, self.sheet.position.machine["ret"], type_)

    def read_outcome(self, memory: Memory) -> Outcome | None:
        """Return the outcome, or None if the game is not over."""
        if not self.read_machine_value(memory, "over"):
            return None
        site, bits = self.read_machine_value(memory, "site"), self.read_machine_value(memory, "winner")
        winner = None if bits == -1 else list_bits(bits)
        if site == BY_TIME:
            return Outcome(winner, None, (), "time")
        level = self.read_machine_value(memory, "level")
        return Outcome(winner, None if level == -1 else level, tuple(self.sheet.rules.end_cites[site]))

    # --- queries -----------------------------------------------------------------------------------------

    def list_offers(self, memory: Memory) -> tuple[Any, ...]:
        """Return the values that distinguish the listed options.

        They are (number, arguments) of each option, or the offers of the finished drafts if a draft answers the
        decision.
        """
        number, count = self.read_machine_value(memory, "pending"), self.read_machine_value(memory, "count")
        draft = self.sheet.rules.decisions[number].draft
        if draft is None:
            base, size = self.sheet.session.listed, self.sheet.session.option_size
            reader: OptionReader | OfferReader = self._option_readers[number]
        else:
            base, size, reader = self.sheet.session.ends, self.sheet.rules.drafts[draft].end, self._offer_readers[draft]
        return reader.read(memory, memory[base : base + size * count].cast("q").tolist(), size // 8)

    def decode_option(self, memory: Memory, decision: int, words: list[int]) -> tuple[int, tuple[Value, ...]]:
        """Return (number, arguments) of an option of a decision. `words`: its number and its encoded arguments."""
        return self._option_readers[decision].decode_option(memory, *words)

    def decode_word(self, memory: Memory, word: int, type_: t.Type) -> Value:
        """Return the value of a type that a word of memory encodes."""
        return self._build_decoder(type_)(memory, word)

    def _build_column_decoder(self, type_: t.Type) -> ColumnDecoder:
        """Return the function that decodes words of memory to values."""
        bare_type, none, decode = strip_maybe(type_), get_missing_value(type_), self._build_decoder(type_)
        if isinstance(bare_type, t.IntType | t.ThingType | t.RungType):
            return lambda _memory, column: [None if n == none else n for n in column] if none in column else column
        if isinstance(type_, t.SetType) and (size := 8 * self.sheet.values.count_set_words(type_)):
            return lambda memory, column: [read_bit_set(bytes(memory[n : n + size])) for n in column]
        return lambda memory, column: [decode(memory, n) for n in column]

    def _build_decoder(self, type_: t.Type) -> Decoder:
        """Return the function that decodes a word of memory to a value."""
        bare_type, none = strip_maybe(type_), get_missing_value(type_)
        if isinstance(bare_type, t.IntType | t.ThingType | t.RungType):
            return lambda _memory, n: None if n == none else n
        if isinstance(bare_type, t.FlagType):
            return lambda _memory, n: None if n == none else n == 1
        if isinstance(bare_type, t.TextType | t.OneOfType | t.DirectionType):
            words = self.sheet.values.words
            return lambda _memory, n: None if n == none else words[n]
        if isinstance(bare_type, t.SetType) and (size := 8 * self.sheet.values.count_set_words(bare_type)):
            return lambda memory, n: None if n == none else read_bit_set(bytes(memory[n : n + size]))
        return lambda memory, n: self.decode(memory, n, type_)


def _reject_nested(_raw: bytes) -> int:
    raise NotEncodableError("a collection inside another in a column")


@lru_cache(maxsize=4096)  # the same sets come again from decision to decision
def read_bit_set(raw: bytes) -> tuple[int, ...]:
    """Return the members of a bit set as it lies in memory."""
    return list_bits(int.from_bytes(raw, "little"))


def list_bits(bits: int) -> tuple[int, ...]:
    """Return the numbers of the bits that are set, in order."""
    members = []
    while bits:
        low = bits & -bits
        members.append(low.bit_length() - 1)
        bits ^= low
    return tuple(members)
