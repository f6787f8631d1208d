"""`grognard verify`: proves that a saved game is unaltered and replays to the same dice and positions."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_format
from interpreter.cli.failures import FINDINGS, GOOD
from interpreter.cli.journals import add_journal, open_journal
from interpreter.cli.output import say_json, say_lines

if TYPE_CHECKING:
    from interpreter.runtime.journal import JournalError
    from interpreter.saving import Replay

HELP = "prove that a saved game is unaltered and replays exactly"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_journal(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay without a word, then say whether all was the same, or where it first was not."""
    from interpreter.runtime.journal import JournalError

    form: str = arguments.format
    try:
        replay = open_journal(arguments)
    except JournalError as error:
        if form == "json":
            say_json(_unreadable(error))
        raise
    replay.finish()
    if form == "json":
        say_json(_data(replay))
    else:
        say_lines(_lines(replay, arguments.file))
    return GOOD if replay.divergence is None else FINDINGS


def _unreadable(error: JournalError) -> dict[str, Any]:
    """A file that cannot be replayed: what is wrong with it, and the line where that is known."""
    return {"ok": False, "altered": error.fault == "altered", "foreign": error.fault == "foreign",
            "line": error.line or None, "message": str(error)}


def _data(replay: Replay) -> dict[str, Any]:
    game, found = replay.game, replay.divergence
    proved = Counter(type(entry).__name__ for entry in replay.entries)
    return {
        "ok": found is None,
        "altered": False,
        "foreign": False,
        "decisions": replay.decisions,
        "rolls": proved["Roll"],
        "dice": "typed" if replay.journal.header.seed is None else "seed",
        "seed": replay.journal.header.seed,
        "hashes": proved["PhaseHash"] + proved["End"],
        "taken_back": _taken_back(replay),
        "torn": replay.journal.torn,
        "whole": replay.is_whole,
        "over": game.over,
        "hash": game.hash(),
        "divergence": None if found is None else {"decision": found.decision, "message": found.message},
    }


def _taken_back(replay: Replay) -> dict[str, int]:
    """How many decisions and rolls of the file were undone: the opponent may want to know."""
    counts = Counter(type(entry).__name__ for entry in replay.journal.entries)
    kept = Counter(type(entry).__name__ for entry in replay.entries)
    return {"decisions": counts["Decision"] - kept["Decision"], "rolls": counts["Roll"] - kept["Roll"]}


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _lines(replay: Replay, file: str) -> list[str]:
    found = replay.divergence
    proved = Counter(type(entry).__name__ for entry in replay.entries)
    lines = [f"{file}: no line was altered: every checksum fits ({len(replay.journal.entries) + 1} lines)"]
    if found is not None:
        where = f"differs after {max(0, found.decision - 1)} decisions: {found.message}"
        return [*lines, f"but it {where}", "the file was made to look unaltered, or it was played by other rules"]
    typed = replay.journal.header.seed is None
    dice = "as they were typed at the table" if typed else f"as they follow from the seed {replay.journal.header.seed}"
    lines += [f"replays exactly: {_many(replay.decisions, 'decision')}",
              f"  {_many(proved['Roll'], 'roll')} {dice}",
              f"  {_many(proved['PhaseHash'] + proved['End'], 'position')} equal"]
    taken_back = _taken_back(replay)
    if taken_back["decisions"]:
        lines.append(f"  taken back: {_many(taken_back['decisions'], 'decision')}, "
                     f"with {_many(taken_back['rolls'], 'roll')}")
    lines.append("  the outcome equal" if proved["End"] else "  the game is not over in this file")
    if replay.journal.torn:
        lines.append("its last line was cut short and is left out")
    if not replay.is_whole:
        lines.append("what its last decision set going is not all in the file: it was cut off while it was written, "
                     "or lines at its end were taken away; going on with the game writes them again")
    return lines
