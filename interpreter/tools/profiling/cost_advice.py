"""Advice on expensive rules: test cheap conditions first, hoist searches out of options, avoid pairwise loops.

Suggests only changes that keep every answer; the profile shows the author whether they pay off.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.checker.operations import FaultMemo, may_fault
from interpreter.i18n.translator import Message, mark as _
from interpreter.model import expressions as n, statements as c
from interpreter.model.checked_model import CheckedDefine, CheckedLine, CheckedModel, CheckedRule, CheckedStep

_MUCH = 0.02  # share of the total time above which an item is examined
_TIMES = 4  # ratio of costs above which the expensive test should come later
_MAX_SUGGESTIONS = 12


@dataclass(frozen=True, slots=True)
class CostAdvice:
    """A suggested improvement of the rules, and the file and line that it would improve."""

    file: str
    line: int
    text: Message


def find_suggestions(model: CheckedModel, shares: Mapping[int, float], items: Sequence[Any]) -> list[CostAdvice]:
    """Return suggestions for expensive items of the rules.

    `shares`: inclusive share (0 to 1) of the time by the `id` of a node; `items`: the items of the rules.
    """
    suggestions: list[CostAdvice] = []
    dear = [item for item in items if item.node is not None and shares.get(id(item.node), 0.0) >= _MUCH]
    for item in dear:
        match item.node:
            case c.CheckedOption() | CheckedStep() | CheckedRule():
                suggestions += _find_reorderings(model, item.node.requires, shares)
                if isinstance(item.node, c.CheckedOption):
                    suggestions += _find_hoistable_searches(item.node, shares)
            case CheckedDefine(name=name, value=value):
                suggestions += _find_nested_loops(value, _("define {name}", name=name))
            case CheckedLine(amount=amount, condition=condition):
                for part in (amount, condition) if condition is not None else (amount,):
                    suggestions += _find_nested_loops(part, _("line of tally {name}", name=item.name))
    if model.evaluation is not None:
        suggestions += _find_nested_loops(model.evaluation, _("the evaluation"))
    return list({(cure.file, cure.line, str(cure.text)): cure for cure in suggestions}.values())[:_MAX_SUGGESTIONS]


def _find_reorderings(
    model: CheckedModel, requires: Sequence[c.CheckedRequirement], shares: Mapping[int, float]
) -> Iterator[CostAdvice]:
    """Yield suggestions to move a cheap requirement before an expensive one, if the cheap one works on any input.

    `requires`: the requirements in order; `shares`: inclusive share of the time by the `id` of a node.
    """
    for number, dear in enumerate(requires):
        cost = shares.get(id(dear), 0.0)
        if cost < _MUCH or _is_plain(dear.test):
            continue
        for cheap in requires[number + 1 :]:
            is_cheap = shares.get(id(cheap), 0.0) * _TIMES <= cost and _is_plain(cheap.test)
            if is_cheap and not may_fault(model, cheap.test, FaultMemo()):
                text = _(
                    "test `{cheap}` (line {line}) before `{dear}`: it is cheap, and if it fails the "
                    "expensive test is skipped; players then see its reason first",
                    cheap=cheap.address.rpartition(".")[2],
                    line=cheap.span.line,
                    dear=dear.address.rpartition(".")[2],
                )
                yield CostAdvice(dear.span.file, dear.span.line, text)
                break


def _is_plain(core: c.Core) -> bool:
    """Return whether a test contains no loop, search or call, so that it is cheap."""
    if isinstance(core, n.Comprehension | n.CheckedSearch | n.CheckedClosure | n.CheckedCall):
        return False
    return all(_is_plain(part) for part in c.list_children(core))


def _find_hoistable_searches(choice: c.CheckedOption, shares: Mapping[int, float]) -> Iterator[CostAdvice]:
    """Yield suggestions to compute a search once before a decision if it does not depend on the option.

    `choice`: the option whose requirements are examined; `shares`: inclusive share of the time by the `id` of a node.
    """
    names = {param.name for param in choice.params}
    for requirement in choice.requires if names else ():
        if shares.get(id(requirement), 0.0) < _MUCH:
            continue
        for core in _iter_inside(requirement.test):
            if isinstance(core, n.CheckedSearch | n.CheckedClosure) and not names & set(n.find_free_names(core)):
                text = _(
                    "the search in requirement `{name}` has the same result for every option: name it with "
                    "`let` before the decision, or make it a define",
                    name=requirement.address.rpartition(".")[2],
                )
                yield CostAdvice(core.span.file, core.span.line, text)


def _find_nested_loops(value: c.Core, place: Message) -> Iterator[CostAdvice]:
    """Yield suggestions for each loop over all things of a kind inside another such loop.

    `value`: the expression to search; `place`: its name for the message.
    """
    for outer in _iter_inside(value):
        if not (isinstance(outer, n.Comprehension) and _is_everything(outer.domain)):
            continue
        for part in (outer.where, outer.result, outer.measure):
            for inner in _iter_inside(part) if part is not None else ():
                if isinstance(inner, n.Comprehension) and _is_everything(inner.domain):
                    text = _(
                        "{where} iterates over all pairs of {outer} and {inner}: start from each and visit "
                        "only what is near it (a place and its neighbours, `units at`), or count the inner "
                        "ones once in a separate define",
                        where=place,
                        outer=_get_source(outer.domain),
                        inner=_get_source(inner.domain),
                    )
                    yield CostAdvice(inner.span.file, inner.span.line, text)


def _is_everything(core: c.Core) -> bool:
    return isinstance(core, n.Things) and core.kind in ("place", "piece", "edge")


def _get_source(core: c.Core) -> str:
    return core.span.source.text[core.span.start : core.span.end] or getattr(core, "kind", "")


def _iter_inside(core: c.Core) -> Iterator[c.Core]:
    yield core
    for part in c.list_children(core):
        yield from _iter_inside(part)
