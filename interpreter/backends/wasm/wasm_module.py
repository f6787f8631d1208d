"""Compile a program of the intermediate representation to a WebAssembly module."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter.backends.wasm import (
    wasm_collections as wc,
    wasm_expressions as wx,
    wasm_logic as wl,
    wasm_sets as ws,
    wasm_trials,
)
from interpreter.backends.wasm.assembly import runtime_text, trial_text
from interpreter.backends.wasm.assembly.encoding import Code, WasmModule
from interpreter.backends.wasm.assembly.function_compiler import compile_functions
from interpreter.backends.wasm.emitter import Emitter, EmitterOptions
from interpreter.backends.wasm.frame_layout import build_procedure_sheet
from interpreter.backends.wasm.memory_layout import (
    HEAP_SIZE,
    LIST_ROOM,
    OPTIONS_SIZE,
    QUEUE_ARGS,
    ROLL_TEXT,
    SLOTS,
    STATE,
    MemoryLayout,
)
from interpreter.backends.wasm.module_sheet import (
    ColumnSheet,
    DecisionSheet,
    DraftSheet,
    ModuleSheet,
    OptionalRuleSheet,
    PositionSheet,
    RulesSheet,
    SessionSheet,
)
from interpreter.backends.wasm.value_encoding import NotEncodableError
from interpreter.backends.wasm.wasm_drafts import DraftWriter, compute_end_size, emit_possible
from interpreter.backends.wasm.wasm_functions import write_function
from interpreter.backends.wasm.wasm_machine import SESSIONS, list_session_constants, number_addresses, write_machine
from interpreter.backends.wasm.wasm_options import write_listing
from interpreter.backends.wasm.wasm_procedures import FramedProcedure, write_plain, write_run_queued, write_watchers
from interpreter.backends.wasm.wasm_searches import emit_closure, emit_search
from interpreter.backends.wasm.wasm_statements import Sites
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.traversal import iter_statements
from interpreter.model.ruleset import Ruleset
from interpreter.runtime.limits import LIMITS

STEPS_A_TURN = 20  # steps of the rules' budget that a counted turn costs at most


@dataclass(frozen=True, slots=True)
class BuiltModule:
    """A compiled module with the data that the host needs."""

    module: WasmModule
    layout: MemoryLayout
    sheet: ModuleSheet


def _emit_apply(emitter: Emitter, expr: e.Apply) -> Code:
    handler = wc.COLLECTION_OPERATIONS.get(expr.op) or wx.APPLY[expr.op]
    return handler(emitter, expr)


HANDLERS: dict[type, Callable[[Emitter, Any], Code]] = {
    e.Const: wx.emit_const,
    e.Local: wx.emit_local,
    e.Read: wx.emit_read,
    e.PiecesAt: wc.emit_pieces_at,
    e.StaticItem: wx.emit_static_item,
    e.IndexOf: wx.emit_index_of,
    e.Apply: _emit_apply,
    e.Logic: wl.emit_logic,
    e.Conditional: wx.emit_conditional,
    e.OrElse: wx.emit_or_else,
    e.IfPresent: wx.emit_if_present,
    e.Let: wx.emit_let,
    e.Bounded: wx.emit_bounded,
    e.Call: wx.emit_call,
    e.Fold: ws.emit_fold,
    e.Search: emit_search,
    e.Closure: emit_closure,
    e.Possible: emit_possible,
    e.MakeRecord: wx.emit_make_record,
    e.GetField: wx.emit_get_field,
    e.WithFields: wx.emit_with_fields,
}


def build_module(program: ir.LoweredProgram, ruleset: Ruleset, switches: EmitterOptions | None = None) -> BuiltModule:
    """Compile a program to a module. Raise NotEncodableError for a construct that cannot be encoded.

    `switches`: parts of the back end to leave out for measurements.
    """
    layout = MemoryLayout(program, ruleset)
    constants = _list_constants(layout)
    library = runtime_text.build_library(constants)
    emitter = Emitter(program, layout, HANDLERS, library, switches)
    sites = Sites(
        [], {name: number for number, name in enumerate(program.procedures)}, find_exiting_procedures(program)
    )
    for function in program.functions.values():
        write_function(emitter, function, sites)
    for draft in program.drafts.values():
        DraftWriter(emitter, draft).write()
    for event in dict.fromkeys(w.event for w in program.watchers):
        write_watchers(emitter, event, sites)
    for procedure in program.procedures.values():
        if procedure.suspends:
            FramedProcedure(emitter, procedure, sites).write()
        else:
            write_plain(emitter, procedure, sites)
    for decision in program.decisions:
        if decision.draft is None:
            write_listing(emitter, decision)
    write_run_queued(emitter, sites)
    write_machine(emitter, sites)
    trials, constants_of_trials = wasm_trials.build_trial_functions(emitter)
    globals_ = {
        **runtime_text.GLOBALS,
        **trial_text.GLOBALS,
        "budget": ("i64", LIMITS.steps // STEPS_A_TURN),
        "listing": ("i32", layout.options),
        "listing_end": ("i32", layout.options + OPTIONS_SIZE),
    }
    constants |= list_session_constants(layout) | constants_of_trials
    shared = compile_functions(SESSIONS + trials, constants, globals_, emitter.list_known_functions())
    module = WasmModule([*library, *shared, *emitter.functions.values()], globals_)
    module.data = [(layout.static_base, bytes(layout.static))]
    module.pages = layout.count_pages()
    return BuiltModule(module, layout, _build_sheet(emitter, sites))


def _build_sheet(emitter: Emitter, sites: Sites) -> ModuleSheet:
    """Return the description of the module for the host."""
    layout, evaluation = emitter.layout, emitter.program.functions.get("evaluation")
    session = SessionSheet(
        chooser=layout.chooser,
        listed=layout.options,
        option_size=layout.option_size,
        ends=layout.asked_ends,
        slots=layout.slots,
        slot_size=layout.slot_size,
        slot_count=SLOTS,
        request=layout.request,
        known=layout.known,
        lanes=layout.lanes,
        lane_inputs=layout.lane_inputs,
        trials=layout.trial_regions,
    )
    rules = RulesSheet(
        list(emitter.program.phases),
        [build_procedure_sheet(emitter, p) for p in emitter.program.procedures.values()],
        _list_decision_sheets(emitter.program),
        {name: _build_draft_sheet(draft) for name, draft in emitter.program.drafts.items()},
        [list(end.cites) for end in sites.ends],
        None if evaluation is None or len(evaluation.params) > 1 else evaluation.result,
    )
    return ModuleSheet(_build_position_sheet(layout), session, rules, layout.values)


def _build_position_sheet(layout: MemoryLayout) -> PositionSheet:
    columns = []
    for slot, column in layout.program.columns.items():
        cell = layout.columns[slot]
        columns.append(ColumnSheet(slot.kind, slot.name, cell.base, cell.width, cell.type, column.count))
    return PositionSheet(
        state=STATE,
        frames=layout.frames,
        heap=layout.heap,
        copied=layout.copied_from,
        columns=columns,
        options=[
            OptionalRuleSheet(name, layout.columns[e.Slot("option", name)].base, option.type == "split")
            for name, option in layout.ruleset.options.items()
        ],
        turn=layout.columns[e.TURN].base,
        last_turn=layout.columns[e.LAST_TURN].base,
        first_at=layout.first_at,
        next_at=layout.next_at,
        places=layout.places,
        pieces=layout.pieces,
        machine=layout.machine,
        depths=layout.depths,
        queue=layout.queue,
        queue_entry=8 * (1 + QUEUE_ARGS),
        draft_args=layout.draft_args,
        dice=layout.dice,
        dealt=layout.dealt,
        rolled=layout.rolled,
        roll_count=len(layout.roll_names),
    )


def _list_decision_sheets(program: ir.LoweredProgram) -> list[DecisionSheet]:
    return [
        DecisionSheet(d.name, [[p.type for p in o.params] for o in d.options], d.draft, d.address, number)
        for d, number in zip(program.decisions, number_addresses(program), strict=True)
    ]


def _build_draft_sheet(draft: ir.Draft) -> DraftSheet:
    params, fields = [type_ for _, type_ in draft.params], [type_ for _, type_ in draft.fields]
    return DraftSheet(params, [value.type for value in draft.offer], fields, compute_end_size(draft), draft.staged)


def _list_constants(layout: MemoryLayout) -> dict[str, int]:
    rolls = [f"{name}\n\n".encode() for name in layout.roll_names]
    if any(len(text) > ROLL_TEXT for text in rolls):
        raise NotEncodableError("the long name of a roll")
    return {
        **layout.constants(),
        "ARENA_END": layout.memo,
        "HEAP_END": layout.heap + HEAP_SIZE,
        "MOST_MEMBERS": LIMITS.members,
        "LIST_ROOM": LIST_ROOM,
        "DEAL_PREFIX": layout.dealt + 8,
        "ROLL_SIZES": layout.put(bytes(len(text) for text in rolls) or b"\0", 1),
        "ROLL_TEXTS": layout.put(b"".join(text.ljust(ROLL_TEXT, b"\0") for text in rolls) or b"\0"),
    }


def find_exiting_procedures(program: ir.LoweredProgram) -> frozenset[str]:
    """Return the procedures, and events as "event NAME", after which the game may be over or a skip be pending."""
    bodies: dict[str, list[s.Stmt]] = {}
    for procedure in program.procedures.values():
        stmts = [*iter_statements(procedure.body)]
        for block in procedure.blocks:
            stmts += iter_statements(block.body)
        bodies[procedure.name] = stmts
    for watcher in program.watchers:
        bodies.setdefault("event " + watcher.event, []).extend(iter_statements(watcher.body))
    leaving: set[str] = set()
    again = True
    while again:
        again = False
        for name, stmts in bodies.items():
            if name not in leaving and any(_may_leave(stmt, leaving) for stmt in stmts):
                leaving.add(name)
                again = True
    return frozenset(leaving)


def _may_leave(stmt: s.Stmt, leaving: set[str]) -> bool:
    match stmt:
        case s.EndGame() | s.SkipTo():
            return True
        case s.Run(procedure):
            return procedure in leaving
        case s.Watch(event):
            return "event " + event in leaving
        case s.Move() | s.Together():
            return "event moved" in leaving
    return False
