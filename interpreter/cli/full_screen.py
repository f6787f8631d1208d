"""The full screen of `grognard play --screen`: connects a sitting at the prompt with the face that shows it.

The two faces do not know each other; here the one is given to the other. Must not play.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_flag
from interpreter.cli.failures import UsageError
from interpreter.cli.output import tell
from interpreter.files.installing import install_command
from interpreter.words.speech import mark as _, speaker

if TYPE_CHECKING:
    from interpreter.faces.screen.conversation import Beside, Conversation
    from interpreter.faces.terminal.sitting import Session


def add_screen(parser: argparse.ArgumentParser) -> None:
    """The arguments that ask for it."""
    add_flag(
        parser,
        "--screen",
        _(
            "the whole screen: map, panels and a line to type in (needs the extra `screen`); with a screen reader,"
            " plain lines are the way"
        ),
    )
    add_flag(parser, "--ascii", _("with --screen: every sign in plain letters"))


def front_of(arguments: argparse.Namespace) -> Conversation | None:
    """What takes the place of the terminal where the full screen was asked for and can be had; None for plain lines.

    UsageError where what draws it is not installed.
    """
    if not arguments.screen:
        if arguments.ascii:
            raise UsageError("--ascii goes with --screen alone: plain lines have no other signs")
        return None
    from interpreter.faces.screen.screen_play import hindrance, is_installed

    if arguments.plain:
        raise UsageError("--screen and --plain contradict each other: name one of them")
    problem = hindrance()
    if problem is not None:
        tell(speaker(arguments.lang)(problem))
        return None
    if not is_installed():
        raise UsageError(
            "the full screen needs Textual, which is not installed; install it with: {command}"
            " (or leave out --screen and play in plain lines)",
            command=install_command("screen"),
        )
    from interpreter.faces.screen.conversation import Conversation
    from interpreter.faces.terminal.screen import Terminal

    return Conversation(Terminal())


def beside(arguments: argparse.Namespace) -> Beside | None:
    """The same for whoever asks in the midst of a choice."""
    from interpreter.faces.screen.conversation import Beside

    return None if arguments.front is None else Beside(arguments.front)


def played_in_front(arguments: argparse.Namespace, session: Session, play: Callable[[], bool]) -> bool:
    """Play on the full screen, where there is one; else just play."""
    if arguments.front is None:
        return play()
    from interpreter.faces.screen.screen_play import play_on_screen, showing, speaks_unicode

    is_plain = arguments.ascii or not speaks_unicode()
    return play_on_screen(
        showing(session, arguments.rules, arguments.lang, session.sheets, arguments.front, play, is_plain)
    )
