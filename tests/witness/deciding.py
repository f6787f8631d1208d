"""Legal options of a decision and ends of a draft, found by trying everything.

Parameters take every value of their domains, one after the other; when all are known every requirement is tested, in
the order written. Never changes the position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from interpreter.model import statements as c
from interpreter.model.checked_model import CheckedDraft, CheckedStep
from tests.witness.faults import Faulted, NotCovered
from tests.witness.values import Evaluator, Names

Option = tuple[int, tuple[Any, ...]]
DONE: Option = (-1, ())
MOST_STATES = 5_000


def combinations(x: Evaluator, params: tuple[c.Param, ...], names: Names) -> Iterator[Names]:
    """Yield every combination of values of the parameters; later domains may use earlier parameters."""
    if not params:
        yield {}
        return
    for value in x.value(params[0].domain, names):
        for rest in combinations(x, params[1:], {**names, params[0].name: value}):
            yield {params[0].name: value, **rest}


def legal(x: Evaluator, choice: c.CheckedOption | CheckedStep, names: Names) -> list[tuple[Any, ...]]:
    """Return the arguments with which an option is legal, each once; the first of alike pieces represents all."""
    found = [given for given in combinations(x, choice.params, names) if x.holds(choice.requires, {**names, **given})]
    for preference in choice.prefers:
        found = preferred(x, preference, found, names)
    once: dict[Any, tuple[Any, ...]] = {}
    for given in found:
        key = tuple(x.world.kind_of_piece(given[p.name]) if p.alike else given[p.name] for p in choice.params)
        once.setdefault(key, tuple(given[p.name] for p in choice.params))
    return list(once.values())


def preferred(x: Evaluator, preference: c.CheckedPreference, found: list[Names], names: Names) -> list[Names]:
    """Return those that pass, or all if none does; or those with the least or greatest measure."""
    measured = [x.value(preference.value, {**names, **given}) for given in found]
    if not found:
        return found
    if preference.sort == "test":
        return [given for given, passes in zip(found, measured, strict=True) if passes] or found
    best = min(measured) if preference.sort == "least" else max(measured)
    return [given for given, measure in zip(found, measured, strict=True) if measure == best]


def options_of(x: Evaluator, decision: c.Decide, names: Names) -> list[Option]:
    """Return the legal options in the order of the rules."""
    return [(number, given) for number, choice in enumerate(decision.choices) for given in legal(x, choice, names)]


# --- drafts -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class End:
    """An end of a draft: its identity, its fields, and the fields after each step on the way."""

    offer: tuple[Any, ...]
    fields: tuple[Any, ...]
    stages: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Standing:
    """The progress of a draft: its fields, whether it has stopped, the steps taken and the fields after each."""

    fields: tuple[Any, ...]
    stopped: bool
    steps: tuple[Any, ...] = ()
    stages: tuple[tuple[Any, ...], ...] = ()


def ends_of_draft(x: Evaluator, draft: CheckedDraft, args: tuple[Any, ...]) -> list[End]:
    """Return all ends that are offered, in order."""
    names = dict(zip([n for n, _ in draft.params], args, strict=True))
    field_names = [n for n, _, _ in draft.fields]
    start = Standing(x.values([v for _, _, v in draft.fields], names), False)
    best: dict[Any, tuple[Any, End]] = {}
    ring, states, combined = [start], {(start.fields, False)}, {()}
    while ring:
        here = ring.pop(0)
        inner = {**names, **dict(zip(field_names, here.fields, strict=True))}
        if x.holds(draft.finish, inner):
            end = End(offer_of(x, draft, here.fields, inner), here.fields, here.stages)
            price = 0 if draft.cheapest is None else x.value(draft.cheapest, inner)
            if end.offer not in best or price < best[end.offer][0]:
                best[end.offer] = (price, end)
        for following in () if here.stopped else after(x, draft, here, inner):
            state, steps = (following.fields, following.stopped), tuple(sorted(following.steps))
            if state in states or draft.unordered and steps in combined:
                continue
            if len(states) > MOST_STATES:
                raise NotCovered("a very large draft")
            states.add(state)
            combined.add(steps)
            ring.append(following)
    ordered = list(best.values())
    if draft.cheapest is not None:
        ordered.sort(key=lambda found: found[0])
    return offered(x, draft, [end for _, end in ordered], names, field_names)


def has_an_end(x: Evaluator, draft: CheckedDraft, args: tuple[Any, ...]) -> bool:
    """Return True if an end can be reached without a fault; if none can, raise the first fault that is met."""
    names = dict(zip([n for n, _ in draft.params], args, strict=True))
    field_names = [n for n, _, _ in draft.fields]
    start = Standing(x.values([v for _, _, v in draft.fields], names), False)
    ring, states, combined = [start], {(start.fields, False)}, {()}
    while ring:
        here = ring.pop(0)
        inner = {**names, **dict(zip(field_names, here.fields, strict=True))}
        with suppress(Faulted):
            if x.holds(draft.finish, inner):
                return True
        for following in () if here.stopped else sound(x, draft, here, inner):
            state, steps = (following.fields, following.stopped), tuple(sorted(following.steps))
            if state in states or draft.unordered and steps in combined:
                continue
            if len(states) > MOST_STATES:
                raise NotCovered("a very large draft")
            states.add(state)
            combined.add(steps)
            ring.append(following)
    return bool(ends_of_draft(x, draft, args))


def sound(x: Evaluator, draft: CheckedDraft, here: Standing, names: Names) -> Iterator[Standing]:
    """Yield the results of the legal steps that do not fault; a fault in a step with preferences excludes all of it."""
    for number, step in enumerate(draft.steps):
        uses: Iterable[tuple[Any, ...]] = ()
        if step.prefers:
            with suppress(Faulted):
                uses = legal(x, step, names)
        else:
            uses = sound_uses(x, step, names)
        for given in uses:
            with suppress(Faulted):
                yield standing(x, draft, here, names, number, given)


def sound_uses(x: Evaluator, step: CheckedStep, names: Names) -> Iterator[tuple[Any, ...]]:
    """Yield the arguments of a step without preferences that all requirements allow."""
    for given in sound_combinations(x, step.params, names):
        with suppress(Faulted):
            if x.holds(step.requires, {**names, **given}):
                yield tuple(given[p.name] for p in step.params)


def sound_combinations(x: Evaluator, params: tuple[c.Param, ...], names: Names) -> Iterator[Names]:
    """Yield combinations as `combinations` does, without those that depend on a domain that faults."""
    if not params:
        yield {}
        return
    domain: Any = ()
    with suppress(Faulted):
        domain = x.value(params[0].domain, names)
    for value in domain:
        for rest in sound_combinations(x, params[1:], {**names, params[0].name: value}):
            yield {params[0].name: value, **rest}


def offer_of(x: Evaluator, draft: CheckedDraft, fields: tuple[Any, ...], names: Names) -> tuple[Any, ...]:
    """Return the identity of an end: the values that the rules name, or all fields."""
    return x.values([v for _, v in draft.offer], names) if draft.offer else fields


def after(x: Evaluator, draft: CheckedDraft, here: Standing, names: Names) -> Iterator[Standing]:
    """Yield the result of each legal step."""
    for number, step in enumerate(draft.steps):
        for given in legal(x, step, names):
            yield standing(x, draft, here, names, number, given)


def standing(
    x: Evaluator, draft: CheckedDraft, here: Standing, names: Names, number: int, given: tuple[Any, ...]
) -> Standing:
    """Return the result of one step."""
    step = draft.steps[number]
    inner = {**names, **dict(zip([p.name for p in step.params], given, strict=True))}
    fields = list(here.fields)
    for index, value in [(index, x.value(value, inner)) for index, value in step.now]:
        fields[index] = value
    stops = step.stops if step.stops_if is None else bool(x.value(step.stops_if, inner))
    return Standing(tuple(fields), stops, (*here.steps, (number, given)), (*here.stages, tuple(fields)))


def offered(x: Evaluator, draft: CheckedDraft, ends: list[End], names: Names, field_names: list[str]) -> list[End]:
    """Return the ends that remain after the draft's preferences."""
    found = [{**dict(zip(field_names, end.fields, strict=True)), "": end} for end in ends]
    for preference in draft.prefers:
        found = preferred(x, preference, found, names)
    return [given[""] for given in found]


def answer_of(draft: CheckedDraft, end: End) -> tuple[Any, ...]:
    """Return the value of a finished draft; the stages come last if the rules read them, and have none themselves."""
    if not draft.staged:
        return end.fields
    return (*end.fields, tuple((*stage, ()) for stage in end.stages))
