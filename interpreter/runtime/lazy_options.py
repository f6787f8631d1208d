"""Options listed on demand, for decisions reached in trials.

Most decisions behind an option that a bot tries are never inspected: it is enough to know that some option exists and
whether a repeated decision may be ended.
"""

from __future__ import annotations

from interpreter.runtime.machine import as_query
from interpreter.runtime.pending import PendingDecision, get_pending_decision
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import PlainOption

UNLISTED: PlainOption = (0, ("not listed",))  # placeholder for all options except `done`, which follows it


class LazyOptions(list[PlainOption]):
    """A placeholder list for the options of a decision reached in a trial; the first access lists them."""

    __slots__ = ()


def build_placeholder() -> LazyOptions:
    """Return the placeholder for options that are not listed yet."""
    return LazyOptions((UNLISTED,))


def list_pending_options(state: State) -> list[PlainOption]:
    """Return the options of the pending decision (not a draft) in rules order."""
    pending = state.pending
    assert isinstance(pending, PendingDecision)
    options = pending.options
    if options[0] is UNLISTED:
        options[:] = _list_options(state)
    return options


@as_query
def _list_options(state: State) -> list[PlainOption]:
    pending = get_pending_decision(state)
    return state.program.list_options(state, pending.number, pending.values)
