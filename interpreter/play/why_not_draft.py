"""Explanations of drafts that cannot be built, finished or continued: the obstacle on the nearest attempt.

A best-first search follows illegal steps too, charging each broken requirement. Listing and checking steps use the
same requirements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from interpreter.i18n.translator import mark as _
from interpreter.play.failing_reasons import build_reason, combine_reasons, find_failures, iter_arguments, rank_failure
from interpreter.runtime import drafts
from interpreter.runtime.builtins.graph import steps_to_all
from interpreter.runtime.decisions import Decision
from interpreter.runtime.draft_completion import QUICK_LOOK
from interpreter.runtime.errors import Reason
from interpreter.runtime.option_words import describe_step
from interpreter.runtime.program_info import DraftInfo, StepInfo
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Step, Values
from interpreter.runtime.value_ids import to_value_id

if TYPE_CHECKING:
    from interpreter.runtime.program import Program

EARLIER = (_("another choice has priority here"),)
_CLOSED = (_("this path cannot be continued"),)
ATTEMPTS = 12_000  # most steps tried for one explanation
_WORST = 5000  # cost of an obstacle with no requirement met before it: another step is meant
_BAD = 2000  # cost of an obstacle with some requirement met before it
_HALF = 1000  # discount if all requirements but one are met
_AGAIN = 100  # cost of an obstacle that was met before
_LINK = 250  # heuristic cost per link to the requested place
_AMOUNTS = ("int", "number", "plain")
_A_PLACE = ("thing", "place")
# ("requires", first failure, requirements from there on, cost), or a telling for `build_reason` with its location
Obstacle = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of the search for the nearest attempt: the fields of the draft, and the obstacles on the way to it.

    `stopped`: the obstacle that the draft has ended there, or None; `broken`: the names of the obstacles met; `cost` is
    lower for fewer obstacles, and for obstacles that come after more requirements met; `met`: each obstacle as last
    met, `times`: how often it was met.
    """

    fields: tuple[Any, ...]
    stopped: Obstacle | None
    broken: tuple[Any, ...] = ()
    cost: int = 0
    met: tuple[Obstacle, ...] = ()
    times: tuple[int, ...] = ()


_Mark = Callable[[Decision, _Node], Any]


def explain_no_finish(decision: Decision) -> tuple[Reason, ...]:
    """Return the reasons why the draft cannot be finished now, or () if it can."""
    state, draft, args = decision.state, decision.draft, decision.draft_args
    here = decision.get_draft_state()
    if here is None:
        return explain_no_continuation(state)
    return combine_reasons(state, find_failures(state, draft.finish, (*args, *here[0])))


def explain_no_continuation(state: State) -> tuple[Reason, ...]:
    """Return, as a tuple, the reason that a draft cannot be continued."""
    return (build_reason(state.program, _CLOSED),)


def build_draft_reason(program: Program, draft: DraftInfo, telling: tuple[Any, ...]) -> Reason:
    """Return a reason located at the draft in the rules.

    `telling`: its words as data, as for `Localizer.format_telling`.
    """
    return build_reason(program, telling, draft.cites, draft.name, draft.file, draft.line)


def explain_no_step(
    decision: Decision, name: str, fits: Callable[[StepInfo, Values], bool]
) -> tuple[Reason, ...] | None:
    """Return why no step of this name is legal now; () if one is, None if no fitting step could be tried.

    `fits(step, values)` selects the steps, with their arguments, that the request means.
    """
    state, draft, args = decision.state, decision.draft, decision.draft_args
    here = decision.get_draft_state()
    if here is None:
        return explain_no_continuation(state)
    if here[1]:
        return _build_obstacle_reasons(decision, _build_last_stop_obstacle(decision))
    offered = {o.raw.step for o in decision.steps() if isinstance(o.raw, drafts.DraftStep)}
    legal = {step for step, _, _ in drafts.list_next_steps(state, draft, args, here[0])}
    best: tuple[int, Obstacle] | None = None
    for index, step in enumerate(draft.steps):
        if step.name != name:
            continue
        for values in iter_arguments(state, draft.name, index, step, (*args, *here[0])):
            if not fits(step, values):
                continue
            if (index, values) in offered:
                return ()
            rank, first = rank_failure(state, step.requires, tried := (*args, *here[0], *values))
            obstacle: Obstacle = (
                ("requires", first[0][0], (step.requires[rank:], tried))
                if first
                else ((_("no path from there can be completed"),) if (index, values) in legal else EARLIER)
            )
            if best is None or rank > best[0]:
                best = (rank, obstacle)
    return None if best is None else _build_obstacle_reasons(decision, best[1])


