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
from types import CodeType
from typing import Any, Literal

from interpreter.api.rules import Rules
from interpreter.backends.python.compiled_program import CompiledProgram
from interpreter.backends.python.layout import lay_out
from interpreter.backends.python.ruleset_description import describe_data
from interpreter.checker.module_checker import check_rules
from interpreter.compiler.assembling import assemble, compile_model
from interpreter.diagnostics.diagnostic import Sink
from interpreter.language import syntax as s
from interpreter.model.statements import CheckedModel
from interpreter.runtime.program import Program
from interpreter.tools.cases.case_documents import Case
from interpreter.tools.cases.suite import run_case
from interpreter.tools.mutation.case_trace import StepCounter, step_limit
from interpreter.tools.mutation.incremental_compile import Whole, collect_analyses, compile_patch, item_of
from interpreter.tools.mutation.mutation import Mutation, replace_at

Fate = Literal["noticed", "survived", "refused", "same"]
_NOT_COMPILED = ("table cell", "attribute")  # data that only the linker uses: the code does not depend on them


@dataclass(frozen=True, slots=True)
class MutationBench:
    """The base of all mutations: the original rules, checked and compiled, and the cases."""

    target: str
    modules: tuple[s.RulesModule, ...]
    items: tuple[s.Item, ...]
    model: CheckedModel
    compiled: Whole
    essence: Any  # behaviour of the code objects, without source positions
    data: str
    cases: tuple[Case, ...]


def prepare(target: str, modules: Sequence[s.RulesModule], model: CheckedModel, cases: Sequence[Case]) -> MutationBench:
    """Create a bench for a checked ruleset."""
    items = tuple(item for module in modules for item in module.items)
    compiled, decisions = assemble(model)
    return MutationBench(
        target,
        tuple(modules),
        items,
        model,
        collect_analyses(model, compiled, decisions),
        strip_positions(compiled),
        json.dumps(compiled.data),
        tuple(cases),
    )


def try_change(
    bench: MutationBench, change: Mutation, cases: Sequence[int], steps: Sequence[int]
) -> tuple[Fate, int | None]:
    """Return the fate of a change and the number of the case that notices it, or None.

    Runs the cases in the given order until one fails; `steps` are those of each case without the change.
    """
    model = check_mutant(bench, change)
    compiled = None if model is None else compile_mutant(bench, change, model)
    if model is None or compiled is None:
        return "refused", None
    rules = Rules(Program(compiled.codes, compiled.data), model, bench.target)
    meter = StepCounter(rules.program)
    for number in cases:
        meter.start(step_limit(steps[number]))
        if not holds(bench.cases[number], rules, model):
            return "noticed", number
    return ("same" if is_same(bench, model) else "survived"), None


def check_mutant(bench: MutationBench, change: Mutation) -> CheckedModel | None:
    """Return the changed rules, checked, or None if `check` rejects them."""
    if change.sort in _NOT_COMPILED:
        return replace(bench.model, ruleset=replace_at(bench.model.ruleset, change.path, change.new))
    ruleset, items = bench.model.ruleset, bench.items
    if change.of == "rules":
        items = replace_at(items, change.path, change.new)
    else:
        ruleset = replace_at(ruleset, change.path, change.new)
    sink = Sink()
    try:
        model = check_rules(ruleset, [replace(bench.modules[0], items=items)], sink)
        return None if sink.has_errors else model
    except RecursionError:  # nested too deeply; `check` reports that
        return None


def compile_mutant(bench: MutationBench, change: Mutation, model: CheckedModel) -> CompiledProgram | None:
    """Return the changed rules, compiled incrementally if possible, or None if they cannot be compiled."""
    try:
        if change.sort in _NOT_COMPILED:
            described = json.loads(json.dumps(describe_data(model, lay_out(model))))
            return CompiledProgram(bench.compiled.compiled.codes, {**bench.compiled.data, **described})
        item = item_of(bench.items[change.path[0]]) if change.of == "rules" else None
        return (None if item is None else compile_patch(bench.compiled, model, item)) or as_loaded(compile_model(model))
    except (RecursionError, SyntaxError):
        return None


def as_loaded(compiled: CompiledProgram) -> CompiledProgram:
    """Return the rules with data as the linker expects them, as if loaded from the disk cache."""
    return CompiledProgram(compiled.codes, json.loads(json.dumps(compiled.data)))


def is_same(bench: MutationBench, model: CheckedModel) -> bool:
    """Return True if the changed rules compile to code and data equivalent to the original."""
    compiled = compile_model(model)
    return json.dumps(compiled.data) == bench.data and strip_positions(compiled) == bench.essence


def holds(case: Case, rules: Rules, model: CheckedModel) -> bool:
    """Return True if a case holds. A case that crashes the tool, say because a name is missing, does not."""
    try:
        return run_case(case, rules, model).ok
    except Exception:
        return False


def strip_positions(compiled: CompiledProgram) -> object:
    """Return the behaviour of compiled rules without their source positions."""
    return [_code(code) for code in compiled.codes]


def _code(code: CodeType) -> object:
    inner = tuple(_code(c) if isinstance(c, CodeType) else (type(c).__name__, repr(c)) for c in code.co_consts)
    return code.co_name, code.co_code, code.co_names, code.co_varnames, inner


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
