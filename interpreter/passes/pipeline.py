"""The optimization passes in the order in which they run, by name.

A new pass is a module of this package, a line here and a test in `tests/ir/test_passes.py`. To see its effect, print a
rule with `grognard compile RULESET NAME --stop-after PASS`; to measure it, run `python -m tests.bench.printed passes`.
"""

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
# run after the others, for the Python back end only: in Python a look-up costs less than a few operations
PYTHON_PASSES: dict[str, Pass] = {
    "static_tables": tabulate_static,
}
# the passes of a program that counts the results of requirements: the others change how often one is tested
COUNTED_PASSES = frozenset({"memo_insertion", "inlining", "early_exit", "predicate_pushdown"})
# the passes of the functions that a form adds to those of play: it shares the memo tables of play
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
