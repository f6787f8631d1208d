"""`grognard test`: a ruleset's own cases."""

from __future__ import annotations

import argparse

from interpreter.cli.arguments import add_format, add_language
from interpreter.cli.failures import FINDINGS, GOOD, UsageError
from interpreter.cli.output import Progress, say, say_json
from interpreter.speech import mark as _
from interpreter.speech import speaker

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
    add_format(parser)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the cases; bad when one fails. Asking for a case that is not there is wrong usage."""
    from interpreter.tools.cases import report_data, report_text, run_cases

    told = speaker(arguments.lang)
    progress = Progress(_("{done} of {total} cases"), told)
    try:
        report = run_cases(arguments.ruleset, arguments.pattern, arguments.coverage, progress)
    finally:
        progress.finish()
    data = report_data(report)
    if arguments.pattern is not None and not data["cases"]:
        raise UsageError(_("{ruleset} has no case whose id begins with `{pattern}`", ruleset=arguments.ruleset,
                           pattern=arguments.pattern))
    if arguments.format == "json":
        say_json(data)
    else:
        say(report_text(report, told).rstrip("\n"))
    return FINDINGS if data["failed"] else GOOD
