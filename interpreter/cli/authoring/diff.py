"""Implement `grognard diff`: describe the differences between two rulesets in words."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import TYPE_CHECKING

from interpreter.cli.arguments import WHICH, add_flag, add_format, add_target
from interpreter.cli.errors import FINDINGS, GOOD
from interpreter.cli.output import Progress, log_error, print_result
from interpreter.i18n.translator import Translator, get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.tools.diff.difference import Difference

HELP = _("describe the differences between two rulesets, or a variant and its base")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_target(parser, "before", "A", WHICH)
    add_target(parser, "now", "B", _("the ruleset to compare with"))
    add_flag(parser, "--cases", _("also run the cases of A with B, and list those that no longer pass"))
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the differences. Return FINDINGS if a ruleset has faults or a case no longer passes."""
    from interpreter.tools.diff.comparison import compare, format_comparison, read_snapshot, serialize_comparison

    say = get_translator(arguments.lang)
    before, now = read_snapshot(arguments.before), read_snapshot(arguments.now)
    differences = compare(before, now, arguments.lang, say)
    if arguments.cases:
        differences += _compare_cases(arguments, say)
    data = {"before": arguments.before, "now": arguments.now, "differences": serialize_comparison(differences)}
    print_result(arguments.format, data, lambda: format_comparison(differences, say))
    faulty = [snapshot for snapshot in (before, now) if snapshot.is_faulty]
    for snapshot in faulty:
        log_error(say("{target} has errors; see grognard check", target=snapshot.target))
    failing = any(d.part == "cases" and d.what == "changed" and d.now != "passes" for d in differences)
    return FINDINGS if faulty or failing else GOOD


def _compare_cases(arguments: argparse.Namespace, say: Translator) -> list[Difference]:
    from interpreter.tools.diff.case_changes import iter_case_changes

    with closing(Progress(_("{done} of {total} (case|cases)"), say)) as progress:
        return list(iter_case_changes(arguments.before, arguments.now, progress))
