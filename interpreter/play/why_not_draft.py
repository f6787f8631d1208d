"""Explanations of drafts that cannot be built, finished or continued: the obstacle on the nearest attempt.

A best-first search follows illegal steps too, charging each broken requirement. Listing and checking steps use the
same requirements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple

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
from interpreter.runtime.type_aliases import Cites, Step, Values
from interpreter.runtime.value_ids import to_value_id

if TYPE_CHECKING:
    from interpreter.runtime.program import Program

OTHER_HAS_PRIORITY = (_("another choice has priority here"),)
_CLOSED = (_("this path cannot be continued"),)
_MAX_STEPS = 12_000  # steps tried for one explanation
_UNRELATED_COST = 5000  # of an obstacle with no requirement met before it: another step is meant
_FAILURE_COST = 2000  # of an obstacle with some requirement met before it
_NEAR_MISS_DISCOUNT = 1000  # if all requirements but one are met
_REPETITION_COST = 100  # of an obstacle that was met before
_LINK_COST = 250  # heuristic, per link to the requested place
_AMOUNTS = ("int", "number", "plain")
_PLACE = ("thing", "place")


@dataclass(frozen=True, slots=True, eq=False)
class _FailedRequirement:
    """An obstacle: the requirement number `numbers[0]` fails for `values`.

    `numbers` has that requirement and those after it; `cost`: the cost of passing it in the search.
    """

    numbers: Sequence[int]
    values: tuple[Any, ...]
    cost: int = 0

    @property
    def key(self) -> tuple[Any, ...]:
        """Return what equal obstacles have in common."""
        return "requires", self.numbers[0]


@dataclass(frozen=True, slots=True, eq=False)
class _StatedObstacle:
    """An obstacle in words: `telling`, as for `Localizer.format_telling`.

    `source`: the step at which the rules state it, with its citations `cites`; None for the draft itself.
    """

    telling: tuple[Any, ...]
    source: StepInfo | None = None
    cites: Cites = ()
    cost: int = _UNRELATED_COST

    @property
    def key(self) -> tuple[Any, ...]:
        """Return what equal obstacles have in common."""
        return self.telling[:2]


_Obstacle = _FailedRequirement | _StatedObstacle
_PRIORITY_OBSTACLE, _CLOSED_OBSTACLE = _StatedObstacle(OTHER_HAS_PRIORITY), _StatedObstacle(_CLOSED)


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of the search for the nearest attempt: the fields of the draft, and the obstacles on the way to it.

    `stopped`: the obstacle that the draft has ended there, or None; `keys`: the keys of the obstacles met; `met`: each
    of them as last met; `times`: how often each was met. `cost` is lower for fewer obstacles, and for obstacles that
    come after more requirements met.
    """

    fields: tuple[Any, ...]
    stopped: _Obstacle | None
    keys: tuple[tuple[Any, ...], ...] = ()
    cost: int = 0
    met: tuple[_Obstacle, ...] = ()
    times: tuple[int, ...] = ()


class _QueueEntry(NamedTuple):
    """An entry of the search's priority queue; compared field by field, with `number` to break ties.

    `estimate`: the cost of the node and, unless the draft `is_finished` there, of the links to the requested place.
    """

    estimate: int
    obstacles: int
    number: int
    is_finished: bool
    node: _Node


class _SearchResult(NamedTuple):
    """The node of the requested end, or, if it was not reached, the nearest node."""

    is_reached: bool
    node: _Node


def explain_no_finish(decision: Decision) -> tuple[Reason, ...]:
    """Return the reasons why the draft cannot be finished now, or () if it can."""
    state, draft, args = decision.state, decision.draft, decision.draft_args
    position = decision.get_draft_state()
    if position is None:
        return explain_no_continuation(state)
    return combine_reasons(state, find_failures(state, draft.finish, (*args, *position[0])))


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
    position = decision.get_draft_state()
    if position is None:
        return explain_no_continuation(state)
    if position[1]:
        return _build_obstacle_reasons(decision, _build_last_stop_obstacle(decision))
    offered = {o.raw.step for o in decision.steps() if isinstance(o.raw, drafts.DraftStep)}
    legal = {step for step, _, _ in drafts.list_next_steps(state, draft, args, position[0])}
    best: tuple[int, _Obstacle] | None = None
    for index, step in enumerate(draft.steps):
        if step.name != name:
            continue
        for values in iter_arguments(state, draft.name, index, step, (*args, *position[0])):
            if not fits(step, values):
                continue
            if (index, values) in offered:
                return ()
            rank, first = rank_failure(state, step.requires, tried := (*args, *position[0], *values))
            obstacle: _Obstacle
            if first:
                obstacle = _FailedRequirement(step.requires[rank:], tried)
            elif (index, values) in legal:
                obstacle = _StatedObstacle((_("no path from there can be completed"),))
            else:
                obstacle = _PRIORITY_OBSTACLE
            if best is None or rank > best[0]:
                best = (rank, obstacle)
    return None if best is None else _build_obstacle_reasons(decision, best[1])


