"""Turning points: the log entries that no player may miss, such as a side whose state on a ladder changes.

Found in the log, for the choices of all seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from interpreter.play.events import change_sentence, changed_attribute, format_event, is_silent
from interpreter.play.game import Game
from interpreter.players.orders.engagements import ChoiceRecord
from interpreter.players.orders.matching import kind_of
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


def changes_rung(program: Program, raw: LogEntry) -> bool:
    """Return whether a log entry moves a side to another rung of a ladder."""
    return isinstance(raw, LoggedChange) and raw.kind == "side" and changed_attribute(program, raw)["show"][0] == "rung"


def turning_points(before: State, raws: Sequence[LogEntry], words: Localizer) -> tuple[TurningPoint, ...]:
    """Return the turning points in the log entries that follow a position, in order.

    The text of a point is the sentence of the event reported with the change, or else of the change itself.
    """
    program, rungs = before.program, dict[tuple[str, int], int]()
    found = list[TurningPoint]()
    for number, raw in enumerate(raws):
        if not isinstance(raw, LoggedChange) or not changes_rung(program, raw):
            continue
        key = raw.attribute, raw.owner
        was = rungs.get(key, getattr(before, program.slot_of["side", raw.attribute])[raw.owner])
        rung = rungs[key] = cast("int", raw.value)
        if rung == was:
            continue
        report = _report_of(program, raws, number)
        text = change_sentence(words, [raw], 1) if report is None else format_event(program, report, words.lang)
        found.append(TurningPoint(program.ids["side"][raw.owner], text, rung < was, raw))
    return tuple(found)


def turning_points_since(game: Game, start: int, words: Localizer) -> tuple[TurningPoint, ...]:
    """Return the turning points of the choices after log entry `start`."""
    record, found = ChoiceRecord(game), list[TurningPoint]()
    for number in range(len(record), 0, -1):
        if record.start(number) < start:
            break
        found[:0] = turning_points_by_choice(record, number, words)
    return tuple(found)


def turning_points_by_choice(record: ChoiceRecord, number: int, words: Localizer) -> tuple[TurningPoint, ...]:
    """Return the turning points of the choice with this number; its position is restored only if it has any."""
    raws = record.raws(number)
    if not any(changes_rung(record.game.program, raw) for raw in raws):
        return ()
    return turning_points(record.choice(number).before, raws, words)


def _report_of(program: Program, raws: Sequence[LogEntry], number: int) -> LoggedReport | None:
    """Return the reported event that names the side of change `number`: the one just before it, or just after."""
    change = raws[number]
    assert isinstance(change, LoggedChange)
    for raw in (*raws[max(0, number - 1) : number], *raws[number + 1 : number + 2]):
        if isinstance(raw, LoggedReport) and not is_silent(program, raw):
            shows = zip(program.events[raw.event].params, raw.args, strict=True)
            if any(kind_of(show) == "side" and value == change.owner for (_name, show), value in shows):
                return raw
    return None
