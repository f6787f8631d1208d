"""Implement `grognard record`: convert a saved game to a test case."""

from __future__ import annotations

import argparse

from interpreter.cli.arguments import add_file, add_number
from interpreter.cli.errors import GOOD, write_new_document
from interpreter.cli.output import print_lines, write_document
from interpreter.cli.saves import add_journal, open_journal
from interpreter.i18n.translator import get_translator, mark as _

HELP = _("make a case from a saved game: its choices, its dice and the changes of the last choices")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_journal(parser)
    parser.add_argument("--id", metavar=_("ID"), default="recorded", help=_("id of the case (default: recorded)"))
    parser.add_argument("--title", metavar=_("TEXT"), default="", help=_("what the case shows"))
    add_number(parser, "--last", _("number of last choices whose changes are recorded (default: 1)"), default=1)
    add_file(parser, "--out", _("write the document to this file, which must not exist yet"))


def run(arguments: argparse.Namespace) -> int:
    """Convert the saved game to a case, run the case to verify it, and print its document or write it to a file."""
    from interpreter.api.game import load
    from interpreter.queries.case_recording import format_written_lines
    from interpreter.tools.cases.case_recording import record_case

    replay = open_journal(arguments)
    rules = load(replay.rules.target, checked=True)
    text = record_case(replay, rules, arguments.id, arguments.title, arguments.last)
    if arguments.out is None:
        write_document(text)
        return GOOD
    path = write_new_document(arguments.out, text)
    print_lines(format_written_lines(arguments.id, path, get_translator(arguments.lang)))
    return GOOD
