"""Drafts: small state spaces whose finished ends are the options of a decision.

A draft state is a tuple of field values. States equal in all fields are merged, keeping the path with the fewest
steps. In an unordered draft, states made of the same steps are merged as well, keeping the lexicographically least
legal order. The search never changes the game.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from interpreter.runtime.compiled_functions import NextStep
from interpreter.runtime.errors import BudgetExceededError, RuntimeFault
from interpreter.runtime.limits import KEPT_AT_ONCE, LIMITS, SEARCHES, begin_search, end_search, reset_budget, size_of
from interpreter.runtime.pending import PendingDraft
from interpreter.runtime.program_info import DraftInfo
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import PlainOption, Step, Value, Values

LIMIT = 20_000  # visited states before a draft is asked step by step
MAX_STEPS = 1_000_000  # visited transitions before a draft is asked step by step
MAX_ORDERS = 2_000  # places looked at to bring steps into an order, beside the way itself
FOR_A_STATE = 4  # budget cost of a state
FOR_A_STEP = 2  # budget cost of a transition
_COPIED_AT_ONCE = 32  # steps of a combination copied in the time of one budget step
_SIZED = ("many", "maybe", "plain")  # `show` tags of fields that may hold sets, lists or records
_MAX_MEMOIZED = 1_000  # memoized argument tuples per position
DraftPosition = tuple[Values, bool]  # fields of a draft, and whether it has stopped


@dataclass(frozen=True, slots=True)
class DraftEnd:
    """A finished draft: the steps taken, the field values, and its offer (the values that distinguish the ends)."""

    steps: tuple[Step, ...]
    fields: Values
    offer: Values


@dataclass(frozen=True, slots=True)
class DraftStep:
    """A single step of a draft, offered as an option; it is only part of an answer."""

    step: Step


RawOption: TypeAlias = PlainOption | DraftStep | DraftEnd  # an option as the machine represents it


class DraftEnds:
    """The finished drafts that can be reached from the steps taken, one for each offer.

    `complete` is false if the limit was reached. `ends` holds (offer, (*fields, path)) of each; `DraftEnd` records are
    built on demand.
    """

    __slots__ = ("ends", "complete", "_taken", "_made")

    def __init__(self, ends: list[tuple[Any, Values]], complete: bool, steps_taken: tuple[Step, ...]) -> None:
        self.ends = ends
        self.complete = complete
        self._taken = steps_taken
        self._made: tuple[DraftEnd, ...] | None = None

    def __len__(self) -> int:
        return len(self.ends)

    def at(self, number: int) -> DraftEnd:
        """Return the finished draft with a number, counted from 0."""
        offer, state = self.ends[number]
        return DraftEnd((*self._taken, *_collect_steps(cast("DraftPath", state[-1]))), state[:-1], offer)

    def has_end(self, end: DraftEnd) -> bool:
        """Return whether a finished draft with the steps and the offer of `end` was enumerated."""
        return any(offer == end.offer and self.at(n) == end for n, (offer, _) in enumerate(self.ends))

    @property
    def finished(self) -> tuple[DraftEnd, ...]:
        """Return a record of every finished draft, in order."""
        if self._made is None:
            self._made = tuple(self.at(n) for n in range(len(self.ends)))
        return self._made


DraftPath: TypeAlias = tuple[Any, ...] | None  # (previous path, step index, arguments...)


def _collect_steps(way: DraftPath) -> list[Step]:
    """Return the steps of a linked path `(previous path, step index, arguments...)`, first step first."""
    out: list[Step] = []
    while way is not None:
        out.append((way[1], way[2:]))
        way = way[0]
    out.reverse()
    return out


def to_answer(state: State, raw: RawOption) -> Value:
    """Convert an option of the pending decision to the answer that the machine takes: for a finished draft, its fields.

    If the rules read the fields after each step (a staged draft), those are appended as a tuple.
    """
    if not isinstance(raw, DraftEnd):
        return raw
    pending = state.pending
    assert isinstance(pending, PendingDraft)
    draft, args = state.program.get_draft(pending.number), pending.args
    if not draft.is_staged:
        return raw.fields
    functions, fields, stages = state.program.functions, begin(state, draft, args), []
    for index, values in raw.steps:
        fields = functions.get_step_result(draft.name, index)(state, *args, *fields, *values)
        stages.append((*fields, ()))
    return (*raw.fields, tuple(stages))


def begin(state: State, draft: DraftInfo, args: Values) -> Values:
    """Return the fields of a draft before any step. `args`: the arguments of the draft."""
    return state.program.draft_starts[draft.name](state, *args)


def list_next_steps(state: State, draft: DraftInfo, args: Values, fields: Values) -> list[NextStep]:
    """Return the legal next steps of a draft with these fields."""
    return state.program.functions.get_next_steps(draft.name)(state, *args, *fields)


def may_finish(state: State, draft: DraftInfo, args: Values, fields: Values) -> bool:
    """Return whether the draft may be finished with these fields."""
    return state.program.functions.get_finish_test(draft.name)(state, *args, *fields)


def walk(state: State, draft: DraftInfo, args: Values, steps: Sequence[Step]) -> DraftPosition | None:
    """Return the fields after some steps and whether the draft has stopped, or None if a step is illegal."""
    here: DraftPosition | None = (begin(state, draft, args), False)
    for step in steps:
        here = None if here is None else advance(state, draft, args, here, step)
    return here


def advance(state: State, draft: DraftInfo, args: Values, here: DraftPosition, step: Step) -> DraftPosition | None:
    """Return (fields after one more step, whether the draft has stopped), or None if the step is illegal.

    `here`: the fields before the step and whether the draft has stopped there. Each step has its own step budget, as if
    a player took the steps one at a time.
    """
    fields, stopped = here
    reset_budget(state)
    for next_step, new, stops in () if stopped else list_next_steps(state, draft, args, fields):
        if next_step == step:
            return new, bool(stops)
    return None


class TooManyOrdersError(Exception):
    """Raised when none of the step orders that were tried is legal, although an untried one may be."""


def arrange_steps(
    state: State,
    draft: DraftInfo,
    args: Values,
    names: Sequence[Hashable],
    name_of: Callable[[Step], Hashable],
    steps_taken: tuple[Step, ...] = (),
) -> tuple[Step, ...] | None:
    """Return `steps_taken` and then steps with these names in a legal order, or None if no order is legal.

    `name_of`: returns the name of a step. An ordered draft keeps the order of the names. For an unordered one the
    lexicographically least legal order is returned, so that each combination has one key. Raises TooManyOrdersError if
    the search takes too long.
    """
    here = walk(state, draft, args, steps_taken)
    if here is None:
        return None
    ordered = not draft.is_unordered
    dead: set[Any] = set()  # states known to have no completion
    names_by_step: dict[Step, Hashable] = {}
    tried = work = 0

    def iter_arrangements(fields: Values, stopped: bool, left: tuple[Hashable, ...]) -> Iterator[Any]:
        nonlocal tried, work
        if tried >= len(names) and (tried >= MAX_ORDERS or work > LIMITS.steps):
            raise TooManyOrdersError
        tried += 1
        reset_budget(state)  # each step has its own budget, as if taken one at a time
        following = () if stopped or not left else list_next_steps(state, draft, args, fields)
        work += state.spent - state.program.unspent + len(following) * FOR_A_STEP
        for step, new, stops in following:
            name = names_by_step.get(step)
            if name is None:
                name = names_by_step[step] = name_of(step)
            if name == left[0] if ordered else name in left:
                at = left.index(name)
                rest = left[:at] + left[at + 1 :]
                mark = (new, bool(stops), frozenset(Counter(rest).items()))
                if mark not in dead:
                    dead.add(mark)  # a state is left only if it has no completion
                    yield step, new, bool(stops), rest
                if ordered:
                    return

    if not names:
        return steps_taken
    way: list[Step] = []
    tries = [iter_arrangements(*here, tuple(names))]
    while tries:
        successor = next(tries[-1], None)
        if successor is None:
            tries.pop()
            if way:
                way.pop()
            continue
        step, fields, stopped, left = successor
        way.append(step)
        if not left:
            return (*steps_taken, *way)
        tries.append(iter_arrangements(fields, stopped, left))
    return None


Combination = tuple[int, ...]  # sorted numbers of the steps taken; empty in an ordered draft


class SeenStates:
    """The draft states that a search has visited.

    In an unordered draft, a state reached by the same steps in another order counts as visited too.
    """

    __slots__ = ("states", "combinations", "ordered", "_draft", "_numbers", "_sized")

    def __init__(self, draft: DraftInfo) -> None:
        self.states: set[DraftPosition] = set()
        self.combinations: set[Combination] = set()
        self.ordered = not draft.is_unordered
        self._draft = draft
        self._numbers: dict[Step, int] = {}
        self._sized = [number for number, show in enumerate(draft.shows) if show[0] in _SIZED]

    def __len__(self) -> int:
        return len(self.states)

    def visit(self, node: DraftPosition, combination: Combination) -> bool:
        """Mark a state of the draft as visited; return whether it was new.

        `node`: its fields and whether the draft has stopped. `combination`: the combination of steps that led to it.
        """
        if node in self.states:
            return False
        if not self.ordered:
            if combination in self.combinations:
                return False
            self.combinations.add(combination)
        self.states.add(node)
        return True

    def extend(self, combination: Combination, step: Step) -> Combination:
        """Return the combination of steps `combination` with one more step; unchanged in an ordered draft."""
        if self.ordered:
            return combination
        number = self._numbers.setdefault(step, len(self._numbers))
        at = bisect_right(combination, number)
        return (*combination[:at], number, *combination[at:])

    def charge_successors(self, state: State, following: Sequence[Any], depth: int) -> None:
        """Charge the successors of a search node to the step budget; large ones cost more, for the memory they take.

        `following`: the successors as (step, fields, whether the draft stops). `depth`: the number of steps taken.
        """
        each = FOR_A_STEP + (0 if self.ordered else depth // _COPIED_AT_ONCE)
        if self._sized and following:
            large = [new for _, new, _ in following for number in self._sized if new[number]]
            each += (max(map(size_of, large)) if large else len(following[0][1])) // KEPT_AT_ONCE
        self.charge(state, len(following) * each)

    def charge(self, state: State, steps: int) -> None:
        """Charge steps of the search to the budget; raise the budget fault of the draft if it is exceeded."""
        state.spent = spent = state.spent + steps
        if spent > LIMITS.steps:
            raise build_budget_fault(self._draft)


def build_budget_fault(draft: DraftInfo) -> BudgetExceededError:
    """Build the fault for a draft search that exceeds its budget."""
    return BudgetExceededError(
        f"the draft `{draft.name}` has too many states here: its ends were not found within "
        f"{SEARCHES * LIMITS.steps:,} steps of work; let its options require more, or split it into two decisions",
        (draft.file, draft.line),
    )


def close_search(state: State, draft: DraftInfo, spent: int) -> None:
    """Settle the step budget after a draft search; raise the budget fault if several searches together exceed it.

    `spent`: the steps that the state had spent before the search.
    """
    end_search(state, spent)
    if state.spent > LIMITS.steps:
        raise build_budget_fault(draft)


def enumerate_finished(
    state: State, draft: DraftInfo, args: Values, steps_taken: tuple[Step, ...] = (), here: DraftPosition | None = None
) -> DraftEnds:
    """Return the finished drafts that can be reached from the steps taken, one for each offer.

    `here`: the fields after these steps and whether the draft has stopped; None to compute them.
    """
    memo = None if steps_taken or here is not None else get_ends_memo(state, draft)
    memo_key = args if len(args) != 1 else args[0]
    if memo is not None:
        memoized = memo.get(memo_key)
        if memoized.__class__ is DraftEnds:
            return memoized
    functions, name = state.program.functions, draft.name
    if here is None:
        here = walk(state, draft, args, steps_taken) if steps_taken else (begin(state, draft, args), False)
    if here is None:
        raise RuntimeFault(f"the unfinished draft `{name}` no longer fits the game")
    spent = begin_search(state)
    best, complete = _search(state, draft, args, here)
    close_search(state, draft, spent)
    ends = list(best.items())
    if draft.is_cheapest:  # a stable sort: cheapest first
        price_of = functions.get_price(name)
        ends.sort(key=lambda e: price_of(state, *args, *e[1][:-1]))
    drafted = DraftEnds(_apply_preferences(state, draft, args, ends) if draft.prefers else ends, complete, steps_taken)
    if memo is not None and complete:
        memo[memo_key] = drafted
    return drafted


def get_ends_memo(state: State, draft: DraftInfo) -> dict[Any, DraftEnds | bool] | None:
    """Return the memo of finished drafts by the draft's arguments, or None outside trials.

    A value is the finished drafts, or just whether there is one. Outside trials step counts must not depend on a memo.
    """
    name = draft.kept
    if not name or not state.on_trial:
        return None
    memo: dict[Any, DraftEnds | bool] | None = state.memo.get(name)
    if memo is None or len(memo) >= _MAX_MEMOIZED:
        memo = state.memo[name] = {}
    return memo


def _search(state: State, draft: DraftInfo, args: Values, here: DraftPosition) -> tuple[dict[Any, Values], bool]:
    """Search breadth-first for finished drafts; return one for each offer, and whether the search was exhaustive.

    Of the drafts with one offer it is the cheapest if the rules ask for cheapest paths, else the first found; its value
    is a flat tuple of its fields and its path. `here`: the fields after the steps taken, and whether the draft has
    stopped.
    """
    functions, name = state.program.functions, draft.name
    may_end, steps_of, offer_of = (
        functions.get_finish_test(name),
        functions.get_next_steps(name),
        functions.get_offer(name),
    )
    price_of = functions.get_price(name) if draft.is_cheapest else None
    prices: dict[Any, Any] = {}
    best: dict[Any, Values] = {}
    seen = SeenStates(draft)
    seen.visit(here, ())
    visited, ordered, nothing = seen.states, seen.ordered, cast("Combination", ())
    ring: deque[tuple[Values, Any, bool, Combination]] = deque([(here[0], None, here[1], nothing)])
    complete, looked = True, 0
    while ring:
        fields, way, stopped, steps = ring.popleft()
        seen.charge(state, FOR_A_STATE)
        if may_end(state, *args, *fields):
            offer = offer_of(state, *args, *fields)
            price = 0 if price_of is None else price_of(state, *args, *fields)
            if offer not in best or price < prices[offer]:
                best[offer] = (*fields, way)
                prices[offer] = price
        if stopped:
            continue
        if len(visited) > LIMIT or looked > MAX_STEPS:
            complete = False
            continue
        following = steps_of(state, *args, *fields)
        looked += len(following)
        seen.charge_successors(state, following, len(steps))
        for step, new, stops in following:
            node = (new, bool(stops))
            if ordered:  # without calls: this is most of what a search does
                if node not in visited:
                    visited.add(node)
                    ring.append((new, (way, step[0], *step[1]), node[1], nothing))
                continue
            joined = seen.extend(steps, step)
            if seen.visit(node, joined):
                ring.append((new, (way, step[0], *step[1]), node[1], joined))
    return best, complete


def _apply_preferences(
    state: State, draft: DraftInfo, args: Values, ends: list[tuple[Any, Values]]
) -> list[tuple[Any, Values]]:
    for index, sort in enumerate(draft.prefers):
        measure = state.program.functions.get_draft_preference(draft.name, index)
        values = [measure(state, *args, *e[1][:-1]) for e in ends]
        if sort == "test":
            preferred = [e for e, v in zip(ends, values, strict=True) if v]
            ends = preferred or ends
        elif ends:
            best = min(values) if sort == "least" else max(values)
            ends = [e for e, v in zip(ends, values, strict=True) if v == best]
    return ends
