"""The passes in order, each by its name; a dump can stop after any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.ir import program_records as ir
from interpreter.passes.early_exit import exit_early
from interpreter.passes.inlining import inline_calls
from interpreter.passes.memo_insertion import insert_memos
from interpreter.passes.parameter_narrowing import narrow_parameters
from interpreter.passes.predicate_pushdown import push_predicates

Pass = Callable[[ir.Program], ir.Program]
PASSES: dict[str, Pass] = {
    "memo_insertion": insert_memos,
    "inlining": inline_calls,
    "early_exit": exit_early,
    "predicate_pushdown": push_predicates,
    "parameter_narrowing": narrow_parameters,
}
# where results of requirements are counted, each is tested for whatever it is about
COUNTED_PASSES = frozenset({"memo_insertion", "inlining", "early_exit", "predicate_pushdown"})
# in procedures beside play: which functions are remembered is known from play
BESIDE_PASSES = frozenset({"inlining", "early_exit"})


def run_passes(
    program: ir.Program,
    stop_after: str | None = None,
    without: Iterable[str] = (),
    check: Callable[[ir.Program, str], None] | None = None,
) -> ir.Program:
    """Return the program after the passes; `check` is called with the program and the name of each."""
    left_out = frozenset(without)
    if stop_after == "lowering":
        return program
    for name, transform in PASSES.items():
        if name not in left_out:
            program = transform(program)
            if check is not None:
                check(program, name)
        if name == stop_after:
            break
    return program
