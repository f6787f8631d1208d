"""Information revealed since a seat's last choice, which is a reason against undoing it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.players.narration.localizer import Localizer


def come_out_lines(entries: Iterable[tuple[Any, ...]], words: Localizer) -> tuple[str, ...]:
    """Return what log entries have brought to light: a line for the dice that fell, one for the sides that decided."""
    rolls: dict[str, None] = {}
    sides: dict[str, None] = {}
    for raw in entries:
        if raw[0] == "roll":
            rolls[words.name(raw[1], "roll")] = None
        elif raw[0] == "decision":
            sides[words.thing("side", raw[1])] = None
    lines = []
    if rolls:
        lines.append(words.about(words.say("dice"), words.listed(rolls)))
    if sides:
        lines.append(words.about(words.say("decided"), words.listed(sides)))
    return tuple(lines)
