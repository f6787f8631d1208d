"""`grognard test`: a ruleset's own cases."""

from __future__ import annotations

import argparse

from interpreter.cli.arguments import add_format, add_language, count, seed
from interpreter.cli.failures import FINDINGS, GOOD, UsageError
from interpreter.cli.output import Progress, say, say_json
from interpreter.words.speech import mark as _
from interpreter.words.speech import speaker

HELP = _("run a ruleset's own cases, and say which rules they cover")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("ruleset", metavar=_("RULESET"), help=_("a shipped id, a folder or a variant file"))
    parser.add_argument(
        "-k",
        dest="pattern",
        metavar=_("ID"),
        default=None,
        help=_("only the case with this id, or those whose id begins with it"),
    )
    parser.add_argument(
        "--coverage",
        action="store_true",
        help=_("also tell which paragraphs, tables and options the cases reach"),
    )
    parser.add_argument(
        "--mutate",
        action="store_true",
        help=_("change one rule or one datum at a time and list the changes that no case notices"),
    )
    parser.add_argument(
        "--sample",
        metavar=_("N"),
        type=count,
        default=None,
        help=_("with --mutate: only so many changes, chosen by --seed (default: all)"),
    )
    parser.add_argument(
        "--seed",
        metavar=_("N"),
        type=seed,
        default=0,
        help=_("with --mutate and --sample: which changes are chosen (default: 0)"),
    )
    parser.add_argument(
        "--jobs",
        metavar=_("N"),
        type=count,
        default=1,
        help=_("with --mutate: processes that share the work (default: 1)"),
    )
    add_format(parser)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the cases; bad when one fails, or with --mutate when a change survives. Asking for a case that is not there
    is wrong usage."""
    from interpreter.tools.cases.suite import report_data, report_text, run_cases

    if arguments.mutate:
        return _mutate(arguments)
    if arguments.sample is not None:
        raise UsageError(_("--sample belongs to --mutate"))
    told = speaker(arguments.lang)
    progress = Progress(_("{done} of {total} cases"), told)
    try:
        report = run_cases(arguments.ruleset, arguments.pattern, arguments.coverage, progress)
    finally:
        progress.finish()
    data = report_data(report)
    if arguments.pattern is not None and not data["cases"]:
        raise UsageError(
            _(
                "{ruleset} has no case whose id begins with `{pattern}`",
                ruleset=arguments.ruleset,
                pattern=arguments.pattern,
            )
        )
    if arguments.format == "json":
        say_json(data)
    else:
        say(report_text(report, told).rstrip("\n"))
    return FINDINGS if data["failed"] else GOOD


def _mutate(arguments: argparse.Namespace) -> int:
    """Try changes; bad when one survives, or when the cases do not hold as it is."""
    from interpreter.tools.mutation.surveying import survey
    from interpreter.tools.mutation.telling import survey_data, survey_text

    if arguments.coverage:
        raise UsageError(_("--mutate and --coverage are two questions: ask them one after the other"))
    told = speaker(arguments.lang)
    progress = Progress(_("{done} of {total} changes"), told)
    try:
        found = survey(arguments.ruleset, arguments.pattern, arguments.sample, arguments.seed, arguments.jobs, progress)
    finally:
        progress.finish()
    if not found.cases:
        raise UsageError(
            _("{ruleset} has no such cases, so there is nothing that could notice a change", ruleset=arguments.ruleset)
        )
    if arguments.format == "json":
        say_json(survey_data(found))
    else:
        say(survey_text(found, told))
    return FINDINGS if found.failed or found.survivors else GOOD
