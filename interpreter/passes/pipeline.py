"""The list of passes in order, by name; a dump can stop after any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.ir import program_records as ir
from interpreter.passes.bound_checks import remove_bound_checks
from interpreter.passes.early_exit import exit_early
from interpreter.passes.inlining import inline_calls
from interpreter.passes.memo_insertion import insert_memos
from interpreter.passes.parameter_narrowing import narrow_parameters
from interpreter.passes.predicate_pushdown import push_predicates
from interpreter.passes.static_tables import tabulate_static

Pass = Callable[[ir.LoweredProgram], ir.LoweredProgram]
PASSES: dict[str, Pass] = {
    "memo_insertion": insert_memos,
    "inlining": inline_calls,
    "early_exit": exit_early,
    "bound_checks": remove_bound_checks,
    "predicate_pushdown": push_predicates,
    "parameter_narrowing": narrow_parameters,
}
PYTHON_PASSES: dict[str, Pass] = {  # of a back end in which a look-up costs less than a few operations
    "static_tables": tabulate_static,
}
# where results of requirements are counted, each is tested for whatever it is about
COUNTED_PASSES = frozenset({"memo_insertion", "inlining", "early_exit", "predicate_pushdown"})
# in procedures beside play: which functions are remembered is known from play
BESIDE_PASSES = frozenset({"inlining", "early_exit"})


def run_passes(
    program: ir.LoweredProgram,
    stop_after: str | None = None,
    without: Iterable[str] = (),
    check: Callable[[ir.LoweredProgram, str], None] | None = None,
    for_python: bool = False,
) -> ir.LoweredProgram:
    """Return the program after the passes.

    `stop_after`: the last pass to run, "lowering" for none. `without`: passes to leave out. `check`: called with the
    program and the name of each pass after it. `for_python`: run also the passes that are worthwhile in Python only.
    """
    left_out = frozenset(without)
    if stop_after == "lowering":
        return program
    for name, transform in (PASSES | PYTHON_PASSES if for_python else PASSES).items():
        if name not in left_out:
            program = transform(program)
            if check is not None:
                check(program, name)
        if name == stop_after:
            break
    return program
