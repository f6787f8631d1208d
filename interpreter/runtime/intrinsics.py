"""Runtime functions that compiled rules call with a position: moves, events, searches, decisions.

Compiled code calls them with a leading underscore. Dice are in `builtins.rolls`. None names a game concept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from interpreter.runtime import limits, log_entries, pending
from interpreter.runtime.builtins import graph, rolls, values
from interpreter.runtime.builtins.registry import BUILTINS, EVERYTHING, OperationFacts, builtin
from interpreter.runtime.builtins.values import least, most, normalize_number
from interpreter.runtime.draft_completion import is_possible
from interpreter.runtime.errors import BudgetExceededError, GameEnded, RuntimeFault, SkipSignal
from interpreter.runtime.limits import LIMITS, restore_budget, spend, suspend_budget
from interpreter.runtime.log_entries import LoggedEnd, LoggedForcedChoice, LoggedMove, LoggedPhase
from interpreter.runtime.state import State, own_list, snapshot_position
from interpreter.runtime.tables import ShiftedKey
from interpreter.runtime.text_lengths import require_text
from interpreter.runtime.type_aliases import Number, Outcome, PlainOption

if TYPE_CHECKING:
    from interpreter.runtime.coverage import Coverage
    from interpreter.runtime.tables import Chart

ASKED = object()


def clamp(value: Number, low: Number | None, high: Number | None, name: str) -> object:
    """Return the value limited to its bounds; None means no bound.

    `name` is unused; it is there because compiled code calls `clamp` and `require_bounds` alike.
    """
    if low is not None and value < low:
        return low
    return high if high is not None and value > high else value


def require_bounds(value: Number, low: Number | None, high: Number | None, name: str) -> Number:
    """Return the value; raise RuntimeFault if it is out of bounds. `name`: the attribute that the fault names."""
    if (low is not None and value < low) or (high is not None and value > high):
        bounds = (
            f"stay between {low} and {high}"
            if low is not None and high is not None
            else f"be {low} or more"
            if high is None
            else f"be {high} or less"
        )
        raise RuntimeFault(f"`{name}` would become {value}, but it must {bounds}")
    return value


def no_further_rung() -> None:
    """Raise the fault for a step past the end of a ladder."""
    raise RuntimeFault("the ladder ends here: there is no further rung")


def prefer_test(candidates: list[Any], test: Callable[..., Any]) -> list[Any]:
    """Return the candidates (tuples of arguments) that pass the test, or all if none does."""
    preferred = [c for c in candidates if test(*c)]
    return preferred or candidates


def prefer_least(candidates: list[Any], measure: Callable[..., Any]) -> list[Any]:
    """Return the candidates (tuples of arguments) with the least measure."""
    return list(least([(measure(*c), c) for c in candidates]))


def prefer_most(candidates: list[Any], measure: Callable[..., Any]) -> list[Any]:
    """Return the candidates (tuples of arguments) with the greatest measure."""
    return list(most([(measure(*c), c) for c in candidates]))


# --- pieces ---------------------------------------------------------------------------------


def of_class(pieces: tuple[int, ...], members: frozenset[int]) -> tuple[int, ...]:
    """Return the pieces that belong to a class. `members`: all pieces of the class."""
    return tuple([p for p in pieces if p in members])


def distinct(state: State, pieces: Sequence[int]) -> list[int]:
    """Return one piece of each group of interchangeable pieces, in order."""
    key = state.program.alike_key
    seen: dict[Any, int] = {}
    for p in pieces:
        k = key(state, p)
        if k not in seen:
            seen[k] = p
    return list(seen.values())


def is_first(state: State, piece: int, seen: dict[Any, int]) -> bool:
    """Return whether no interchangeable piece was seen before; record the piece in `seen` if so."""
    return seen.setdefault(state.program.alike_key(state, piece), piece) == piece


@builtin("alike(piece: piece, set: members) -> same", needs="state", facts=OperationFacts(reads=(EVERYTHING,)))
def alike(state: State, piece: int, pieces: tuple[int, ...]) -> tuple[int, ...]:
    """Return the pieces among `pieces` that are interchangeable with a piece."""
    same: tuple[int, ...] = state.program.alike_to(state, piece, pieces)
    return same


def move(state: State, piece: int, place: int, cites: tuple[str, ...] = ()) -> None:
    """Move a piece to another place and log the move. `cites`: the paragraphs that the move cites."""
    origin = state.at[piece]
    if origin == place:
        return
    if not state.own & 1:
        own_list(state, "at", 1)
    occ = state.occ
    state.at[piece] = place
    here = occ[origin]
    if len(here) == 1:
        occ[origin] = ()
    else:
        left = [*here]
        left.remove(piece)
        occ[origin] = tuple(left)
    here = occ[place]
    if not here or here[-1] < piece:
        occ[place] = here + (piece,)  # half the time of unpacking
    else:
        there = [*here, piece]
        there.sort()
        occ[place] = tuple(there)
    if state.memo:
        state.program.forget_places(state)
    if state.log is not None:
        state.log.append(LoggedMove((piece,), origin, place, cites))


def move_all(state: State, pieces: tuple[int, ...], place: int, cites: tuple[str, ...] = ()) -> None:
    """Move several pieces to another place and log the moves. `cites`: the paragraphs that the moves cite."""
    if len(pieces) == 1:
        move(state, pieces[0], place, cites)
        return
    if not state.own & 1:
        own_list(state, "at", 1)
    where, occ, log = state.at, state.occ, state.log
    came: dict[int, list[int]] = {}
    for p in pieces:
        if where[p] != place:
            came.setdefault(where[p], []).append(p)
    if not came:
        return
    for origin, movers in came.items():
        left = set(movers)
        occ[origin] = tuple([p for p in occ[origin] if p not in left])
        for p in movers:
            where[p] = place
        if log is not None:
            log.append(LoggedMove(tuple(movers), origin, place, cites))
    occ[place] = tuple(sorted([*occ[place], *(p for movers in came.values() for p in movers)]))
    if state.memo:
        state.program.forget_places(state)


def apply_together(state: State, effects: list[tuple[Any, ...]]) -> list[tuple[int, int, int]]:
    """Apply the effects of a `together` block at once. Return (piece, origin, place) of the pieces that moved.

    `effects`: (slot, owner, new value) of each; or, for a change by an amount, (slot, owner, amount, bounds): such
    amounts are added up. Two different values for one slot and owner, or a value and an amount, are a fault.
    """
    new: dict[tuple[str, Any], Any] = {}
    amounts: dict[tuple[str, Any], Any] = {}
    bounds: dict[tuple[str, Any], tuple[Any, ...]] = {}
    for slot, owner, value, *rest in effects:
        key = (slot, owner)
        if rest:
            amounts[key] = amounts.get(key, 0) + value
            bounds[key] = rest[0]
        elif new.setdefault(key, value) != value:
            raise RuntimeFault("two effects of one `together` block set the same thing differently")
    for key in amounts:
        if key in new:
            raise RuntimeFault("one `together` block both sets a value and changes it by an amount")
        slot, owner = key
        low, high, clamps, name = bounds[key]
        old = getattr(state, slot) if owner is None else getattr(state, slot)[owner]
        new[key] = (clamp if clamps else require_bounds)(normalize_number(old + amounts[key]), low, high, name)
    moves = []
    for (slot, owner), value in new.items():
        if slot == "at":
            if state.at[owner] != value:
                moves.append((owner, state.at[owner], value))
            move(state, owner, value)
        elif owner is None:
            setattr(state, slot, value)
        else:
            mark = type(state).marks.get(slot)
            if mark is not None and not state.own & mark:
                own_list(state, slot, mark)
            getattr(state, slot)[owner] = value
    invalidate(state, {slot for slot, _ in new if slot != "at"})
    return moves


def invalidate(state: State, written: set[str]) -> None:
    """Invalidate memoized values that depend on the slots in `written`."""
    if not state.memo:
        return
    read_by = state.program.memo_inputs
    state.memo = {
        name: memoized
        for name, memoized in state.memo.items()
        if read_by[name].isdisjoint(written) and EVERYTHING not in read_by[name]
    }


_MAX_SEARCHES = 500  # memoized searches of one kind per position


def shared_distance(
    state: State,
    search: str,
    key: tuple[Any, ...],
    where: graph.Test | None,
    cost: graph.Test | None,
    goal: tuple[int, ...],
    steps: int,
) -> object:
    """Return the cost of the cheapest path to a goal, or None, reusing a memoized Dijkstra search.

    `search`: the name of the memo. `key`: the key in it, the start and the values that the tests depend on. `where`
    and `cost`: as for `graph.distance`. `steps`: the budget steps for each place visited.
    """
    searches = state.memo.get(search)
    if searches is None:
        searches = state.memo[search] = {}
    graph_search = searches.get(key)
    if graph_search is None:
        if len(searches) >= _MAX_SEARCHES:
            searches.clear()
        graph_search = searches[key] = graph.GraphSearch(state.program.links, key[0], where, cost)
    try:
        return graph_search.find_cost(goal, where, cost, state, steps)
    except Exception:
        del searches[key]  # an interrupted generator would look exhausted
        raise


def holding_place(first: int, count: int, number: int, name: str) -> int:
    """Return the place `number`, counted from 1, of `count` holding places with one name; `first` is the first of them.

    Raises RuntimeFault if that place does not exist. `name`: their name.
    """
    if not 1 <= number <= count:
        raise RuntimeFault(f"`{name}` number {number} does not exist; there are {count}")
    return first + number - 1


# --- events, flow -------------------------------------------------------------------------------


def numbers(low: int, high: int) -> range:
    """Return the integers of a range, including both ends."""
    if high - low >= LIMITS.range:
        raise BudgetExceededError(
            f"the range {low}..{high} holds {high - low + 1:,} numbers; a loop takes at most "
            f"{LIMITS.range:,}; look for the end of the range that has grown too large"
        )
    return range(low, high + 1)


def charge_repeats(state: State, count: int, steps: int = 1) -> range:
    """Return the range for a loop of `count` iterations; charge `steps` for each to the budget of the choice."""
    spend(state, max(count, 0) * steps)
    return range(count)


def note_phase(state: State, phase: str, cites: tuple[str, ...], values: tuple[Any, ...]) -> None:
    """Log that a phase begins; `values` fill the placeholders of its title."""
    log = state.log
    if log is None:
        return
    noted = snapshot_position(state) if log.hashes else None
    log.append(LoggedPhase(phase, cites, noted, state.turn, values))


def end_game(state: State, winner: tuple[int, ...] | None, level: int | None, cites: tuple[str, ...]) -> None:
    """End the game: set the outcome and drop the suspended procedures.

    `winner`: handles of the winning seats, None for a draw. `level`: number of the victory level, or None.
    """
    state.outcome, state.stack = Outcome(winner, level, cites), ()
    if state.log is not None:
        state.log.append(LoggedEnd(winner, level, cites))


def log_forced_choice(state: State, number: int, values: tuple[Any, ...], option: PlainOption) -> None:
    """Log that a decision's sole legal option was taken automatically, with its side and call depth.

    `number`: the number of the decision. `values`: the values its expressions read. `option`: the number of the option
    and its arguments.
    """
    if state.log is not None:
        index, args = option
        words, saved_budget = None, suspend_budget(state)
        if state.program.decisions[number].options[index].label is not None:
            with suppress(RuntimeFault, ArithmeticError, RecursionError, MemoryError):  # then its name is shown instead
                words = state.program.functions.get_label(number, index)(state, *values, *args)
        side = side_that_took(state, number, values)
        restore_budget(state, saved_budget)
        state.log.append(LoggedForcedChoice(number, values, option, words, side, stack_depth(state)))


def stack_depth(state: State) -> int:
    """Return how many procedures are suspended below the one that runs or asks."""
    depth, rest = 0, state.stack
    while rest:
        depth, rest = depth + 1, rest[2]
    return depth


def side_that_took(state: State, number: int, values: tuple[Any, ...]) -> int | None:
    """Return the handle of the side whose decision was automatic, or None if it cannot be evaluated.

    `number`: the number of the decision. `values`: the values its expressions read.
    """
    decider = state.program.deciders[number]
    try:
        side: int = decider(state, *values) if callable(decider) else values[decider]
    except (RuntimeFault, ArithmeticError, LookupError, TypeError):
        return None
    return side


def no_option(state: State, address: str) -> None:
    """Raise the fault for a decision without a legal option, given its address; `state` is not used."""
    raise RuntimeFault(f"nothing can be chosen at `{address}`, and the decision has no `otherwise`")


def no_end(draft: str) -> None:
    """Raise the fault for a mandatory draft that cannot be finished legally."""
    raise RuntimeFault(f"no end of the draft `{draft}` was found here; ask `possible {draft}(...)` first")


def assert_failed(state: State, words: int | None, values: tuple[Any, ...]) -> None:
    """Raise the fault for an assertion of the ruleset that does not hold.

    `words`: the number of its text, or None. `values`: the values that fill the placeholders of the text.
    """
    require_text(state, "", words, values)
    raise RuntimeFault("what the rules assert does not hold: " + state.program.get_localizer().fill_text(words, values))


def why(state: State, rule: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the reasons why a rule does not hold, or () if it does. `args`: the arguments of the rule."""
    return state.program.list_failures(state, state.program.rules[rule], args)


