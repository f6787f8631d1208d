"""Information revealed since a seat's last choice, which is a reason against undoing it."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LogEntry, LoggedChoice, LoggedRoll


def come_out_lines(entries: Iterable[LogEntry], words: Localizer) -> tuple[str, ...]:
    """Render the information that log entries revealed: a line for the dice rolled, one for the sides that decided."""
    rolls: dict[str, None] = {}
    sides: dict[str, None] = {}
    for raw in entries:
        if isinstance(raw, LoggedRoll):
            rolls[words.name(raw.name, "roll")] = None
        elif isinstance(raw, LoggedChoice):
            sides[words.thing("side", raw.side)] = None
    lines = []
    if rolls:
        lines.append(words.about(words.say("dice"), words.join_list(rolls)))
    if sides:
        lines.append(words.about(words.say("decided"), words.join_list(sides)))
    return tuple(lines)
