"""What a sitting says unasked: the briefing, what has happened, the position at the beginning of a turn, who was idle.

Each takes the sitting it is said in. Must not ask anything nor change the game.
"""

from __future__ import annotations

from interpreter.players.narration.event_lines import events_since
from interpreter.players.narration.position_lines import (
    PositionText,
    change_lines,
    heading,
    position_lines,
    standing_lines,
    standing_now,
)
from interpreter.players.summaries.turn_recap import deed_lines, deeds_since
from interpreter.ui.repl import summary_commands
from interpreter.ui.repl.brief_output import BriefOutput
from interpreter.ui.repl.repl_protocol import CommandResult, ReplProtocol

_MUCH = 0.6  # of the places changed: then the whole position is shorter to read than the changes
_MOST_DEEDS = 14  # lines about what bots did at once


def tell_news(session: ReplProtocol) -> None:
    """Tell what has happened since the last time: in full what a person set going, in few words what bots did."""
    log, game = session.game.raw_log(), session.game
    start, end = session.told, len(log)
    if start >= end:
        return
    until = end if session.tells_all else start if session.is_brief else _first_of_bots(session, start)
    if until > start:
        session.screen.write(session.teller.lines(events_since(game, start)[: until - start]))
    if until < end:
        told = deed_lines(
            deeds_since(game, until, session.words), session.words, 0 if session.is_brief else _MOST_DEEDS
        )
        session.screen.write([*([""] if told and not session.is_brief else []), *told])
        turn = next((n for n in range(end - 1, -1, -1) if log[n][0] == "turn"), 0)
        session.teller.stand_after(events_since(game, turn))
    session.told = end


def _first_of_bots(session: ReplProtocol, start: int) -> int:
    """The entry of the log with the first choice of a bot from one on, else the end of the log."""
    log = session.game.raw_log()
    return next((n for n in range(start, len(log)) if log[n][0] == "decision" and log[n][2] in session.bots), len(log))


def brief_once(session: ReplProtocol, seat: str) -> None:
    """The briefing before the first choice of a seat in a new game."""
    if seat in session.unbriefed:
        session.unbriefed.remove(seat)
        session.screen.write(["", *summary_commands.briefing(session, seat)])


def show_position(session: ReplProtocol) -> None:
    """When a person is asked first in a turn, the position: whole at the beginning, then what has changed.

    In a phase of the turn only where the game stands: what has happened in it has been told.
    """
    now, shown = (session.game.turn, session.game.phase), session.shown
    if now == shown:
        return
    session.shown = now
    view, before = session.game.view(), session.standing
    if session.is_brief or shown is not None and shown[0] == now[0]:
        session.screen.write(["", heading(view, session.words)])
        return
    standing = standing_now(session.game, session.words)
    if before is None:
        lines = standing_lines(standing, session.words, whole=False)
    else:
        lines = _changes(session, standing, before)
        if len(lines) > _MUCH * len(standing.places):
            lines = standing_lines(standing, session.words, whole=False)
    session.screen.write(["", *lines])
    session.standing = standing


def changes_asked(session: ReplProtocol) -> list[str]:
    """What has changed since the position was told, for whoever asks."""
    if session.standing is None:
        return position_lines(session.game, session.words)
    head, *lines = _changes(session, standing_now(session.game, session.words), session.standing)
    return [head, *(lines or [session.words.say("all stands as before; `position` shows it")])]


def _changes(session: ReplProtocol, now: PositionText, before: PositionText) -> list[str]:
    """What is not as it was before; the heading alone where nothing has changed."""
    head, *lines = change_lines(before, now, session.words)
    told = session.words.say("what has changed (`position` shows the whole):")
    return [head, told, *lines] if lines else [head]


def change_speech(session: ReplProtocol) -> CommandResult:
    """Few words and no brackets from now on, or everything in full again."""
    say = session.words.say
    if isinstance(session.screen, BriefOutput):
        session.screen = session.screen.screen
        session.screen.write([say("everything in full again")])
    else:
        be_brief(session)
        session.screen.write([say("brief speech; `brief` ends it")])
    session.is_brief = isinstance(session.screen, BriefOutput)
    return CommandResult.ASK


def be_brief(session: ReplProtocol) -> None:
    """Few words and no brackets from now on."""
    session.is_brief = True
    session.screen = BriefOutput(session.screen, session.words.data["rulebook"])
