"""Attribute samples of games in progress to the author's items: shares, calls, time per call.

Never guesses: code that the compiler inlined has no calls of its own and is reported as such.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.i18n.translator import Translator
from interpreter.model.checked_model import CheckedModel
from interpreter.tools.profiling.cost_advice import CostAdvice
from interpreter.tools.profiling.rule_lines import SORTS, RuleItem, find_item_at, list_items
from interpreter.tools.profiling.sampling import Function, Place, Samples

Data = dict[str, Any]
_NAMED = {"d": "define", "n": "define", "t": "tally", "nt": "tally", "r": "rule", "p": "procedure", "cond": "condition"}
_NAME = re.compile(r"(d|n|t|nt|r|p|cond)_(.+)")
_OF_DRAFT = re.compile(r"(?:search|start|steps|finish|offer|key)_(.+)|after_(.+)_\d+")
_MARKS = re.compile(r"marks_(.+)")
_TOLD = 15  # lines and items listed
MIN_SAMPLES = 300  # samples below which shares are mostly noise


@dataclass(frozen=True, slots=True)
class ItemCost:
    """An item with its samples: `own` counts its own lines, `whole` also everything that it calls.

    `calls` is 0 if unknown.
    """

    item: RuleItem
    own: int
    whole: int
    calls: int


@dataclass(frozen=True, slots=True)
class Costs:
    """A profile, most expensive entries first.

    `lines`: samples by line with the item of the line; `items` by inclusive cost.
    """

    samples: Samples
    lines: tuple[tuple[Place, RuleItem | None, int], ...]
    items: tuple[ItemCost, ...]


def attribute_samples(model: CheckedModel, samples: Samples, counts: Counter[Function]) -> Costs:
    """Return the cost of each line and item; `counts` is the number of calls of each function."""
    items = list_items(model)
    by_name = {(item.sort, item.name): item for item in reversed(items)}
    own_counts: Counter[RuleItem] = Counter()
    lines: Counter[Place] = Counter()
    for ((file, line), function), number in samples.own.items():
        item = find_item_at(items, file, line) or _find_item(function, items, by_name)
        lines[file, line] += number
        if item is not None:
            own_counts[item] += number
    whole_counts: Counter[RuleItem] = Counter()
    for stack, number in samples.within.items():
        active = dict.fromkeys(x for place, f in stack for x in _find_active_items(place, f, items, by_name))
        for item in active:
            whole_counts[item] += number
    calls: Counter[RuleItem] = Counter()
    for function, number in counts.items():
        item = _find_item(function, items, by_name)
        if item is not None and _is_call(function[2]):
            calls[item] += number
    item_costs = [
        ItemCost(item, own_counts[item], whole_counts[item], calls[item])
        for item in items
        if whole_counts[item] or own_counts[item]
    ]
    ordered = sorted(item_costs, key=lambda x: (-x.whole, -x.own, x.item.file, x.item.first, x.item.name))
    placed = sorted(lines.items(), key=lambda x: (-x[1], x[0]))
    return Costs(samples, tuple((p, find_item_at(items, *p), n) for p, n in placed), tuple(ordered))


def _find_active_items(
    place: Place, function: Function, items: Sequence[RuleItem], by_name: dict[tuple[str, str], RuleItem]
) -> list[RuleItem]:
    """Return the items active when a function executes a line: all that contain the line, and the function's own.

    `by_name`: the items by (sort, name).
    """
    file, line = place
    active = [item for item in items if item.file == file and item.first <= line <= item.last]
    called = _find_item(function, items, by_name)
    return [*active, *([called] if called is not None else [])]


def _find_item(
    function: Function, items: Sequence[RuleItem], by_name: dict[tuple[str, str], RuleItem]
) -> RuleItem | None:
    """Return the item of a compiled function, by its name or else by its first line, or None.

    `by_name`: the items by (sort, name).
    """
    file, first, name = function
    if (match := _NAME.fullmatch(name)) and (named := by_name.get((_NAMED[match[1]], match[2]))) is not None:
        return named
    if match := _MARKS.fullmatch(name):
        return by_name.get(("define", match[1]))
    if match := _OF_DRAFT.fullmatch(name):
        return by_name.get(("draft", match[1] or match[2]))
    if name.startswith("list_"):
        for item in items:
            if item.sort == "decision" and item.file == file and item.first == first:
                return item
    return find_item_at(items, file, first)


def _is_call(name: str) -> bool:
    """Return True if a call of the function `name` is a call of its item, rather than of a part such as a loop."""
    return not name.startswith("<") and not re.match(r"(search|steps|finish|offer|key|after|spread|marks|say)_", name)


def serialize_costs(costs: Costs, cures: Sequence[CostAdvice], about: Data) -> Data:
    """Return the profile as plain data; shares as fractions of 1, times in microseconds.

    `cures`: the suggestions; `about`: entries to put first.
    """
    samples = costs.samples
    return {
        **about,
        "seconds": round(samples.seconds, 3),
        "samples": samples.taken,
        "program": _compute_share(samples.program, samples),
        "items": [
            {
                "what": cost.item.sort,
                "name": cost.item.title,
                "file": cost.item.file,
                "line": cost.item.first,
                "share": _compute_share(cost.whole, samples),
                "own": _compute_share(cost.own, samples),
                "calls": cost.calls or None,
                "each": _compute_time_per_call(cost, samples),
            }
            for cost in costs.items
        ],
        "lines": [
            {
                "file": file,
                "line": line,
                "share": _compute_share(number, samples),
                "what": item.sort if item else None,
                "name": item.title if item else None,
            }
            for (file, line), item, number in costs.lines
        ],
        "cures": [{"file": x.file, "line": x.line, "text": str(x.text)} for x in cures],
    }


def format_costs(costs: Costs, cures: Sequence[CostAdvice], sources: dict[str, Any], say: Translator) -> list[str]:
    """Render the profile as text: lines of the rules first, then items, then suggestions.

    `cures`: the suggestions; `sources`: the rules files by name, to quote the lines.
    """
    samples = costs.samples
    lines = [say("share of the play time by line of the rules:")]
    for (file, line), item, number in costs.lines[:_TOLD]:
        text = sources[file].get_line(line).strip() if file in sources else ""
        title = f"  {say(SORTS[item.sort])} {item.title}" if item else ""
        lines.append(f"  {_format_percent(number, samples):>6}  {file}:{line}{title}")
        lines += [f"            {text}"] if text else []
    lines.append(say("the program itself, outside the rules: {share}", share=_format_percent(samples.program, samples)))
    lines += ["", say("by owner (share including calls, share of its own lines, calls, time per call):")]
    item_costs = [cost for cost in costs.items if cost.item.sort not in ("procedure", "watcher")][:_TOLD]
    for cost in item_costs:
        time_per_call = _compute_time_per_call(cost, samples)
        duration = say("{microseconds} us", microseconds=f"{time_per_call:,.1f}") if time_per_call is not None else "-"
        calls = f"{cost.calls:,}" if cost.calls else "-"
        whole_share, own_share = _format_percent(cost.whole, samples), _format_percent(cost.own, samples)
        shares = f"{whole_share:>6} {own_share:>6} {calls:>11} {duration:>12}"
        lines.append(f"  {shares}  {say(SORTS[cost.item.sort])} {cost.item.title}  {cost.item.place}")
    lines.append(say("no call count: the compiler inlines it where it is used; its lines are still counted"))
    if samples.taken < MIN_SAMPLES:
        lines.append(say("only {number} (sample|samples): play more games with -n", number=samples.taken))
    if cures:
        lines += ["", say("suggestions:")]
        lines += [f"  {cure.file}:{cure.line}: {say(cure.text)}" for cure in cures]
    return lines


def _compute_share(number: int, samples: Samples) -> float:
    return round(number / samples.taken, 4) if samples.taken else 0.0


def _format_percent(number: int, samples: Samples) -> str:
    return f"{100 * _compute_share(number, samples):.1f}%"


def _compute_time_per_call(cost: ItemCost, samples: Samples) -> float | None:
    """Return the inclusive microseconds per call, or None if calls are not known."""
    if not cost.calls or not samples.taken:
        return None
    return round(1e6 * samples.seconds * cost.whole / samples.taken / cost.calls, 2)
