"""Drafts: small state spaces whose finished ends are the options of a decision.

A draft state is a tuple of field values. States equal in all fields are one; the way with the
fewest steps to a state comes first. Nothing here touches the game.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from interpreter.runtime.faults import Fault

LIMIT = 20_000  # states looked at before a draft is asked step by step
QUICK_LOOK = 200  # states looked at in depth before all are looked at
Step = tuple[int, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished draft: the steps taken, the fields, and what tells its offer apart."""

    steps: tuple[Step, ...]
    fields: tuple[Any, ...]
    offer: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Drafted:
    """Every offer of a draft from where it stands; `complete` is false when the limit was reached."""

    finished: tuple[Finished, ...]
    complete: bool


def begin(state: Any, draft: dict[str, Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The fields before any step."""
    made: tuple[Any, ...] = state.program.functions["start_" + draft["name"]](state, *args)
    return made


def next_steps(state: Any, draft: dict[str, Any], args: tuple[Any, ...], fields: tuple[Any, ...],
               after: Step | None = None) -> list[tuple[Step, tuple[Any, ...], bool]]:
    """Legal next steps: (step, fields after it, whether the draft stops there)."""
    steps: list[tuple[Step, tuple[Any, ...], bool]] = state.program.functions["steps_" + draft["name"]](
        state, *args, *fields)
    if draft["unordered"] and after is not None:
        return [s for s in steps if s[0] > after]
    return steps


def may_finish(state: Any, draft: dict[str, Any], args: tuple[Any, ...], fields: tuple[Any, ...]) -> bool:
    """True when the draft may be finished as it stands."""
    return bool(state.program.functions["finish_" + draft["name"]](state, *args, *fields))


def walk(state: Any, draft: dict[str, Any], args: tuple[Any, ...], taken: tuple[Step, ...]) -> tuple[
        tuple[Any, ...], bool] | None:
    """Fields after some steps and whether the draft has stopped; None when a step is not legal."""
    fields = begin(state, draft, args)
    stopped = False
    before: Step | None = None
    for step in taken:
        if stopped:
            return None
        for found, new, stops in next_steps(state, draft, args, fields, before):
            if found == step:
                fields, stopped, before = new, bool(stops), step
                break
        else:
            return None
    return fields, stopped


def enumerate_finished(state: Any, draft: dict[str, Any], args: tuple[Any, ...],
                       taken: tuple[Step, ...] = ()) -> Drafted:
    """Every offer that can be reached by going on from the steps taken."""
    here = walk(state, draft, args, taken)
    if here is None:
        raise Fault(f"the unfinished draft `{draft['name']}` no longer fits the game")
    functions = state.program.functions
    offer_of = functions["offer_" + draft["name"]]
    price_of = functions["price_" + draft["name"]] if draft["cheapest"] else None
    prices: dict[Any, Any] = {}
    best: dict[Any, Finished] = {}
    seen = {here: None}
    ring: list[tuple[tuple[Any, ...], tuple[Step, ...], bool]] = [(here[0], taken, here[1])]
    complete = True
    while ring:
        following: list[tuple[tuple[Any, ...], tuple[Step, ...], bool]] = []
        for fields, steps, stopped in ring:
            if may_finish(state, draft, args, fields):
                offer = offer_of(state, *args, *fields)
                price = 0 if price_of is None else price_of(state, *args, *fields)
                if offer not in best or price < prices[offer]:
                    best[offer] = Finished(steps, fields, offer)
                    prices[offer] = price
            if stopped:
                continue
            if len(seen) > LIMIT:
                complete = False
                continue
            for step, new, stops in next_steps(state, draft, args, fields, steps[-1] if steps else None):
                if (new, bool(stops)) not in seen:
                    seen[(new, bool(stops))] = None
                    following.append((new, (*steps, step), bool(stops)))
        ring = following
    found = tuple(best.values())
    if price_of is not None:
        found = tuple(sorted(found, key=lambda f: prices[f.offer]))  # a stable sort: cheapest first
    return Drafted(_preferred(state, draft, args, found), complete)


def _preferred(state: Any, draft: dict[str, Any], args: tuple[Any, ...], found: tuple[Finished, ...]) -> tuple[
        Finished, ...]:
    for index, sort in enumerate(draft["prefers"]):
        measure = state.program.functions[f"best_{draft['name']}_{index}"]
        values = [measure(state, *args, *f.fields) for f in found]
        if sort == "test":
            kept = tuple(f for f, v in zip(found, values, strict=True) if v)
            found = kept or found
        elif found:
            wanted = min(values) if sort == "least" else max(values)
            found = tuple(f for f, v in zip(found, values, strict=True) if v == wanted)
    return found


def can_finish(state: Any, draft: dict[str, Any], args: tuple[Any, ...], taken: tuple[Step, ...] = ()) -> bool:
    """True as soon as one finished draft is found.

    A few states are looked at in depth first, which finds the end of a draft of many steps at once; then all,
    the nearest first.
    """
    here = walk(state, draft, args, taken)
    if here is None:
        return False
    start = (here[0], here[1], taken[-1] if taken else None)
    for deep, most in ((True, QUICK_LOOK), (False, LIMIT), (True, LIMIT)):
        found = _finds_end(state, draft, args, start, deep, most)
        if found is not None:
            return found
    return False


def _finds_end(state: Any, draft: dict[str, Any], args: tuple[Any, ...], start: tuple[tuple[Any, ...], bool,
               Step | None], deep: bool, most: int) -> bool | None:
    """Whether there is an end; None when it is not among the first `most` states, the latest or the nearest first."""
    seen = {start[:2]: None}
    waiting = deque([start])
    while waiting and len(seen) <= most:
        fields, stopped, before = waiting.pop() if deep else waiting.popleft()
        if may_finish(state, draft, args, fields):
            return True
        if stopped:
            continue
        following = next_steps(state, draft, args, fields, before)
        for step, new, stops in reversed(following) if deep else following:
            if (new, bool(stops)) not in seen:
                seen[(new, bool(stops))] = None
                waiting.append((new, bool(stops), step))
    return None if waiting else False