def explain_no_end(decision: Decision, args: Mapping[str, Any]) -> tuple[Reason, ...] | None:
    """Return the obstacle met most often on the way to an end with these arguments, on a path with few obstacles.

    Returns () if the end is offered, and None if no path was found within the attempts.
    """
    state, draft = decision.state, decision.draft
    position = decision.get_draft_state()
    if position is None:
        return explain_no_continuation(state)
    stopped = _build_last_stop_obstacle(decision) if position[1] else None
    start = _Node(position[0], stopped)
    result = _search_nearest(decision, args, start, _build_search_key)
    if result is None or not result.is_reached:
        result = _search_nearest(decision, args, start, _build_coarse_search_key) or result
    if result is None:
        return None
    if (node := result.node).met:  # the most frequent obstacle; the first of equally frequent ones
        return _build_obstacle_reasons(decision, node.met[node.times.index(max(node.times))])
    return _build_obstacle_reasons(decision, _PRIORITY_OBSTACLE) if draft.prefers else ()


def _search_nearest(
    decision: Decision, args: Mapping[str, Any], start: _Node, build_key: Callable[[Decision, _Node], Any]
) -> _SearchResult | None:
    """Search best-first for an end as requested with few obstacles; return None if no attempt met an obstacle.

    `args`: the requested fields and offer by name; `build_key`: the key by which nodes count as equal.
    """
    measure_distance, usual = _build_distance_function(decision, args), _find_usual_steps(decision, start)
    visited: set[Any] = set()
    queue = [_QueueEntry(0, 0, 0, False, start)]
    nearest: _Node | None = None
    nearest_rank = (0, 0)  # its distance and cost
    pushed = tried = 0
    while queue and tried < _MAX_STEPS:
        entry = heappop(queue)
        node = entry.node
        if entry.is_finished:
            return _SearchResult(True, node)
        rank = (measure_distance(node.fields), node.cost)
        if node.met and (nearest is None or rank < nearest_rank):
            nearest, nearest_rank = node, rank
        if (key := build_key(decision, node)) in visited:
            continue
        visited.add(key)
        successors = list(_iter_successors(decision, node, usual))
        tried += len(successors)
        ends = [_finish_node(decision, node)] if _is_requested(decision, node.fields, args) else []
        for is_finished, after in (*((True, e) for e in ends), *((False, s) for s in successors)):
            pushed += 1
            estimate = after.cost + (0 if is_finished else _LINK_COST * measure_distance(after.fields))
            heappush(queue, _QueueEntry(estimate, len(after.keys), pushed, is_finished, after))
    return None if nearest is None else _SearchResult(False, nearest)


def _build_search_key(decision: Decision, node: _Node) -> object:
    """Return the key that distinguishes nodes of the search; amounts are ignored once an obstacle is met."""
    read, shows = decision.draft.read_fields, decision.draft.shows
    if not node.keys:
        return tuple(node.fields[i] for i in read), node.stopped is None
    key_fields = tuple(node.fields[i] for i in read if shows[i][0] not in _AMOUNTS)
    return key_fields, node.stopped is None, node.keys


def _build_coarse_search_key(decision: Decision, node: _Node) -> object:
    """Return a coarser key than `_build_search_key`: once an obstacle is met, only places distinguish nodes."""
    if not node.keys:
        return _build_search_key(decision, node)
    shows = decision.draft.shows
    return tuple(node.fields[i] for i in range(len(shows)) if tuple(shows[i]) == _PLACE), node.keys


def _finish_node(decision: Decision, node: _Node) -> _Node:
    """Return the node after finishing the draft at `node`, with the first failing finish condition as an obstacle."""
    obstacle = _find_first_obstacle(decision.state, decision.draft.finish, (*decision.draft_args, *node.fields))
    return node if obstacle is None else _add_obstacle(node, node.fields, obstacle)


def _find_usual_steps(decision: Decision, start: _Node) -> set[int]:
    """Return the numbers of steps that are legal somewhere on the legal paths from `start`, or all if none is."""
    legal_steps: set[int] = set()
    visited, queue = {start.fields}, [start.fields]
    while queue and len(visited) < QUICK_LOOK and start.stopped is None:
        fields = queue.pop(0)
        for (index, _values), next_fields, stops in drafts.list_next_steps(
            decision.state, decision.draft, decision.draft_args, fields
        ):
            legal_steps.add(index)
            if not stops and next_fields not in visited:
                visited.add(next_fields)
                queue.append(next_fields)
    return legal_steps or set(range(len(decision.draft.steps)))


