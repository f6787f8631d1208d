"""`grognard check`: what is wrong with rulesets, each finding with file, line and column."""

from __future__ import annotations

import argparse
import sys

from interpreter.cli.arguments import add_format
from interpreter.cli.failures import FINDINGS, GOOD, USAGE, is_missing
from interpreter.cli.output import say, say_json, say_prepared
from interpreter.source.rendering import as_data, render, summary

HELP = "check rulesets: form, names, types, flow, tables and maps"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "rulesets", metavar="RULESET", nargs="+", help="a shipped id, a folder or a variant file"
    )
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check each ruleset; findings of any kind but notes make the result bad."""
    from interpreter.game import check

    targets: list[str] = arguments.rulesets
    found = {target: check(target) for target in dict.fromkeys(targets)}
    everything = [d for diagnostics in found.values() for d in diagnostics]
    bad = any(d.severity != "note" for d in everything)
    if arguments.format == "json":
        say_json({"ok": not bad, "diagnostics": [as_data(d) for d in everything]})
    else:
        for target, diagnostics in found.items():
            if diagnostics:
                say_prepared(render(diagnostics, colour=sys.stdout.isatty()) + "\n")
            say(f"{target}: {summary(diagnostics)}")
    if any(is_missing(d) for d in found.values()):
        return USAGE
    return FINDINGS if bad else GOOD
