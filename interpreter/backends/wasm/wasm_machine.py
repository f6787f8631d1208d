"""The machine as WebAssembly: run frames until a side must decide or the game is over, and advance the turns.

Words in capitals in the texts are addresses of the machine's values, and numbers; see `function_compiler`.
"""

from __future__ import annotations

from interpreter.backends.wasm.assembly.code_builder import (
    TRAP,
    c32,
    call,
    copy_words,
    extend,
    get,
    load32,
    load64,
    put,
    seq,
    wrap,
)
from interpreter.backends.wasm.assembly.encoding import I64, Code
from interpreter.backends.wasm.assembly.session_text import BATCHES, LOOKAHEAD, POSITIONS, REQUEST
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.memory_layout import MAX_LANES, SLOT_HEAD, SLOT_ROWS, SLOTS, WAS_SUSPENDED, MemoryLayout
from interpreter.backends.wasm.value_encoding import get_register_type, is_wide
from interpreter.backends.wasm.wasm_procedures import emit_push
from interpreter.backends.wasm.wasm_statements import FrameResult, Sites, StatementWriter
from interpreter.ir import expression_records as e, program_records as ir
from interpreter.model import types as t
from interpreter.runtime.limits import LIMITS

BY_TIME = -2  # the site of an outcome that no statement tells
COST_OF_TURN = 101
RENEWED_STAMP, WORN_STAMP = 1 << 30, -(1 << 28)  # of stamps from 0 to 2**32 - 1
SETTING_UP, FIRST_TURN, TURNS = 0, 1, 2  # stages of a game

SESSIONS = POSITIONS + BATCHES + LOOKAHEAD
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

_MOVE = """
before = -1
piece_there = i16[origin << 1, FIRST_AT]
while piece_there != piece:
    before = piece_there
    piece_there = i16[piece_there << 1, NEXT_AT]
if lt_s(before, 0):
    i16[origin << 1, FIRST_AT] = i16[piece << 1, NEXT_AT]
else:
    i16[before << 1, NEXT_AT] = i16[piece << 1, NEXT_AT]
before = -1
piece_there = i16[place << 1, FIRST_AT]
while not (lt_s(piece_there, 0) | gt_s(piece_there, piece)):
    before = piece_there
    piece_there = i16[piece_there << 1, NEXT_AT]
i16[piece << 1, NEXT_AT] = piece_there
if lt_s(before, 0):
    i16[place << 1, FIRST_AT] = piece
else:
    i16[before << 1, NEXT_AT] = piece
i16[piece << 1, AT] = place
INVALIDATE
"""
_TURN = """
if i64[STAGE] == TURNS:
    TURN_ENDS
    if (i64[LAST_TURN] >= 0) & (i64[TURN] >= i64[LAST_TURN]):
        time_over()
        return
    i64[TURN] += 1
    INVALIDATE
else:
    i64[STAGE] = TURNS
    i64[ASKED] = 0
spend(COST_OF_TURN)
"""
_HIGHEST_SCORE = """
is_known = 0
highest: i64 = 0
for seat in range(SEATS):
    is_taken = 0
    for side in range(SIDES):
        if i16[side << 1, SEAT_OF] == seat: is_taken = 1
    if is_taken:
        value: i64 = SCORE
        if (not is_known) | (value > highest):
            highest = value
            winner = 1 << i64(seat)
        elif value == highest:
            winner = -1
        is_known = 1
"""
_OVER = """
if i32[ASKED]: i64[RET_KIND] = 0
i64[WINNER] = winner
i64[LEVEL] = -1
i64[SITE] = BY_TIME
i64[OVER] = 1
"""
_ENTRIES = """
# runs until a decision is pending (1) or the game is over (0)
def go_on() -> i32:
    while True:
        if not i32[FP]:
            next_turn()
            if i32[OVER]: return 0
        result = dispatch()
        if result == RESULT_ASKED:
            frame = i32[FP]
            while frame:
                i32[frame, 16] |= STOOD
                frame = i32[frame, 8]
            i64[ASKED] = 1
            return 1
        if result == RESULT_OVER:
            i32[FP] = 0
            return 0
        while result == RESULT_SKIPPING:
            assert i32[FP]
            result = dispatch_skip()
    raise
# a position that comes from outside gets versions that no table has seen. Stamps and search numbers count up and never
# repeat; when they grow large, every table is cleared
@export
def renew_versions():
    if stamp > RENEWED_STAMP:
        memory_fill(MEMO, 0, MEMO_SIZE)
        era += 1
        stamp = 0
    if gen > RENEWED_STAMP:
        memory_fill(ROW_TABLES, 0, ROW_TABLES_SIZE)
        gen = 0
    for back in range(4, VERSIONS_SIZE, 4):
        stamp += 1
        i32[VERSIONS_END - back] = stamp
@export
def begin_question():
    arena = ARENA
    spent = 0
    depth = 0
    rows = ROWS
    signal = 0
    epoch += 1
@export
def start() -> i32:
    renew_versions()
    listing = OPTIONS
    listing_end = OPTIONS_END
    return begin()
def begin() -> i32:
    begin_question()
    quick = 0
    lazy = 0
    push_setup()
    i64[STAGE] = FIRST_TURN
    return go_on()
@export
def pick(number: i32) -> i32:
    if not listed: relist()
    begin_question()
    assert stamp <= WORN_STAMP
    if u8[i32[PENDING], IS_DRAFT]:
        i64[ANSWER] = i64(number)
    else:
        row = listing + number * OPTION_SIZE
        COPY_ROW
    return go_on()
"""
_PLAY = """
# choices by chance to the end of the game or of the turn; what the host reads if the next choice traps is stored
@export
def NAME(most: i64) -> i64:
    i64[MADE] = 0
    i64[IN_A_ROW] = 0
    n: i64 = 0
    forced = 0
    begun = i64[TURN]
    while not i32[OVER] and n < most and SAME_TURN:
        forced = (forced + 1) * (i32[COUNT] == 1)
        assert forced <= MOST_FORCED
        pick(roll(CHOOSER, i32[COUNT]))
        n += 1
        i64[MADE] = n
        i64[IN_A_ROW] = i64(forced)
    return n
"""


