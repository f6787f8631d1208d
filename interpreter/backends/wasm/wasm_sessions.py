"""Functions by which the host plays on positions: listing the options again, evaluating; see `session_text`."""

from __future__ import annotations

from interpreter.backends.wasm.assembly.code_builder import TRAP, c32, call, extend, get, load32, load64, put, seq, wrap
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.assembly.session_text import BATCHES, LOOKAHEAD, POSITIONS, REQUEST
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.memory_layout import (
    MOST_LANES,
    OPTIONS_SIZE,
    SLOT_HEAD,
    SLOT_ROWS,
    SLOTS,
    MemoryLayout,
    is_wide,
    register,
)
from interpreter.ir import expression_records as e, program_records as ir
from interpreter.model import types as t

TEXT = POSITIONS + BATCHES + LOOKAHEAD
_WORDS = {  # word of a request -> name of its address in the text
    "slot": "SLOT",
    "option": "OPTION",
    "dice": "DICE_SEED",
    "chooser": "CHOOSER_SEED",
    "left": "LEFT",
    "depth": "START_DEPTH",
    "address": "START_ADDRESS",
    "side": "START_SIDE",
    "outer": "OUTER_DEPTH",
    "around": "OUTER_ADDRESS",
    "seat": "SEAT",
    "stop": "STOP",
}


def constants(layout: MemoryLayout) -> dict[str, int]:
    """Return the addresses and sizes that the text of the module names, by name."""
    machine = layout.machine
    seat_of = layout.columns[e.SEAT_OF]
    assert seat_of.width == 2
    return {
        **{_WORDS[word]: layout.request + 8 * k for k, word in enumerate(REQUEST)},
        **layout.machine_constants,
        "ANSWER": layout.answer,
        "COPIED": layout.copied_from,
        "HEAP": layout.heap,
        "QUEUE": layout.queue,
        "QUEUE_BYTES": layout.queue_heap_end - layout.queue,
        "MOST_ROWS": SLOT_ROWS // layout.option_size,
        "OPTION_SIZE": layout.option_size,
        "OPTIONS": layout.options,
        "OPTIONS_END": layout.options + OPTIONS_SIZE,
        "DICE": layout.dice,
        "CHOOSER": layout.chooser,
        "SLOT_SIZE": layout.slot_size,
        "SLOTS_END": layout.slots + SLOTS * layout.slot_size,
        "SLOTS": layout.slots,
        "LANES": layout.lanes,
        "LANE": layout.lane_inputs,
        "LANE_ROOM": layout.lane_inputs + 8,
        "LANE_ACTIONS": layout.lane_inputs + 64,
        "LANE_SEEDS": layout.lane_inputs + 64 + 4 * MOST_LANES,
        "LANE_OVER": SLOT_HEAD + machine["over"] - layout.copied_from,
        "LANE_COUNT": SLOT_HEAD + machine["count"] - layout.copied_from,
        "SEAT_OF": seat_of.base,
        "SIDES": layout.program.columns[e.SEAT_OF].count,
        "KNOWN": layout.known,
        "DRAFTED": layout.put(bytes(d.draft is not None for d in layout.program.decisions) or b"\0", 1),
        "ADDRESSES": layout.put(b"".join(n.to_bytes(4, "little") for n in address_numbers(layout.program)) or b"\0"),
    }


def address_numbers(program: ir.LoweredProgram) -> list[int]:
    """Return the number of the address of each decision, equal for decisions that share one."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(d.address, len(numbers)) for d in program.decisions]


def write_sessions(x: Emitter) -> None:
    """Write `relist`, `worth(seat)` and `points(seat)`."""
    _write_relist(x)
    for name, function in (("worth", "evaluation"), ("points", "score")):
        declared = x.program.functions.get(function)
        with x.writing(name, [("seat", "i32")], "i64") as w:
            w.function.exported = True
            if declared is None or len(declared.params) > 1:
                w.emit(TRAP)
                continue
            value = call(function, *(get("seat") for _ in declared.params))
            w.emit(call("begin_question"), value if is_wide(declared.result) else extend(value))


def _write_relist(x: Emitter) -> None:
    """Write `relist`: list the options of the pending decision again, in a position that was restored."""
    layout, machine, decisions = x.layout, x.layout.machine, x.program.decisions
    with x.writing("relist", [], "") as w:
        w.function.exported = True
        w.emit(call("begin_question"), ("global.set", "lazy", c32(0)), put(w.named("n", "i32"), c32(0)))
        code: Code = ("br_table", load32(c32(machine["pending"])), *(f"d{d.number}" for d in decisions), "none")
        for decision in decisions:
            if decision.draft is None:
                listed = [put("n", call(f"list_{decision.number}", load32(c32(machine["fp"]))))]
            else:
                draft = x.program.drafts[decision.draft]
                args = [_argument(layout, k, type_) for k, (_, type_) in enumerate(draft.params)]
                found = call("ends_" + decision.draft, c32(0), *args)
                listed = [put("n", found), ("global.set", "ends_now", load64(c32(machine["ends"])))]
            code = seq(("block", f"d{decision.number}", "", code), *listed, ("br", "listed"))
        w.emit(("block", "listed", "", ("block", "none", "", code), TRAP))
        ended = """
            if i32[PARTIAL]:
                i64[COUNT] = i64(n + 1)
                i64[PARTIAL] = 0
            if n < i32[COUNT]:
                i64[listing + n * OPTION_SIZE] = -1
                n += 1
            assert n == i32[COUNT]
            listed = 1
        """
        x.write_statements(ended, OPTION_SIZE=layout.option_size)


def _argument(layout: MemoryLayout, number: int, type_: t.Type) -> Code:
    """Return code for argument `number` of the pending draft."""
    value = load64(c32(layout.draft_args + 8 * number))
    return value if register(type_) == "i64" else wrap(value)
