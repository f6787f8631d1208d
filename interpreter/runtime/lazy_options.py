"""Options listed on demand, for decisions reached in trials.

Most decisions behind an option that a bot tries are never inspected: it is enough to know that some option exists and
whether a row of choices may be ended.
"""

from __future__ import annotations

from typing import Any

from interpreter.runtime.machine import as_query

UNLISTED = (0, ("not listed",))  # placeholder for all options except `done`, which follows it


class LazyOptions(list[Any]):
    """The options of a decision reached in a trial: a placeholder until the first access lists them."""

    __slots__ = ()


def placeholder_options() -> LazyOptions:
    """Return the placeholder for options that are not listed yet."""
    return LazyOptions((UNLISTED,))


def options_of(state: Any) -> list[Any]:
    """Return the options of the pending decision (not a draft) in rules order."""
    options: list[Any] = state.pending[2]
    if options[0] is UNLISTED:
        options[:] = _list_options(state)
    return options


@as_query
def _list_options(state: Any) -> list[Any]:
    number, values, _ = state.pending
    listed: list[Any] = state.program.list_options(state, number, values)
    return listed
