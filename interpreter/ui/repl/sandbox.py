"""Sandbox play: named positions, and copies that leave the game and its file unchanged.

A copy rolls dice of its own, so trying reveals nothing about the real ones.
"""

from __future__ import annotations

from copy import deepcopy

from interpreter.api.autosave import Autosave
from interpreter.players.narration.event_lines import events_since
from interpreter.players.narration.position_lines import describe_moment
from interpreter.runtime.dice import SeededDice
from interpreter.ui.repl.repl_protocol import CommandResult, ReplProtocol

_SEED = 1  # dice seed of copies, incremented for each
_LONGEST = 40  # characters of a name


def add_mark(session: ReplProtocol, name: str) -> CommandResult:
    """Remember the present position under a name."""
    say = session.words.say
    if not name:
        return session.refuse([say("which name? Write: mark NAME")])
    session.branches.marks[name[:_LONGEST].casefold()] = (_heading_now(session), session.game.clone())
    session.screen.write([say("marked; `try {name}` continues from here later", name=name[:_LONGEST])])
    return CommandResult.ASK


def mark_lines(session: ReplProtocol) -> list[str]:
    """Return the marks with the headings of their moments, as lines."""
    told = [session.words.about(name, when) for name, (when, _) in session.branches.marks.items()]
    return told or [session.words.say("there are no marks yet; write: mark NAME")]


def try_copy(session: ReplProtocol, name: str) -> CommandResult:
    """Continue on a copy of the present position, or of a marked one."""
    say, branches = session.words.say, session.branches
    if name and name.casefold() not in branches.marks:
        return session.refuse(
            [say("there is no mark `{name}`", name=name[:_LONGEST]) + session.words.hint(name, branches.marks)]
        )
    begun = branches.marks[name.casefold()][1] if name else session.game
    if branches.suspended is None:
        branches.suspended = (session.game, session.autosave, session.bots)
    branches.copies += 1
    copy = begun.clone()
    copy.state.dice = SeededDice(_SEED + branches.copies)
    session.game, session.bots = copy, deepcopy(session.bots)
    session.autosave = Autosave(None, session.autosave.seats, session.autosave.complain, say=say)
    _reset_session(session)
    session.screen.write(
        [say("what if: the game and its file do not change, and dice are rolled separately; `return` ends this")]
    )
    return CommandResult.MOVED


def return_to_game(session: ReplProtocol) -> CommandResult:
    """Return from a tried copy to the unchanged game."""
    say, left = session.words.say, session.branches.suspended
    if left is None:
        return session.refuse([say("there is no trial; `try` starts one")])
    session.game, session.autosave, session.bots = left
    session.branches.suspended = None
    _reset_session(session)
    session.screen.write([say("back in the game: {now}", now=_heading_now(session))])
    return CommandResult.MOVED


def _reset_session(session: ReplProtocol) -> None:
    """Reset the session to another game, with all its events counted as reported."""
    session.log_position = len(session.game.raw_log())
    session.event_formatter.stand_after(events_since(session.game, 0))
    session.way_taken, session.building = (0, 0, ""), False
    session.query_commands = None


def _heading_now(session: ReplProtocol) -> str:
    return describe_moment(session.game.view(), session.words)
