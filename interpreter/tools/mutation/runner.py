"""Run a mutation survey: find the changes of a ruleset that no case notices. Prints nothing.

Deterministic: target, sample and seed determine the survey, however many processes share the work.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any

from interpreter.api.loading import load, read_rules
from interpreter.checker.module_checker import check_rules
from interpreter.diagnostics.diagnostic import RulesetError, Sink
from interpreter.diagnostics.record_walk import iter_records
from interpreter.diagnostics.source_text import Span
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode
from interpreter.documents.target import read_case_layers
from interpreter.files.safe_processes import begin_worker, get_spawn_context
from interpreter.language import syntax as s
from interpreter.model.ruleset import Embedded, Ruleset
from interpreter.tools.cases.case_documents import collect_cases
from interpreter.tools.cases.suite import CaseResult, Progress
from interpreter.tools.mutation.case_trace import Line, freeze_sets, trace_cases
from interpreter.tools.mutation.data_mutations import find_play_attributes, iter_data_mutations
from interpreter.tools.mutation.mutant_run import Fate, MutationBench, freeze_garbage_collector, prepare, try_change
from interpreter.tools.mutation.mutation import Mutation, number_duplicates
from interpreter.tools.mutation.rule_mutations import iter_rule_mutations


@dataclass(frozen=True, slots=True)
class AcceptedMutant:
    """A change to a ruleset that its author accepts although no case notices it.

    `change`: the description of the change; `because`: the author's reason; `span`: where it is accepted; `is_own`: the
    target itself accepts it, not the base of a variant.
    """

    change: str
    because: str
    span: Span
    is_own: bool


def read_accepted(target: str, sink: Sink) -> list[AcceptedMutant]:
    """Return the accepted changes in the cases documents of a target, base first."""
    layers = read_case_layers(target, sink)
    return [
        accepted
        for number, layer in enumerate(layers, 1)
        for document in layer
        for entry in document.root.list_nodes("without_effect")
        if isinstance(entry, MappingNode)
        for accepted in _iter_accepted(entry, number == len(layers))
    ]


def _iter_accepted(entry: MappingNode, is_own: bool) -> Iterator[AcceptedMutant]:
    because, node = " ".join(entry.get_text("because").split()), entry.get("changes")
    if isinstance(node, ScalarNode):
        for line in filter(None, map(str.strip, node.text.splitlines())):
            yield AcceptedMutant(line, because, _find_line_span(line, node), is_own)


def _find_line_span(line: str, node: Node) -> Span:
    """Return the span of a line within a node, or the node's span if the line is not in it."""
    span = node.span
    start = span.source.text.find(line, span.start, span.end)
    return span if start < 0 else Span(span.source, start, start + len(line))


@dataclass(frozen=True, slots=True)
class TriedMutation:
    """A change and its fate; `cases`: how many could have noticed it; `because`: the reason why it has no effect."""

    change: Mutation
    fate: Fate
    cases: int
    because: str = ""

    @property
    def survives(self) -> bool:
        """Return True if no case noticed the change and no author accepted it."""
        return self.fate == "survived" and not self.because


@dataclass(frozen=True, slots=True)
class OutdatedReview:
    """An accepted change that no longer applies: it does not exist (`fate` is None) or does not survive."""

    reviewed: AcceptedMutant
    fate: Fate | None


@dataclass(frozen=True, slots=True)
class MutationSurvey:
    """The result of a survey, in order of files.

    `possible`: the number of all changes; `failed`: cases that fail without any change, in which case nothing is
    tried; `outdated`: accepted changes that should be removed.
    """

    tried: tuple[TriedMutation, ...]
    possible: int
    cases: int
    failed: tuple[CaseResult, ...] = ()
    outdated: tuple[OutdatedReview, ...] = ()

    @property
    def survivors(self) -> list[TriedMutation]:
        """Return the changes that no case noticed and no author accepted."""
        return [x for x in self.tried if x.survives]

    @property
    def has_no_findings(self) -> bool:
        """Return True if nothing is left to fix."""
        return not (self.failed or self.survivors or self.outdated)


