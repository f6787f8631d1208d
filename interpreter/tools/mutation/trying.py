"""Carries out one change and runs the cases that can notice it. Must not choose which changes are tried.

Everything stays in memory. What a change costs is counted in steps of the rules, not in time, so that the same change
always has the same end; time is only measured for what the steps do not see.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import current_thread, main_thread
from types import CodeType, FrameType
from typing import Any, Literal

from interpreter.checker.rules_check import check_rules
from interpreter.compiler.assembling import Compiled, compile_model
from interpreter.facade.rules import Rules
from interpreter.language import syntax as s
from interpreter.model.core import CheckedModel
from interpreter.runtime.program import Program
from interpreter.source.diagnostic import Sink
from interpreter.tools.cases.case_documents import Case
from interpreter.tools.cases.suite import run_case
from interpreter.tools.mutation.changes import Change, changed

Fate = Literal["noticed", "survived", "refused", "same"]
PATIENCE = 60  # seconds for all cases of one change


@dataclass(frozen=True, slots=True)
class Bench:
    """What changes are tried on: the rules as written, checked and compiled, and the cases."""

    target: str
    modules: tuple[s.Module, ...]
    items: tuple[s.Item, ...]
    model: CheckedModel
    plain: Any  # the essence of what is compiled from them
    cases: tuple[Case, ...]


def try_change(bench: Bench, change: Change, cases: Sequence[int]) -> Fate:
    """What becomes of a change: refused by check, without effect, noticed by one of these cases, or survived."""
    try:
        with _patience():
            compiled = _changed_program(bench, change)
            if isinstance(compiled, str):
                return "refused" if compiled == "refused" else "same"
            model, made = compiled
            rules = Rules(Program(made.codes, json.loads(json.dumps(made.data))), model, bench.target)
            return "noticed" if any(not _holds(bench.cases[n], rules, model) for n in cases) else "survived"
    except TimeoutError:
        return "noticed"


def _changed_program(bench: Bench, change: Change) -> tuple[CheckedModel, Compiled] | Literal["refused", "same"]:
    ruleset, items = bench.model.ruleset, bench.items
    if change.of == "rules":
        items = changed(items, change.path, change.new)
    else:
        ruleset = changed(ruleset, change.path, change.new)
    sink = Sink()
    try:
        model = check_rules(ruleset, [s.Module(items, bench.modules[0].span)], sink)
        if sink.has_errors:
            return "refused"
        made = compile_model(model)
    except (RecursionError, SyntaxError):  # nested too deeply, which `check` tells as such
        return "refused"
    if essence(made) == bench.plain:
        return "same"
    return model, made


def _holds(case: Case, rules: Rules, model: CheckedModel) -> bool:
    """Whether a case holds. A case that breaks the tool itself, for what it names is gone, does not."""
    try:
        return run_case(case, rules, model).ok
    except TimeoutError:
        raise
    except Exception:
        return False


def essence(compiled: Compiled) -> Any:
    """What a compiled ruleset does, without where it is written."""
    return [_code(code) for code in compiled.codes], json.dumps(compiled.data, sort_keys=True)


def _code(code: CodeType) -> Any:
    inner = tuple(_code(c) if isinstance(c, CodeType) else (type(c).__name__, repr(c)) for c in code.co_consts)
    return code.co_name, code.co_code, code.co_names, code.co_varnames, inner


@contextmanager
def _patience() -> Iterator[None]:
    """TimeoutError when it takes too long; on systems without alarms the steps alone count."""
    if not hasattr(signal, "SIGALRM") or current_thread() is not main_thread():
        yield
        return

    def over(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def prepare(target: str, modules: Sequence[s.Module], model: CheckedModel, cases: Sequence[Case]) -> Bench:
    """A bench for a checked ruleset."""
    items = tuple(item for module in modules for item in module.items)
    return Bench(target, tuple(modules), items, model, essence(compile_model(model)), tuple(cases))
