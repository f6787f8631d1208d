"""What has happened, in words: events of a game's log as lines.

Moves of several pieces at once become one line. Must not print.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from interpreter.game import Event
from interpreter.players.plain.position import phase_title
from interpreter.players.words import Words, cited


def event_lines(events: Sequence[Event], words: Words) -> list[str]:
    """One line for each thing that happened, with its rules in brackets; headings for turns and phases."""
    lines: list[str] = []
    for sort, run in groupby(events, key=_run_key):
        together = list(run)
        if sort[0] == "move":
            lines += _move_lines(together, words)
            continue
        for event in together:
            lines += _lines(event, words)
    return lines


def _run_key(event: Event) -> tuple[Any, ...]:
    if event.sort == "move":
        return ("move", event.args.get("from"), event.args.get("to"), tuple(event.cite))
    return (event.sort,)


def _lines(event: Event, words: Words) -> list[str]:
    match event.sort:
        case "phase":
            title = phase_title(event.phase or event.name, words)
            return ["", f"== turn {event.turn}: {title}{cited(event.cite)}"]
        case "decision":
            return [f"  {_text(event, words)}{cited(event.cite)}"]
        case "roll":
            return [f"    {_text(event, words)}{cited(event.cite)}"]
    return [f"    {_text(event, words)}{cited(event.cite)}"]


def _text(event: Event, words: Words) -> str:
    return event.text(words.lang)


def _move_lines(events: Iterable[Event], words: Words) -> list[str]:
    together = list(events)
    args = together[0].args
    names: dict[str, int] = {}
    for event in together:
        name = words.thing("piece", str(event.args.get("piece", "")))
        names[name] = names.get(name, 0) + 1
    who = ", ".join(f"{number} {name}" if number > 1 else name for name, number in names.items())
    origin, goal = (words.thing("place", str(args.get(k, ""))) for k in ("from", "to"))
    return [f"    {who}: {origin} to {goal}{cited(together[0].cite)}"]


def outcome_lines(outcome: Any, words: Words) -> list[str]:
    """Who has won, with which title, and the scores."""
    winner = outcome.winner
    if winner in (None, "draw", ()):
        line = "the game is drawn" if winner == "draw" else "the game is over; nobody has won"
    else:
        names = [winner] if isinstance(winner, str) else list(winner)
        line = "won by " + " and ".join(words.thing("seat", n) for n in names)
    if outcome.title or outcome.level:
        line += f": {outcome.title or outcome.level}"
    lines = ["", f"== {line}"]
    if outcome.scores:
        lines.append("scores: " + ", ".join(f"{words.thing('seat', s)} {v}" for s, v in outcome.scores.items()))
    return lines