def run_survey(
    target: str,
    pattern: str | None = None,
    *,
    sample: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
    report: Callable[[TriedMutation], None] | None = None,
    only: Set[str] | None = None,
) -> MutationSurvey:
    """Try the changes of a target and return their fates.

    All changes are tried, or a random `sample` of them drawn with `seed`, or the ones with a description in `only`.
    `pattern`: the beginning of the ids of the cases to run; `jobs`: the number of processes; `progress` and `report`
    are called after every change. Raises RulesetError if the ruleset or its cases are invalid.
    """
    bench, changes = set_up(target, pattern)
    reviewed = read_accepted(target, Sink())
    reasons = {x.change: x.because for x in reviewed}
    watched = trace_cases(bench.cases, load(target, checked=True, instrument=True))
    if watched.failed:
        return MutationSurvey((), len(changes), len(bench.cases), watched.failed)
    lines_by_word = _map_words_to_lines(bench.items, bench.model.ruleset)
    numbers = [n for n, change in enumerate(changes) if only is None or change.description in only]
    if sample is not None and sample < len(numbers):
        numbers = sorted(Random(seed).sample(numbers, sample))
    work = [(n, watched.list_touching_cases(changes[n], lines_by_word)) for n in numbers]
    fates = (
        _try_in_process(bench, changes, work, watched.steps)
        if jobs < 2
        else _try_in_processes(target, pattern, work, watched.steps, jobs)
    )
    tried: list[TriedMutation] = []
    for (number, cases), fate in zip(work, fates, strict=True):
        because = reasons.get(changes[number].description, "") if fate == "survived" else ""
        tried.append(TriedMutation(changes[number], fate, len(cases), because))
        if report:
            report(tried[-1])
        if progress:
            progress(len(tried), len(work))
    return MutationSurvey(
        tuple(tried), len(changes), len(bench.cases), outdated=_find_outdated(reviewed, changes, tried)
    )


def _find_outdated(
    reviewed: Iterable[AcceptedMutant], changes: Iterable[Mutation], mutations: Iterable[TriedMutation]
) -> tuple[OutdatedReview, ...]:
    """Return the target's own accepted changes that no longer exist or do not survive.

    `changes`: all changes of the target; `mutations`: the changes that were tried. A change that exists and was not
    tried is skipped.
    """
    descriptions = {change.description for change in changes}
    fates = {x.change.description: x.fate for x in mutations}
    return tuple(
        OutdatedReview(x, fates.get(x.change))
        for x in reviewed
        if x.is_own and (x.change not in descriptions or fates.get(x.change, "survived") != "survived")
    )


def set_up(target: str, pattern: str | None) -> tuple[MutationBench, list[Mutation]]:
    """Return the bench of a ruleset, and every change to make to it: first changes of rules, then changes of data.

    Each group is ordered by file and position. `target`: the id of a shipped ruleset, a folder or a variant file;
    `pattern`: the beginning of the ids of the cases to use, in upper or lower case, None for all. Raises RulesetError
    for an invalid ruleset or case.
    """
    sink = Sink()
    read = read_rules(target, sink)
    if read is None or sink.has_errors:
        raise RulesetError(sink.list_errors())
    ruleset, modules = read
    model = check_rules(ruleset, modules, sink)
    cases = [c for c in collect_cases(target, sink) if not pattern or c.id.lower().startswith(pattern.lower())]
    sink.raise_errors()
    bench = prepare(target, modules, model, cases)
    words = set(_map_words_to_lines(bench.items, ruleset))
    changes = [*iter_rule_mutations(bench.items), *iter_data_mutations(ruleset, words, find_play_attributes(model))]
    changes.sort(key=lambda change: (change.document != "rules", change.span.file, change.span.start))
    return bench, number_duplicates(changes)


