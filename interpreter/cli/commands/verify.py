"""`grognard verify`: proves that a saved game replays to the same dice and the same positions."""

from __future__ import annotations

import argparse
from collections import Counter

from interpreter.cli.arguments import add_format
from interpreter.cli.failures import FINDINGS, GOOD
from interpreter.cli.journals import add_journal, open_journal
from interpreter.cli.output import say, say_json

HELP = "prove that a saved game replays exactly"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_journal(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay without a word, then say whether all was the same, or where it first was not."""
    replay = open_journal(arguments)
    game = replay.finish()
    proved = Counter(type(entry).__name__ for entry in replay.entries)
    torn, found = replay.journal.torn, replay.divergence
    if arguments.format == "json":
        say_json(
            {
                "ok": found is None,
                "decisions": replay.decisions,
                "rolls": proved["Roll"],
                "hashes": proved["PhaseHash"] + proved["End"],
                "torn": torn,
                "over": game.over,
                "hash": game.hash(),
                "divergence": None
                if found is None
                else {"decision": found.decision, "message": found.message},
            }
        )
    elif found is None:
        say(
            f"{arguments.file}: replays exactly: {replay.decisions} decisions, {proved['Roll']} rolls, "
            f"{proved['PhaseHash'] + proved['End']} positions"
        )
        if torn:
            say("its last line was cut short and is left out")
    else:
        say(f"{arguments.file}: differs after {max(0, found.decision - 1)} decisions: {found.message}")
    return GOOD if found is None else FINDINGS
