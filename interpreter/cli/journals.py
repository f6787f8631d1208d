"""How the commands about saved games open them.

Must not judge what a journal says.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from interpreter.cli.saves import found_game
from interpreter.files.assets import named_target
from interpreter.words.speech import mark as _

if TYPE_CHECKING:
    from interpreter.facade.resuming import Replay


def add_journal(parser: argparse.ArgumentParser) -> None:
    """FILE, --ruleset and --anyway."""
    parser.add_argument(
        "file", metavar=_("FILE"), help=_("a journal, as play makes them; or the name of one of your games")
    )
    parser.add_argument(
        "--ruleset",
        metavar=_("RULESET"),
        type=named_target,
        help=_("the ruleset it was played with, where it is no longer found by itself"),
    )
    parser.add_argument(
        "--anyway",
        action="store_true",
        help=_("replay although the ruleset has changed, up to the first difference"),
    )


def open_journal(arguments: argparse.Namespace) -> Replay:
    """A replay that has not begun; UsageError when there is no such file, JournalError for a useless one."""
    from interpreter.facade.resuming import open_replay

    return open_replay(found_game(arguments.file), anyway=arguments.anyway, target=arguments.ruleset)
