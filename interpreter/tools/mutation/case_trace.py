"""Trace cases: the rule lines that each runs, the cells that it reads, and its number of steps.

Steps are loop iterations, started turns and decisions taken, so that the count is equal on every machine.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, TypeVar

from interpreter.documents.reading.tree import MappingNode, Node, SequenceNode
from interpreter.runtime.errors import BudgetExceededError
from interpreter.tools.cases.suite import CaseResult, run_case

if TYPE_CHECKING:
    from _typeshed import TraceFunction

    from interpreter.api.rules import Rules
    from interpreter.runtime.program import Program
    from interpreter.runtime.state import State
    from interpreter.tools.cases.case_documents import Case
    from interpreter.tools.mutation.mutation import Mutation

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
Line = tuple[str, int]  # file and line of the rules
Cell = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class CaseTraces:
    """The traces of all cases; cases are given by number.

    `lines` and `cells`: the cases that executed each line or read each table cell; `words`: the cases that contain
    each word, such as the name of an attribute; `seconds` and `steps`: the cost of each case. `failed`: the results of
    the cases that fail without any change.
    """

    lines: Mapping[Line, frozenset[int]]
    cells: Mapping[Cell, frozenset[int]]
    words: Mapping[str, frozenset[int]]
    seconds: Sequence[float]
    steps: Sequence[int]
    failed: tuple[CaseResult, ...]

    def list_touching_cases(self, change: Mutation, lines_of_words: Mapping[str, frozenset[Line]]) -> list[int]:
        """Return the numbers of the cases that can notice a change.

        Those that name its subject come first, then the quickest. `lines_of_words`: the lines of the rules that
        contain each word.
        """
        if change.cell is not None:
            cases: Iterable[int] = self.cells.get(change.cell, ())
        elif change.everywhere:
            cases = range(len(self.seconds))
        elif change.document == "data":
            lines_by_file = change.lines_read
            if lines_by_file is None:
                lines_by_file = frozenset(line for word in change.names for line in lines_of_words.get(word, ()))
            cases = {n for line in lines_by_file for n in self.lines.get(line, ())}
            cases |= {n for word in change.names for n in self.words.get(word, ())}
        else:
            file, first, last = change.lines
            cases = {n for line in range(first, last + 1) for n in self.lines.get((file, line), ())}
        cases_of_words = {n for word in change.ids for n in self.words.get(word, ())}
        return sorted(cases, key=lambda n: (n not in cases_of_words, round(self.seconds[n], 2), n))


def trace_cases(cases: Sequence[Case], rules: Rules) -> CaseTraces:
    """Run every case on an instrumented program; return what each case executes, reads and costs."""
    lines: dict[Line, set[int]] = {}
    cells: dict[Cell, set[int]] = {}
    words: dict[str, set[int]] = {}
    seconds, steps, failed = [], [], []
    meter = StepCounter(rules.program)
    for number, case in enumerate(cases):
        clear_memos(rules)
        rules.program.coverage.cells.clear()
        noted: set[Line] = set()
        meter.start()
        begun = process_time()
        result = trace_lines(partial(run_case, case, rules), noted)
        seconds.append(process_time() - begun)
        steps.append(meter.steps)
        if not result.ok:
            failed.append(result)
        for word in _collect_words(case.tree):
            words.setdefault(word, set()).add(number)
        for line in noted:
            lines.setdefault(line, set()).add(number)
        for table, read in rules.program.coverage.cells.items():
            for cell in read:
                cells.setdefault((table, cell), set()).add(number)
    return CaseTraces(freeze_sets(lines), freeze_sets(cells), freeze_sets(words), seconds, steps, tuple(failed))


def freeze_sets(sets: Mapping[K, set[V]]) -> dict[K, frozenset[V]]:
    """Return a mapping with its sets as frozen sets."""
    return {key: frozenset(members) for key, members in sets.items()}


def _collect_words(node: Node) -> set[str]:
    """Return all words in a tree, including its keys; a word with hyphens also counts part by part."""
    if isinstance(node, MappingNode):
        return {word for entry in node for part in (entry.key, entry.value) for word in _collect_words(part)}
    if isinstance(node, SequenceNode):
        return {word for item in node.items for word in _collect_words(item)}
    return {*re.findall(r"\w+", node.text), *re.findall(r"[\w-]+", node.text)}


def clear_memos(rules: Rules) -> None:
    """Clear the program's permanent memo tables, so that every case computes the values itself."""
    rules.program.clear_static_memos()
    rules.program.initial_state = None


def trace_lines(run: Callable[[], T], noted: set[Line]) -> T:
    """Call `run` and return its result; add the lines of the ruleset's own files that it executes to `noted`.

    Stops tracing a code object once all its lines are collected.
    """
    unseen_lines: dict[CodeType, set[int] | None] = {}  # lines that have not run yet; None for code outside the ruleset

    def trace_line(frame: FrameType, event: str, _arg: object) -> TraceFunction | None:
        if event == "line":
            code, line = frame.f_code, frame.f_lineno
            noted.add((code.co_filename, line))
            waiting = unseen_lines[code]
            if waiting is not None:
                waiting.discard(line)
            if not waiting:
                frame.f_trace_lines = False
        return trace_line

    def trace_call(frame: FrameType, _event: str, _arg: object) -> TraceFunction | None:
        code = frame.f_code
        if code not in unseen_lines:
            file, unseen_lines[code] = code.co_filename, None
            if not (file.endswith(".py") or file[:1] == "<"):
                unseen_lines[code] = {line for _, _, line in code.co_lines() if line is not None}
                noted.add((file, frame.f_lineno))
        return trace_line if unseen_lines[code] else None

    previous_tracer = sys.gettrace()
    sys.settrace(trace_call)
    try:
        return run()
    finally:
        sys.settrace(previous_tracer)


class StepCounter:
    """A counter of a program's steps since `start`; the program raises BudgetExceededError beyond the limit."""

    def __init__(self, program: Program) -> None:
        self.start()
        for name in ("_spend", "_charge_repeats"):
            program.namespace[name] = self._count_calls(program.namespace[name], name == "_charge_repeats")
        program.play_turn = self._count_calls(program.play_turn, False)

    def start(self, limit: int | None = None) -> None:
        """Reset the counter and set the limit, None for unlimited."""
        self.steps = 0
        self.limit = limit

    def _count_calls(self, plain: Callable[..., object], by_number: bool) -> object:
        def count_and_call(state: State, *args: Any) -> object:  # noqa: ANN401 - those of `plain`
            self.steps += max(args[0], 1) if by_number else 1
            if self.limit is not None and self.steps > self.limit:
                raise BudgetExceededError("the rules take far more steps than they did as written")
            return plain(state, *args)

        return count_and_call


def compute_step_limit(steps: int) -> int:
    """Return the step limit of a case under a change, given its steps without the change."""
    return 20_000 + 20 * steps
