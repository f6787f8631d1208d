"""Limits on what rules may do between two decisions, and the errors for exceeding them.

Nothing depends on time, so every machine gives the same result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from interpreter.runtime.errors import BudgetExceededError, RuleFault, RuntimeFault
from interpreter.runtime.type_aliases import Number

if TYPE_CHECKING:
    from interpreter.runtime.state import State

T = TypeVar("T")
Members = TypeVar("Members", bound=Sized)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits documented in docs/author-guide/limits.md; `letters`: the maximum length of a text."""

    steps: int = 2_000_000  # of work between two decisions, or for one query
    range: int = 10_000  # in a range
    members: int = 10_000  # of a list, or of a set of plain values
    digits: int = 1_000  # of an int, or of the numerator or denominator of a fraction
    dice: int = 10_000  # in one roll
    options: int = 100_000  # of one decision
    queued: int = 10_000  # procedures queued by `later`
    deep: int = 100  # nested procedure calls
    forced: int = 10_000  # decisions in a row in which no player has a choice
    letters: int = 1_000_000  # of a text, and of all texts logged for one choice


LIMITS = Limits()
SHOWN = 4  # times as many for all that is shown at once: a picture, a list, a page
TELLING = 10  # times as many steps for the reports of a choice
LASTING = 4  # times as many for what is computed once for all positions
MAX_MEMOIZED_MEMBERS = 4_000_000  # members of what is kept for all positions; over it all of it is forgotten
_FOR_A_TEXT = 20  # steps charged for each evaluation under a shared budget
_KEPT = 4  # steps charged for each member that the log keeps
ENTRY = 4  # members that take as much memory as an entry of a table
KEPT_AT_ONCE = 2  # members of sets and lists that a search may keep per step spent
SEARCHES = 4  # budget factor of a draft search


class Meter:
    """The budget of values that are computed once for all positions: steps and memory, apart from those of a choice.

    Functions of the rules without a state argument are charged to it. Whether a value is cached depends on earlier
    queries, so these steps cannot be part of a choice's budget; this limit is much higher. `forget` clears the caches.
    """

    __slots__ = ("spent", "unspent", "held", "forget")

    def __init__(self, forget: Callable[[], None]) -> None:
        self.spent = self.unspent = (1 - LASTING) * LIMITS.steps
        self.held = 0
        self.forget = forget


def hold(meter: Meter, value: object) -> None:
    """Charge a value cached for all positions to the memory budget; clear the caches when the limit is exceeded.

    In nested tuples the size of the first element is used for all, so that counting does not take longer for large
    values.
    """
    size = ENTRY
    while value.__class__ is tuple and value:
        size *= len(value)
        value = value[0]
    meter.held += size
    if meter.held > MAX_MEMOIZED_MEMBERS:
        meter.held = 0
        meter.forget()


def out_of_steps() -> NoReturn:
    """Raise the fault for rules that exceed their step budget."""
    raise BudgetExceededError(
        f"the rules go on without end here: they took more than {LIMITS.steps:,} steps of work; "
        "look for a loop that never ends, or for loops inside one another over too many members"
    )


def begin_search(state: State) -> int:
    """Prepare the step budget for a draft search; return the steps spent before it, for `end_search`.

    A search gets `SEARCHES` times the usual step budget, because the number of its states is limited as well.
    """
    before: int = state.spent
    state.spent = before - (SEARCHES - 1) * LIMITS.steps
    return before


def end_search(state: State, before: int) -> None:
    """End a draft search: count only 1 / `SEARCHES` of the steps it spent. `before`: the steps spent before it."""
    state.spent = before + (state.spent - before + (SEARCHES - 1) * LIMITS.steps) // SEARCHES


