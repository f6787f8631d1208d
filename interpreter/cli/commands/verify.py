"""Implement `grognard verify`: prove that a saved game is unaltered and replays to the same dice and positions."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_format
from interpreter.cli.errors import FINDINGS, GOOD
from interpreter.cli.output import print_json, print_lines
from interpreter.cli.saves import add_journal, find_game, open_journal
from interpreter.i18n.translator import Translator, get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.api.resume import Replay
    from interpreter.saves.journal import JournalError

HELP = _("verify that a saved game is unaltered and replays exactly")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_journal(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay silently, then report that everything matched or the first difference."""
    from interpreter.saves.journal import JournalError

    form: str = arguments.format
    try:
        replay = open_journal(arguments)
    except JournalError as error:
        if form == "json":
            print_json(_serialize_error(error))
        raise
    replay.finish()
    if form == "json":
        print_json(_serialize_replay(replay))
    else:
        print_lines(
            _format_replay(replay, arguments.file, get_translator(arguments.lang or replay.rules.program.languages[0]))
        )
    return GOOD if replay.divergence is None and not _is_edited(replay) else FINDINGS


def _is_edited(replay: Replay) -> bool:
    from interpreter.saves.entries import list_edits

    return bool(list_edits(replay.journal.entries))


def _serialize_error(error: JournalError) -> dict[str, Any]:
    """Return JSON data for a file that cannot be replayed: the problem, and its line if known."""
    return {
        "ok": False,
        "altered": error.fault == "altered",
        "foreign": error.fault == "foreign",
        "line": error.line or None,
        "message": str(error),
    }


def _serialize_replay(replay: Replay) -> dict[str, Any]:
    """Return the result of a verification as plain data."""
    from interpreter.players.reports.manual_edits import serialize_edits

    game, divergence = replay.game, replay.divergence
    verified = Counter(type(entry).__name__ for entry in replay.entries)
    return {
        "ok": divergence is None and not _is_edited(replay),
        "altered": False,
        "foreign": False,
        "decisions": replay.decisions,
        "rolls": verified["RollEntry"],
        "dice": "typed" if replay.journal.header.seed is None else "seed",
        "seed": replay.journal.header.seed,
        "hashes": verified["PhaseHashEntry"] + verified["EndEntry"],
        "taken_back": _count_undone(replay),
        "edits": serialize_edits(replay.journal),
        "rules": replay.match.value,
        "byte_order_mark": replay.journal.is_marked,
        "crlf": replay.journal.line_end != b"\n",
        "text_below": replay.journal.has_text_below,
        "torn": replay.journal.is_torn,
        "whole": replay.is_whole,
        "over": game.over,
        "hash": game.hash(),
        "divergence": None if divergence is None else {"decision": divergence.decision, "message": divergence.message},
    }


def _count_undone(replay: Replay) -> dict[str, int]:
    """Return the numbers of "decisions" and "rolls" in the file that were undone, which may interest the opponent."""
    counts = Counter(type(entry).__name__ for entry in replay.journal.entries)
    in_effect = Counter(type(entry).__name__ for entry in replay.entries)
    return {
        "decisions": counts["DecisionEntry"] - in_effect["DecisionEntry"],
        "rolls": counts["RollEntry"] - in_effect["RollEntry"],
    }


def _format_replay(replay: Replay, file: str, say: Translator) -> list[str]:
    """Render the result of a verification."""
    from interpreter.players.reports.manual_edits import render_edits
    from interpreter.saves.journal_lines import list_text_remarks

    divergence = replay.divergence
    verified = Counter(type(entry).__name__ for entry in replay.entries)
    lines = [
        say(
            "{file}: no line was altered: every checksum matches ({number} lines)",
            file=file,
            number=len(replay.journal.entries) + 1,
        )
    ]
    lines += [f"  {say(remark)}" for remark in list_text_remarks(replay.journal)]
    lines += render_edits(replay.journal, say)
    if divergence is not None:
        return [
            *lines,
            say(
                "but the replay differs after {number} decisions: {problem}",
                number=max(0, divergence.decision - 1),
                problem=divergence.message,
            ),
            *_explain_difference(replay, file, say),
        ]
    remarks = [say(replay.rules_remark)] if replay.rules_remark else []
    return [*lines, *_format_verified(replay, verified, say), *_format_missing(replay, say), *remarks]


def _explain_difference(replay: Replay, file: str, say: Translator) -> list[str]:
    from interpreter.api.other_versions import build_carry_over_command
    from interpreter.saves.identity import Match

    if replay.match is Match.SAME:
        return [
            say(
                "the game was played with these rules, so the file was edited and its checksums were recomputed, "
                "or another version of grognard wrote it"
            )
        ]
    command = build_carry_over_command(find_game(file), replay.rules)
    differs = replay.rules_remark if replay.match is Match.DIFFERENT else None
    return [
        say(differs)
        if differs
        else say("the file was edited and its checksums were recomputed, or the game was played with different rules"),
        say("to carry the game over up to that point: {command}", command=command),
    ]


def _format_verified(replay: Replay, verified: Counter[str], say: Translator) -> list[str]:
    """Render what the replay verified; `verified` counts the verified journal entries by the name of their type."""
    seed = replay.journal.header.seed
    rolls = _format_rolls(verified["RollEntry"], say)
    hashes = verified["PhaseHashEntry"] + verified["EndEntry"]
    decisions = _format_decisions(replay.decisions, say)
    lines = [
        say("it replays with these changes: {decisions}", decisions=decisions)
        if _is_edited(replay)
        else say("replays exactly: {decisions}", decisions=decisions),
        "  "
        + (
            say("{rolls}, as typed at the table", rolls=rolls)
            if seed is None
            else say("{rolls}, as generated from the seed {seed}", rolls=rolls, seed=seed)
        ),
        "  " + say("{count} (position matches|positions match)", count=hashes),
    ]
    taken_back = _count_undone(replay)
    if taken_back["decisions"]:
        lines.append(
            "  "
            + say(
                "undone: {decisions}, with {rolls}",
                decisions=_format_decisions(taken_back["decisions"], say),
                rolls=_format_rolls(taken_back["rolls"], say),
            )
        )
    return [
        *lines,
        "  "
        + (
            say("the result matches")
            if verified["EndEntry"]
            else say("the file has no result: the game is not finished, or its last choices were removed from the file")
        ),
    ]


def _format_missing(replay: Replay, say: Translator) -> list[str]:
    """Render what is missing from the file; [] if nothing."""
    lines = []
    if replay.journal.is_torn:
        lines.append(say("the last line is incomplete and was ignored"))
    if not replay.is_whole:
        lines.append(
            say(
                "the effects of the last decision are not all in the file: writing was interrupted, or lines "
                "were removed from its end; continuing the game writes them again"
            )
        )
    return lines


def _format_decisions(count: int, say: Translator) -> str:
    return say("{count} (decision|decisions)", count=count)


def _format_rolls(count: int, say: Translator) -> str:
    return say("{count} (roll|rolls)", count=count)
