"""Drafts: small state spaces whose finished ends are the options of a decision.

A draft state is a tuple of field values. States equal in all fields are one; the way with the
fewest steps to a state comes first. In an unordered draft so are states made of the same steps; the way
that comes first is the least of the legal orders. Nothing here touches the game.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.runtime.faults import Fault, OutOfSteps
from interpreter.runtime.limits import (
    KEPT_AT_ONCE,
    LIMITS,
    SEARCHES,
    begin_anew,
    search_begins,
    search_ends,
    size_of,
    spend,
)

LIMIT = 20_000  # states looked at before a draft is asked step by step
MOST_STEPS = 1_000_000  # from one state to another, looked at before a draft is asked step by step
MOST_ORDERS = 2_000  # places looked at to bring steps into an order, beside the way itself
FOR_A_STATE = 4  # steps of the budget
FOR_A_STEP = 2  # of the budget, for each step that leads on from a state
_STEPS_OF_A_STATE = 64  # that are looked through as quickly as one
_COPIED_AT_ONCE = 32  # steps of a combination that are copied in the time of one step of the budget
_SIZED = ("many", "maybe", "plain")  # how fields are shown that may hold sets, lists or records
FAULTS = (Fault, ArithmeticError)
QUICK_LOOK = 200  # states looked at in depth before all are looked at
_WIDER = 10  # times as many in the next round
_MOST_KNOWN = 1_000  # arguments of which a position knows where a draft ends
Step = tuple[int, tuple[Any, ...]]
Here = tuple[tuple[Any, ...], bool]  # the fields of a draft, and whether it has stopped there


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished draft: the steps taken, the fields, and what tells its offer apart."""

    steps: tuple[Step, ...]
    fields: tuple[Any, ...]
    offer: tuple[Any, ...]


class Drafted:
    """Every offer of a draft from where it stands; `complete` is false when the limit was reached.

    `ends` are (offer, fields of the state and its way): what is told of them is made when somebody asks.
    """

    __slots__ = ("ends", "complete", "_taken", "_made")

    def __init__(self, ends: list[tuple[Any, tuple[Any, ...]]], complete: bool, taken: tuple[Step, ...]) -> None:
        self.ends = ends
        self.complete = complete
        self._taken = taken
        self._made: tuple[Finished, ...] | None = None

    def __len__(self) -> int:
        return len(self.ends)

    def at(self, number: int) -> Finished:
        """The end with a number, counted from 0."""
        offer, state = self.ends[number]
        return Finished((*self._taken, *_steps_of(state[-1])), state[:-1], offer)

    def holds(self, end: Finished) -> bool:
        """Whether it is one of the ends."""
        return any(offer == end.offer and self.at(n) == end for n, (offer, _) in enumerate(self.ends))

    @property
    def finished(self) -> tuple[Finished, ...]:
        """All ends, in order."""
        if self._made is None:
            self._made = tuple(self.at(n) for n in range(len(self.ends)))
        return self._made


def _steps_of(way: Any) -> list[Step]:
    """Steps of a way `(way before, index of the step, arguments...)`, the first one first."""
    out: list[Step] = []
    while way is not None:
        out.append((way[1], way[2:]))
        way = way[0]
    out.reverse()
    return out


def answer_of(state: Any, raw: Any) -> Any:
    """What the machine is answered where an option of the pending decision is chosen: of a finished draft its fields.

    Where the rules read the stages of the draft, its fields after each step come last, each with no stages of its own.
    """
    if not isinstance(raw, Finished):
        return raw
    number, _, args = state.pending
    draft = state.program.drafts[state.program.decisions[number]["draft"]]
    if not draft["staged"]:
        return raw.fields
    functions, fields, stages = state.program.functions, begin(state, draft, args), []
    for index, values in raw.steps:
        fields = functions[f"after_{draft['name']}_{index}"](state, *args, *fields, *values)
        stages.append((*fields, ()))
    return (*raw.fields, tuple(stages))


