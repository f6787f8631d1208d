"""Procedures in WebAssembly: those without a decision, and those with a frame in the state.

Layout of a frame: 0 procedure, 4 block, 8 frame below, 12 top of the heap, 16 flags (1: was suspended, 2: its result
is kept by the machine), 24 the variables.
"""

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
from interpreter.backends.wasm.frame_layout import compute_frame_layout
from interpreter.backends.wasm.memory_layout import FRAME_HEAD, QUEUE_ARGS, RESULT_KEPT
from interpreter.backends.wasm.value_encoding import get_missing_value, get_register_type, is_compound, is_wide
from interpreter.backends.wasm.wasm_expressions import emit_load_item, emit_word
from interpreter.backends.wasm.wasm_statements import FrameResult, Sites, StatementWriter
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.traversal import list_all_statements
from interpreter.model import types as t

MAX_UNROLLED_VARIABLES = 16  # of a frame that are cleared one by one


def write_plain(emitter: Emitter, procedure: ir.Procedure, sites: Sites) -> None:
    """Write the function of a procedure that cannot suspend."""
    params = [(name, get_register_type(type_)) for name, type_ in procedure.params]
    result = "" if procedure.result is None else get_register_type(procedure.result)
    nothing: Code = seq() if procedure.result is None else (f"{result}.const", get_missing_value(procedure.result))

    def leave(value: e.Expr | None) -> Code:
        if procedure.result is None:
            return ("return",) if value is None else seq(("drop", emitter.emit_value(value)), ("return",))
        return ("return", nothing if value is None else emitter.emit_owned(value))

    def emit_interrupt() -> Code:
        return ("return",) if procedure.result is None else ("return", nothing)

    with emitter.begin_function("proc_" + procedure.name, params, result):
        writer = StatementWriter(emitter, sites, procedure.locals, leave, emit_interrupt)
        for name, type_ in procedure.locals.items():
            emitter.w.get_local(name, get_register_type(type_))
        body = writer.emit_body(procedure.body)
        if procedure.name in sites.leaving and procedure.ending:
            body = _emit_with_skips(emitter, writer, procedure, body)
        emitter.w.append(body, *([] if procedure.result is None else [TRAP]))


def _emit_with_skips(emitter: Emitter, writer: StatementWriter, procedure: ir.Procedure, body: Code) -> Code:
    """Return code that runs the body of a procedure and leaves it; while a skip unwinds, its ending runs first."""
    label = emitter.w.create_label("left")
    nothing: Code = (
        seq()
        if procedure.result is None
        else (f"{get_register_type(procedure.result)}.const", get_missing_value(procedure.result))
    )
    leave: Code = ("return",) if procedure.result is None else ("return", nothing)
    skipping: Code = ("i32.gt_s", ("global.get", "signal"), c32(0))
    writer.emit_interrupt = lambda: ("br", label)
    body = writer.emit_body(procedure.body)  # again, with the place where it is left
    ending = when(skipping, writer.emit_body(procedure.ending))
    return seq(("block", label, "", body, leave), ending, leave)


def write_watchers(emitter: Emitter, event: str, sites: Sites) -> None:
    """Write `watch_EVENT`: the watchers of an event in order."""
    watchers = [w for w in emitter.program.watchers if w.event == event]
    types = [get_register_type(type_) for _, type_ in watchers[0].params]
    names = []
    for watcher in watchers:
        params = [(n, get_register_type(type_)) for n, type_ in watcher.params]
        name = f"watcher_{watcher.number}"
        names.append(name)
        with emitter.begin_function(name, params, ""):
            writer = StatementWriter(emitter, sites, watcher.locals, lambda value: ("return",), lambda: ("return",))
            for local, type_ in watcher.locals.items():
                emitter.w.get_local(local, get_register_type(type_))
            body = writer.emit_body(watcher.body)
            emitter.w.append(body if watcher.where is None else when(emitter.emit_value(watcher.where), body))
    with emitter.begin_function("watch_" + event, [(f"a{k}", kind) for k, kind in enumerate(types)], "") as w:
        for name in names:
            w.append(call(name, *(get(f"a{k}") for k in range(len(types)))))
            if "event " + event in sites.leaving:
                w.append(when(("global.get", "signal"), ("return",)))