def _iter_successors(decision: Decision, node: _Node, usual: set[int]) -> Iterator[_Node]:
    """Yield the node after each step, legal or not; an illegal step that is not in `usual` costs more."""
    state, draft, args = decision.state, decision.draft, decision.draft_args
    legal = _list_legal_steps(decision, node.fields)
    for index, step in enumerate(draft.steps):
        for values, fields in _list_step_candidates(decision, index, node.fields):
            stops = legal.get((index, values))
            if node.stopped is not None:
                yield _add_obstacle(node, fields, node.stopped)
            elif stops is not None:
                stop = _build_stop_obstacle(decision, node.fields, (index, values)) if stops else None
                yield replace(node, fields=fields, stopped=stop)
            else:
                obstacle = _find_first_obstacle(state, step.requires, (*args, *node.fields, *values))
                unstated = _PRIORITY_OBSTACLE if step.prefers else _CLOSED_OBSTACLE
                yield _add_obstacle(node, fields, obstacle or unstated, 0 if index in usual else _UNRELATED_COST)


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


def _find_first_obstacle(state: State, numbers: Sequence[int], values: tuple[Any, ...]) -> _FailedRequirement | None:
    """Return the first failing requirement as an obstacle, or None if all hold or the rules fault.

    `numbers`: the requirements to test, in order; `values`: the values of their parameters.
    """
    try:
        rank, first = rank_failure(state, numbers, values)
    except Exception:  # fields unreachable by legal steps may fault
        return None
    if not first:
        return None
    cost = _FAILURE_COST - _NEAR_MISS_DISCOUNT * rank // len(numbers) if rank else _UNRELATED_COST
    return _FailedRequirement(numbers[rank:], values, cost)


def _add_obstacle(node: _Node, fields: tuple[Any, ...], obstacle: _Obstacle, surcharge: int = 0) -> _Node:
    """Return the node after meeting an obstacle at `node`; a repeated obstacle is listed once, as last met.

    `fields`: the field values of the new node; `surcharge`: an amount added to its cost.
    """
    key = obstacle.key
    if key not in node.keys:
        cost = node.cost + obstacle.cost + surcharge
        return _Node(fields, None, (*node.keys, key), cost, (*node.met, obstacle), (*node.times, 1))
    index = node.keys.index(key)
    return _Node(
        fields,
        None,
        node.keys,
        node.cost + _REPETITION_COST + surcharge,
        (*node.met[:index], obstacle, *node.met[index + 1 :]),
        (*node.times[:index], node.times[index] + 1, *node.times[index + 1 :]),
    )


def _build_stop_obstacle(decision: Decision, fields: tuple[Any, ...], step: Step) -> _StatedObstacle:
    """Return the obstacle that the draft ends with a step, with the text of the rules or the step's name.

    `fields`: the field values before the step.
    """
    info = decision.draft.steps[step[0]]
    if info.because is not None:
        values = decision.program.functions.get_stop_text(decision.draft.name, step[0])(
            decision.state, *decision.draft_args, *fields, *step[1]
        )
        return _StatedObstacle(("words", info.because, values), info, info.because_cites)
    telling = describe_step(decision, step, fields, decision.words)
    step_words = {"step": lambda localizer: localizer.format_telling(telling)}
    return _StatedObstacle(("say", "no step can follow this one: {step}", step_words), info, info.cites)


def _build_last_stop_obstacle(decision: Decision) -> _StatedObstacle:
    """Build the obstacle that the draft ended with the last step taken."""
    steps = decision.state.draft
    position_before = drafts.walk(decision.state, decision.draft, decision.draft_args, steps[:-1])
    assert position_before is not None  # these steps were legal when they were taken
    return _build_stop_obstacle(decision, position_before[0], steps[-1])


def _build_obstacle_reasons(decision: Decision, obstacle: _Obstacle) -> tuple[Reason, ...]:
    """Return the reasons that an obstacle of a draft gives to the player."""
    state, program = decision.state, decision.program
    match obstacle:
        case _FailedRequirement():
            return combine_reasons(state, program.list_failures(state, obstacle.numbers, obstacle.values))
        case _StatedObstacle(telling, StepInfo() as step, cites):
            return (build_reason(program, telling, cites, step.address, step.file, step.line),)
        case _:
            return (build_draft_reason(program, decision.draft, obstacle.telling),)


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
    for index, (name, show) in enumerate(zip(draft.fields, draft.shows, strict=True)):
        if tuple(show) == _PLACE and str(args.get(name)) in places:
            distances = steps_to_all(program.links, places[str(args[name])])
            return lambda fields: distances.get(fields[index], len(places))
    return lambda fields: 0
