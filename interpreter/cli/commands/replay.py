"""Implement `grognard replay`: step through a saved game at a terminal, or print it as plain lines.

With `--rules` it replays the game with other rules, up to the first difference; `tools/replay_diff.py` compares.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_file, add_flag, add_format, parse_number_from_0
from interpreter.cli.errors import FINDINGS, GOOD, UsageError, prepare_output
from interpreter.cli.output import log, log_error, print_json, print_line, print_lines, print_message
from interpreter.cli.saves import add_journal, find_game, format_resume_command, open_journal
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.files.assets import format_target_name
from interpreter.i18n.translator import Translator, get_error_message, get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.api.resume import Replay
    from interpreter.api.rules import Rules
    from interpreter.players.reports.replay_log import ReplayLog
    from interpreter.runtime.localizer import Localizer
    from interpreter.saves.journal import Journal
    from interpreter.tools.diff.difference import Difference
    from interpreter.tools.replay_diff import ReplayDiff

HELP = _("view a saved game: step forwards and backwards in a terminal, otherwise print it")
SHOWS_TEXTS = True  # of the ruleset: `cli.main` reports those left out


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_journal(parser)
    parser.add_argument(
        "--from",
        metavar=_("N"),
        type=parse_number_from_0,
        dest="start",
        help=_("start after decision N (default: at the start)"),
    )
    parser.add_argument(
        "--to",
        metavar=_("N"),
        type=parse_number_from_0,
        help=_("stop after decision N and show the position (default: at the end)"),
    )
    parser.add_argument(
        "--pictures",
        metavar=_("DIR"),
        help=_("write a picture of the start, and of each phase that changed something, into this folder"),
    )
    add_flag(parser, "--png", _("with --pictures: write PNG instead of SVG"))
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
        return _replay_with(arguments)
    if arguments.save:
        raise UsageError("--save needs --rules")
    is_partial = arguments.start is not None or arguments.to is not None or arguments.step
    if arguments.pictures and (is_partial or arguments.format == "json"):
        raise UsageError("--pictures shows the whole game; leave out --from, --to, --step and --format json")
    replay = open_journal(arguments)
    localizer = Localizer(replay.rules.program, arguments.lang)
    replay_log = record_replay(replay)
    _print_remarks(arguments, replay, replay_log, localizer)
    if arguments.format == "json":
        _print_data(arguments, replay, replay_log, localizer)
    elif arguments.pictures:
        from interpreter.queries.map_pictures import write_phases

        for line in write_phases(replay.rules, replay_log, localizer, arguments.pictures, arguments.png):
            print_line(line)
    elif _is_watched(arguments):
        _run_viewer(replay, replay_log, localizer)
    else:
        from interpreter.players.reports.replay_viewer import render_replay

        to = replay_log.last if arguments.to is None else arguments.to
        print_lines(render_replay(replay_log, localizer, arguments.start or 0, to, arguments.step))
    if replay.divergence is not None:
        problem = replay.divergence.message
        log_error(localizer.say("the replay differs from the saved game: {problem}", problem=problem))
        return FINDINGS
    return GOOD


def _is_watched(arguments: argparse.Namespace) -> bool:
    """Return whether to start the interactive viewer: input and output are terminals and no range is given."""
    is_partial = arguments.start is not None or arguments.to is not None or arguments.step
    return not is_partial and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _print_remarks(arguments: argparse.Namespace, replay: Replay, replay_log: ReplayLog, localizer: Localizer) -> None:
    """Print manual edits, what is missing from the file, and whether the game is shorter than requested."""
    from interpreter.players.reports.manual_edits import render_edits

    say = localizer.say
    for line in render_edits(replay.journal, say):
        log(line)
    if replay.rules_remark and replay.divergence is None:
        log(say(replay.rules_remark))
    if replay.journal.is_torn:
        log(say("the last line of the saved game is incomplete and was ignored"))
    if replay.lost_decision:
        log(say("the last decision is left out: the dice typed for it are not in the file"))
    farthest = max(arguments.to or 0, arguments.start or 0)
    if farthest > replay_log.last and replay.divergence is None:
        log(say("the saved game has only {number} (decision|decisions)", number=replay_log.last))


def _run_viewer(replay: Replay, replay_log: ReplayLog, localizer: Localizer) -> None:
    """Run the interactive viewer, which can draw the map, compute luck and save pictures."""
    from interpreter.players.luck.luck_report import render_luck_report
    from interpreter.players.luck.luck_service import LuckService
    from interpreter.players.reports.replay_viewer import ReplayViewer
    from interpreter.queries.game_queries import GameQueries
    from interpreter.queries.map_pictures import save_picture
    from interpreter.ui.repl.terminal import Terminal

    queries = GameQueries(replay.rules, localizer)
    teller = LuckService(replay.rules)
    viewer = ReplayViewer(
        replay_log,
        localizer,
        Terminal(),
        queries.render_map,
        lambda upto: render_luck_report(teller.analyze_saved_game(replay.journal, upto), localizer),
        lambda game, name: save_picture(replay.rules, game, localizer, name),
    )
    try:
        viewer.run()
    except KeyboardInterrupt:
        log("")


def _print_data(arguments: argparse.Namespace, replay: Replay, replay_log: ReplayLog, localizer: Localizer) -> None:
    """Print the game as JSON, up to --to; with --step also each decision with the position after it."""
    to = replay_log.last if arguments.to is None else min(arguments.to, replay_log.last)
    steps = []
    if arguments.step:
        for number in range(arguments.start or 0, to + 1):
            replay_log.go_to(number)
            steps.append({"decision": number, "hash": replay_log.game.hash(), "view": replay_log.game.view()})
    replay_log.go_to(to)
    print_json({**_serialize_replay(replay, replay_log, localizer), **({"steps": steps} if arguments.step else {})})


def _serialize_replay(replay: Replay, replay_log: ReplayLog, localizer: Localizer) -> dict[str, Any]:
    """Return the position and the events of a replayed game as plain data."""
    from interpreter.players.reports.manual_edits import serialize_edits

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
        "torn": replay.journal.is_torn,
        "edits": serialize_edits(replay.journal),
        "divergence": None
        if replay.divergence is None
        else {"decision": replay.divergence.decision, "message": replay.divergence.message},
        "events": [
            {"sort": e.sort, "name": e.name, "args": e.args, "text": e.text(localizer.lang), "cite": list(e.cite)}
            for e in game.log
        ],
    }


def _replay_with(arguments: argparse.Namespace) -> int:
    """Replay a game on other rules as far as possible and print the comparison.

    Return FINDINGS if the game differs from the original.
    """
    from interpreter.api.game import load
    from interpreter.runtime.dice import DiceExhaustedError, InvalidDiceError
    from interpreter.runtime.errors import SetupError
    from interpreter.saves.entries import EntryError
    from interpreter.saves.journal import JournalError, read_journal
    from interpreter.tools.replay_diff import replay_with_rules

    say = get_translator(arguments.lang)
    _require_compatible_options(arguments)
    path = find_game(arguments.file)
    journal = read_journal(path)
    new_rules = load(arguments.rules, checked=True)
    old_rules = _load_original_rules(journal, arguments.ruleset, new_rules, say)
    try:
        diff = replay_with_rules(journal, new_rules, old_rules)
    except (SetupError, EntryError, DiceExhaustedError, InvalidDiceError) as fault:
        raise JournalError(_("cannot replay {path}: {fault}", path=path, fault=get_error_message(fault))) from None
    causes = _find_causes(diff, old_rules, new_rules, arguments.lang, say)
    if arguments.save:
        _save(diff, journal, arguments.save)
    if arguments.format == "json":
        print_json(_serialize_comparison(diff, causes, arguments))
    else:
        print_lines(_format_comparison(diff, causes, old_rules, new_rules, say))
        if arguments.save:
            command = format_resume_command(Path(arguments.save), arguments.rules, arguments.lang)
            print_message(say("to continue from there: {command}", command=command))
    return FINDINGS if diff.divergence is not None else GOOD


def _require_compatible_options(arguments: argparse.Namespace) -> None:
    other_options = (arguments.start, arguments.to, arguments.step or None, arguments.pictures)
    if any(option is not None for option in other_options):
        raise UsageError("--rules examines the whole game; leave out --from, --to, --step and --pictures")
    if arguments.save and (Path(arguments.save).exists() or Path(arguments.save).is_symlink()):
        raise UsageError("{file} already exists; choose another name", file=arguments.save)


def _load_original_rules(journal: Journal, target: str | None, now: Rules, say: Translator) -> Rules | None:
    """Return the rules that the game was played with; if they are not available unchanged, print that and return None.

    `target`: the ruleset named by the user, or None; `now`: the rules to compare with.
    """
    from interpreter.api.other_versions import describe_differences
    from interpreter.api.resume import load_journal_rules
    from interpreter.runtime.errors import SetupError
    from interpreter.saves.identity import compute_identity, list_differences

    try:
        rules = load_journal_rules(journal.header, "", target)
    except (SetupError, RulesetError):
        rules = None
    if rules is not None and _is_original(rules, journal):
        return rules
    log(say("the original rules of this game are no longer available: only its choices and dice are compared"))
    was, is_ = journal.header.identity, compute_identity(now.program, journal.header.scenario)
    if was.scheme == is_.scheme and (was.rules, was.setup) != (is_.rules, is_.setup):
        parts = describe_differences(list_differences(was, is_), journal.header)
        log(say("differences in the other rules: {parts}", parts=parts))
    return None


def _is_original(rules: Rules, journal: Journal) -> bool:
    """Return whether a game was played with these rules; if that is unknown, whether they replay all of it."""
    from interpreter.api.resume import Replay
    from interpreter.saves.identity import Match, match_identity

    result = match_identity(journal.header.identity, rules.program, journal.header.scenario)
    if result is not Match.UNKNOWN:
        return result is Match.SAME
    replay = Replay(journal, rules)
    replay.finish()
    return replay.divergence is None


def _find_causes(diff: ReplayDiff, before: Rules | None, now: Rules, lang: str, say: Translator) -> list[Difference]:
    if diff.divergence is None or before is None:
        return []
    from interpreter.tools.diff.comparison import compare, read_snapshot
    from interpreter.tools.replay_diff import find_causes

    assert now.model is not None
    differences = compare(read_snapshot(before.target), read_snapshot(now.target), lang, say)
    return find_causes(diff.divergence, differences, now.model)


def _save(diff: ReplayDiff, journal: Journal, name: str) -> None:
    from interpreter.saves.recorder import save

    with prepare_output(name):
        save(diff.game, name, dict(journal.header.seats))


def _format_comparison(
    diff: ReplayDiff, causes: list[Difference], before: Rules | None, now: Rules, say: Translator
) -> list[str]:
    """Render the comparison of a game with its replay under other rules."""
    divergence = diff.divergence
    if divergence is None:
        return [say("all {number} choices are possible and have the same results", number=diff.choices)]
    lines = [say("{number} (choice has|choices have) the same results", number=diff.choices)]
    if divergence.entry is None:
        lines.append(say("before the first choice: {what}", what=divergence.message))
    else:
        entry = divergence.entry
        lines.append(
            say(
                "choice {number}, `{key}` of {side} in `{name}`: {what}",
                number=entry.number,
                key=entry.key,
                side=entry.side,
                name=entry.name,
                what=divergence.message,
            )
        )
    if causes:
        lines.append(say("changes there:"))
        lines += [f"  {cause.span.file}:{cause.span.line}: {say(cause.message)}" for cause in causes]
    elif before is not None:
        command = f"grognard diff {format_target_name(before.target)} {format_target_name(now.target)}"
        lines.append(say("no single change causes the difference; to list all changes, run {command}", command=command))
    return lines


def _serialize_comparison(diff: ReplayDiff, causes: list[Difference], arguments: argparse.Namespace) -> dict[str, Any]:
    from interpreter.tools.diff.comparison import serialize_comparison

    divergence = diff.divergence
    entry = divergence.entry if divergence is not None else None
    return {
        "rules": arguments.rules,
        "choices": diff.choices,
        "saved": arguments.save,
        "parting": None
        if divergence is None
        else {
            "decision": divergence.number,
            "side": entry.side if entry else None,
            "name": entry.name if entry else None,
            "key": entry.key if entry else None,
            "words": str(divergence.message),
            "cite": sorted({c for reason in divergence.reasons for c in reason.cite}),
            "causes": serialize_comparison(causes),
        },
    }
