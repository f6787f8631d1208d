"""Setup of a game at the prompt, and of the full screen of `grognard play --screen` that may show it.

The two user interfaces are independent of each other.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_flag
from interpreter.cli.errors import UsageError
from interpreter.cli.output import log
from interpreter.files.installing import get_install_command
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.play.bot import Bot
    from interpreter.play.game import Game
    from interpreter.ui.repl.play_context import PlayContext
    from interpreter.ui.repl.repl import Repl
    from interpreter.ui.tui.ui_channel import SideOutput, UiChannel


def add_screen(parser: argparse.ArgumentParser) -> None:
    """Add --screen and --ascii."""
    add_flag(
        parser,
        "--screen",
        _(
            "full screen: map, panels and an input line (needs the extra `screen`); with a screen reader, "
            "use plain lines"
        ),
    )
    add_flag(parser, "--ascii", _("with --screen: use only ASCII characters"))


def open_screen_channel(arguments: argparse.Namespace) -> UiChannel | None:
    """Return the channel to the full screen, or None for plain lines.

    Raises UsageError if its packages are not installed.
    """
    if not arguments.screen:
        if arguments.ascii:
            raise UsageError("--ascii needs --screen: plain lines have no other characters")
        return None
    from interpreter.ui.tui.play import find_obstacle, is_installed

    if arguments.plain:
        raise UsageError("--screen and --plain cannot be used together; choose one")
    problem = find_obstacle()
    if problem is not None:
        log(get_translator(arguments.lang)(problem))
        return None
    if not is_installed():
        raise UsageError(
            "the full screen needs Textual, which is not installed; to install it: {command} (or leave out "
            "--screen and play in plain lines)",
            command=get_install_command("screen"),
        )
    from interpreter.ui.repl.terminal import Terminal
    from interpreter.ui.tui.ui_channel import UiChannel

    return UiChannel(Terminal())


def make_play_context(
    arguments: argparse.Namespace,
    rules: Rules,
    game: Game,
    seats: dict[str, str],
    bots: Mapping[str, Bot],
    path: Path | None = None,
    history: Path | None = None,
) -> PlayContext:
    """Return the context of a prompt session, shown in the terminal or on the full screen.

    `seats`: the player of each seat; `bots`: the bots by seat; `path`: the file of the saved game, or None; `history`:
    the file that keeps the typed lines, or None.
    """
    from interpreter.api.autosave import Autosave
    from interpreter.queries.game_queries import GameQueries
    from interpreter.runtime.localizer import Localizer
    from interpreter.ui.repl.commands import COMMANDS
    from interpreter.ui.repl.play_context import PlayContext
    from interpreter.ui.repl.terminal import Terminal, has_colours

    rules, front = rules.as_played(game), arguments.front
    arguments.rules, localizer = rules, Localizer(rules.program, arguments.lang)
    command_names = [localizer.say(name) for name in COMMANDS]
    if front is not None:
        front.always = command_names
    autosave = Autosave(path, seats, log if front is None else front.report_problem, say=localizer.say)
    queries = GameQueries(rules, localizer, front is None and has_colours())
    return PlayContext(game, localizer, front or Terminal(command_names, history), bots, autosave, queries)


def open_side_output(arguments: argparse.Namespace) -> SideOutput | None:
    """Return the full screen's dialogue for dice that players roll during a choice, or None without a full screen."""
    from interpreter.ui.tui.ui_channel import SideOutput

    return None if arguments.front is None else SideOutput(arguments.front)


def play_on_screen(arguments: argparse.Namespace, session: Repl, play: Callable[[], bool]) -> bool:
    """Play on the full screen if there is one; otherwise call `play` directly. Return what playing returns."""
    if arguments.front is None:
        return play()
    from interpreter.ui.tui.play import connect_screen, is_unicode_output, play_on_screen

    is_plain = arguments.ascii or not is_unicode_output()
    queries = session.context.queries
    assert queries is not None
    return play_on_screen(
        connect_screen(session, arguments.rules, arguments.lang, queries, arguments.front, play, is_plain)
    )
