"""The machine as WebAssembly: run frames until a side must decide or the game is over, and advance the turns."""

from __future__ import annotations

from interpreter.backends.wasm.assembly.code_builder import (
    TRAP,
    add32,
    c32,
    c64,
    call,
    copy_words,
    get,
    load32,
    load64,
    put,
    seq,
    store32,
    store64,
    times,
    when,
    wrap,
)
from interpreter.backends.wasm.assembly.encoding import Code
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.memory_layout import STOOD, Cell, register
from interpreter.backends.wasm.wasm_expressions import load, store
from interpreter.backends.wasm.wasm_procedures import pushed
from interpreter.backends.wasm.wasm_sessions import write_sessions
from interpreter.backends.wasm.wasm_statements import ASKED, OVER, SKIPPING, Sites, StatementWriter, invalidation
from interpreter.ir import expression_records as e
from interpreter.model import types as t
from interpreter.runtime.limits import LIMITS

BY_TIME = -2  # the site of an outcome that no statement tells
COST_OF_TURN = 101
RENEWED_STAMP, WORN_STAMP = 1 << 30, -(1 << 28)  # of stamps from 0 to 2**32 - 1
SETTING_UP, FIRST_TURN, TURNS = 0, 1, 2  # stages of a game


def write_machine(x: Emitter, sites: Sites) -> None:
    """Write everything that the host calls: `start`, `go_on`, `pick` and `play`."""
    _write_moves(x)
    _write_dispatch(x, sites, "frame_", "dispatch")
    _write_dispatch(x, sites, "skip_", "dispatch_skip")
    _write_turns(x, sites)
    _write_go(x)
    _write_entries(x)


def _write_moves(x: Emitter) -> None:
    """Write `move_only(piece, place)`, which keeps each place in order, and `move_piece`, which runs watchers too."""
    layout = x.layout
    first, after, at = Cell(layout.first_at, 2, t.PIECE), Cell(layout.next_at, 2, t.PIECE), layout.columns[e.AT]
    with x.writing("move_only", [("piece", "i32"), ("place", "i32")], "") as w:
        origin, p, before = w.local("origin", "i32"), w.local("p", "i32"), w.local("before", "i32")
        step = seq(put(before, get(p)), put(p, load(after, get(p))))

        def link(place: Code, value: Code) -> Code:
            none: Code = ("i32.lt_s", get(before), c32(0))
            return when(none, store(first, place, value), store(after, get(before), value))

        def walk(place: Code, stop: Code) -> Code:
            turns = w.loop_until(stop, step)
            return seq(put(before, c32(-1)), put(p, load(first, place)), turns)

        w.emit(put(origin, load(at, get("piece"))))
        w.emit(walk(get(origin), ("i32.eq", get(p), get("piece"))), link(get(origin), load(after, get("piece"))))
        beyond: Code = ("i32.or", ("i32.lt_s", get(p), c32(0)), ("i32.gt_s", get(p), get("piece")))
        w.emit(walk(get("place"), beyond), store(after, get("piece"), get(p)), link(get("place"), get("piece")))
        w.emit(store(at, get("piece"), get("place")), invalidation(x, e.AT))
    with x.writing("move_piece", [("piece", "i32"), ("place", "i32")], "") as w:
        origin = w.local("origin", "i32")
        w.emit(put(origin, load(at, get("piece"))))
        w.emit(when(("i32.eq", get(origin), get("place")), ("return",)))
        w.emit(call("move_only", get("piece"), get("place")))
        if "watch_moved" in x.functions:
            w.emit(call("watch_moved", get("piece"), get(origin), get("place")))


def _write_dispatch(x: Emitter, sites: Sites, prefix: str, name: str) -> None:
    """Write a function `name` that calls the function `prefix` + NAME of the procedure whose frame is on top."""
    framed = [p.name for p in x.program.procedures.values() if p.suspends]
    with x.writing(name, [], "i32") as w:
        fp = c32(x.layout.machine["fp"])
        numbers = sites.procedures
        labels = [""] * len(numbers)
        for procedure, number in numbers.items():
            labels[number] = f"p{number}" if procedure in framed else "none"
        code: Code = ("br_table", load32(load32(fp)), *labels, "none")
        for procedure in framed:
            number = numbers[procedure]
            code = seq(("block", f"p{number}", "", code), ("return", call(prefix + procedure, load32(fp))))
        w.emit(("block", "none", "", code), TRAP)


