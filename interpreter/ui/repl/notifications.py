"""Unprompted output of a session: the briefing, recent events, and the position at the start of a turn."""

from __future__ import annotations

from interpreter.players.narration.event_lines import events_since
from interpreter.players.narration.position_lines import (
    PositionText,
    change_lines,
    heading,
    position_lines,
    render_position,
    standing_lines,
)
from interpreter.players.summaries.turn_recap import collect_recap, recap_lines
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.log_entries import LoggedChoice, LoggedTurn
from interpreter.ui.repl import summary_commands
from interpreter.ui.repl.brief_output import BriefOutput
from interpreter.ui.repl.repl_protocol import CommandResult, ReplProtocol

_MUCH = 0.6  # share of changed places above which the full position is shorter than the changes
_MOST_DEEDS = 14  # lines of a recap of bot moves


def write_news(session: ReplProtocol) -> None:
    """Report events since the last report: the player's own in full, those of bots in brief."""
    log, game = session.game.raw_log(), session.game
    start, end = session.log_position, len(log)
    if start >= end:
        return
    until = end if session.tells_all else start if session.is_brief else _first_bot_decision(session, start)
    if until > start:
        session.screen.write(session.event_formatter.lines(events_since(game, start)[: until - start]))
    if until < end:
        told = recap_lines(
            collect_recap(game, until, session.words), session.words, 0 if session.is_brief else _MOST_DEEDS
        )
        session.screen.write([*([""] if told and not session.is_brief else []), *told])
        turn = next((n for n in range(end - 1, -1, -1) if isinstance(log[n], LoggedTurn)), 0)
        session.event_formatter.stand_after(events_since(game, turn))
    session.log_position = end


def _first_bot_decision(session: ReplProtocol, start: int) -> int:
    """Return the log index of the first bot decision at or after `start`, or the log's length."""
    log = session.game.raw_log()
    for number, entry in enumerate(log[start:], start):
        if isinstance(entry, LoggedChoice) and entry.seat in session.bots:
            return number
    return len(log)


def tell_left_out(session: ReplProtocol, fault: RuleFault) -> None:
    """Report that texts are missing because those shown together exceed their budget."""
    told = session.words.say("some texts are left out here; error in the rules: {fault}", fault=fault)
    session.screen.write([told])


def tell_how_many(session: ReplProtocol, decisions: int) -> None:
    """Report that bots reached the limit of consecutive decisions, and how to raise it."""
    told = session.words.say(
        "bots have made {decisions} decisions in a row and the game is not over; to let them "
        "continue: --max-decisions {more}",
        decisions=decisions,
        more=10 * decisions,
    )
    session.screen.write(["", told])


def write_briefing_once(session: ReplProtocol, seat: str) -> None:
    """Write the briefing before a seat's first choice in a new game."""
    if seat in session.unbriefed:
        session.unbriefed.remove(seat)
        session.screen.write(["", *summary_commands.render_briefing(session, seat)])


def show_position(session: ReplProtocol) -> None:
    """Write the position when a player is first asked in a turn: in full at first, then only changes.

    At the start of a phase only the heading is written, since its events have been reported.
    """
    now, shown = (session.game.turn, session.game.phase), session.shown_decision
    if now == shown:
        return
    session.shown_decision = now
    view, before = session.game.view(), session.last_position
    if session.is_brief or shown is not None and shown[0] == now[0]:
        session.screen.write(["", heading(view, session.words)])
        return
    standing = render_position(session.game, session.words)
    if before is None:
        lines = standing_lines(standing, session.words, whole=False)
    else:
        lines = _format_changes(session, standing, before)
        if len(lines) > _MUCH * len(standing.places):
            lines = standing_lines(standing, session.words, whole=False)
    session.screen.write(["", *lines])
    session.last_position = standing


def changes_since_shown(session: ReplProtocol) -> list[str]:
    """Return what has changed since the position was last shown, or the whole position if it never was."""
    if session.last_position is None:
        return position_lines(session.game, session.words)
    head, *lines = _format_changes(session, render_position(session.game, session.words), session.last_position)
    return [head, *(lines or [session.words.say("no changes; `position` shows the whole position")])]


def _format_changes(session: ReplProtocol, now: PositionText, before: PositionText) -> list[str]:
    """Return the differences between two positions below a heading, or the heading alone if there are none."""
    head, *lines = change_lines(before, now, session.words)
    told = session.words.say("changes (`position` shows the whole position):")
    return [head, told, *lines] if lines else [head]


def toggle_brief(session: ReplProtocol) -> CommandResult:
    """Toggle between brief output without brackets and full output."""
    say = session.words.say
    if isinstance(session.screen, BriefOutput):
        session.screen = session.screen.screen
        session.screen.write([say("full text again")])
    else:
        switch_to_brief(session)
        session.screen.write([say("short text; `brief` ends it")])
    session.is_brief = isinstance(session.screen, BriefOutput)
    return CommandResult.ASK


def switch_to_brief(session: ReplProtocol) -> None:
    """Switch to brief output without brackets."""
    session.is_brief = True
    session.screen = BriefOutput(session.screen)