def explain_no_end(decision: Decision, args: Mapping[str, Any]) -> tuple[Reason, ...] | None:
    """Return the obstacle met most often on the way to an end with these arguments, on a path with few obstacles.

    Returns () if the end is offered, and None if no path was found within the attempts.
    """
    state, draft = decision.state, decision.draft
    here = decision.get_draft_state()
    if here is None:
        return explain_no_continuation(state)
    stopped = _build_last_stop_obstacle(decision) if here[1] else None
    start = _Node(here[0], stopped)
    result = _search_nearest(decision, args, start, _search_key)
    if result is None or not result[0]:
        result = _search_nearest(decision, args, start, _build_coarse_search_key) or result
    if result is None:
        return None
    if (node := result[1]).met:  # the most frequent obstacle; the first of equally frequent ones
        return _build_obstacle_reasons(decision, node.met[node.times.index(max(node.times))])
    return _build_obstacle_reasons(decision, EARLIER) if draft.prefers else ()


def _search_nearest(
    decision: Decision, args: Mapping[str, Any], start: _Node, mark_of: _Mark
) -> tuple[bool, _Node] | None:
    """Search best-first for an end as requested with few obstacles; return (True, its node).

    Returns (False, the nearest node) if the end was not reached, or None if no attempt met an obstacle. `args`: the
    requested fields and offer by name; `mark_of`: the key by which nodes count as equal.
    """
    far, usual = _build_distance_function(decision, args), _find_usual_steps(decision, start)
    seen: set[Any] = set()
    waiting: list[tuple[int, int, int, bool, _Node]] = [(0, 0, 0, False, start)]
    nearest: tuple[int, int, _Node] | None = None
    count = looked = 0
    while waiting and looked < ATTEMPTS:
        _, _, _, is_end, node = heappop(waiting)
        if is_end:
            return True, node
        if node.met and (nearest is None or (far(node.fields), node.cost) < nearest[:2]):
            nearest = far(node.fields), node.cost, node
        if (mark := mark_of(decision, node)) in seen:
            continue
        seen.add(mark)
        following = list(_iter_successors(decision, node, usual))
        looked += len(following)
        ends = [_finish_node(decision, node)] if _is_requested(decision, node.fields, args) else []
        for is_end, after in (*((True, e) for e in ends), *((False, f) for f in following)):
            count += 1
            heappush(
                waiting,
                (after.cost + (0 if is_end else _LINK * far(after.fields)), len(after.broken), count, is_end, after),
            )
    return None if nearest is None else (False, nearest[2])


def _search_key(decision: Decision, node: _Node) -> object:
    """Return the key that distinguishes nodes of the search; amounts are ignored once an obstacle is met."""
    read, shows = decision.draft.read_fields, decision.draft.shows
    if not node.broken:
        return tuple(node.fields[i] for i in read), node.stopped is None
    key_fields = tuple(node.fields[i] for i in read if shows[i][0] not in _AMOUNTS)
    return key_fields, node.stopped is None, node.broken


def _build_coarse_search_key(decision: Decision, node: _Node) -> object:
    """Return a coarser key than `_search_key`: once an obstacle is met, only places distinguish nodes."""
    if not node.broken:
        return _search_key(decision, node)
    shows = decision.draft.shows
    return tuple(node.fields[i] for i in range(len(shows)) if tuple(shows[i]) == _A_PLACE), node.broken