def list_session_constants(layout: MemoryLayout) -> dict[str, int]:
    """Return the addresses and sizes that only the text of sessions names, by name."""
    addresses = b"".join(number.to_bytes(4, "little") for number in number_addresses(layout.program))
    return {
        **{_WORDS[word]: layout.request + 8 * k for k, word in enumerate(REQUEST)},
        "COPIED": layout.copied_from,
        "QUEUE_BYTES": layout.queue_heap_end - layout.queue,
        "MOST_ROWS": SLOT_ROWS // layout.option_size,
        "SLOT_SIZE": layout.slot_size,
        "SLOTS_END": layout.slots + SLOTS * layout.slot_size,
        "LANE": layout.lane_inputs,
        "LANE_ROOM": layout.lane_inputs + 8,
        "LANE_ACTIONS": layout.lane_inputs + 64,
        "LANE_SEEDS": layout.lane_inputs + 64 + 4 * MAX_LANES,
        "LANE_OVER": SLOT_HEAD + layout.machine["over"] - layout.copied_from,
        "LANE_COUNT": SLOT_HEAD + layout.machine["count"] - layout.copied_from,
        "ADDRESSES": layout.put(addresses or b"\0"),
    }


def write_machine(emitter: Emitter, sites: Sites) -> None:
    """Write everything that the host calls: `start`, `go_on`, `pick` and `play`."""
    _write_moves(emitter)
    _write_dispatch(emitter, sites, "frame_", "dispatch")
    _write_dispatch(emitter, sites, "skip_", "dispatch_skip")
    _write_turns(emitter, sites)
    _write_sessions(emitter)
    _write_entries(emitter)


def _write_moves(emitter: Emitter) -> None:
    """Write `move_only(piece, place)`, which keeps the order of pieces, and `move_piece`, which also runs watchers."""
    with emitter.begin_function("move_only", [("piece", "i32"), ("place", "i32")], ""):
        emitter.write_statements("origin = i16[piece << 1, AT]" + _MOVE, INVALIDATE=emitter.emit_invalidation(e.AT))
    watch = (
        call("watch_moved", get("piece"), get("origin"), get("place")) if "watch_moved" in emitter.functions else seq()
    )
    with emitter.begin_function("move_piece", [("piece", "i32"), ("place", "i32")], ""):
        moved = """
            origin = i16[piece << 1, AT]
            if origin == place: return
            move_only(piece, place)
            WATCH
        """
        emitter.write_statements(moved, WATCH=watch)


def _write_dispatch(emitter: Emitter, sites: Sites, prefix: str, name: str) -> None:
    """Write a function `name` that calls the function `prefix` + NAME of the procedure whose frame is on top."""
    framed = [p.name for p in emitter.program.procedures.values() if p.suspends]
    with emitter.begin_function(name, [], "i32") as w:
        fp = c32(emitter.layout.machine["fp"])
        numbers = sites.procedures
        labels = [""] * len(numbers)
        for procedure, number in numbers.items():
            labels[number] = f"p{number}" if procedure in framed else "none"
        code: Code = ("br_table", load32(load32(fp)), *labels, "none")
        for procedure in framed:
            number = numbers[procedure]
            code = seq(("block", f"p{number}", "", code), ("return", call(prefix + procedure, load32(fp))))
        w.append(("block", "none", "", code), TRAP)