def _write_turns(x: Emitter, sites: Sites) -> None:
    """Write `next_turn`: if no frame is running, begin the first or the next turn, or end the game after the last."""
    layout, machine, program = x.layout, x.layout.machine, x.program
    turn, last = layout.columns[e.TURN], layout.columns[e.LAST_TURN]
    with x.writing("next_turn", [], "") as w:
        stage = c32(machine["stage"])
        writer = StatementWriter(x, sites, {}, lambda value: ("return",), None)
        over: Code = (
            "i32.and",
            ("i64.ge_s", load(last, c32(0)), c64(0)),
            ("i64.ge_s", load(turn, c32(0)), load(last, c32(0))),
        )
        raised: Code = ("i64.add", load(turn, c32(0)), c64(1))
        following = seq(
            writer.body(program.turn_ends),
            when(over, seq(call("time_over"), ("return",))),
            store(turn, c32(0), raised),
            invalidation(x, e.TURN),
        )
        first = seq(store64(stage, c64(TURNS)), store64(c32(machine["asked"]), c64(0)))
        w.emit(when(("i64.eq", load64(stage), c64(TURNS)), following, first))
        w.emit(call("spend", c64(COST_OF_TURN)))
        w.emit(*pushed(x, program.procedures["turn"], sites, [], 0))
    with x.writing("time_over", [], "") as w:
        winner, best = w.local("winner", "i64"), w.local("best", "i64")
        w.emit(put(winner, c64(-1)))
        score = program.functions.get("score")
        if score is not None:
            w.emit(*_ahead(x, register(score.result), winner, best))
        asked = load64(c32(machine["asked"]))
        w.emit(
            when(wrap(asked), store64(c32(machine["ret_kind"]), c64(0))),
            store64(c32(machine["winner"]), get(winner)),
            store64(c32(machine["level"]), c64(-1)),
            store64(c32(machine["site"]), c64(BY_TIME)),
            store64(c32(machine["over"]), c64(1)),
        )


def _ahead(x: Emitter, kind: str, winner: str, best: str) -> list[Code]:
    """Return code that finds the seat with the highest score, or -1 for a tie.

    `winner`, `best`: the locals that receive the seat and its score.
    """
    w, layout = x.w, x.layout
    seats, sides = layout.domain_size(t.SEAT), layout.program.columns[e.SEAT_OF].count
    seat, side, known, value = (
        w.local("seat", "i32"),
        w.local("side", "i32"),
        w.local("known", "i32"),
        w.local("v", "i64"),
    )
    out, loop = w.label("taken"), w.label("sides")
    check = seq(
        ("br_if", out, ("i32.eq", load(layout.columns[e.SEAT_OF], get(side)), get(seat))),
        put(side, add32(get(side), c32(1))),
        ("br_if", loop, ("i32.lt_u", get(side), c32(sides))),
    )
    points = call("score", get(seat))
    made = points if kind == "i64" else ("i64.extend_i32_s", points)
    higher = seq(put(best, get(value)), put(winner, ("i64.shl", c64(1), ("i64.extend_i32_u", get(seat)))))
    first_or_higher: Code = ("i32.or", ("i32.eqz", get(known)), ("i64.gt_s", get(value), get(best)))
    compare = when(first_or_higher, higher, when(("i64.eq", get(value), get(best)), put(winner, c64(-1))))
    judge = seq(put(value, made), compare, put(known, c32(1)))
    skip, seat_loop = w.label("free"), w.label("seats")
    body = seq(
        put(side, c32(0)),
        ("block", skip, "", ("block", out, "", ("loop", loop, "", check), ("br", skip)), judge),
        put(seat, add32(get(seat), c32(1))),
        ("br_if", seat_loop, ("i32.lt_u", get(seat), c32(seats))),
    )
    return [put(seat, c32(0)), put(known, c32(0)), ("loop", seat_loop, "", body)]


def _write_go(x: Emitter) -> None:
    """Write `go_on`, which runs until a decision is pending (returns 1) or the game is over (returns 0)."""
    machine = x.layout.machine
    fp = c32(machine["fp"])
    with x.writing("go_on", [], "i32") as w:
        said, frame = w.local("said", "i32"), w.local("frame", "i32")
        mark = seq(
            put(frame, load32(fp)),
            (
                "loop",
                "mark",
                "",
                store32(get(frame), ("i32.or", load32(get(frame), 16), c32(STOOD)), 16),
                ("br_if", "mark", ("local.tee", frame, load32(get(frame), 8))),
            ),
        )
        is_over: Code = ("i32.wrap_i64", load64(c32(machine["over"])))
        skipped = seq(
            when(("i32.eqz", load32(fp)), TRAP),
            put(said, call("dispatch_skip")),
            ("br_if", "skipping", ("i32.eq", get(said), c32(SKIPPING))),
        )
        turn = seq(
            when(("i32.eqz", load32(fp)), seq(call("next_turn"), when(is_over, ("return", c32(0))))),
            put(said, call("dispatch")),
            when(
                ("i32.eq", get(said), c32(ASKED)), seq(mark, store64(c32(machine["asked"]), c64(1)), ("return", c32(1)))
            ),
            when(("i32.eq", get(said), c32(OVER)), seq(store32(fp, c32(0)), ("return", c32(0)))),
            when(("i32.eq", get(said), c32(SKIPPING)), ("loop", "skipping", "", skipped)),
            ("br", "running"),
        )
        w.emit(("loop", "running", "", turn), TRAP)


