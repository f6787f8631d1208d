"""Follows the steps of a draft that somebody names: the one judge of which rows of steps a draft allows.

Answers by key, what is tried in cases and explanations all ask here, so that they agree with what play offers.
Must not change the game, nor say anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.runtime import drafts
from interpreter.runtime.drafts import Step
from interpreter.runtime.keys import key_of


@dataclass(frozen=True, slots=True)
class Followed:
    """How far named steps can be taken: the steps, the fields behind them, whether the draft has stopped there.

    `failed`: the first name that is no legal step there; None when all were taken.
    """

    steps: tuple[Step, ...]
    fields: tuple[Any, ...]
    stopped: bool
    failed: str | None = None


def follow(
    state: Any, draft: dict[str, Any], args: tuple[Any, ...], names: Sequence[str], taken: tuple[Step, ...] = ()
) -> Followed | None:
    """Take named steps after those taken already; None when these no longer fit the game.

    A draft whose steps have no order takes them in any order in which each is legal. After a step that
    stops the draft none is.
    """
    here = drafts.walk(state, draft, args, taken)
    if here is None:
        return None
    start = Followed(taken, here[0], here[1])
    found = _in_order(state, draft, args, start, names)
    if not draft["unordered"]:
        return found
    steps = drafts.arranged(state, draft, args, names, lambda step: key_of(state, draft["steps"], step), taken)
    there = None if steps is None else drafts.walk(state, draft, args, steps)
    return found if steps is None or there is None else Followed(steps, there[0], there[1])


def _in_order(
    state: Any, draft: dict[str, Any], args: tuple[Any, ...], here: Followed, names: Sequence[str]
) -> Followed:
    for name in names:
        after = _taken(state, draft, args, here, name)
        if after is None:
            return Followed(here.steps, here.fields, here.stopped, name)
        here = after
    return here


def _taken(state: Any, draft: dict[str, Any], args: tuple[Any, ...], here: Followed, name: str) -> Followed | None:
    if here.stopped:
        return None
    for step, fields, stops in drafts.next_steps(state, draft, args, here.fields):
        if key_of(state, draft["steps"], step) == name:
            return Followed((*here.steps, step), fields, bool(stops))
    return None


def is_offered(state: Any, draft: dict[str, Any], args: tuple[Any, ...], fields: tuple[Any, ...]) -> bool:
    """Whether what these fields offer is among the ends that play offers: a preference may have ruled it out."""
    if not draft["prefers"]:
        return True
    offer = state.program.functions["offer_" + draft["name"]](state, *args, *fields)
    drafted = drafts.enumerate_finished(state, draft, args)
    return not drafted.complete or any(offer == offered for offered, _ in drafted.ends)