def begin(state: Any, draft: dict[str, Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The fields before any step."""
    made: tuple[Any, ...] = state.program.searches[draft["name"]][1](state, *args)
    return made


def next_steps(
    state: Any, draft: dict[str, Any], args: tuple[Any, ...], fields: tuple[Any, ...]
) -> list[tuple[Step, tuple[Any, ...], bool]]:
    """Legal next steps: (step, fields after it, whether the draft stops there)."""
    steps: list[tuple[Step, tuple[Any, ...], bool]] = state.program.functions["steps_" + draft["name"]](
        state, *args, *fields
    )
    return steps


def may_finish(state: Any, draft: dict[str, Any], args: tuple[Any, ...], fields: tuple[Any, ...]) -> bool:
    """True when the draft may be finished as it stands."""
    return bool(state.program.functions["finish_" + draft["name"]](state, *args, *fields))


def walk(state: Any, draft: dict[str, Any], args: tuple[Any, ...], taken: Sequence[Step]) -> Here | None:
    """Return the fields after some steps and whether the draft has stopped; None if a step is not legal."""
    here: Here | None = (begin(state, draft, args), False)
    for step in taken:
        here = None if here is None else advance(state, draft, args, here, step)
    return here


def advance(state: Any, draft: dict[str, Any], args: tuple[Any, ...], here: Here, step: Step) -> Here | None:
    """Return where one more step leads; None if it is not legal.

    Each step has a budget of its own, as it has where a player takes one after the other.
    """
    fields, stopped = here
    begin_anew(state)
    for found, new, stops in () if stopped else next_steps(state, draft, args, fields):
        if found == step:
            return new, bool(stops)
    return None


class TooManyOrders(Exception):
    """Steps were brought into no legal order among those that were tried; there may be others."""


def arranged(
    state: Any,
    draft: dict[str, Any],
    args: tuple[Any, ...],
    names: Sequence[Hashable],
    name_of: Callable[[Step], Hashable],
    taken: tuple[Step, ...] = (),
) -> tuple[Step, ...] | None:
    """Return the steps taken and those that `name_of` gives these names, in a legal order; None if there is none.

    An ordered draft keeps the order of the names. In an unordered one they may stand in any order: the steps come
    in the least legal one, so that each combination has one way. TooManyOrders where that takes too long to find.
    """
    here = walk(state, draft, args, taken)
    if here is None:
        return None
    ordered = not draft["unordered"]
    dead: set[Any] = set()  # what could not be completed from there
    known: dict[Step, Hashable] = {}
    tried = work = 0

    def further(fields: tuple[Any, ...], stopped: bool, left: tuple[Hashable, ...]) -> Iterator[Any]:
        nonlocal tried, work
        if tried >= len(names) and (tried >= MOST_ORDERS or work > LIMITS.steps):
            raise TooManyOrders
        tried += 1
        begin_anew(state)  # each step has a budget of its own, as where they are taken one after the other
        following = () if stopped or not left else next_steps(state, draft, args, fields)
        work += state.spent - state.program.unspent + len(following) * FOR_A_STEP
        for step, new, stops in following:
            name = known.get(step)
            if name is None:
                name = known[step] = name_of(step)
            if name == left[0] if ordered else name in left:
                at = left.index(name)
                rest = left[:at] + left[at + 1 :]
                mark = (new, bool(stops), frozenset(Counter(rest).items()))
                if mark not in dead:
                    dead.add(mark)  # gone into once, and left again only when it leads nowhere
                    yield step, new, bool(stops), rest
                if ordered:
                    return

    if not names:
        return taken
    way: list[Step] = []
    tries = [further(*here, tuple(names))]
    while tries:
        found = next(tries[-1], None)
        if found is None:
            tries.pop()
            if way:
                way.pop()
            continue
        step, fields, stopped, left = found
        way.append(step)
        if not left:
            return (*taken, *way)
        tries.append(further(fields, stopped, left))
    return None


_Taken = tuple[int, ...]  # the numbers of the steps taken, in order; in an ordered draft nothing is kept of them


class _Seen:
    """States that have been reached: equal in all fields, or (in an unordered draft) by the same steps."""

    __slots__ = ("states", "combinations", "ordered", "_draft", "_numbers", "_is_sized")

    def __init__(self, draft: dict[str, Any]) -> None:
        self.states: set[Any] = set()
        self.combinations: set[_Taken] = set()
        self.ordered = not draft["unordered"]
        self._draft = draft
        self._numbers: dict[Step, int] = {}
        self._is_sized = any(show[0] in _SIZED for show in draft["shows"])

    def __len__(self) -> int:
        return len(self.states)

    def is_new(self, state: Any, taken: _Taken) -> bool:
        """True for the first state of its kind, which is noted."""
        if state in self.states:
            return False
        if not self.ordered:
            if taken in self.combinations:
                return False
            self.combinations.add(taken)
        self.states.add(state)
        return True

    def joined(self, taken: _Taken, step: Step) -> _Taken:
        """What was taken, with one more step."""
        if self.ordered:
            return taken
        number = self._numbers.setdefault(step, len(self._numbers))
        at = bisect_right(taken, number)
        return (*taken[:at], number, *taken[at:])

    def look_on(self, state: Any, following: Sequence[Any], depth: int) -> None:
        """Count the steps that lead on from a state, and what is kept of the states behind them."""
        each = FOR_A_STEP + (0 if self.ordered else depth // _COPIED_AT_ONCE)
        if self._is_sized and following:
            each += max([size_of(new) for _, new, _ in following]) // KEPT_AT_ONCE
        self.count(state, len(following) * each)

    def count(self, state: Any, steps: int) -> None:
        """Count steps of the budget."""
        state.spent = spent = state.spent + steps
        if spent > LIMITS.steps:
            raise _too_much(self._draft)


def _too_much(draft: dict[str, Any]) -> OutOfSteps:
    """Return the fault of a draft whose search takes more than its budget."""
    return OutOfSteps(
        f"the draft `{draft['name']}` goes on without end here: its ends were not found in {SEARCHES * LIMITS.steps:,} "
        "steps of work; let its options require more, or ask in two decisions one after the other",
        (draft["file"], draft["line"]),
    )


def enumerate_finished(
    state: Any, draft: dict[str, Any], args: tuple[Any, ...], taken: tuple[Step, ...] = (), here: Here | None = None
) -> Drafted:
    """Return every offer that can be reached from the steps taken; `here` is where they have led."""
    known = None if taken or here is not None else _known_ends(state, draft)
    by = args if len(args) != 1 else args[0]
    if known is not None:
        found = known.get(by)
        if found.__class__ is Drafted:
            return found
    functions, name = state.program.functions, draft["name"]
    search, start = state.program.searches[name]
    if here is None:
        here = walk(state, draft, args, taken) if taken else (start(state, *args), False)
    if here is None:
        raise Fault(f"the unfinished draft `{name}` no longer fits the game")
    spent = search_begins(state)
    if search is None or here[1]:
        best, complete = _search(state, draft, args, here)
    else:
        best, complete = search(state, False, LIMIT, *args, *here[0])
    _search_ends(state, draft, spent)
    ends = list(best.items())
    if draft["cheapest"]:  # a stable sort: cheapest first
        field = functions.get("PRICE_" + name)
        if field is not None:
            ends.sort(key=lambda e: e[1][field])
        else:
            price_of = functions["price_" + name]
            ends.sort(key=lambda e: price_of(state, *args, *e[1][:-1]))
    drafted = Drafted(_preferred(state, draft, args, ends) if draft["prefers"] else ends, complete, taken)
    if known is not None and complete:
        known[by] = drafted
    return drafted


def _known_ends(state: Any, draft: dict[str, Any]) -> dict[Any, Drafted | bool] | None:
    """By arguments where a draft ends in this position, or whether it does, as far as a trial has looked; None beside
    trials, whose steps of the budget must not hang on that."""
    name = draft["kept"]
    if not name or not state.on_trial:
        return None
    known: dict[Any, Drafted | bool] | None = state.memo.get(name)
    if known is None or len(known) >= _MOST_KNOWN:
        known = state.memo[name] = {}
    return known


def _search(
    state: Any, draft: dict[str, Any], args: tuple[Any, ...], here: Here
) -> tuple[dict[Any, tuple[Any, ...]], bool]:
    """The best end for each offer (the fields and the way), state by state; and whether all were looked at."""
    functions = state.program.functions
    offer_of = functions["offer_" + draft["name"]]
    price_of = functions["price_" + draft["name"]] if draft["cheapest"] else None
    prices: dict[Any, Any] = {}
    best: dict[Any, tuple[Any, ...]] = {}
    seen = _Seen(draft)
    seen.is_new(here, ())
    ring: deque[tuple[tuple[Any, ...], Any, bool, _Taken]] = deque([(here[0], None, here[1], ())])
    complete, looked = True, 0
    while ring:
        fields, way, stopped, steps = ring.popleft()
        seen.count(state, FOR_A_STATE)
        if may_finish(state, draft, args, fields):
            offer = offer_of(state, *args, *fields)
            price = 0 if price_of is None else price_of(state, *args, *fields)
            if offer not in best or price < prices[offer]:
                best[offer] = (*fields, way)
                prices[offer] = price
        if stopped:
            continue
        if len(seen) > LIMIT or looked > MOST_STEPS:
            complete = False
            continue
        following = next_steps(state, draft, args, fields)
        looked += len(following)
        seen.look_on(state, following, len(steps))
        for step, new, stops in following:
            joined = seen.joined(steps, step)
            if seen.is_new((new, bool(stops)), joined):
                ring.append((new, (way, step[0], *step[1]), bool(stops), joined))
    return best, complete


def _preferred(
    state: Any, draft: dict[str, Any], args: tuple[Any, ...], found: list[tuple[Any, tuple[Any, ...]]]
) -> list[tuple[Any, tuple[Any, ...]]]:
    for index, sort in enumerate(draft["prefers"]):
        measure = state.program.functions[f"best_{draft['name']}_{index}"]
        values = [measure(state, *args, *e[1][:-1]) for e in found]
        if sort == "test":
            kept = [e for e, v in zip(found, values, strict=True) if v]
            found = kept or found
        elif found:
            wanted = min(values) if sort == "least" else max(values)
            found = [e for e, v in zip(found, values, strict=True) if v == wanted]
    return found


def is_possible(state: Any, name: str, args: tuple[Any, ...]) -> bool:
    """Whether a draft can be finished from its beginning; a fault is told where no end is found without one."""
    known, by = None, args if len(args) != 1 else args[0]
    if state.on_trial:
        known = _known_ends(state, state.program.drafts[name])
        if known is not None and by in known:
            return bool(known[by])
    search, start = state.program.searches[name]
    fields = start(state, *args)
    limit, spent = LIMITS.steps, state.spent  # as `search_begins`, without a call: it is asked for very often
    state.spent = spent - (SEARCHES - 1) * limit
    try:
        if search is not None:
            best, complete = search(state, True, QUICK_LOOK, *args, *fields)
            found = bool(best)
            is_known = found or complete
        else:  # an end at once, or nowhere to go, as it is mostly
            functions = state.program.functions
            found = bool(functions["finish_" + name](state, *args, *fields))
            is_known = found or not functions["steps_" + name](state, *args, *fields)
            spend(state, FOR_A_STATE)
    except FAULTS as fault:
        search_ends(state, spent)
        return _can_finish_soundly(state, state.program.drafts[name], args, (fields, False), fault)
    state.spent = spent = spent + (state.spent - spent + (SEARCHES - 1) * limit) // SEARCHES
    if spent > limit:
        raise _too_much(state.program.drafts[name])
    if not is_known:
        found = can_finish(state, state.program.drafts[name], args, (fields, False))
    if known is not None:
        known[by] = found
    return found


def can_finish(state: Any, draft: dict[str, Any], args: tuple[Any, ...], here: Here | None = None) -> bool:
    """Return whether an end of a draft is found from where some steps have led, or from its beginning."""
    if here is None:
        here = (begin(state, draft, args), False)
    spent = search_begins(state)
    try:
        found = _can_finish(state, draft, args, here)
    except FAULTS as fault:
        search_ends(state, spent)
        return _can_finish_soundly(state, draft, args, here, fault)
    _search_ends(state, draft, spent)
    return found


def _search_ends(state: Any, draft: dict[str, Any], spent: int) -> None:
    """End a search that came to its end; OutOfSteps if several of them took more than the budget."""
    search_ends(state, spent)
    if state.spent > LIMITS.steps:
        raise _too_much(draft)


def _can_finish(state: Any, draft: dict[str, Any], args: tuple[Any, ...], here: Here) -> bool:
    """Return True as soon as one finished draft is found.

    A few states are looked at in depth first, which finds the end of a draft of many steps at once; then all,
    the nearest first.
    """
    search, _start = state.program.searches[draft["name"]]
    if search is not None and not here[1]:
        best, complete = search(state, True, QUICK_LOOK, *args, *here[0])
        if best or complete:
            return bool(best)
    return _looks_for_end(state, draft, args, here, next_steps, may_finish)


def _looks_for_end(
    state: Any,
    draft: dict[str, Any],
    args: tuple[Any, ...],
    here: Here,
    following: Callable[..., Any],
    is_end: Callable[..., Any],
) -> bool:
    """Look for an end in rounds, each over more states than the last, in depth and the nearest first.

    What lies behind more than `LIMIT` states is not found: it counts as no end.
    """
    most = 0
    while most < LIMIT:
        most = min(LIMIT, most * _WIDER or QUICK_LOOK)
        for deep in (True, False):
            found = _finds_end(state, draft, args, here, deep, most, following, is_end)
            if found is not None:
                return found
    return False


def _finds_end(
    state: Any,
    draft: dict[str, Any],
    args: tuple[Any, ...],
    here: Here,
    deep: bool,
    most: int,
    following: Callable[..., Any],
    is_end: Callable[..., Any],
) -> bool | None:
    """Whether there is an end; None when it is not among the first `most` states, the latest or the nearest first.

    A state of many steps holds much: in depth it counts for several.
    """
    seen, beyond = _Seen(draft), 0
    nothing: _Taken = ()
    seen.is_new(here, nothing)
    waiting = deque([(*here, nothing, 0)])
    while waiting and len(seen) + beyond <= most:
        fields, stopped, steps, depth = waiting.pop() if deep else waiting.popleft()
        seen.count(state, FOR_A_STATE)
        beyond += depth // _STEPS_OF_A_STATE
        if is_end(state, draft, args, fields):
            return True
        if stopped:
            continue
        further = following(state, draft, args, fields)
        seen.look_on(state, further, depth)
        for step, new, stops in reversed(further) if deep else further:
            joined = seen.joined(steps, step)
            if seen.is_new((new, bool(stops)), joined):
                waiting.append((new, bool(stops), joined, depth + 1))
    return None if waiting else False


# --- where some steps cannot be worked out ---------------------------------------------------
# Whether a draft can be finished must not hang on the order in which its steps are looked at: an end that is reached
# without a fault is an end, whatever else is at fault. Where there is none, the first fault is told.


def _can_finish_soundly(state: Any, draft: dict[str, Any], args: tuple[Any, ...], here: Here, fault: Exception) -> bool:
    """The same where a fault was met: an end that is reached without one counts, or the first fault is told."""
    if isinstance(fault, OutOfSteps):
        raise fault
    spent = search_begins(state)
    found = _looks_for_end(state, draft, args, here, _sound_steps, lambda *where: _tried(may_finish, *where)[0])
    _search_ends(state, draft, spent)
    return found or bool(enumerate_finished(state, draft, args, here=here))


def _tried(called: Callable[..., Any], *args: Any) -> tuple[Any, bool]:
    """What a function of the rules gives, and whether it gives anything; a budget that is used up is no such fault."""
    try:
        return called(*args), True
    except OutOfSteps:
        raise
    except FAULTS:
        return None, False


def _sound_steps(
    state: Any, draft: dict[str, Any], args: tuple[Any, ...], fields: tuple[Any, ...]
) -> list[tuple[Step, tuple[Any, ...], bool]]:
    """As `next_steps`, without those that are at fault.

    Where an option has preferences a fault in one of its uses leaves nothing of it, for what is preferred is not known.
    """
    functions, out = state.program.functions, []
    for index, step in enumerate(draft["steps"]):
        key = f"{draft['name']}_{index}"
        uses: list[tuple[Any, ...]] | None = []
        for values, is_sound in _sound_uses(state, step, f"dom_{key}", (*args, *fields)):
            if is_sound and uses is not None:
                uses.append(values)
            elif step["prefers"]:
                uses = None
        for number, preference in enumerate(step["prefers"]):
            measure = functions[f"pref_{key}_{number}"]
            narrowed = functions["_prefer_" + preference["sort"]]
            uses, _ = _tried(narrowed, uses or [], lambda *use, of=measure: of(state, *args, *fields, *use))
        for values in uses or ():
            new, is_sound = _tried(functions["after_" + key], state, *args, *fields, *values)
            stops, is_told = step["stops"], True
            if stops is None:
                stops, is_told = _tried(functions["stops_" + key], state, *args, *fields, *values)
            if is_sound and is_told:
                out.append(((index, values), new, bool(stops)))
    return out


def _sound_uses(
    state: Any, step: dict[str, Any], domain: str, given: tuple[Any, ...]
) -> Iterator[tuple[tuple[Any, ...], bool]]:
    """The arguments that all requirements allow, each with True; with False where something was at fault."""
    functions = state.program.functions

    def fill(done: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], bool]]:
        if len(done) < len(step["params"]):
            members, is_sound = _tried(functions[f"{domain}_{len(done)}"], state, *given, *done)
            if not is_sound:
                yield done, False
            for value in members if is_sound else ():
                yield from fill((*done, value))
            return
        for number in step["requires"]:
            refused, is_sound = _tried(functions[f"ex_{number}"], state, *given, *done)
            if refused or not is_sound:
                if not is_sound:
                    yield done, False
                return
        yield done, True

    return fill(())
