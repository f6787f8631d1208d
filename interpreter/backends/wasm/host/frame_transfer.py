"""Transfer of suspended procedures between Python states and linear memory, so that a game can change sides.

Both sides cut a procedure at the same statements, which have the same numbers, and keep the same variables; only the
numbers of the blocks and the form of the values differ. A variable that nothing was assigned to may hold any value.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any, cast

from interpreter.backends.wasm.host.state_transfer import Memory, StateTransfer
from interpreter.backends.wasm.memory_layout import FRAMES_SIZE, HEAP_SIZE, QUEUE_HEAP_SIZE, QUEUE_LENGTH, WAS_SUSPENDED
from interpreter.backends.wasm.module_sheet import ProcedureSheet, VariableSheet
from interpreter.backends.wasm.value_encoding import NotEncodableError, ValueEncoding, is_compound, pack_words
from interpreter.backends.wasm.wasm_machine import FIRST_TURN, TURNS
from interpreter.model import types as t
from interpreter.model.types import strip_maybe
from interpreter.runtime.machine import NEXT_TURN, ROOT, TURNING
from interpreter.runtime.pending import PendingDecision, PendingDraft, get_pending_decision

if TYPE_CHECKING:
    from interpreter.model.expressions import Value
    from interpreter.runtime.program import Program
    from interpreter.runtime.state import State

_HEAD = Struct("<5i")  # procedure, block, frame below, top of the heap, flags
_WORD = Struct("<q")
LEFT, PHASE = "left", "before"  # variables that the two sides hold in different forms
_CONVERSION_ERRORS = (
    NotEncodableError,
    KeyError,
    TypeError,
    ValueError,
    OverflowError,
    AttributeError,
    AssertionError,
    StopIteration,
    IndexError,
)


class FrameTransfer:
    """Reader and writer of the frames, the queue and the pending decision of one module, for one Python program."""

    def __init__(self, transfer: StateTransfer, program: Program) -> None:
        self.transfer = transfer
        self.program = program
        self.sheet = transfer.sheet
        self._numbers = {procedure.name: number for number, procedure in enumerate(self.sheet.rules.procedures)}

    # --- memory -> Python ---------------------------------------------------------------------------

    def read(self, memory: Memory, state: State) -> None:
        """Copy the frames and the pending decision into a state that `StateTransfer.read` has filled."""
        try:
            self._read(memory, state)
        except _CONVERSION_ERRORS as error:
            raise NotEncodableError(f"frames: {error}") from None

    def _read(self, memory: Memory, state: State) -> None:
        transfer = self.transfer
        frames: list[tuple[str, int, tuple[Any, ...]]] = []
        asking: dict[str, Value] = {}
        at = transfer.read_machine_value(memory, "fp")
        while at:
            number, block, below, _, _ = _HEAD.unpack_from(memory, at)
            procedure = self.sheet.rules.procedures[number]
            variables = self._read_variables(memory, procedure, at)
            asking = asking or variables
            statement = procedure.blocks[block]
            points = self.program.data["resumes"][procedure.name]
            pc, names = next((pc, names) for pc, stop, names, _ in points if stop == statement)
            self._set_shared_variables(procedure, block, variables, names)
            frames.append((procedure.name, pc, tuple(variables[name] for name in names)))
            at = below
        stage = TURNING if transfer.read_machine_value(memory, "stage") == FIRST_TURN else NEXT_TURN
        state.frames = [*frames, (ROOT, stage, (state.last_turn,))]
        number = transfer.read_machine_value(memory, "pending")
        values = tuple(asking["v_" + name] for name, _ in self.program.data["decisions"][number]["given"])
        draft = self.sheet.rules.decisions[number].draft
        if draft is None:
            state.pending = PendingDecision(number, values, self.program.list_options(state, number, values))
            return
        first, types = self.sheet.position.draft_args, self.sheet.rules.drafts[draft].params
        args = tuple(transfer.read_item(memory, first + 8 * k, type_) for k, type_ in enumerate(types))
        state.pending = PendingDraft(number, values, args)

    def _read_variables(self, memory: Memory, procedure: ProcedureSheet, frame: int) -> dict[str, Value]:
        """Return the variables of a frame by their Python names. `frame`: the address of the frame."""
        variables: dict[str, Value] = {}
        for variable in procedure.variables:
            at = frame + variable.offset
            if variable.role == LEFT:
                variables["s_" + variable.name] = tuple(range(self.transfer.read_word(memory, at)))
                variables["i_" + variable.name] = 0
            elif variable.role == PHASE:
                variables[variable.name] = self._get_phase(self.transfer.read_word(memory, at))
            else:
                variables[variable.name] = self._read_variable(memory, at, variable)
        for statement, outer in procedure.phases:
            variables[f"b_{statement}"] = variables.get("b_before") if outer is None else outer
        return variables

    @staticmethod
    def _set_shared_variables(
        procedure: ProcedureSheet, block: int, variables: dict[str, Value], names: list[str]
    ) -> None:
        """Set each Python variable that represents several variables to the one that is read after `block`.

        `variables`: the variables by Python name, changed here. `names`: the Python names to resume with.
        """
        for at, name, other in procedure.shared:
            if at == block and not any(known.startswith(name + "_N") for known in names):
                if other is None:
                    raise NotEncodableError(f"the variable {name} of `{procedure.name}`")
                variables[name] = variables[other]

    def _get_phase(self, number: int) -> str | None:
        return self.sheet.rules.phases[number - 1] if number else None

    def _read_variable(self, memory: Memory, at: int, variable: VariableSheet) -> Value:
        type_ = variable.type
        if variable.words:
            return self.transfer.decode(memory, at, type_)
        if is_compound(type_) and not self.transfer.read_word(memory, at):
            return None  # nothing was assigned
        return self.transfer.read_item(memory, at, type_)

    # --- Python -> memory ---------------------------------------------------------------------------

    def write(self, memory: Memory, state: State, side: int, options: int) -> None:
        """Copy a suspended Python state into the live position; call `resume` next, which lists its options.

        `side`: the handle of the deciding side. `options`: how many options it has.
        """
        try:
            self._write(memory, state, side, options)
        except _CONVERSION_ERRORS as error:
            raise NotEncodableError(f"frames: {error}") from None

    def write_end(self, memory: Memory, state: State) -> None:
        """Copy a Python state of a finished game into the live position, without what the host does not read."""
        sheet = self.sheet
        assert state.outcome is not None
        try:
            block = self.transfer.serialize_state(state)
        except _CONVERSION_ERRORS as error:
            raise NotEncodableError(f"the final position: {error}") from None
        memory[sheet.position.state : sheet.position.state + len(block)] = block
        winner, level = state.outcome.winners, state.outcome.level
        bits = -1 if winner is None else sum(1 << seat for seat in winner)
        for word, value in {"over": 1, "winner": bits, "level": -1 if level is None else level}.items():
            _WORD.pack_into(memory, sheet.position.machine[word], value)

    def _write(self, memory: Memory, state: State, side: int, options: int) -> None:
        sheet, pending = self.sheet, get_pending_decision(state)
        block = self.transfer.serialize_state(state)
        memory[sheet.position.state : sheet.position.state + len(block)] = block
        heap = _Heap(self.sheet.values, memory, sheet.position.heap, HEAP_SIZE)
        below, stack = 0, sheet.position.frames
        (root, stage, turns), *frames = reversed(state.frames)
        if root != ROOT or stage not in (TURNING, NEXT_TURN) or turns != (state.last_turn,):
            raise NotEncodableError("a procedure that was called by itself")
        for name, pc, values in frames:
            number = self._numbers[name]
            procedure = sheet.rules.procedures[number]
            if stack + procedure.size > sheet.position.frames + FRAMES_SIZE:
                raise NotEncodableError("very many frames")
            self._write_frame(memory, heap, stack, procedure, (number, pc, below), values)
            below, stack = stack, stack + procedure.size
        if isinstance(pending, PendingDraft):
            draft = sheet.rules.decisions[pending.number].draft
            assert draft is not None
            for place, (value, type_text) in enumerate(
                zip(pending.args, sheet.rules.drafts[draft].params, strict=True)
            ):
                _WORD.pack_into(memory, sheet.position.draft_args + 8 * place, heap.encode(value, type_text))
        self._write_queue(memory, state)
        kind, result = self._encode_returned(cast("Value", state.ret))
        for word, value in {
            "fp": below,
            "sp": stack,
            "heap_top": heap.top,
            "pending": pending.number,
            "side": side,
            "count": options,
            "phase": 0 if state.phase is None else sheet.rules.phases.index(state.phase) + 1,
            "stage": FIRST_TURN if stage == TURNING else TURNS,
            "asked": 1,
            "ret_kind": kind,
            "ret": result,
        }.items():
            _WORD.pack_into(memory, sheet.position.machine[word], value)
        for name, depth in state.depth.items():
            _WORD.pack_into(memory, sheet.position.depths[name], depth)

    def _write_frame(
        self,
        memory: Memory,
        heap: _Heap,
        at: int,
        procedure: ProcedureSheet,
        head: tuple[int, int, int],
        values: tuple[object, ...],
    ) -> None:
        """Write one frame at address `at`.

        `head`: number of the procedure, its resume point in Python, address of the frame below. `values`: its
        variables in Python. `heap`: receives compound values.
        """
        number, pc, below = head
        points = self.program.data["resumes"][procedure.name]
        statement, names = next((stop, names) for point, stop, names, _ in points if point == pc)
        variables: dict[str, Any] = dict(zip(names, values, strict=True))
        memory[at : at + procedure.size] = bytes(procedure.size)
        _HEAD.pack_into(memory, at, number, procedure.blocks.index(statement), below, heap.top, WAS_SUSPENDED)
        for variable in procedure.variables:
            place = at + variable.offset
            if variable.role == LEFT:
                turns = variables["s_" + variable.name]
                left = 0 if turns is None else len(turns) - variables["i_" + variable.name]
                _WORD.pack_into(memory, place, left)
                continue
            name = variable.name if variable.name in variables else variable.name.partition("_N")[0]  # one for several
            value = variables[name]
            if variable.role == PHASE:
                _WORD.pack_into(memory, place, 0 if value is None else self.sheet.rules.phases.index(value) + 1)
                continue
            type_ = variable.type
            if not _is_of_type(type_, value):
                continue  # nothing was assigned, or to another variable of this name
            if variable.words:
                raw = pack_words(self.sheet.values.encode_bits(value, variable.words))
                memory[place : place + len(raw)] = raw
            else:
                _WORD.pack_into(memory, place, heap.encode(value, type_))

    def _write_queue(self, memory: Memory, state: State) -> None:
        """Write the queued calls of a state."""
        sheet = self.sheet
        if len(state.queue) > QUEUE_LENGTH:
            raise NotEncodableError("very many queued calls")
        heap_start = sheet.position.queue + QUEUE_LENGTH * sheet.position.queue_entry
        heap = _Heap(sheet.values, memory, heap_start, QUEUE_HEAP_SIZE)
        for place, (name, args) in enumerate(state.queue):
            number, at = self._numbers[name], sheet.position.queue + place * sheet.position.queue_entry
            _WORD.pack_into(memory, at, number)
            types = sheet.rules.procedures[number].params
            for k, (value, type_) in enumerate(zip(args, types, strict=True)):
                _WORD.pack_into(memory, at + 8 + 8 * k, heap.encode(value, type_))
        _WORD.pack_into(memory, sheet.position.machine["queued"], len(state.queue))
        _WORD.pack_into(memory, sheet.position.machine["queue_top"], heap.top)

    def _encode_returned(self, value: Value) -> tuple[int, int]:
        """Return the latest result of a procedure as the machine stores it: the procedure's number + 1, and a word.

        Returns (0, 0) without a result.
        """
        if value is None:
            return 0, 0
        for number, procedure in enumerate(self.sheet.rules.procedures):
            type_ = None if procedure.result is None else procedure.result
            if type_ is not None and not is_compound(type_) and _is_of_type(type_, value):
                return number + 1, self.sheet.values.encode_scalar(value, type_)
        raise NotEncodableError("the result of a procedure")


def _is_of_type(type_: t.Type, value: Value) -> bool:
    """Return whether a Python value is a value of a type."""
    bare_type = strip_maybe(type_)
    match value:
        case None:
            return isinstance(type_, t.MaybeType)
        case bool():
            return isinstance(bare_type, t.FlagType)
        case int():
            is_handle = isinstance(bare_type, t.ThingType | t.RungType) and value >= 0
            return is_handle or isinstance(bare_type, t.IntType | t.NumberType)
        case str():
            return isinstance(bare_type, t.TextType | t.OneOfType | t.DirectionType)
        case tuple():
            return isinstance(bare_type, t.PartType | t.SetType | t.ListType | t.RecordType)
    return isinstance(bare_type, t.NumberType)


class _Heap:
    """A part of memory in which compound values are allocated one after the other."""

    def __init__(self, encoding: ValueEncoding, memory: Memory, base: int, size: int) -> None:
        self._encoding = encoding
        self._memory = memory
        self._end = base + size
        self.top = base

    def encode(self, value: object, type_: t.Type) -> int:
        """Return the 64-bit word that represents a value: the address of a compound value, which is written first."""
        return self._encoding.encode(cast("Value", value), type_, self._allocate)

    def _allocate(self, raw: bytes) -> int:
        at, self.top = self.top, self.top + len(raw)
        if self.top > self._end:
            raise NotEncodableError("very many values in frames")
        self._memory[at : at + len(raw)] = raw
        return at
