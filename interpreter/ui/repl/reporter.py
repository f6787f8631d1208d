"""Unprompted output at the prompt: the briefing, recent events, and the position at the start of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.play.lines import Line, begin_sentence
from interpreter.players.narration.event_lines import EventFormatter, list_events_since
from interpreter.players.narration.position_lines import (
    PositionText,
    position_lines,
    render_changes,
    render_heading,
    render_position,
    render_position_sections,
    render_short_position,
)
from interpreter.players.orders.repeated_decisions import DecisionSeries, find_series_in_state
from interpreter.players.ownership import list_seat_sides, list_seats
from interpreter.players.summaries.turn_recap import collect_recap, render_recap
from interpreter.players.summaries.turning_points import find_turning_points_since
from interpreter.runtime.decisions import Decision
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.log_entries import LoggedChoice, LoggedTurn
from interpreter.ui.repl.lesson import LessonGuide
from interpreter.ui.repl.play_context import PlayContext
from interpreter.ui.repl.summary_commands import render_briefing

_MUCH = 0.6  # share of changed places above which the full position is shorter than the changes
_LONG = 30  # lines of a position above which only a summary is written unasked
_MAX_RECAP_LINES = 14  # lines of a recap of bot moves
_MAX_TAUGHT_LINES = 4  # lines of such a recap in a lesson, whose next step tells about them


@dataclass(slots=True)
class Reporter:
    """Service that writes unprompted output.

    `log_position`: the number of log entries reported so far. `shown_moment`: turn and phase for which the position
    was written last. `unbriefed`: seats whose briefing has not been written. `guide`: the guide of a lesson, or None.
    """

    context: PlayContext
    event_formatter: EventFormatter
    log_position: int = 0
    shown_moment: tuple[int, str | None] | None = None
    unbriefed: list[str] = field(default_factory=list)
    guide: LessonGuide | None = None
    _last_position: PositionText | None = None

    @property
    def tells_all(self) -> bool:
        """Return True if moves of bots are reported in full, since bots play all seats. Never in brief output."""
        return not self.context.is_brief and set(list_seats(self.context.game)) <= set(self.context.bots)

    @property
    def _is_taught(self) -> bool:
        return self.guide is not None and not self.guide.course.has_left and self.guide.has_news

    def write_news(self) -> None:
        """Report events since the last report: the player's own in full, those of bots in brief.

        In a lesson the replies of bots to the player's order count as the player's own events.
        """
        context, game, localizer = self.context, self.context.game, self.context.localizer
        log = game.get_raw_log()
        start, end = self.log_position, len(log)
        if start >= end:
            return
        until = end if self.tells_all else start if self.context.is_brief else self._find_end_of_own_events(start)
        if until > start:
            context.write(*self.event_formatter.render_lines(list_events_since(game, start)[: until - start]))
        if until < end:
            most = 0 if self.context.is_brief else _MAX_TAUGHT_LINES if self._is_taught else _MAX_RECAP_LINES
            lines = render_recap(collect_recap(game, until, localizer), localizer, most)
            context.write(*([""] if lines and not self.context.is_brief else []), *lines)
            turn = next((n for n in range(end - 1, -1, -1) if isinstance(log[n], LoggedTurn)), 0)
            self.event_formatter.continue_after(list_events_since(game, turn))
        self.log_position = end
        self._write_setbacks(start)

    def _write_setbacks(self, start: int) -> None:
        """Repeat as headings the events from log entry `start` on that moved a player's side down a ladder."""
        game, bots = self.context.game, self.context.bots
        points = find_turning_points_since(game, start, self.context.localizer)
        own = (
            {side for seat in list_seats(game) if seat not in bots for side in list_seat_sides(game, seat)}
            if points
            else ()
        )
        texts = dict.fromkeys(point.text for point in points if point.has_fallen and point.side in own)
        self.context.write(*(Line(begin_sentence(text), kind="outcome") for text in texts))

    def _find_end_of_own_events(self, start: int) -> int:
        """Return the log index at which the events of bots begin, at or after `start`; the log's length if none do."""
        log = self.context.game.get_raw_log()
        if self._is_taught:
            return next(self._iter_bot_moves(start), len(log))
        choices = ((n, entry) for n, entry in enumerate(log[start:], start) if isinstance(entry, LoggedChoice))
        return next((n for n, entry in choices if entry.seat in self.context.bots), len(log))

    def _iter_bot_moves(self, start: int) -> Iterator[int]:
        """Yield the log index of each decision of a bot from `start` on that is not part of an earlier order."""
        order: DecisionSeries | None = None
        for before, length, key in self.context.game.get_history():
            if length < start or not key:
                continue
            if Decision(before).seat not in self.context.bots:
                order = find_series_in_state(before)
            elif order is None or not order.is_interrupted_in(before):
                yield length

    def skip_news(self) -> None:
        """Mark all events of the game as reported."""
        self.log_position = len(self.context.game.get_raw_log())
        self.event_formatter.continue_after(list_events_since(self.context.game, 0))

    def mark_shown(self) -> bool:
        """Record that the position of this turn and phase is written.

        Return whether the position written before belonged to another turn or phase.
        """
        before, self.shown_moment = self.shown_moment, (self.context.game.turn, self.context.game.phase)
        return before != self.shown_moment

    def write_omission(self, fault: RuleFault) -> None:
        """Report that texts are missing because together they exceed their budget; `fault`: the error that says so."""
        self.context.write(self.context.say("some texts are left out here; error in the rules: {fault}", fault=fault))

    def write_bot_limit(self, decisions: int) -> None:
        """Report that bots reached the limit of consecutive decisions, and how to raise it."""
        message = self.context.say(
            "bots have made {decisions} decisions in a row and the game is not over; to let them "
            "continue: --max-decisions {more}",
            decisions=decisions,
            more=10 * decisions,
        )
        self.context.write("", message)

    def write_briefing_once(self, seat: str) -> None:
        """Write the briefing before a seat's first choice in a new game."""
        if seat in self.unbriefed:
            self.unbriefed.remove(seat)
            self.context.write("", *render_briefing(self.context, seat))

    def write_position(self) -> None:
        """Write the position when a player is first asked in a turn: in full at first, then only changes.

        At the start of a phase only the heading is written, since its events have been reported.
        """
        context, game, localizer = self.context, self.context.game, self.context.localizer
        last_shown = self.shown_moment
        if not self.mark_shown():
            return
        view, before = game.view(), self._last_position
        if self.context.is_brief or last_shown is not None and last_shown[0] == game.turn:
            context.write("", render_heading(view, localizer))
            return
        position_text = render_position(game, localizer)
        if before is None:
            lines = self._format_position(position_text)
        else:
            lines = self._format_changes(position_text, before)
            if len(lines) > _MUCH * len(position_text.places):
                lines = self._format_position(position_text)
        context.write("", *lines)
        self._last_position = position_text

    def _format_position(self, position_text: PositionText) -> list[str]:
        """Return the whole position, or a summary if it is long."""
        game, localizer = self.context.game, self.context.localizer
        lines = render_position_sections(position_text, localizer, is_complete=False)
        return lines if len(lines) <= _LONG else render_short_position(position_text, game, localizer)

    def render_changes_since_shown(self) -> list[str]:
        """Return what has changed since the position was last shown, or the whole position if it never was."""
        game, localizer = self.context.game, self.context.localizer
        if self._last_position is None:
            return position_lines(game, localizer)
        head, *lines = self._format_changes(render_position(game, localizer), self._last_position)
        return [head, *(lines or [localizer.say("no changes; `position` shows the whole position")])]

    def _format_changes(self, now: PositionText, before: PositionText) -> list[str]:
        """Return a heading and the differences between two positions, or the heading alone if they are equal."""
        head, *lines = render_changes(before, now, self.context.localizer)
        title = self.context.say("changes (`position` shows the whole position):")
        return [head, title, *lines] if lines else [head]
