"""Log entries of the choices that sides make, and of sole draft ends, which are taken without asking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.runtime import drafts
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.drafts import RawOption
from interpreter.runtime.intrinsics import side_that_took, stack_depth
from interpreter.runtime.limits import own_budget, spend
from interpreter.runtime.log_entries import LoggedChoice, LoggedForcedChoice
from interpreter.runtime.machine import find_deciding_side
from interpreter.runtime.option_keys import is_group
from interpreter.runtime.option_words import OptionWords, describe_option
from interpreter.runtime.pending import PendingDraft, get_pending_decision
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import PlainOption, Telling, Value, Values

if TYPE_CHECKING:
    from interpreter.runtime.program import Program

_MAX_MEMOIZED = 100_000  # memoized log entries


def build_choice_entry(decision: Decision, raw: RawOption) -> LoggedChoice:
    """Return the log entry of a choice."""
    side, seat = decision.find_side_and_seat()
    cites = Option(decision, raw).cite
    return LoggedChoice(
        side, seat, decision.name, decision.get_full_key(raw), cites, _evaluate_option_words(decision, raw)
    )


def _evaluate_option_words(decision: Decision, raw: RawOption) -> Telling:
    """Return the words of an option as data for the log, evaluated with a budget of their own."""
    with own_budget():
        return describe_option(decision, raw, OptionWords())


def get_memoized_entry(state: State, raw: PlainOption) -> LoggedChoice:
    """Return the log entry of a choice that is not a draft end, memoized if it is the same in every position."""
    program, (number, values, _) = state.program, get_pending_decision(state)
    entry: LoggedChoice | None = program.memoized_log_entries.get((number, raw))
    if entry is None:
        noted = build_choice_entry(Decision(state), raw)
        if _is_position_independent(program, number, raw) and len(program.memoized_log_entries) < _MAX_MEMOIZED:
            program.memoized_log_entries[number, raw] = noted
        return noted
    side = find_deciding_side(state, number, values)
    return LoggedChoice(program.ids["side"][side], program.ids["seat"][state.seat_of[side]], *entry[2:])


def _is_position_independent(program: Program, number: int, raw: PlainOption) -> bool:
    """Return whether an option has the same key and the same text in every position.

    `number`: the number of its decision.
    """
    if raw[0] < 0:
        return True
    choice = program.decisions[number].options[raw[0]]
    args = zip(choice.params, raw[1], strict=True)
    return choice.label is None and not any(is_group(program, p.show, a) for p, a in args)


def take_sole_end(state: State, number: int, values: Values, draft: str, args: Values) -> Value:
    """Take a draft's only end automatically and log it; return the answer, or None if there is a choice.

    `number`: the number of the decision. `values`: the values its expressions read. `args`: the arguments of the draft.
    """
    ends = drafts.enumerate_finished(state, state.program.drafts[draft], args)
    if not ends.complete or len(ends) != 1:
        return None
    spend(state)
    end, spent = ends.at(0), state.spent
    state.pending = PendingDraft(number, values, args)  # while the words are formatted
    if state.log is not None:
        side = side_that_took(state, number, values)
        telling = _evaluate_option_words(Decision(state), end)
        state.log.append(LoggedForcedChoice(number, values, None, telling, side, stack_depth(state)))
    answer, state.pending = drafts.to_answer(state, end), None
    state.spent = spent  # formatting does not reset the budget
    return answer