def _finish_node(decision: Decision, node: _Node) -> _Node:
    """Return the node after finishing the draft at `node`, with the first failing finish condition as an obstacle."""
    obstacle = _find_first_obstacle(decision.state, decision.draft.finish, (*decision.draft_args, *node.fields))
    return node if not obstacle else _add_obstacle(node, node.fields, obstacle)


def _find_usual_steps(decision: Decision, start: _Node) -> set[int]:
    """Return the numbers of steps that are legal somewhere on the legal paths from `start`, or all if none is."""
    legal_steps: set[int] = set()
    seen, ring = {start.fields}, [start.fields]
    while ring and len(seen) < QUICK_LOOK and start.stopped is None:
        fields = ring.pop(0)
        for (index, _values), after, stops in drafts.list_next_steps(
            decision.state, decision.draft, decision.draft_args, fields
        ):
            legal_steps.add(index)
            if not stops and after not in seen:
                seen.add(after)
                ring.append(after)
    return legal_steps or set(range(len(decision.draft.steps)))


def _iter_successors(decision: Decision, node: _Node, usual: set[int]) -> Iterator[_Node]:
    """Yield the node after each step, legal or not; an illegal step that is not in `usual` costs `_WORST` more."""
    state, draft, args = decision.state, decision.draft, decision.draft_args
    legal = _list_legal_steps(decision, node.fields)
    for index, step in enumerate(draft.steps):
        for values, fields in _list_step_candidates(decision, index, node.fields):
            stops = legal.get((index, values))
            if node.stopped is not None:
                yield _add_obstacle(node, fields, node.stopped)
            elif stops is not None:
                stop = _stop_obstacle(decision, node.fields, (index, values)) if stops else None
                yield replace(node, fields=fields, stopped=stop)
            else:
                obstacle = _find_first_obstacle(state, step.requires, (*args, *node.fields, *values))
                unsaid = EARLIER if step.prefers else _CLOSED
                yield _add_obstacle(node, fields, obstacle or unsaid, 0 if index in usual else _WORST)


