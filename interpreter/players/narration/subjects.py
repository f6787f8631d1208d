"""The side that an event is about, in any ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.players.orders.matching import kind_of
from interpreter.players.ownership import side_of_thing
from interpreter.runtime.log_entries import LoggedChange, LoggedReport
from interpreter.runtime.state import State
from interpreter.runtime.type_aliases import Show


def subject_side(state: State, raw: LoggedChange | LoggedReport) -> str:
    """Return the id of the side whose event it is, or '' if it names nothing that belongs to a side.

    A change belongs to the side of what changed, a report to the side of the first thing with a side that it names.
    """
    if isinstance(raw, LoggedChange):
        named = [] if raw.kind == "game" else [_side_of(state, raw.kind, raw.owner)]
    else:
        params = state.program.events[raw.event].params
        named = list(_sides_in(state, ((show, value) for (_, show), value in zip(params, raw.args, strict=True))))
    return next(filter(None, named), "")


def _sides_in(state: State, values: Iterable[tuple[Show, object]]) -> Iterator[str]:
    """Yield the side of each thing among typed values."""
    for show, value in values:
        kind = kind_of(show)
        for one in value if isinstance(value, list | tuple) else (value,):
            if kind and isinstance(one, int):
                yield _side_of(state, kind, one)


def _side_of(state: State, kind: str, thing: int) -> str:
    return state.program.ids["side"][thing] if kind == "side" else side_of_thing(state, kind, thing)