# --- procedures with a frame ----------------------------------------------------------------------------


class FramedProcedure:
    """Writer of one procedure as a function of its frame; the function's result says how the procedure was left."""

    def __init__(self, emitter: Emitter, procedure: ir.Procedure, sites: Sites) -> None:
        self.emitter = emitter
        self.procedure = procedure
        self.sites = sites
        self.layout = emitter.layout
        self.writer = StatementWriter(emitter, sites, procedure.locals, self.emit_leave, self.emit_interrupt)
        self.block = 0

    def write(self) -> None:
        """Write the function that runs the procedure, and the function that a skip to a phase calls.

        The latter continues at the phase if the procedure has it, else it leaves the frame.
        """
        emitter, procedure = self.emitter, self.procedure
        with emitter.begin_function("frame_" + procedure.name, [("@fp", "i32")], "i32") as w:
            emitter.frame, _ = compute_frame_layout(emitter, procedure)
            pc = w.get_local("@pc", "i32")
            w.append(put(pc, load32(get("@fp"), 4)))
            blocks = []
            calls = {b.end.resume: b.end for b in procedure.blocks if isinstance(b.end, s.CallThen)}
            for number, block in enumerate(procedure.blocks):
                self.block = number
                begun = self.emit_result(calls[number]) if number in calls else seq()
                body = seq(begun, self.writer.emit_body(block.body), self.emit_terminator(block.end))
                blocks.append(body)
            dispatch: Code = ("br_table", get(pc), *(f"b{n}" for n in range(len(blocks))))
            for number, body in enumerate(blocks):
                dispatch = seq(("block", f"b{number}", "", dispatch), body)
            w.append(("loop", "again", "", dispatch), TRAP)
        with emitter.begin_function("skip_" + procedure.name, [("@fp", "i32")], "i32"):
            emitter.frame, _ = compute_frame_layout(emitter, procedure)
            self.write_skip_handler()

    def emit_jump(self, block: int) -> Code:
        """Return code that jumps to a block by its number."""
        return seq(put("@pc", c32(block)), ("br", "again"))

    def emit_goto(self, block: int) -> Code:
        """Return code that continues at a block; no code for the next block, which follows without a jump."""
        return seq() if block == self.block + 1 else self.emit_jump(block)

    def emit_suspend(self, resume: int, code: int) -> Code:
        """Return code that suspends here. `resume`: the block to resume at. `code`: the result that says why."""
        return seq(store32(get("@fp"), c32(resume), 4), ("return", c32(code)))

    def emit_interrupt(self) -> Code:
        """Return the code that leaves the frame unchanged because the game is over or a phase is skipped to."""
        over: Code = ("i32.lt_s", ("global.get", "signal"), c32(0))
        return seq(
            store32(get("@fp"), c32(self.block), 4),
            ("return", ("if", "i32", over, c32(FrameResult.OVER), c32(FrameResult.SKIPPING))),
        )

    def emit_leave(self, value: e.Expr | None) -> Code:
        """Return code that pops the frame and gives the result, if there is one, to the machine."""
        emitter = self.emitter
        parts: list[Code] = []
        if value is not None and self.procedure.result is not None:
            type_ = self.procedure.result
            result_local = emitter.w.create_local("result", get_register_type(type_))
            code = emitter.emit_value(value)
            if is_compound(type_):
                code = call(emitter.get_copier(type_), code)
            parts.append(put(result_local, code))
            result = emit_word(type_, get(result_local))
            kind = self.sites.procedures[self.procedure.name] + 1
        else:
            if value is not None:
                parts.append(("drop", emitter.emit_value(value)))
            result, kind = c64(0), 0
        parts.append(("global.set", "answered", result))
        machine = self.layout.machine
        keeps: Code = ("i32.ne", load32(get("@fp"), 16), c32(0))
        store_result = seq(store64(c32(machine["ret_kind"]), c64(kind)), store64(c32(machine["ret"]), result))
        return seq(*parts, when(keeps, store_result), emit_pop_frame(emitter), ("return", c32(FrameResult.RETURNED)))

    def emit_push(self, procedure: str, args: tuple[e.Expr, ...], flags: int) -> Code:
        """Return code that pushes the frame of a call. `flags`: how the frame was pushed; see the module docstring."""
        emitter = self.emitter
        called = emitter.program.procedures[procedure]
        parts: list[Code] = []
        values: list[Code] = []
        for arg in args:
            arg_local = emitter.w.create_local("arg", get_register_type(arg.type))
            parts.append(put(arg_local, emitter.emit_value(arg)))
            values.append(get(arg_local))
        return seq(*parts, *emit_push(emitter, called, self.sites, values, flags))

    def emit_terminator(self, end: s.Terminator) -> Code:
        """Return code that continues after a block as its terminator says."""
        emitter = self.emitter
        match end:
            case s.Goto(block):
                return self.emit_goto(block)
            case s.Test(test, yes, no):
                if yes == self.block + 1:
                    return when(("i32.eqz", emitter.emit_value(test)), self.emit_jump(no))
                return seq(when(emitter.emit_value(test), self.emit_jump(yes)), self.emit_goto(no))
            case s.Next():
                return self.emit_next_member(end)
            case s.Countdown(left, block, done):
                at = emitter.frame[left]
                turn = store64(get("@fp"), ("i64.sub", load64(get("@fp"), at), c64(1)), at)
                over = when(("i64.le_s", load64(get("@fp"), at), c64(0)), self.emit_jump(done))
                return seq(
                    over, turn, emitter.emit_iteration_charge(), emitter.emit_budget_check(), self.emit_goto(block)
                )
            case s.CallThen(procedure, args, _, resume):
                code = self.emit_push(procedure, args, RESULT_KEPT)
                return seq(code, self.emit_suspend(resume, FrameResult.CALLED))
            case s.Settle(done):
                return self.emit_settle(done)
            case s.Ask():
                return self.emit_ask(end)
            case s.Answer():
                return self.emit_answer(end)
            case s.AskDraft():
                return self.emit_ask_draft(end)
            case s.TakeDraft():
                return self.emit_take_draft(end)
        return TRAP

    def emit_next_member(self, end: s.Next) -> Code:
        """Return the code that fetches the next member of a list in the frame."""
        emitter = self.emitter
        items, index = emitter.frame[end.items], emitter.frame[end.index]
        listed = load32(get("@fp"), items)
        over: Code = ("i64.ge_s", load64(get("@fp"), index), load64(listed))
        parts: list[Code] = [when(over, self.emit_jump(end.done))]
        if end.var is not None:
            type_ = self.procedure.locals[end.items]
            assert isinstance(type_, t.ListType)
            item = type_.item or t.INT
            before = add32(listed, times(wrap(load64(get("@fp"), index)), 8))
            member = emitter.w.create_local("member", get_register_type(item))
            parts.append(put(member, emit_load_item(item, before)))
            parts.append(emitter.emit_assignment(end.var, self.procedure.locals[end.var], get(member)))
        raised: Code = ("i64.add", load64(get("@fp"), index), c64(1))
        parts += [store64(get("@fp"), raised, index), emitter.emit_iteration_charge(), emitter.emit_budget_check()]
        return seq(*parts, self.emit_goto(end.block))

    def emit_result(self, end: s.CallThen) -> Code:
        """Return code that stores the result of a call in its variable, in the block where execution continues."""
        if end.var is None:
            return seq()
        type_ = self.procedure.locals[end.var]
        answered: Code = ("global.get", "answered")
        return self.emitter.emit_assignment(end.var, type_, answered if is_wide(type_) else wrap(answered))

    def emit_settle(self, done: int) -> Code:
        """Return code that runs the first queued call and returns to this block, or continues at block `done`."""
        emitter, machine = self.emitter, self.layout.machine
        empty: Code = ("i64.eqz", load64(c32(machine["queued"])))
        run = seq(store32(get("@fp"), c32(self.block), 4), ("return", call("run_queued")))
        return seq(when(("i32.eqz", empty), run), emitter.emit_budget_check(), self.emit_goto(done))

    # --- decisions ------------------------------------------------------------------------------

    def emit_suspension(self, decision: ir.LoweredDecision, count: str, resume: int) -> Code:
        """Return code that suspends for a decision.

        `count`: the local with its number of options. `resume`: the block to resume at.
        """
        emitter, machine = self.emitter, self.layout.machine
        side = ("i64.extend_i32_s", emitter.emit_value(decision.decider))
        return seq(
            store64(c32(machine["side"]), side),
            store64(c32(machine["pending"]), c64(decision.number)),
            store64(c32(machine["count"]), ("i64.extend_i32_u", get(count))),
            ("global.set", "listed", ("i32.eqz", ("global.get", "lazy"))),
            store64(c32(machine["partial"]), ("i64.extend_i32_u", ("global.get", "lazy"))),
            seq() if decision.draft is None else self.emit_numbering(),
            self.emit_suspend(resume, FrameResult.ASKED),
        )

    def emit_numbering(self) -> Code:
        """Return code that gives each search for finished drafts a number.

        By the number, a copy of the position recognizes the drafts found as its own.
        """
        number = ("global.get", "ends_count")
        return seq(
            ("global.set", "ends_count", ("i64.add", number, c64(1))),
            ("global.set", "ends_now", number),
            store64(c32(self.layout.machine["ends"]), number),
        )

    def emit_ask(self, end: s.Ask) -> Code:
        """Return code that lists the options of a decision and suspends; see the record `Ask`.

        In quick mode (the global `quick`) one option beside the end of a repeated decision is enough; the value
        "partial" of the machine records that the listing stopped there.
        """
        emitter, layout = self.emitter, self.layout
        decision = emitter.program.decisions[end.decision]
        n, first = emitter.w.create_local("options", "i32"), emitter.w.create_local("first", "i32")
        size = layout.option_size
        parts: list[Code] = []
        listed = put(n, call(f"list_{end.decision}", get("@fp")))
        is_one: Code = ("i32.eq", get(n), c32(1))
        take = seq(
            call("spend", c64(20)),
            put(first, ("global.get", "listing")),
            copy_words(c32(layout.answer), get(first), size // 8 - 1),
            put("@pc", c32(end.resume)),
            ("br", "again"),
        )
        done = seq(
            store64(add32(times(get(n), size), ("global.get", "listing")), c64(-1)),
            put(n, add32(get(n), c32(1))),
        )
        if decision.until_done and decision.finish:
            may = emitter.w.create_local("may_end", "i32")
            test = emitter.emit_value(decision.finish[-1])
            for earlier in reversed(decision.finish[:-1]):
                test = ("if", "i32", emitter.emit_value(earlier), test, c32(0))
            quick: Code = ("i32.and", get(may), ("global.get", "quick"))
            parts += [put(may, test), ("global.set", "lazy", quick), listed]
            if end.alone:
                parts.append(when(("i32.and", is_one, ("i32.eqz", get(may))), take))
            parts.append(when(get(n), seq(when(get(may), done), self.emit_suspension(decision, n, end.resume))))
            parts += [when(get(may), self.emit_jump(end.out)), self.emit_jump(end.nobody)]
        elif decision.until_done:
            parts += [("global.set", "lazy", ("global.get", "quick")), listed]
            parts += [when(get(n), seq(done, self.emit_suspension(decision, n, end.resume))), self.emit_jump(end.out)]
        else:
            parts += [("global.set", "lazy", c32(0)), listed]
            if end.alone:
                parts.append(when(is_one, take))
            parts += [when(get(n), self.emit_suspension(decision, n, end.resume)), self.emit_jump(end.nobody)]
        return seq(*parts)

    def emit_answer(self, end: s.Answer) -> Code:
        """Return code that jumps to the block of the chosen option."""
        answer = wrap(load64(c32(self.layout.answer)))
        decision = self.emitter.program.decisions[end.decision]
        parts: list[Code] = []
        if decision.until_done:
            parts.append(when(("i32.lt_s", answer, c32(0)), self.emit_jump(end.out)))
        for number, block in enumerate(end.blocks[:-1]):
            parts.append(when(("i32.eq", answer, c32(number)), self.emit_jump(block)))
        return seq(*parts, self.emit_jump(end.blocks[-1]) if end.blocks else TRAP)

    def emit_ask_draft(self, end: s.AskDraft) -> Code:
        """Return code that searches the finished drafts that answer a decision and suspends."""
        emitter, layout = self.emitter, self.layout
        decision = emitter.program.decisions[end.decision]
        assert decision.draft is not None
        n = emitter.w.create_local("ends", "i32")
        arg_locals = [(emitter.w.create_local("arg", get_register_type(a.type)), a) for a in end.args]
        parts: list[Code] = [
            ("global.set", "lazy", c32(0)),
            *(put(name, emitter.emit_owned(a)) for name, a in arg_locals),
        ]
        for k, (name, a) in enumerate(arg_locals):
            value = emitter.emit_heap_copy(get(name), a.type) if is_compound(a.type) else get(name)
            parts.append(store64(c32(layout.draft_args + 8 * k), emit_word(a.type, value)))
        end_count = call("ends_" + decision.draft, c32(0), *(get(name) for name, _ in arg_locals))
        parts += [put(n, end_count), when(("i32.eqz", get(n)), TRAP)]
        if end.alone:
            first = store64(c32(layout.answer), c64(0))
            parts.append(when(("i32.eq", get(n), c32(1)), seq(first, put("@pc", c32(end.resume)), ("br", "again"))))
        return seq(*parts, self.emit_suspension(decision, n, end.resume))

    def emit_take_draft(self, end: s.TakeDraft) -> Code:
        """Return code that assigns the record of the chosen end to its variable."""
        decision = self.emitter.program.decisions[end.decision]
        assert decision.draft is not None
        if end.var is None:
            return self.emit_goto(end.block)
        answer = call("answer_" + decision.draft, wrap(load64(c32(self.layout.answer))))
        return seq(
            self.emitter.emit_assignment(end.var, self.procedure.locals[end.var], answer), self.emit_goto(end.block)
        )

    # --- skips --------------------------------------------------------------------------------------

    def write_skip_handler(self) -> None:
        """Write the function that handles a skip in a frame: it continues at one of the frame's phases or returns."""
        emitter, procedure, w = self.emitter, self.procedure, self.emitter.w
        pc = w.get_local("@pc", "i32")
        w.append(put(pc, load32(get("@fp"), 4)))
        phases = emitter.program.phases
        signal: Code = ("global.get", "signal")
        for entry in procedure.phases:
            if not entry.lasting:
                continue
            test: Code = ("i32.and", ("i32.ge_u", get(pc), c32(entry.first)), ("i32.le_u", get(pc), c32(entry.last)))
            for outer in procedure.phases:
                if entry.name in outer.inside:
                    stays: Code = ("i32.ne", signal, c32(phases.index(outer.name) + 1))
                    test = ("i32.and", test, stays)
            w.append(when(test, self.writer.emit_body(entry.lasting)))
        for entry in procedure.phases:
            here: Code = ("i32.eq", signal, c32(phases.index(entry.name) + 1))
            enter = seq(
                ("global.set", "signal", c32(0)),
                store64(c32(self.layout.machine["queued"]), c64(0)),
                store32(get("@fp"), c32(entry.first), 4),
                ("return", c32(FrameResult.CALLED)),
            )
            w.append(when(here, enter))
        w.append(self.writer.emit_body(procedure.ending), emit_pop_frame(emitter), c32(FrameResult.SKIPPING))


def emit_pop_frame(emitter: Emitter) -> Code:
    """Return the code that releases a frame and its part of the heap."""
    machine = emitter.layout.machine
    return seq(
        store32(c32(machine["heap_top"]), load32(get("@fp"), 12)),
        store32(c32(machine["sp"]), get("@fp")),
        store32(c32(machine["fp"]), load32(get("@fp"), 8)),
    )


def emit_clear(frame: Code, size: int) -> Code:
    """Return code that sets the variables of a new frame to 0. `size`: the size of the frame in bytes."""
    words = (size - FRAME_HEAD) // 8
    if words > MAX_UNROLLED_VARIABLES:
        return ("memory.fill", add32(frame, c32(FRAME_HEAD)), c32(0), c32(8 * words))
    return seq(*(store64(frame, c64(0), FRAME_HEAD + 8 * k) for k in range(words)))


def emit_push(emitter: Emitter, called: ir.Procedure, sites: Sites, values: list[Code], flags: int) -> list[Code]:
    """Return code that pushes the frame of a call of the procedure `called`.

    `sites`: holds the number of each procedure. `values`: the code of each argument.
    `flags`: how the frame was pushed; see the module docstring.
    """
    layout, machine = emitter.layout, emitter.layout.machine
    offsets, size = compute_frame_layout(emitter, called)
    new = emitter.w.create_local("frame", "i32")
    out: list[Code] = [
        put(new, load32(c32(machine["sp"]))),
        store32(c32(machine["sp"]), add32(get(new), c32(size))),
        when(("i32.gt_u", load32(c32(machine["sp"])), c32(layout.frames_end)), TRAP),
        store32(get(new), c32(sites.procedures[called.name])),
        store32(get(new), c32(0), 4),
        store32(get(new), load32(c32(machine["fp"])), 8),
        store32(get(new), load32(c32(machine["heap_top"])), 12),
        store32(get(new), c32(flags), 16),
        emit_clear(get(new), size),
    ]
    for (name, type_), value in zip(called.params, values, strict=True):
        at = offsets[name]
        words = emitter.count_inline_words(type_)
        if words:
            out.append(("memory.copy", add32(get(new), c32(at)), value, c32(8 * words)))
        else:
            owned = emitter.emit_heap_copy(value, type_) if is_compound(type_) else value
            out.append((f"{get_register_type(type_)}.store", at, get(new), owned))
    return [*out, store32(c32(machine["fp"]), get(new))]


# --- the queue ---------------------------------------------------------------------------------------------


def write_run_queued(emitter: Emitter, sites: Sites) -> None:
    """Write `run_queued`: remove the first deferred call from the queue, then push its frame or run it to its end."""
    layout, machine = emitter.layout, emitter.layout.machine
    entry = 8 * (1 + QUEUE_ARGS)
    with emitter.begin_function("run_queued", [], "i32") as w:
        procedure = w.create_local("procedure", "i32")
        args = [w.create_local("arg", "i64") for _ in range(QUEUE_ARGS)]
        count = c32(machine["queued"])
        w.append(call("spend", c64(20)), put(procedure, wrap(load64(c32(layout.queue)))))
        w.append(*(put(name, load64(c32(layout.queue + 8 + 8 * k))) for k, name in enumerate(args)))
        left: Code = ("i64.sub", load64(count), c64(1))
        w.append(store64(count, left))
        w.append(("memory.copy", c32(layout.queue), c32(layout.queue + entry), times(wrap(load64(count)), entry)))
        queued = {stmt.procedure for stmt in list_all_statements(emitter.program) if isinstance(stmt, s.Later)}
        for name in sorted(queued):
            called = emitter.program.procedures[name]
            values: list[Code] = []
            copies: list[Code] = []
            for arg, (_, type_) in zip(args, called.params, strict=False):
                if not is_compound(type_):
                    values.append(get(arg) if is_wide(type_) else wrap(get(arg)))
                    continue
                value_local = w.create_local("value", "i32")
                copies.append(put(value_local, call(emitter.get_copier(type_), wrap(get(arg)))))
                values.append(get(value_local))
            here: Code = ("i32.eq", get(procedure), c32(sites.procedures[name]))
            if called.suspends:
                code = seq(*copies, *emit_push(emitter, called, sites, values, 0), ("return", c32(FrameResult.CALLED)))
            else:
                run = call("proc_" + name, *values)
                if called.result is not None:
                    run = ("drop", run)
                over: Code = ("i32.lt_s", ("global.get", "signal"), c32(0))
                state: Code = (
                    "if",
                    "i32",
                    ("global.get", "signal"),
                    ("if", "i32", over, c32(FrameResult.OVER), c32(FrameResult.SKIPPING)),
                    c32(FrameResult.CALLED),
                )
                code = seq(*copies, run, ("return", state))
            w.append(when(here, code))
        w.append(TRAP)
