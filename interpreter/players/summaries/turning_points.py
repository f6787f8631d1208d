"""Turning points: the log entries that no player may miss, such as a side whose state on a ladder changes.

Found in the log, for the choices of all seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from interpreter.play.events import format_changes, format_event, get_changed_attribute, is_silent
from interpreter.play.game import Game
from interpreter.players.orders.choice_history import ChoiceHistory
from interpreter.players.orders.matching import get_kind
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LogEntry, LoggedChange, LoggedReport
from interpreter.runtime.program import Program
from interpreter.runtime.state import State


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A side whose rung on a ladder changed: its id, the sentence that says so, whether it fell, and the log entry."""

    side: str
    text: str
    has_fallen: bool
    change: LoggedChange


def is_rung_change(program: Program, raw: LogEntry) -> bool:
    """Return whether a log entry moves a side to another rung of a ladder."""
    return (
        isinstance(raw, LoggedChange)
        and raw.kind == "side"
        and get_changed_attribute(program, raw)["show"][0] == "rung"
    )


def find_turning_points(before: State, raws: Sequence[LogEntry], localizer: Localizer) -> tuple[TurningPoint, ...]:
    """Return the turning points in the log entries that follow a position, in order.

    The text of a point is the sentence of the event reported with the change, or else of the change itself.
    """
    program, rungs = before.program, dict[tuple[str, int], int]()
    points = list[TurningPoint]()
    for number, raw in enumerate(raws):
        if not isinstance(raw, LoggedChange) or not is_rung_change(program, raw):
            continue
        key = raw.attribute, raw.owner
        was = rungs.get(key, getattr(before, program.slot_of["side", raw.attribute])[raw.owner])
        rung = rungs[key] = cast("int", raw.value)
        if rung == was:
            continue
        report = _find_report(program, raws, number)
        text = format_changes(localizer, [raw], 1) if report is None else format_event(program, report, localizer.lang)
        points.append(TurningPoint(program.ids["side"][raw.owner], text, rung < was, raw))
    return tuple(points)


def find_turning_points_since(game: Game, start: int, localizer: Localizer) -> tuple[TurningPoint, ...]:
    """Return the turning points of the choices after log entry `start`."""
    record, points = ChoiceHistory(game), list[TurningPoint]()
    for number in range(len(record), 0, -1):
        if record.find_log_start(number) < start:
            break
        points[:0] = find_choice_turning_points(record, number, localizer)
    return tuple(points)


def find_choice_turning_points(record: ChoiceHistory, number: int, localizer: Localizer) -> tuple[TurningPoint, ...]:
    """Return the turning points of the choice with this number; its position is restored only if it has any."""
    raws = record.list_log_entries(number)
    if not any(is_rung_change(record.game.program, raw) for raw in raws):
        return ()
    return find_turning_points(record.get_choice(number).before, raws, localizer)


def _find_report(program: Program, raws: Sequence[LogEntry], number: int) -> LoggedReport | None:
    """Return the reported event that names the side whose rung changes in the entry `number` of `raws`, or None.

    `raws`: log entries. Only the entry just before the change and the one just after it are considered.
    """
    change = raws[number]
    assert isinstance(change, LoggedChange)
    for raw in (*raws[max(0, number - 1) : number], *raws[number + 1 : number + 2]):
        if isinstance(raw, LoggedReport) and not is_silent(program, raw):
            shows = zip(program.events[raw.event].params, raw.args, strict=True)
            if any(get_kind(show) == "side" and value == change.owner for (_name, show), value in shows):
                return raw
    return None
