"""Explain why an answer of a case was not requested.

Its decision was passed automatically, had no legal option, or never came. Play leaves no trace of a decision without a
legal option, so the case is run again while the option lists are watched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from interpreter.i18n.translator import Message, mark as _
from interpreter.tools.cases.answer_resolution import listed_options

if TYPE_CHECKING:
    from interpreter.play.game import Game
    from interpreter.runtime.program import Program


def explain_not_asked(game: Game, first_event: int, decision: str, find_emptied: Callable[[], Set[str]]) -> Message:
    """Explain why a decision did not request the extra answer of a case, and name the decision open instead."""
    if game.decision is None:
        return _("{what}; no decision is open", what=_fate(game, first_event, decision, find_emptied))
    options = listed_options(game.decision)
    return _(
        "{what}; the current options are {options}",
        what=_fate(game, first_event, decision, find_emptied),
        options=options,
    )


def _fate(game: Game, first_event: int, decision: str, find_emptied: Callable[[], Set[str]]) -> Message:
    happened = [event for event in game.log[first_event:] if event.name == decision]
    taken = [event for event in happened if event.sort == "taken"]
    if taken:
        option = taken[-1].args["option"]
        return _(
            "`{decision}` had one legal option, `{option}`, which `alone` chose automatically; leave out this answer",
            decision=decision,
            option=option,
        )
    if any(event.sort == "decision" for event in happened):
        return _("`{decision}` did not come up again", decision=decision)
    if decision in find_emptied():
        return _("`{decision}` had no legal option, so it was skipped", decision=decision)
    return _("play did not reach `{decision}`", decision=decision)


@contextmanager
def watch_option_lists(program: Program) -> Iterator[set[str]]:
    """Collect the names of decisions without legal options while the context is active."""
    found: set[str] = set()
    kept = {}
    for number, decision in enumerate(program.decisions):
        name = f"list_{number}"
        if name in program.functions:
            kept[name] = program.functions[name]
            program.functions[name] = _watched(kept[name], decision.name, found)
    try:
        yield found
    finally:
        program.functions.update(kept)


def _watched(listing: Callable[..., Any], name: str, found: set[str]) -> Callable[..., Any]:
    def listed(*args: object) -> object:
        options = listing(*args)
        if not options:
            found.add(name)
        return options

    return listed
