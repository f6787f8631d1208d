"""Finds out which cases can notice a change: the lines of the rules that each runs, the cells that it reads.

Runs every case once, on a program that is watched. Must not change anything.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from types import FrameType
from typing import Any

from interpreter.documents.reading.tree import Branch, Listing, Node
from interpreter.facade.rules import Rules
from interpreter.tools.cases.case_documents import Case
from interpreter.tools.cases.suite import CaseResult, run_case
from interpreter.tools.mutation.changes import Change

Line = tuple[str, int]
Cell = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Watched:
    """What each case has run and read, by its number, and how long it took; `failed` are those that do not hold.

    `words`: what each case names itself, as when it asks for an attribute.
    """

    lines: Mapping[Line, frozenset[int]]
    cells: Mapping[Cell, frozenset[int]]
    words: Mapping[str, frozenset[int]]
    seconds: Sequence[float]
    failed: tuple[CaseResult, ...]

    def touched_by(self, change: Change, lines_of_words: Mapping[str, frozenset[Line]]) -> list[int]:
        """The cases that can notice a change, the quickest first."""
        if change.cell is not None:
            found: Iterable[int] = self.cells.get(change.cell, ())
        elif change.everywhere:
            found = range(len(self.seconds))
        elif change.of == "data":
            where = {line for word in change.names for line in lines_of_words.get(word, ())}
            found = {n for line in where for n in self.lines.get(line, ())}
            found |= {n for word in change.names for n in self.words.get(word, ())}
        else:
            file, first, last = change.lines
            found = {n for line in range(first, last + 1) for n in self.lines.get((file, line), ())}
        return sorted(found, key=lambda n: (round(self.seconds[n], 2), n))


def watch(cases: Sequence[Case], rules: Rules) -> Watched:
    """Run every case on an instrumented program and note what it touches."""
    model = rules.model
    assert model is not None
    lines: dict[Line, set[int]] = {}
    cells: dict[Cell, set[int]] = {}
    words: dict[str, set[int]] = {}
    seconds, failed = [], []
    for number, case in enumerate(cases):
        forget(rules)
        rules.program.coverage.cells.clear()
        noted: set[Line] = set()
        begun = process_time()
        result = _noting(lambda case=case: run_case(case, rules, model), noted)
        seconds.append(process_time() - begun)
        if not result.ok:
            failed.append(result)
        for word in _words(case.tree):
            words.setdefault(word, set()).add(number)
        for line in noted:
            lines.setdefault(line, set()).add(number)
        for table, read in rules.program.coverage.cells.items():
            for cell in read:
                cells.setdefault((table, cell), set()).add(number)
    return Watched(
        {k: frozenset(v) for k, v in lines.items()},
        {k: frozenset(v) for k, v in cells.items()},
        {k: frozenset(v) for k, v in words.items()},
        seconds,
        tuple(failed),
    )


def _words(node: Node) -> set[str]:
    """The words that stand anywhere in a case."""
    if isinstance(node, Branch):
        return {word for entry in node for part in (entry.key, entry.value) for word in _words(part)}
    if isinstance(node, Listing):
        return {word for item in node.items for word in _words(item)}
    return set(re.findall(r"\w+", node.text))


def forget(rules: Rules) -> None:
    """Forget what the program remembers for good, so that every case works it out for itself."""
    for name in rules.program.data["static"]:
        rules.program.functions["d_" + name].cache_clear()
    rules.program.blank = None


def _noting(run: Any, noted: set[Line]) -> CaseResult:
    """Run, and note the lines of the ruleset's own files that run."""

    def local(frame: FrameType, event: str, _arg: Any) -> Any:
        if event == "line":
            noted.add((frame.f_code.co_filename, frame.f_lineno))
        return local

    def called(frame: FrameType, _event: str, _arg: Any) -> Any:
        file = frame.f_code.co_filename
        if file.endswith(".py") or file[:1] == "<":
            return None
        noted.add((frame.f_code.co_filename, frame.f_lineno))
        return local

    before = sys.gettrace()
    sys.settrace(called)
    try:
        result: CaseResult = run()
    finally:
        sys.settrace(before)
    return result
