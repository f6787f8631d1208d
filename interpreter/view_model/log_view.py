"""Log lines that a screen can filter and show on the map: kind of event, cited rules, places.

Formatted lines are cached and rebuilt after an undo.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from interpreter.play.events import LogEvent, build_event
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.runtime.log_entries import LoggedChoice
from interpreter.view_model.answer_records import AnswerLine
from interpreter.view_model.records import LogLine
from interpreter.view_model.undo_info import count_recorded_choices
from interpreter.view_model.view_context import ViewContext


class LogView:
    """The lines of one game's log in one language, extended as the game proceeds."""

    def __init__(self, context: ViewContext) -> None:
        self.context = context
        self._event_formatter = EventFormatter(context.localizer)
        self._seen: list[Any] = []
        self._lines: list[LogLine] = []
        self._choice = 0

    def list_lines(self, game: Game) -> Sequence[LogLine]:
        """Return every line of the game's log so far."""
        log = game.get_raw_log()
        if len(log) < len(self._seen) or self._seen and log[len(self._seen) - 1] is not self._seen[-1]:
            self._event_formatter, self._seen, self._lines, self._choice = (
                EventFormatter(self.context.localizer),
                [],
                [],
                0,
            )
        if not self._seen and game.get_history():  # choices before the record began have no number
            self._choice = count_recorded_choices(game) - sum(isinstance(raw, LoggedChoice) for raw in log)
        fresh = log[len(self._seen) :]
        self._seen += fresh
        for sort, run in groupby((build_event(game.program, raw) for raw in fresh), key=lambda e: e.sort):
            self._add_events(sort, list(run))
        return self._lines

    def _add_events(self, sort: str, events: Sequence[LogEvent]) -> None:
        """Append the lines of adjacent events of one `sort`, which the formatter may combine."""
        if sort in ("event", "decision", "taken"):
            for event in events:
                self._choice += event.sort == "decision"
                self._add_lines(self._event_formatter.render_lines([event]))
        else:
            self._add_lines(self._event_formatter.render_lines(events))

    def _add_lines(self, lines: Sequence[Line]) -> None:
        """Append the lines that have text, numbered; headings belong to no choice."""
        for line in lines:
            if line.text:
                choice = 0 if line.is_heading else max(0, self._choice)
                number = len(self._lines)
                self._lines.append(
                    LogLine(number, line.kind, line.text, line.citations, line.side, line.places, line.pieces, choice)
                )


_INDENT = 2  # spaces per indentation level of a line without structure


def build_answer_lines(lines: Iterable[TextLine]) -> tuple[AnswerLine, ...]:
    """Convert lines of text to answer lines, without blank ones."""
    return tuple(answer_line for line in lines if (answer_line := _build_answer_line(line)).text or answer_line.cite)


def _build_answer_line(line: TextLine) -> AnswerLine:
    if isinstance(line, str):
        bare = line.strip()
        return AnswerLine(bare, (), (len(line) - len(line.lstrip(" "))) // _INDENT)
    return AnswerLine(replace(line, citations=()).cited_text, line.citations, line.level)
