"""Implement `grognard report`: an after-action report of a saved game, in Markdown or as one HTML page with maps."""

from __future__ import annotations

import argparse
from os.path import exists
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_file, add_flag, add_format
from interpreter.cli.errors import FINDINGS, GOOD, UsageError, prepare_output
from interpreter.cli.output import log, log_error, print_json, print_lines, print_message
from interpreter.cli.saves import add_journal, open_journal
from interpreter.diagnostics.terminal_text import escape_lines
from interpreter.files.durable import write_text_file
from interpreter.i18n.translator import mark as _
from interpreter.players.luck.luck_service import LuckService

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.players.reports.action_report import ReportContext
    from interpreter.players.reports.replay_log import ReplayLog
    from interpreter.runtime.localizer import Localizer

HELP = _("write an after-action report of a saved game, with its luck")
SHOWS_TEXTS = True  # of the ruleset: `cli.main` reports those left out


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_journal(parser)
    add_file(parser, "--out", _("write the report to this file (default: standard output)"))
    add_file(parser, "--html", _("write the report to this file as one page with maps and graphs, for any browser"))
    add_flag(parser, "--luck", _("write only the luck report, as plain lines"))
    add_flag(parser, "--no-luck", _("leave out the luck report"))
    add_flag(parser, "--force", _("overwrite an existing file"))
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay the game and write the report. Return FINDINGS if the replay differs from the journal."""
    from interpreter.players.luck.luck_report import render_luck_report, serialize_luck
    from interpreter.players.reports.action_report import ReportContext, render_report
    from interpreter.players.reports.manual_edits import render_edits, serialize_edits
    from interpreter.players.reports.replay_log import record_replay
    from interpreter.runtime.localizer import Localizer
    from interpreter.saves.storage import list_notes

    _refuse_contradictions(arguments)
    replay = open_journal(arguments)
    replay_log = record_replay(replay)
    localizer = Localizer(replay.rules.program, arguments.lang)
    luck = None if arguments.no_luck else LuckService(replay.rules).analyze_saved_game(replay.journal)
    if arguments.format == "json":
        outcome = replay_log.game.outcome
        print_json(
            {
                "ruleset": replay.journal.header.ruleset,
                "scenario": replay.journal.header.scenario,
                "decisions": replay_log.last,
                "edits": serialize_edits(replay.journal),
                "over": replay_log.game.over,
                "outcome": None
                if outcome is None
                else {
                    "winner": outcome.winner,
                    "level": outcome.level,
                    "scores": {seat: str(score) for seat, score in outcome.scores.items()},
                },
                "luck": None if luck is None else serialize_luck(luck),
            }
        )
    elif arguments.luck and luck is not None:
        for line in render_edits(replay.journal, localizer.say):
            log(line)
        print_lines(render_luck_report(luck, localizer))
    else:
        context = ReportContext(
            replay.journal.header, luck, list_notes(replay.journal), render_edits(replay.journal, localizer.say)
        )
        if arguments.html is None or arguments.out is not None:
            _write(arguments.out, render_report(replay_log, localizer, context), localizer)
        if arguments.html is not None:
            _write_page(arguments.html, replay_log, localizer, context, replay.rules)
    if replay.divergence is not None:
        log_error(
            localizer.say(
                "the replay differs from the saved game: {problem}; the report ends there",
                problem=replay.divergence.message,
            )
        )
        return FINDINGS
    if replay.rules_remark:
        log(localizer.say(replay.rules_remark))
    return GOOD


def _refuse_contradictions(arguments: argparse.Namespace) -> None:
    if arguments.luck and arguments.no_luck:
        raise UsageError("--luck and --no-luck cannot be used together; leave out one of them")
    for name, file in (("--out", arguments.out), ("--html", arguments.html)):
        if file and (arguments.luck or arguments.format == "json"):
            raise UsageError("{name} needs the whole report; leave out --luck and --format json", name=name)
        if file and exists(file) and not arguments.force:
            raise UsageError(
                "{name}: {out} already exists; choose another name, or overwrite it with --force", name=name, out=file
            )
    if arguments.out and arguments.out == arguments.html:
        raise UsageError("--out and --html: give each its own file")


def _write(out: str | None, lines: list[str], localizer: Localizer) -> None:
    if out is None:
        print_lines(lines)
        return
    _write_file(out, "".join(escape_lines(line) + "\n" for line in lines), localizer)


def _write_page(out: str, replay_log: ReplayLog, localizer: Localizer, context: ReportContext, rules: Rules) -> None:
    from interpreter.players.reports.action_report import build_report
    from interpreter.players.reports.figures import draw_figures
    from interpreter.players.reports.html_page import render_html_page
    from interpreter.queries.map_pictures import make_svg_series

    album = make_svg_series(rules, localizer)
    course, plates = draw_figures(replay_log, localizer, album)
    blocks = build_report(replay_log, localizer, context, course, plates)
    _write_file(out, render_html_page(blocks, album.render_definitions(), localizer.lang, localizer.say), localizer)


def _write_file(out: str, text: str, localizer: Localizer) -> None:
    with prepare_output(out):
        write_text_file(out, text)
    print_message(localizer.say("wrote {file}", file=out))