class SharedBudget:
    """One step budget for many queries, such as those for the texts of a picture, a list or a page.

    If it is used up and `is_tolerant`, the remaining texts are left out and `fault` holds the fault; otherwise the
    fault is raised.
    """

    __slots__ = ("left", "is_tolerant", "fault", "_costs", "_times", "_asked", "_state", "_begun")

    def __init__(self, is_tolerant: bool = False) -> None:
        self.left = SHOWN * LIMITS.steps
        self.is_tolerant = is_tolerant
        self.fault: RuleFault | None = None
        self._costs: Counter[str] = Counter()
        self._times: Counter[str] = Counter()
        self._asked = ""
        self._state: State | None = None
        self._begun = 0

    def ask(self, state: State, question: str) -> None:
        """Begin a query charged to this budget.

        `question`: the name of the compiled function that computes it, or ''.
        """
        program = state.program
        if self._state is None:
            program.meter.spent = program.meter.unspent
        self.settle()
        self._state, self._asked = state, question
        self._times[question] += 1
        state.spent = self._begun = max(program.unspent, LIMITS.steps - self.left)
        spend(state, _FOR_A_TEXT)

    def explain(self, state: State, fault: BaseException) -> BaseException:
        """Return the error to report: `fault`, or one that names the most expensive query if this budget is used up."""
        if not isinstance(fault, BudgetExceededError) or self._begun <= state.program.unspent:
            return fault
        self.settle()
        query, cost = self._costs.most_common(1)[0]
        function = state.program.namespace.get(query)
        code = getattr(function, "__code__", None)
        return BudgetExceededError(
            f"what is asked here at once takes more than {SHOWN * LIMITS.steps:,} steps of work; the most expensive "
            f"part is this one (steps: {cost:,}, evaluations: {self._times[query]:,}); make it cheaper, or use it less",
            None if code is None else (code.co_filename, code.co_firstlineno),
        )

    def follow(self, state: State) -> None:
        """Charge to this budget the steps that `state` spends from now on.

        Used for a state whose choice began with a budget of its own.
        """
        self._state, self._begun = state, state.spent

    def leave_out_texts(self, fault: RuleFault) -> None:
        """Record `fault`, after which no more texts are formatted, and grant a second budget.

        The second budget serves computations that cannot be left out.
        """
        self.fault = fault
        self.left = SHOWN * LIMITS.steps

    def settle(self) -> None:
        """Add the steps of the last query to the cost of its function, and subtract them from this budget."""
        if self._state is not None:
            cost = max(0, self._state.spent - self._begun)
            self.left -= cost
            self._costs[self._asked] += cost
            self._state = None


_SHARED: ContextVar[SharedBudget | None] = ContextVar("shared", default=None)
_ON_FAULT: ContextVar[Callable[[RuleFault], None] | None] = ContextVar("on_fault", default=None)


@contextmanager
def one_budget(shared: SharedBudget | None = None, is_tolerant: bool = False) -> Iterator[SharedBudget]:
    """Share one step budget among all queries in the `with` block, and yield it.

    It is the budget of an enclosing `one_budget` if there is one, otherwise `shared`, or a new one. `is_tolerant`: when
    it is used up, the remaining texts are left out instead of raising the fault.
    """
    outer = _SHARED.get()
    if outer is not None:
        yield outer
        return
    budget, on_fault = shared or SharedBudget(is_tolerant), _ON_FAULT.get()
    budget.is_tolerant = budget.is_tolerant or on_fault is not None
    token = _SHARED.set(budget)
    try:
        yield budget
    finally:
        budget.settle()
        _SHARED.reset(token)
        if on_fault is not None and budget.fault is not None:
            on_fault(budget.fault)


@contextmanager
def tolerate_exhaustion(on_fault: Callable[[RuleFault], None]) -> Iterator[None]:
    """In the `with` block, leave out texts when a budget that they share is used up, instead of raising the fault.

    `on_fault` is called with the fault, once for each different message. Only what is shown is affected: choices have
    budgets of their own.
    """
    reported: set[str] = set()

    def tell_once(fault: RuleFault) -> None:
        if str(fault) not in reported:
            reported.add(str(fault))
            on_fault(fault)

    token = _ON_FAULT.set(tell_once)
    try:
        yield
    finally:
        _ON_FAULT.reset(token)


@contextmanager
def own_budget() -> Iterator[None]:
    """Give every query within the `with` block its own budget, even inside `one_budget`."""
    token = _SHARED.set(None)
    try:
        yield
    finally:
        _SHARED.reset(token)


def shared_budget() -> SharedBudget | None:
    """Return the step budget shared by the current queries, or None."""
    return _SHARED.get()


def reset_budget(state: State, question: str = "") -> None:
    """Give a query a new step budget, or, inside `one_budget`, charge it to the shared one.

    `question`: the name of the compiled function that computes it, or ''.
    """
    shared = _SHARED.get()
    if shared is not None:
        shared.ask(state, question)
        return
    program = state.program
    state.spent = program.unspent
    program.meter.spent = program.meter.unspent


def begin_choice(state: State) -> None:
    """Reset the step budget for a choice and drop the memos that affect step counts.

    So the choice exhausts its budget at the same point whatever was queried before. Trials keep the memos, because
    their results are not recorded.
    """
    program, memo = state.program, state.memo
    state.spent = program.unspent
    program.meter.spent = program.meter.unspent
    if memo and not state.on_trial:
        for name in program.counted.intersection(memo):
            del memo[name]


def suspend_budget(state: State) -> tuple[int, dict[str, Any]]:
    """Suspend the budget and the memos while a text is formatted; return what `restore_budget` needs to restore them.

    Formatting does not count towards the choice and leaves nothing memoized.
    """
    saved_budget, log = (state.spent, state.memo), state.log
    assert log is not None
    state.spent, state.memo = state.program.unspent - (TELLING - 1) * LIMITS.steps + log.text_steps, {}
    return saved_budget


