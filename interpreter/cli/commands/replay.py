"""Implement `grognard replay`: step through a saved game at a terminal, or print it as plain lines."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_file, add_flag, add_format
from interpreter.cli.errors import FINDINGS, GOOD, UsageError
from interpreter.cli.output import say as say_line, say_json, say_lines, tell
from interpreter.cli.saves import add_journal, open_journal
from interpreter.i18n.translator import mark as _

if TYPE_CHECKING:
    from interpreter.api.resume import Replay
    from interpreter.players.reports.replay_log import ReplayLog
    from interpreter.runtime.localizer import Localizer

HELP = _("view a saved game: step forwards and backwards in a terminal, otherwise print it")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_journal(parser)
    parser.add_argument(
        "--from",
        metavar=_("N"),
        type=_number,
        dest="start",
        help=_("start after decision N (default: at the start)"),
    )
    parser.add_argument(
        "--to",
        metavar=_("N"),
        type=_number,
        help=_("stop after decision N and show the position (default: at the end)"),
    )
    parser.add_argument(
        "--pictures",
        metavar=_("DIR"),
        help=_("write a picture of the start, and of each phase that changed something, into this folder"),
    )
    add_flag(parser, "--png", _("with --pictures: PNG instead of SVG"))
    add_flag(parser, "--step", _("show the position after every decision"))
    parser.add_argument(
        "--rules",
        metavar=_("OTHER"),
        help=_("replay it with other rules up to the first difference, and show which change causes it"),
    )
    add_file(parser, "--save", _("with --rules: save the game up to that point in this file"))
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay and print the game. Return FINDINGS if the replay differs from the journal."""
    from interpreter.players.reports.replay_log import record_replay
    from interpreter.runtime.localizer import Localizer

    if arguments.start is not None and arguments.to is not None and arguments.start > arguments.to:
        raise UsageError(
            "--from {start} --to {to}: the end is before the start", start=arguments.start, to=arguments.to
        )
    if arguments.png and not arguments.pictures:
        raise UsageError("--png needs --pictures")
    if arguments.rules is not None:
        from interpreter.cli.replay_on_rules import replay_with

        return replay_with(arguments)
    if arguments.save:
        raise UsageError("--save needs --rules")
    part = arguments.start is not None or arguments.to is not None or arguments.step
    if arguments.pictures and (part or arguments.format == "json"):
        raise UsageError("--pictures shows the whole game; leave out --from, --to, --step and --format json")
    replay = open_journal(arguments)
    words = Localizer(replay.rules.program, arguments.lang)
    story = record_replay(replay)
    _tell_notes(arguments, replay, story, words)
    if arguments.format == "json":
        _tell_data(arguments, replay, story, words)
    elif arguments.pictures:
        from interpreter.queries.map_pictures import write_phases

        for line in write_phases(replay.rules, story, words, arguments.pictures, arguments.png):
            say_line(line)
    elif _is_watched(arguments):
        _view(replay, story, words)
    else:
        from interpreter.players.reports.replay_viewer import plain_lines

        to = story.last if arguments.to is None else arguments.to
        say_lines(plain_lines(story, words, arguments.start or 0, to, arguments.step))
    if replay.divergence is not None:
        problem = replay.divergence.message
        tell("grognard: " + words.say("the replay differs from the saved game: {problem}", problem=problem))
        return FINDINGS
    return GOOD


def _is_watched(arguments: argparse.Namespace) -> bool:
    """Return whether to start the interactive viewer: input and output are terminals and no range is given."""
    asked = arguments.start is not None or arguments.to is not None or arguments.step
    return not asked and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _tell_notes(arguments: argparse.Namespace, replay: Replay, replay_log: ReplayLog, words: Localizer) -> None:
    from interpreter.players.reports.manual_edits import edit_lines

    say = words.say
    for line in edit_lines(replay.journal, say):
        tell(line)
    if replay.unproved and replay.divergence is None:
        tell(say(replay.unproved))
    if replay.journal.torn:
        tell(say("the last line of the saved game was cut short and is left out"))
    if replay.lost_decision:
        tell(say("the last decision is left out: the dice typed for it are not in the file"))
    farthest = max(arguments.to or 0, arguments.start or 0)
    if farthest > replay_log.last and replay.divergence is None:
        tell(say("the saved game has only {number} (decision|decisions)", number=replay_log.last))


def _view(replay: Replay, replay_log: ReplayLog, words: Localizer) -> None:
    """Run the interactive viewer, which can draw the map, compute luck and save pictures."""
    from interpreter.players.luck.luck_report import luck_lines
    from interpreter.players.luck.luck_service import LuckService
    from interpreter.players.reports.replay_viewer import ReplayViewer
    from interpreter.queries.game_queries import GameQueries
    from interpreter.queries.map_pictures import picture_lines
    from interpreter.ui.repl.terminal import Terminal

    queries = GameQueries(replay.rules, words)
    teller = LuckService(replay.rules)
    viewer = ReplayViewer(
        replay_log,
        words,
        Terminal(),
        queries.map,
        lambda upto: luck_lines(teller.count(replay.journal, upto), words),
        lambda game, name: picture_lines(replay.rules, game, words, name),
    )
    try:
        viewer.run()
    except KeyboardInterrupt:
        tell("")


def _tell_data(arguments: argparse.Namespace, replay: Replay, replay_log: ReplayLog, words: Localizer) -> None:
    """Print the game as JSON, up to --to; with --step also each decision with the position after it."""
    to = replay_log.last if arguments.to is None else min(arguments.to, replay_log.last)
    steps = []
    if arguments.step:
        for number in range(arguments.start or 0, to + 1):
            replay_log.go_to(number)
            steps.append({"decision": number, "hash": replay_log.game.hash(), "view": replay_log.game.view()})
    replay_log.go_to(to)
    say_json({**_data(replay, replay_log, words), **({"steps": steps} if arguments.step else {})})


def _data(replay: Replay, replay_log: ReplayLog, words: Localizer) -> dict[str, Any]:
    from interpreter.players.reports.manual_edits import edit_data

    game, header = replay_log.game, replay.journal.header
    outcome = game.outcome
    return {
        "ruleset": header.ruleset,
        "scenario": header.scenario,
        "options": list(header.options),
        "seed": header.seed,
        "decisions": replay_log.at,
        "turn": game.turn,
        "phase": game.phase,
        "over": game.over,
        "outcome": None if outcome is None else {"winner": outcome.winner, "level": outcome.level},
        "hash": game.hash(),
        "torn": replay.journal.torn,
        "edits": edit_data(replay.journal),
        "divergence": None
        if replay.divergence is None
        else {"decision": replay.divergence.decision, "message": replay.divergence.message},
        "events": [
            {"sort": e.sort, "name": e.name, "args": e.args, "text": e.text(words.lang), "cite": list(e.cite)}
            for e in game.log
        ],
    }


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise argparse.ArgumentTypeError(_("expected a whole number of 0 or more, found {found!r}", found=text[:40]))
    return int(text)
