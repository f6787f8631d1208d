"""`grognard report`: an after-action report of a saved game in Markdown."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_format, add_language
from interpreter.cli.failures import FINDINGS, GOOD, UsageError
from interpreter.cli.fortunes import FortuneTeller
from interpreter.cli.journals import add_journal, open_journal
from interpreter.cli.output import say, say_json, say_lines, tell
from interpreter.files.system_words import said_by_system
from interpreter.source.printing import printable_lines
from interpreter.words.speech import mark as _

if TYPE_CHECKING:
    from interpreter.players.telling.vocabulary import Words

HELP = _("write an after-action report of a saved game, with its luck")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_journal(parser)
    parser.add_argument("--out", metavar=_("FILE"), help=_("write the report to this file (default: to the output)"))
    parser.add_argument("--luck", action="store_true", help=_("only the account of luck, as plain lines"))
    parser.add_argument("--no-luck", action="store_true", help=_("leave the account of luck out"))
    parser.add_argument("--force", action="store_true", help=_("write over a file that exists"))
    add_format(parser)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay, count, write; bad when the replay differs from the journal."""
    from interpreter.players.afterwards.action_report import report_lines
    from interpreter.players.afterwards.by_hand import edit_data, told_edits
    from interpreter.players.afterwards.story import told_story
    from interpreter.players.luck.account import luck_data, luck_lines
    from interpreter.players.telling.vocabulary import Words
    from interpreter.saves.storage import notes_in

    _refuse_contradictions(arguments)
    replay = open_journal(arguments)
    story = told_story(replay)
    words = Words(replay.rules.program, arguments.lang)
    fortune = None if arguments.no_luck else FortuneTeller(replay.rules).count(replay.journal)
    if arguments.format == "json":
        outcome = story.game.outcome
        say_json(
            {
                "ruleset": replay.journal.header.ruleset,
                "scenario": replay.journal.header.scenario,
                "decisions": story.last,
                "edits": edit_data(replay.journal),
                "over": story.game.over,
                "outcome": None
                if outcome is None
                else {
                    "winner": outcome.winner,
                    "level": outcome.level,
                    "scores": {seat: str(score) for seat, score in outcome.scores.items()},
                },
                "luck": None if fortune is None else luck_data(fortune),
            }
        )
    elif arguments.luck and fortune is not None:
        for line in told_edits(replay.journal, words.say):
            tell(line)
        say_lines(luck_lines(fortune, words))
    else:
        lines = report_lines(
            story,
            replay.journal.header,
            words,
            fortune,
            notes_in(replay.journal),
            told_edits(replay.journal, words.say),
        )
        _write(arguments.out, lines, words)
    if replay.divergence is not None:
        tell(
            "grognard: "
            + words.say(
                "the replay differs from the journal: {problem}; the report ends there",
                problem=replay.divergence.message,
            )
        )
        return FINDINGS
    return GOOD


def _refuse_contradictions(arguments: argparse.Namespace) -> None:
    if arguments.luck and arguments.no_luck:
        raise UsageError(_("--luck and --no-luck: leave one of them out"))
    if arguments.out and (arguments.luck or arguments.format == "json"):
        raise UsageError(_("--out takes the whole report; leave out --luck and --format json"))
    if arguments.out and Path(arguments.out).exists() and not arguments.force:
        raise UsageError(
            _("--out: {out} exists already; choose another name, or write over it with --force", out=arguments.out)
        )


def _write(out: str | None, lines: list[str], words: Words) -> None:
    if out is None:
        say_lines(lines)
        return
    try:
        Path(out).write_text("".join(printable_lines(line) + "\n" for line in lines), encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(_("cannot write {file}: {problem}", file=out, problem=said_by_system(error))) from None
    say(words.say("wrote {file}", file=out))
