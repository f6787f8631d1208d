"""Count how often each requirement was evaluated and refused in played games, and which never refused.

A requirement that never refused may still be right: rare situations, or moves these bots never try.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.i18n.translator import Translator
from interpreter.model.checked_model import CheckedModel
from interpreter.tools.profiling.rule_lines import RuleItem, list_items


@dataclass(frozen=True, slots=True)
class Refusals:
    """A requirement, how often it was evaluated (`evaluated`), and how often it was not met (`refused`)."""

    item: RuleItem
    evaluated: int
    refused: int


def count_refusals(model: CheckedModel, answers: Mapping[str, Sequence[int]]) -> tuple[Refusals, ...]:
    """Return every requirement in order of the rules; `answers` maps its address to (times refused, times met)."""
    items = {item.name: item for item in list_items(model) if item.sort == "requirement"}
    times = {name: answers.get(name, (0, 0)) for name in items}
    return tuple(Refusals(item, sum(times[name]), times[name][False]) for name, item in items.items())


def serialize_refusals(refusals: Sequence[Refusals]) -> list[dict[str, Any]]:
    """Return the counts as plain data."""
    return [
        {"name": x.item.title, "file": x.item.file, "line": x.item.first, "asked": x.evaluated, "refused": x.refused}
        for x in refusals
    ]


def format_refusals(refusals: Sequence[Refusals], say: Translator) -> list[str]:
    """List the requirements that never refused, most evaluated first, then the requirements never evaluated."""
    idle = sorted((x for x in refusals if x.evaluated and not x.refused), key=lambda x: -x.evaluated)
    unasked = [x for x in refusals if not x.evaluated]
    lines = []
    if idle:
        lines.append(say("requirements that never failed in these games, and how often they were tested:"))
        lines += [f"  {x.evaluated:>12,}  {x.item.title}  {x.item.place}" for x in idle]
    if unasked:
        lines.append(say("requirements that were never tested in these games:"))
        lines += [f"  {x.item.title}  {x.item.place}" for x in unasked]
    if lines:
        lines.append(
            say(
                "other players, options and starting positions may give other results; a few games "
                "are not enough evidence"
            )
        )
    elif refusals:
        lines.append(say("each of the {number} requirements failed at least once in these games", number=len(refusals)))
    return lines