def _write_turns(emitter: Emitter, sites: Sites) -> None:
    """Write `next_turn`: if no frame is running, begin the first or the next turn, or end the game after the last."""
    layout, program = emitter.layout, emitter.program
    with emitter.begin_function("time_over", [], ""):
        score = program.functions.get("score")
        points = call("score", get("seat"))
        emitter.write_statements(
            "winner: i64 = -1" + (_HIGHEST_SCORE if score is not None else "") + _OVER,
            SEATS=layout.values.get_domain_size(t.SEAT),
            SCORE=points if score is None or get_register_type(score.result) == I64 else extend(points),
            BY_TIME=BY_TIME,
        )
    with emitter.begin_function("next_turn", [], "") as w:
        writer = StatementWriter(emitter, sites, {}, lambda value: ("return",), None)
        emitter.write_statements(
            _TURN,
            TURNS=TURNS,
            TURN_ENDS=writer.emit_body(program.turn_ends),
            INVALIDATE=emitter.emit_invalidation(e.TURN),
            COST_OF_TURN=COST_OF_TURN,
        )
        w.append(*emit_push(emitter, program.procedures["turn"], sites, [], 0))
    with emitter.begin_function("push_setup", [], "") as w:
        if "setup" in program.procedures:
            w.append(*emit_push(emitter, program.procedures["setup"], sites, [], 0))


def _write_entries(emitter: Emitter) -> None:
    """Write the entry points of the module: `start`, `pick(number)`, `play(most)`, `begin_question` and others."""
    layout = emitter.layout
    emitter.write_functions(
        _ENTRIES,
        RESULT_ASKED=FrameResult.ASKED,
        RESULT_OVER=FrameResult.OVER,
        RESULT_SKIPPING=FrameResult.SKIPPING,
        STOOD=WAS_SUSPENDED,
        RENEWED_STAMP=RENEWED_STAMP,
        WORN_STAMP=WORN_STAMP,
        MEMO_SIZE=layout.memo_size,
        ROW_TABLES_SIZE=layout.kept - layout.row_tables,  # those of draft searches, and what they keep one copy of
        VERSIONS_SIZE=4 * (layout.version_count + 1),
        FIRST_TURN=FIRST_TURN,
        COPY_ROW=copy_words(c32(layout.answer), get("row"), layout.option_size // 8 - 1),
    )
    for name, condition in (("play", ""), ("play_turn", " and i64[TURN] == begun")):
        emitter.write_functions(
            _PLAY.replace("NAME", name).replace(" and SAME_TURN", condition),
            MADE=layout.request,
            IN_A_ROW=layout.request + 8,
            MOST_FORCED=LIMITS.forced,
        )


# --- functions by which the host plays on positions; see `session_text` ----------------------------------


def number_addresses(program: ir.LoweredProgram) -> list[int]:
    """Return the number of the address of each decision, equal for decisions that share one."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(d.address, len(numbers)) for d in program.decisions]


def _write_sessions(emitter: Emitter) -> None:
    """Write `relist`, and `worth(seat)` and `points(seat)`, which return the evaluation and the score of a seat."""
    _write_relist(emitter)
    for name, function in (("worth", "evaluation"), ("points", "score")):
        declared = emitter.program.functions.get(function)
        with emitter.begin_function(name, [("seat", "i32")], "i64") as w:
            w.function.exported = True
            if declared is None or len(declared.params) > 1:
                w.append(TRAP)
                continue
            value = call(function, *(get("seat") for _ in declared.params))
            w.append(call("begin_question"), value if is_wide(declared.result) else extend(value))


def _write_relist(emitter: Emitter) -> None:
    """Write `relist`: list the options of the pending decision again, in a position that was restored."""
    layout, machine, decisions = emitter.layout, emitter.layout.machine, emitter.program.decisions
    with emitter.begin_function("relist", [], "") as w:
        w.function.exported = True
        w.append(call("begin_question"), ("global.set", "lazy", c32(0)), put(w.get_local("n", "i32"), c32(0)))
        code: Code = ("br_table", load32(c32(machine["pending"])), *(f"d{d.number}" for d in decisions), "none")
        for decision in decisions:
            if decision.draft is None:
                listed = [put("n", call(f"list_{decision.number}", load32(c32(machine["fp"]))))]
            else:
                draft = emitter.program.drafts[decision.draft]
                args = [_emit_argument(layout, k, type_) for k, (_, type_) in enumerate(draft.params)]
                count = call("ends_" + decision.draft, c32(0), *args)
                listed = [put("n", count), ("global.set", "ends_now", load64(c32(machine["ends"])))]
            code = seq(("block", f"d{decision.number}", "", code), *listed, ("br", "listed"))
        w.append(("block", "listed", "", ("block", "none", "", code), TRAP))
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
        emitter.write_statements(ended)


def _emit_argument(layout: MemoryLayout, number: int, type_: t.Type) -> Code:
    """Return code for argument `number` of the pending draft."""
    value = load64(c32(layout.draft_args + 8 * number))
    return value if get_register_type(type_) == "i64" else wrap(value)
