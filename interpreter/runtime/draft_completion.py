"""Search whether a draft can be finished: a short depth-first search, then rounds that visit more and more states.

The order of steps never decides the result: an end that is reached without a fault counts even if other steps fault.
The first fault is raised only if no end is found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from interpreter.runtime import drafts
from interpreter.runtime.compiled_functions import NextStep
from interpreter.runtime.drafts import (
    Combination,
    DraftPosition,
    SeenStates,
    begin,
    build_budget_fault,
    close_search,
    enumerate_finished,
    get_ends_memo,
    list_next_steps,
    may_finish,
)
from interpreter.runtime.errors import BudgetExceededError, RuntimeFault
from interpreter.runtime.limits import LIMITS, SEARCHES, begin_search, end_search, spend
from interpreter.runtime.program_info import DraftInfo, StepInfo
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Values

_STEPS_OF_A_STATE = 64  # transitions that cost as little time as one state
QUICK_LOOK = 200  # states visited depth-first before the breadth-first search
_WIDER = 10  # growth factor of the next round
FAULTS = (RuntimeFault, ArithmeticError)


def is_possible(state: State, name: str, args: Values) -> bool:
    """Return whether the draft `name` with these arguments can be finished from its beginning.

    If every way to finish it runs into a fault of the rules, the fault is raised.
    """
    memo, memo_key = None, args if len(args) != 1 else args[0]
    if state.on_trial:
        memo = get_ends_memo(state, state.program.drafts[name])
        if memo is not None and memo_key in memo:
            return bool(memo[memo_key])
    fields = state.program.draft_starts[name](state, *args)
    limit, spent = LIMITS.steps, state.spent  # as `begin_search`, without a call: it is asked for very often
    state.spent = spent - (SEARCHES - 1) * limit
    try:
        # the common case: an end at once or after one step, or no step at all
        has_end, is_known = _is_end_near(state, name, args, fields)
    except FAULTS as fault:
        end_search(state, spent)
        return _can_finish_soundly(state, state.program.drafts[name], args, (fields, False), fault)
    state.spent = spent = spent + (state.spent - spent + (SEARCHES - 1) * limit) // SEARCHES
    if spent > limit:
        raise build_budget_fault(state.program.drafts[name])
    if not is_known:
        has_end = can_finish(state, state.program.drafts[name], args, (fields, False))
    if memo is not None:
        memo[memo_key] = has_end
    return has_end


def _is_end_near(state: State, name: str, args: Values, fields: Values) -> tuple[bool, bool]:
    """Return (whether the draft may be finished at once or after one step, whether this is certain).

    `args`: the arguments of the draft. `fields`: its fields at the beginning.
    """
    functions = state.program.functions
    may_end = functions.get_finish_test(name)
    if may_end(state, *args, *fields):
        spend(state, drafts.FOR_A_STATE)
        return True, True
    further = functions.get_next_steps(name)(state, *args, *fields)
    looked = 1
    for _, new, _ in further:
        looked += 1
        if may_end(state, *args, *new):
            spend(state, looked * drafts.FOR_A_STATE)
            return True, True
    spend(state, looked * drafts.FOR_A_STATE)
    return False, not further


def can_finish(state: State, draft: DraftInfo, args: Values, here: DraftPosition | None = None) -> bool:
    """Return whether a draft can be finished.

    `here`: the fields after the steps taken and whether the draft has stopped; None for its beginning.
    """
    if here is None:
        here = (begin(state, draft, args), False)
    spent = begin_search(state)
    try:
        has_end = _search_widening(state, draft, args, here, list_next_steps, may_finish)
    except FAULTS as fault:
        end_search(state, spent)
        return _can_finish_soundly(state, draft, args, here, fault)
    close_search(state, draft, spent)
    return has_end


def _search_widening(
    state: State,
    draft: DraftInfo,
    args: Values,
    here: DraftPosition,
    following: Callable[..., Any],
    is_end: Callable[..., Any],
) -> bool:
    """Return whether an end is found by iterative widening: each round visits more states, depth- and breadth-first.

    `here`: the fields to begin with and whether the draft has stopped. `following`: returns the next steps. `is_end`:
    tests for an end. Ends behind more than `drafts.LIMIT` states are not found and count as absent.
    """
    most = 0
    while most < drafts.LIMIT:
        most = min(drafts.LIMIT, most * _WIDER or QUICK_LOOK)
        for deep in (True, False):
            has_end = _find_end(state, draft, args, here, deep, most, following, is_end)
            if has_end is not None:
                return has_end
    return False


def _find_end(
    state: State,
    draft: DraftInfo,
    args: Values,
    here: DraftPosition,
    deep: bool,
    most: int,
    following: Callable[..., Any],
    is_end: Callable[..., Any],
) -> bool | None:
    """Return whether an end is found among the first `most` states, or None if the search was cut off.

    `here`: the fields to begin with and whether the draft has stopped. `following`: returns the next steps. `is_end`:
    tests for an end. `deep` selects depth-first order, otherwise breadth-first. In depth-first order a state with many
    steps counts for several states, because it holds more memory.
    """
    seen, beyond = SeenStates(draft), 0
    nothing: Combination = ()
    seen.visit(here, nothing)
    waiting = deque([(*here, nothing, 0)])
    while waiting and len(seen) + beyond <= most:
        fields, stopped, steps, depth = waiting.pop() if deep else waiting.popleft()
        seen.charge(state, drafts.FOR_A_STATE)
        beyond += depth // _STEPS_OF_A_STATE
        if is_end(state, draft, args, fields):
            return True
        if stopped:
            continue
        further = following(state, draft, args, fields)
        seen.charge_successors(state, further, depth)
        for step, new, stops in reversed(further) if deep else further:
            joined = seen.extend(steps, step)
            if seen.visit((new, bool(stops)), joined):
                waiting.append((new, bool(stops), joined, depth + 1))
    return None if waiting else False


# --- searches in which some steps fault ------------------------------------------------------
# The order of steps never decides whether a draft can be finished: an end reached without a fault counts even if
# other steps fault. The first fault is raised only if no end is found.


def _can_finish_soundly(state: State, draft: DraftInfo, args: Values, here: DraftPosition, fault: Exception) -> bool:
    """Return whether an end is reachable without a fault; otherwise raise `fault`, the first one met.

    `here`: the fields after the steps taken and whether the draft has stopped.
    """
    if isinstance(fault, BudgetExceededError):
        raise fault
    spent = begin_search(state)
    has_end = _search_widening(
        state, draft, args, here, _iter_sound_steps, lambda *where: _try_call(may_finish, *where)[0]
    )
    close_search(state, draft, spent)
    return has_end or bool(enumerate_finished(state, draft, args, here=here))


def _try_call(called: Callable[..., Any], *args: object) -> tuple[Any, bool]:
    """Call a function of the rules; return (result, True), or (None, False) if it faults.

    An exhausted budget is still raised.
    """
    try:
        return called(*args), True
    except BudgetExceededError:
        raise
    except FAULTS:
        return None, False


def _iter_sound_steps(state: State, draft: DraftInfo, args: Values, fields: Values) -> list[NextStep]:
    """Return the legal next steps like `list_next_steps`, without those whose evaluation faults.

    A step with preferences is left out entirely if one of its candidates faults, because the preferred one is unknown.
    """
    functions, out = state.program.functions, []
    for index, step in enumerate(draft.steps):
        uses: list[Values] | None = []
        for values, is_sound in _iter_sound_arguments(state, draft.name, index, step, (*args, *fields)):
            if is_sound and uses is not None:
                uses.append(values)
            elif step.prefers:
                uses = None
        for number, preference in enumerate(step.prefers):
            measure = functions.get_preference(draft.name, index, number)
            narrowed = functions.get_preference_filter(preference.sort)
            uses, _ = _try_call(narrowed, uses or [], lambda *use, of=measure: of(state, *args, *fields, *use))
        for values in uses or ():
            new, is_sound = _try_call(functions.get_step_result(draft.name, index), state, *args, *fields, *values)
            stops, is_told = step.stops, True
            if stops is None:
                stops, is_told = _try_call(functions.get_stop_test(draft.name, index), state, *args, *fields, *values)
            if is_sound and is_told:
                out.append(((index, values), new, bool(stops)))
    return out


def _iter_sound_arguments(
    state: State, draft: str, index: int, step: StepInfo, args: Values
) -> Iterator[tuple[Values, bool]]:
    """Yield (arguments of a step, True) if they meet all requirements, and (arguments, False) if they faulted.

    `index`: the number of the step in the draft. `args`: arguments and fields of the draft.
    """
    functions = state.program.functions

    def iter_completions(done: Values) -> Iterator[tuple[Values, bool]]:
        if len(done) < len(step.params):
            members, is_sound = _try_call(functions.get_domain(draft, index, len(done)), state, *args, *done)
            if not is_sound:
                yield done, False
            for value in members if is_sound else ():
                yield from iter_completions((*done, value))
            return
        for number in step.requires:
            refused, is_sound = _try_call(functions.get_requirement(number), state, *args, *done)
            if refused or not is_sound:
                if not is_sound:
                    yield done, False
                return
        yield done, True

    return iter_completions(())
