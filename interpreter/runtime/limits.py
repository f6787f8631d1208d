"""The limits of what rules may do between two decisions: one table, and the words for going over each.

Nothing here hangs on time, so that every machine says the same. Must not know rules, nor what is counted where.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from interpreter.runtime.faults import Fault, OutOfSteps


@dataclass(frozen=True, slots=True)
class Limits:
    """The figures of docs/author-guide/limits.md."""

    steps: int = 2_000_000  # of work between two decisions, or for one question
    range: int = 10_000  # numbers of a range
    members: int = 10_000  # of a list, or of a set that is not of things
    digits: int = 1_000  # of a number, above and below the line of a fraction
    dice: int = 10_000  # in one roll
    options: int = 100_000  # of one decision
    queued: int = 10_000  # procedures put off with `later`
    deep: int = 100  # calls of procedures inside one another


LIMITS = Limits()
TELLING = 10  # times as many steps for what is told of a choice
LASTING = 4  # times as many for what is computed once for all positions
MOST_HELD = 4_000_000  # members of what is kept for all positions; over it all of it is forgotten
_ENTRY = 4  # members that take as much memory as an entry of a table
KEPT_AT_ONCE = 2  # members of sets and lists that a search may keep for one step
SEARCHES = 4  # times as many steps for the search of a draft


class Meter:
    """What is computed once for all positions: its steps, counted beside those of a choice, and what is kept of it.

    Functions of the rules that are given no state count here. What is kept depends on what was asked before, so these
    steps are no part of a choice: they are a second wall, far behind its own. `forget` drops all that is kept.
    """

    __slots__ = ("spent", "unspent", "held", "forget")

    def __init__(self, forget: Callable[[], None]) -> None:
        self.spent = self.unspent = (1 - LASTING) * LIMITS.steps
        self.held = 0
        self.forget = forget


def hold(meter: Meter, value: Any) -> None:
    """Count a value that is kept for all positions; what is kept is forgotten when it has become too much.

    Of rows and sets in a tuple the first stands for all, so that counting takes no longer for many.
    """
    held = _ENTRY
    while value.__class__ is tuple and value:
        held *= len(value)
        value = value[0]
    meter.held += held
    if meter.held > MOST_HELD:
        meter.held = 0
        meter.forget()


def out_of_steps() -> NoReturn:
    """Raise the fault of rules that take more steps than they have."""
    raise OutOfSteps(
        f"the rules go on without end here: they took more than {LIMITS.steps:,} steps of work; "
        "look for a loop that never ends, or for loops inside one another over too many members"
    )


def search_begins(state: Any) -> int:
    """A search of a draft has more steps than rules alone: the number of its states is bounded as well."""
    before: int = state.spent
    state.spent = before - (SEARCHES - 1) * LIMITS.steps
    return before


def search_ends(state: Any, before: int) -> None:
    """What was spent in it counts by so much less."""
    state.spent = before + (state.spent - before + (SEARCHES - 1) * LIMITS.steps) // SEARCHES


def more_states(state: Any, limit: int, states: int, fields: Any) -> int:
    """Return up to how many states a search goes on; the memory for those is counted, by one of them."""
    spend(state, size_of(fields) * 1_000 // KEPT_AT_ONCE)
    return min(limit, states)


def begin_anew(state: Any) -> None:
    """Give a question a budget of its own."""
    program = state.program
    state.spent = program.unspent
    program.meter.spent = program.meter.unspent


def choice_begins(state: Any) -> None:
    """So has a choice; it begins with nothing remembered that counts, so that it ends there whatever was asked.

    On trial what is remembered serves the next look, which nobody keeps.
    """
    program, memo = state.program, state.memo
    state.spent = program.unspent
    program.meter.spent = program.meter.unspent
    if memo and not state.on_trial:
        for name in program.counted.intersection(memo):
            del memo[name]


def aside(state: Any) -> tuple[int, dict[str, Any]]:
    """What is told now is no part of the choice: it counts by itself and leaves nothing remembered, until `resumed`."""
    kept = state.spent, state.memo
    state.spent, state.memo = state.program.unspent - (TELLING - 1) * LIMITS.steps, {}
    return kept


def resumed(state: Any, kept: tuple[int, dict[str, Any]]) -> None:
    """The choice goes on."""
    state.spent, state.memo = kept


def spend(state: Any, steps: int = 1) -> None:
    """So many steps of the budget between two decisions."""
    state.spent += steps
    if state.spent > LIMITS.steps:
        out_of_steps()


def through(state: Any, items: Any, steps: int) -> Any:
    """The members, to be gone through: so many steps for each are counted at once."""
    state.spent = spent = state.spent + len(items) * steps
    if spent > LIMITS.steps:
        out_of_steps()
    return items


def sized(number: Any) -> Any:
    """A number, which must not have grown too long."""
    if -_WIDE < number < _WIDE and (type(number) is int or number.denominator < _WIDE):
        return number
    raise Fault(
        f"a number of more than {LIMITS.digits:,} digits comes out here, which is more than numbers may have; "
        "look for a number that is multiplied or divided again and again"
    )


def joined(state: Any, one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """Two lists as one."""
    return gathered(state, one + other)


def looked(state: Any, members: tuple[Any, ...]) -> tuple[Any, ...]:
    """A list or set that is gone through as a whole."""
    if state is not None:
        spend(state, 1 + len(members) // _COPIED_AT_ONCE)
    return members


def gathered(state: Any, members: tuple[Any, ...]) -> tuple[Any, ...]:
    """A list, or a set of what there is no end of, which must not have grown too long."""
    if len(members) > LIMITS.members:
        raise Fault(
            f"a list or set of {len(members):,} members comes out here; at most {LIMITS.members:,} are kept; "
            "look for a loop that adds to it again and again"
        )
    return looked(state, members)


def size_of(value: Any) -> int:
    """Return the number of members that a value holds, those of its members counted."""
    count, waiting = 0, [value]
    while waiting:
        found = waiting.pop()
        if found.__class__ is tuple:
            count += len(found)
            waiting += [x for x in found if x.__class__ is tuple]
    return count


def held(state: Any, value: Any) -> Any:
    """A value to be kept that can hold lists of lists: all that is in it counts."""
    count, waiting = 0, [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, tuple):
            count += len(found)
            if count > LIMITS.members:
                raise Fault(
                    f"a value holds more than {LIMITS.members:,} members here, those of its members counted; "
                    "look for lists in lists that grow"
                )
            waiting.extend(found)
    spend(state, count // 4)
    return value


def put_off(state: Any, procedure: str, args: tuple[Any, ...]) -> None:
    """A procedure waits for the next time that the rules settle what they put off."""
    if len(state.queue) >= LIMITS.queued:
        raise Fault(
            f"`later` puts off more than {LIMITS.queued:,} calls; `{procedure}` is the last of them; look for "
            "a loop or a procedure that puts off again and again"
        )
    state.queue += ((procedure, args),)


def listed(options: list[Any], option: Any, address: str) -> None:
    """One more option of a decision."""
    if len(options) >= LIMITS.options:
        raise Fault(
            f"`{address}` offers more than {LIMITS.options:,} options; let the option require more, or ask in "
            "two decisions one after the other"
        )
    options.append(option)


def deeper(state: Any, procedure: str, most: int) -> None:
    """One more call of a procedure inside itself, against its own bound and that of all."""
    depth = state.depth.get(procedure, 0) + 1
    state.depth = {**state.depth, procedure: depth}
    if depth > most:
        raise Fault(f"`{procedure}` calls itself more than {most} deep")
    if depth > LIMITS.deep:
        raise Fault(
            f"`{procedure}` calls itself {depth:,} deep; calls stand at most {LIMITS.deep} deep in one "
            "another; use a loop, or `later`"
        )


def back(state: Any, procedure: str) -> None:
    """One call less."""
    state.depth = {**state.depth, procedure: state.depth[procedure] - 1}


_WIDE = 10**LIMITS.digits
_COPIED_AT_ONCE = 16  # members of a list that are copied in the time of one step