def _list_step_candidates(
    decision: Decision, index: int, fields: tuple[Any, ...]
) -> list[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Return (arguments, field values after it) of each candidate for step `index` of the draft, legal or not.

    `fields`: the values of the draft's fields before the step. The list ends before the first candidate that fails.
    """
    state, name, before = decision.state, decision.draft.name, (*decision.draft_args, *fields)
    after = state.program.functions.get_step_result(name, index)
    candidates = []
    with suppress(Exception):  # an illegal step may have no outcome
        for values in iter_arguments(state, name, index, decision.draft.steps[index], before):
            candidates.append((values, after(state, *before, *values)))
    return candidates


def _list_legal_steps(decision: Decision, fields: tuple[Any, ...]) -> dict[Step, bool]:
    """Return the legal steps after these field values, each with whether it ends the draft; {} if the rules fault."""
    try:
        next_steps = drafts.list_next_steps(decision.state, decision.draft, decision.draft_args, fields)
    except Exception:  # fields unreachable by legal steps may fault
        return {}
    return {step: bool(stops) for step, _, stops in next_steps}


def _find_first_obstacle(state: State, numbers: Sequence[int], values: tuple[Any, ...]) -> Obstacle:
    """Return the first failing requirement as an obstacle; () if all hold or the rules fault.

    `numbers`: the requirements to test, in order; `values`: the values of their parameters.
    """
    try:
        rank, first = rank_failure(state, numbers, values)
    except Exception:  # fields unreachable by legal steps may fault
        return ()
    if not first:
        return ()
    return "requires", first[0][0], (numbers[rank:], values), _BAD - _HALF * rank // len(numbers) if rank else _WORST


def _add_obstacle(node: _Node, fields: tuple[Any, ...], obstacle: Obstacle, more: int = 0) -> _Node:
    """Return the node after meeting an obstacle at `node`; a repeated obstacle is listed once, as last met.

    `fields`: the field values of the new node; `more`: an amount added to its cost.
    """
    name = obstacle[:2]
    if name not in node.broken:
        cost = obstacle[3] if obstacle[0] == "requires" else _WORST
        return _Node(
            fields, None, (*node.broken, name), node.cost + cost + more, (*node.met, obstacle), (*node.times, 1)
        )
    at = node.broken.index(name)
    return _Node(
        fields,
        None,
        node.broken,
        node.cost + _AGAIN + more,
        (*node.met[:at], obstacle, *node.met[at + 1 :]),
        (*node.times[:at], node.times[at] + 1, *node.times[at + 1 :]),
    )


def _stop_obstacle(decision: Decision, fields: tuple[Any, ...], step: Step) -> Obstacle:
    """Return the obstacle that the draft ends with a step, with the text of the rules or the step's name.

    `fields`: the field values before the step.
    """
    described = decision.draft.steps[step[0]]
    where = (described.address, described.file, described.line)
    if described.because is not None:
        values = decision.program.functions.get_stop_text(decision.draft.name, step[0])(
            decision.state, *decision.draft_args, *fields, *step[1]
        )
        return ("words", described.because, values, described.because_cites, *where)
    telling = describe_step(decision, step, fields, decision.words)
    step_words = {"step": lambda localizer: localizer.format_telling(telling)}
    return ("say", "it ends at: {step}", step_words, described.cites, *where)


def _build_last_stop_obstacle(decision: Decision) -> Obstacle:
    """Build the obstacle that the draft ended with the last step taken."""
    steps = decision.state.draft
    before = drafts.walk(decision.state, decision.draft, decision.draft_args, steps[:-1])
    assert before is not None  # these steps were legal when they were taken
    return _stop_obstacle(decision, before[0], steps[-1])


def _build_obstacle_reasons(decision: Decision, obstacle: Obstacle) -> tuple[Reason, ...]:
    program, draft = decision.program, decision.draft
    if obstacle[0] == "requires":
        return combine_reasons(decision.state, decision.state.program.list_failures(decision.state, *obstacle[2]))
    if len(obstacle) > 3:  # it carries a location
        return (build_reason(program, obstacle[:3], *obstacle[3:]),)
    return (build_draft_reason(program, draft, obstacle),)


def _is_requested(decision: Decision, fields: tuple[Any, ...], args: Mapping[str, Any]) -> bool:
    """Return whether a draft with these fields has the fields and the offer in `args`; False if the rules fault."""
    state, draft = decision.state, decision.draft
    try:
        offer = state.program.functions.get_offer(draft.name)(state, *decision.draft_args, *fields)
    except Exception:  # fields unreachable by legal steps may fault
        return False
    value_ids = {n: to_value_id(state.program, s, v) for n, s, v in zip(draft.fields, draft.shows, fields, strict=True)}
    value_ids |= {
        n: to_value_id(state.program, s, v) for n, s, v in zip(draft.offer, draft.offer_shows, offer, strict=True)
    }
    return all(str(value_ids.get(k)) == str(v) for k, v in args.items())


def _build_distance_function(decision: Decision, args: Mapping[str, Any]) -> Callable[[tuple[Any, ...]], int]:
    """Return a function that measures how far a draft's field values are from the requested place, as a count of links.

    The function takes the values in the order of the draft's fields, and returns 0 if no place is requested.
    `args`: the requested values of the fields and of the offer, by name.
    """
    program, draft = decision.program, decision.draft
    places = program.handles["place"]
    for at, (name, show) in enumerate(zip(draft.fields, draft.shows, strict=True)):
        if tuple(show) == ("thing", "place") and str(args.get(name)) in places:
            far = steps_to_all(program.links, places[str(args[name])])
            return lambda fields: far.get(fields[at], len(places))
    return lambda fields: 0