class _Trial:
    """A runner that tries one change after another.

    `noticing`: for each changed place the cases that noticed changes there, which are run first.
    """

    def __init__(self, bench: MutationBench, changes: Sequence[Mutation], steps: Sequence[int]) -> None:
        self.bench = bench
        self.changes = changes
        self.steps = steps
        self.noticing: dict[Any, list[int]] = {}

    def determine_fate(self, number: int, cases: Sequence[int]) -> Fate:
        """Return the fate of the change with this number: noticed, survived, refused, or same (it has no effect).

        `cases`: the numbers of the cases that can notice it, in the order in which to run them.
        """
        change = self.changes[number]
        noticing, selected = self.noticing.setdefault(change.place, []), set(cases)
        first = [n for n in noticing if n in selected]
        fate, by = try_change(self.bench, change, [*first, *(n for n in cases if n not in first)], self.steps)
        if by is not None:
            noticing[:] = [by, *(n for n in noticing if n != by)][:_MAX_NOTICING]
        return fate


_MAX_NOTICING = 20  # noticing cases remembered per place
_trial: list[_Trial] = []  # the trial of a worker process


def _try_in_process(
    bench: MutationBench, changes: Sequence[Mutation], work: Sequence[tuple[int, list[int]]], steps: Sequence[int]
) -> Iterator[Fate]:
    trial = _Trial(bench, changes, steps)
    with freeze_garbage_collector():
        for number, cases in work:
            yield trial.determine_fate(number, cases)


def _try_in_processes(
    target: str, pattern: str | None, work: Sequence[tuple[int, list[int]]], steps: Sequence[int], jobs: int
) -> Iterator[Fate]:
    with ProcessPoolExecutor(jobs, get_spawn_context(), _begin_work, (target, pattern, steps)) as pool:
        try:
            yield from pool.map(_try_number, [n for n, _ in work], [cases for _, cases in work], chunksize=4)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _begin_work(target: str, pattern: str | None, steps: Sequence[int]) -> None:
    """Prepare a worker process: load the ruleset once for all changes that it tries.

    `target` and `pattern`: as for `set_up`; `steps`: how many steps each case takes without a change.
    """
    begin_worker()
    _trial.append(_Trial(*set_up(target, pattern), steps))
    gc.collect()
    gc.freeze()


def _try_number(number: int, cases: list[int]) -> Fate:
    return _trial[0].determine_fate(number, cases)


# --- words by line ----------------------------------------------------------------

# fields of a ruleset without expressions
_NO_EXPRESSIONS = ("kinds", "tables", "rulebook", "rules", "changes", "locales", "drawing")


def _map_words_to_lines(items: Sequence[s.Item], ruleset: Ruleset) -> dict[str, frozenset[Line]]:
    """Return the lines at which each word occurs in the rules and in the expressions of documents.

    Only words with which rules may look data up are included.
    """
    lines_of_words: dict[str, set[Line]] = {}
    for word, span in (*_iter_names(items), *_iter_embedded(ruleset)):
        lines_of_words.setdefault(word, set()).update((span.file, n) for n in range(span.line, span.last_line + 1))
    return freeze_sets(lines_of_words)


def _iter_names(items: Sequence[s.Item]) -> Iterator[tuple[str, Span]]:
    for node in iter_records(items):
        match node:
            case s.NameExpr():
                yield node.id, node.span
            case s.AttrExpr() | s.Binding():
                yield node.name, node.span


def _iter_embedded(ruleset: Ruleset) -> Iterator[tuple[str, Span]]:
    """Yield the words of the expressions in documents, with their spans."""
    for node in iter_records(ruleset, skipped_fields=_NO_EXPRESSIONS):
        if isinstance(node, Embedded):
            yield from ((word, node.span) for word in re.findall(r"\w+", node.text))