@builtin(
    "highest_level(seat: seat) -> maybe level",
    needs="state",
    facts=OperationFacts(reads=(EVERYTHING,), faults=True, looks_up=True),
)
def highest_level(state: State, seat: int) -> int | None:
    """Return the number of the highest victory level that a seat has reached, or None."""
    best = None
    for index, (owner, test) in enumerate(state.program.levels):
        if owner == seat and test is not None and test(state):
            best = index
    return best


def run_queued(state: State) -> object:
    """Remove the first call from the `later` queue and run it; return what the procedure's function returns."""
    (name, args), *rest = state.queue
    state.queue = tuple(rest)
    spend(state, 20)
    called = state.program.functions.get_procedure(name)
    if name in state.program.suspending:
        return called(state, 0, args)
    return called(state, *args)


def look_covered(coverage: Coverage, name: str, chart: Chart, values: tuple[Any, ...]) -> object:
    """Return the cell of a chart, and record for coverage that it was read.

    `name`: the chart's name. `values`: the value on each axis.
    """
    rows = chart.find_rows(values)
    if isinstance(rows, list):
        coverage.record_cell(name, tuple(rows))
    return chart.look(*values)


NAMESPACE: dict[str, Any] = {
    **values.NAMESPACE,
    **log_entries.EMITTED,
    **pending.EMITTED,
    **values.list_compiled_functions(vars(limits)),
    **values.list_compiled_functions(vars()),
    **{"_" + name: getattr(graph, name) for name in ("distance", "path", "reach", "closure")},
    **{"_" + name: getattr(rolls, name) for name in ("roll", "draw", "single_member", "count_dice", "count_draw")},
    "_ASKED": ASKED,
    "_Skip": SkipSignal,
    "_Ended": GameEnded,
    "_Shifted": ShiftedKey,
    "_range": numbers,
    "_possible": is_possible,
    **{"_" + name: b.function for name, b in BUILTINS.items()},
}
