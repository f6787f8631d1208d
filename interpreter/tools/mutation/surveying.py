"""Goes through the changes of a ruleset: which does no case notice? Must not print.

The same target, sample and seed give the same survey, however many processes share the work.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields, is_dataclass
from multiprocessing import get_context
from random import Random
from typing import Any

from interpreter.checker.rules_check import check_rules
from interpreter.facade.loading import read_rules
from interpreter.facade.rules import load
from interpreter.language import syntax as s
from interpreter.model.ruleset import Embedded, Ruleset
from interpreter.source.diagnostic import RulesetError, Sink
from interpreter.source.text import Span
from interpreter.tools.cases.case_documents import collect_cases
from interpreter.tools.cases.suite import CaseResult
from interpreter.tools.mutation.changes import Change
from interpreter.tools.mutation.changing_data import changes_of_data
from interpreter.tools.mutation.changing_rules import changes_of_rules
from interpreter.tools.mutation.trying import Bench, Fate, prepare, try_change
from interpreter.tools.mutation.watching import Line, watch

Progress = Callable[[int, int], None]
_bench: list[tuple[Bench, list[Change]]] = []  # of a worker process


@dataclass(frozen=True, slots=True)
class Tried:
    """A change and what became of it; `cases`: how many could have noticed it."""

    change: Change
    fate: Fate
    cases: int


@dataclass(frozen=True, slots=True)
class Survey:
    """All changes that were tried, in order of files; `possible`: how many there are; `failed`: cases that do not
    hold as it is, and then nothing is tried."""

    tried: tuple[Tried, ...]
    possible: int
    cases: int
    failed: tuple[CaseResult, ...] = ()

    @property
    def survivors(self) -> list[Tried]:
        """What no case has noticed."""
        return [x for x in self.tried if x.fate == "survived"]


def survey(
    target: str,
    pattern: str | None = None,
    sample: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Survey:
    """Try the changes of a target, or as many of them as `sample` says, chosen by `seed`.

    RulesetError when the ruleset or its cases are at fault.
    """
    bench, changes = _set_up(target, pattern)
    watched = watch(bench.cases, load(target, checked=True, instrument=True))
    if watched.failed:
        return Survey((), len(changes), len(bench.cases), watched.failed)
    where = _lines_of_words(bench.items, bench.model.ruleset)
    numbers = list(range(len(changes)))
    if sample is not None and sample < len(numbers):
        numbers = sorted(Random(seed).sample(numbers, sample))
    work = [(n, watched.touched_by(changes[n], where)) for n in numbers]
    fates = (
        _tried_here(bench, changes, work, progress) if jobs < 2 else _tried_apart(target, pattern, work, jobs, progress)
    )
    tried = [Tried(changes[n], fate, len(cases)) for (n, cases), fate in zip(work, fates, strict=True)]
    return Survey(tuple(tried), len(changes), len(bench.cases))


def _set_up(target: str, pattern: str | None) -> tuple[Bench, list[Change]]:
    sink = Sink()
    read = read_rules(target, sink)
    if read is None or sink.has_errors:
        raise RulesetError(tuple(d for d in sink.sorted() if d.severity == "error"))
    ruleset, modules = read
    model = check_rules(ruleset, modules, sink)
    cases = [c for c in collect_cases(target, sink) if not pattern or c.id.lower().startswith(pattern.lower())]
    if sink.has_errors:
        raise RulesetError(tuple(d for d in sink.sorted() if d.severity == "error"))
    bench = prepare(target, modules, model, cases)
    changes = [*changes_of_rules(bench.items), *changes_of_data(ruleset, set(_lines_of_words(bench.items, ruleset)))]
    order = sorted(
        range(len(changes)), key=lambda n: (changes[n].of != "rules", changes[n].span.file, changes[n].span.start, n)
    )
    return bench, [changes[n] for n in order]


def _tried_here(
    bench: Bench, changes: Sequence[Change], work: Sequence[tuple[int, list[int]]], progress: Progress | None
) -> list[Fate]:
    fates = []
    for done, (number, cases) in enumerate(work, 1):
        fates.append(try_change(bench, changes[number], cases))
        if progress:
            progress(done, len(work))
    return fates


def _tried_apart(
    target: str, pattern: str | None, work: Sequence[tuple[int, list[int]]], jobs: int, progress: Progress | None
) -> list[Fate]:
    context = get_context("spawn")
    fates: list[Fate] = []
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_work, initargs=(target, pattern)) as pool:
        try:
            for fate in pool.map(_try_number, [n for n, _ in work], [cases for _, cases in work], chunksize=4):
                fates.append(fate)
                if progress:
                    progress(len(fates), len(work))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return fates


def _begin_work(target: str, pattern: str | None) -> None:
    """An interrupt is for the process that was started."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bench.append(_set_up(target, pattern))


def _try_number(number: int, cases: list[int]) -> Fate:
    bench, changes = _bench[0]
    return try_change(bench, changes[number], cases)


# --- which words stand where ----------------------------------------------------------------


def _lines_of_words(items: Sequence[s.Item], ruleset: Ruleset) -> dict[str, frozenset[Line]]:
    """For every word that rules and expressions of documents may look data up by, the lines where it stands."""
    found: dict[str, set[Line]] = {}
    for word, span in (*_words(tuple(items)), *_embedded(ruleset)):
        last = span.source.position(max(span.start, span.end - 1))[0]
        found.setdefault(word, set()).update((span.file, n) for n in range(span.line, last + 1))
    return {word: frozenset(lines) for word, lines in found.items()}


def _words(node: Any) -> Iterator[tuple[str, Span]]:
    if isinstance(node, tuple):
        for item in node:
            yield from _words(item)
    elif is_dataclass(node) and not isinstance(node, Span):
        match node:
            case s.Name():
                yield node.id, node.span
            case s.Attr() | s.Binding():
                yield node.name, node.span
        for field in fields(node):
            yield from _words(getattr(node, field.name))


def _embedded(node: Any) -> Iterator[tuple[str, Span]]:
    """The words of the expressions in documents."""
    if isinstance(node, Embedded):
        for word in re.findall(r"\w+", node.text):
            yield word, node.span
    elif isinstance(node, dict):
        for item in node.values():
            yield from _embedded(item)
    elif isinstance(node, tuple):
        for item in node:
            yield from _embedded(item)
    elif is_dataclass(node) and not isinstance(node, Span):
        for field in fields(node):
            if field.name not in ("kinds", "tables", "rulebook", "rules", "changes", "locales", "drawing"):
                yield from _embedded(getattr(node, field.name))
