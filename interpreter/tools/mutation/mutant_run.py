"""Apply one mutation and run the cases that can notice it.

Works in memory. Cost is limited in steps of the rules, not in time, so that a mutation has the same outcome on every
machine.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from interpreter.api.loading import FileSource, disable_gc
from interpreter.api.rules import Rules
from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.backends.python.program_printer import PrintedBase, print_base, print_change
from interpreter.backends.python.source_module import NestingTooDeepError
from interpreter.checker.module_checker import check_rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.language import syntax as s
from interpreter.lowering.model_lowering import lower_model
from interpreter.model.checked_model import CheckedModel
from interpreter.runtime.program import Program
from interpreter.tools.cases.case_documents import Case
from interpreter.tools.cases.suite import run_case
from interpreter.tools.mutation.case_trace import StepCounter, compute_step_limit
from interpreter.tools.mutation.mutation import Mutation, replace_at

Fate = Literal["noticed", "survived", "refused", "same"]
DATA = ("table cell", "attribute")  # sorts of changes that only the documents hold


@dataclass(frozen=True, slots=True)
class MutationBench:
    """The base of all mutations of a target: the original rules, checked and compiled, and the cases.

    `modules` and `items`: the rules as parsed; `base`: their compiled text, to compile a change quickly; `data`: the
    data of the compiled program as JSON.
    """

    target: str
    modules: tuple[s.RulesModule, ...]
    items: tuple[s.Item, ...]
    model: CheckedModel
    base: PrintedBase
    data: str
    cases: tuple[Case, ...]


def prepare(target: str, modules: Sequence[s.RulesModule], model: CheckedModel, cases: Sequence[Case]) -> MutationBench:
    """Create a bench from the parsed and the checked rules of a target, and its cases."""
    items = tuple(item for module in modules for item in module.items)
    base = print_base(lower_model(model, explained=True), model)
    return MutationBench(target, tuple(modules), items, model, base, json.dumps(base.program.data), tuple(cases))


def try_change(
    bench: MutationBench, change: Mutation, cases: Sequence[int], steps: Sequence[int]
) -> tuple[Fate, int | None]:
    """Return (fate of a change, number of the case that notices it or None).

    The fate is "noticed", "survived", "refused" (by `check`) or "same" (the program is unchanged). `cases`: the numbers
    of the cases to run, in this order, until one fails; `steps`: how many steps each case takes without the change.
    """
    model = check_mutant(bench, change)
    compiled = None if model is None else compile_mutant(bench, model)
    if model is None or compiled is None:
        return "refused", None
    rules = Rules(Program(compiled.codes, compiled.data), model, bench.target, FileSource(bench.target))
    meter = StepCounter(rules.program)
    for number in cases:
        meter.start(compute_step_limit(steps[number]))
        if not is_passing(bench.cases[number], rules):
            return "noticed", number
    return ("same" if is_same(bench, compiled) else "survived"), None


def check_mutant(bench: MutationBench, change: Mutation) -> CheckedModel | None:
    """Return the checked rules with a change applied, or None if `check` rejects them."""
    if change.sort in DATA:
        return replace(bench.model, ruleset=replace_at(bench.model.ruleset, change.path, change.new))
    ruleset, items = bench.model.ruleset, bench.items
    if change.document == "rules":
        items = replace_at(items, change.path, change.new)
    else:
        ruleset = replace_at(ruleset, change.path, change.new)
    sink = Sink()
    try:
        model = check_rules(ruleset, [replace(bench.modules[0], items=items)], sink)
        return None if sink.has_errors else model
    except RecursionError:  # nested too deeply; `check` reports that
        return None


@disable_gc()
def compile_mutant(bench: MutationBench, model: CheckedModel) -> CompiledProgram | None:
    """Return the changed rules, compiled where their text differs, or None if they cannot be compiled."""
    try:
        compiled = print_change(lower_model(model, explained=True), model, bench.base)
        return CompiledProgram(compiled.codes, json.loads(json.dumps(compiled.data)))
    except (RecursionError, NestingTooDeepError):
        return None


def is_same(bench: MutationBench, compiled: CompiledProgram) -> bool:
    """Return True if a changed program has the code and the data of the original."""
    return len(compiled.codes) == len(bench.base.program.codes) and json.dumps(compiled.data) == bench.data


def is_passing(case: Case, rules: Rules) -> bool:
    """Return True if a case passes. A case that crashes the tool, say because a name is missing, does not."""
    try:
        return run_case(case, rules).ok
    except Exception:
        return False


@contextmanager
def freeze_garbage_collector() -> Iterator[None]:
    """Exclude existing objects from garbage collection while mutations run.

    Has no effect if the caller has already frozen them.
    """
    is_own = not gc.get_freeze_count()
    if is_own:
        gc.collect()
        gc.freeze()
    try:
        yield
    finally:
        if is_own:
            gc.unfreeze()