def restore_budget(state: State, saved_budget: tuple[int, dict[str, Any]]) -> None:
    """Restore the budget and the memos that `suspend_budget` returned; charge the steps since then to the log's texts.

    `saved_budget`: what `suspend_budget` returned.
    """
    log = state.log
    assert log is not None
    log.text_steps = (
        state.spent - state.program.unspent + (TELLING - 1) * LIMITS.steps + _KEPT * log.measure_last_entry()
    )
    state.spent, state.memo = saved_budget
    if log.text_steps > TELLING * LIMITS.steps:
        raise BudgetExceededError(
            f"the reports of this one choice take more than {TELLING * LIMITS.steps:,} steps of work; "
            "report less, or less often"
        )


def spend(state: State, steps: int = 1) -> None:
    """Charge steps to the budget of the choice; raise BudgetExceededError if it is used up."""
    state.spent += steps
    if state.spent > LIMITS.steps:
        out_of_steps()


def charge_items(state: State, items: Members, steps: int) -> Members:
    """Charge `steps` for each of the items to the budget, before a loop over them, and return the items."""
    state.spent = spent = state.spent + len(items) * steps
    if spent > LIMITS.steps:
        out_of_steps()
    return items


def require_digits(number: Number) -> object:
    """Return `number`; raise RuntimeFault if it has too many digits."""
    if -_WIDE < number < _WIDE and (type(number) is int or number.denominator < _WIDE):
        return number
    raise RuntimeFault(
        f"a number of more than {LIMITS.digits:,} digits comes out here, which is more than numbers may have; "
        "look for a number that is multiplied or divided again and again"
    )


def concatenate(state: State, left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the concatenation of two lists, charged to the budget; raise RuntimeFault if it is too long."""
    return require_members(state, left + right)


def charge_copy(state: State, members: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a list or set after charging its copy to the budget; if `state` is None, nothing is charged."""
    if state is not None:
        spend(state, 1 + len(members) // _COPIED_AT_ONCE)
    return members


def require_members(state: State, members: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a list or an unbounded set, charged to the budget; raise RuntimeFault if it has too many members."""
    if len(members) > LIMITS.members:
        raise RuntimeFault(
            f"a list or set of {len(members):,} members comes out here; at most {LIMITS.members:,} are kept; "
            "look for a loop that adds to it again and again"
        )
    return charge_copy(state, members)


def size_of(value: object) -> int:
    """Return the number of members of a value, including nested ones."""
    if value.__class__ is not tuple:
        return 0
    count, waiting = 0, [value]
    while waiting:
        members = waiting.pop()
        count += len(members)
        waiting += [x for x in members if x.__class__ is tuple and x]
    return count


def require_nested_members(state: State, value: Members) -> object:
    """Return a stored value that can hold nested lists, charged to the budget.

    Raises RuntimeFault if it has too many members, counting those of nested lists.
    """
    count, waiting = 0, [value]
    while waiting:
        member = waiting.pop()
        if isinstance(member, tuple):
            count += len(member)
            if count > LIMITS.members:
                raise RuntimeFault(
                    f"a value holds more than {LIMITS.members:,} members here, those of its members counted; "
                    "look for lists in lists that grow"
                )
            waiting.extend(member)
    spend(state, count // 4)
    return value


def queue_call(state: State, procedure: str, args: tuple[Any, ...]) -> None:
    """Queue a call of a procedure until the rules next settle their `later` calls."""
    if len(state.queue) >= LIMITS.queued:
        raise RuntimeFault(
            f"`later` postpones more than {LIMITS.queued:,} calls; `{procedure}` is the last of them; look for "
            "a loop or a procedure that postpones calls again and again"
        )
    state.queue += ((procedure, args),)


def append_option(options: list[Any], option: object, address: str) -> None:
    """Append an option to `options`; raise RuntimeFault above the limit. `address`: the address of the option."""
    if len(options) >= LIMITS.options:
        raise RuntimeFault(
            f"`{address}` offers more than {LIMITS.options:,} options; let the option require more, or ask in "
            "two decisions one after the other"
        )
    options.append(option)


def enter_call(state: State, procedure: str, most: int) -> None:
    """Count a recursive call; raise a fault if `most`, the procedure's own limit, or the limit for all is exceeded."""
    depth = state.depth.get(procedure, 0) + 1
    state.depth = {**state.depth, procedure: depth}
    if depth > most:
        raise RuntimeFault(f"`{procedure}` calls itself more than {most} deep")
    if depth > LIMITS.deep:
        raise RuntimeFault(
            f"`{procedure}` calls itself {depth:,} deep; calls may be nested at most {LIMITS.deep} deep; "
            "use a loop, or `later`"
        )


def leave_call(state: State, procedure: str) -> None:
    """Count the return from a recursive call."""
    state.depth = {**state.depth, procedure: state.depth[procedure] - 1}


_WIDE = 10**LIMITS.digits
_COPIED_AT_ONCE = 16  # list members copied in the time of one step