def _write_renewal(x: Emitter) -> None:
    """Write `renew_versions`: a position that comes from outside gets versions that no table has seen.

    Stamps and search numbers count up and never repeat; when they grow large, every table is cleared.
    """
    layout = x.layout
    with x.writing("renew_versions", [], "") as w:
        w.function.exported = True
        worn: Code = ("i32.gt_u", ("global.get", "stamp"), c32(RENEWED_STAMP))
        clear: Code = ("memory.fill", c32(layout.memo), c32(0), c32(layout.memo_size))
        era: Code = ("global.set", "era", add32(("global.get", "era"), c32(1)))
        w.emit(when(worn, seq(clear, era, ("global.set", "stamp", c32(0)))))
        tables = layout.kept - layout.row_tables  # those of draft searches, and what they keep one copy of
        forget: Code = ("memory.fill", c32(layout.row_tables), c32(0), c32(tables))
        many: Code = ("i32.gt_u", ("global.get", "gen"), c32(RENEWED_STAMP))
        w.emit(when(many, seq(forget, ("global.set", "gen", c32(0)))))
        for number in range(layout.version_count):
            w.emit(
                ("global.set", "stamp", add32(("global.get", "stamp"), c32(1))),
                store32(c32(layout.versions_end - 4 * (number + 1)), ("global.get", "stamp")),
            )


def _write_entries(x: Emitter) -> None:
    """Write `start`, `pick(number)`, `play(most)` and `begin_question`, the entry points of the module."""
    layout, machine, program = x.layout, x.layout.machine, x.program
    fresh: list[Code] = [
        ("global.set", "arena", c32(layout.arena)),
        ("global.set", "spent", c64(0)),
        ("global.set", "depth", c32(0)),
        ("global.set", "rows", c32(layout.rows)),
        ("global.set", "signal", c32(0)),
        ("global.set", "epoch", add32(("global.get", "epoch"), c32(1))),
    ]
    sites = Sites([], {name: n for n, name in enumerate(program.procedures)}, frozenset())
    _write_renewal(x)
    with x.writing("start", [], "i32") as w:
        w.function.exported = True
        w.emit(call("renew_versions"), call("list_in_buffer"), call("begin"))
    with x.writing("begin", [], "i32") as w:
        w.emit(*fresh, ("global.set", "quick", c32(0)), ("global.set", "lazy", c32(0)))
        if "setup" in program.procedures:
            w.emit(*pushed(x, program.procedures["setup"], sites, [], 0))
        w.emit(store64(c32(machine["stage"]), c64(FIRST_TURN)), call("go_on"))
    with x.writing("begin_question", [], "") as w:
        w.function.exported = True
        w.emit(*fresh)
    is_draft = bytes(d.draft is not None for d in program.decisions)
    with x.writing("pick", [("number", "i32")], "i32") as w:
        w.function.exported = True
        pending = wrap(load64(c32(machine["pending"])))
        row = add32(times(get("number"), layout.option_size), ("global.get", "listing"))
        by_number = store64(c32(layout.answer), ("i64.extend_i32_u", get("number")))
        at = w.local("row", "i32")
        copy = seq(put(at, row), copy_words(c32(layout.answer), get(at), layout.option_size // 8 - 1))
        drafted: Code = ("i32.load8_u", layout.put(is_draft or b"\0", 1), pending)
        worn: Code = ("i32.gt_u", ("global.get", "stamp"), c32(WORN_STAMP))
        relist = when(("i32.eqz", ("global.get", "listed")), call("relist"))
        w.emit(relist, *fresh, when(worn, TRAP), when(drafted, by_number, copy), call("go_on"))
    write_sessions(x, fresh)
    for name in ("play", "play_turn"):
        _write_play(x, name, name == "play_turn")


def _write_play(x: Emitter, name: str, is_turn: bool) -> None:
    """Write `play(most)` or `play_turn(most)`: choices by chance to the end of the game or of the turn."""
    layout, machine = x.layout, x.layout.machine
    with x.writing(name, [("most", "i64")], "i64") as w:
        w.function.exported = True
        n, forced, begun = w.local("n", "i64"), w.local("forced", "i32"), w.local("turn", "i64")
        count, turn = wrap(load64(c32(machine["count"]))), load64(c32(layout.columns[e.TURN].base))
        over: Code = ("i32.wrap_i64", load64(c32(machine["over"])))
        in_a_row = put(forced, ("i32.mul", add32(get(forced), c32(1)), ("i32.eq", count, c32(1))))
        once = seq(
            ("br_if", "out", over),
            ("br_if", "out", ("i64.ge_s", get(n), get("most"))),
            *([("br_if", "out", ("i64.ne", turn, get(begun)))] if is_turn else []),
            in_a_row,
            when(("i32.gt_u", get(forced), c32(LIMITS.forced)), TRAP),
            ("drop", call("pick", call("roll", c32(layout.chooser), count))),
            put(n, ("i64.add", get(n), c64(1))),
            store64(c32(layout.request), get(n)),  # for the host, should the next choice trap
            store64(c32(layout.request + 8), ("i64.extend_i32_u", get(forced))),
            ("br", "again"),
        )
        w.emit(store64(c32(layout.request), c64(0)), store64(c32(layout.request + 8), c64(0)))
        w.emit(put(begun, turn), ("block", "out", "", ("loop", "again", "", once)), get(n))
