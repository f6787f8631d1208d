"""Frames of suspended procedures in memory, and their description for the host, which moves them to Python and back.

Python keeps one variable for each name of the rules. Here a variable has one type, so a name that is assigned values
without a common type becomes several variables:

    let e = first(edges)      # variable `e`
    let e = 3                 # variable `e.2`; from here on Python's `e` is this one
"""

from __future__ import annotations

from interpreter.backends.python.python_names import format_variable
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.memory_layout import FRAME_HEAD
from interpreter.backends.wasm.module_sheet import ProcedureSheet, SharedVariable, VariableSheet
from interpreter.ir import program_records as ir, statement_records as s
from interpreter.ir.liveness import compute_live_variables

ROLES = {  # of variables that no author wrote, to their Python names
    "items": "s_{}",
    "index": "i_{}",
    "subject": "m_{}",
    "before": "b_before",
    "left": "{}",
}


def compute_frame_layout(emitter: Emitter, procedure: ir.Procedure) -> tuple[dict[str, int], int]:
    """Return the offset in bytes of each variable in a procedure's frame, by name, and the frame's size in bytes."""
    at, offsets = FRAME_HEAD, {}
    for name in procedure.frame:
        offsets[name] = at
        at += 8 * max(1, emitter.count_inline_words(procedure.locals[name]))
    return offsets, at


def build_procedure_sheet(emitter: Emitter, procedure: ir.Procedure) -> ProcedureSheet:
    """Return the description of a procedure for the host, which reads and writes its frames."""
    params = [type_ for _, type_ in procedure.params]
    if not procedure.suspends:
        return ProcedureSheet(procedure.name, params, procedure.result)
    offsets, size = compute_frame_layout(emitter, procedure)
    variables = []
    for name, at in offsets.items():
        role, number = procedure.hidden.get(name, ("", 0))
        if role in ("", *ROLES):
            type_ = procedure.locals[name]
            python = ROLES[role].format(number) if role else format_variable(name)
            kind = role if role in ("left", "before") else ""
            variables.append(VariableSheet(python, at, type_, emitter.count_inline_words(type_), kind))
    changes = [st.change for b in procedure.blocks for st in b.body if isinstance(st, s.SetPhase)]
    phases = [(c.statement, c.outer) for c in changes if c is not None and c.is_beginning]
    resumed = _list_resume_points(procedure)
    return ProcedureSheet(
        procedure.name,
        params,
        procedure.result,
        size,
        variables,
        resumed,
        phases,
        _list_shared_variables(emitter.program, procedure, resumed),
    )


def _list_resume_points(procedure: ir.Procedure) -> list[int | None]:
    """Return, for each block, the number of the statement after which it resumes; None for a block that never resumes.

    The number is -1 if the block completes no statement of the rules.
    """
    resumed = {b.end.resume for b in procedure.blocks if isinstance(b.end, s.Ask | s.AskDraft | s.CallThen)}
    resumed |= {number for number, b in enumerate(procedure.blocks) if isinstance(b.end, s.Settle)}
    statements: list[int | None] = []
    for number, block in enumerate(procedure.blocks):
        statement = -1 if block.statement is None else block.statement
        statements.append(statement if number in resumed else None)
    return statements


# --- one name, several variables ------------------------------------------------------------------------


def _list_shared_variables(
    program: ir.LoweredProgram, procedure: ir.Procedure, resumed: list[int | None]
) -> list[SharedVariable]:
    """Return, for each block that resumes, the Python variables that represent several variables of the module.

    `resumed`: by block, the statement after which it resumes, or None.
    """
    groups: dict[str, list[str]] = {}
    for name in (name for name in procedure.frame if name not in procedure.hidden):
        groups.setdefault(name.partition(".")[0], []).append(name)
    shared = {name: group for name, group in groups.items() if len(group) > 1}
    if not shared:
        return []
    live = compute_live_variables(program, procedure)
    variables: list[SharedVariable] = []
    for block, statement in enumerate(resumed):
        for name, group in shared.items() if statement is not None else ():
            read = [format_variable(member) for member in group if member in live[block]]
            if len(read) > 1:
                variables.append(SharedVariable(block, format_variable(name), None))
            elif read and read[0] != format_variable(name):
                variables.append(SharedVariable(block, format_variable(name), read[0]))
    return variables
