"""Options that are listed when somebody asks for them: of decisions that were reached on trial.

Most decisions behind an option that a bot tries are never looked into: it is enough to know that there is an option at
all, and whether a row of choices may be ended. Must not know what an option is.
"""

from __future__ import annotations

from typing import Any

from interpreter.runtime.machine import question

UNLISTED = (0, ("not listed",))  # stands for all options but the one that ends a row, which comes behind it


class LazyOptions(list[Any]):
    """The options of a decision that was reached on trial: the stand-in for them, or they, once somebody has asked."""

    __slots__ = ()


def unlisted() -> LazyOptions:
    """The stand-in alone."""
    return LazyOptions((UNLISTED,))


def options_of(state: Any) -> list[Any]:
    """The options of the pending decision, which is no draft, in the order of the rules."""
    options: list[Any] = state.pending[2]
    if options[0] is UNLISTED:
        options[:] = _listed(state)
    return options


@question
def _listed(state: Any) -> list[Any]:
    number, values, _ = state.pending
    listed: list[Any] = state.program.list_options(state, number, values)
    return listed
