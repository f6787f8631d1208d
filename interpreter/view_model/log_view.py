"""The log as lines that a screen can sort and point with: kind of event, cited rules, places.

Formatted lines are cached and rebuilt after an undo. Citations at the end of a line are split from its words, so that
a screen can link them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from itertools import groupby
from typing import Any

from interpreter.play.events import LogEvent, event_of
from interpreter.play.game import Game
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.runtime.log_entries import LoggedChoice
from interpreter.view_model.records import AnswerLine, LogLine
from interpreter.view_model.undo_info import count_recorded_choices
from interpreter.view_model.view_context import ViewContext

_KINDS = {"decision": "choice", "taken": "choice", "roll": "roll", "move": "move", "set": "change"}


class LogView:
    """The lines of one game's log in one language, extended as the game proceeds."""

    def __init__(self, stage: ViewContext) -> None:
        self.stage = stage
        self._teller = EventFormatter(stage.words)
        self._told: list[Any] = []
        self._lines: list[LogLine] = []
        self._choice = 0

    def lines(self, game: Game) -> Sequence[LogLine]:
        """Return every line so far."""
        log = game.raw_log()
        if len(log) < len(self._told) or self._told and log[len(self._told) - 1] is not self._told[-1]:
            self._teller, self._told, self._lines, self._choice = EventFormatter(self.stage.words), [], [], 0
        if not self._told and game.past():  # choices before the record began have no number
            self._choice = count_recorded_choices(game) - sum(isinstance(raw, LoggedChoice) for raw in log)
        fresh = log[len(self._told) :]
        self._told += fresh
        for sort, run in groupby((event_of(game.program, raw) for raw in fresh), key=lambda e: e.sort):
            self._tell(sort, list(run))
        return self._lines

    def _tell(self, sort: str, events: Sequence[LogEvent]) -> None:
        """Append the lines of events of one sort, grouped as the formatter groups them."""
        if sort in ("event", "decision", "taken"):
            for event in events:
                self._choice += event.sort == "decision"
                self._add(sort, self._teller.lines([event]), [event])
        else:
            self._add(sort, self._teller.lines(events), events)

    def _add(self, sort: str, lines: Sequence[str], events: Sequence[LogEvent]) -> None:
        places, pieces = self._things(events)
        side = str(events[0].args.get("side") or events[0].args.get("by") or "")
        for line in lines:
            if not line.strip():
                continue
            text, cite = split_citations(line, self.stage.words.data["rulebook"])
            kind = (
                "turn" if text.startswith("=== ") else "phase" if text.startswith("== ") else _KINDS.get(sort, "event")
            )
            is_heading = kind in ("turn", "phase")
            self._lines.append(
                LogLine(
                    len(self._lines),
                    kind,
                    text.lstrip("= ").strip(),
                    cite,
                    "" if is_heading else side,
                    () if is_heading else places,
                    () if is_heading else pieces,
                    0 if is_heading else max(0, self._choice),
                )
            )

    def _things(self, events: Sequence[LogEvent]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the places and the pieces that events name, each once."""
        handles = self.stage.rules.program.handles
        places: dict[str, None] = {}
        pieces: dict[str, None] = {}
        for event in events:
            if event.sort == "decision":
                continue
            for value in event.args.values():
                for one in value if isinstance(value, list | tuple) else (value,):
                    if isinstance(one, str) and one in handles["place"]:
                        places[one] = None
                    elif isinstance(one, str) and one in handles["piece"]:
                        pieces[one] = None
        return tuple(places), tuple(pieces)


_CITED = re.compile(r"(?: \[[^\[\]]+\])+$")
_NUMBER = re.compile(r"\[([^\[\]]+)\]")
_MORE = "..."  # stands for the paragraphs that a line leaves out
_INDENT = 2  # spaces per indentation level


def split_citations(line: str, rulebook: Container[str]) -> tuple[str, tuple[str, ...]]:
    """Split a line into its text and the citations in brackets at its end, as far as the rulebook has them.

    >>> split_citations("They go on [4.1] [4.2]", {"4.1", "4.2"})
    ('They go on', ('4.1', '4.2'))
    >>> split_citations("They go on [4.1] [...]", {"4.1", "4.2"})
    ('They go on [...]', ('4.1',))
    """
    found = _CITED.search(line)
    numbers = _NUMBER.findall(found[0]) if found else []
    cite = tuple(number for number in numbers if number != _MORE)
    if found is None or not cite or not all(number in rulebook for number in cite):
        return line, ()
    return line[: found.start()] + (f" [{_MORE}]" if _MORE in numbers else ""), cite


def split_lines(lines: Iterable[str], rulebook: Container[str]) -> tuple[AnswerLine, ...]:
    """Convert lines to answer lines with indentation levels and citations."""
    found = []
    for line in lines:
        text, cite = split_citations(line.rstrip(), rulebook)
        bare = text.lstrip(" ")
        if bare or cite:
            found.append(AnswerLine(bare, cite, (len(text) - len(bare)) // _INDENT))
    return tuple(found)
